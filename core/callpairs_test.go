package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
)

// scoreCalls scores calls with their results against steps. Each call is a name, arguments and a result.
func scoreCalls(t *testing.T, profile string, calls [][3]any, steps ...[3]any) report.Trajectory {
	t.Helper()
	messages := []any{obj{"role": "user", "content": "Please do it."}}
	for i, c := range calls {
		id := fmt.Sprint("c", i)
		messages = append(messages, obj{"role": "assistant", "content": nil, "tool_calls": []any{obj{"id": id, "type": "function", "function": obj{"name": c[0], "arguments": string(mustJSON(json.Marshal(c[1])))}}}},
			obj{"role": "tool", "tool_call_id": id, "content": string(mustJSON(json.Marshal(c[2])))})
	}
	reference := []any{}
	for _, s := range steps {
		reference = append(reference, obj{"name": s[0], "arguments": s[1]})
	}
	body := mustJSON(json.Marshal(obj{"trace": append(messages, obj{"role": "assistant", "content": "Done."}), "reference": reference, "profile": profile}))
	request, err := core.ReadRequest(body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	r, err := core.Evaluate(request)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return r.Trajectories[0]
}

// TestTextOfObject is the law of an object beside its text in JSON: they are the same in any order of their members, also
// if one of them is null, and differ if one value differs.
func TestTextOfObject(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 46))
	values := []any{nil, 2, "x", true, 7.5, []any{1, 2}}
	for range 100 {
		object, text := obj{}, ""
		for _, key := range r.Perm(5)[:2+r.IntN(3)] {
			name := string(rune('a' + key))
			object[name] = values[r.IntN(len(values))]
			text += fmt.Sprintf(`,"%s":%s`, name, mustJSON(json.Marshal(object[name])))
		}
		text = "{" + text[1:] + "}"
		a, b := [3]any{"put_json", obj{"key": "k", "payload": object}, obj{"ok": true}}, [3]any{"put_json", obj{"key": "k", "payload": text}, obj{"ok": true}}
		if got := scoreCalls(t, "sop", [][3]any{a}, b); len(got.Violations) > 0 {
			t.Fatalf("%s beside %v: %s", text, object, got.Violations[0].Reason)
		}
		changed := obj{"key": "k", "payload": text[:len(text)-1] + `,"f":1}`}
		if got := scoreCalls(t, "sop", [][3]any{a}, [3]any{"put_json", changed, nil}); len(got.Violations) == 0 {
			t.Fatalf("%v beside %v: nothing is said", object, changed)
		}
	}
}

// TestNotationsOfCalls checks which values of two calls are one in two notations: the type of the finding, "any" for one of any
// type, and "" for none.
func TestNotationsOfCalls(t *testing.T) {
	for _, c := range []struct {
		tool         string
		did, wanted  obj
		profile, typ string
	}{
		{"order_feed", obj{"feed": "oats", "kilos": 1250}, obj{"feed": "oats", "kilos": "1\u2009250"}, "sop", ""},
		{"order_feed", obj{"feed": "oats", "kilos": 1250}, obj{"feed": "oats", "kilos": "1\u2009251"}, "sop", "end-boundary"},
		{"set_count", obj{"hall": "Keller", "seats": "007"}, obj{"hall": "Keller", "seats": "7"}, "sop", ""},
		{"set_room", obj{"hall": "Keller", "room": "007"}, obj{"hall": "Keller", "room": "7"}, "sop", "any"},
		{"save_map", obj{"path": "file:///srv/blatt%208.tif"}, obj{"path": "/srv/blatt 8.tif"}, "sop", ""},
		{"save_map", obj{"path": "file:///srv/blatt%2F8.tif"}, obj{"path": "/srv/blatt/8.tif"}, "sop", "any"},
		{"put_json", obj{"key": "k", "payload": `"\u00e9t\u00e9"`}, obj{"key": "k", "payload": `"été"`}, "sop", ""},
		{"put_json", obj{"key": "k", "payload": `"\u00e8t\u00e9"`}, obj{"key": "k", "payload": `"été"`}, "sop", "any"},
		{"mark_roll", obj{"ward": "W3", "voters": []int{119, 118}, "mark": "W"}, obj{"ward": "W3", "voters": []int{118, 119}, "mark": "W"}, "outcome", ""},
		{"rank_entries", obj{"ward": "W3", "voters": []int{119, 118}}, obj{"ward": "W3", "voters": []int{118, 119}}, "outcome", "any"},
	} {
		if typ := typeOf(t, c.profile, c.tool, c.did, c.wanted); typ != c.typ && !(c.typ == "any" && typ != "") {
			t.Errorf("%s %v instead of %v: %q, want %q", c.tool, c.did, c.wanted, typ, c.typ)
		}
	}
}

// typeOf returns the type of the first finding about a call in the place of a step, or "".
func typeOf(t *testing.T, profile, tool string, did, wanted obj) string {
	t.Helper()
	got := scoreCalls(t, profile, [][3]any{{tool, did, obj{"ok": true}}}, [3]any{tool, wanted, nil})
	if len(got.Violations) == 0 {
		return ""
	}
	return string(got.Violations[0].Type)
}
