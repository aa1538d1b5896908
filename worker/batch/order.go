package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// ErrOneRun means that the lines of a file are events of one run, and not whole runs.
var ErrOneRun = errors.New("each line is an event of one run, not a whole run; score this file separately")

// Order processes the parts of a file in their order. The zero value is ready for the
// first part.
type Order struct {
	names   lines.Names
	tallies tally.Set
}

// Add processes the index of the next part. It returns the final ids of the part's runs
// as one JSON list.
func (o *Order) Add(index []byte) (ids []byte, err error) {
	all := []string{}
	err = eachEntry(index, func(e *entry) error {
		for _, own := range e.Runs {
			all = append(all, o.names.Next(own))
		}
		return nil
	}, func(c *closing) error {
		if c.OneRun {
			return ErrOneRun
		}
		return o.tallies.Read("the part", bytes.NewReader(c.Tally), int64(len(c.Tally)))
	})
	return wire.Marshal(all), err
}

// Summary returns the last line that "score --stream" prints for the same file. The
// intervals in this line come from a bootstrap with the default seed. If a part is
// missing or damaged, Summary returns an error.
func (o *Order) Summary() ([]byte, error) {
	if missing := o.tallies.Missing(); len(missing) > 0 {
		return nil, fmt.Errorf("parts are missing: %s", missing[0])
	}
	s, err := o.tallies.Finish(0)
	return wire.Marshal(s), err
}

// Partial returns the tallies of all parts in the form that "score --stream --partial"
// writes and "merge" reads.
func (o *Order) Partial() ([]byte, error) {
	var b bytes.Buffer
	_, err := o.tallies.WriteTo(&b)
	return b.Bytes(), err
}

// resolveWarnings changes an element's warnings. It replaces their ids by the final ids,
// and adds base to their line numbers. The list ids begins with the final ids of the
// element's runs, and base is the number of lines before the part.
func (e *entry) resolveWarnings(ids []string, base int) {
	for i := range e.Warnings {
		w := &e.Warnings[i]
		if w.Trajectory != "" {
			w.Trajectory = e.finalID(w.Trajectory, ids)
		}
		if w.Line > 0 {
			w.Line += base
		}
	}
}

// finalID returns the final id of the element's run with the given id in the input. If
// several runs have this id, the last of these runs counts. If no run has it, finalID
// returns "". The list ids begins with the final ids of the element's runs.
func (e *entry) finalID(own string, ids []string) (id string) {
	for i := range e.Runs {
		if e.Runs[i].ID == own {
			id = ids[i]
		}
	}
	return id
}

// eachEntry reads the index of a part. It calls the function enter for each element, and
// the function end for the last line. If end is nil, the last line is ignored.
func eachEntry(index []byte, enter func(*entry) error, end func(*closing) error) error {
	list := bytes.Split(bytes.TrimSuffix(index, []byte{'\n'}), []byte{'\n'})
	last := len(list) - 1
	for i, text := range list[:last] {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return fmt.Errorf("line %d of the index: %w", i+1, err)
		}
		if err := enter(&e); err != nil {
			return err
		}
	}
	if end == nil {
		return nil
	}
	var c closing
	if err := json.Unmarshal(list[last], &c); err != nil {
		return fmt.Errorf("the index's end: %w", err)
	}
	return end(&c)
}

// Empty returns the row for a file without elements, which reports an error. The
// parameter breaks is the number of line breaks in the file. Order.Summary counts this
// row, although no part writes it.
func Empty(file string, breaks int) []byte {
	return lines.AppendFault(nil, wire.Fail(wire.CodeInput, lines.Empty), lines.Place{File: file, Line: breaks + 1})
}

// Rows writes the rows of one part.
type Rows struct {
	file    string
	base    int // lines before the part
	entries []entry
	ids     []string
	tails   []byte
}

// NewRows returns the Rows of one part, which write the part's rows. It returns an error
// if ids or tails do not have one line for each run in the index. The parameters are:
//
//   - file: the name of the file
//   - base: the number of lines before the part
//   - index: the result of Part.Index
//   - ids: the result of Order.Add for this index
//   - tails: the joined results of Part.Add
func NewRows(file string, base int, index, ids, tails []byte) (*Rows, error) {
	r := &Rows{file: file, base: base, tails: tails}
	runs := 0
	err := eachEntry(index, func(e *entry) error {
		r.entries = append(r.entries, *e)
		runs += len(e.Runs)
		return nil
	}, nil)
	if err == nil {
		err = json.Unmarshal(ids, &r.ids)
	}
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(tails, []byte{'\n'}); len(r.ids) != runs || n != runs {
		return nil, fmt.Errorf("found %d ids and %d tails for %d runs; each run needs one id and one tail", len(r.ids), n, runs)
	}
	return r, nil
}

// Next returns the next rows, with at least size bytes or all remaining rows. It returns
// nothing after the last row.
func (r *Rows) Next(size int) (text []byte) {
	for len(r.entries) > 0 && len(text) < size {
		text = r.writeEntry(text, &r.entries[0])
		r.entries = r.entries[1:]
	}
	return text
}

func (r *Rows) writeEntry(text []byte, e *entry) []byte {
	e.resolveWarnings(r.ids, r.base)
	at := lines.Place{File: r.file, Line: r.base + e.Line, Warnings: e.Warnings}
	for i := range e.Runs {
		end := bytes.IndexByte(r.tails, '\n')
		text = lines.AppendRun(text, r.ids[i], r.tails[:end], at)
		r.tails = r.tails[end+1:]
		at.Warnings = nil // once is enough
	}
	r.ids = r.ids[len(e.Runs):]
	if e.Fault != nil {
		text = lines.AppendFault(text, shiftFault(e.Fault, r.base), at)
	}
	return text
}

// shiftFault returns an error envelope whose line number is increased by base.
func shiftFault(fault []byte, base int) []byte {
	var envelope struct {
		Error wire.Error `json:"error"`
	}
	if json.Unmarshal(fault, &envelope) != nil {
		return append(bytes.Clone(fault), '\n')
	}
	if envelope.Error.Line > 0 {
		envelope.Error.Line += base
	}
	return wire.Marshal(envelope)
}
