package judge

import (
	"errors"
	"math"
	"testing"
)

// one is a judge that says the same of everything.
type one struct {
	Opinion
	err error
}

func (o one) Judge(cases []Case) ([]Opinion, error) {
	out := make([]Opinion, len(cases))
	for i := range out {
		out[i] = o.Opinion
	}
	return out, o.err
}

func (o one) String() string { return string(o.Label) }

func TestEnsemble(t *testing.T) {
	check := func(want Label, confidence float64, said ...one) {
		t.Helper()
		var e Ensemble
		for _, o := range said {
			e = append(e, o)
		}
		got, err := e.Judge(make([]Case, 2))
		if err != nil || len(got) != 2 || got[1].Label != want || math.Abs(got[1].Confidence-confidence) > 1e-12 || got[1].Reason == "" {
			t.Errorf("%v, %v, want %s %v", got, err, want, confidence)
		}
	}
	over := func(c float64) one { return one{Opinion: Opinion{ScopeOver, c, "too much"}} }
	none := func(c float64) one { return one{Opinion: Opinion{None, c, "fine"}} }
	silent := one{Opinion: NoOpinion("no answer")}
	check(ScopeOver, 0.9, over(0.9))
	check(ScopeOver, 0.8, over(0.9), over(0.7))
	check(ScopeOver, 0.6, over(0.9), over(0.9), none(1))
	check("", 0, over(0.9), none(1))
	check(None, 1, silent, none(1))
	check("", 0, silent, silent)
	if _, err := (Ensemble{over(1), one{err: errors.New("down")}}).Judge(nil); err == nil {
		t.Error("a judge that is down goes unnoticed")
	}
	if _, err := (Ensemble{}).Judge(nil); err == nil {
		t.Error("an ensemble of nobody judges")
	}
	if s := (Ensemble{over(1), none(1)}).String(); s != "SCOPE_OVER + NONE" {
		t.Error(s)
	}
}
