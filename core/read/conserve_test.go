package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// drawnRecord is a generated record, with what its author put into it.
type drawnRecord struct {
	row      map[string]any
	calls    []string // by name and argument, in order
	proposed []string // those of calls that were not executed
	aside    []string // the names of calls in odd places, each once
	more     bool     // the last of calls is in a list that repeats the others
	wanted   []string // nil if the record has no expected side
	success  *bool
}

// maker makes records. Each call aside has a name of its own, so that it can be found again.
type maker struct {
	*rand.Rand
	next int
}

func (g *maker) pick(words ...string) string { return words[g.IntN(len(words))] }

func describeCall(name string, n int) string { return fmt.Sprintf("%s(%d)", name, n) }

// write writes a call in one of the forms that a call has outside of messages.
func (g *maker) write(name string, n int) any {
	arguments := map[string]any{"n": n}
	g.next++
	return []any{
		map[string]any{"name": name, "arguments": arguments},
		map[string]any{"name": name, "arguments": fmt.Sprintf(`{"n":%d}`, n)},
		map[string]any{"tool_name": name, "tool_input": arguments},
		map[string]any{"id": fmt.Sprint("x", g.next), "type": "function", "function": map[string]any{"name": name, "arguments": fmt.Sprintf(`{"n":%d}`, n)}},
	}[g.IntN(4)]
}

// addAside puts a call into an odd place of the record.
func (g *maker) addAside(m *drawnRecord, talk []any) {
	g.next++
	name := fmt.Sprint("aside_", g.next)
	one := []any{g.write(name, 1)}
	said := talk[len(talk)-1].(map[string]any)
	m.aside = append(m.aside, name)
	switch g.IntN(8) {
	case 0:
		m.row[g.pick("spans", "steps", "actions", "tools_called")] = one
	case 1:
		said[g.pick("actions", "invocations")] = one
	case 2:
		said[g.pick("metadata", "extra")] = map[string]any{"calls": one}
	case 3:
		said["content"] = []any{map[string]any{"type": "odd_thing", "name": name, "input": map[string]any{"n": 1}}}
	case 4:
		said["content"] = `So: <tool_call>{"name": "` + name + `", "arguments": {"n": 1}}</tool_call>`
	case 5:
		text, _ := json.Marshal([]any{map[string]any{"role": "assistant", "content": "", "tool_calls": one}})
		m.row[g.pick("log", "raw", "debug")] = string(text)
	case 6:
		m.row["sub_agent"] = map[string]any{"messages": []any{map[string]any{"role": "assistant", "content": "", "tool_calls": one}}}
	case 7:
		m.row["tools_called"] = []any{g.write(name, 1), map[string]any{"odd": "wipe"}}
		m.aside = append(m.aside, "wipe")
	}
}

