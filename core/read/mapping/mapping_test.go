package mapping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read"
)

// applyMapping applies a mapping to a text and decodes the result. It returns the runs
// and their calls in one line.
func applyMapping(t *testing.T, m *Map, text string) string {
	t.Helper()
	generic, n, err := m.Apply([]byte(text))
	if err != nil {
		return err.Error()
	}
	doc, err := read.Decode(generic)
	if err != nil {
		t.Fatalf("the result of the mapping cannot be read: %v\n%s", err, generic)
	}
	var out []string
	seen := 0
	for _, r := range doc.Trajectories {
		word := r.Task
		if r.Success != nil {
			word += map[bool]string{true: "+", false: "-"}[*r.Success]
		}
		for _, a := range r.Actions {
			seen++
			call := a.Name + a.Arguments.Raw()
			if a.Observation != nil {
				call += "=" + a.Observation.Text
			}
			if a.Failed() {
				call += "!"
			}
			word += " " + call
		}
		out = append(out, strings.TrimSpace(word))
	}
	if seen != n {
		t.Errorf("%d calls are told, %d read", n, seen)
	}
	return strings.Join(out, " | ")
}

func TestApply(t *testing.T) {
	check := func(mapping, text, want string) {
		t.Helper()
		m, err := Parse(mapping)
		if err != nil {
			t.Fatal(mapping, err)
		}
		if got := applyMapping(t, m, text); got != want {
			t.Errorf("%s of %s\ngot  %s\nwant %s", mapping, text, got, want)
		}
	}
	const steps = `{"steps":[{"toolCalls":[{"toolName":"get","input":{"id":1},"out":"ok"},{"toolName":"cut","input":"{\"id\":2}","out":"no","bad":true}]},{"text":"hm"},{"toolCalls":[{"toolName":"put"}]}]}`
	check("calls=steps.#.toolCalls,name=toolName,arguments=input,result=out,error=bad", steps, `get{"id":1}=ok cut{"id":2}=no! put`)
	check("calls=.steps[].toolCalls[],name=.toolName,arguments=.input", steps, `get{"id":1} cut{"id":2} put`)
	check("runs=@this,task=case,success=ok,calls=did,name=fn.name,arguments=fn.args", `[{"case":"a","ok":true,"did":[{"fn":{"name":"x","args":{}}}]},{"case":"b","ok":"failed","did":[{"fn":{"name":"y"}}]}]`, `a+ x{} | b- y`)
	check("runs=.[],calls=did,name=name", "{\"did\":[{\"name\":\"x\"}]}\n\n{\"did\":[{\"name\":\"y\"}]}\n", `x | y`)
	check("calls=@this,name=tool,error=code,result=out", "{\"tool\":\"x\",\"code\":0,\"out\":\"1\"}\n{\"tool\":\"y\",\"code\":2,\"out\":\"2\"}", `x=1 y=2!`)
	check("calls=@this,name=tool,error=status", `[{"tool":"x","status":"ok"},{"tool":"y","status":"timed out"},{"tool":"z","status":""}]`, `x y=timed out! z`)
	check(`calls=log.#(kind=="call")#,name=what`, `{"log":[{"kind":"call","what":"x"},{"kind":"note","what":"y"},{"kind":"call","what":"z"}]}`, `x z`)
	check("calls=steps,name=tool", `{"steps":[{"toll":"x"}]}`, "the mapping finds no name at tool in a call; the call is an object with the members toll")
	check("calls=stops,name=tool", `{"steps":[{"tool":"x"}]}`, "the mapping finds no call at the path stops. The first run is an object with the members steps")
	check("runs=rs,calls=c,name=n", `[{"a":[]}]`, "the mapping finds no run at rs; the text is a list of length 1 whose first element is an object with the members a")
	if got := applyMapping(t, &Map{Calls: "a", Name: "b"}, "no json"); !strings.HasPrefix(got, "the text for the mapping is not JSON or JSONL") {
		t.Errorf("got %s", got)
	}
}

