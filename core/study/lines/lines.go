// Package lines scores the elements of a file one by one. For each run it writes the line
// of "score --stream". An element is a line of JSONL or an element of a JSON list.
// Elements are scored independently. Only the ids depend on earlier elements (see Names).
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Scorer scores elements. Many goroutines may use it at once.
type Scorer struct {
	References func(*core.Request) // replaces the references of an element; nil for none
	Checkers   []checker.Checker
	Advisor    mutation.Advisor
	Profile    string // "" or auto, outcome or sop

	once       sync.Once
	classifier *mutation.Classifier // shared by all elements, which mostly have the same tools
	caches     sync.Pool            // of *core.Cache: elements repeat the same calls and tasks
}

// Empty is the message for an empty input.
const Empty = "the input is empty. Give one trajectory on each line, or a list of trajectories"

// At is the place in the file where an element begins. Line and Column count from 1.
type At struct{ Line, Column int }

// Row is the result of one element. It has the runs of the element that were scored. Fault
// is the error envelope of an element that cannot be used, or that has a run that was not
// scored; nil for none.
type Row struct {
	Format   string
	Runs     []Run
	Warnings []report.Warning // with places in the file, and the ids within the element
	Fault    []byte
}

// Run is one run together with its JSON text after the id. The id is written later,
// because ids become unique only when the rows are in order.
type Run struct {
	report.Trajectory
	Tail []byte
}

// Score scores one element of a file. A panic during the reading or the scoring becomes the
// fault of this row, so that a long stream continues. O(len(text)).
func (s *Scorer) Score(file string, at At, text []byte) (out Row) {
	defer func() {
		if p := recover(); p != nil {
			out = Row{Fault: wire.Fail(wire.CodeInternal, fmt.Sprintf("internal error: %v; please report it with the input", p))}
		}
	}()
	scored, exact, err := s.scoreElement(file, text)
	if err != nil {
		return Row{Fault: wire.FailWith(at.inputError(err, exact))}
	}
	out = Row{Format: scored.Input.Format, Warnings: scored.Warnings}
	for i := range out.Warnings {
		w := &out.Warnings[i]
		w.Line, w.Column = at.filePosition(w.Line, w.Column, exact)
	}
	for _, t := range scored.Trajectories {
		switch {
		case t.Error == nil:
			out.Runs = append(out.Runs, Run{t, runTail(&t)})
		case out.Fault == nil:
			out.Fault = wire.Fail(t.Error.Code, fmt.Sprintf("the run %s was not scored: %s", t.ID, t.Error.Message))
		}
	}
	if out.Fault != nil { // it says what the warnings would say
		out.Warnings = slices.DeleteFunc(out.Warnings, func(w report.Warning) bool { return w.Code == core.Internal })
	}
	if len(out.Runs) == 0 && out.Fault == nil {
		return Row{Fault: wire.Fail(wire.CodeInput, "no trajectory was found in this element"), Warnings: out.Warnings}
	}
	return out
}

// scoreElement scores one element of a file. The result exact is true if the line numbers
// in the report are line numbers of text. If exact is false, text is an envelope, and the
// line numbers belong to the data inside it.
func (s *Scorer) scoreElement(file string, text []byte) (report report.Report, exact bool, err error) {
	if len(text) > 0 && text[0] != '{' && text[0] != '[' && text[0] != '"' {
		return report, true, &core.InputError{Msg: "not a JSON object or list: " + quoteExcerpt(text), Line: 1, Column: 1}
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
	s.once.Do(func() { s.classifier = mutation.New(nil, nil).Advised(s.Advisor) })
	r.Options.Checkers, r.Options.Advisor = s.Checkers, s.Advisor
	r.Options.Classifier, r.Options.RunsOnly = s.classifier, true
	cache, _ := s.caches.Get().(*core.Cache)
	if cache == nil {
		cache = &core.Cache{}
	}
	r.Options.Cache = cache
	if s.Profile != "" && s.Profile != "auto" {
		r.Options.Profile = s.Profile
	}
	report, err = core.Evaluate(r)
	s.caches.Put(cache) // not after a panic
	return report, exact, err
}

func quoteExcerpt(text []byte) string {
	return strconv.Quote(string(bytes.ToValidUTF8(text[:min(len(text), 40)], nil)))
}

// filePosition converts a position in an element to a position in the file. If exact is
// false, the position is inside an envelope. Then filePosition returns the line where the
// element begins, and the column 0.
func (at At) filePosition(line, column int, exact bool) (int, int) {
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

// inputError returns err with a position in the file. If the message repeats the position in
// the element, inputError removes it from the message.
func (at At) inputError(err error, exact bool) error {
	var input *core.InputError
	if !errors.As(err, &input) {
		return err
	}
	moved := *input
	moved.Line, moved.Column = at.filePosition(input.Line, input.Column, exact)
	if exact {
		moved.Msg = strings.Replace(moved.Msg, fmt.Sprintf(" at line %d column %d", input.Line, input.Column), "", 1)
	}
	return &moved
}

// runTail returns the JSON of a run without the id at the beginning and without the
// closing brace.
func runTail(t *report.Trajectory) []byte {
	text := wire.Marshal(t)
	return text[len(runHead(t.ID)) : len(text)-len("}\n")]
}

func runHead(id string) []byte {
	quoted := wire.Marshal(id)
	return append([]byte(`{"id":`), quoted[:len(quoted)-1]...)
}

// Place is the end of every line. It says where in the input the element is. Row is the
// index of an element in a list; for JSONL the line number is enough.
type Place struct {
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Row      int              `json:"row,omitempty"`
	Warnings []report.Warning `json:"warnings,omitempty"`
}

// AppendFault appends one line of output to text. The line has the fault of an element
// that could not be used, and the place of the element.
func AppendFault(text, fault []byte, at Place) []byte {
	return at.closeObject(append(text, fault[:len(fault)-len("}\n")]...))
}

// AppendRun appends the line of a run to text. The argument tail is the field Tail of the
// run.
func AppendRun(text []byte, id string, tail []byte, at Place) []byte {
	return at.closeObject(append(append(text, runHead(id)...), tail...))
}

// closeObject ends a JSON object that has no closing brace yet. It appends the members of
// the place and a closing brace.
func (at Place) closeObject(text []byte) []byte {
	text = append(text, ',')
	return append(text, wire.Marshal(at)[1:]...)
}
