package score

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// storeCall is a call of the small store of this file.
type storeCall struct {
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments"`
	Result    string            `json:"result,omitempty"`
}

// storeState is what the store holds: the value of each field of each thing, and the state at each act that
// leaves the store.
type storeState struct {
	values  map[string]string
	acts    []string
	created int
	begun   map[string]string // the values when the transaction began
}

func (s *storeState) show() string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.values)) {
		out = append(out, k+"="+s.values[k])
	}
	return strings.Join(out, ";")
}

// do executes a call, and gives it its result. It reports whether the call changed the store.
func (s *storeState) do(c *storeCall) bool {
	before := s.show()
	a := c.Arguments
	c.Result = "ok"
	switch c.Name {
	case "set_level":
		s.values["level "+a["lamp_id"]] = a["level"]
	case "rename_lamp":
		s.values["name "+a["lamp_id"]] = a["name"]
	case "write_file":
		s.values["file "+a["path"]] = a["content"]
	case "add_label":
		s.values["label "+a["ticket_id"]+" "+a["label"]] = "yes"
	case "remove_label":
		delete(s.values, "label "+a["ticket_id"]+" "+a["label"])
	case "lock_door":
		s.values["lock "+a["door_id"]] = "yes"
	case "unlock_door":
		delete(s.values, "lock "+a["door_id"])
	case "create_memo":
		s.created++
		id := fmt.Sprintf("memo-%d", 100+s.created)
		s.values[id] = a["title"]
		c.Result = fmt.Sprintf(`{"memo_id":%q}`, id)
	case "delete_memo":
		delete(s.values, a["memo_id"])
	case "hold_seat":
		s.created++
		id := fmt.Sprintf("hold-%d", 100+s.created)
		s.values[id] = a["seat"]
		c.Result = fmt.Sprintf(`{"hold_id":%q}`, id)
	case "release_hold":
		delete(s.values, a["hold_id"])
	case "begin_transaction":
		s.begun = maps.Clone(s.values)
	case "insert_row":
		s.values["row "+a["table"]+" "+a["name"]] += "x"
	case "rollback_transaction":
		s.values = s.begun
	case "send_report":
		s.acts = append(s.acts, s.memos()+a["text"])
	}
	return s.show() != before
}

