package judge

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// TestLabels checks that labels and types of violation correspond one to one, and that
// None has no type.
func TestLabels(t *testing.T) {
	labels := Labels()
	if len(labels) != 7 || labels[6] != None || None.Type() != "" || LabelOf("") != "" || LabelOf("other") != "" {
		t.Fatalf("labels %v", labels)
	}
	types := map[violation.Type]bool{}
	for _, l := range labels[:6] {
		types[l.Type()] = true
		if !l.Known() || LabelOf(l.Type()) != l {
			t.Errorf("%s means %s, which means %s", l, l.Type(), LabelOf(l.Type()))
		}
	}
	for _, typ := range []violation.Type{violation.OverGranular, violation.UnderGranular, violation.OverAction, violation.UnderAction,
		violation.StartBoundary, violation.EndBoundary} {
		if !types[typ] {
			t.Errorf("no label means %s", typ)
		}
	}
	if Label("").Known() || Label("scope_over").Known() || Label("x").Type() != "" {
		t.Error("an unknown label is known")
	}
}

func TestAmbiguous(t *testing.T) {
	check := func(confidence, below float64, obs, ref int, want bool) {
		t.Helper()
		if got := Ambiguous(&violation.Finding{Confidence: confidence, Obs: obs, Ref: ref}, below); got != want {
			t.Errorf("confidence %v below %v at %d, %d: %v", confidence, below, obs, ref, got)
		}
	}
	check(0.75, 0, 0, 0, true)
	check(0.9, 0, 0, 0, false)
	check(0.95, 0, 0, -1, false)
	check(0.95, 1, -1, 0, true)
	check(0.75, 0.6, 0, 0, false)
	check(0.5, 0, -1, -1, false) // about the run as a whole: there is no action to show
}

func TestDecide(t *testing.T) {
	f := violation.Finding{Type: violation.OverAction, Pattern: violation.ScopeOvergeneralisation, Rule: "wrong-arguments", Confidence: 0.75}
	check := func(o Opinion, route Route, typ violation.Type, pattern violation.Pattern, confidence float64, judged, excused bool) {
		t.Helper()
		r := Decide(f, o)
		if r.Route != route || r.Finding.Type != typ || r.Finding.Pattern != pattern || r.Finding.Confidence != confidence ||
			r.Judged != judged || r.Excused != excused || r.Finding.Rule != f.Rule {
			t.Errorf("%+v: %+v", o, r)
		}
		if (r.Note == "") != (route == Accepted) {
			t.Errorf("%+v: note %q", o, r.Note)
		}
	}
	kept, over, end := violation.ScopeOvergeneralisation, violation.OverAction, violation.EndBoundary
	check(NoOpinion("why"), Unanswered, over, kept, 0.75, false, false)
	check(Opinion{Label: ScopeOver, Confidence: 0.91}, Accepted, over, kept, 0.91, true, false)
	check(Opinion{Label: BoundaryEnd, Confidence: 1}, Accepted, end, "", 1, true, false)
	check(Opinion{Label: BoundaryEnd, Confidence: 0.9}, Noted, end, "", 0.9, true, false)
	check(Opinion{Label: ScopeOver, Confidence: 0.7}, Noted, over, kept, 0.7, true, false)
	check(Opinion{Label: BoundaryEnd, Confidence: 0.69}, Queued, over, kept, 0.75, false, false)
	check(Opinion{Label: None, Confidence: 0.95}, Accepted, over, kept, 0.95, true, true)
	check(Opinion{Label: None, Confidence: 0.9}, Queued, over, kept, 0.75, false, false)
	check(Opinion{Label: None, Confidence: 0.1}, Queued, over, kept, 0.75, false, false)
}
