package abi

import "fmt"

// CheckRequest is a request for equivalence.check: a replay, and the alignment of its
// two sides. The plugin rules on each row.
type CheckRequest struct {
	ReplayRequest
	Alignment []Row `json:"alignment"`
}

// Row is one row of an alignment: indices into observed and reference, -1 for a gap.
type Row struct {
	Op  string `json:"op"` // match, substitution, insertion or deletion
	Obs int    `json:"obs"`
	Ref int    `json:"ref"`
}

// Check is the answer to equivalence.check. A row that neither Excused nor Blamed names
// gets no ruling.
type Check struct {
	Excused []Excuse `json:"excused"` // functional equivalents
	Blamed  []Blame  `json:"blamed"`  // rows that cause the differences between the final states
	Replay  Replay   `json:"replay"`
}

// Stages of equivalence, as an Excuse names them.
const (
	StageState   = "state"
	StageEffect  = "effect"
	StageOutcome = "outcome" // the task's own checks were made again on the run, and pass
)

// Excuse says that the difference in one row has no effect on the result.
type Excuse struct {
	Row    int    `json:"row"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// Blame says which of the replay's differences one row contributes to. The row may be a
// match: then the trace looks right, but the state is wrong.
type Blame struct {
	Row         int    `json:"row"`
	Differences []int  `json:"differences"` // indices into replay.differences
	Reason      string `json:"reason"`
}

// Within returns an error if the answer names a row or a call that is not in the request
// r. It also returns an error if a row is blamed for a difference that is not in the
// answer's replay. A host must refuse such an answer.
func (c *Check) Within(r *CheckRequest) error {
	for _, e := range c.Excused {
		if e.Row < 0 || e.Row >= len(r.Alignment) {
			return fmt.Errorf("it excuses row index %d, but there are only %d rows (from 0)", e.Row, len(r.Alignment))
		}
	}
	for _, b := range c.Blamed {
		if b.Row < 0 || b.Row >= len(r.Alignment) {
			return fmt.Errorf("it blames row index %d, but there are only %d rows (from 0)", b.Row, len(r.Alignment))
		}
		for _, d := range b.Differences {
			if d < 0 || d >= len(c.Replay.Differences) {
				return fmt.Errorf("it blames row %d for difference index %d, but there are only %d differences (from 0)", b.Row, d, len(c.Replay.Differences))
			}
		}
	}
	return c.Replay.Within(&r.ReplayRequest)
}

// Within returns an error if the replay names a call that is not in the request.
func (p *Replay) Within(r *ReplayRequest) error {
	for _, c := range p.Calls {
		if c.Index < 0 || c.Index >= len(r.Observed) {
			return fmt.Errorf("the replay names a call with index %d, but there are only %d calls, and indices begin at 0", c.Index, len(r.Observed))
		}
	}
	return nil
}
