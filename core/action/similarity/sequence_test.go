package similarity

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestSequences checks which lists of entities keep their order.
func TestSequences(t *testing.T) {
	for _, c := range []struct {
		tool, arguments, reversed string
		set                       bool
	}{
		{"cancel_order", `{"item_ids":["a1","b2"]}`, `{"item_ids":["b2","a1"]}`, true},
		{"remove_from_playlist", `{"track_ids":["a1","b2"]}`, `{"track_ids":["b2","a1"]}`, true},
		{"delete_route_stops", `{"stop_ids":["a1","b2"]}`, `{"stop_ids":["b2","a1"]}`, true},
		{"send_report", `{"emails":["a@x.org","b@x.org"]}`, `{"emails":["b@x.org","a@x.org"]}`, true},
		{"share_playlist", `{"emails":["a@x.org","b@x.org"]}`, `{"emails":["b@x.org","a@x.org"]}`, true},
		{"set_approvers", `{"approver_emails":["a@x.org","b@x.org"],"sequential":false}`, `{"approver_emails":["b@x.org","a@x.org"],"sequential":false}`, true},
		{"place_order", `{"item_ids":["a1","b2"]}`, `{"item_ids":["b2","a1"]}`, true},
		{"tag_keychain_items", `{"labels":["x","y"]}`, `{"labels":["y","x"]}`, true},
		{"set_approvers", `{"approver_emails":["a@x.org","b@x.org"],"sequential":true}`, `{"approver_emails":["b@x.org","a@x.org"],"sequential":true}`, false},
		{"reorder_playlist", `{"track_ids":["a1","b2"]}`, `{"track_ids":["b2","a1"]}`, false},
		{"ReorderTasks", `{"ids":["a1","b2"]}`, `{"ids":["b2","a1"]}`, false},
		{"set_priority_order", `{"ticket_ids":["a1","b2"]}`, `{"ticket_ids":["b2","a1"]}`, false},
		{"plan_trip", `{"waypoint_ids":["a1","b2"]}`, `{"waypoint_ids":["b2","a1"]}`, false},
		{"add_to_queue", `{"song_ids":["a1","b2"]}`, `{"song_ids":["b2","a1"]}`, false},
		{"set_podium", `{"names":["Ana","Bo"]}`, `{"names":["Bo","Ana"]}`, false},
		{"rankCandidates", `{"candidateIds":["a1","b2"]}`, `{"candidateIds":["b2","a1"]}`, false},
		{"set_approval_chain", `{"approver_emails":["a@x.org","b@x.org"]}`, `{"approver_emails":["b@x.org","a@x.org"]}`, false},
	} {
		call := func(text string) Call {
			v, err := jsonval.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			return NewCall(c.tool, v, "", "")
		}
		a, b := call(c.arguments), call(c.reversed)
		if (a.Key == b.Key) != c.set {
			t.Errorf("%s %s: the order does not count: %v, want %v", c.tool, c.arguments, a.Key == b.Key, c.set)
		}
		if IsSet(&a, &b, listPath(&a)) != c.set {
			t.Errorf("%s %s: IsSet is not %v", c.tool, c.arguments, c.set)
		}
	}
}

// listPath returns the path of the first list of a call.
func listPath(c *Call) string {
	for i := range c.Leaves {
		for k := range c.Leaves[i].Path {
			if c.Leaves[i].Path[k] == '[' {
				return c.Leaves[i].Path[:k]
			}
		}
	}
	return ""
}

// TestBlanksOfCode checks that white space around source code counts, and around other
// texts does not.
func TestBlanksOfCode(t *testing.T) {
	for key, counts := range map[string]bool{"new_string": true, "content": true, "title": false, "name": false} {
		a, _ := jsonval.Parse(`{"` + key + `":"    return 1"}`)
		b, _ := jsonval.Parse(`{"` + key + `":"return 1"}`)
		x, y := NewCall("edit", a, "", ""), NewCall("edit", b, "", "")
		if (x.Key != y.Key) != counts {
			t.Errorf("%s: white space counts: %v, want %v", key, x.Key != y.Key, counts)
		}
	}
}
