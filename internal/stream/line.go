package stream

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Line holds the members that are read back from a written line.
type Line struct {
	core.Trajectory
	lines.Place
	Error   *wire.Error  `json:"error"`
	Partial bool         `json:"partial"`
	Corpus  *core.Corpus `json:"corpus"`
}

// partialLine is the last line of a stream that was stopped.
type partialLine struct {
	Partial      bool   `json:"partial"`
	Reason       string `json:"reason"`
	Elements     int    `json:"elements"`
	Trajectories int    `json:"trajectories"`
	Errors       int    `json:"errors"`
}

// enter counts a row in the ledger and appends its lines to text.
func (l *ledger) enter(text []byte, file int, e element, r *lines.Row) []byte {
	at := lines.Place{File: l.files[file].name, Line: e.line, Row: e.row}
	l.elements++
	if r.Fault != nil {
		l.faults++
		at.Warnings = r.Warnings
		l.warnings.Add(at.File, at.Warnings)
		return lines.AppendFault(text, r.Fault, at)
	}
	ids := make(map[string]string, len(r.Runs))
	for n := range r.Runs {
		t := &r.Runs[n].Trajectory
		own := t.ID
		t.ID = l.each[file].names.Next(lines.Own{ID: own, N: n, Task: t.Task != ""})
		ids[own] = l.qualified(file, t.ID)
		l.add(file, t)
	}
	at.Warnings = r.Warnings
	for i := range at.Warnings {
		if w := &at.Warnings[i]; w.Trajectory != "" {
			w.Trajectory = ids[w.Trajectory]
		}
	}
	l.warnings.Add(at.File, at.Warnings)
	for n := range r.Runs {
		text = lines.AppendRun(text, l.qualified(file, r.Runs[n].ID), r.Runs[n].Tail, at)
		at.Warnings = nil // once is enough
	}
	return text
}

// restore counts a line that was written by an earlier run.
func (l *ledger) restore(file int, s *Line) error {
	l.warnings.Add(s.File, s.Warnings)
	if s.Error != nil {
		l.faults++
		return nil
	}
	prefix := l.qualified(file, "")
	if len(s.ID) < len(prefix) || s.ID[:len(prefix)] != prefix {
		return fmt.Errorf("the id %q is not of its file", s.ID)
	}
	s.ID = s.ID[len(prefix):]
	l.each[file].names.Note(s.ID, s.Task != "")
	l.add(file, &s.Trajectory)
	return nil
}
