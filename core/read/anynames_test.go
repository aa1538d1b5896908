package read

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// The law: whatever the members of a file are called, its calls are read as those of its runs, or
// the file is refused, or each of its runs is doubtful. With the names that people use, they are
// read.

// drawnCall is a call of a generated run.
type drawnCall struct {
	name string
	args map[string]any
}

// drawnRun is a generated run; wanted is nil if nobody says what should have been done.
type drawnRun struct {
	id, question  string
	calls, wanted []drawnCall
}

// drawnNames are the names of members of one producer.
type drawnNames struct {
	tool, input, result, list, id, question, wanted string
	familiar                                        bool
}

var familiarNames = map[string][]string{
	"tool":     {"tool", "operation", "skill", "fn", "verb", "method", "command", "actionName", "tool_id", "capability", "procedure", "step_name", "func"},
	"input":    {"args", "payload", "slots", "kw", "params", "in", "tool_input", "actionPayload", "arguments", "fields", "options", "given"},
	"result":   {"out", "reply", "returned", "observation", "tool_result", "got", "response"},
	"list":     {"did", "steps", "trail", "actions", "log", "tool_trace", "acts", "events", "invoked"},
	"id":       {"id", "case", "session", "uid", "episode"},
	"question": {"question", "goal", "ask", "utterance", "prompt"},
	"wanted":   {"golden", "expected", "ideal", "gold_calls", "should", "reference_steps"},
}

func drawNames(r *rand.Rand, familiar bool) drawnNames {
	pick := func(kind string) string {
		if list := familiarNames[kind]; familiar {
			return list[r.IntN(len(list))]
		}
		word := ""
		for range 3 + r.IntN(5) {
			word += string(rune('a' + r.IntN(26)))
		}
		return word + kind[:1]
	}
	return drawnNames{pick("tool"), pick("input"), pick("result"), pick("list"), pick("id"), pick("question"), pick("wanted"), familiar}
}

func drawRuns(r *rand.Rand) []drawnRun {
	tools := []string{"find_order", "cancel_order", "book.room", "sendMail"}
	call := func() drawnCall {
		k := r.IntN(len(tools))
		return drawnCall{tools[k], map[string]any{fmt.Sprint("a", k): r.IntN(4), "b" + fmt.Sprint(k): []any{"x", true, 2.5}[r.IntN(3)]}}
	}
	list := func(n int) (calls []drawnCall) {
		for range n {
			calls = append(calls, call())
		}
		return calls
	}
	runs := make([]drawnRun, 1+r.IntN(50))
	sides := r.IntN(2) == 0
	for i := range runs {
		runs[i] = drawnRun{id: fmt.Sprint("r", i), question: fmt.Sprint("Please do number ", i), calls: list(1 + r.IntN(4))}
		if sides {
			runs[i].wanted = list(1 + r.IntN(2))
		}
	}
	return runs
}

// writeCalls writes calls in a form: objects, arguments as text, a tool in an object, names as
// members, tuples, texts, or lists beside each other.
func writeCalls(calls []drawnCall, form int, n *drawnNames, results bool) any {
	list := []any{}
	for _, c := range calls {
		text, _ := json.Marshal(c.args)
		var e any
		switch o := map[string]any{}; form {
		case 0:
			o[n.tool], o[n.input], e = c.name, c.args, o
		case 1:
			o[n.tool], o[n.input], e = c.name, string(text), o
		case 2:
			o[c.name], e = c.args, o
			results = false
		case 3:
			e = []any{c.name, c.args, "done"}
		default:
			var parts []string
			for _, key := range slices.Sorted(mapKeys(c.args)) {
				v, _ := json.Marshal(c.args[key])
				parts = append(parts, key+"="+strings.NewReplacer("true", "True").Replace(string(v)))
			}
			e = c.name + "(" + strings.Join(parts, ", ") + ")"
		}
		if o, ok := e.(map[string]any); ok && results {
			o[n.result] = "all done"
		}
		list = append(list, e)
	}
	return list
}

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func writeDrawn(runs []drawnRun, n *drawnNames, form, envelope int, results bool) string {
	marshal := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	rows, named, lines := []any{}, map[string]any{}, ""
	var table strings.Builder
	w := csv.NewWriter(&table)
	w.Write([]string{n.id, n.question, n.list, n.wanted})
	for _, run := range runs {
		row := map[string]any{n.id: run.id, n.question: run.question, n.list: writeCalls(run.calls, form, n, results)}
		wanted := ""
		if run.wanted != nil {
			row[n.wanted] = writeCalls(run.wanted, form, n, false)
			wanted = marshal(row[n.wanted])
		}
		rows, named[run.id], lines = append(rows, row), row, lines+marshal(row)+"\n"
		w.Write([]string{run.id, run.question, marshal(row[n.list]), wanted})
	}
	w.Flush()
	switch envelope {
	case 0:
		return lines
	case 1:
		return marshal(rows)
	case 2:
		return marshal(map[string]any{"version": 2, "runs": rows})
	case 3:
		return marshal(named)
	}
	return table.String()
}

