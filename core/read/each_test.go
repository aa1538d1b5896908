package read

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestCoresDecode checks that a document does not depend on the number of goroutines. The
// texts have faults in every part, and more faults of one kind than are listed.
func TestCoresDecode(t *testing.T) {
	words := strings.Repeat("words of a conversation ", 60)
	talk := func(i int) string {
		second := shape.IfElse(i%3 == 0, "twice", "b") // some ids occur twice
		orphan := shape.IfElse(i%2 == 0, "", `,{"role":"tool","tool_call_id":"nobody","content":"late"}`)
		return fmt.Sprintf(`[{"role":"user","content":"%d %s"},
			{"role":"assistant","tool_calls":[{"id":"twice","function":{"name":"get","arguments":"{\"n\":%d}"}},{"id":%q,"function":{"name":"set","arguments":"{'n': True}"}}]},
			{"role":"tool","tool_call_id":"twice","content":"one"}%s]`, i, words, i, second, orphan)
	}
	task := func(i int) string {
		if i%50 == 7 {
			return `{"user_id":"u","instruction":"x","actions":[{"name":5}]}` // cannot be read
		}
		return fmt.Sprintf(`{"user_id":"u%d","instruction":"x","actions":[{"name":"set","kwargs":{"n":true}}]}`, i%20)
	}
	rows := func(head, tail string, row func(i int) string) string {
		var list []string
		for i := range 300 {
			list = append(list, row(i))
		}
		return head + strings.Join(list, ",\n") + tail
	}
	texts := map[string]string{
		"tau-bench": rows("[", "]", func(i int) string {
			if i%5 == 4 {
				return `"not a row"`
			}
			return fmt.Sprintf(`{"task_id":%d,"trial":%d,"reward":1,"info":{"task":%s},"traj":%s}`, i%20, i/20, task(i), talk(i))
		}),
		"agentdojo": rows("[", "]", func(i int) string {
			return fmt.Sprintf(`{"suite_name":"bank","user_task_id":"user_task_%d","injection_task_id":null,"pipeline_name":"p","utility":true,"messages":%s}`, i, talk(i))
		}),
		"tau2": rows(`{"info":{"agent_info":{"llm":"m"},"environment_info":{"policy":"p"}},"tasks":[{"id":"1","evaluation_criteria":{"actions":[{"name":"set","arguments":{"n":true}}]}}],"simulations":[`, "]}", func(i int) string {
			return fmt.Sprintf(`{"task_id":"%d","trial":%d,"termination_reason":%q,"reward_info":{"reward":1},"messages":%s}`, i%3, i, shape.IfElse(i%7 == 0, "max_steps", "user_stop"), talk(i))
		}),
		"inspect-log": rows(`{"eval":{"model":"m"},"status":"success","samples":[`, "]}", func(i int) string {
			return fmt.Sprintf(`{"id":"s%d","epoch":1,"input":"x","target":"y","scores":{},"messages":%s}`, i, talk(i))
		}),
	}
	for format, text := range texts {
		want, err := Options{}.Decode([]byte(text))
		if err != nil || want.Format != format || len(want.Trajectories) < 200 || len(want.Warnings) < engine.MaxListed {
			t.Fatalf("%s: read as %s with %d runs and %d warnings, %v", format, want.Format, len(want.Trajectories), len(want.Warnings), err)
		}
		for _, cores := range []int{2, 3, 7} {
			got, err := Options{Cores: cores}.Decode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if a, b := describeDocument(t, &got), describeDocument(t, &want); a != b {
				t.Errorf("%s: another document with %d cores, first differs after %.60q", format, cores, a[commonPrefix(a, b):])
			}
		}
	}
}

// describeDocument returns a text with the warnings, messages and actions of a document,
// and with the length and the first step of each reference.
func describeDocument(t *testing.T, doc *trajectory.Document) string {
	t.Helper()
	var out strings.Builder
	write := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	write(doc.Warnings)
	for i := range doc.Trajectories {
		run := doc.Trajectories[i]
		ref := run.Reference
		run.Reference = nil
		for j := range run.Actions {
			a := &run.Actions[j]
			fmt.Fprintln(&out, a.Name, a.CallID, a.Arguments.Raw(), a.Broken, a.Message, a.Observation != nil)
		}
		write(run.Messages)
		fmt.Fprintln(&out, run.ID, run.Task, run.Model, run.Policy, run.Stopped)
		if ref != nil {
			fmt.Fprintf(&out, "%d %s\n", len(ref.Steps), ref.Steps[0].Name)
		}
	}
	return out.String()
}

// commonPrefix returns the length of the longest common prefix of two texts.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
