package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// firstType returns the type of the first failure of a run, or "".
func firstType(run *report.Trajectory) string {
	if run.Attribution == nil {
		return ""
	}
	return string(run.Violations[run.Attribution.First].Type)
}

// TestLevels draws one action in the place of several steps, and several actions in the place of one step. The
// first failure is of the granularity. An action of the same verb on another thing is never one for several steps.
func TestLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 4))
	verbs, things := []string{"approve", "sign", "pay", "publish", "close", "water", "admit", "refund"}, []string{"request", "parcel", "bed", "report", "tab"}
	one := func(name string, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":{%s},"result":"ok"}`, name, arguments)
	}
	for range drawn.Cases(300) {
		verb, thing, n := verbs[r.IntN(len(verbs))], things[r.IntN(len(things))], 2+r.IntN(3)
		var steps, ids []string
		for i := range n {
			id := fmt.Sprintf("X-%d", 10+i)
			ids = append(ids, fmt.Sprintf("%q", id))
			if r.IntN(2) == 0 {
				steps = append(steps, one("view_"+thing, fmt.Sprintf(`"%s":%q`, thing, id)))
			}
			steps = append(steps, one(verb+"_"+thing, fmt.Sprintf(`"%s":%q,"house":"north"`, thing, id)))
		}
		merged := []string{
			one(verb+"_all_pending", `"house":"north"`),
			one(verb+"_batch", fmt.Sprintf(`"%ss":[%s]`, thing, strings.Join(ids, ","))),
			one("express_handling", fmt.Sprintf(`"list":[%s],"house":"north"`, strings.Join(ids, ","))),
			one("bulk_edit", `"house":"north","action":"go"`),
		}[r.IntN(4)]
		want := listJSON(steps...)
		if got := firstType(scoreSwap(t, listJSON(merged), want, "sop")); got != "under-granular" {
			t.Errorf("%s\nfor %s: %s", merged, want, got)
		}
		if other := one(verb+"_salary", `"employee":"E-77","house":"north"`); firstType(scoreSwap(t, listJSON(other), want, "sop")) == "under-granular" {
			t.Errorf("%s\nfor %s: under-granular", other, want)
		}
	}
	for range drawn.Cases(100) {
		house, from, to := fmt.Sprintf("H-%d", 10+r.IntN(90)), fmt.Sprintf("P-%d", 10+r.IntN(40)), fmt.Sprintf("Q-%d", 10+r.IntN(40))
		whole := one("swap_places", fmt.Sprintf(`"house":%q,"place_a":%q,"place_b":%q`, house, from, to))
		split := []string{one("free_place", fmt.Sprintf(`"house":%q,"place":%q`, house, from)), one("assign_place", fmt.Sprintf(`"house":%q,"place":%q,"guest":"Kim"`, house, to))}
		if got := firstType(scoreSwap(t, listJSON(split...), listJSON(whole), "sop")); got != "over-granular" {
			t.Errorf("%s for %s: %s", split, whole, got)
		}
		if got := firstType(scoreSwap(t, listJSON(split[0], one("wash_car", fmt.Sprintf(`"house":%q`, house))), listJSON(whole), "sop")); got == "over-granular" {
			t.Errorf("%s and another deed: %s", split[0], got)
		}
	}
	verbs = []string{"drain", "flush", "refill", "label", "weigh", "stamp"}
	for range drawn.Cases(100) {
		id, n := fmt.Sprintf("T-%d", 10+r.IntN(90)), 3+r.IntN(3)
		var steps []string
		at := fmt.Sprintf(`"tank":%q`, id)
		all := at
		for i := range n {
			value := fmt.Sprintf(`"%c_level":%d`, 'a'+i, 10*(i+1)+r.IntN(9))
			steps, all = append(steps, one(verbs[i%len(verbs)]+"_tank", at+","+value)), all+","+value
		}
		if got := firstType(scoreSwap(t, listJSON(one("renew_tank", all)), listJSON(steps...), "sop")); got != "under-granular" {
			t.Errorf("%s for %s: %s", all, steps, got)
		}
		if got := firstType(scoreSwap(t, listJSON(one("renew_tank", at+`,"pump":"P-7"`)), listJSON(steps...), "sop")); got == "under-granular" {
			t.Errorf("one value for %s: under-granular", steps)
		}
		var presses []string
		for range n {
			presses = append(presses, one("press_key", fmt.Sprintf(`"field":"f%s","key":"%c"`, id, 'a'+r.IntN(26))))
		}
		typed := one("type_text", fmt.Sprintf(`"field":"f%s","text":"Oduya"`, id))
		if got := firstType(scoreSwap(t, listJSON(presses...), listJSON(typed), "sop")); got != "over-granular" {
			t.Errorf("%s for %s: %s", presses, typed, got)
		}
	}
}

