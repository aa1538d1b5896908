package score

import (
	"fmt"
	"math/rand/v2"
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