// showDrawn describes runs without an order, because a map has its members in another one.
func showDrawn(runs []string) string {
	slices.Sort(runs)
	return strings.Join(runs, "\n")
}

func TestAnyNames(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 11))
	read, refused := 0, 0
	for range drawn.Cases(150) {
		n, runs := drawNames(r, r.IntN(3) > 0), drawRuns(r)
		form, envelope := r.IntN(5), r.IntN(5)
		text := writeDrawn(runs, &n, form, envelope, r.IntN(2) == 0)
		var want []string
		for _, run := range runs {
			line := ""
			for _, c := range run.calls {
				args, _ := json.Marshal(c.args)
				line += " " + c.name + string(args)
			}
			if line += " <"; run.wanted != nil {
				line += fmt.Sprint(len(run.wanted))
			}
			want = append(want, line)
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			if refused++; n.familiar {
				t.Fatalf("%s\n%v", text[:min(len(text), 1500)], err)
			}
			continue
		}
		var got []string
		doubtful := true
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			got = append(got, showShape(run))
			doubtful = doubtful && (run.ByShape || run.Doubt != "")
		}
		if showDrawn(got) == showDrawn(want) {
			read++
		} else if n.familiar || !doubtful {
			t.Fatalf("%+v, form %d, envelope %d: %d runs of %d, doubtful %t\n%s\n%s\n%s", n, form, envelope, len(got), len(want), doubtful, text[:min(len(text), 1500)], strings.Join(got[:min(3, len(got))], "\n"), strings.Join(want[:min(3, len(want))], "\n"))
		}
	}
	t.Logf("%d files were read, %d refused", read, refused)
}

func showShape(run *trajectory.Trajectory) string {
	line := ""
	for _, a := range run.Actions {
		var args map[string]any
		json.Unmarshal([]byte(a.Arguments.Raw()), &args)
		text, _ := json.Marshal(args)
		line += " " + a.Name + string(text)
	}
	if line += " <"; run.Reference != nil {
		line += fmt.Sprint(len(run.Reference.Steps))
	}
	return line
}

// TestOtherCallsBesideKnown checks that calls in a form of their own, beside those of a known format
// or in what such a format takes for a call, are read or stated as unread.
func TestOtherCallsBesideKnown(t *testing.T) {
	const chat = `{"role":"user","content":"Cancel it"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"find_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}`
	const ops = `[{"operation":"cancel_order","payload":{"id":1}},{"operation":"send_mail","payload":{"to":"x"}}]`
	for _, text := range []string{
		`{"messages":[` + chat + `],"side_effects":` + ops + `}`,
		`{"messages":[` + chat + `,{"role":"assistant","content":"Done","ops":` + ops + `}]}`,
		`[{"name":"case_1","input":{"q":"x"},"output":"done","did":` + ops + `}]`,
		"{\"name\":\"case_1\",\"arguments\":{\"q\":\"x\"},\"trail\":" + ops + "}\n{\"name\":\"case_2\",\"arguments\":{\"q\":\"x\"},\"trail\":[]}",
		`{"actions":[{"name":"step_1","result":"x","ops":` + ops + `}]}`,
		`{"messages":[{"role":"user","content":"Cancel it"},{"role":"assistant","content":"","ops":` + ops + `}]}`,
	} {
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		calls, stated := map[string]bool{}, ""
		for _, run := range doc.Trajectories {
			for _, a := range run.Actions {
				calls[a.Name] = true
			}
			stated += run.Doubt
		}
		if !strings.Contains(stated, "2 objects look like calls") && !(calls["cancel_order"] && calls["send_mail"] && !calls["case_1"]) {
			t.Errorf("%s: read %v, stated %q", text, calls, stated)
		}
	}
	doc, err := Decode([]byte(`{"messages":[` + chat + `],"citations":[{"title":"a","source":{"page":1}}],"people":[{"name":"Ada","data":{"age":3}}],"tools":[{"name":"pay","description":"pays","parameters":{"n":1}}]}`))
	if err != nil || doc.Trajectories[0].Doubt != "" || len(doc.Warnings) > 0 {
		t.Errorf("things that are no calls: %v %+v", err, doc.Warnings)
	}
}
