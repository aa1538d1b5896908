package judge

import (
	"errors"
	"math"
	"testing"
)

// one is a judge that returns the same opinion on every case.
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
	over := func(c float64) one { return one{Opinion: Opinion{Label: ScopeOver, Confidence: c, Reason: "too much"}} }
	none := func(c float64) one { return one{Opinion: Opinion{Label: None, Confidence: c, Reason: "fine"}} }
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

// TestAgree checks that a combined opinion contains the vote of each judge, and that the
// agreement of the judges is Fleiss' κ.
func TestAgree(t *testing.T) {
	over, none, silent := Opinion{Label: ScopeOver, Confidence: 0.9}, Opinion{Label: None, Confidence: 0.8}, NoOpinion("late")
	polled := func(said ...Opinion) Opinion {
		var e Ensemble
		for _, o := range said {
			e = append(e, one{Opinion: o})
		}
		out, err := e.Judge(make([]Case, 1))
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	first := polled(over, over, none)
	if len(first.Votes) != 3 || first.Votes[2] != (Vote{"NONE", None, 0.8}) {
		t.Errorf("%+v", first.Votes)
	}
	a, several := Agree([]Opinion{first, polled(none, none, none), polled(over, silent, none), polled(over, silent, silent)})
	// Computed by hand: P = 1/3, 1, 0; of 8 ratings 3 are over, 5 none.
	chance := (9.0 + 25) / 64
	if want := (4.0/9 - chance) / (1 - chance); !several || a.Judges != 3 || a.Cases != 3 || a.Unanimous != 1 || !a.Defined || math.Abs(a.Kappa-want) > 1e-12 {
		t.Errorf("%+v, want %v", a, want)
	}
	if a, several := Agree([]Opinion{polled(over, over)}); !several || a.Defined || a.Unanimous != 1 {
		t.Errorf("one label: %+v", a)
	}
	if _, several := Agree([]Opinion{over, none}); several {
		t.Error("one judge is not an ensemble")
	}
}
