package cmd

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/snapshot"
)

// references holds the references of the flags: one for all runs, or one for each task.
type references struct {
	one    *reference.Reference
	byTask map[string]*reference.Reference
	Hash   string // sha256 of the text that they were read from; "" if there is none
}

// ReadReferences reads --reference or --reference-from, of which at most one is given.
func (f *ScoreFlags) ReadReferences(stdin io.Reader) (r references, err error) {
	name, read := f.Reference, func(data []byte) error {
		r.one, r.byTask, err = snapshot.Read(f.Reference, data)
		return err
	}
	if f.ReferenceFrom != "" {
		name, read = f.ReferenceFrom, r.borrowFromRuns
	}
	if name == "" {
		return r, nil
	}
	data, err := ReadFile(name, stdin)
	if err != nil {
		return r, err
	}
	if err := read(data); err != nil {
		if f.ReferenceFrom != "" && errors.Is(err, core.ErrNoKnownSuccess) {
			err = fmt.Errorf(`%w; to write a reference that you can read and edit, run "boundcheck reference new"`, err)
		}
		return r, &referenceError{name, err}
	}
	r.Hash = fmt.Sprintf("%x", sha256.Sum256(data))
	return r, nil
}

// isConsensus reports whether the value of --reference-from is consensus or
// consensus=SHARE. With such a value, the runs themselves are the reference. Any other
// value is the name of a file.
func isConsensus(from string) bool {
	word, _, _ := strings.Cut(from, "=")
	return word == "consensus"
}

// ParseConsensus returns the share of other runs that must agree, which is SHARE in
// --reference-from consensus=SHARE. Without a SHARE the result is 0.5. If the flag names
// a file, the result is 0.
func (f *ScoreFlags) ParseConsensus() (share float64, err error) {
	if !isConsensus(f.ReferenceFrom) {
		return 0, nil
	}
	_, text, given := strings.Cut(f.ReferenceFrom, "=")
	if !given {
		return 0.5, nil
	}
	if share, err = strconv.ParseFloat(text, 64); err != nil || !(share >= 0.5 && share <= 1) {
		return 0, fmt.Errorf("invalid --reference-from %q: want consensus, or consensus=SHARE with a SHARE from 0.5 to 1. If this is a file name, write ./%s", f.ReferenceFrom, f.ReferenceFrom)
	}
	return share, nil
}

// referenceError is an error in the reference's file, as opposed to an error in a
// trace.
type referenceError struct {
	file string
	err  error
}

func (e *referenceError) Error() string { return e.file + ": " + e.err.Error() }
func (e *referenceError) Unwrap() error { return e.err }

// borrowFromRuns uses the successful runs in data as references. If there is only one
// reference and the reference has no task, it applies to all runs.
func (r *references) borrowFromRuns(data []byte) (err error) {
	if r.byTask, err = core.ReferencesFrom(data); err != nil {
		return err
	}
	if only := r.byTask[""]; only != nil && len(r.byTask) == 1 {
		r.one, r.byTask = only, nil
	}
	return nil
}

// ApplyToRequest replaces the references in a request. It changes nothing if no flag gave
// a reference.
func (r *references) ApplyToRequest(to *core.Request) {
	if r.Hash != "" {
		to.Reference, to.References = r.one, r.byTask
	}
}
