// Package batch is the pure part of scoring a file in parts at the edge. A part is a
// range of the file's bytes. Each is scored by itself (Part), in any order; then the ids
// and the lines are counted through, in the order of the file, and the corpus figures are
// made (Order); then each part's rows are written with them (Rows). The rows are, byte
// for byte, those of "score --stream". What is stored where, and who is asked again, is
// the platform's (worker/edge/batchwork.mjs).
package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/lines"
	"github.com/boundcheck/boundcheck/core/tally"
	"github.com/boundcheck/boundcheck/core/wire"
)

// LineLimit is the longest line that is scored, ResultLimit the longest result that is
// kept, in bytes: a part must fit into an isolate's memory, with its results.
const (
	LineLimit   = 4 << 20
	ResultLimit = 8 << 20
)

// Part scores one part. Make it with NewPart.
type Part struct {
	Elements, Faults, Runs int

	file    string
	limit   int // of a result's bytes
	scorer  lines.Scorer
	index   bytes.Buffer
	figures []summary
	profile string
	opening *opening // nil but in a file's first part
}

// entry is what the index says of an element. Lines are those of the part, from 1.
type entry struct {
	Line     int             `json:"line"`
	Runs     []lines.Own     `json:"runs,omitempty"`
	Warnings []core.Warning  `json:"warnings,omitempty"`
	Fault    json.RawMessage `json:"fault,omitempty"`
}

// closing is the last line of an index.
type closing struct {
	Figures []summary `json:"figures"`
	Profile string    `json:"profile,omitempty"` // of the runs; mixed when they differ
	OneRun  bool      `json:"oneRun,omitempty"`
}

// summary is what the corpus figures need of a run.
type summary struct {
	Task       string      `json:"t,omitempty"`
	Success    *bool       `json:"s,omitempty"`
	Flagged    bool        `json:"f,omitempty"`
	Observed   int         `json:"o,omitempty"`
	Reference  *int        `json:"r,omitempty"` // nil without one
	Bounds     *[6]float64 `json:"b,omitempty"` // ABS agent and max, GAR, SVR, granularity, scope and granularity; nil where they are not scored
	Violations [][2]string `json:"v,omitempty"` // type and pattern
	Effects    *uint64     `json:"e,omitempty"` // nil where they are not compared
}

// NewPart begins a part of a file of that name. first tells that the file begins with it.
func NewPart(file string, first bool) *Part {
	p := &Part{file: file, limit: ResultLimit}
	if first {
		p.opening = &opening{}
	}
	return p
}

// Add scores the lines of a chunk, each by itself; the chunk's first line is that line of
// the part, from 1. It returns the tails of the runs, a line each (lines.Run). Blank
// lines have no result, and no line can stop the others. O(len(chunk)).
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
			tails = p.score(tails, at, cut)
		}
	}
	return tails
}

func (p *Part) score(tails []byte, at lines.At, text []byte) []byte {
	if len(text) > LineLimit {
		p.Refuse(at.Line, wire.CodeTooLarge, TooLong)
		return tails
	}
	row := p.scorer.Score(p.file, at, text)
	p.opening.look(text, &row)
	e := entry{Line: at.Line, Warnings: row.Warnings, Fault: bytes.TrimSpace(row.Fault)}
	for n := range row.Runs {
		r := &row.Runs[n]
		e.Runs = append(e.Runs, lines.Own{ID: r.ID, N: n, Task: r.Task != ""})
		p.figures = append(p.figures, summarize(&r.Trajectory))
		p.profile = together(p.profile, r.Profile)
		if len(r.Tail) > p.limit {
			message := fmt.Sprintf("the result has %d bytes; at most %d are kept, its figures count: score it with the command", len(r.Tail), p.limit)
			envelope := wire.Fail(wire.CodeTooLarge, message)
			r.Tail = append([]byte{','}, envelope[1:len(envelope)-len("}\n")]...)
		}
		tails = append(append(tails, r.Tail...), '\n')
	}
	p.enter(&e)
	return tails
}

// TooLong is the message of a line over LineLimit.
var TooLong = fmt.Sprintf("a line of more than %d bytes; score it with the command", LineLimit)

// Refuse enters a line that is not scored.
func (p *Part) Refuse(line int, code, message string) {
	p.enter(&entry{Line: line, Fault: bytes.TrimSpace(wire.Fail(code, message))})
}

func (p *Part) enter(e *entry) {
	p.Elements++
	p.Runs += len(e.Runs)
	if e.Fault != nil {
		p.Faults++
	}
	p.index.Write(wire.Marshal(e))
}

// Index returns what Order and Rows need to know of the part, JSONL. It ends the part.
func (p *Part) Index() []byte {
	p.index.Write(wire.Marshal(closing{p.figures, p.profile, p.opening.oneRun()}))
	return p.index.Bytes()
}

// together is the profile of the runs of two parts, each "" where there is no run.
func together(a, b string) string {
	switch {
	case a == "":
		return strings.Clone(b)
	case b == "" || a == b:
		return a
	}
	return "mixed"
}

func summarize(t *core.Trajectory) summary {
	s := summary{Task: t.Task, Success: t.Success, Flagged: t.Flagged, Observed: len(t.Observed)}
	if t.Reference != nil {
		n := len(t.Reference)
		s.Reference = &n
	}
	if m := &t.Metrics; m.ABS.Agent.Scored {
		s.Bounds = new([6]float64)
		for i, f := range bounds(m) {
			s.Bounds[i] = *f.Value
		}
	}
	if effects, counts := tally.Effects(t); counts {
		s.Effects = &effects
	}
	for _, v := range t.Violations {
		s.Violations = append(s.Violations, [2]string{string(v.Type), string(v.Pattern)})
	}
	return s
}

func (s *summary) run() *core.Trajectory {
	t := &core.Trajectory{Task: s.Task, Success: s.Success, Flagged: s.Flagged, Observed: make([]core.Action, s.Observed)}
	if s.Reference != nil {
		t.Reference = make([]core.Action, *s.Reference)
	}
	if s.Bounds != nil {
		for i, f := range bounds(&t.Metrics) {
			f.Scored, f.Value = true, &s.Bounds[i]
		}
	}
	for _, v := range s.Violations {
		t.Violations = append(t.Violations, core.Violation{Type: core.ViolationType(v[0]), Pattern: core.Pattern(v[1])})
	}
	return t
}

func bounds(m *core.Metrics) [6]*core.Score {
	return [6]*core.Score{&m.ABS.Agent, &m.ABS.Max, &m.GAR, &m.SVR, &m.GranularityRate, &m.ScopeAndGranularityRate}
}

// opening holds the first elements of a file, to see whether they are runs.
type opening struct {
	texts [][]byte
	rows  []lines.Row
}

func (o *opening) look(text []byte, row *lines.Row) {
	if o != nil && len(o.rows) < lines.SampleRows {
		o.texts, o.rows = append(o.texts, bytes.Clone(text)), append(o.rows, *row)
	}
}

func (o *opening) oneRun() bool { return o != nil && lines.OneRun(o.texts, o.rows) }