// TestInItsPlace draws three or more actions of foreign tools in the place of one step, and one such action in the
// place of three or more steps. Values show nothing but the thing. The first failure is of the granularity, unless the
// reference has the tools, the action names another thing or only prepares, most of them are about something else, or the
// step takes the thing away.
func TestInItsPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 21))
	one := func(name, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":{%s},"result":"ok"}`, name, arguments)
	}
	tools := []string{"wind_spring", "set_needle", "oil_gear", "press_lever", "tilt_frame", "heat_plate"}
	check := func(run, want []string, profile, is string, law bool) {
		t.Helper()
		if got := firstType(scoreSwap(t, listJSON(run...), listJSON(want...), profile)); (got == is) != law {
			t.Errorf("%s: %s\nfor %s: %s", profile, run, want, got)
		}
	}
	for range drawn.Cases(100) {
		profile := [...]string{"sop", "outcome"}[r.IntN(2)]
		id, n := fmt.Sprintf("D-%d", 10+r.IntN(90)), 3+r.IntN(3)
		at := func(id string) string { return fmt.Sprintf(`"device":%q`, id) }
		r.Shuffle(len(tools), func(i, k int) { tools[i], tools[k] = tools[k], tools[i] })
		var parts, others []string
		for i, tool := range tools[:n] {
			parts = append(parts, one(tool, at(id)+fmt.Sprintf(`,"%c_level":%d`, 'a'+i, 100+r.IntN(900))))
			others = append(others, one(tool, at("E-7")+fmt.Sprintf(`,"%c_level":%d`, 'a'+i, 100+r.IntN(900))))
		}
		before, after := one("unlock_cabinet", `"cabinet":"C-3"`), one("lock_cabinet", `"cabinet":"C-3"`)
		within := func(calls ...string) []string {
			return slices.Concat([]string{before}, calls, []string{after})
		}
		step := one("calibrate_device", at(id)+`,"plan":"weekly"`)
		check(within(parts...), within(step), profile, "over-granular", true)
		check(within(parts[:2]...), within(step), profile, "over-granular", false)
		check(within(others...), within(step), profile, "over-granular", false)
		check(within(parts...), within(one("delete_device", at(id))), profile, "over-granular", false)
		check(within(parts...), append(slices.Concat([]string{before, step}, others), after), profile, "over-granular", false)
		check(within(step), within(parts...), profile, "under-granular", true)
		check(within(step), within(parts[:2]...), profile, "under-granular", false)
		check(within(one("calibrate_device", at("E-7"))), within(parts...), profile, "under-granular", false)
		check(within(one("calibrate_device", at(id)+`,"order":"O-55"`)), within(parts...), profile, "under-granular", false)
		check(within(one("open_device", at(id))), within(parts...), profile, "under-granular", false)
		chain := []string{one("create_claim", at(id)), one("sign_claim", `"claim":"CL-4"`), one("file_claim", `"claim":"CL-4"`)}
		check(within(one("express_settle", at(id))), within(chain...), profile, "under-granular", true)
		check(within(one("create_and_file", at(id))), within(chain...), profile, "under-granular", true)
		check(within(one("express_settle", at("E-7"))), within(chain...), profile, "under-granular", false)
	}
}

