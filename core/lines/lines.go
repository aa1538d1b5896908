// Package lines scores the elements of a file one by one, and writes for each of their
// runs the line that "score --stream" writes. An element is a line of JSONL or an element
// of a list. Each is scored by itself; only the ids need those that went before (Names).
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Scorer scores elements. It may be used by many goroutines at once.
type Scorer struct {
	References func(*core.Request) // puts references in place of those of an element; nil for none
	Checkers   []checker.Checker
	Advisor    mutation.Advisor
	Profile    string // "" or auto, outcome or sop
}

// At is where an element begins in its file, from 1.
type At struct{ Line, Column int }

// Row is what came of an element: its runs, or an error envelope.
type Row struct {
	Format   string
	Runs     []Run
	Warnings []core.Warning // with the places of the file, and the ids of the element
	Fault    []byte
}

// Run is one run, and the JSON of it after its id: ids are made unique only when the rows
// are in order.
type Run struct {
	core.Trajectory
	Tail []byte
}

// Score reads and scores one element of a file. A panic is our bug; it costs one row and
// not a run of hours. O(len(text)).
func (s *Scorer) Score(file string, at At, text []byte) (out Row) {
	defer func() {
		if p := recover(); p != nil {
			out = Row{Fault: wire.Fail(wire.CodeInternal, fmt.Sprintf("internal error: %v; please report it with the input", p))}
		}
	}()
	report, exact, err := s.evaluate(file, text)
	if err != nil {
		return Row{Fault: wire.FailWith(at.inputError(err, exact))}
	}
	out = Row{Format: report.Input.Format, Warnings: report.Warnings}
	for i := range out.Warnings {
		w := &out.Warnings[i]
		w.Line, w.Column = at.place(w.Line, w.Column, exact)
	}
	for _, t := range report.Trajectories {
		out.Runs = append(out.Runs, Run{t, tail(&t)})
	}
	if len(out.Runs) == 0 {
		return Row{Fault: wire.Fail(wire.CodeInput, "no trajectory was found in it"), Warnings: out.Warnings}
	}
	return out
}

// evaluate scores a text of a file. exact tells that places in it are places in the file.
func (s *Scorer) evaluate(file string, text []byte) (report core.Report, exact bool, err error) {
	if len(text) > 0 && text[0] != '{' && text[0] != '[' && text[0] != '"' {
		return report, true, &core.InputError{Msg: "not a JSON object or list: " + excerpt(text), Line: 1, Column: 1}
	}
	r, err := core.ReadRequest(text)
	if err != nil {
		return report, true, err
	}
	data := r.Inputs[0].Data
	exact = len(data) == len(text)
	r.Inputs[0].Name = file
	if s.References != nil {
		s.References(&r)
	}
	r.Options.Checkers, r.Options.Advisor = s.Checkers, s.Advisor
	if s.Profile != "" && s.Profile != "auto" {
		r.Options.Profile = s.Profile
	}
	report, err = core.Evaluate(r)
	return report, exact, err
}

func excerpt(text []byte) string {
	return strconv.Quote(string(bytes.ToValidUTF8(text[:min(len(text), 40)], nil)))
}

// place turns a place in an element into one in the file. Where the element
// holds the text in an envelope, the line it begins on must do.
func (at At) place(line, column int, exact bool) (int, int) {
	switch {
	case line == 0:
		return 0, 0
	case !exact:
		return at.Line, 0
	case line == 1:
		column += at.Column - 1
	}
	return at.Line + line - 1, column
}

func (at At) inputError(err error, exact bool) error {
	var input *core.InputError
	if !errors.As(err, &input) {
		return err
	}
	moved := *input
	moved.Line, moved.Column = at.place(input.Line, input.Column, exact)
	return &moved
}

// tail is a run's JSON after the id that it begins with, and without the closing brace.
func tail(t *core.Trajectory) []byte {
	text := wire.Marshal(t)
	return text[len(head(t.ID)) : len(text)-len("}\n")]
}

func head(id string) []byte {
	quoted := wire.Marshal(id)
	return append([]byte(`{"id":`), quoted[:len(quoted)-1]...)
}

// Place is the end of every line: where in the input the element stands. Row is its
// number in a list; in JSONL the line says it.
type Place struct {
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Row      int            `json:"row,omitempty"`
	Warnings []core.Warning `json:"warnings,omitempty"`
}

// AppendFault appends the line of an element that could not be used.
func AppendFault(text, fault []byte, at Place) []byte {
	return at.close(append(text, fault[:len(fault)-len("}\n")]...))
}

// AppendRun appends the line of a run by its id and its Tail.
func AppendRun(text []byte, id string, tail []byte, at Place) []byte {
	return at.close(append(append(text, head(id)...), tail...))
}

// close ends a JSON object, whose closing brace is not there yet, with its place.
func (at Place) close(text []byte) []byte {
	text = append(text, ',')
	return append(text, wire.Marshal(at)[1:]...)
}
