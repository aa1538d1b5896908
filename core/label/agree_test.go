package label

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/judge"
)

// pairs reads "rater person" letters: o ScopeOver, u ScopeUnder, e BoundaryEnd, n None.
func pairs(s string) []pair {
	words := map[byte]judge.Label{'o': judge.ScopeOver, 'u': judge.ScopeUnder, 'e': judge.BoundaryEnd, 'n': judge.None}
	var out []pair
	for _, p := range strings.Fields(s) {
		out = append(out, pair{words[p[0]], words[p[1]]})
	}
	return out
}

func TestKappa(t *testing.T) {
	check := func(s string, want float64) {
		t.Helper()
		if k := agree("judge", pairs(s)).Kappa; !k.Scored || *k.Value != want {
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

// κ that is not defined is said in words, and no number stands there.
func TestKappaUndefined(t *testing.T) {
	for s, want := range map[string]string{"": "no labels", "oo": "not defined", "nn nn nn": "not defined"} {
		k := agree("judge", pairs(s)).Kappa
		if k.Scored || k.Value != nil || !strings.Contains(k.Reason, want) {
			t.Errorf("%q: %+v", s, k)
		}
	}
}

func TestAgree(t *testing.T) {
	a := agree("rule", pairs("oo oo on ou uu eo"))
	if a.N != 6 || a.Agreed != 3 || *a.Share.Value != 0.5 {
		t.Errorf("%+v", a)
	}
	if i := a.Share.Interval; i.Low != 0.187616 || i.High != 0.812384 { // Wilson's for 3 of 6
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
	if notes := strings.Join(a.Notes, "\n"); !strings.Contains(notes, "only 6 labels") || !strings.Contains(notes, "19 % to 81 %") || !strings.Contains(notes, "never agree on NONE") {
		t.Error(notes)
	}
	if notes := strings.Join(agree("judge", pairs("oo on")).Notes, "\n"); !strings.Contains(notes, "the judge said one label throughout") {
		t.Error(notes)
	}
	if a := agree("judge", pairs(strings.Repeat("oo nn ", Few/2))); len(a.Notes) != 0 || a.Share.Interval.High != 1 {
		t.Errorf("enough labels: %+v", a)
	}
	if a := agree("judge", pairs("on")); *a.Share.Value != 0 || a.Share.Interval.Low != 0 || !strings.Contains(a.Notes[0], "only 1 label:") {
		t.Errorf("%+v", a)
	}
}

func TestCompare(t *testing.T) {
	all := findings(t, sample)
	labels := Labels{"elsewhere": judge.None}
	c := Compare(all, labels)
	if c.Findings != 6 || c.Labelled != 0 || c.Elsewhere != 1 || c.Raters[0].Share.Scored || c.Raters[1].Kappa.Scored {
		t.Errorf("without labels: %+v", c)
	}
	for i, l := range []judge.Label{judge.ScopeOver, judge.None, judge.ScopeUnder, judge.ScopeUnder, judge.None, judge.None} {
		labels[all[i].ID] = l
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