// TestNamedAsFailed draws calls with a list whose result says of some of them that they failed, beside a reason and under
// any name of a member. The call is flagged, unless a later one does exactly these.
func TestNamedAsFailed(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 22))
	for range drawn.Cases(200) {
		noun, member := []string{"core", "parcel", "tile", "sample"}[r.IntN(4)], []string{"failed", "skipped", "rejected"}[r.IntN(3)]
		n, bad := 3+r.IntN(3), 1+r.IntN(2)
		var ids, failed []string
		for i := range n {
			ids = append(ids, fmt.Sprintf("%q", fmt.Sprintf("K-%d", 20+i)))
		}
		for _, id := range ids[n-bad:] {
			failed = append(failed, fmt.Sprintf(`{%q:%s,"reason":"tray locked"}`, noun, id))
		}
		call := func(ids []string, result string) string {
			return fmt.Sprintf(`{"name":"move_%ss","arguments":{"%ss":[%s],"to":"F-4"},"result":%s}`, noun, noun, strings.Join(ids, ","), result)
		}
		first := call(ids, fmt.Sprintf(`{"moved":[%s],%q:[%s]}`, strings.Join(ids[:n-bad], ","), member, strings.Join(failed, ",")))
		rest := call(ids[n-bad:], fmt.Sprintf(`{"moved":[%s],%q:[]}`, strings.Join(ids[n-bad:], ","), member))
		other := call(ids[:1], `{"moved":1}`)
		want := listJSON(strings.ReplaceAll(call(ids, `"ok"`), `,"result":"ok"`, ""))
		for _, profile := range []string{"sop", "outcome"} {
			if got := scoreSwap(t, listJSON(first), want, profile); len(got.Violations) != 1 || got.Violations[0].Confidence < .7 || got.Violations[0].Type != "under-action" {
				t.Errorf("%s for %s: %v", first, want, got.Violations)
			}
			if got := scoreSwap(t, listJSON(first, rest), want, profile); len(got.Violations) > 0 {
				t.Errorf("%s and %s for %s: %v", first, rest, want, got.Violations)
			}
			if got := scoreSwap(t, listJSON(first, other), want, profile); len(got.Violations) == 0 {
				t.Errorf("%s and %s for %s: nothing", first, other, want)
			}
		}
	}
}

// TestComputedAfterItsChange draws a change and a computation of the same thing in the wrong order. Under sop it is a start
// boundary. The order of a reading, and any order under outcome, means nothing.
func TestComputedAfterItsChange(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 23))
	for range drawn.Cases(100) {
		thing := []string{"panel", "payroll", "league", "tank"}[r.IntN(4)]
		change, what := []string{"freeze", "update", "seal", "correct"}[r.IntN(4)], []string{"compute", "calculate"}[r.IntN(2)]
		call := func(verb, rest, id string) string {
			return fmt.Sprintf(`{"name":"%s_%s","arguments":{"%s_id":%q,"round":%d},"result":"ok"}`, verb, rest, thing, id, 20)
		}
		first, second := call(change, thing, "T-14"), call(what, "ranking", "T-14")
		want := listJSON(first, second)
		if got := firstType(scoreSwap(t, listJSON(second, first), want, "sop")); got != "start-boundary" {
			t.Errorf("%s before %s: %q", second, first, got)
		}
		for _, profile := range []string{"sop", "outcome"} {
			read := call("get", thing, "T-14")
			if got := firstType(scoreSwap(t, listJSON(read, first), listJSON(first, read), profile)); got != "" {
				t.Errorf("%s: %s before %s: %q", profile, read, first, got)
			}
		}
		if got := firstType(scoreSwap(t, listJSON(second, first), want, "outcome")); got != "" {
			t.Errorf("outcome: %s before %s: %q", second, first, got)
		}
	}
}

// TestAskedAtOnce draws a step that was done in parts with the same effect. Under outcome it is excused, unless the user
// asked for one call.
func TestAskedAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 24))
	for range drawn.Cases(100) {
		verb, thing, n := []string{"print", "buy", "deposit"}[r.IntN(3)], []string{"ticket", "parcel", "voucher"}[r.IntN(3)], 2+r.IntN(3)
		for asked, want := range map[string]string{"Please do it for Q-81.": "", "Please do it for Q-81, in one go.": "over-granular",
			"As one " + thing + ", please.": "over-granular", "A single " + thing + " for Q-81!": "over-granular", "One after the other, a " + thing + ".": ""} {
			messages := []any{map[string]any{"role": "user", "content": asked}}
			for i := range n {
				id, arguments := fmt.Sprint("c", i), fmt.Sprintf(`{"box":"Q-81","quantity":%d}`, 5)
				messages = append(messages, map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": id, "function": map[string]any{"name": verb + "_" + thing, "arguments": arguments}}}},
					map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
			}
			trace, err := json.Marshal(messages)
			if err != nil {
				t.Fatal(err)
			}
			step := fmt.Sprintf(`[{"name":"%s_%s","arguments":{"box":"Q-81","quantity":%d}}]`, verb, thing, 5*n)
			if got := firstType(scoreSwap(t, string(trace), step, "outcome")); got != want {
				t.Errorf("%s\n%s: %q, want %q", asked, step, got, want)
			}
		}
	}
}

