package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// panicAt makes the given runs panic at the n-th thing that is done for them, until the test
// ends.
func panicAt(t *testing.T, n int, ids ...string) {
	var mu sync.Mutex
	count := map[string]int{}
	onRun = func(id string) {
		mu.Lock()
		defer mu.Unlock()
		if count[id]++; slices.Contains(ids, id) && count[id] == n {
			panic("a bug in " + id)
		}
	}
	t.Cleanup(func() { onRun = nil })
}

// undecided is a judge without opinions.
type undecided struct{}

func (undecided) Judge(cases []judge.Case) ([]judge.Opinion, error) {
	return make([]judge.Opinion, len(cases)), nil
}

// TestBrokenRuns checks the law of guardRun with drawn sets of broken runs, which panic at
// each stage. A run that panics has an error, and nothing else of it is in the report. Every
// other run, and every figure, is the same as without the broken runs.
func TestBrokenRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 7))
	one := func(data []byte, cores int, o Options) report.Report {
		o.Cores = cores
		scored, err := Evaluate(Request{Inputs: []Source{{Data: data}}, Options: o})
		if err != nil {
			t.Fatal(err)
		}
		return scored
	}
	reached := map[int]bool{} // stages in which a run was broken
	for i := range drawn.Cases(60) {
		options := []Options{{}, {Judge: undecided{}}, {Unreferenced: true}, {Unreferenced: true, Judge: undecided{}}}[i%4]
		n := 3 + random.IntN(60)
		if i%4 > 1 {
			n = 7 // one run for each task: others of a task would change what lint says
		}
		var broken []string
		for k := range n {
			if random.IntN(4) == 0 {
				broken = append(broken, fmt.Sprintf("r%d", k))
			}
		}
		stage := 1 + i/4%4
		data, cores := manyRuns(n), 1+random.IntN(3)
		whole := one(data, 1, options)
		panicAt(t, stage, broken...)
		got := one(data, cores, options)
		onRun = nil
		var trace struct {
			Trajectories []json.RawMessage `json:"trajectories"`
		}
		if err := json.Unmarshal(data, &trace); err != nil {
			t.Fatal(err)
		}
		var kept []json.RawMessage
		for k := range got.Trajectories {
			run := &got.Trajectories[k]
			if run.Error != nil {
				reached[stage] = true
				if !slices.Contains(broken, run.ID) || run.Flagged || len(run.Violations)+len(run.Observed) > 0 || run.Metrics.ABS.Max.Scored || run.Metrics.WithinBounds.Scored || run.Metrics.WithinBounds.Reason == "" || run.Error.Code != Internal ||
					!strings.HasPrefix(run.Verdict, "Cannot tell") || !slices.ContainsFunc(got.Warnings, func(w report.Warning) bool { return w.Code == Internal && w.Trajectory == run.ID }) {
					t.Fatalf("broken run: %+v, warnings %+v", run, got.Warnings)
				}
				continue
			}
			kept = append(kept, trace.Trajectories[k])
			if a, b := marshalJSON(t, run), marshalJSON(t, &whole.Trajectories[k]); !bytes.Equal(a, b) {
				t.Fatalf("run %s, stage %d:\n%s\nwant:\n%s", run.ID, stage, a, b)
			}
		}
		if len(got.Trajectories) != n || len(kept) == n && stage < 3 && len(broken) > 0 {
			t.Fatalf("%d of %d runs are in the report, and no run of %v is broken at stage %d", len(got.Trajectories), n, broken, stage)
		}
		if len(kept) == 0 {
			continue
		}
		trace.Trajectories = kept
		rest := one(marshalJSON(t, &trace), 1, options)
		if a, b := marshalJSON(t, &got.Corpus), marshalJSON(t, &rest.Corpus); !bytes.Equal(a, b) {
			t.Fatalf("stage %d without %v: corpus\n%s\nwant:\n%s", stage, broken, a, b)
		}
	}
	if !reached[1] || !reached[2] || !reached[3] {
		t.Errorf("runs broke only at the stages %v", reached)
	}
}

func marshalJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBrokenRunsOfATask checks the rules that compare the runs of one task. A broken run is
// no evidence for or against another run, and it is nobody's reference.
func TestBrokenRunsOfATask(t *testing.T) {
	run := func(id, order string) string {
		return fmt.Sprintf(`{"id":%q,"task":"t","actions":[{"name":"cancel_order","arguments":{"order_id":%q}}]}`, id, order)
	}
	data := `{"trajectories":[` + run("a", "#W1") + "," + run("b", "#W2") + "," + run("c", "#W2") + "," + run("d", "#W2") + `]}`
	for n := 1; n <= 3; n++ {
		panicAt(t, n, "b", "c")
		scored, err := Evaluate(Request{Inputs: []Source{{Data: []byte(data)}}, Options: Options{Unreferenced: true}})
		if err != nil {
			t.Fatal(err)
		}
		if got := findingRules(scored.Trajectories[0]); got != "unread-before-write" && n < 3 {
			t.Errorf("stage %d: %s", n, got)
		}
		if tasks := report.Agree(&scored); len(tasks) != 1 || tasks[0].Runs != 2 {
			t.Errorf("stage %d: %+v", n, tasks)
		}
		panicAt(t, 1, "b", "c")
		scored, err = Evaluate(Request{Inputs: []Source{{Data: []byte(data)}}, Options: Options{Consensus: 0.5}})
		if err != nil {
			t.Fatal(err)
		}
		if scored.Trajectories[0].Reference != nil || scored.Trajectories[1].Error == nil || scored.Trajectories[3].Error != nil {
			t.Errorf("consensus: %s", marshalJSON(t, &scored.Trajectories))
		}
	}
}

// TestCacheAfterAPanic checks that a request after a panic does not use what the panic may
// have left half written.
func TestCacheAfterAPanic(t *testing.T) {
	cache := &Cache{}
	options := Options{Cache: cache, Classifier: mutation.New(nil, nil)}
	request := Request{Inputs: []Source{{Data: manyRuns(3)}}, Options: options}
	want := evaluateText(t, request)
	if cache.bytes == 0 {
		t.Fatal("the cache is not used")
	}
	onRun = func(id string) {
		if id == "r2" {
			for _, p := range cache.known {
				p.call.Name = "half written"
			}
			panic("a bug")
		}
	}
	evaluateText(t, request)
	onRun = nil
	if got := evaluateText(t, request); !bytes.Equal(got, want) {
		t.Errorf("after a panic:\n%s\nwant:\n%s", got, want)
	}
}
