package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
)

// TestLumpedCalls draws steps of one tool and one call that has their lists, their texts or their numbers together: in a
// procedure that is a difference in granularity, and the other way round, too. A call with a thing that no step has is none.
func TestLumpedCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 43))
	for range 200 {
		things := []string{"auk", "eider", "skua", "tern"}
		r.Shuffle(len(things), func(i, k int) { things[i], things[k] = things[k], things[i] })
		a, b, c := things[0], things[1], things[2]
		one := func(files []string, note string) [3]any {
			return [3]any{"publish_guide", obj{"pages": files, "note": note}, obj{"ok": true}}
		}
		trip := func(day, end string) [3]any {
			return [3]any{"create_tour", obj{"title": "Islets", "start": day, "end": end}, obj{"ok": true}}
		}
		entry := func(day, what string) [3]any {
			return [3]any{"enter_lesson", obj{"day": day, "topic": what}, obj{"ok": true}}
		}
		seats := func(guest string, n int) [3]any {
			return [3]any{"book_boat", obj{"guest": guest, "seats": n, "at": "2027-07-12T11:00"}, obj{"ok": true}}
		}
		for _, x := range []struct {
			steps, calls [][3]any
			law          bool
		}{
			{[][3]any{one([]string{a}, "On "+a), one([]string{b}, "On "+b)}, [][3]any{one([]string{a, b}, "On "+a+" and on "+b)}, true},
			{[][3]any{one([]string{a}, "On "+a), one([]string{b}, "On "+b)}, [][3]any{one([]string{a, c}, "On "+a+" and on "+c)}, false},
			{[][3]any{one([]string{a, b}, "Birds")}, [][3]any{one([]string{a}, "Birds (1)"), one([]string{b}, "Birds (2)")}, true},
			{[][3]any{one([]string{a, b}, "Birds")}, [][3]any{one([]string{a}, "Birds (1)"), one([]string{c}, "Birds (2)")}, false},
			{[][3]any{trip("2027-05-30", "2027-06-01")}, [][3]any{trip("2027-05-30", "2027-05-30"), trip("2027-05-31", "2027-05-31"), trip("2027-06-01", "2027-06-01")}, true},
			{[][3]any{trip("2027-05-30", "2027-06-01")}, [][3]any{trip("2027-05-30", "2027-05-30"), trip("2027-06-01", "2027-06-01")}, false},
			{[][3]any{entry("2027-03-01", a), entry("2027-03-02", b)}, [][3]any{entry("2027-03-01", a+", "+b)}, true},
			{[][3]any{entry("2027-03-01", a), entry("2027-03-02", b)}, [][3]any{entry("2027-03-01", a+", "+c)}, false},
			// In the name of one of them, the other one has no seat: the call does not have his name.
			{[][3]any{seats("Rui", 1), seats("Sol", 1)}, [][3]any{seats("Sol", 2)}, false},
			{[][3]any{seats("Rui", 1), seats("Sol", 1)}, [][3]any{seats("Sol", 3)}, false},
		} {
			got := scoreCalls(t, "sop", x.calls, x.steps...)
			is := slices.Contains([]string{"under-granular", "over-granular"}, primaryType(&got))
			if is != x.law || len(got.Violations) == 0 {
				t.Fatalf("%v for %v: %q", x.calls, x.steps, primaryType(&got))
			}
		}
	}
}

// TestHeldAndReleased is the law of a thing that is kept for somebody and let go: nothing is left of it, and another thing that
// is let go is a deed of its own.
func TestHeldAndReleased(t *testing.T) {
	for _, keep := range []string{"hold_cabin", "lock_cabin", "reserve_cabin"} {
		free := map[string]string{"hold_cabin": "release_cabin", "lock_cabin": "unlock_cabin", "reserve_cabin": "release_cabin"}[keep]
		call := func(tool, cabin string) [3]any {
			return [3]any{tool, obj{"cabin": cabin, "guest": "Ines"}, obj{"ok": true}}
		}
		got := scoreCalls(t, "outcome", [][3]any{call(keep, "C7"), call(free, "C7"), call(keep, "C9")}, call(keep, "C9"))
		if surest(&got) >= .7 {
			t.Errorf("%s and %s: %+v", keep, free, got.Violations)
		}
		got = scoreCalls(t, "outcome", [][3]any{call(keep, "C7"), call(free, "C8"), call(keep, "C9")}, call(keep, "C9"))
		if surest(&got) < .7 {
			t.Errorf("%s and %s of another cabin: nothing is said", keep, free)
		}
	}
}

// TestUpsert is the law of an upsert: it makes or sets what its arguments say, and takes nothing away.
func TestUpsert(t *testing.T) {
	call := func(tool, tag string) [3]any {
		return [3]any{tool, obj{"buoy": "B-7", "tag": tag}, obj{"ok": true}}
	}
	for tool, same := range map[string]bool{"create_buoy": true, "update_buoy": true, "set_buoy": true, "delete_buoy": false} {
		got := scoreCalls(t, "outcome", [][3]any{call("upsert_buoy", "red")}, call(tool, "red"))
		if (surest(&got) < .7) != same {
			t.Errorf("upsert_buoy for %s: %+v", tool, got.Violations)
		}
		if got = scoreCalls(t, "outcome", [][3]any{call("upsert_buoy", "red")}, call(tool, "green")); surest(&got) < .7 {
			t.Errorf("upsert_buoy of another tag for %s: nothing is said", tool)
		}
	}
}

