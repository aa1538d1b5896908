package label

import (
	"fmt"
	"math"
	"slices"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// Few is the number of labels below which a report calls the agreement a rough estimate.
const Few = 30

// Comparison measures how far the rule and the judge agree with people, and how far
// people agree with each other.
type Comparison struct {
	Findings  int         `json:"findings"`  // findings in the report
	Labelled  int         `json:"labelled"`  // findings that at least one person labelled
	Elsewhere int         `json:"elsewhere"` // labels of findings that are not in this report
	Tied      int         `json:"tied"`      // labelled findings on which no label has the most votes; they are not compared
	People    []string    `json:"people"`    // the people who labelled
	Between   *Between    `json:"between"`   // among the people; null if there is only one
	Raters    []Agreement `json:"raters"`    // rule, then judge
}

// Between measures the agreement of several people with each other.
type Between struct {
	Findings  int          `json:"findings"`  // labelled by at least two people
	Unanimous int          `json:"unanimous"` // of these, findings that got the same label from everybody
	Kappa     report.Score `json:"kappa"`     // Fleiss' κ over the seven labels
	Pairs     []Pair       `json:"pairs"`
}

// Pair is the agreement of two people.
type Pair struct {
	A      string       `json:"a"`
	B      string       `json:"b"`
	N      int          `json:"n"` // findings that both labelled
	Agreed int          `json:"agreed"`
	Kappa  report.Score `json:"kappa"` // Cohen's
}

// Agreement compares the rule or the judge with the people, over the findings that both
// sides labelled. If several people labelled a finding, the most frequent label counts.
type Agreement struct {
	Rater  string       `json:"rater"` // rule, judge
	N      int          `json:"n"`
	Agreed int          `json:"agreed"`
	Share  report.Score `json:"share"` // agreed / n with Wilson's 95 % interval
	// Weighted is the mean of the shares of all strata (label × band of confidence),
	// weighted by the number of the report's findings in each. So it represents the whole
	// report even if people labelled only doubtful findings or a stratified sample. Its
	// interval is Wilson's for Kish's effective sample size.
	Weighted report.Score `json:"weighted"`
	Kappa    report.Score `json:"kappa"` // Cohen's κ over the seven labels
	Bands    []Band       `json:"bands"` // by the rater's confidence, the highest first
	ByType   []Row        `json:"byType"`
	Notes    []string     `json:"notes"`
}

// Row is about one label. It counts the people's labels on the findings to which the
// rater gave this label.
type Row struct {
	Label  judge.Label `json:"label"`
	Said   int         `json:"said"`   // findings with this label by the rater
	Agreed int         `json:"agreed"` // of these, with the same label by people
	None   int         `json:"none"`   // of these, without a violation according to people
	Other  int         `json:"other"`  // of these, with a different violation according to people
	Missed int         `json:"missed"` // findings with this label by people and a different one by the rater
}

// pair contains the labels that the rater and the people gave to one finding.
type pair struct {
	rater, person judge.Label
	confidence    float64 // the rater's; NaN if it is not known
}

// Compare compares the people's labels with those of the rule and of the judge.
// O(findings × raters²).
func Compare(findings []Finding, labels Labels) Comparison {
	c := Comparison{Findings: len(findings), People: labels.Raters(), Between: measureBetween(findings, labels)}
	if c.People == nil {
		c.People = []string{}
	}
	known := make(map[string]bool, len(findings))
	rule, asked := crossing{who: "rule"}, crossing{who: "judge"}
	for i := range findings {
		f := &findings[i]
		known[f.ID] = true
		rule.countLabel(f.Rule, f.ruleConfidence())
		if f.Judge != nil {
			asked.countLabel(f.Judge.Label, f.Judge.Confidence)
		}
		person, voters := labels.majorityLabel(f.ID)
		if voters > 0 {
			c.Labelled++
		}
		if person == "" {
			c.Tied += min(voters, 1)
			continue
		}
		rule.addPair(f.Rule, f.ruleConfidence(), person)
		if f.Judge != nil {
			asked.addPair(f.Judge.Label, f.Judge.Confidence, person)
		}
	}
	for _, of := range labels {
		for id := range of {
			if !known[id] {
				c.Elsewhere++
			}
		}
	}
	c.Raters = []Agreement{rule.crossAgreement(), asked.crossAgreement()}
	return c
}

// majorityLabel returns the most frequent label of a finding, or "" if several labels are
// equally frequent. voters is the number of people that labelled the finding.
func (l Labels) majorityLabel(id string) (most judge.Label, voters int) {
	votes := map[judge.Label]int{}
	for _, of := range l {
		if given, ok := of[id]; ok {
			votes[given]++
			voters++
		}
	}
	best, tied := 0, false
	for given, n := range votes {
		switch {
		case n > best:
			most, best, tied = given, n, false
		case n == best:
			tied = true
		}
	}
	if tied {
		return "", voters
	}
	return most, voters
}

// measureBetween measures how well people agree with each other. It returns nil if fewer
// than two people gave labels.
func measureBetween(findings []Finding, labels Labels) *Between {
	people := labels.Raters()
	if len(people) < 2 {
		return nil
	}
	out := &Between{}
	var subjects [][]int
	for i := range findings {
		votes := make([]int, len(judge.Labels()))
		voters, most := 0, 0
		for k, l := range judge.Labels() {
			for _, rater := range people {
				if labels[rater][findings[i].ID] == l {
					votes[k]++
				}
			}
			voters, most = voters+votes[k], max(most, votes[k])
		}
		if voters > 1 {
			out.Findings++
			subjects = append(subjects, votes)
			if most == voters {
				out.Unanimous++
			}
		}
	}
	out.Kappa = fleissKappa(subjects)
	for i, a := range people {
		for _, b := range people[i+1:] {
			out.Pairs = append(out.Pairs, compareRaters(a, b, findings, labels))
		}
	}
	return out
}

// fleissKappa returns Fleiss' κ. Each row of subjects belongs to one finding and has the
// number of votes for each label. If κ is not defined, the score has a reason and no
// value.
func fleissKappa(subjects [][]int) report.Score {
	k, ok := stats.Fleiss(subjects)
	switch {
	case ok:
		return kappaScore(k)
	case len(subjects) == 0:
		return report.Score{Reason: "no finding was labelled by two people"}
	}
	return report.Score{Reason: "κ is not defined, because all people used the same label for every finding"}
}

func compareRaters(a, b string, findings []Finding, labels Labels) Pair {
	p := Pair{A: a, B: b}
	table := newLabelTable()
	for i := range findings {
		first, second := labels[a][findings[i].ID], labels[b][findings[i].ID]
		if first == "" || second == "" {
			continue
		}
		p.N++
		table.count(first, second)
		if first == second {
			p.Agreed++
		}
	}
	p.Kappa = table.cohenKappa(p.N)
	return p
}

func measureAgreement(rater string, pairs []pair) Agreement {
	a := Agreement{Rater: rater, N: len(pairs), Bands: countBands(pairs), ByType: []Row{}, Notes: []string{}}
	said, heard := map[judge.Label]int{}, map[judge.Label]int{}
	table := newLabelTable()
	for _, p := range pairs {
		said[p.rater]++
		heard[p.person]++
		table.count(p.rater, p.person)
		if p.rater == p.person {
			a.Agreed++
		}
	}
	for _, l := range judge.Labels() {
		if said[l] > 0 || heard[l] > 0 {
			a.ByType = append(a.ByType, newRow(l, pairs))
		}
	}
	a.Share = agreementShare(a.Agreed, a.N, rater)
	a.Kappa = table.cohenKappa(a.N)
	a.addNotes(said)
	return a
}

func newRow(l judge.Label, pairs []pair) Row {
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

// labelTable counts the findings to which two raters gave each pair of labels, in the
// order of judge.Labels.
type labelTable [][]int

func newLabelTable() labelTable {
	t := make(labelTable, len(judge.Labels()))
	for i := range t {
		t[i] = make([]int, len(t))
	}
	return t
}

// count counts a finding. It ignores a label that is not in judge.Labels.
func (t labelTable) count(first, second judge.Label) {
	i, j := slices.Index(judge.Labels(), first), slices.Index(judge.Labels(), second)
	if i >= 0 && j >= 0 {
		t[i][j]++
	}
}

// cohenKappa returns Cohen's κ of n findings. If κ is not defined, the score has a reason
// and no value.
func (t labelTable) cohenKappa(n int) report.Score {
	if n == 0 {
		return report.Score{Reason: "there are no labels to compare"}
	}
	k, ok := stats.Cohen(t)
	if !ok {
		return report.Score{Reason: "κ is not defined, because both raters used the same label for every finding"}
	}
	return kappaScore(k)
}

// kappaScore returns κ with its interval, or without one if no error can be estimated.
func kappaScore(k stats.Kappa) report.Score {
	v := round(k.Value)
	s := report.Score{Value: &v, Scored: true}
	if k.SE > 0 {
		s.Interval = &report.Interval{Low: round(k.Low), High: round(k.High), Level: report.Level}
	}
	return s
}

// agreementShare returns the share k/n of agreements, with Wilson's interval. This
// interval stays between 0 and 1 and is valid for few labels.
func agreementShare(k, n int, rater string) report.Score {
	if n == 0 {
		return report.Score{Reason: "no finding has both a person's label and a result of the " + rater}
	}
	return shareOf(float64(k)/float64(n), float64(n))
}

// shareOf returns the share p of n observations as a score with Wilson's interval.
func shareOf(p, n float64) report.Score {
	low, high := stats.WilsonShare(p, n)
	v := round(p)
	return report.Score{Value: &v, Scored: true, Interval: &report.Interval{Low: round(low), High: round(high), Level: report.Level}}
}

// round rounds to six decimals. More decimals would differ between platforms and have no
// meaning.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func (a *Agreement) addNotes(said map[judge.Label]int) {
	if a.N == 0 {
		return
	}
	if a.N < Few {
		labels := "labels"
		if a.N == 1 {
			labels = "label"
		}
		a.Notes = append(a.Notes, fmt.Sprintf("with only %d %s, the true agreement may be anywhere from %.0f %% to %.0f %%. The value of κ is even less certain",
			a.N, labels, 100*a.Share.Interval.Low, 100*a.Share.Interval.High))
	}
	if len(said) == 1 && a.Kappa.Scored {
		a.Notes = append(a.Notes, fmt.Sprintf("the %s used the same label for every finding: then κ is always 0", a.Rater))
	}
	if a.Rater == "rule" {
		a.Notes = append(a.Notes, "the rule labels only violations, so the rule can never agree with the label NONE")
	}
}
