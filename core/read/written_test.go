package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestServiceLogs writes drawn logs of events with a time, a level and the id of the session before each
// object. They are read as the logs in which each object has the id itself.
func TestServiceLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 38))
	wrong := 0
	for range drawn.Cases(300) {
		n := drawEventNames(r)
		n.session = "session"
		events, want := drawLog(r, &n)
		ids := []string{"session=%s", "agent[run=%s]", "conversation_id=%s", "(session:%s)"}
		mark, text := ids[r.IntN(len(ids))], ""
		for i, e := range events {
			o := e.(map[string]any)
			if inner, ok := o["data"].(map[string]any); ok {
				o = inner
			}
			id, _ := o["session"].(string)
			if delete(o, "session"); id == "" {
				id = "only"
			}
			line, _ := json.Marshal(e)
			text += fmt.Sprintf("2026-09-28T04:11:%02dZ INFO  %s %s\n", i%60, fmt.Sprintf(mark, id), line)
		}
		got, err := readLog(text)
		if a, b := showDrawn(got), showDrawn(slices.Collect(maps.Values(want))); a != b {
			if wrong++; wrong <= 3 {
				t.Errorf("%v\n%s\ngot\n%s\nwant\n%s", err, text, a, b)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong", wrong)
	}
}

// TestPropertiesOfCases writes the calls and the expected side of drawn cases into the properties of a
// report of a test runner.
func TestPropertiesOfCases(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 31))
	for range drawn.Cases(200) {
		var b, want strings.Builder
		b.WriteString("<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"pytest\">\n")
		cases, some := 2+r.IntN(4), false
		for i := range cases {
			calls, expected := []map[string]any{}, []string{}
			for range r.IntN(4) {
				calls = append(calls, map[string]any{"name": fmt.Sprintf("get_thing_%c", 'a'+r.IntN(5)), "args": map[string]any{"q": `x & "y" <z>`}})
			}
			for range r.IntN(3) {
				expected = append(expected, fmt.Sprintf("get_thing_%c", 'a'+r.IntN(5)))
			}
			some = some || len(calls) > 0
			passed := r.IntN(2) == 0
			property := func(name string, v any) string {
				text, _ := json.Marshal(v)
				return fmt.Sprintf("<property name=%q value=\"%s\"/>", name, strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(string(text)))
			}
			fmt.Fprintf(&b, "<testcase classname=\"t\" name=\"case_%d\"><properties>%s%s<property name=\"owner\" value=\"ops\"/></properties>", i, property("expected_tools", expected), property("tools_called", calls))
			if !passed {
				b.WriteString("<failure message=\"no\">t.py:5</failure>")
			}
			b.WriteString("</testcase>\n")
			fmt.Fprintf(&want, "t.case_%d %d %d %v\n", i, len(calls), len(expected), passed)
		}
		b.WriteString("</testsuite></testsuites>\n")
		if !some {
			continue
		}
		doc, err := Decode([]byte(b.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		var got strings.Builder
		for _, run := range doc.Trajectories {
			steps := -1
			if run.Reference != nil {
				steps = len(run.Reference.Steps)
			}
			fmt.Fprintf(&got, "%s %d %d %v\n", run.ID, len(run.Actions), steps, run.Success != nil && *run.Success)
		}
		if got.String() != want.String() {
			t.Fatalf("%s\ngot\n%swant\n%s", b.String(), got.String(), want.String())
		}
	}
}

// TestProposedBesideExecuted checks that of two lists beside each other, of what was proposed and of what
// was executed, each call counts once, and that only those of the second were executed.
func TestProposedBesideExecuted(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 34))
	for range drawn.Cases(300) {
		words := [][2]string{{"proposed_calls", "executed_calls"}, {"suggestedActions", "executedActions"}, {"planned_steps", "performed_steps"}}[r.IntN(3)]
		var rows []any
		want := ""
		for i := range 2 + r.IntN(3) {
			proposed, executed := []any{}, []any{}
			done, open := 0, 0
			for k := range 1 + r.IntN(3) {
				call := map[string]any{"tool": fmt.Sprintf("do_thing_%c", 'a'+r.IntN(4)), "args": map[string]any{"n": k}}
				if proposed = append(proposed, call); r.IntN(3) > 0 {
					executed = append(executed, call)
					done++
				} else {
					open++
				}
			}
			rows = append(rows, map[string]any{"case_no": fmt.Sprint("C-", i), "subject": "Please do it", words[0]: proposed, words[1]: executed})
			want += fmt.Sprintf("%d %d\n", done, open)
		}
		text, _ := json.Marshal(map[string]any{"requests": rows})
		if strings.Count(want, "0 ") == len(rows) {
			continue
		}
		doc, err := Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got := ""
		for _, run := range doc.Trajectories {
			done, open := 0, 0
			for _, a := range run.Actions {
				if a.Proposed {
					open++
				} else {
					done++
				}
			}
			got += fmt.Sprintf("%d %d\n", done, open)
		}
		if got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", text, got, want)
		}
	}
}

