package stream

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Place is the end of every line but the first and the last: where in the input
// the element stands. Row is its number in a list; in JSONL the line says it.
type Place struct {
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Row      int            `json:"row,omitempty"`
	Warnings []core.Warning `json:"warnings,omitempty"`
}

// Line holds the members that are read back from a written line.
type Line struct {
	core.Trajectory
	Place
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
func (l *ledger) enter(text []byte, file int, e element, r *row) []byte {
	at := Place{File: l.files[file].name, Line: e.line, Row: e.row}
	l.elements++
	if r.fault != nil {
		l.faults++
		at.Warnings = r.warnings
		l.warnings.add(at.File, at.Warnings)
		return closeLine(append(text, r.fault[:len(r.fault)-len("}\n")]...), at)
	}
	ids := make(map[string]string, len(r.runs))
	for n := range r.runs {
		t := &r.runs[n].Trajectory
		own := t.ID
		t.ID = l.name(file, n, t)
		ids[own] = l.qualified(file, t.ID)
		l.add(file, t)
	}
	at.Warnings = r.warnings
	for i := range at.Warnings {
		if w := &at.Warnings[i]; w.Trajectory != "" {
			w.Trajectory = ids[w.Trajectory]
		}
	}
	l.warnings.add(at.File, at.Warnings)
	for n := range r.runs {
		text = append(append(text, jsonHead(l.qualified(file, r.runs[n].ID))...), r.runs[n].tail...)
		text = closeLine(text, at)
		at.Warnings = nil // once is enough
	}
	return text
}

// closeLine ends a JSON object, whose closing brace is not there yet, with its
// place.
func closeLine(text []byte, at Place) []byte {
	text = append(text, ',')
	return append(text, wire.Marshal(at)[1:]...)
}

// restore counts a line that was written by an earlier run.
func (l *ledger) restore(file int, s *Line) error {
	l.warnings.add(s.File, s.Warnings)
	if s.Error != nil {
		l.faults++
		return nil
	}
	prefix := l.qualified(file, "")
	if len(s.ID) < len(prefix) || s.ID[:len(prefix)] != prefix {
		return fmt.Errorf("the id %q is not of its file", s.ID)
	}
	s.ID = s.ID[len(prefix):]
	l.add(file, &s.Trajectory)
	return nil
}