// TestPages draws a step that was done in pages: each begins behind the one before it, the first one where the step
// begins, and together they take as much. That is a difference in granularity, and no other one is.
func TestPages(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 25))
	for range drawn.Cases(100) {
		n, size, isTime := 2+r.IntN(3), 15*(1+r.IntN(3)), r.IntN(2) == 0
		call := func(at, much int, to string) string {
			begin := fmt.Sprint(at)
			if isTime {
				begin = fmt.Sprintf(`"2026-05-16T%02d:%02d"`, 9+at/60, at%60)
			}
			return fmt.Sprintf(`{"name":"book_hall","arguments":{"hall":"H-4","begin":%s,"length":%d,"for":%q},"result":"ok"}`, begin, much, to)
		}
		var pages []string
		for i := range n {
			pages = append(pages, call(i*size, size, "choir"))
		}
		whole := listJSON(call(0, n*size, "choir"))
		for _, profile := range []string{"sop", "outcome"} {
			check := func(law bool, run ...string) {
				t.Helper()
				if got := firstType(scoreSwap(t, listJSON(run...), whole, profile)); (got == "over-granular") != law {
					t.Errorf("%s: %s for %s: %q", profile, run, whole, got)
				}
			}
			check(true, pages...)
			check(false, append(slices.Clone(pages[:n-1]), call((n-1)*size, size+1, "choir"))...)
			check(false, append(slices.Clone(pages[:n-1]), call((n-1)*size, size, "club"))...)
			check(n == 2, append(slices.Clone(pages[:n-1]), call(0, size, "choir"))...) // twice half of it at the same place
			check(false, append([]string{call(5, size, "choir")}, pages[1:]...)...)
		}
	}
}

// TestLumped draws steps of one tool and one action that has their values together. In a procedure that is a difference in
// granularity. An action that lacks a part, or has what all steps have not, is none.
func TestLumped(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 26))
	for range drawn.Cases(100) {
		n := 2 + r.IntN(3)
		things := []string{"sofa", "fridge", "brake pads", "W1", "1904.7"}
		r.Shuffle(len(things), func(i, k int) { things[i], things[k] = things[k], things[i] })
		call := func(job, what string, cost any) string {
			text, err := json.Marshal(map[string]any{"name": "register_item", "arguments": map[string]any{"job": job, "item": what, "cost": cost}, "result": "ok"})
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		steps, costs, sum := []string{`{"name":"open_job","arguments":{"job":"J-4"},"result":"ok"}`}, []any{}, 0
		for i := range n {
			cost := 3 + r.IntN(90)
			steps, costs, sum = append(steps, call("J-4", things[i], cost)), append(costs, cost), sum+cost
		}
		check := func(law bool, run string) {
			t.Helper()
			if got := firstType(scoreSwap(t, listJSON(steps[0], run), listJSON(steps...), "sop")); (got == "under-granular") != law {
				t.Errorf("%s for %s: %q", run, steps, got)
			}
		}
		all := strings.Join(things[:n], []string{", ", " and ", "+"}[r.IntN(3)])
		check(true, call("J-4", all, sum))
		check(true, call("J-4", "extras", sum))
		check(true, call("J-4", all, costs))
		check(false, call("J-4", "extras", sum+1))
		check(false, call("J-5", all, sum))
		check(false, call("J-4", things[0], costs[0]))
	}
}

// TestStopsShort draws a procedure of which a run does the first steps as prescribed. If what is left is not more of what
// it did, the run ended too early under sop.
func TestStopsShort(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 27))
	verbs := []string{"lower", "paint", "assign", "park", "sign", "weigh"}
	for range drawn.Cases(100) {
		n := 3 + r.IntN(3)
		var steps []string
		for i := range n {
			steps = append(steps, fmt.Sprintf(`{"name":"%s_boat","arguments":{"boat":"B-%d"},"result":"ok"}`, verbs[(i+n)%len(verbs)], 7))
		}
		left := 1 + r.IntN(n-2) // at least two are done
		check := func(want string, run []string) {
			t.Helper()
			if got := firstType(scoreSwap(t, listJSON(run...), listJSON(steps...), "sop")); got != want {
				t.Errorf("%s for %s: %q, want %q", run, steps, got, want)
			}
		}
		check("end-boundary", steps[:n-left])
		other := append(slices.Clone(steps[:n-left]), `{"name":"sell_boat","arguments":{"boat":"B-7"},"result":"ok"}`)
		if got := firstType(scoreSwap(t, listJSON(other...), listJSON(steps...), "sop")); got == "end-boundary" {
			t.Errorf("%s for %s ends early, and went on with something else", other, steps)
		}
		check("under-action", steps[1:]) // a step at the beginning is left out
		again := strings.Replace(steps[n-1], "B-7", "B-8", 1)
		steps = append(steps, again)
		check("under-action", steps[:n]) // the same for another boat
	}
}
