package stream

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Line holds those members of an output line that are read again to continue a run.
type Line struct {
	report.Trajectory
	lines.Place
	Error   *wire.Error    `json:"error"`
	Partial bool           `json:"partial"`
	Corpus  *report.Corpus `json:"corpus"`
}

// partialLine is the last line of a stream that was interrupted.
type partialLine struct {
	Partial      bool   `json:"partial"`
	Reason       string `json:"reason"`
	Elements     int    `json:"elements"`
	Trajectories int    `json:"trajectories"`
	Errors       int    `json:"errors"`
}

// enterElement adds the result of an element to the ledger, and appends its output lines
// to text.
func (l *ledger) enterElement(text []byte, file int, e element, r *lines.Row) []byte {
	at := lines.Place{File: l.origin.Files[file].Name, Line: e.line, Row: e.row, Warnings: r.Warnings}
	l.Element(file, r.Fault != nil)
	ids, made := make(map[string]string, len(r.Runs)), make(map[string]tally.ID, len(r.Runs))
	for n := range r.Runs {
		t := &r.Runs[n].Trajectory
		own := lines.Own{ID: t.ID, N: n, Task: t.Task != ""}
		t.ID = l.names[file].Next(own)
		ids[own.ID] = l.origin.Qualified(file, t.ID)
		made[ids[own.ID]] = l.addRun(file, t, own)
	}
	for i := range at.Warnings {
		if w := &at.Warnings[i]; w.Trajectory != "" {
			w.Trajectory = ids[w.Trajectory]
		}
	}
	l.countWarnings(file, at.Warnings, made)
	for n := range r.Runs {
		text = lines.AppendRun(text, l.origin.Qualified(file, r.Runs[n].ID), r.Runs[n].Tail, at)
		at.Warnings = nil // only the first line of the row has them
	}
	if r.Fault != nil {
		text = lines.AppendFault(text, r.Fault, at)
	}
	return text
}

// restoreElement adds an element to the ledger. The parameter all contains the output
// lines that an earlier run of the command wrote for this element.
func (l *ledger) restoreElement(file int, all []Line) error {
	l.Element(file, slices.ContainsFunc(all, func(s Line) bool { return s.Error != nil }))
	made := make(map[string]tally.ID, len(all))
	for i := range all {
		s := &all[i]
		if s.Error != nil {
			continue
		}
		prefix, whole := l.origin.Qualified(file, ""), s.ID
		if len(s.ID) < len(prefix) || s.ID[:len(prefix)] != prefix {
			return fmt.Errorf("the run id %q must begin with %q, the prefix of its input file", s.ID, prefix)
		}
		s.ID = s.ID[len(prefix):]
		names := &l.names[file]
		own := names.Own(s.ID, s.Task != "")
		names.Note(s.ID, s.Task != "")
		made[whole] = l.addRun(file, &s.Trajectory, own)
	}
	l.countWarnings(file, all[0].Warnings, made)
	return nil
}
