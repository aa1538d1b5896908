package tau_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench/env"
	"github.com/boundcheck/boundcheck/internal/bench/tau"
)

// texts are the text files of a checkout, in our own words.
var texts = map[string]string{
	"wiki.md":   "Be kind to customers.\n",
	"policy.md": "Be kind to customers, twice.\n",
	"tools/cancel_pending_order.py": `# A class.
from tau_bench.envs.tool import Tool

class CancelPendingOrder(Tool):
    @staticmethod
    def invoke(data, order_id: str, reason: str) -> str:
        return "no literal"

    @staticmethod
    def get_info() -> Dict[str, Any]:
        return {
            "type": "function",
            "function": {
                "name": "cancel_pending_order",
                "description": ("Calls off " "an order."),
                "parameters": {
                    "type": "object",
                    "properties": {"order_id": {"type": "string"}, "reason": {"type": "string", "enum": ["no longer needed"]}},
                    "required": ["order_id", "reason"],
                },
            },
        }
`,
	"tasks_test.py": `from tau_bench.types import Action, Task

TASKS_TEST = [
    Task(
        annotator="0",
        user_id="cleo_adeyemi_2001",
        instruction="You want to cancel #M102; you don't need it.",
        actions=[Action(name="cancel_pending_order", kwargs={"order_id": "#M102", "reason": "no longer needed"})],
        outputs=["50.1"],
    ),
    Task(annotator="1", user_id="x", instruction="Say nothing.", actions=[], outputs=[]),
]
`,
	"retail/tools.py": `
class RetailTools(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def cancel_pending_order(self, order_id: str, reason: str) -> Order:
        """Calls off an order.

        Really.

        Args:
            order_id: Which one,
                with its sign.
            reason: Why.

        Returns:
            Order: the order
        """
`,
	"tasks.json": `[{"id": "a", "user_scenario": {"persona": null, "instructions": {"known_info": "You are Cleo.", "reason_for_call": "Cancel #M102."}},
 "evaluation_criteria": {"actions": [{"action_id": "0", "name": "cancel_pending_order", "arguments": {"order_id": "#M102", "reason": "no longer needed"}, "compare_args": ["order_id"]}],
 "communicate_info": ["50.1"], "reward_basis": ["DB", "ACTION", "NL_ASSERTION"]}}]`,
}

