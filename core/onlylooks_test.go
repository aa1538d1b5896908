package core_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestUnknownLooksAreHints is the law of an extra call of which nothing says whether it changes something: it is never
// excused. It is a hint if no word of its name is a known verb and its result only lists facts, and a finding if
// the result may report a change or a word of the name may be a deed.
func TestUnknownLooksAreHints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 46))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 300 {
		thing, other := pick("north hall", "Nora Ek", "pier 4"), obj{"kg": 200 + r.IntN(90)}
		call := [3]any{pick("stock", "seat_map", "roster", "silo_level", "actor_sheet"), obj{"place": thing}, obj{"place": thing, "size": r.IntN(90) + 3}}
		isHint := true
		switch r.IntN(4) {
		case 0:
			call[2], isHint = obj{"place": thing, "size": 3, "ok": true}, false
		case 1:
			call[2], isHint = obj{pick("job", "slip", "ticket"): "J-7" + pick("1", "2")}, false
		case 2:
			call[0], isHint = pick("recall_bikes", "vaccinate", "scan_reel", "open_gates", "disqualify"), false
		}
		step := [3]any{"weigh_truck", other, obj{"ok": true}}
		calls := [][3]any{step}
		at := r.IntN(2)
		calls = slices.Insert(calls, at, call)
		got := scoreCalls(t, pick("sop", "outcome"), calls, step)
		if len(got.Violations) != 1 {
			t.Fatalf("%v: %d findings, want 1", calls, len(got.Violations))
		}
		if c := got.Violations[0].Confidence; isHint && c != .5 || !isHint && c < .7 {
			t.Fatalf("%v: confidence %v, a hint: %v", calls, c, isHint)
		}
	}
}

// TestHintIsNoPrimaryCause draws a hint before or behind a step that is missing. The step is the primary cause.
func TestHintIsNoPrimaryCause(t *testing.T) {
	step, other := [3]any{"send_letter", obj{"to": "Ada"}, obj{"ok": true}}, [3]any{"cancel_order", obj{"order_id": "W-7"}, obj{"ok": true}}
	look := [3]any{"stock", obj{"part": "PT-8"}, obj{"PT-8": 2}}
	for _, calls := range [][][3]any{{look, step}, {step, look}} {
		got := scoreCalls(t, "outcome", calls, step, other)
		if got.Attribution == nil || got.Attribution.Primary.Confidence < .7 {
			t.Errorf("%v: primary cause %+v", calls, got.Attribution)
		}
	}
}

// TestStandsBetween is the law of the order of a procedure: a change that the reference has between what opens
// something and what ends it with the same arguments is never excused before or behind both. Otherwise steps of
// different things have no order.
func TestStandsBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 46))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 200 {
		pair := [][2]string{{"earth_track", "remove_earth"}, {"lock_track", "unlock_track"}, {"ground_track", "remove_ground"}}[r.IntN(3)]
		where := obj{"track": pick("G7", "G9"), "rod": pick("E2", "E3")}
		opens, ends := [3]any{pair[0], where, obj{"ok": true}}, [3]any{pair[1], where, obj{"ok": true}}
		work := [3]any{pick("replace_pantograph", "paint_tram", "polish_lamps"), obj{"tram": "2041"}, obj{"ok": true}}
		isApart := r.IntN(2) == 0
		if isApart {
			work[1] = obj{"track": "H1", "tram": "2041"}
		}
		calls := [][3]any{work, opens, ends}
		if r.IntN(2) == 0 {
			calls = [][3]any{opens, ends, work}
		}
		got := scoreCalls(t, "sop", calls, opens, work, ends)
		if !isApart && len(got.Violations) == 0 {
			t.Fatalf("%v: nothing is said", calls)
		}
		if in := scoreCalls(t, "sop", [][3]any{opens, work, ends}, opens, work, ends); len(in.Violations) > 0 {
			t.Fatalf("%v in order: %+v", calls, in.Violations)
		}
	}
}

