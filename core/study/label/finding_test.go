package label

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// sample is a report with a sure, an unsure, a judged and an excused finding, and one
// about the whole run.
const sample = `{"schema":"boundcheck.report/1","trajectories":[{"id":"r1",
 "observed":[{"name":"get"},{"name":"cancel","arguments":"{\"id\":\"o2\"}"},{"name":"bye"}],
 "reference":[{"name":"cancel","arguments":"{\"id\":\"o1\"}"}],
 "violations":[
  {"type":"over-action","rule":"wrong-arguments","obs":1,"ref":0,"confidence":0.95,"by":"rule","reason":"x"},
  {"type":"over-action","rule":"extra-action","obs":0,"ref":null,"confidence":0.75,"by":"rule","reason":"x",
   "judge":{"label":"NONE","confidence":0.8,"route":"queued","reason":"y"}},
  {"type":"end-boundary","rule":"missing-step","obs":null,"ref":0,"confidence":0.95,"by":"judge","reason":"x",
   "judge":{"label":"BOUNDARY_END","confidence":0.95,"route":"accepted","was":"under-action"}},
  {"type":"under-action","rule":"output-not-said","obs":null,"ref":null,"confidence":0.5,"by":"rule","reason":"x","evidence":[{"path":"said","reference":"5"}]},
  {"type":"under-action","rule":"output-not-said","obs":null,"ref":null,"confidence":0.5,"by":"rule","reason":"x","evidence":[{"path":"said","reference":"6"}]}],
 "excused":[{"type":"over-action","rule":"extra-action","obs":2,"ref":null,"confidence":0.97,"by":"judge","reason":"x",
   "judge":{"label":"NONE","confidence":0.97,"route":"accepted"}}]}]}`

func mustFindings(t *testing.T, report string) []Finding {
	t.Helper()
	out, err := Findings([]byte(report))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFindings(t *testing.T) {
	all := mustFindings(t, sample)
	if len(all) != 6 {
		t.Fatalf("%d findings", len(all))
	}
	ids := map[string]bool{}
	for _, f := range all {
		ids[f.ID] = true
		if f.Run != "r1" || len(f.ID) != 16 {
			t.Errorf("%+v", f)
		}
	}
	if len(ids) != len(all) {
		t.Error("two findings share an id")
	}
	wrong, missing, excused := all[0], all[2], all[5]
	if wrong.Observed.Name != "cancel" || wrong.Reference.Arguments != `{"id":"o1"}` || wrong.Before.Name != "get" || wrong.After.Name != "bye" || wrong.Judge != nil {
		t.Errorf("%+v", wrong)
	}
	if missing.Observed != nil || missing.Rule != judge.ScopeUnder || missing.Judge.Label != judge.BoundaryEnd {
		t.Errorf("the rule's word is lost: %+v", missing)
	}
	if !excused.Excused || wrong.Excused || excused.After != nil || excused.Rule != judge.ScopeOver {
		t.Errorf("%+v", excused)
	}
	var uncertain []string
	for i := range all {
		if all[i].Uncertain(0.7) {
			uncertain = append(uncertain, all[i].Violation.Rule)
		}
	}
	if strings.Join(uncertain, " ") != "extra-action output-not-said output-not-said" {
		t.Errorf("uncertain: %v", uncertain)
	}
}

// TestIDs checks that the id of a finding stays the same if a judge changes its type or
// confidence, and that a finding about another action has another id.
func TestIDs(t *testing.T) {
	before := mustFindings(t, sample)
	same := mustFindings(t, strings.NewReplacer(`"over-action"`, `"end-boundary"`, `0.95`, `0.5`, `"by":"rule"`, `"by":"judge"`).Replace(sample))
	other := mustFindings(t, strings.NewReplacer("o2", "o3", `"get"`, `"find"`).Replace(sample))
	for i := range before {
		if same[i].ID != before[i].ID {
			t.Errorf("finding %d lost its id", i)
		}
	}
	if other[0].ID == before[0].ID || other[1].ID == before[1].ID || other[2].ID != before[2].ID {
		t.Error("an id belongs to two actions")
	}
	twin := mustFindings(t, strings.ReplaceAll(sample, `"reference":"6"`, `"reference":"5"`))
	if twin[3].ID == twin[4].ID {
		t.Error("twins share an id")
	}
}

func TestFindingsRefuses(t *testing.T) {
	check := func(report, want string) {
		t.Helper()
		if _, err := Findings([]byte(report)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", report, err, want)
		}
	}
	check("", "invalid report")
	check("[]", "invalid report")
	check("{}", "not a report")
	check(`{"schema":"boundcheck.report/9"}`, "unknown schema")
	check(`{"error":{"code":"x","message":"no trace"}}`, "an error: no trace")
	if got, err := Findings([]byte(`{"schema":"boundcheck.report/1","trajectories":[{"id":"a","observed":[],"violations":[{"obs":7,"ref":-3}]}]}`)); err != nil || got[0].Observed != nil {
		t.Errorf("indices that lead nowhere: %v, %+v", err, got)
	}
}
