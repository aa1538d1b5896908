package label

import (
	"fmt"
	"math"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/judge"
)

// Few is the number of labels below which agreement is said to be a rough idea.
const Few = 30

// Comparison is how far the rule and the judge agree with a person.
type Comparison struct {
	Findings  int         `json:"findings"`  // in the report
	Labelled  int         `json:"labelled"`  // of these
	Elsewhere int         `json:"elsewhere"` // labels on findings that this report does not have
	Raters    []Agreement `json:"raters"`    // rule, then judge
}

// Agreement is one rater's against the person's word, over the findings that
// both labelled.
type Agreement struct {
	Rater  string     `json:"rater"` // rule, judge
	N      int        `json:"n"`
	Agreed int        `json:"agreed"`
	Share  core.Score `json:"share"` // agreed / n with Wilson's 95 % interval
	Kappa  core.Score `json:"kappa"` // Cohen's κ over the seven labels
	ByType []Row      `json:"byType"`
	Notes  []string   `json:"notes"`
}

// Row is what a person said where the rater said one label.
type Row struct {
	Label  judge.Label `json:"label"`
	Said   int         `json:"said"`   // by the rater
	Agreed int         `json:"agreed"` // the person said the same
	None   int         `json:"none"`   // the person saw no violation
	Other  int         `json:"other"`  // the person saw another one
	Missed int         `json:"missed"` // the person said this label where the rater said another
}

// pair is two words on one finding.
type pair struct{ rater, person judge.Label }

// Compare crosses the labels with what the rule and the judge said. O(findings).
func Compare(findings []Finding, labels Labels) Comparison {
	c := Comparison{Findings: len(findings)}
	var rule, asked []pair
	for i := range findings {
		f := &findings[i]
		person, ok := labels[f.ID]
		if !ok {
			continue
		}
		c.Labelled++
		if f.Rule != "" {
			rule = append(rule, pair{f.Rule, person})
		}
		if f.Judge != nil && f.Judge.Label != "" {
			asked = append(asked, pair{f.Judge.Label, person})
		}
	}
	c.Elsewhere = len(labels) - c.Labelled
	c.Raters = []Agreement{agree("rule", rule), agree("judge", asked)}
	return c
}

func agree(rater string, pairs []pair) Agreement {
	a := Agreement{Rater: rater, N: len(pairs), ByType: []Row{}, Notes: []string{}}
	said, heard := map[judge.Label]int{}, map[judge.Label]int{}
	for _, p := range pairs {
		said[p.rater]++
		heard[p.person]++
		if p.rater == p.person {
			a.Agreed++
		}
	}
	for _, l := range judge.Labels() {
		if said[l] > 0 || heard[l] > 0 {
			a.ByType = append(a.ByType, row(l, pairs))
		}
	}
	a.Share = share(a.Agreed, a.N, rater)
	a.Kappa = kappa(a.Agreed, a.N, said, heard)
	a.note(said)
	return a
}

func row(l judge.Label, pairs []pair) Row {
	r := Row{Label: l}
	for _, p := range pairs {
		switch {
		case p.rater != l:
			if p.person == l {
				r.Missed++
			}
			continue
		case p.person == l:
			r.Agreed++
		case p.person == judge.None:
			r.None++
		default:
			r.Other++
		}
		r.Said++
	}
	return r
}

// kappa is (po − pe) / (1 − pe) over whole numbers, so that one division is all
// that rounds. With pe = 1 it is 0/0, and there is nothing to correct for.
func kappa(agreed, n int, said, heard map[judge.Label]int) core.Score {
	if n == 0 {
		return core.Score{Reason: "there are no labels to compare"}
	}
	chance := 0
	for l, k := range said {
		chance += k * heard[l]
	}
	if chance == n*n {
		return core.Score{Reason: "both used one and the same label throughout: agreement by chance is certain, so κ is not defined"}
	}
	v := round(float64(n*agreed-chance) / float64(n*n-chance))
	return core.Score{Value: &v, Scored: true}
}

// share is agreement with Wilson's interval, which stays inside 0 to 1 and
// means something for few labels.
func share(k, n int, rater string) core.Score {
	if n == 0 {
		return core.Score{Reason: "no finding has a label by a person and a word by the " + rater}
	}
	const z = 1.959963984540054
	p, size := float64(k)/float64(n), float64(n)
	middle := float64(p + z*z/(2*size))
	spread := z * math.Sqrt(float64(p*(1-p)/size)+float64(z*z/(4*size*size)))
	whole := 1 + z*z/size
	v := round(p)
	return core.Score{Value: &v, Scored: true, Interval: &core.Interval{
		Low: round(max(0, (middle-spread)/whole)), High: round(min(1, (middle+spread)/whole)), Level: core.Level}}
}

// round keeps six decimals: more would differ between platforms and means
// nothing.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func (a *Agreement) note(said map[judge.Label]int) {
	if a.N == 0 {
		return
	}
	if a.N < Few {
		labels := "labels"
		if a.N == 1 {
			labels = "label"
		}
		a.Notes = append(a.Notes, fmt.Sprintf("only %d %s: the true agreement may well lie anywhere from %.0f %% to %.0f %%, and κ is rougher still",
			a.N, labels, 100*a.Share.Interval.Low, 100*a.Share.Interval.High))
	}
	if len(said) == 1 && a.Kappa.Scored {
		a.Notes = append(a.Notes, fmt.Sprintf("the %s said one label throughout: κ is then 0 whatever the person says", a.Rater))
	}
	if a.Rater == "rule" {
		a.Notes = append(a.Notes, "the rule is only asked where it sees a violation, so it can never agree on NONE; and labels on doubtful findings say nothing of the others")
	}
}
