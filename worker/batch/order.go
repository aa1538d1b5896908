package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/lines"
	"github.com/boundcheck/boundcheck/core/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// ErrOneRun is for a file whose lines are not runs.
var ErrOneRun = errors.New("each line is an event of one run, not a whole run; score this file separately")

// Order counts through the parts of a file, in their order. The zero value is before the
// first.
type Order struct {
	names   lines.Names
	tallies tally.Set
}

// Add counts the part with that index, and returns the ids of its runs, one JSON list.
func (o *Order) Add(index []byte) (ids []byte, err error) {
	all := []string{}
	err = each(index, func(e *entry) error {
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

// Summary returns the last line of "score --stream" over the same file, with intervals
// from a bootstrap with the usual seed. The error tells that a part is missing or damaged.
func (o *Order) Summary() ([]byte, error) {
	if missing := o.tallies.Missing(); len(missing) > 0 {
		return nil, fmt.Errorf("parts are missing: %s", missing[0])
	}
	s, err := o.tallies.Finish(0)
	return wire.Marshal(s), err
}

// Partial returns the tallies of all parts, as "score --stream --partial" writes them, for
// "merge".
func (o *Order) Partial() ([]byte, error) {
	var b bytes.Buffer
	_, err := o.tallies.WriteTo(&b)
	return b.Bytes(), err
}

// settle puts the ids of the runs, and the lines of the file, into an element's warnings.
func (e *entry) settle(ids []string, base int) {
	for i := range e.Warnings {
		w := &e.Warnings[i]
		if w.Trajectory != "" {
			w.Trajectory = e.id(w.Trajectory, ids)
		}
		if w.Line > 0 {
			w.Line += base
		}
	}
}

// id is what the last run of a name of its own is called.
func (e *entry) id(own string, ids []string) (id string) {
	for i := range e.Runs {
		if e.Runs[i].ID == own {
			id = ids[i]
		}
	}
	return id
}

// each reads an index; end may be nil.
func each(index []byte, enter func(*entry) error, end func(*closing) error) error {
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

// Empty returns the row of a file of so many line breaks, in which there is nothing else:
// no part has a row of it. Its Summary counts this one.
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

// NewRows begins to write a part, of a file of that name, of which base lines lie before
// it. ids is what Order.Add returned for the same index, tails what Part.Add did.
func NewRows(file string, base int, index, ids, tails []byte) (*Rows, error) {
	r := &Rows{file: file, base: base, tails: tails}
	runs := 0
	err := each(index, func(e *entry) error {
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
		return nil, fmt.Errorf("%d ids and %d tails of %d runs", len(r.ids), n, runs)
	}
	return r, nil
}

// Next returns rows of at least size bytes, none at the end.
func (r *Rows) Next(size int) (text []byte) {
	for len(r.entries) > 0 && len(text) < size {
		text = r.write(text, &r.entries[0])
		r.entries = r.entries[1:]
	}
	return text
}

func (r *Rows) write(text []byte, e *entry) []byte {
	e.settle(r.ids, r.base)
	at := lines.Place{File: r.file, Line: r.base + e.Line, Warnings: e.Warnings}
	if e.Fault != nil {
		return lines.AppendFault(text, moved(e.Fault, r.base), at)
	}
	for i := range e.Runs {
		end := bytes.IndexByte(r.tails, '\n')
		text = lines.AppendRun(text, r.ids[i], r.tails[:end], at)
		r.tails = r.tails[end+1:]
		at.Warnings = nil // once is enough
	}
	r.ids = r.ids[len(e.Runs):]
	return text
}

// moved is an error envelope whose place is so many lines further on.
func moved(fault []byte, base int) []byte {
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