// TestOrderBeside checks which pairs of changes of one thing have an order under the profile outcome.
func TestOrderBeside(t *testing.T) {
	step := func(name string, arguments obj) [3]any { return [3]any{name, arguments, obj{"ok": true}} }
	for _, c := range []struct {
		first, second [3]any
		want          string // finding, note or nothing
	}{
		{step("reserve_set", obj{"set_id": "OM-4", "ensemble": "KP"}), step("withdraw_part", obj{"set_id": "OM-4", "part": "hn3"}), "no finding"},
		{step("set_field", obj{"record": "R1", "field": "colour", "value": "ochre"}), step("set_field", obj{"record": "R1", "field": "size", "value": "L"}), "nothing"},
		{step("set_field", obj{"record": "R1", "field": "size", "value": "M"}), step("set_field", obj{"record": "R1", "field": "size", "value": "L"}), "finding"},
		{step("log_weight", obj{"animal": "Z-4", "kg": 61.2}), step("log_temperature", obj{"animal": "Z-4", "celsius": 38.9}), "nothing"},
		{step("create_task", obj{"board": "Werkstatt", "title": "Oil"}), step("create_event", obj{"calendar": "Werkstatt", "title": "Open day"}), "nothing"},
		{step("book_pilot", obj{"ship": "Vega", "at": "05:00"}), step("book_tug", obj{"ship": "Vega", "at": "05:00", "tug": "Odin"}), "nothing"},
		{step("open_account", obj{"customer": "C-90", "kind": "savings"}), step("deposit", obj{"customer": "C-90", "kind": "savings", "amount": 250}), "note"},
		{step("book_room", obj{"room": "Saal 2", "slot": "Fr 19:00"}), step("add_equipment", obj{"room": "Saal 2", "slot": "Fr 19:00", "item": "Beamer"}), "note"},
		{step("move_animals", obj{"source": "Weide 3", "destination": "Stall"}), step("spray_field", obj{"field": "Weide 3", "agent": "Vorox"}), "note"},
		{step("multiply_prices", obj{"catalogue": "2027", "factor": 1.1}), step("add_to_prices", obj{"catalogue": "2027", "amount": 2}), "note"},
		{step("create_event", obj{"event": "EV-2", "title": "Open day"}), step("invite_guests", obj{"event": "EV-2", "guests": []string{"a@x.example"}}), "finding"},
	} {
		got := scoreCalls(t, "outcome", [][3]any{c.second, c.first}, c.first, c.second)
		noted := slices.ContainsFunc(got.Alignment, func(row report.Row) bool { return row.Verdict == "note" })
		is := "nothing"
		if len(got.Violations) > 0 {
			is = "finding"
		} else if noted {
			is = "note"
		}
		if is != c.want && !(c.want == "no finding" && is != "finding") {
			t.Errorf("%s before %s: %s, want %s", c.second[0], c.first[0], is, c.want)
		}
	}
}

// TestTypesOfDifferences checks what single differences of two calls are called.
func TestTypesOfDifferences(t *testing.T) {
	for _, c := range []struct {
		tool         string
		did, wanted  obj
		profile, typ string
	}{
		{"cull_records", obj{"table": "members", "ids": []int{3, 5}, "dry_run": true}, obj{"table": "members", "ids": []int{3, 5}, "dry_run": false}, "outcome", "under-action"},
		{"cull_records", obj{"table": "members", "ids": []int{3, 5}}, obj{"table": "members", "ids": []int{3, 5}, "dry_run": true}, "outcome", "over-action"},
		{"email_librarian", obj{"to": "a@x.example, all@x.example", "subject": "Horn"}, obj{"to": "a@x.example", "subject": "Horn"}, "outcome", "over-action"},
		{"email_librarian", obj{"to": "a@x.example", "subject": "Horn"}, obj{"to": "a@x.example; all@x.example", "subject": "Horn"}, "outcome", "under-action"},
		{"transfer_fish", obj{"source": "Reef", "destination": "Q3", "count": 4}, obj{"source": "Reef", "destination": "Q3", "count": 6}, "sop", "end-boundary"},
	} {
		if typ := typeOf(t, c.profile, c.tool, c.did, c.wanted); typ != c.typ {
			t.Errorf("%s %v instead of %v: %q, want %q", c.tool, c.did, c.wanted, typ, c.typ)
		}
	}
}

