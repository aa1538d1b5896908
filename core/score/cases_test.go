package score

import (
	"os"
	"testing"
)

// TestCaseStudies checks the paper's three case studies. If the denominator of the ABS is
// max(|A|, |A*|), the ABS equals the paper's figure. If the denominator is |A|, as in the
// paper's equation, the ABS is different (see RATIONALE.md).
func TestCaseStudies(t *testing.T) {
	check := func(name string, agent, most float64, types map[string]int) {
		t.Helper()
		body, err := os.ReadFile("../../testdata/cases/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		request, err := ReadRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		run := report.Trajectories[0]
		if *run.Metrics.ABS.Agent.Value != agent || *run.Metrics.ABS.Max.Value != most || !run.Flagged {
			t.Errorf("%s: ABS %v and %v, flagged %v; want %v and %v, flagged", name, *run.Metrics.ABS.Agent.Value, *run.Metrics.ABS.Max.Value, run.Flagged, agent, most)
		}
		for typ, n := range types {
			if got := report.Corpus.Violations.ByType[typ]; got != n {
				t.Errorf("%s: %d of type %s, want %d", name, got, typ, n)
			}
		}
		if report.Profile != "sop" {
			t.Errorf("%s: a person's reference was read under %s", name, report.Profile)
		}
	}
	check("abb-missing-verification", 1, 0.5, map[string]int{"under-action": 2})
	check("abb-scope-creep", 0.5, 1.0/3, map[string]int{"over-action": 1, "under-action": 2})
	check("abb-granularity", 1, 0.25, map[string]int{"under-granular": 1}) // one cause: the guess
}
