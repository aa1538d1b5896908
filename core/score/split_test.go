package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// namedCall is a call of a drawn run or reference.
type namedCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	Result    string         `json:"result,omitempty"`
}

// scoreCalls scores a run of calls against a reference of calls under sop.
func scoreCalls(t *testing.T, run, reference []namedCall) *report.Trajectory {
	t.Helper()
	return scoreCallsUnder(t, "sop", run, reference)
}

// scoreCallsUnder is scoreCalls under a profile.
func scoreCallsUnder(t *testing.T, profile string, run, reference []namedCall) *report.Trajectory {
	t.Helper()
	for i := range run {
		run[i].Result = "ok"
	}
	body, err := json.Marshal(map[string]any{"trace": run, "reference": reference, "profile": profile})
	if err != nil {
		t.Fatal(err)
	}
	request, err := ReadRequest(body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	r, err := Evaluate(request)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return &r.Trajectories[0]
}

// TestSplitCalls draws a call and divides it: a number into addends, a stretch at places in it, or the
// members of an object. Under sop the parts are one split action, whatever the tool is called. If one
// part has a value of its own, they are none.
func TestSplitCalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 59))
	verbs := []string{"dispense", "mill", "book", "file", "pour", "drive", "reserve", "inject", "pave", "record"}
	things := []string{"buffer", "pocket", "hall", "amendment", "lane", "claim", "tank"}
	for range drawn.Cases(400) {
		name := verbs[rng.IntN(len(verbs))] + "_" + things[rng.IntN(len(things))]
		whole := map[string]any{"place": fmt.Sprintf("P%d", rng.IntN(90)+10)}
		n := rng.IntN(3) + 2
		var parts []map[string]any
		part := func(members map[string]any) {
			p := map[string]any{"place": whole["place"]}
			for k, v := range members {
				p[k] = v
			}
			parts = append(parts, p)
		}
		switch rng.IntN(3) {
		case 0:
			sum := 0
			for range n {
				k := rng.IntN(9) + 1
				sum += k
				part(map[string]any{"size_mm": k})
			}
			whole["size_mm"] = sum
		case 1:
			at := 6 + rng.IntN(4)
			whole["start"], whole["end"] = fmt.Sprintf("%02d:00", at), fmt.Sprintf("%02d:00", at+n)
			for i := range n {
				part(map[string]any{"start": fmt.Sprintf("%02d:00", at+i), "end": fmt.Sprintf("%02d:00", at+i+1)})
			}
		case 2:
			all := map[string]any{}
			for i := range n {
				key := fmt.Sprintf("%s_%c", things[rng.IntN(len(things))], 'a'+i)
				all[key] = fmt.Sprintf("value %d of it", rng.IntN(90))
				part(map[string]any{"changes": map[string]any{key: all[key]}})
			}
			whole["changes"] = all
		}
		broken := rng.IntN(3) == 0
		if broken {
			parts[rng.IntN(n)]["place"] = "Q7"
		}
		var run []namedCall
		for _, p := range parts {
			run = append(run, namedCall{Name: name, Arguments: p})
		}
		if rng.IntN(2) == 0 { // a look before it is no part
			run = slices.Insert(run, 0, namedCall{Name: "check_" + things[0], Arguments: map[string]any{"place": whole["place"]}})
		}
		got := scoreCalls(t, run, []namedCall{{Name: name, Arguments: whole}})
		split := false
		for _, v := range got.Violations {
			split = split || v.Rule == "split-action"
			if v.Rule == "split-action" && v.Confidence < 0.7 {
				t.Errorf("%s: %v is not flagged", name, run)
			}
		}
		if split == broken || len(got.Violations) == 0 {
			t.Errorf("%v for %v: split %v, %+v", run, whole, split, got.Violations)
		}
	}
}

// TestUnfinishedRuns draws a run that begins a state, works in it, and leaves it, or whose last step makes its changes
// effective: a run without this step ends in the wrong place. A run that lacks the last of several equal deeds, or the
// release of another thing than it changed, did too little.
func TestUnfinishedRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 59))
	pairs := [][2]string{{"unlock", "lock"}, {"open", "close"}, {"enable", "disable"}, {"mount", "unmount"}, {"create", "send"}, {"create", "submit"}, {"create", "complete"}, {"create", "execute"}, {"take", "close"}, {"connect", "disconnect"}, {"start", "submit"}, {"open", "seal"}}
	things := []string{"vault", "letter", "upload", "valve", "ticket", "session", "gate"}
	work := []string{"store_parcel", "weigh_sample", "post_takings", "apply_patch"}
	for range drawn.Cases(300) {
		thing, id := things[rng.IntN(len(things))], fmt.Sprintf("X-%d", rng.IntN(900)+100)
		key := thing + "_id"
		var reference []namedCall
		kind := rng.IntN(7)
		middle := namedCall{Name: work[rng.IntN(len(work))], Arguments: map[string]any{"item": fmt.Sprintf("I-%d", rng.IntN(90)+10)}}
		switch kind {
		case 0:
			p := pairs[rng.IntN(len(pairs))]
			reference = []namedCall{{Name: p[0] + "_" + thing, Arguments: map[string]any{key: id}}, middle, {Name: p[1] + "_" + thing, Arguments: map[string]any{key: id}}}
		case 1:
			one, other := any(true), any(false)
			if rng.IntN(2) == 0 {
				one, other = "on", "off"
			}
			reference = []namedCall{{Name: "set_" + thing, Arguments: map[string]any{key: id, "state": one}}, middle, {Name: "set_" + thing, Arguments: map[string]any{key: id, "state": other}}}
		case 2:
			verb := []string{"log_", "record_"}[rng.IntN(2)]
			reference = []namedCall{middle, {Name: "set_dose", Arguments: map[string]any{key: id, "level": 4}}, {Name: verb + "dose", Arguments: map[string]any{key: id}}}
		case 3, 4: // what was changed takes effect, or another such thing does
			p, of := [][2]string{{"update", "publish"}, {"place", "release"}, {"edit", "deploy"}, {"modify", "apply"}, {"update", "activate"}, {"place", "lift"}}[rng.IntN(6)], id
			if kind == 4 {
				of = id + "0"
			}
			reference = []namedCall{middle, {Name: p[0] + "_" + thing, Arguments: map[string]any{key: id, "level": 4}}, {Name: p[1] + "_" + thing, Arguments: map[string]any{key: of}}}
		case 5:
			verb := []string{"rebuild_", "reindex_", "regenerate_"}[rng.IntN(3)]
			reference = []namedCall{middle, {Name: "remove_" + thing, Arguments: map[string]any{key: id}}, {Name: verb + "catalogue", Arguments: map[string]any{"catalogue": "main"}}}
		case 6:
			reference = []namedCall{middle, {Name: "store_" + thing, Arguments: map[string]any{key: id}}, {Name: "store_" + thing, Arguments: map[string]any{key: id + "0"}}}
		}
		got := scoreCallsUnder(t, []string{"sop", "outcome"}[rng.IntN(2)], slices.Clone(reference[:2]), reference)
		if len(got.Violations) != 1 {
			t.Fatalf("%v: %+v", reference, got.Violations)
		}
		want := map[bool]string{true: "end-boundary", false: "under-action"}[kind < 4 || kind == 5]
		if v := got.Violations[0]; string(v.Type) != want {
			t.Errorf("%v: %s, want %s: %s", reference, v.Type, want, v.Reason)
		}
	}
}
