package score

import "testing"

// TestProcesses checks references with steps in any order, alternatives, optional steps
// and accepted values.
func TestProcesses(t *testing.T) {
	ref := `{"steps":[
	  {"anyOrder":[{"name":"pack_box","arguments":{"box_id":"B-1"}},{"name":"print_label","arguments":{"box_id":"B-1"}}]},
	  {"oneOf":[{"name":"ship_by_post","arguments":{"box_id":"B-1"}},[{"name":"book_courier","arguments":{"box_id":"B-1"}},{"name":"hand_over","arguments":{"box_id":"B-1"}}]]},
	  {"optional":{"name":"notify_customer","arguments":{"box_id":"B-1"},"ignore":["text"]}},
	  {"name":"close_order","arguments":{"order_id":"O-1","reason":"shipped"},"accept":{"reason":["sent","delivered"]}}]}`
	act := func(name string) string { return `{"name":"` + name + `","arguments":{"box_id":"B-1"}}` }
	done := `{"name":"close_order","arguments":{"order_id":"O-1","reason":"sent"}}`
	check := func(name, trace string, want bool, steps int) {
		t.Helper()
		r := evaluateTrace(t, trace, ref, "sop").Trajectories[0]
		if r.Flagged != want || len(r.Reference) != steps {
			t.Errorf("%s: flagged %v with %d steps, want %v with %d: %+v", name, r.Flagged, len(r.Reference), want, steps, r.Violations)
		}
	}
	check("document order", listJSON(act("pack_box"), act("print_label"), act("ship_by_post"), done), false, 4)
	check("other order", listJSON(act("print_label"), act("pack_box"), act("ship_by_post"), done), false, 4)
	check("the other way", listJSON(act("pack_box"), act("print_label"), act("book_courier"), act("hand_over"), done), false, 5)
	check("with the optional step", listJSON(act("pack_box"), act("print_label"), act("ship_by_post"),
		`{"name":"notify_customer","arguments":{"box_id":"B-1","text":"on its way"}}`, done), false, 5)
	check("half of the other way", listJSON(act("pack_box"), act("print_label"), act("book_courier"), done), true, 5)
	check("both ways", listJSON(act("pack_box"), act("print_label"), act("ship_by_post"), act("book_courier"), act("hand_over"), done), true, 5)
	check("a reason that is not accepted", listJSON(act("pack_box"), act("print_label"), act("ship_by_post"),
		`{"name":"close_order","arguments":{"order_id":"O-1","reason":"bored"}}`), true, 4)
	check("order across groups", listJSON(act("ship_by_post"), act("pack_box"), act("print_label"), done), true, 4)
}

// TestTermsByPath checks that a step can ignore or accept arguments by their path, even
// arguments inside lists.
func TestTermsByPath(t *testing.T) {
	ref := `{"steps":[{"name":"order_parts","arguments":{"order_id":"O-1","@type":"order","parts":[{"part_id":"P-1","note":"red","made_at":1},{"part_id":"P-2","note":"red","made_at":2}]},
	  "ignore":["parts.#.*_at"],"accept":{"parts.#.note":["blue",null]}}]}`
	check := func(parts string, want bool) {
		t.Helper()
		r := evaluateTrace(t, listJSON(`{"name":"order_parts","arguments":{"order_id":"O-1","@type":"order","parts":`+parts+`}}`), ref, "sop").Trajectories[0]
		if r.Flagged != want {
			t.Errorf("%s: flagged %t, want %t: %+v", parts, r.Flagged, want, r.Violations)
		}
	}
	check(`[{"part_id":"P-1","note":"red","made_at":1},{"part_id":"P-2","note":"red","made_at":2}]`, false)
	check(`[{"part_id":"P-1","note":"blue","made_at":8},{"part_id":"P-2","note":"red","made_at":9}]`, false)
	check(`[{"part_id":"P-1","made_at":8},{"part_id":"P-2","note":"blue","made_at":9}]`, false)
	check(`[{"part_id":"P-1","note":"green"},{"part_id":"P-2","note":"red"}]`, true)
	check(`[{"part_id":"P-1","note":"blue"},{"part_id":"P-3","note":"red"}]`, true)
}
