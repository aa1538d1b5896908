// Package made writes generated runs in the forms of many producers, for property tests.
// It imports no package of this repository, so that it shares no fault with the readers.
package made

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// Run is a generated run. Expected is what should have been done, nil if nobody says.
type Run struct {
	Number       int // in its file
	ID, Question string
	Calls        []Call
	Expected     []Call
}

// Call is a call of a Run. Its only argument is n.
type Call struct {
	Name, ID, Result string // ID is "" if calls have no ids
	N                int
	Failed           bool
}

// IDs says how the calls of the runs in a file get their ids.
type IDs int

// The ways to give ids: numbered again in each run, numbered through the file, or none.
const (
	PerRun IDs = iota
	PerFile
	NoIDs
)

// Runs makes from 1 to most runs . Their calls are often equal, and so are their
// beginnings.
func Runs(r *rand.Rand, most int, ids IDs) []Run {
	runs := make([]Run, 1+r.IntN(most))
	n := 0
	list := func() []Call {
		calls := []Call{}
		for i := range r.IntN(5) {
			id := map[IDs]string{PerRun: fmt.Sprint("c", i), PerFile: fmt.Sprint("c", n)}[ids]
			calls = append(calls, Call{[]string{"cancel", "drop", "find"}[r.IntN(3)], id, "words", r.IntN(3), r.IntN(4) == 0})
			n++
		}
		return calls
	}
	for i := range runs {
		runs[i] = Run{Number: i, ID: fmt.Sprint("run", i), Question: []string{"Do it.", "Do it again."}[r.IntN(2)], Calls: list()}
		if r.IntN(2) == 0 {
			runs[i].Expected = list()
		}
	}
	return runs
}

// Format is a form in which runs can be written.
type Format struct {
	Name  string
	Rows  func(m *Run) []any // one record, or a row for each span
	Spans bool               // a run has several rows, which belong together by its id
	Page  string             // the member under which the producer's page has its rows; "" for none

	NoFailures, NoExpected bool // the form does not say whether a call failed, or what was expected
}

// Formats returns all forms in the order of their names.
func Formats() []Format {
	var all []Format
	for _, name := range slices.Sorted(maps.Keys(recordWriters)) {
		write := recordWriters[name]
		all = append(all, Format{Name: name, Rows: func(m *Run) []any { return []any{write(m)} }})
	}
	for _, name := range slices.Sorted(maps.Keys(spanWriters)) {
		all = append(all, Format{Name: name, Rows: spanWriters[name], Spans: true})
	}
	for i := range all {
		f := &all[i]
		f.Page = pages[f.Name]
		f.NoFailures = slices.Contains(withoutFailures, f.Name)
		f.NoExpected = slices.Contains(withoutExpected, f.Name)
	}
	return all
}

// Envelope is a way to put the rows of a file together.
type Envelope int

// The envelopes: a row on each line, a list, a list inside an object, a member of an object
// for each row, and a table in CSV with JSON in its cells.
const (
	Lines Envelope = iota
	List
	Wrapped
	Map
	CSV
)

// Envelopes returns all envelopes.
func Envelopes() []Envelope { return []Envelope{Lines, List, Wrapped, Map, CSV} }

// String returns the name of the envelope.
func (e Envelope) String() string { return [...]string{"lines", "list", "wrapped", "map", "csv"}[e] }

// File writes runs. The rows of one run stay together. In a map, each run has its id as the
// name of a member.
func File(f *Format, e Envelope, runs []Run) []byte {
	rows, named := []any{}, fields{}
	for i := range runs {
		own := f.Rows(&runs[i])
		rows = append(rows, own...)
		if named[runs[i].ID] = own; !f.Spans {
			named[runs[i].ID] = own[0]
		}
	}
	switch e {
	case List:
		return []byte(JSON(rows))
	case Wrapped:
		return []byte(JSON(fields{chooseValue(f.Page != "", f.Page, "rows"): rows}))
	case Map:
		return []byte(JSON(named))
	case CSV:
		return writeTable(rows)
	}
	var b bytes.Buffer
	for _, row := range rows {
		b.WriteString(JSON(row) + "\n")
	}
	return b.Bytes()
}

// writeTable writes rows as CSV. A text is in its cell as it is, and any other value as JSON.
func writeTable(rows []any) []byte {
	columns := map[string]bool{}
	for _, row := range rows {
		for name := range row.(fields) {
			columns[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(columns))
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(names); err != nil {
		panic(err)
	}
	for _, row := range rows {
		var cells []string
		for _, name := range names {
			v, ok := row.(fields)[name]
			text, isText := v.(string)
			cells = append(cells, chooseValue(!ok || v == nil, "", chooseValue(isText, text, JSON(v))))
		}
		if err := w.Write(cells); err != nil {
			panic(err)
		}
	}
	w.Flush()
	return b.Bytes()
}

// Zip compresses data with gzip.
func Zip(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// JSON returns v as JSON.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

type fields = map[string]any

func chooseValue[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}

func (c *Call) argumentFields() fields { return fields{"n": c.N} }

// whenSucceeded returns v, or nil if the call failed.
func (c *Call) whenSucceeded(v any) any { return chooseValue(c.Failed, nil, v) }

// withID adds the id of a call to an object under a name, if the call has one.
func (c *Call) withID(name string, o fields) fields {
	if c.ID != "" {
		o[name] = c.ID
	}
	return o
}

// writtenCalls returns the calls of an expected side.
func (m *Run) writtenCalls(name, arguments string) []any {
	out := []any{}
	for _, c := range m.Expected {
		out = append(out, fields{name: c.Name, arguments: c.argumentFields()})
	}
	return out
}

// withExpected adds the expected side to a record under a name, if there is one.
func (m *Run) withExpected(name string, record fields) fields {
	if m.Expected != nil {
		record[name] = m.writtenCalls("name", "arguments")
	}
	return record
}
