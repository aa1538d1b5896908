package label

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// parsePairs parses words of two letters, such as "on". The first letter is the label of
// the rater, and the second letter is the label of the person. The letters mean:
//
//   - o is ScopeOver.
//   - u is ScopeUnder.
//   - e is BoundaryEnd.
//   - n is None.
func parsePairs(s string) []pair {
	words := map[byte]judge.Label{'o': judge.ScopeOver, 'u': judge.ScopeUnder, 'e': judge.BoundaryEnd, 'n': judge.None}
	var out []pair
	for _, p := range strings.Fields(s) {
		out = append(out, pair{words[p[0]], words[p[1]], 0.8})
	}
	return out
}

func TestKappa(t *testing.T) {
	check := func(s string, want float64) {
		t.Helper()
		if k := measureAgreement("judge", parsePairs(s)).Kappa; !k.Scored || *k.Value != want {
			t.Errorf("%s: %+v, want %v", s, k, want)
		}
	}
	// Cohen's textbook table: 20 and 15 agreed, 5 and 10 not; po 0.7, pe 0.5.
	check(strings.Repeat("oo ", 20)+strings.Repeat("on ", 5)+strings.Repeat("no ", 10)+strings.Repeat("nn ", 15), 0.4)
	check("oo nn uu", 1)
	check("on no", -1)
	check("on oo", 0)
	check("oo uu on un", round(1.0/3))
	check("on", 0)
}

// TestKappaUndefined checks that an undefined κ has a reason and no value.
func TestKappaUndefined(t *testing.T) {
	for s, want := range map[string]string{"": "no labels", "oo": "not defined", "nn nn nn": "not defined"} {
		k := measureAgreement("judge", parsePairs(s)).Kappa
		if k.Scored || k.Value != nil || !strings.Contains(k.Reason, want) {
			t.Errorf("%q: %+v", s, k)
		}
	}
}

func TestAgree(t *testing.T) {
	a := measureAgreement("rule", parsePairs("oo oo on ou uu eo"))
	if a.N != 6 || a.Agreed != 3 || *a.Share.Value != 0.5 {
		t.Errorf("%+v", a)
	}
	if i := a.Share.Interval; i.Low != 0.187616 || i.High != 0.812384 { // Wilson's interval for 3 of 6
		t.Errorf("interval %+v", i)
	}
	want := []Row{{judge.ScopeOver, 4, 2, 1, 1, 1}, {judge.ScopeUnder, 1, 1, 0, 0, 1}, {judge.BoundaryEnd, 1, 0, 0, 1, 0}, {judge.None, 0, 0, 0, 0, 1}}
	if len(a.ByType) != len(want) {
		t.Fatalf("%+v", a.ByType)
	}
	for i := range want {
		if a.ByType[i] != want[i] {
			t.Errorf("%+v, want %+v", a.ByType[i], want[i])
		}
	}
	if notes := strings.Join(a.Notes, "\n"); !strings.Contains(notes, "only 6 labels") || !strings.Contains(notes, "19 % to 81 %") || !strings.Contains(notes, "never agree with the label NONE") {
		t.Error(notes)
	}
	if notes := strings.Join(measureAgreement("judge", parsePairs("oo on")).Notes, "\n"); !strings.Contains(notes, "the judge used the same label for every finding") {
		t.Error(notes)
	}
	if a := measureAgreement("judge", parsePairs(strings.Repeat("oo nn ", Few/2))); len(a.Notes) != 0 || a.Share.Interval.High != 1 {
		t.Errorf("enough labels: %+v", a)
	}
	if a := measureAgreement("judge", parsePairs("on")); *a.Share.Value != 0 || a.Share.Interval.Low != 0 || !strings.Contains(a.Notes[0], "only 1 label, the true agreement") {
		t.Errorf("%+v", a)
	}
}