// memos returns the state with the titles of the memos instead of their ids, which depend on how many there were.
func (s *storeState) memos() string {
	var out []string
	for k, v := range s.values {
		if strings.HasPrefix(k, "memo-") || strings.HasPrefix(k, "hold-") {
			k = k[:4]
		}
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return strings.Join(out, ";")
}

// drawStoreCall returns a call that changes something in the store, or the sending of a report.
func drawStoreCall(r *rand.Rand) storeCall {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	switch r.IntN(9) {
	case 0:
		return storeCall{Name: "set_level", Arguments: map[string]string{"lamp_id": pick("L-1", "L-2"), "level": pick("10", "40", "75")}}
	case 1:
		return storeCall{Name: "rename_lamp", Arguments: map[string]string{"lamp_id": pick("L-1", "L-2"), "name": pick("Hall", "Desk", "Bed")}}
	case 2:
		return storeCall{Name: "write_file", Arguments: map[string]string{"path": pick("/srv/a.txt", "/srv/b.txt"), "content": pick("one", "two", "three four")}}
	case 3:
		return storeCall{Name: "add_label", Arguments: map[string]string{"ticket_id": pick("T-1", "T-2"), "label": pick("urgent", "late")}}
	case 4:
		return storeCall{Name: "lock_door", Arguments: map[string]string{"door_id": pick("D-1", "D-2")}}
	case 5:
		return storeCall{Name: "create_memo", Arguments: map[string]string{"title": pick("Plan", "List", "Draft")}}
	case 6:
		return storeCall{Name: "hold_seat", Arguments: map[string]string{"seat": pick("12A", "14C")}}
	case 7:
		return storeCall{Name: "insert_row", Arguments: map[string]string{"table": "fees", "name": pick("late", "early", "extra")}}
	}
	return storeCall{Name: "send_report", Arguments: map[string]string{"text": pick("All is done.", "Half is done.")}}
}

// backOf returns the call that takes one back.
func backOf(c storeCall) storeCall {
	switch c.Name {
	case "add_label":
		return storeCall{Name: "remove_label", Arguments: c.Arguments}
	case "lock_door":
		return storeCall{Name: "unlock_door", Arguments: c.Arguments}
	case "hold_seat":
		return storeCall{Name: "release_hold", Arguments: map[string]string{"hold_id": strings.Split(c.Result, `"`)[3]}}
	}
	return storeCall{Name: "delete_memo", Arguments: map[string]string{"memo_id": strings.Split(c.Result, `"`)[3]}}
}

// TestUndoneLaw is the law that two runs whose writes leave each thing in the same state by the same last writes get
// the same verdict under outcome, unless an act that nobody can take back lies between. The store of this file
// executes the run and the reference, and knows nothing of the judging.
func TestUndoneLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 63))
	mended, apart := 0, 0
	for n := range drawn.Cases(1500) {
		var ref, run []storeCall
		want, got := storeState{values: map[string]string{}}, storeState{values: map[string]string{}}
		var back []storeCall // what the run has still to take back
		touched := map[string]bool{}
		for range 1 + r.IntN(3) {
			step := drawStoreCall(r)
			for thing := fmt.Sprint(step.Name, step.Arguments["lamp_id"], step.Arguments["path"], step.Arguments["text"]); touched[thing]; thing = fmt.Sprint(step.Name, step.Arguments["lamp_id"], step.Arguments["path"], step.Arguments["text"]) {
				step = drawStoreCall(r)
			}
			touched[fmt.Sprint(step.Name, step.Arguments["lamp_id"], step.Arguments["path"], step.Arguments["text"])] = true
			if own := step; want.do(&own) || own.Name == "send_report" {
				ref = append(ref, step)
			} else {
				continue
			}
			// before the step, the run may err in the same field, do something else, or take back what it did
			switch wrong := drawStoreCall(r); {
			case r.IntN(3) == 0 && (step.Name == "set_level" || step.Name == "rename_lamp" || step.Name == "write_file"):
				wrong = drawStoreCall(r)
				for wrong.Name != step.Name {
					wrong = drawStoreCall(r)
				}
				wrong.Arguments = maps.Clone(wrong.Arguments)
				for _, k := range []string{"lamp_id", "path"} {
					if v, ok := step.Arguments[k]; ok {
						wrong.Arguments[k] = v
					}
				}
				got.do(&wrong)
				run = append(run, wrong)
			case r.IntN(6) == 0:
				for _, c := range []storeCall{{Name: "begin_transaction"}, {Name: "insert_row", Arguments: map[string]string{"table": "fees", "name": "wrong"}}, {Name: "rollback_transaction"}}[:2+r.IntN(2)] {
					c.Arguments = maps.Clone(c.Arguments)
					got.do(&c)
					run = append(run, c)
				}
			case r.IntN(3) == 0 && wrong.Name != "send_report":
				if canTakeBack := strings.Contains(" add_label lock_door create_memo hold_seat ", " "+wrong.Name+" "); canTakeBack && got.do(&wrong) {
					run, back = append(run, wrong), append(back, backOf(wrong))
				}
			}
			if len(back) > 0 && r.IntN(2) == 0 {
				last := back[len(back)-1]
				back = back[:len(back)-1]
				got.do(&last)
				run = append(run, last)
			}
			step.Arguments = maps.Clone(step.Arguments)
			got.do(&step)
			run = append(run, step)
			if r.IntN(6) == 0 && step.Name != "send_report" && step.Name != "create_memo" && step.Name != "add_label" && step.Name != "lock_door" && step.Name != "hold_seat" && step.Name != "insert_row" {
				again := step
				got.do(&again)
				run = append(run, again)
			}
		}
		if r.IntN(4) > 0 {
			for _, c := range slices.Backward(back) {
				got.do(&c)
				run = append(run, c)
			}
		}
		if last := drawStoreCall(r); r.IntN(5) == 0 && last.Name != "send_report" {
			got.do(&last)
			run = append(run, last)
		}
		if len(ref) == 0 {
			continue
		}
		if want.memos() == got.memos() && !slices.Equal(want.acts, got.acts) && slices.ContainsFunc(ref, func(s storeCall) bool {
			n := 0
			for _, c := range run {
				if c.Name == s.Name && maps.Equal(c.Arguments, s.Arguments) {
					n++
				}
			}
			return n > 1 && s.Name != "send_report"
		}) {
			continue // a step that was done twice may count for its earlier place, whose order is free
		}
		same := want.memos() == got.memos() && slices.Equal(want.acts, got.acts)
		trace, _ := json.Marshal(run)
		reference, _ := json.Marshal(ref)
		judged := evaluateTrace(t, string(trace), string(reference), "outcome").Trajectories[0]
		flagged := false
		for i := range judged.Violations {
			flagged = flagged || judged.Violations[i].Confidence >= 0.7
		}
		if flagged == same {
			t.Fatalf("case %d: the state is the same: %v, flagged: %v\nrun %s\nreference %s\n%s", n, same, flagged, trace, reference, saidOf(t, string(trace), string(reference), "outcome"))
		}
		switch {
		case !same:
			apart++
		default:
			mended++
		}
	}
	if mended == 0 || apart == 0 {
		t.Errorf("%d mended, %d apart", mended, apart)
	}
	t.Logf("%d mended, %d apart", mended, apart)
}
