package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
)

// KeepRun reduces a report to the run of --run, with the figures and warnings of this run
// alone. name is the run's id or, if no run has this id, its number from 1. With a # before it, a
// number is never an id.
func KeepRun(r *core.Report, name string, o *core.Options) error {
	at := slices.IndexFunc(r.Trajectories, func(t core.Trajectory) bool { return t.ID == name })
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "#")); at < 0 && err == nil && n >= 1 && n <= len(r.Trajectories) {
		at = n - 1
	}
	if at < 0 {
		return fmt.Errorf("--run %s: there is no such run; want an id, such as %s, or a number from 1 to %d (an id is looked for first; with # before it, a number is never an id)", name, someIDs(r), len(r.Trajectories))
	}
	one := r.Trajectories[at]
	var t core.Tally
	t.Under(o.Params.Theta, o.Params.Denominator)
	t.Add(&one, 1)
	r.Trajectories, r.Corpus, r.Profile = []core.Trajectory{one}, t.Corpus(o.Seed), one.Profile
	r.Input.Trajectories = 1
	if i := fileOf(r.Input.Files, at); i >= 0 {
		f := r.Input.Files[i]
		r.Input.Format, r.Input.Bytes, r.Input.Files = f.Format, f.Bytes, nil
	}
	r.Warnings = slices.DeleteFunc(r.Warnings, func(w core.Warning) bool { return w.Trajectory != "" && w.Trajectory != one.ID })
	return nil
}

// fileOf returns the index of the file that has the run with index at, or -1 if the report
// lists no files.
func fileOf(files []core.File, at int) int {
	for i := range files {
		if at -= files[i].Trajectories; at < 0 {
			return i
		}
	}
	return -1
}

// someIDs returns the first ids of a report's runs.
func someIDs(r *core.Report) string {
	var all []string
	for i := range r.Trajectories[:min(3, len(r.Trajectories))] {
		all = append(all, r.Trajectories[i].ID)
	}
	return strings.Join(all, ", ")
}
