package deviation

import (
	"errors"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/stats"
)

// findDivergence returns the first index at which the actions of a run and of a witness
// differ (SABER, equation 2). It compares the names and arguments of all actions,
// including failed calls and reads. ok is false if the witness begins with all actions of
// the run. O(actions).
func findDivergence(run, witness []boundary.Action) (at int, ok bool) {
	for at < len(run) && at < len(witness) && isSameAction(&run[at], &witness[at]) {
		at++
	}
	return at, at < len(run)
}

// Flips is the result of equation 3 for one sort of step: the number of runs that
// diverged with such a step, and how many of them failed.
type Flips struct {
	N      int    `json:"n"`
	Failed int    `json:"failed"`
	Share  Digits `json:"share"` // Failed / N; 0 if N is 0
	Low    Digits `json:"low"`   // Wilson's interval of 95 %
	High   Digits `json:"high"`
}

// Divergences holds the results for the first divergences from one sort of witness.
type Divergences struct {
	Witness     string `json:"witness"` // reference: each run and its reference; successes: each run and each other success of its task
	Mutating    Flips  `json:"mutating"`
	NonMutating Flips  `json:"nonMutating"`
	Without     int    `json:"without"` // pairs without a divergence: equal, or one is the beginning of the other
}

// DecisiveReport is the JSON form of the result of "study decisive".
type DecisiveReport struct {
	Files    []DecisiveFile `json:"files"`
	Unusable []Unusable     `json:"unusable,omitempty"`
}

// DecisiveFile holds the results of one file's runs.
type DecisiveFile struct {
	File      string        `json:"file"`
	N         int           `json:"n"`
	Successes int           `json:"successes"`
	Against   []Divergences `json:"against"`
}

// StudyDecisive compares each run with its reference, and with each other successful run
// of its task (SABER, equation 3). It counts how often a run fails if its first different
// action is mutating, and how often it fails if this action is not mutating. An action of
// unknown effect counts as mutating, a control action as non-mutating. O(runs · trials ·
// actions).
func StudyDecisive(runs []Run) ([]Divergences, error) {
	if len(runs) == 0 {
		return nil, errors.New("no run has both a reference and a known outcome")
	}
	reference, successes := Divergences{Witness: "reference"}, Divergences{Witness: "successes"}
	siblings := map[string][]*Run{}
	for i := range runs {
		if runs[i].Success {
			siblings[runs[i].groupKey()] = append(siblings[runs[i].groupKey()], &runs[i])
		}
	}
	for i := range runs {
		r := &runs[i]
		reference.addRun(r, r.Ref)
		for _, other := range siblings[r.groupKey()] {
			if other != r {
				successes.addRun(r, other.Obs)
			}
		}
	}
	for _, d := range []*Divergences{&reference, &successes} {
		d.Mutating.computeShare()
		d.NonMutating.computeShare()
	}
	return []Divergences{reference, successes}, nil
}

func (d *Divergences) addRun(r *Run, witness []boundary.Action) {
	at, ok := findDivergence(r.Obs, witness)
	if !ok {
		d.Without++
		return
	}
	f := &d.NonMutating
	if r.Obs[at].Mutation.Counts() {
		f = &d.Mutating
	}
	f.N++
	if !r.Success {
		f.Failed++
	}
}

func (f *Flips) computeShare() {
	if f.N == 0 {
		return
	}
	f.Share = Digits(float64(f.Failed) / float64(f.N))
	low, high := stats.Wilson(f.Failed, f.N)
	f.Low, f.High = Digits(low), Digits(high)
}
