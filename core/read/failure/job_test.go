package failure

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func jobAction(t *testing.T, name, arguments, result string) trajectory.Action {
	t.Helper()
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return trajectory.Action{Name: name, Arguments: v, Observation: &trajectory.Observation{Text: result}}
}

// TestJobs is the law that a call counts as failed, or as not done yet, by its job only if the last later result about
// this job says so. It draws calls that start jobs, and calls that ask for them or do something else.
func TestJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 84))
	states := map[string][2]bool{"failed": {true, false}, "ERROR": {true, false}, "timed_out": {true, false}, "running": {false, true}, "In Progress": {false, true}, "in_progress": {false, true},
		"completed": {}, "Succeeded": {}, "archived": {}}
	names := slices.Sorted(maps.Keys(states))
	failed, open := 0, 0
	for n := range drawn.Cases(2000) {
		var actions []trajectory.Action
		start := map[string]int{} // of each job, the call that started it
		want := map[int]Job{}
		for range 1 + r.IntN(8) {
			at := len(actions)
			id := fmt.Sprintf("j-%d", 1+r.IntN(3))
			switch first, started := start[id]; {
			case !started && r.IntN(2) == 0:
				shape := []string{`{"job_id":%q}`, `{"job":{"id":%q}}`, `{"status":"accepted","taskId":%q}`, `{"data":{"export_id":%q}}`}[r.IntN(4)]
				if shape == `{"job":{"id":%q}}` {
					actions = append(actions, jobAction(t, "start_export", fmt.Sprintf(`{"table":"t%d"}`, at), fmt.Sprintf(shape, id)))
				} else {
					actions = append(actions, jobAction(t, "start_backup", fmt.Sprintf(`{"volume":"v%d"}`, at), fmt.Sprintf(shape, id)))
				}
				start[id] = at
			case r.IntN(4) == 0: // an order may be refused, and was made all the same
				actions = append(actions, jobAction(t, "create_order", `{"item":"x"}`, `{"order_id":"`+id+`-order"}`), jobAction(t, "get_order", `{"order_id":"`+id+`-order"}`, `{"status":"failed"}`))
			default:
				state := names[r.IntN(len(names))]
				tool := []string{"get_job", "check_status", "wait_for_job"}[r.IntN(3)]
				shape := []string{`{"status":%q}`, `{"job":{"state":%q}}`, `{"id":"x","export_status":%q}`}[r.IntN(3)]
				actions = append(actions, jobAction(t, tool, fmt.Sprintf(`{"id":%q}`, id), fmt.Sprintf(shape, state)))
				said := states[strings.ReplaceAll(state, "_P", " P")]
				if !started || state == "archived" {
					continue
				}
				delete(want, first)
				if said[0] || said[1] {
					want[first] = Job{At: at, Failed: said[0], Open: said[1]}
				}
			}
		}
		got := JobsOf(actions)
		if fmt.Sprint(got) != fmt.Sprint(want) && (len(got) > 0 || len(want) > 0) {
			t.Fatalf("case %d: %v, want %v\n%+v", n, got, want, actions)
		}
		for _, j := range got {
			if j.Failed {
				failed++
			} else {
				open++
			}
		}
	}
	if failed < 50 || open < 50 {
		t.Errorf("%d failed, %d open", failed, open)
	}
}

// TestNoJobs checks results that say nothing of the call before them.
func TestNoJobs(t *testing.T) {
	for _, c := range [][2]trajectory.Action{
		{jobAction(t, "start_backup", `{"job_id":"j-1"}`, `{"job_id":"j-1"}`), jobAction(t, "get_job", `{"job_id":"j-1"}`, `{"status":"failed"}`)}, // the call had the id
		{jobAction(t, "start_backup", `{}`, `{"job_id":"j-1"}`), jobAction(t, "get_job", `{"job_id":"j-2"}`, `{"status":"failed"}`)},
		{jobAction(t, "start_backup", `{}`, `{"job_id":"j-1"}`), jobAction(t, "cancel_job", `{"job_id":"j-1"}`, `{"status":"failed"}`)}, // the canceling failed
		{jobAction(t, "start_backup", `{}`, `{"job_id":"j-1"}`), jobAction(t, "get_job", `{"job_id":"j-1"}`, `{"failed_rows":0,"rows":7}`)},
		{jobAction(t, "get_backup", `{}`, `{"job_id":"j-1"}`), jobAction(t, "get_job", `{"job_id":"j-1"}`, `{"status":"failed"}`)},
	} {
		if got := JobsOf(c[:]); got != nil {
			t.Errorf("%s %s: %v", c[0].Name, c[1].Observation.Text, got)
		}
	}
}

// TestSaysNo checks which results of checks say no.
func TestSaysNo(t *testing.T) {
	for text, want := range map[string]string{
		`{"valid":false}`: "valid", `{"is_valid":false,"errors":["x"]}`: "is_valid", `{"status":"Failed"}`: "status", `{"passed":true}`: "",
		`{"valid":true}`: "", `{"invalid":false}`: "", `{"ok":"false alarm"}`: "", `valid: false`: "", `{"failed":0}`: "", `{"status":"passed"}`: "",
	} {
		if got := SaysNo(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestLeftUndone checks which values a result names as not done.
func TestLeftUndone(t *testing.T) {
	for text, want := range map[string]string{
		`{"deleted":["a"],"failed":["b","c"]}`: "[b c]", `{"deleted":1,"failed":1}`: "[]", `{"skipped":[7]}`: "[7]", `{"failed":[]}`: "[]", `{"added":["a"],"failed":[{"id":"b","error":"locked"},{"why":"?"}]}`: "[b ?]", `{"failed":[{"core":"c-3","reason":"locked"}]}`: "[c-3 locked]", `{"failed":[{"id":"b","core":"c-3"}]}`: "[b]", `failed: a`: "[]",
	} {
		if got := fmt.Sprint(LeftUndone(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
