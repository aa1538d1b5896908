package score

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestUnscoredPassesNoGate tries each gate on inputs of which something was not scored. What was
// not scored does not pass, whatever the figure of the rest is.
func TestUnscoredPassesNoGate(t *testing.T) {
	const good = `{"task_id":"a","success":true,"trace":[{"name":"cancel_order"}]}`
	inputs := map[string]string{
		"nothing":                   ``,
		"an empty list":             `[]`,
		"a message alone":           `[{"role":"user","content":"Cancel it."}]`,
		"a line that is cut off":    good + "\n" + `{"task_id":"b","trace":[{"na`,
		"a line that is no run":     good + "\n" + `7`,
		"rows joined by a guess":    `{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{}"}}]}]}` + "\n" + `{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}`,
		"arguments are missing":     `{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"a\":"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]}`,
		"a run of another task":     good + "\n" + `{"task_id":"b","success":true,"trace":[{"name":"cancel_order"}]}`,
		"a record that says both":   `{"task_id":"a","success":true,"reward":0,"trace":[{"name":"cancel_order"}]}`,
		"a result without its call": `{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"tool","tool_call_id":"9","content":"ok"}]}`,
	}
	references := map[string]string{
		"one.txt":   "cancel_order()\n",
		"tasks.yml": "tasks:\n  - id: a\n    steps: [cancel_order]\n  - id: c\n    steps: [cancel_order]\n",
	}
	gates := [][]string{{"--fail-under", "within=0.1"}, {"--fail-under", "svr=0.5"}, {"--fail-under", "gar=0.5"}, {"--fail-on", "not-passed"}}
	for name, text := range inputs {
		for file, ref := range references {
			for _, gate := range gates {
				for _, stream := range []string{"", "--stream"} {
					if file == "one.txt" && name == "a run of another task" {
						continue // it is the reference of all runs
					}
					if stream != "" && name == "rows joined by a guess" {
						continue // each line is a run there
					}
					t.Chdir(t.TempDir())
					clitest.WriteFile(t, "t.jsonl", text)
					clitest.WriteFile(t, file, ref)
					args := append([]string{"score", "t.jsonl", "--reference", file}, gate...)
					if stream != "" {
						args = append(args, stream)
					}
					if code, _, errs := runCommand("", args...); code == cmd.ExitOK || strings.TrimSpace(errs) == "" {
						t.Errorf("%s, %s: exit %d, %q", name, strings.Join(args[3:], " "), code, errs)
					}
				}
			}
		}
	}
	for _, own := range []string{"", "--stream"} { // no reference is given, and one run has none
		t.Chdir(t.TempDir())
		clitest.WriteFile(t, "t.jsonl", `{"success":true,"trace":[{"name":"cancel_order"}],"reference":["cancel_order"]}`+"\n"+`{"trace":[{"name":"cancel_order"}]}`)
		for gate, why := range map[string]string{"within=0.1": "1 run has no reference", "sr=0.1": "1 run has no known outcome", "basr=0.1": "1 run has no"} {
			args := []string{"score", "t.jsonl", "--fail-under", gate}
			if own != "" {
				args = append(args, own)
			}
			if code, _, errs := runCommand("", args...); code == cmd.ExitOK || own == "" && !strings.Contains(errs, why) {
				t.Errorf("%s %s: exit %d, %q", gate, own, code, errs)
			}
		}
	}
	t.Chdir(t.TempDir())
	clitest.WriteFile(t, "t.jsonl", good)
	clitest.WriteFile(t, "one.txt", "cancel_order()\n")
	for _, gate := range append(gates, []string{"--fail-under", "within=1,abs.max=1,gar=1,svr=0,sr=1,basr=1"}) {
		if code, _, errs := runCommand("", append([]string{"score", "t.jsonl", "--reference", "one.txt"}, gate...)...); code != cmd.ExitOK {
			t.Errorf("a good run, %v: exit %d, %s", gate, code, errs)
		}
	}
}
