package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/wire"
)

// rowScorer scores elements by themselves. It is used by all workers at once.
type rowScorer struct {
	references func(*core.Request)
	checkers   []checker.Checker
	advisor    mutation.Advisor
	profile    string
}

// row is what came of an element: its trajectories, or an error envelope.
type row struct {
	format   string
	runs     []scored
	warnings []core.Warning // with the places of the file
	fault    []byte
}

// scored is one trajectory and the JSON of it after its id: ids are made
// unique only when the rows are in order again.
type scored struct {
	core.Trajectory
	tail []byte
}

// score reads and scores one element of a file. A panic is our bug; it costs one row and
// not a run of hours.
func (s *rowScorer) score(file string, e element, text []byte) (out row) {
	defer func() {
		if p := recover(); p != nil {
			out = row{fault: wire.Fail(wire.CodeInternal, fmt.Sprintf("internal error: %v; please report it with the input", p))}
		}
	}()
	if e.fault != nil {
		return row{fault: e.fault}
	}
	report, exact, err := s.evaluate(file, text)
	if err != nil {
		return row{fault: wire.FailWith(e.inputError(err, exact))}
	}
	out = row{format: report.Input.Format, warnings: report.Warnings}
	for i := range out.warnings {
		w := &out.warnings[i]
		w.Line, w.Column = e.place(w.Line, w.Column, exact)
	}
	for _, t := range report.Trajectories {
		out.runs = append(out.runs, scored{t, jsonTail(&t)})
	}
	if len(out.runs) == 0 {
		return row{fault: wire.Fail(wire.CodeInput, "no trajectory was found in it"), warnings: out.warnings}
	}
	return out
}

// evaluate scores a text of a file. exact tells that places in it are places in the file.
func (s *rowScorer) evaluate(file string, text []byte) (report core.Report, exact bool, err error) {
	if len(text) > 0 && text[0] != '{' && text[0] != '[' && text[0] != '"' {
		return report, true, &core.InputError{Msg: "not a JSON object or list: " + rowExcerpt(text), Line: 1, Column: 1}
	}
	r, err := core.ReadRequest(text)
	if err != nil {
		return report, true, err
	}
	data := r.Inputs[0].Data
	exact = len(data) == len(text)
	r.Inputs[0].Name = file
	s.references(&r)
	r.Options.Checkers, r.Options.Advisor = s.checkers, s.advisor
	if s.profile != "auto" {
		r.Options.Profile = s.profile
	}
	report, err = core.Evaluate(r)
	return report, exact, err
}

func rowExcerpt(text []byte) string {
	return strconv.Quote(string(bytes.ToValidUTF8(text[:min(len(text), 40)], nil)))
}

// place turns a place in an element into one in the file. Where the element
// holds the text in an envelope, the line it begins on must do.
func (e element) place(line, column int, exact bool) (int, int) {
	switch {
	case line == 0:
		return 0, 0
	case !exact:
		return e.line, 0
	case line == 1:
		column += e.column - 1
	}
	return e.line + line - 1, column
}

func (e element) inputError(err error, exact bool) error {
	var input *core.InputError
	if !errors.As(err, &input) {
		return err
	}
	moved := *input
	moved.Line, moved.Column = e.place(input.Line, input.Column, exact)
	return &moved
}

// jsonTail is a trajectory's JSON after the id that it begins with, and
// without the closing brace.
func jsonTail(t *core.Trajectory) []byte {
	text := wire.Marshal(t)
	return text[len(jsonHead(t.ID)) : len(text)-len("}\n")]
}

func jsonHead(id string) []byte {
	quoted := wire.Marshal(id)
	return append([]byte(`{"id":`), quoted[:len(quoted)-1]...)
}

// sampleRows and sampleBytes are how much of a file's beginning is looked at to
// see whether its elements are runs.
const (
	sampleRows  = 16
	sampleBytes = 1 << 20
)

// oneRun reports whether the first elements of a file are the events of one run and not
// a run each; they are one run when they are read together.
func (s *rowScorer) oneRun(texts [][]byte, rows []row) bool {
	joined := []byte{'['}
	elements, runs, actions := 0, 0, 0
	for i, text := range texts[:min(len(texts), sampleRows)] {
		if len(joined)+len(text) > sampleBytes || !json.Valid(text) {
			continue
		}
		joined = append(append(joined, text...), ',')
		elements++
		runs += len(rows[i].runs)
		for _, r := range rows[i].runs {
			actions += len(r.Observed)
		}
	}
	if elements < 2 || runs == 1 { // one run and something that is none
		return false
	}
	joined[len(joined)-1] = ']'
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: joined}}})
	switch {
	case err != nil || len(report.Trajectories) != 1:
		return false
	case runs == 0:
		return len(report.Warnings) == 0
	}
	return len(report.Trajectories[0].Observed) >= actions
}
