// Package batch is the pure part of batch scoring: lines of JSONL in, one result
// a trajectory out, and the corpus figures of many results. What is stored where,
// and who is asked again, is the platform's (worker/edge/batch.mjs).
package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// LineLimit is the longest line that is scored, ResultLimit the longest result
// that is kept, in bytes: a value of the edge's database ends at 2 MB.
const (
	LineLimit   = 4 << 20
	ResultLimit = 1 << 20
)

// Result is the result of one trajectory, or of a line that could not be used.
type Result struct {
	Line    int    `json:"line"`    // within the chunk, from 0
	N       int    `json:"n"`       // of the line's trajectories, from 0
	Summary string `json:"summary"` // JSON for Tally; "" for an error
	Body    string `json:"body"`    // {"trajectory":…,"warnings"?} or {"error":…}, one JSON text
}

// summary is what the corpus figures need of a trajectory.
type summary struct {
	Task       string           `json:"task"`
	Success    *bool            `json:"success"`
	Flagged    bool             `json:"flagged"`
	Observed   int              `json:"observed"`
	Reference  *int             `json:"reference"` // null without one
	Metrics    core.Metrics     `json:"metrics"`
	Violations []core.Violation `json:"violations"` // type and pattern
}

// Score scores every line of a chunk by itself; empty lines have no result, and every
// other line has at least one. No line can stop the others. O(len(chunk)).
func Score(chunk []byte) []Result {
	results := []Result{}
	for i, line := range bytes.Split(chunk, []byte{'\n'}) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			results = append(results, scoreLine(i, line)...)
		}
	}
	return results
}

func scoreLine(at int, line []byte) (all []Result) {
	defer func() {
		if p := recover(); p != nil {
			all = []Result{failed(at, wire.Fail(wire.CodeInternal, fmt.Sprintf("internal error: %v; please report it with the line", p)))}
		}
	}()
	report, err := evaluate(line)
	if err != nil {
		return []Result{failed(at, wire.FailWith(err))}
	}
	warnings := map[string][]core.Warning{}
	for _, w := range report.Warnings {
		warnings[w.Trajectory] = append(warnings[w.Trajectory], w)
	}
	for n := range report.Trajectories {
		t := &report.Trajectories[n]
		said := warnings[t.ID]
		if n == 0 {
			said = append(warnings[""], said...)
		}
		all = append(all, result(at, n, t, said))
	}
	return all
}

func evaluate(line []byte) (core.Report, error) {
	if len(line) > LineLimit {
		return core.Report{}, fmt.Errorf("a line of %d bytes; at most %d are scored in a batch: use the command", len(line), LineLimit)
	}
	if line[0] != '{' && line[0] != '[' && line[0] != '"' {
		return core.Report{}, errors.New("not a JSON object or list: a batch is JSONL, one trajectory a line")
	}
	request, err := core.ReadRequest(line)
	if err != nil {
		return core.Report{}, err
	}
	report, err := core.Evaluate(request)
	if err == nil && len(report.Trajectories) == 0 {
		err = errors.New("no trajectory was found in it")
	}
	return report, err
}

func failed(at int, envelope []byte) Result {
	return Result{Line: at, Body: string(bytes.TrimSpace(envelope))}
}

func result(at, n int, t *core.Trajectory, warnings []core.Warning) Result {
	body := wire.Marshal(struct {
		Trajectory *core.Trajectory `json:"trajectory"`
		Warnings   []core.Warning   `json:"warnings,omitempty"`
	}{t, warnings})
	if len(body) > ResultLimit {
		r := failed(at, wire.Fail(wire.CodeTooLarge, fmt.Sprintf("the result has %d bytes; at most %d are kept: use the command", len(body), ResultLimit)))
		r.N = n
		return r
	}
	s := summary{Task: t.Task, Success: t.Success, Flagged: t.Flagged, Observed: len(t.Observed), Metrics: t.Metrics, Violations: []core.Violation{}}
	if t.Reference != nil {
		n := len(t.Reference)
		s.Reference = &n
	}
	for _, v := range t.Violations {
		s.Violations = append(s.Violations, core.Violation{Type: v.Type, Pattern: v.Pattern})
	}
	return Result{Line: at, N: n, Summary: string(bytes.TrimSpace(wire.Marshal(s))), Body: string(bytes.TrimSpace(body))}
}

// Tally computes the corpus figures of a batch from the summaries of its results. The
// zero value is empty.
type Tally struct{ tally core.Tally }

// Add counts a JSON list of summaries. Order matters only in the last digits.
func (t *Tally) Add(list []byte) error {
	var all []summary
	if err := json.Unmarshal(list, &all); err != nil {
		return fmt.Errorf("invalid summaries: %w", err)
	}
	for i := range all {
		s := &all[i]
		run := core.Trajectory{Task: s.Task, Success: s.Success, Flagged: s.Flagged, Metrics: s.Metrics, Violations: s.Violations, Observed: make([]core.Action, s.Observed)}
		if s.Reference != nil {
			run.Reference = make([]core.Action, *s.Reference)
		}
		t.tally.Add(&run, 1)
	}
	return nil
}

// Corpus returns the figures as one JSON text, with intervals from a bootstrap with
// that seed (0 means core.DefaultSeed).
func (t *Tally) Corpus(seed uint64) []byte {
	return bytes.TrimSpace(wire.Marshal(t.tally.Corpus(seed)))
}