func TestCompare(t *testing.T) {
	all := mustFindings(t, sample)
	labels := Labels{Person: {"elsewhere": judge.None}}
	c := Compare(all, labels)
	if c.Findings != 6 || c.Labelled != 0 || c.Elsewhere != 1 || c.Raters[0].Share.Scored || c.Raters[1].Kappa.Scored {
		t.Errorf("without labels: %+v", c)
	}
	for i, l := range []judge.Label{judge.ScopeOver, judge.None, judge.ScopeUnder, judge.ScopeUnder, judge.None, judge.None} {
		labels[Person][all[i].ID] = l
	}
	c = Compare(all, labels)
	rule, asked := c.Raters[0], c.Raters[1]
	if c.Labelled != 6 || c.Elsewhere != 1 || rule.N != 6 || rule.Agreed != 3 || asked.N != 3 || asked.Agreed != 2 {
		t.Errorf("rule %+v, judge %+v", rule, asked)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

// TestComparePeople checks the comparison with the labels of three people. The most
// frequent label of a finding counts. A finding without a single most frequent label is
// left out.
func TestComparePeople(t *testing.T) {
	all := mustFindings(t, sample)
	over, none := judge.ScopeOver, judge.None
	labels := Labels{}
	for i, said := range [][3]judge.Label{{over, over, over}, {over, over, none}, {none, none, over}, {over, none, ""}, {over, "", ""}} {
		for k, rater := range []string{"ann", "bob", "cho"} {
			if said[k] != "" {
				labels.Of(rater)[all[i].ID] = said[k]
			}
		}
	}
	c := Compare(all, labels)
	if c.Labelled != 5 || c.Tied != 1 || c.Raters[0].N != 4 || len(c.People) != 3 {
		t.Errorf("%+v", c)
	}
	b := c.Between
	// Computed by hand: P = 1, 1/3, 1/3, 0 over four findings; 7 of 11 ratings over, 4
	// none.
	chance := (49.0 + 16) / 121
	if want := round((5.0/12 - chance) / (1 - chance)); b.Findings != 4 || b.Unanimous != 1 || !b.Kappa.Scored || *b.Kappa.Value != want {
		t.Errorf("%+v, κ %v, want %v", b, b.Kappa.Value, want)
	}
	if len(b.Pairs) != 3 || b.Pairs[0].N != 4 || b.Pairs[0].Agreed != 3 || b.Pairs[2].N != 3 || b.Pairs[2].Agreed != 1 {
		t.Errorf("%+v", b.Pairs)
	}
	if one := Compare(all, Labels{"ann": labels["ann"]}); one.Between != nil || one.Labelled != 5 {
		t.Errorf("one person: %+v", one)
	}
}

// TestBands checks that a confidence above 0.9 is high, from 0.7 to 0.9 is medium, and
// below 0.7 is low. The routing of opinions has the same limits.
func TestBands(t *testing.T) {
	o, n := judge.ScopeOver, judge.None
	got := countBands([]pair{{o, o, 0.95}, {o, n, 0.91}, {o, o, 0.9}, {o, o, 0.7}, {o, n, 0.69}, {o, o, math.NaN()}})
	for i, want := range []struct {
		n, agreed  int
		confidence float64
	}{{2, 1, 0.93}, {2, 2, 0.8}, {1, 0, 0.69}} {
		if b := got[i]; b.N != want.n || b.Agreed != want.agreed || b.Confidence != want.confidence || !b.Share.Scored {
			t.Errorf("%+v, want %+v", b, want)
		}
	}
	if empty := countBands(nil); empty[0].Share.Scored || empty[0].Share.Reason == "" {
		t.Errorf("%+v", empty[0])
	}
}

// TestWeighted checks that the weighted share counts each label by the size of its
// stratum. A label that stands for ten findings counts ten times as much as a label that
// stands for one.
func TestWeighted(t *testing.T) {
	c := crossing{who: "rule"}
	for range 10 {
		c.countLabel(judge.ScopeOver, 0.95)
	}
	c.countLabel(judge.ScopeOver, 0.6)
	c.addPair(judge.ScopeOver, 0.95, judge.ScopeOver)
	c.addPair(judge.ScopeOver, 0.6, judge.None)
	a := c.crossAgreement()
	if *a.Share.Value != 0.5 || *a.Weighted.Value != round(10.0/11) {
		t.Errorf("share %v, weighted %v", *a.Share.Value, *a.Weighted.Value)
	}
	c.countLabel(judge.ScopeUnder, 0.95)
	if a := c.crossAgreement(); *a.Weighted.Value != round(10.0/11) || !strings.Contains(strings.Join(a.Notes, "\n"), "the weighted share omits 1 of the rule's 12 findings") {
		t.Errorf("%+v", a)
	}
	even := crossing{who: "rule"}
	for range 40 {
		even.countLabel(judge.ScopeOver, 0.95)
	}
	for _, person := range []judge.Label{judge.ScopeOver, judge.ScopeOver, judge.ScopeOver, judge.None} {
		even.addPair(judge.ScopeOver, 0.95, person)
	}
	if a := even.crossAgreement(); *a.Weighted.Value != *a.Share.Value || *a.Weighted.Interval != *a.Share.Interval {
		t.Errorf("one stratum: %+v, %+v", a.Share, a.Weighted)
	}
}
