// Package batch is the pure part of scoring a file in parts at the edge. A part is a
// range of the file's bytes. First, each part is scored by itself, in any order (Part).
// Then the parts are processed in the order of the file: their runs get their final ids,
// and the corpus figures are computed (Order). Last, the rows of each part are written,
// with these ids and with line numbers of the whole file (Rows). The rows are, byte for
// byte, those of "score --stream". The platform decides what is stored where and which
// step is repeated (worker/edge/batchwork.mjs).
package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// LineLimit is the largest size of a line that is scored, and ResultLimit that of a result
// that is stored, in bytes. A part and its results must fit into an isolate's memory.
const (
	LineLimit   = 4 << 20
	ResultLimit = 8 << 20
)

// Part scores one part of a file. Make it with NewPart.
type Part struct {
	limit   int // of a result's bytes
	file    string
	scorer  *lines.Scorer
	tally   *tally.Tally
	study   study.Sums
	index   bytes.Buffer
	opening *opening // nil except in the first part of a file
}

// entry is one line of a part's index: the result of one element. Line numbers are those
// of the part, from 1.
type entry struct {
	Line     int             `json:"line"`
	Runs     []lines.Own     `json:"runs,omitempty"`
	Warnings []core.Warning  `json:"warnings,omitempty"`
	Fault    json.RawMessage `json:"fault,omitempty"`
}

// closing is the last line of an index.
type closing struct {
	Tally  []byte `json:"tally"`
	OneRun bool   `json:"oneRun,omitempty"`
}

// File describes a file and the number of parts in which it is scored.
type File struct {
	Name  string
	Bytes int64
	Parts int
}

// NewPart returns a new part of a file, which has no lines yet. The parameter index is
// the number of the part, from 0. Parts that share a scorer share what it caches.
func NewPart(scorer *lines.Scorer, file File, index int) *Part {
	origin := &tally.Origin{Files: []tally.File{{Path: file.Name, Name: file.Name, Bytes: file.Bytes}}, Shards: file.Parts, Profile: "auto", Seed: core.DefaultSeed}
	p := &Part{scorer: scorer, file: file.Name, limit: ResultLimit, tally: tally.New(origin, index, true)}
	if index == 0 {
		p.opening = &opening{}
	}
	return p
}

// Counts returns the number of elements so far, and the number of elements that could not
// be used.
func (p *Part) Counts() (elements, faults int) { return p.tally.Elements() }

// Add scores the lines of a chunk, each line separately. The parameter line is the number
// of the chunk's first line within the part, from 1. The result has one line for each run
// in the chunk: the JSON of the run without the id at its beginning (see lines.Run). The
// time is O(len(chunk)).
func (p *Part) Add(chunk []byte, line int) (tails []byte) {
	for text := range bytes.SplitSeq(chunk, []byte{'\n'}) {
		at := lines.At{Line: line, Column: 1}
		line++
		if p.opening != nil && at.Line == 1 {
			cut := bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
			at.Column += len(text) - len(cut)
			text = cut
		}
		cut := bytes.TrimLeft(text, " \t\r")
		at.Column += len(text) - len(cut)
		if cut = bytes.TrimRight(cut, " \t\r"); len(cut) > 0 {
			tails = p.scoreElement(tails, at, cut)
		}
	}
	return tails
}

func (p *Part) scoreElement(tails []byte, at lines.At, text []byte) []byte {
	if len(text) > LineLimit {
		p.Refuse(at.Line, wire.CodeTooLarge, TooLong)
		return tails
	}
	row := p.scorer.Score(p.file, at, text)
	p.opening.addSample(text, &row)
	e := entry{Line: at.Line, Warnings: row.Warnings, Fault: bytes.TrimSpace(row.Fault)}
	p.countElement(&e, &row)
	for n := range row.Runs {
		r := &row.Runs[n]
		if len(r.Tail) > p.limit {
			message := fmt.Sprintf("the result of this line has %d bytes, more than %d. The batch counts the result, but does not store it; to see the result, score the line with the command boundcheck", len(r.Tail), p.limit)
			envelope := wire.Fail(wire.CodeTooLarge, message)
			r.Tail = append([]byte{','}, envelope[1:len(envelope)-len("}\n")]...)
		}
		if need := len(tails) + len(r.Tail) + 1; need > cap(tails) {
			tails = slices.Grow(tails, need) // doubles; append alone would grow by a quarter and copy four times as much
		}
		tails = append(append(tails, r.Tail...), '\n')
	}
	return tails
}

// TooLong is the error message for a line that is longer than LineLimit.
var TooLong = fmt.Sprintf("the line has more than %d bytes; score the line with the command boundcheck", LineLimit)

// Refuse records the error of a line that cannot be scored.
func (p *Part) Refuse(line int, code, message string) {
	p.countElement(&entry{Line: line, Fault: bytes.TrimSpace(wire.Fail(code, message))}, &lines.Row{})
}

// countElement counts an element and adds it to the index.
func (p *Part) countElement(e *entry, row *lines.Row) {
	p.tally.Element(0, e.Fault != nil)
	ids := make(map[string]tally.ID, len(row.Runs))
	for n := range row.Runs {
		r := &row.Runs[n]
		own := lines.Own{ID: r.ID, N: n, Task: r.Task != ""}
		e.Runs = append(e.Runs, own)
		p.study.Add(&r.Trajectory)
		ids[r.ID] = p.tally.Add(0, &r.Trajectory, own)
	}
	p.tally.Format(0, row.Format)
	p.study.Warn(len(e.Warnings))
	p.tally.Warn(0, e.Warnings, ids)
	p.index.Write(wire.Marshal(e))
}

// Index ends the part and returns its index as JSONL, for Order.Add and NewRows. The last
// line of the index holds the part's tally, with the sums for the command "study". The
// parameter breaks is the number of the part's lines that end in a line break.
func (p *Part) Index(breaks int) []byte {
	p.tally.Lines(0, breaks)
	p.index.Write(wire.Marshal(closing{p.tally.EncodeWith(p.study.AppendTo(nil)), p.opening.oneRun()}))
	return p.index.Bytes()
}

// opening holds the first elements of a file, to find out whether they are whole runs or
// events of one run.
type opening struct {
	texts [][]byte
	rows  []lines.Row
}

func (o *opening) addSample(text []byte, row *lines.Row) {
	if o != nil && len(o.rows) < lines.SampleRows {
		o.texts, o.rows = append(o.texts, bytes.Clone(text)), append(o.rows, *row)
	}
}

func (o *opening) oneRun() bool { return o != nil && lines.OneRun(o.texts, o.rows) }
