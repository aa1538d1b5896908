package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// This file finds the references that boundcheck bench wrote beside its results. The
// results have only one order of each task's steps. The references are the whole process,
// so every command that scores the results uses them, and says so.

// benchReferences returns the path of the references beside a file of results, or "" if
// boundcheck bench did not write the file.
func benchReferences(file string) string {
	dir, name := filepath.Split(file)
	if name != "results.json" {
		return ""
	}
	beside := filepath.Join(dir, "references.json")
	if _, err := os.Stat(beside); err != nil {
		return ""
	}
	summary, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	var of struct {
		Experiment *struct {
			Env string `json:"env"`
		} `json:"experiment"`
	}
	if err != nil || json.Unmarshal(summary, &of) != nil || of.Experiment == nil || of.Experiment.Env == "" {
		return ""
	}
	return beside
}

// FindReferences sets --reference to the references that boundcheck bench wrote beside
// the files, if no flag gives references. They must be the same for all files. If only
// some files have them, or if they differ, it uses none and says so.
func (f *ScoreFlags) FindReferences(stderr io.Writer) {
	if f.Reference+f.ReferenceFrom != "" || f.Lint {
		return
	}
	found, text := "", []byte(nil)
	for i, file := range f.Files {
		beside := benchReferences(file)
		data, err := os.ReadFile(beside)
		switch {
		case beside == "" && found == "":
		case beside == "" || err != nil || i > 0 && !bytes.Equal(data, text):
			fmt.Fprintf(stderr, "boundcheck %s: the references beside the results of boundcheck bench are not used, because the files do not have the same references; score the files one by one, or add --reference\n", f.commandName())
			return
		case i == 0:
			found, text = beside, data
		}
	}
	if found != "" {
		f.Reference = found
		fmt.Fprintf(stderr, "boundcheck %s: uses %s, which boundcheck bench wrote beside the results\n", f.commandName(), words.Printable(found))
	}
}

// applyFound replaces the references in the request for a file by those that boundcheck
// bench wrote beside the file.
func applyFound(file string, r *core.Request, stderr io.Writer) error {
	f := ScoreFlags{Files: []string{file}}
	f.FindReferences(stderr)
	given, err := f.ReadReferences(nil)
	given.ApplyToRequest(r)
	return err
}
