// Package fork lays two runs beside each other: their calls are aligned as those of a run
// with its reference, and the place is found where they part.
//
// The law of a fork: every row before it has the same call on both sides. The law of a row: it
// is called the same only if the tool, the canonical arguments and whether the call was refused
// or not executed are equal; else it says what differs.
package fork

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/score"
)

// Pair is two runs beside each other.
type Pair struct {
	A    Side   `json:"a"`
	B    Side   `json:"b"`
	Rows []Row  `json:"rows"` // Obs is an index into the calls of A, and Ref into those of B
	Text string `json:"text"` // where the runs part, in a sentence
	Fork *int   `json:"fork"` // index of the first row in which the runs differ; null if there is none
}

// Row is a row of a pair. Its Op is a match only if both calls are the same.
type Row struct {
	report.Row
	Differs string `json:"differs,omitempty"` // what differs between its two calls
}

// Side is one of the runs.
type Side struct {
	Run   string          `json:"run"`
	Calls []report.Action `json:"calls"`
	Story []string        `json:"story,omitempty"` // what went wrong in it
	Good  *bool           `json:"good"`            // whether it passed; null if it is not known
	Word  string          `json:"word"`            // the same in words
}

func goodWord(good *bool) string {
	switch {
	case good == nil:
		return "not known to be good"
	case *good:
		return "good"
	}
	return "not good"
}

// Align aligns two runs of reports. Only their calls are compared, not their results.
func Align(a, b *report.Trajectory) (Pair, error) {
	p, err := alignCalls(a, b)
	p.Text = p.sayFork() + p.sayAct()
	return p, err
}

// sayFork says where two runs part.
func (p *Pair) sayFork() string {
	switch {
	case p.Fork == nil:
		return "Both made the same calls."
	case *p.Fork == 0:
		return "They differ from the first call on."
	case *p.Fork == 1:
		return "They made the same call, and then they part."
	}
	return fmt.Sprintf("They made the same %d calls, and then they part.", *p.Fork)
}

// sayAct names the first call behind the fork that may change something, if the fork is a call that only reads or
// thinks: a thought in other words parts two runs, and decides nothing.
func (p *Pair) sayAct() string {
	if p.Fork == nil {
		return ""
	}
	for i, row := range p.Rows[*p.Fork:] {
		for k, at := range [...]*int{row.Obs, row.Ref} {
			if at == nil || row.Op == report.Match {
				continue
			}
			calls := p.A.Calls
			if k == 1 {
				calls = p.B.Calls
			}
			if a := &calls[*at]; a.Mutating == "yes" && !a.Control {
				if i == 0 {
					return ""
				}
				return fmt.Sprintf(" The first change that differs is %s (step %d of %s).", cmp.Or(a.Text, a.Name), *at+1, [...]string{"A", "B"}[k])
			}
		}
	}
	return ""
}

func alignCalls(a, b *report.Trajectory) (Pair, error) {
	p := Pair{A: newSide(a), B: newSide(b), Rows: []Row{}}
	if len(a.Observed) == 0 && len(b.Observed) == 0 {
		return p, nil
	}
	body, err := json.Marshal(map[string]any{"trace": map[string]any{"trajectories": []any{map[string]any{
		"id": "run", "actions": callsOf(a), "reference": callsOf(b),
	}}}, "profile": "sop"})
	if err != nil {
		return p, err
	}
	r, err := score.ReadRequest(body)
	if err != nil {
		return p, err
	}
	out, err := score.Evaluate(r)
	if err != nil {
		return p, err
	}
	one := &out.Trajectories[0]
	if len(one.Observed) != len(a.Observed) || len(one.Reference) != len(b.Observed) {
		return p, fmt.Errorf("the runs cannot be laid beside each other: %d and %d of their %d and %d calls were read", len(one.Observed), len(one.Reference), len(a.Observed), len(b.Observed))
	}
	for i := range one.Alignment {
		row := Row{Row: one.Alignment[i]}
		if row.Obs != nil && row.Ref != nil {
			row.Op, row.Differs = report.Match, whatDiffers(&a.Observed[*row.Obs], &b.Observed[*row.Ref])
			if row.Differs != "" {
				row.Op = report.Substitution
			}
		}
		if row.Op != report.Match && p.Fork == nil {
			p.Fork = &i
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// Read aligns two runs of reports that are given as JSON: {"a": RUN, "b": RUN}.
func Read(body []byte) (Pair, error) {
	var in struct{ A, B *report.Trajectory }
	if err := json.Unmarshal(body, &in); err != nil {
		return Pair{}, fmt.Errorf(`the request must have the form {"a": run, "b": run}: %w`, err)
	}
	if in.A == nil || in.B == nil {
		return Pair{}, errors.New(`missing "a" or "b": want a run of a report`)
	}
	return Align(in.A, in.B)
}

func newSide(t *report.Trajectory) Side {
	s := Side{Run: t.ID, Calls: t.Observed, Good: t.Passed, Word: goodWord(t.Passed)}
	if s.Calls == nil {
		s.Calls = []report.Action{}
	}
	if len(t.Story) > 0 {
		s.Story = t.Story[0].Text
	}
	return s
}

type call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// callsOf returns the calls of a run. The words of an action in words are its name.
func callsOf(t *report.Trajectory) []call {
	calls := make([]call, len(t.Observed))
	for i, a := range t.Observed {
		args := json.RawMessage(cmp.Or(a.Arguments, "{}"))
		if !json.Valid(args) {
			args, _ = json.Marshal(map[string]string{"text": a.Arguments})
		}
		calls[i] = call{cmp.Or(a.Text, a.Name), args}
	}
	return calls
}