// TestTookAnyway is the law of an argument that a call left out: it counts as given only if the call's own result shows its name
// with exactly its value.
func TestTookAnyway(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 44))
	for range 200 {
		values := []any{"low", "high", 3, 4, true, false}
		r.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
		step := [3]any{"create_ticket", obj{"dock": "D-2", "title": "Rope torn", "urgency": values[0]}, obj{"ok": true}}
		call := func(result any) [3]any {
			return [3]any{"create_ticket", obj{"dock": "D-2", "title": "Rope torn"}, result}
		}
		for _, x := range []struct {
			result any
			given  bool
		}{
			{obj{"ticket": 7, "urgency": values[0]}, true},
			{obj{"ticket": obj{"id": 7, "urgency": values[0]}}, true},
			{obj{"ticket": 7, "urgency": values[1]}, false},
			{obj{"ticket": 7, "urgency": values[0], "parent": obj{"urgency": values[1]}}, false},
			{obj{"ticket": 7, "pressing": values[0]}, false},
			{"created", false},
		} {
			if got := scoreCalls(t, "outcome", [][3]any{call(x.result)}, step); (len(got.Violations) == 0) != x.given {
				t.Fatalf("%v for %v: %+v", x.result, step, got.Violations)
			}
		}
		wrong := [3]any{"create_ticket", obj{"dock": "D-3", "title": "Rope torn"}, obj{"ticket": 7, "urgency": values[0]}}
		if got := scoreCalls(t, "outcome", [][3]any{wrong}, step); surest(&got) < .7 {
			t.Fatalf("%v for %v: nothing is said", wrong, step)
		}
	}
}

// TestCells is the law of a seat: a text and its row and its letter are one, whatever stands first.
func TestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 45))
	for range 100 {
		row, letter := 1+r.IntN(40), string(rune('A'+r.IntN(6)))
		other := string(rune('A' + (int(letter[0]-'A')+1)%6))
		text := []string{strconv.Itoa(row) + letter, letter + strconv.Itoa(row)}[r.IntN(2)]
		step := [3]any{"assign_seat", obj{"seat": text, "pass": "P-1"}, obj{"ok": true}}
		for l, same := range map[string]bool{letter: true, other: false} {
			got := scoreCalls(t, "sop", [][3]any{{"assign_seat", obj{"seat": obj{"row": row, "seat": l}, "pass": "P-1"}, obj{"ok": true}}}, step)
			if (surest(&got) < .7) != same {
				t.Fatalf("%s and row %d, seat %s: %+v", text, row, l, got.Violations)
			}
		}
	}
}

// TestFolders is the law of mkdir -p: it makes the folders that several calls make one by one, and no other ones.
func TestFolders(t *testing.T) {
	line := func(s string) [3]any { return [3]any{"bash", obj{"command": s}, obj{"exit": 0}} }
	for _, x := range []struct {
		one  string
		many []string
		same bool
	}{
		{"mkdir -p /srv/eel/raw", []string{"mkdir /srv/eel", "mkdir /srv/eel/raw"}, true},
		{"mkdir --parents nets/old/torn/", []string{"mkdir nets", "mkdir nets/old", "mkdir nets/old/torn"}, true},
		{"mkdir -p /srv/eel/raw", []string{"mkdir /srv/eel", "mkdir /srv/eel/cut"}, false},
		{"mkdir -p /srv/eel/raw", []string{"mkdir /srv/eel", "mkdir /srv/raw"}, false},
		{"mkdir -p nets/old/torn", []string{"mkdir nets", "mkdir nets/old/torn"}, false},
	} {
		var many [][3]any
		for _, s := range x.many {
			many = append(many, line(s))
		}
		got, back := scoreCalls(t, "outcome", [][3]any{line(x.one)}, many...), scoreCalls(t, "outcome", many, line(x.one))
		if (surest(&got) < .7) != x.same || (surest(&back) < .7) != x.same {
			t.Errorf("%q for %q: %+v %+v", x.one, x.many, got.Violations, back.Violations)
		}
	}
}

// TestNumberedThingsHaveNoOrder is the law of two calls of one tool that say by the number in their first argument about which thing they
// are: other things have no order, and one thing that is set twice has.
func TestNumberedThingsHaveNoOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 48))
	for range 100 {
		a, b, x, y := 1+r.IntN(9), 11+r.IntN(9), 3+r.IntN(9), 23+r.IntN(9)
		noun := []string{"pump", "silo", "berth"}[r.IntN(3)]
		raw := func(n, flow int) string {
			return fmt.Sprintf(`{"tool":"set_flow","args":{"%s":%d,"flow":%d},"result":"ok"}`, noun, n, flow)
		}
		run := func(first, second string) bool {
			trace := fmt.Sprintf(`{"id":"1","reference":[%s,%s],"steps":[%s,%s]}`, first, second, second, first)
			got := scoreUnseen(t, json.RawMessage(trace), core.Options{Profile: "outcome"})
			return len(got.Violations) > 0 || slices.ContainsFunc(got.Alignment, func(r report.Row) bool { return r.Verdict == report.RowNote })
		}
		if run(raw(a, x), raw(b, y)) {
			t.Fatalf("%s %d and %d: an order is said", noun, a, b)
		}
		if !run(raw(a, x), raw(a, y)) {
			t.Fatalf("%s %d set twice: no order is said", noun, a)
		}
	}
}
