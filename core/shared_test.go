package core_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestSimulationsInTheirOwnFiles checks runs of τ² whose tasks are in another file. The
// runs have the references in that file, whatever the order of the files is. If there are
// two files with tasks, each is for the runs below its own folder.
func TestSimulationsInTheirOwnFiles(t *testing.T) {
	results := func(model, order string) string {
		return `{"info":{"agent_info":{"llm":"` + model + `"},"environment_info":{"domain_name":"shop","policy":"Be kind."}},
			"tasks":[{"id":"7","evaluation_criteria":{"actions":[{"name":"cancel_order","arguments":{"order_id":"` + order + `"}}]}}]}`
	}
	const run = `{"id":"s","task_id":"7","termination_reason":"user_stop","reward_info":{"reward":1},"messages":[
		{"role":"assistant","tool_calls":[{"id":"1","name":"cancel_order","arguments":{"order_id":"W1"}}]},{"role":"tool","id":"1","content":"ok"}]}`
	check := func(what string, sources []core.Source, flagged ...bool) {
		t.Helper()
		r, err := core.Evaluate(core.Request{Inputs: sources})
		if err != nil {
			t.Fatal(what, err)
		}
		if len(r.Trajectories) != len(flagged) {
			t.Fatalf("%s: %d runs, want %d", what, len(r.Trajectories), len(flagged))
		}
		for i, want := range flagged {
			x := &r.Trajectories[i]
			if x.Reference == nil || x.Flagged != want {
				t.Errorf("%s: run %d has reference %v, flagged %v; want flagged %v", what, i, x.Reference != nil, x.Flagged, want)
			}
		}
	}
	file := func(name, text string) core.Source { return core.Source{Name: name, Data: []byte(text)} }
	check("tasks first", []core.Source{file("results.json", results("m", "W1")), file("simulations/a.json", run)}, false)
	check("tasks last", []core.Source{file("simulations/a.json", run), file("results.json", results("m", "W2"))}, true)
	check("any folder", []core.Source{file("a.json", run), file("x/results.json", results("m", "W2"))}, true)
	check("two folders", []core.Source{file("x/results.json", results("m", "W1")), file("x/simulations/a.json", run),
		file("y/results.json", results("m", "W2")), file("y/simulations/a.json", run)}, false, true)
}