// TestPartsThatAreSeveralThings checks calls in parts. Orders that are made in parts are several orders, attachments have no
// order, and what is left is a part.
func TestPartsThatAreSeveralThings(t *testing.T) {
	call := func(name string, arguments, result obj) [3]any { return [3]any{name, arguments, result} }
	order := func(hoses ...string) [3]any {
		return call("create_test_order", obj{"hoses": hoses, "bar": 16, "workshop": "Nord"}, obj{"order": "PO-8"})
	}
	attach := func(file string) [3]any { return call("attach", obj{"message": "m8", "file": file}, obj{"ok": true}) }
	recall := func(result obj, bikes ...string) [3]any {
		return call("recall_bikes", obj{"bikes": bikes, "depot": "Süd"}, result)
	}
	for _, c := range []struct {
		what, profile string
		calls, steps  [][3]any
		flagged       bool
	}{
		{"one order cut into two", "outcome", [][3]any{order("B-07"), order("C-03")}, [][3]any{order("B-07", "C-03")}, true},
		{"attachments", "sop", [][3]any{attach("back.jpg"), attach("front.jpg")}, [][3]any{attach("front.jpg"), attach("back.jpg")}, false},
		{"a part", "outcome", [][3]any{recall(obj{"recalled": 1, "failed": []string{"b8", "b9"}}, "b1", "b8", "b9")}, [][3]any{recall(nil, "b1", "b8", "b9")}, true},
		{"a part and the rest", "outcome", [][3]any{recall(obj{"recalled": 1, "failed": []string{"b8", "b9"}}, "b1", "b8", "b9"), recall(obj{"recalled": 2, "failed": []string{}}, "b8", "b9")}, [][3]any{recall(nil, "b1", "b8", "b9")}, false},
	} {
		got := scoreCalls(t, c.profile, c.calls, c.steps...)
		flagged := slices.ContainsFunc(got.Violations, func(v report.Violation) bool { return v.Confidence >= .7 })
		if flagged != c.flagged {
			t.Errorf("%s: flagged %v, want %v: %+v", c.what, flagged, c.flagged, got.Violations)
		}
	}
}

// TestReadingsAreHints is the law of an extra call whose result is a single value, whose line only reads, or that waits: it is
// no finding, unless the value is one that the call gave, or may be a new id, or a report of a deed.
func TestReadingsAreHints(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 46))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	step := [3]any{"weigh_truck", obj{"truck": "T-4"}, obj{"ok": true}}
	for range 300 {
		noun := pick("cellar.humidity", "pond_depth", "quay.length", "barometer")
		for _, x := range []struct {
			call [3]any
			hint bool
		}{
			{[3]any{noun, obj{}, 40.5}, true},
			{[3]any{noun, obj{}, pick("calm", "41 %", "7 boats, two at sea")}, true},
			{[3]any{noun, obj{"place": "north"}, "12.5 m"}, true},
			{[3]any{noun, obj{"place": "north"}, "low tide"}, true},
			{[3]any{noun, obj{}, pick("ok", "done", "sent", "updated")}, false},
			{[3]any{noun, obj{"level": 12.5}, 12.5}, false},
			{[3]any{noun, obj{"place": "north"}, 4711}, false},
			{[3]any{noun, obj{"place": "north"}, "K-17"}, false},
			{[3]any{noun, obj{"place": "north", "wet": true}, "12.5 m"}, false},
			{[3]any{"sh.run", obj{"cmd": pick("ls -l /srv", "git status", "grep -c eel pond.txt")}, "3"}, true},
			{[3]any{"sh.run", obj{"cmd": pick("rm -r /srv", "git push", "grep -c eel pond.txt > n")}, "3"}, false},
			{[3]any{"util.sleep", obj{"seconds": 5}, "ok"}, true},
			{[3]any{"robot.sleep", obj{"robot": "R2"}, "ok"}, false},
		} {
			got := scoreCalls(t, pick("sop", "outcome"), [][3]any{x.call, step}, step)
			most := 0.0
			for _, v := range got.Violations {
				most = max(most, v.Confidence)
			}
			if x.hint != (most < .7) {
				t.Fatalf("%v: confidence %v, a hint: %v", x.call, most, x.hint)
			}
		}
	}
}

// TestLookIsNoDeed is the law of calls of one tool: what only looks is never done in the place of a step that
// changes something, so a look before the step changes no verdict about it.
func TestLookIsNoDeed(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 46))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 200 {
		tool := pick("bash", "sh.run", "terminal")
		key := map[string]string{"bash": "command", "sh.run": "cmd", "terminal": "command"}[tool]
		file := pick("eels.txt", "rods.cfg")
		line := func(s string) [3]any { return [3]any{tool, obj{key: s}, "ok"} }
		step, wrong := line("rm "+file), line("rm "+file+" all.db")
		look := line(pick("ls -l", "cat "+file, "git status", "wc -l "+file))
		if got := scoreCalls(t, pick("sop", "outcome"), [][3]any{look, step}, step); surest(&got) >= .7 {
			t.Fatalf("%v before %v: %+v", look, step, got.Violations)
		}
		if got := scoreCalls(t, "outcome", [][3]any{look, wrong}, step); surest(&got) < .7 {
			t.Fatalf("%v before %v: nothing is said", look, wrong)
		}
	}
}
