package byshape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// showRuns describes what was found: for each run its calls with their results, what should have
// been done, and the outcome.
func showRuns(t *testing.T, text string) string {
	t.Helper()
	var values []jsonval.Value
	for _, line := range strings.Split(text, "\n") {
		v, err := jsonval.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	if len(values) == 1 && values[0].Kind() == jsonval.Array {
		values = values[0].Elements()
	}
	var out []string
	for _, r := range Find(values, true).Runs {
		var parts []string
		for _, item := range r.Items {
			if c := item.Call; c != nil {
				word := c.Name + c.Arguments.Raw()
				if c.Result.Exists() {
					word += "=" + c.Result.Text()
				}
				parts = append(parts, word)
			}
		}
		if r.Expects {
			parts = append(parts, "<")
			for _, c := range r.Wanted {
				parts = append(parts, c.Name+c.Arguments.Raw())
			}
		}
		for _, o := range r.Records {
			if e := shape.OutcomeOf(o); e.Yes || e.No {
				parts = append(parts, fmt.Sprint(e.Yes))
				break
			} else if o.SaysFailed(false) {
				parts = append(parts, "false")
				break
			}
		}
		out = append(out, strings.Join(parts, " "))
	}
	return strings.Join(out, " | ")
}

// TestFind tries each form of calls, and each way in which a text has its runs.
func TestFind(t *testing.T) {
	for _, c := range [...]struct{ what, text, want string }{
		{"other names", "{\"ask\":\"Do it now\",\"did\":[{\"operation\":\"find_it\",\"payload\":{\"n\":1},\"answer\":\"yes\"}],\"golden\":[{\"operation\":\"drop_it\",\"payload\":{\"n\":2}}],\"ok\":false}\n{\"ask\":\"Do it again\",\"did\":[],\"golden\":[],\"correct\":true}",
			`find_it{"n":1}=yes < drop_it{"n":2} false | true`},
		{"checks of a suite", `{"suite":"nightly","checks":[{"case":"a","ask":"Book it","should_do":[{"fn":"book","kw":{"n":8}}],"did":[{"fn":"book","kw":{"n":8},"ret":"ok"}],"correct":true},{"case":"b","ask":"Show it","should_do":[{"fn":"open_it","kw":{"n":9}}],"did":[{"fn":"book","kw":{"n":9},"ret":"ok"}],"ok":false}]}`,
			`book{"n":8}=ok < book{"n":8} true | book{"n":9}=ok < open_it{"n":9} false`},
		{"texts with JSON", `{"log":[{"verb":"find_it","data":"{\"n\":1}"},{"verb":"drop_it","data":"{'k': 'x'}"}]}`, `find_it{"n":1} drop_it{"k": "x"}`},
		{"an object with the name", `{"steps":[{"tool":{"id":"find_it","version":2},"input":{"n":1}}]}`, `find_it{"n":1}`},
		{"names and values", `{"invoked":[{"capability":"find_it","fields":[{"name":"n","value":1}]}]}`, `find_it{"n":1}`},
		{"slots and values", `{"plan":[{"skill_call":{"skill":"find_it","slots":[{"slot":"n","value":1}]}}]}`, `find_it{"n":1}`},
		{"names as members", `{"commands":[{"find_it":{"n":1}},{"drop_it":{"k":2}}]}`, `find_it{"n":1} drop_it{"k":2}`},
		{"arguments beside", `{"acts":[{"act":"find_it","n":1},{"act":"drop_it","note":"x"}]}`, `find_it{"n":1} drop_it{"note":"x"}`},
		{"tuples", `{"r1":[["find_it",{"n":1},"yes"]],"r2":[["drop_it",{"n":2}]]}`, `find_it{"n":1}=yes | drop_it{"n":2}`},
		{"texts", `{"plan":["find_it(n=1)","drop_it(k='x')"]}`, `find_it{"n":1} drop_it{"k":"x"}`},
		{"lines of a log", `{"log":["CALL find_it {\"n\":1}","RESULT yes"]}`, `find_it{"n":1}=yes`},
		{"lists beside each other", `{"question":"Do it now","tools":["find_it"],"tool_inputs":[{"n":1}],"tool_outputs":["yes"]}`, `find_it{"n":1}=yes`},
		{"numbered members", `{"trajectory":{"tool_name_0":"find_it","tool_args_0":{"n":1},"tool_name_1":"drop_it","tool_args_1":{"n":2}}}`, `find_it{"n":1} drop_it{"n":2}`},
		{"the name only", `{"events":[{"event":"user","text":"x"},{"event":"action","name":"action_find"}]}`, `action_find`},
		{"results of their own", "{\"sess\":\"a\",\"ev\":\"invoke\",\"what\":\"find_it\",\"with\":{\"n\":1},\"ref\":\"k1\"}\n{\"sess\":\"a\",\"ev\":\"done\",\"ref\":\"k1\",\"gave\":\"yes\"}\n{\"sess\":\"b\",\"ev\":\"invoke\",\"what\":\"drop_it\",\"with\":{\"n\":2},\"ref\":\"k2\"}",
			`find_it{"n":1}=yes | drop_it{"n":2}`},
		{"rows under a parent", `[{"id":"a","type":"agent","name":"desk","input":{"q":1},"parent":null},{"id":"b","type":"tool","name":"find_it","input":{"n":1},"parent":"a"},{"id":"c","type":"agent","name":"desk","input":{"q":1},"parent":null},{"id":"d","type":"tool","name":"drop_it","input":{"n":2},"parent":"c"}]`,
			`find_it{"n":1} | drop_it{"n":2}`},
		{"maps by id", `{"r1":{"jobs":{"k1":{"job":"find_it","spec":{"n":1}}},"passed":true},"r2":{"jobs":{"k2":{"job":"drop_it","spec":{"n":2}}},"passed":false}}`, `find_it{"n":1} true | drop_it{"n":2} false`},
		{"several lists of runs", `{"passed":[{"id":"a","acts":[{"fn":"find_it","kw":{"n":1}}]},{"id":"c","acts":[]}],"broken":[{"id":"b","acts":[{"fn":"drop_it","kw":{"n":2}}]}]}`, `find_it{"n":1} |  | drop_it{"n":2}`},
		{"trials of a task", `[{"task":"t","gold":[{"move":"find_it","move_args":{"n":1}}],"attempts":[{"n":1,"pass":true,"moves":[{"move":"find_it","move_args":{"n":1}}]},{"n":2,"pass":false,"moves":[{"move":"drop_it","move_args":{"k":2}}]}]}]`,
			`find_it{"n":1} < find_it{"n":1} true | drop_it{"k":2} < find_it{"n":1} false`},
		{"cases elsewhere", `{"cases":[{"id":"a","golden_calls":[{"method":"find_it","body":{"n":1}}]}],"runs":[{"case":"a","calls":[{"method":"drop_it","body":{"n":2}}]}]}`, `drop_it{"n":2} < find_it{"n":1}`},
		{"a step beside what was expected", `[{"query":"Do it now","steps":[{"expected":{"tool":"find_it","args":{"n":1}},"actual":{"tool":"find_it","args":{"n":2}}}]}]`, `find_it{"n":2} < find_it{"n":1}`},
		{"a thing that holds calls", `{"name":"desk_agent","input":{"q":1},"children":[{"name":"find_it","input":{"n":1}}]}`, `find_it{"n":1}`},
		{"a list that repeats another", `[{"calls":[{"tool":"find_it","args":{"n":1}},{"tool":"drop_it","args":{"n":2}}],"summary":{"actions":[{"tool":"find_it","args":{"n":1}},{"tool":"drop_it","args":{"n":2}}]}}]`, `find_it{"n":1} drop_it{"n":2}`},
		{"a list that says more than another with the same calls", `[{"calls":[{"tool":"find_it","args":{"n":1},"result":"yes"},{"tool":"find_it","args":{"n":1},"result":"no"}],"summary":{"actions":[{"tool":"find_it","args":{"n":1}},{"tool":"find_it","args":{"n":1}},{"tool":"find_it","args":{"n":1}}]}}]`, `find_it{"n":1}=yes find_it{"n":1}=no find_it{"n":1}`},
		{"a state of a call that is none of the run", `{"case":"k1","acts":[{"call":{"fn":"find_it","kw":{"n":1}},"status":"rejected"}]}`, `find_it{"n":1}`},
		{"a growing run", "{\"acts\":[{\"fn\":\"find_it\",\"kw\":{\"n\":1}}]}\n{\"acts\":[{\"fn\":\"find_it\",\"kw\":{\"n\":1}},{\"fn\":\"drop_it\",\"kw\":{\"n\":2}}]}", `find_it{"n":1} find_it{"n":1} drop_it{"n":2}`},
		{"things in a shop", `[{"id":"W-1","items":[{"name":"Water Bottle","options":{"size":1}},{"name":"Lamp","options":{"watt":5}}]}]`, ``},
		{"what a tool returned", `{"steps":[{"skill":"find_it","slots":{"n":1},"result":{"rows":[{"skill":"in_it","slots":{"k":1}}]}}]}`, `find_it{"n":1}={"rows":[{"skill":"in_it","slots":{"k":1}}]}`},
		{"definitions", `{"tools":[{"name":"find_it","description":"finds","parameters":{"type":"object","properties":{}}}]}`, ``},
	} {
		if got := showRuns(t, c.text); got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.what, c.text, got, c.want)
		}
	}
}