// TestRequestsTellRuns writes the runs of a LangSmith tree as the requests of its client: one when a run
// begins, and one when it ends. They are read as the tree.
func TestRequestsTellRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 12))
	for range drawn.Cases(200) {
		var posts, patches []map[string]any
		for trace := range 1 + r.IntN(3) {
			root := fmt.Sprint("trace-", trace)
			add := func(id, kind, name string, in, out any, failed bool) {
				order := root + "." + id
				begin := map[string]any{"id": id, "run_type": kind, "name": name, "trace_id": root, "dotted_order": order, "inputs": in, "child_runs": []any{}}
				end := map[string]any{"run_type": kind, "name": name, "trace_id": root, "dotted_order": order, "outputs": out}
				if failed {
					delete(end, "outputs")
					end["error"] = "Error: 503"
				}
				posts, patches = append(posts, begin), append(patches, end)
			}
			add(root, "chain", "agent", map[string]any{"question": "Dim the lamp"}, map[string]any{"answer": "Done"}, false)
			for k := range 1 + r.IntN(3) {
				add(fmt.Sprintf("%s-%d", root, k), "tool", fmt.Sprintf("set_lamp_%d", r.IntN(3)), map[string]any{"n": k}, map[string]any{"output": "ok"}, r.IntN(4) == 0)
			}
		}
		var whole, told strings.Builder
		for i := range posts {
			both := maps.Clone(posts[i])
			maps.Copy(both, patches[i])
			line, _ := json.Marshal(both)
			whole.Write(append(line, '\n'))
		}
		if r.IntN(2) == 0 {
			for i := range posts {
				for _, e := range []any{map[string]any{"method": "POST", "path": "/runs", "body": posts[i]}, map[string]any{"method": "PATCH", "path": "/runs/x", "body": patches[i]}} {
					line, _ := json.Marshal(e)
					told.Write(append(line, '\n'))
				}
			}
		} else {
			for i := 0; i < len(posts); i += 2 {
				line, _ := json.Marshal(map[string]any{"post": posts[i:min(i+2, len(posts))], "patch": patches[i:min(i+2, len(posts))]})
				told.Write(append(line, '\n'))
			}
		}
		show := func(text string) (s string) {
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for _, run := range doc.Trajectories {
				s += run.ID
				for _, a := range run.Actions {
					s += fmt.Sprintf(" %s%s=%v", a.Name, a.Arguments.Canonical(), a.Observation)
				}
				s += "\n"
			}
			return s
		}
		if got, want := show(told.String()), show(whole.String()); got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", told.String(), got, want)
		}
	}
}