// addDecoy puts something into the record that only looks like a call of the agent.
func (g *maker) addDecoy(m *drawnRecord, talk []any) {
	call := map[string]any{"name": "decoy", "arguments": map[string]any{"n": 9}}
	text, _ := json.Marshal(call)
	switch g.IntN(4) {
	case 0:
		m.row["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{"name": "decoy", "description": "d", "parameters": map[string]any{"type": "object"}}}}
	case 1:
		talk[0].(map[string]any)["content"] = "Do <tool_call>" + string(text) + "</tool_call>"
	case 2:
		for _, e := range talk {
			if e.(map[string]any)["role"] == "tool" {
				e.(map[string]any)["content"] = string(text)
			}
		}
	case 3:
		m.row["input"] = string(text)
	}
}

// record makes a record: a conversation with calls, of which some are equal and some wait for
// a person, perhaps the same calls again as a list, something aside, an expected side and an
// outcome.
func (g *maker) record(i int) drawnRecord {
	m := drawnRecord{row: map[string]any{}}
	talk := []any{map[string]any{"role": "user", "content": fmt.Sprint("Do ", g.IntN(3))}}
	var again []any
	ids := g.IntN(2) == 0 // the list has ids of its own
	for k := range 1 + g.IntN(4) {
		name, n := fmt.Sprint("tool_", g.IntN(3)), g.IntN(2)
		id := fmt.Sprint("call_", k)
		call := map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": fmt.Sprintf(`{"n":%d}`, n)}}
		m.calls = append(m.calls, describeCall(name, n))
		told := map[string]any{"name": name, "arguments": map[string]any{"n": n}}
		if ids {
			told["id"] = fmt.Sprint("told_", k)
		}
		again = append(again, told)
		talk = append(talk, map[string]any{"role": "assistant", "content": "", "tool_calls": []any{call}})
		if g.IntN(5) == 0 {
			call["status"] = g.pick("pending_approval", "rejected", "awaiting_approval", "requires_action", "approval-requested", "not_executed")
			m.proposed = append(m.proposed, describeCall(name, n))
		} else {
			talk = append(talk, map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
		}
	}
	talk = append(talk, map[string]any{"role": "assistant", "content": "Done."})
	if g.IntN(5) < 2 {
		g.addAside(&m, talk)
	}
	if name := g.pick("tools_called", "spans", "steps"); g.IntN(4) == 0 && m.row[name] == nil {
		if g.IntN(3) == 0 && m.aside == nil { // the list has one more
			more := maps.Clone(again[len(again)-1].(map[string]any))
			if ids {
				more["id"] = "more"
			}
			again, m.more = append(again, more), true
			m.calls = append(m.calls, m.calls[len(m.calls)-1])
		}
		m.row[name] = again
	}
	if g.IntN(3) == 0 {
		g.addDecoy(&m, talk)
	}
	if g.IntN(2) == 0 {
		g.addExpected(&m)
	}
	if g.IntN(2) == 0 {
		g.addOutcome(&m)
	}
	m.row[g.pick("id", "case_id", "trial_index", "caseId")] = 100 + i
	m.row["messages"] = talk
	return m
}

func (g *maker) addExpected(m *drawnRecord) {
	side := g.pick("expected", "reference", "ground_truth", "gold", "golden", "ideal", "target", "correct", "should", "desired")
	word := g.pick("tools", "tool_calls", "calls", "trajectory", "actions", "steps", "call")
	name := side + "_" + word
	switch g.IntN(4) {
	case 0:
		name = camelCase(name)
	case 1:
		name = word + "_" + side
	}
	m.wanted = []string{}
	var calls []any
	for range 1 + g.IntN(3) {
		tool, n := fmt.Sprint("tool_", g.IntN(3)), g.IntN(2)
		calls = append(calls, []any{g.write(tool, n), fmt.Sprintf("%s(n=%d)", tool, n)}[g.IntN(2)])
		m.wanted = append(m.wanted, describeCall(tool, n))
	}
	m.row[name] = calls
}

func (g *maker) addOutcome(m *drawnRecord) {
	yes := g.IntN(2) == 0
	m.success = &yes
	name := g.pick("success", "passed", "correct", "is_success", "outcome", "resolved")
	value := []any{yes, shape.IfElse(yes, "pass", "fail"), shape.IfElse(yes, 1, 0)}[g.IntN(3)]
	switch g.IntN(4) {
	case 0:
		m.row[g.pick("metadata", "result", "metrics", "evaluation")] = map[string]any{name: value}
	case 1:
		m.row["status"] = shape.IfElse(yes, "passed", g.pick("failed", "error"))
	default:
		m.row[name] = value
	}
}

// complaints compares a document with the records from which it was drawnRecord.
func complaints(doc *trajectory.Document, records []drawnRecord) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(doc.Trajectories) != len(records) {
		say("%d runs of %d records", len(doc.Trajectories), len(records))
		return out
	}
	var warnings strings.Builder
	for _, w := range doc.Warnings {
		warnings.WriteString(w.Message)
	}
	for i := range records {
		m, run := &records[i], &doc.Trajectories[i]
		times, calls, unexecuted := map[string]int{}, []string(nil), []string(nil)
		for k := range run.Actions {
			a := &run.Actions[k]
			n, _ := a.Arguments.Get("n").Int()
			if strings.HasPrefix(a.Name, "aside_") {
				times[a.Name]++
				continue
			}
			calls = append(calls, describeCall(a.Name, int(n)))
			if a.Proposed {
				unexecuted = append(unexecuted, describeCall(a.Name, int(n)))
			}
		}
		if last := len(m.calls) - 1; m.more && run.Doubt != "" && fmt.Sprint(calls) == fmt.Sprint(m.calls[:last]) {
			calls = m.calls // the last one is stated
		}
		if fmt.Sprint(calls) != fmt.Sprint(m.calls) {
			say("run %d: called %v, want %v", i+1, calls, m.calls)
		}
		for _, name := range m.aside {
			if stated := run.Doubt != "" && strings.Contains(run.Doubt+warnings.String(), name); times[name] != 1 && !stated || times[name] > 1 {
				say("run %d: %s was read %d times and is not stated", i+1, name, times[name])
			}
		}
		if len(m.aside) == 0 && !m.more && run.Doubt != "" {
			say("run %d: doubt without a reason: %s", i+1, run.Doubt)
		}
		if fmt.Sprint(unexecuted) != fmt.Sprint(m.proposed) {
			say("run %d: %v were not executed, want %v", i+1, unexecuted, m.proposed)
		}
		if got := wantedIn(run); fmt.Sprint(got) != fmt.Sprint(m.wanted) || (got == nil) != (m.wanted == nil) {
			say("run %d: wanted %v, want %v", i+1, got, m.wanted)
		}
		if got, want := describeOutcome(run.Success), describeOutcome(m.success); got != want {
			say("run %d: success %s, want %s", i+1, got, want)
		}
	}
	return out
}

func wantedIn(run *trajectory.Trajectory) []string {
	if run.Reference == nil {
		return nil
	}
	out := []string{}
	for _, s := range run.Reference.Steps {
		n, _ := s.Arguments.Get("n").Int()
		out = append(out, describeCall(s.Name, int(n)))
	}
	return out
}

func describeOutcome(success *bool) string {
	if success == nil {
		return "unknown"
	}
	return fmt.Sprint(*success)
}

// writeMade writes records as lines, as a list, or as a list in a member.
func writeMade(t *testing.T, records []drawnRecord, form int) string {
	t.Helper()
	var rows []string
	for _, m := range records {
		b, err := json.Marshal(m.row)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(b))
	}
	switch form {
	case 0:
		return strings.Join(rows, "\n")
	case 1:
		return "[" + strings.Join(rows, ",\n") + "]"
	}
	return `{"version":1,"results":[` + strings.Join(rows, ",\n") + "]}"
}

