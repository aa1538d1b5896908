package label

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// Band measures how far a rater agrees with people on findings whose confidence is in one
// range (ABB, appendix B.3). A rater is calibrated if Share is close to Confidence in
// each band.
type Band struct {
	Name       string       `json:"name"` // high, medium or low, as in the routing of opinions
	From       float64      `json:"from"` // lower limit of the confidence
	To         float64      `json:"to"`   // upper limit; high excludes From, and low excludes To
	N          int          `json:"n"`
	Agreed     int          `json:"agreed"`
	Confidence float64      `json:"confidence"` // mean; 0 if n is 0
	Share      report.Score `json:"share"`      // agreed / n with Wilson's 95 % interval
}

// ranges contains the bands of the ABB paper's routing, the highest confidence first.
var ranges = [...]Band{
	{Name: "high", From: judge.AcceptAbove, To: 1},
	{Name: "medium", From: judge.PersonBelow, To: judge.AcceptAbove},
	{Name: "low", From: 0, To: judge.PersonBelow},
}

// bandOf returns the index in ranges of the band that contains a confidence. It returns
// -1 if the confidence is not known (NaN).
func bandOf(confidence float64) int {
	switch {
	case math.IsNaN(confidence):
		return -1
	case confidence > judge.AcceptAbove:
		return 0
	case confidence >= judge.PersonBelow:
		return 1
	}
	return 2
}

func countBands(pairs []pair) []Band {
	out := slices.Clone(ranges[:])
	for i := range out {
		b, sum := &out[i], 0.0
		for _, p := range pairs {
			if bandOf(p.confidence) == i {
				b.N++
				sum += p.confidence
				if p.rater == p.person {
					b.Agreed++
				}
			}
		}
		if b.N == 0 {
			b.Share = report.Score{Reason: "no label in this range of confidence"}
			continue
		}
		b.Confidence, b.Share = round(sum/float64(b.N)), agreementShare(b.Agreed, b.N, "")
	}
	return out
}

// ruleConfidence returns the confidence of the rule. It returns NaN if the judge's
// opinion has replaced that confidence.
func (f *Finding) ruleConfidence() float64 {
	if f.Judge != nil && (f.Judge.Route == judge.Accepted || f.Judge.Route == judge.Noted) {
		return math.NaN()
	}
	return f.Confidence
}

// stratum identifies a part of a report's findings: all findings with one label and one
// confidence band.
type stratum struct {
	label judge.Label
	band  int
}

func (a stratum) compare(b stratum) int {
	return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(a.band, b.band))
}

// crossing collects a rater's labels on all findings of a report, and pairs with the
// people's labels for the findings that have one.
type crossing struct {
	who   string
	all   map[stratum]int // findings of the report
	pairs []pair
}

func (c *crossing) countLabel(said judge.Label, confidence float64) {
	if said == "" {
		return
	}
	if c.all == nil {
		c.all = map[stratum]int{}
	}
	c.all[stratum{said, bandOf(confidence)}]++
}

func (c *crossing) addPair(said judge.Label, confidence float64, person judge.Label) {
	if said != "" {
		c.pairs = append(c.pairs, pair{said, person, confidence})
	}
}

func (c *crossing) crossAgreement() Agreement {
	a := measureAgreement(c.who, c.pairs)
	a.Weighted = c.weightedShare(&a)
	return a
}

// weightedShare estimates the agreement on the whole report from the labelled findings.
// The result is the mean of the agreement in the strata, weighted by the sizes of the
// strata. Strata without a person's label are left out, and a note says how many findings
// are in such strata.
func (c *crossing) weightedShare(a *Agreement) report.Score {
	if a.N == 0 {
		return a.Share
	}
	type tally struct{ n, agreed int }
	seen := map[stratum]*tally{}
	for _, p := range c.pairs {
		s := stratum{p.rater, bandOf(p.confidence)}
		if seen[s] == nil {
			seen[s] = &tally{}
		}
		seen[s].n++
		if p.rater == p.person {
			seen[s].agreed++
		}
	}
	var share, weight, squares float64
	left, whole := 0, 0
	for _, s := range sortedStrata(c.all) {
		whole += c.all[s]
		t := seen[s]
		if t == nil {
			left += c.all[s]
			continue
		}
		w, n := float64(c.all[s]), float64(t.n)
		share += float64(w * float64(t.agreed) / n)
		weight += w
		squares += float64(w * w / n)
	}
	if left > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("the weighted share omits %d of the %s's %d findings. Draw a sample with --sample, because nobody labelled a finding with the same label in the same confidence band", left, c.who, whole))
	}
	return shareOf(share/weight, weight*weight/squares)
}

func sortedStrata(all map[stratum]int) []stratum {
	out := make([]stratum, 0, len(all))
	for s := range all {
		out = append(out, s)
	}
	slices.SortFunc(out, stratum.compare)
	return out
}