// TestNamesOfCalls checks that a text without a letter is no tool, and that a list of names beside the
// calls with these names adds none.
func TestNamesOfCalls(t *testing.T) {
	for text, want := range map[string]int{
		`[{"call_id":"a","transcript_with_tool_calls":[{"role":"tool_call_invocation","tool_call_id":"t1","name":"find_ship","arguments":"{\"n\":1}"},{"role":"tool_call_result","tool_call_id":"t1","content":"ok"}],"call_analysis":{"call_summary":"…","custom_analysis_data":{}}}]`:                                                                           1,
		`{"modelResponses":[{"output":[{"type":"function_call","callId":"p2","name":"list_all","arguments":"{\"n\":1}"}]}],"last":{"newItems":[{"rawItem":{"type":"function_call","callId":"p2","name":"list_all","arguments":"{\"n\":1}"}}],"toolsUsed":["list_all"]}}`:                                                                                          1,
		`{"modelResponses":[{"output":[{"type":"function_call","callId":"p2","name":"list_all","arguments":"{\"n\":1}"}]}],"last":{"newItems":[],"toolsUsed":["list_all"]}}`:                                                                                                                                                                                      2,
		`{"modelResponses":[{"output":[{"type":"function_call","callId":"p2","name":"list_all","arguments":"{\"n\":1}"}]}],"last":{"newItems":[{"rawItem":{"type":"function_call","callId":"p3","name":"list_all","arguments":"{\"n\":2}"}},{"rawItem":{"type":"function_call","callId":"p4","name":"send","arguments":"{}"}}],"toolsUsed":["list_all","send"]}}`: 3,
	} {
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		n := 0
		for _, run := range doc.Trajectories {
			n += len(run.Actions)
		}
		if n != want {
			t.Errorf("%d calls, want %d\n%s", n, want, text)
		}
	}
}

// TestNumberedColumns writes the calls and the expected side of drawn cases into columns with numbers, or
// into one column each. Both are read alike.
func TestNumberedColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 33))
	for range drawn.Cases(200) {
		width, wide, narrow := 2+r.IntN(3), "run_id,prompt", "run_id,prompt,gold_tools,called_tools,score\n"
		for _, side := range []string{"gold_tool", "called_tool"} {
			for k := range width {
				wide += fmt.Sprintf(",%s_%d", side, k+1)
			}
		}
		wide += ",score\n"
		for i := range 2 + r.IntN(4) {
			row := fmt.Sprintf("lot-%d,Please do it", i)
			wide += row
			narrow += row
			for range 2 {
				var calls []string
				for range r.IntN(width + 1) {
					calls = append(calls, fmt.Sprintf("get_thing_%c", 'a'+r.IntN(4)))
				}
				wide += "," + strings.Join(calls, ",") + strings.Repeat(",", width-max(1, len(calls)))
				narrow += `,"` + strings.Join(calls, ", ") + `"`
			}
			wide += ",1.0\n"
			narrow += ",1.0\n"
		}
		show := func(text string) (s string) {
			doc, err := Decode([]byte(text))
			if err != nil {
				return "none"
			}
			for _, run := range doc.Trajectories {
				s += fmt.Sprint(run.ID, " ", run.Reference != nil)
				if run.Reference != nil {
					for _, step := range run.Reference.Steps {
						s += " " + step.Name
					}
				}
				for _, a := range run.Actions {
					s += " did " + a.Name
				}
				s += "\n"
			}
			return s
		}
		if got, want := show(wide), show(narrow); got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", wide, got, want)
		}
	}
}