// TestNothingIsLost checks generated records in several envelopes: each record is one run,
// each call is read once or stated as unread, and both sides, the states and the outcomes are
// those that were written. The faults that a reader may have are drawnRecord in the document, too:
// the comparison must notice each of them.
func TestNothingIsLost(t *testing.T) {
	g := &maker{Rand: rand.New(rand.NewPCG(41, 9))}
	noticed := map[string]int{}
	for range shape.IfElse(os.Getenv("BOUNDCHECK_LONG") == "1", 20000, 500) {
		var records []drawnRecord
		for i := range 1 + g.IntN(4) {
			records = append(records, g.record(i))
		}
		text := writeMade(t, records, shape.IfElse(len(records) == 1, g.IntN(2), g.IntN(3)))
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if found := complaints(&doc, records); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), text)
		}
		for name, spoil := range spoilers {
			if spoiled := doc; spoil(&spoiled) {
				if noticed[name]++; len(complaints(&spoiled, records)) == 0 {
					t.Fatalf("nobody noticed: %s\n%s", name, text)
				}
			}
		}
	}
	for name := range spoilers {
		if noticed[name] < 20 {
			t.Errorf("%s happened only %d times", name, noticed[name])
		}
	}
}

// spoilers are the faults of readers. Each changes a copy of a document, and reports whether
// it did.
var spoilers = map[string]func(doc *trajectory.Document) bool{
	"two rows are joined": func(doc *trajectory.Document) bool {
		if len(doc.Trajectories) < 2 {
			return false
		}
		runs := slices.Clone(doc.Trajectories)
		runs[1].Actions = slices.Concat(runs[0].Actions, runs[1].Actions)
		doc.Trajectories = runs[1:]
		return true
	},
	"an equal call is dropped": func(doc *trajectory.Document) bool {
		runs := slices.Clone(doc.Trajectories)
		for i := range runs {
			for j, a := range runs[i].Actions {
				for k, b := range runs[i].Actions[:j] {
					if a.Name == b.Name && a.Arguments.Canonical() == b.Arguments.Canonical() {
						runs[i].Actions = slices.Delete(slices.Clone(runs[i].Actions), k, k+1)
						doc.Trajectories = runs
						return true
					}
				}
			}
		}
		return false
	},
	"the sides are swapped": func(doc *trajectory.Document) bool {
		runs := slices.Clone(doc.Trajectories)
		for i := range runs {
			if runs[i].Reference == nil || fmt.Sprint(wantedIn(&runs[i])) == describeActions(&runs[i]) {
				continue
			}
			var actions []trajectory.Action
			for _, s := range runs[i].Reference.Steps {
				actions = append(actions, trajectory.Action{Name: s.Name, Arguments: s.Arguments})
			}
			runs[i].Actions = actions
			doc.Trajectories = runs
			return true
		}
		return false
	},
	"an outcome is lost": func(doc *trajectory.Document) bool {
		runs := slices.Clone(doc.Trajectories)
		runs[0].Success = nil
		changed := doc.Trajectories[0].Success != nil
		doc.Trajectories = runs
		return changed
	},
}

func describeActions(run *trajectory.Trajectory) string {
	out := []string{}
	for _, a := range run.Actions {
		n, _ := a.Arguments.Get("n").Int()
		out = append(out, describeCall(a.Name, int(n)))
	}
	return fmt.Sprint(out)
}
