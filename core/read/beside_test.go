package read

import (
	"fmt"
	"testing"
)

// TestCallBeside checks that a call that stands beside a run is read or said to be unread, whatever the
// arguments of the calls of the run and of its reference are called.
func TestCallBeside(t *testing.T) {
	names := []string{"arguments", "parameters", "input", "args", "kwargs", "tool_input", "toolArgs", "input_parameters"}
	for _, own := range names {
		for _, held := range append([]string{""}, names...) {
			for _, beside := range []string{`"name":"delete_all","arguments"`, `"tool":"delete_all","args"`, `"tool_name":"delete_all","tool_input"`} {
				reference := ""
				if held != "" {
					reference = fmt.Sprintf(`"reference":[{"name":"get_order","%s":{"a":1}}],`, held)
				}
				doc, err := Decode([]byte(fmt.Sprintf(`{"id":"r1","messages":[{"role":"user","content":"do"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_order","%s":{"a":1}}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}],%s"extra":{%s:{"x":1}}}`, own, reference, beside)))
				if err != nil {
					t.Fatal(err)
				}
				calls := 0
				for i := range doc.Trajectories {
					calls += len(doc.Trajectories[i].Actions)
				}
				if calls != 2 && len(doc.Warnings) == 0 {
					t.Errorf("%s, reference with %q, beside it %s: %d calls and no warning", own, held, beside, calls)
				}
			}
		}
	}
}