// writeCheckout writes a folder like a checkout of the benchmark, and returns its path.
// The folder contains the small test database, and the files with the given names.
func writeCheckout(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "envs", "retail")
	if err := os.CopyFS(filepath.Join(dir, "data"), os.DirFS("../../../plugins/taubench/testdata/env/retail")); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, "retail/")))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(texts[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func rewardOfCalls(t *testing.T, e env.Benchmark, task int, said string, done bool, calls ...string) float64 {
	t.Helper()
	s := e.Begin()
	for _, c := range calls {
		name, arguments, _ := strings.Cut(c, " ")
		s.Call(name, json.RawMessage(arguments))
	}
	got, err := e.Reward(&e.Tasks()[task], &env.Outcome{Session: s, Said: []string{said}, Done: done})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTau checks that the policy, the tasks and the tools are read from a checkout, and
// that the reward is the benchmark's. A tool that the checkout does not describe must get
// this package's description.
func TestTau(t *testing.T) {
	e, err := tau.Open("tau-retail", writeCheckout(t, "wiki.md", "policy.md", "tools/cancel_pending_order.py", "tasks_test.py"), "")
	if err != nil {
		t.Fatal(err)
	}
	if e.Policy() != texts["wiki.md"] || len(e.Tools()) != 16 {
		t.Errorf("policy %q, %d tools", e.Policy(), len(e.Tools()))
	}
	for _, tool := range e.Tools() {
		var s struct {
			Type       string
			Properties map[string]any
		}
		if err := json.Unmarshal(tool.Parameters, &s); err != nil || s.Type != "object" || tool.Description == "" {
			t.Errorf("%s: %s %v", tool.Name, tool.Parameters, err)
		}
		if cancels := tool.Name == "cancel_pending_order"; cancels != (tool.Description == "Calls off an order.") || cancels && !tool.Mutating {
			t.Errorf("%s: %q, mutating %v", tool.Name, tool.Description, tool.Mutating)
		}
	}
	if c := e.Conduct(); !c.OneCall || !slices.Equal(c.Ends, []string{"transfer_to_human_agents"}) {
		t.Errorf("%+v", c)
	}
	const cancel = `cancel_pending_order {"order_id":"#M102","reason":"no longer needed"}`
	for _, c := range []struct {
		want  float64
		task  int
		said  string
		done  bool
		calls []string
	}{
		{1, 0, "You get $50.1 back.", true, []string{cancel}},
		{0, 0, "You get $50.1 back.", false, []string{cancel}}, // cut off
		{0, 0, "Done.", true, []string{cancel}},
		{0, 0, "50.1", true, nil},
		{0, 0, "50.1", true, []string{strings.Replace(cancel, "no longer needed", "ordered by mistake", 1)}},
		{1, 1, "", true, nil},
		{1, 1, "", true, []string{`get_order_details {"order_id":"#M102"}`, "cancel_pending_order [1]", "fly {}", "list_all_product_types "}},
		{0, 1, "", true, []string{cancel}},
	} {
		if got := rewardOfCalls(t, e, c.task, c.said, c.done, c.calls...); got != c.want {
			t.Errorf("task %d, %q, %q: %v, want %v", c.task, c.said, c.calls, got, c.want)
		}
	}
	s := e.Begin()
	before := s.State()
	s.Call("cancel_pending_order", json.RawMessage(`{"order_id":"#M102","reason":"no longer needed"}`))
	if before != "" || !strings.Contains(s.State(), "#M102") {
		t.Errorf("%q, %q", before, s.State())
	}
}

// TestTau2 checks that the reward of a τ² task depends only on the parts of its reward
// basis that need no judge.
func TestTau2(t *testing.T) {
	e, err := tau.Open("tau2-retail", writeCheckout(t, "policy.md", "retail/tools.py", "tasks.json"), "")
	if err != nil {
		t.Fatal(err)
	}
	task := e.Tasks()[0]
	if task.ID != "a" || task.Instruction != "What you know: You are Cleo.\nWhy you write: Cancel #M102." || !e.Conduct().Tau2 {
		t.Errorf("%+v", task)
	}
	i := slices.IndexFunc(e.Tools(), func(t env.Tool) bool { return t.Name == "cancel_pending_order" })
	if tool := e.Tools()[i]; tool.Description != "Calls off an order.\n\nReally." || !strings.Contains(string(tool.Parameters), "Which one, with its sign.") {
		t.Errorf("%+v %s", tool, tool.Parameters)
	}
	const cancel = `cancel_pending_order {"order_id":"#M102","reason":"no longer needed"}`
	if got := rewardOfCalls(t, e, 0, "", true, cancel); got != 1 { // texts are not in its basis
		t.Errorf("the gold: %v", got)
	}
	if got := rewardOfCalls(t, e, 0, "50.1", true); got != 0 {
		t.Errorf("nothing done: %v", got)
	}
}

// TestMissing checks that the errors of Open name the data that is missing or wrong.
func TestMissing(t *testing.T) {
	wrong := writeCheckout(t, "wiki.md", "tasks_test.py")
	file := filepath.Join(wrong, "envs", "retail", "tools", "cancel_pending_order.py")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(texts["tools/cancel_pending_order.py"], `"reason"`, `"why"`)), 0o644); err != nil {
		t.Fatal(err)
	}
	tasks := filepath.Join(t.TempDir(), "tasks.py")
	if err := os.WriteFile(tasks, []byte("TASKS = [Task(annotator=1, user_id=f(2))]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string][3]string{
		"unknown environment":                     {"tau-bank", ".", ""},
		"missing --env-data":                      {"tau-retail", "", ""},
		"no airline database":                     {"tau-airline", writeCheckout(t, "wiki.md"), ""},
		"no policy for retail":                    {"tau-retail", writeCheckout(t), ""},
		"no tasks for retail":                     {"tau-retail", writeCheckout(t, "wiki.md"), ""},
		`the parameter "why"`:                     {"tau-retail", wrong, ""},
		"task 0: ":                                {"tau-retail", writeCheckout(t, "wiki.md"), tasks},
		"no such file":                            {"tau-retail", writeCheckout(t, "wiki.md"), tasks + "x"},
		`task 0 needs "evaluation_criteria" (τ²)`: {"tau-retail", writeCheckout(t, "wiki.md", "tasks_test.py"), listOf(t, `[{"id": 1}]`)},
		"are not an object":                       {"tau-retail", writeCheckout(t, "wiki.md"), listOf(t, `[{"task_id":0,"info":{"task":{"actions":[{"name":"x","kwargs":[]}]}}}]`)},
		"unexpected end of JSON":                  {"tau-retail", writeCheckout(t, "wiki.md"), listOf(t, ``)},
		"tasks.json: no tasks":                    {"tau-retail", writeCheckout(t, "wiki.md"), listOf(t, `[]`)},
		"no instructions for the":                 {"tau2-retail", writeCheckout(t, "wiki.md"), listOf(t, `[{"id":"1","evaluation_criteria":{}}]`)},
	} {
		if _, err := tau.Open(c[0], c[1], c[2]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", c, err, want)
		}
	}
}

func listOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tasks.json")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
