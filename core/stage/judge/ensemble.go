package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/math/stats"
)

// Agreement says how far the judges of an ensemble agree with each other.
type Agreement struct {
	Judges    int
	Cases     int // on which at least two judges had an opinion
	Unanimous int // of these
	// Kappa is Fleiss' κ over the seven labels, −1 to 1. Defined is false if κ does not
	// exist: no case has two opinions, or all opinions have the same label.
	Kappa   float64
	Defined bool
}

// Agree returns how far the judges agree, computed from the votes in their opinions. The
// result several is false if there were fewer than two judges. O(opinions × judges).
func Agree(opinions []Opinion) (a Agreement, several bool) {
	var subjects [][]int
	for i := range opinions {
		a.Judges = max(a.Judges, len(opinions[i].Votes))
		labels := make([]int, len(labelTypes))
		voters, most := 0, 0
		for _, v := range opinions[i].Votes {
			if k := slices.Index(Labels(), v.Label); k >= 0 {
				labels[k]++
				voters, most = voters+1, max(most, labels[k])
			}
		}
		if voters > 1 {
			a.Cases++
			subjects = append(subjects, labels)
			if most == voters {
				a.Unanimous++
			}
		}
	}
	k, defined := stats.Fleiss(subjects)
	a.Kappa, a.Defined = k.Value, defined
	return a, a.Judges > 1
}

// Ensemble asks several judges about every case. Its opinion has the label with the most
// votes. The confidence is the mean confidence of these votes, times their share of all
// votes, so that disagreement lowers it. In a tie, its opinion has no label.
type Ensemble []Judge

// Judge asks all judges about the cases. It returns the first error of any judge.
func (e Ensemble) Judge(cases []Case) ([]Opinion, error) {
	if len(e) == 0 {
		return nil, errors.New("the ensemble has no judges")
	}
	all := make([][]Opinion, len(e))
	for i, j := range e {
		said, err := j.Judge(cases)
		if err == nil && len(said) != len(cases) {
			err = fmt.Errorf("got %d opinions for %d cases, want one for each case", len(said), len(cases))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(j, i), err)
		}
		all[i] = said
	}
	out := make([]Opinion, len(cases))
	for i := range cases {
		said, votes := make([]Opinion, len(e)), make([]Vote, len(e))
		for j := range e {
			said[j] = all[j][i]
			votes[j] = Vote{nameOf(e[j], j), said[j].Label, said[j].Confidence}
		}
		out[i] = combineOpinions(said)
		out[i].Votes = votes
	}
	return out, nil
}

// String returns the names of the judges.
func (e Ensemble) String() string {
	names := make([]string, len(e))
	for i, j := range e {
		names[i] = nameOf(j, i)
	}
	return strings.Join(names, " + ")
}

func nameOf(j Judge, i int) string {
	if s, ok := j.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("judge %d", i+1)
}

// combineOpinions combines the opinions of several judges on one case.
func combineOpinions(said []Opinion) Opinion {
	votes, sum, voters := map[Label]int{}, map[Label]float64{}, 0
	for _, o := range said {
		if o.Label != "" {
			votes[o.Label]++
			sum[o.Label] += o.Confidence
			voters++
		}
	}
	best, tied := Label(""), false
	for _, l := range Labels() { // in their fixed order
		switch {
		case votes[l] > votes[best]:
			best, tied = l, false
		case votes[l] > 0 && votes[l] == votes[best]:
			tied = true
		}
	}
	switch {
	case voters == 0:
		return NoOpinion(said[0].Reason)
	case tied:
		return NoOpinion(fmt.Sprintf("%d judges disagree: no single label has the most votes", voters))
	}
	first := ""
	for _, o := range said {
		if o.Label == best && first == "" {
			first = o.Reason
		}
	}
	n := votes[best]
	return Opinion{Label: best, Confidence: sum[best] / float64(voters), Reason: fmt.Sprintf("%d of %d judges: %s", n, voters, first)}
}
