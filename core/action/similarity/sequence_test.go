package similarity

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
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

// TestLinesOfGoods checks that the lines of an order are a set, and other lines are none.
func TestLinesOfGoods(t *testing.T) {
	for list, want := range map[string]bool{
		`"lines":[{"part":"P-8","qty":2},{"part":"P-80","qty":1}]`:   true,
		`"lines":[{"part":"P-8","qty":2},{"part":"P-80"}]`:           false,
		`"lines":[{"text":"one"},{"text":"two"}]`:                    false,
		`"steps":[{"part":"P-8","qty":2},{"part":"P-80","qty":1}]`:   false,
		`"rows":[{"sku":"a","quantity":1},{"sku":"b","quantity":2}]`: true,
	} {
		key := strings.Trim(list[:strings.IndexByte(list, ':')], `"`)
		a := newTestCall(t, "order_parts", "{"+list+"}")
		if got := IsSetOfObjects(&a, &a, key); got != want {
			t.Errorf("%s: %v, want %v", list, got, want)
		}
	}
}

// TestListsAreSets draws lists of things and of measures. The order of things, and a thing that
// stands in the list twice, mean nothing; a thing less does. The places of measures count.
func TestListsAreSets(t *testing.T) {
	draw := rand.New(rand.NewPCG(46, 1))
	things := strings.Fields("rooms lots lanes gates floors zones tills seats wards shelves papers clubs stations ports beds berths courts filePaths folder_paths")
	measured := strings.Fields("speeds temperatures scores points weights margins coords dimensions ratios readings versions values rgb position amounts prices sizes steps waypoints ranks rows columns commands depths angles samples")
	tools := strings.Fields("add grant close notify block select share book unlock")
	deletes := strings.Fields("delete cancel remove")
	call := func(tool, list string, of []string) *Call {
		c := newTestCall(t, tool, `{"id":"x1","`+list+`":[`+strings.Join(of, ",")+`]}`)
		return &c
	}
	for range drawn.Cases(400) {
		n := 2 + draw.IntN(5)
		list := make([]string, n)
		quoted := draw.IntN(2) == 0
		for i, v := range draw.Perm(n) {
			list[i] = strconv.Itoa(1 + 3*v)
			if quoted {
				list[i] = strconv.Quote("tag " + list[i])
			}
		}
		other := slices.Clone(list)
		draw.Shuffle(n, func(i, k int) { other[i], other[k] = other[k], other[i] })
		isThing := draw.IntN(2) == 0
		noun, tool := measured[draw.IntN(len(measured))], tools[draw.IntN(len(tools))]
		if isThing {
			noun = things[draw.IntN(len(things))]
			if draw.IntN(4) == 0 {
				tool = deletes[draw.IntN(len(deletes))]
			}
		} else if quoted {
			noun = "steps"
		}
		tool += "_all"
		a, b := call(tool, noun, list), call(tool, noun, other)
		if got := IsSet(a, b, noun); got != isThing {
			t.Fatalf("%s(%s: %v): the order counts: %v", tool, noun, list, !got)
		}
		if twice := call(tool, noun, append(other, list[0])); CountsOnce(twice, a, noun) != isThing {
			t.Fatalf("%s(%s: %v): a repeated member counts: %v", tool, noun, list, isThing)
		}
		if noun := []string{"tags", "labels", "categories", "roles"}[draw.IntN(4)]; !CountsOnce(call("mark_items", noun, append(other, list[0])), call("mark_items", noun, list), noun) {
			t.Fatalf("%s: a mark that stands there twice counts: %v", noun, list)
		}
		if isThing && CountsOnce(a, call("order_all", noun, other), noun) {
			t.Fatalf("what is ordered twice is there twice: %v", list)
		}
	}
}

// TestBlanksAroundExactValues checks that blanks around a value count, and that a secret is compared as it is
// written, where only the kind of the argument can say more.
func TestBlanksAroundExactValues(t *testing.T) {
	key := func(name, value string) string {
		v, err := jsonval.Parse(`{"` + name + `":` + jsonval.Quoted(value) + `}`)
		if err != nil {
			t.Fatal(err)
		}
		c := NewCall("run", v, "", "")
		return c.Key
	}
	for _, name := range []string{"new_content", "text", "data", "body", "find", "replace", "value", "api_key", "token", "delimiter", "separator", "indent", "newString", "client_secret"} {
		for _, c := range [][2]string{{"    x", "x"}, {"x ", "x"}, {"\t", " "}, {" ", ""}} {
			if key(name, c[0]) == key(name, c[1]) {
				t.Errorf("%s: %q is %q", name, c[0], c[1])
			}
		}
	}
	for _, name := range []string{"password", "new_password", "client_secret", "passcode"} {
		for _, c := range [][2]string{{"True", "true"}, {"Ada@mail.example", "ada@mail.example"}, {"500 mg", "500mg"}, {"5 May 2025", "2025-05-05"}} {
			if key(name, c[0]) == key(name, c[1]) {
				t.Errorf("%s: %q is %q", name, c[0], c[1])
			}
		}
	}
	if key("name", " x ") != key("name", "x") {
		t.Error("white space around a name counts")
	}
}

// TestListsGoInTurn checks that a list that a tool goes through has an order also where its elements look like ids.
func TestListsGoInTurn(t *testing.T) {
	call := func(tool, key, a, b string) Call {
		v, err := jsonval.Parse(`{"` + key + `":["` + a + `","` + b + `"]}`)
		if err != nil {
			t.Fatal(err)
		}
		return NewCall(tool, v, "", "")
	}
	for _, c := range []struct {
		tool, key string
		want      bool
	}{
		{"play_songs", "songs", true}, {"press_keys", "keys", true}, {"visit_pages", "urls", true}, {"export_table", "columns", true}, {"set_headers", "columns", true}, {"print_pages", "pages", true}, {"vote", "ballot", true}, {"deploy", "stages", true},
		{"delete_pages", "pages", false}, {"block_users", "user_ids", false}, {"revoke_keys", "keys", false}, {"hide_columns", "column_ids", false},
	} {
		a, b := call(c.tool, c.key, "s1", "s2"), call(c.tool, c.key, "s2", "s1")
		if ordered := a.Key != b.Key && !IsSet(&a, &b, c.key); ordered != c.want {
			t.Errorf("%s %s: ordered is %v", c.tool, c.key, ordered)
		}
	}
}
