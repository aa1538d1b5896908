package abi

import "fmt"

// CheckRequest asks for equivalence.check: a replay, and the alignment of its two
// sides, so that each row can be ruled on.
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

// Check is the answer to equivalence.check. Rows that it does not name are none of
// its business.
type Check struct {
	Excused []Excuse `json:"excused"` // functional equivalents
	Blamed  []Blame  `json:"blamed"`  // rows that the final states' differences come from
	Replay  Replay   `json:"replay"`
}

// Stages of equivalence, as an Excuse names them.
const (
	StageState   = "state"
	StageEffect  = "effect"
	StageOutcome = "outcome" // the task's own checks were made again on the run, and pass
)

// Excuse says of one row that what stands there differently comes to the same.
type Excuse struct {
	Row    int    `json:"row"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// Blame says of one row which of the replay's differences it takes part in. The
// row may well be a match: then the trace looks right and the state is wrong.
type Blame struct {
	Row         int    `json:"row"`
	Differences []int  `json:"differences"` // indices into replay.differences
	Reason      string `json:"reason"`
}

// Within tells what in an answer does not belong to a request: a host must not
// take a plugin's word for rows and calls that it was not asked about.
func (c *Check) Within(r *CheckRequest) error {
	for _, e := range c.Excused {
		if e.Row < 0 || e.Row >= len(r.Alignment) {
			return fmt.Errorf("excuses row %d of %d", e.Row, len(r.Alignment))
		}
	}
	for _, b := range c.Blamed {
		if b.Row < 0 || b.Row >= len(r.Alignment) {
			return fmt.Errorf("blames row %d of %d", b.Row, len(r.Alignment))
		}
		for _, d := range b.Differences {
			if d < 0 || d >= len(c.Replay.Differences) {
				return fmt.Errorf("row %d is blamed for difference %d of %d", b.Row, d, len(c.Replay.Differences))
			}
		}
	}
	return c.Replay.Within(&r.ReplayRequest)
}

// Within is the same for a replay alone.
func (p *Replay) Within(r *ReplayRequest) error {
	for _, c := range p.Calls {
		if c.Index < 0 || c.Index >= len(r.Observed) {
			return fmt.Errorf("replays call %d of %d", c.Index, len(r.Observed))
		}
	}
	return nil
}