// TestNumberedSteps writes drawn calls with their arguments into columns with a number at any place in the
// name, and in a drawn order. Each call is read with its arguments, in the order of the numbers.
func TestNumberedSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 77))
	heads := [][3]string{{"step%d_tool", "step%d_args", "step%d_result"}, {"tool_%d", "args_%d", "output_%d"}, {"call %d name", "call %d arguments", "call %d response"}, {"tool%dName", "tool%dInput", "tool%dOutput"}, {"%d. action", "%d. params", "%d. observation"}}
	for range drawn.Cases(200) {
		width, head := 2+r.IntN(11), heads[r.IntN(len(heads))]
		side := ""
		if r.IntN(4) == 0 && !strings.HasPrefix(head[0], "%") && !strings.Contains(head[0], "Name") {
			side = "expected_"
		}
		type column struct{ number, part int }
		var columns []column
		results := r.IntN(2) == 0 && side == ""
		for k := range width {
			columns = append(columns, column{k + 1, 0}, column{k + 1, 1})
			if results {
				columns = append(columns, column{k + 1, 2})
			}
		}
		if r.IntN(2) == 0 {
			r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		}
		text, want := "run_id", ""
		for _, c := range columns {
			text += "," + fmt.Sprintf(side+head[c.part], c.number)
		}
		text += ",success"
		if side != "" {
			text += ",actual_calls"
		}
		text += "\n"
		for i := range 2 + r.IntN(3) {
			n := r.IntN(width + 1)
			n = shape.IfElse(i == 0, width, n)
			text += fmt.Sprintf("lot-%d", i)
			for _, c := range columns {
				text += ","
				if c.number > n {
					continue
				}
				switch c.part {
				case 0:
					text += fmt.Sprintf("get_thing_%c", 'a'+c.number%3)
				case 1:
					text += fmt.Sprintf(`"{""n"": %d}"`, i*100+c.number)
				case 2:
					text += fmt.Sprintf("found %d", c.number)
				}
			}
			text += ",1" + shape.IfElse(side != "", ",[]", "") + "\n"
			want += fmt.Sprintf("lot-%d true", i)
			for k := 1; k <= n; k++ {
				want += fmt.Sprintf(` get_thing_%c{"n": %d}`, 'a'+k%3, i*100+k) + shape.IfElse(results, fmt.Sprintf("=found %d", k), "")
			}
			want += "\n"
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got := ""
		for _, run := range doc.Trajectories {
			got += fmt.Sprint(run.ID, " ", run.Success != nil && *run.Success)
			for _, a := range run.Actions {
				got += " " + a.Name + a.Arguments.Raw()
				if results && a.Observation != nil {
					got += "=" + a.Observation.Text
				}
			}
			if side != "" && run.Reference != nil {
				for _, step := range run.Reference.Steps {
					got += " " + step.Name + step.Arguments.Raw()
				}
			}
			got += "\n"
		}
		if got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", text, got, want)
		}
	}
}

// TestColumnsOfConsole checks that a line of a console may say in a column what became of the call.
func TestColumnsOfConsole(t *testing.T) {
	text := "[1/2] pitch-change\n  user    Can we move?\n  tool    find_pitches {\"n\": 3}    ok    41 ms\n  tool    move_booking {\"id\": 1}    ERROR 502 gateway\n  tool    refund {\"id\": 1}    blocked by policy\n  expect  find_pitches, move_booking\n  PASS    1.9 s\n\n" +
		"[2/2] dog-rules\n  user    Are dogs allowed?\n  agent   Yes.\n  expect  (no tools)\n  FAIL    0.6 s\n"
	doc, err := Decode([]byte(text))
	if err != nil || len(doc.Trajectories) != 2 {
		t.Fatal(err, len(doc.Trajectories))
	}
	a, b := doc.Trajectories[0], doc.Trajectories[1]
	if got := fmt.Sprint(len(a.Actions), a.Actions[1].Observation.Error, a.Actions[2].Refused, len(a.Reference.Steps), *a.Success, len(b.Actions), b.Reference != nil && len(b.Reference.Steps) == 0, *b.Success); got != "3 true true 2 true 0 true false" {
		t.Error(got)
	}
}

// TestStateWithReason checks that the state of a call may have its reason behind it.
func TestStateWithReason(t *testing.T) {
	for word, want := range map[string]shape.CallState{
		"error: no existe": {Flag: shape.Failed}, "no ejecutada (bloqueada por política)": {Flag: shape.Failed, Refused: true},
		"skipped (dry run)": {Flag: shape.Failed, Refused: true}, "ok: 3 rows": {Flag: shape.Fine}, "recusada pelo operador, não executada": {Flag: shape.Failed, Refused: true}, "bloccata prima dell'esecuzione": {Flag: shape.Failed, Refused: true}, "cancelled order 5": {},
		"invoice: pending": {}, "open (see below)": {},
	} {
		if got := shape.WordState(word); got != want {
			t.Errorf("%q is %+v, want %+v", word, got, want)
		}
	}
}