func TestBrokenTable(t *testing.T) {
	m := &Map{Calls: "actual_calls", Name: "name"}
	if _, _, err := m.Apply([]byte("id,expected_calls,actual_calls\n1,\"a(b=1)\",\"a(b\n")); err == nil || !strings.Contains(err.Error(), "a table in CSV") {
		t.Errorf("a table that cannot be read: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":               "want MEMBER=PATH",
		"calls":          "want MEMBER=PATH",
		"calls=a":        `needs "name"`,
		"name=a":         `needs "calls"`,
		"cals=a":         `unknown member "cals"`,
		"calls= ,name=b": "has no path",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	m, err := Parse(`runs=a,calls=b.#(c=="x,y")#,name=d`)
	if err != nil || m.Calls != `b.#(c=="x,y")#` {
		t.Errorf("a comma in a path: %+v, %v", m, err)
	}
	if again, err := Parse(m.String()); err != nil || *again != *m {
		t.Errorf("%s is read as %+v, %v", m, again, err)
	}
}

// TestPropose checks that a proposed mapping reads the calls in the text.
func TestPropose(t *testing.T) {
	check := func(text, mapping, want string) {
		t.Helper()
		m, n, err := Propose([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		if got := applyMapping(t, m, text); m.String() != mapping || got != want || n == 0 {
			t.Errorf("%s\nproposed %s\nwant     %s\nread %s\nwant %s", text, m, mapping, got, want)
		}
	}
	check(`{"meta":{"name":"run"},"steps":[{"thought":"hm","toolCalls":[{"toolName":"get","input":{"id":1},"output":"ok"}]},{"toolCalls":[{"toolName":"put","input":{}}]}]}`,
		"calls=steps.#.toolCalls,name=toolName,arguments=input,result=output", `get{"id":1}=ok put{}`)
	check(`{"runs":[{"task_id":"a","passed":true,"did":[{"fn":{"name":"x","args":{"a.b":1}}}]},{"task_id":"b","passed":false,"did":[{"fn":{"name":"y","args":{}}}]}]}`,
		"runs=runs,task=task_id,success=passed,calls=did,name=fn.name,arguments=fn.args", `a+ x{"a.b":1} | b- y{}`)
	check("{\"tool\":\"x\",\"params\":{},\"exit_code\":0}\n{\"tool\":\"y\",\"params\":{\"q\":1},\"exit_code\":1}", "calls=@this,name=tool,arguments=params,error=exit_code", `x{} y{"q":1}=!`)
	check(`[{"calls":[{"action":"x","kwargs":{"a":1}}]},{"calls":[{"action":"y","kwargs":{}}]}]`, "runs=@this,calls=calls,name=action,arguments=kwargs", `x{"a":1} | y{}`)
	check(`{"odd key.s":[{"name":"x","args":"{\"a\":1}"}]}`, `calls=odd key\.s,name=name,arguments=args`, `x{"a":1}`)
	check("{\"case\":\"a\",\"did\":[{\"operation\":\"find_it\",\"payload\":{\"n\":1},\"answer\":\"yes\"}],\"ok\":false}\n{\"case\":\"b\",\"did\":[]}", "runs=@this,task=case,success=ok,calls=did,name=operation,arguments=payload,result=answer", `a- find_it{"n":1}=yes | b`)
	check(`{"nodes":[{"kind":"say","text":"x"},{"kind":"use","target":"find_it","values":{"n":1}}]}`, `calls=nodes.#(kind=="use")#,name=target,arguments=values`, `find_it{"n":1}`)
	check(`{"actions":[{"say":{"text":"x"}},{"use":{"skill":"find_it","slots":{"n":1},"out":2}}]}`, `calls=actions.#(use.skill%"*")#,name=use.skill,arguments=use.slots,result=use.out`, `find_it{"n":1}=2`)
	for _, text := range []string{`{}`, `[]`, `[1,2]`, `{"plan":["find_it(n=1)"]}`, `{"people":[{"name":"Ada","age":3}]}`, `{"messages":[{"role":"user","content":"x"}]}`} {
		if m, _, err := Propose([]byte(text)); err == nil {
			t.Errorf("%s: proposed %s", text, m)
		}
	}
}

func FuzzPropose(f *testing.F) {
	f.Add(`{"steps":[{"toolCalls":[{"toolName":"get","input":{"id":1}}]}]}`)
	f.Add("{\"tool\":\"x\",\"params\":{}}\n{\"tool\":\"y\",\"params\":{}}")
	f.Fuzz(func(t *testing.T, text string) {
		m, _, err := Propose([]byte(text))
		if err != nil {
			return
		}
		again, err := Parse(m.String())
		if err != nil || *again != *m {
			t.Fatalf("%s is read as %+v, %v", m, again, err)
		}
	})
}

// TestProposeShapes checks the proposals for spans with types, tables, maps of records and
// JSON inside strings.
func TestProposeShapes(t *testing.T) {
	for text, want := range map[string]string{
		`{"spans":[{"type":"agent","name":"desk","input":{"q":1}},{"type":"tool","name":"x","input":{"a":1}}]}`: `calls=spans.#(type=="tool")#,name=name,arguments=input`,
		`[{"kind":"llm","name":"m","input":{}},{"kind":"TOOL_CALL","name":"x","input":"{\"a\":1}"}]`:            `calls=#(kind=="TOOL_CALL")#,name=name,arguments=input`,
		`{"r1":{"log":[{"tool":"x","input":{"a":1}}]},"r2":{"log":[{"tool":"y","input":{}}]}}`:                  `runs=@values,calls=log,name=tool,arguments=input`,
		"{\"q\":\"a\",\"did\":\"[{\\\"tool\\\":\\\"x\\\",\\\"args\\\":{}}]\"}\n{\"q\":\"b\",\"did\":\"[]\"}":    `runs=@this,calls=did.@fromstr,name=tool,arguments=args`,
		`{"trace":"{\"steps\":[{\"tool\":\"x\",\"args\":{}}]}"}`:                                                `calls=trace.@fromstr.steps,name=tool,arguments=args`,
	} {
		m, calls, err := Propose([]byte(text))
		if err != nil || m.String() != want || calls != 1 && !strings.HasPrefix(want, "runs=@values") {
			t.Errorf("%s\nproposed %v with %d calls, %v\nwant     %s", text, m, calls, err, want)
			continue
		}
		if measured, err := m.Measure([]byte(text)); err != nil || measured.Fault() != "" {
			t.Errorf("%s: %+v, %v", text, measured, err)
		}
	}
}

// TestMeasureConserves checks over generated texts that the calls which a mapping reads and
// those which it is said not to read are all calls of the text, and that a mapping without
// runs says how many records it joins.
func TestMeasureConserves(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 9))
	faults := 0
	for range 500 {
		text, total, records := madeText(r)
		m, calls, err := Propose([]byte(text))
		if err != nil {
			if total > 0 {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		got, err := m.Measure([]byte(text))
		if err != nil || got.Calls != calls || got.Calls+got.Unread != total {
			t.Fatalf("%s\n%s: %+v of %d calls, %v", text, m, got, total, err)
		}
		if records > 1 && got.Runs < records && got.Joined == 0 && got.Unread == 0 {
			t.Fatalf("%s\n%s: %d records are joined without a word", text, m, records)
		}
		one := *m // a mapping that reads one record
		if one.Runs, one.Calls = "", "0."+m.Calls; m.Runs == "@this" && records > 1 {
			if less, err := one.Measure([]byte(text)); err != nil || less.Calls+less.Unread != total || less.Fault() == "" {
				t.Fatalf("%s\n%s: %+v of %d calls, %v", text, &one, less, total, err)
			}
			faults++
		}
	}
	if faults < 50 {
		t.Errorf("only %d mappings read one record", faults)
	}
}

// madeText makes a text with records. It returns the number of its calls, and the number of
// records that have a call.
func madeText(r *rand.Rand) (text string, calls, records int) {
	shape, inString, extra := r.IntN(4), r.IntN(2) == 0, r.IntN(4) == 0
	var rows []string
	for i := range 1 + r.IntN(4) {
		var list []string
		for range r.IntN(4) {
			list = append(list, fmt.Sprintf(`{"type":"tool","name":"t%d","input":{"n":%d},"output":{"name":"in","input":{}}}`, r.IntN(3), r.IntN(3)))
		}
		if calls += len(list); len(list) > 0 {
			records++
		}
		if r.IntN(2) == 0 {
			list = append(list, `{"type":"llm","name":"m","input":{"q":1}}`)
		}
		spans := "[" + strings.Join(list, ",") + "]"
		if inString {
			spans = jsonval.Quoted(spans)
		}
		later := ""
		if extra && i == 0 {
			later, calls = `,"later":[{"tool":"zap","args":{}}]`, calls+1
			if len(list) == 0 || !strings.Contains(spans, "tool") {
				records++
			}
		}
		rows = append(rows, fmt.Sprintf(`{"id":"r%d","q":"x","spans":%s%s}`, i, spans, later))
	}
	switch shape {
	case 0:
		return strings.Join(rows, "\n"), calls, records
	case 1:
		return "[" + strings.Join(rows, ",") + "]", calls, records
	case 2:
		return `{"runs":[` + strings.Join(rows, ",") + "]}", calls, records
	}
	for i := range rows {
		rows[i] = fmt.Sprintf(`"r%d":%s`, i, rows[i])
	}
	return "{" + strings.Join(rows, ",") + "}", calls, records
}
