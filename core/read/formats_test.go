package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

const examples = "../../testdata/formats"

// want holds the call that an example must contain: name, arguments, result, error. "-"
// means no result; a text before a colon is free text.
type want struct{ name, arguments, result, failed string }

const (
	done    = "order A-7 is cancelled"
	refused = "no payment on A-7"
)

// usual holds the calls of most examples: one that worked and one that did not.
var usual = []want{{"cancel", `{"id":"A-7"}`, done, "no"}, {"refund", `{"id":"A-7","amount":12.5}`, refused, "yes"}}

// unanswered holds the same calls without results.
var unanswered = []want{{"cancel", `{"id":"A-7"}`, "-", ""}, {"refund", `{"id":"A-7","amount":12.5}`, "-", ""}}

// particularCalls returns the expected calls of those examples whose calls differ from
// the usual ones. The keys are the names of the examples.
func particularCalls() map[string][]want {
	return map[string][]want{
		"adk-evalset":         unanswered,
		"openai-evals":        unanswered,
		"plain-calls":         unanswered,
		"plain-names":         {{"find_order", "", "-", ""}, {"cancel", "", "-", ""}, {"refund", "", "-", ""}},
		"crewai-log":          {{"say", `{"text":"There are seven."}`, "-", ""}, {"say", `{"text":"Seven is right."}`, "-", ""}},
		"who-when":            {{"say", `{"text":"I count them."}`, "-", ""}, {"say", `{"text":"Seven."}`, "-", ""}},
		"tau2":                append(usual[:2:2], want{"restart_phone", `{}`, "restarted", "no"}),
		"codex-exec-json":     append(usual[:2:2], want{"command_execution", `{"command":"ls"}`, "a", "no"}),
		"appworld":            {{"python", `{"code":"print(apis.shop.cancel(id=\"A-7\"))"}`, done, "no"}, {"python", `{"code":"apis.shop.refund(id=\"A-7\", amount=12.5)"}`, refused, "yes"}},
		"appworld-api-calls":  {{"POST::/shop/orders/A-7/cancel", `{}`, "-", ""}, {"POST::/shop/refunds", `{"id":"A-7","amount":12.5}`, "-", ""}},
		"swe-agent-traj":      {{"cancel", "text:cancel A-7", done, "no"}, {"refund", "text:refund A-7 12.5", refused, "yes"}},
		"alfworld-react":      {{"go", "text:go to table 1", "On the table 1, you see a cup 2.", "no"}, {"take", "text:take cup 2 from table 9", "Nothing happens.", "yes"}},
		"webarena-browsergym": {{"click", "text:click('12')", "http://shop/b", "no"}, {"fill", "text:fill('3', 'x')", "TimeoutError: no element 3", "yes"}},
		"osworld-traj":        {{"click", "text:pyautogui.click(12, 7, button='left')", "-", ""}, {"copy", "text:pyperclip.copy('A-7')\npyautogui.hotkey('ctrl', 'v')", "-", ""}, {"DONE", "text:DONE", "-", ""}},
		"osworld-human":       {{"CLICK", "text:`CLICK` the order's row", "-", ""}, {"HOTKEY", "text:`HOTKEY`'Ctrl+S'", "-", ""}},
		"theagentcompany": {{"run", `{"command":"ls -la"}`, "exit code 2", "yes"}, {"browse_interactive", "text:goto('http://shop/')", "Visited http://shop/", "no"},
			{"edit", `{"path":"/w/a.txt"}`, "I edited", "no"}},
	}
}

func TestEveryFormatHasAnExample(t *testing.T) {
	for _, name := range Formats() {
		if files, _ := filepath.Glob(filepath.Join(examples, name+".*")); len(files) == 0 {
			t.Errorf("no example of %s in %s", name, examples)
		}
	}
}

func TestExamples(t *testing.T) {
	all := exampleFiles(t)
	special := particularCalls()
	for name, data := range all {
		t.Run(name, func(t *testing.T) {
			doc, err := Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if doc.Format != name {
				t.Errorf("detected as %s", doc.Format)
			}
			if len(doc.Trajectories) != 1 {
				t.Fatalf("%d trajectories, want 1", len(doc.Trajectories))
			}
			wanted, ok := special[name]
			if !ok {
				wanted = usual
			}
			checkActions(t, doc.Trajectories[0].Actions, wanted)
		})
	}
}

func exampleFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(examples, "*.*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in %s: %v", examples, err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(file)
		all[strings.TrimSuffix(base, filepath.Ext(base))] = data
	}
	return all
}

func checkActions(t *testing.T, got []trajectory.Action, wanted []want) {
	t.Helper()
	if len(got) != len(wanted) {
		t.Fatalf("%d actions, want %d: %+v", len(got), len(wanted), got)
	}
	for i, w := range wanted {
		a := &got[i]
		if a.Name != w.name || i < 2 && a.Requestor != "" { // the third call of an example may be the user's
			t.Errorf("action %d is %q of %q, want %q", i, a.Name, a.Requestor, w.name)
		}
		if text, free := strings.CutPrefix(w.arguments, "text:"); free {
			if a.Text != text {
				t.Errorf("%s has the text %q, want %q", a.Name, a.Text, text)
			}
		} else if v, _ := jsonval.Parse(w.arguments); !jsonval.Equal(v, a.Arguments) {
			t.Errorf("%s has the arguments %s, want %s", a.Name, a.Arguments.Raw(), w.arguments)
		}
		if w.result == "-" {
			if a.Observation != nil {
				t.Errorf("%s has a result: %+v", a.Name, *a.Observation)
			}
			continue
		}
		if a.Observation == nil || !strings.Contains(a.Observation.Text, w.result) || a.Observation.Error != (w.failed == "yes") {
			t.Errorf("%s has the result %+v, want %q, error %s", a.Name, a.Observation, w.result, w.failed)
		}
	}
}

// mustDecode decodes text, or fails the test.
func mustDecode(t testing.TB, text string) trajectory.Document {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("Decode(%.60q): %v", text, err)
	}
	return doc
}

func decodeExample(t testing.TB, name string) trajectory.Trajectory {
	t.Helper()
	data, ok := exampleFiles(t)[name]
	if !ok {
		t.Fatalf("no example %s", name)
	}
	return mustDecode(t, string(data)).Trajectories[0]
}

func TestTauBenchHoldsGoldAndVerdict(t *testing.T) {
	r := decodeExample(t, "tau-bench")
	if r.Task != "3" || *r.Trial != 1 || *r.Reward != 0 || *r.Success || r.ID != "3/1" {
		t.Errorf("run is %+v", r)
	}
	if ref := r.Reference; len(ref.Steps) != 1 || ref.Steps[0].Name != "cancel" || len(ref.Says) != 1 {
		t.Errorf("reference is %+v", ref)
	}
	if !r.Messages[2].Unsaid || r.Messages[len(r.Messages)-1].Unsaid {
		t.Error("a turn with a call is not read out, one without is")
	}
}

func TestTau2ComparesOnlyWhatTheTaskNames(t *testing.T) {
	r := decodeExample(t, "tau2")
	ref := r.Reference
	if len(ref.Steps) != 2 || len(ref.Steps[0].Compare) != 1 || ref.Steps[0].Compare[0] != "id" || ref.Steps[1].Compare != nil {
		t.Errorf("steps are %+v", ref.Steps)
	}
	if len(ref.Says) != 1 || *r.Reward != 1 || !*r.Success || r.Model != "m-1" {
		t.Errorf("run is %+v", r)
	}
	for i, requestor := range []string{"", "", "user"} {
		if r.Actions[i].Requestor != requestor {
			t.Errorf("action %d was asked for by %q, want %q", i, r.Actions[i].Requestor, requestor)
		}
	}
}

func TestHumanFilesAreReferencesToo(t *testing.T) {
	for _, name := range []string{"adk-evalset", "osworld-human"} {
		if r := decodeExample(t, name); r.Reference == nil || len(r.Reference.Steps) != len(r.Actions) {
			t.Errorf("%s: reference is %+v", name, r.Reference)
		}
	}
}

func TestSidechainsAreLeftOutAndCounted(t *testing.T) {
	doc := mustDecode(t, string(exampleFiles(t)["claude-code-jsonl"]))
	if len(doc.Warnings) != 1 || doc.Warnings[0].Code != "sidechain-left-out" || !strings.Contains(doc.Warnings[0].Message, "1 line ") {
		t.Errorf("warnings are %+v", doc.Warnings)
	}
	for _, m := range doc.Trajectories[0].Messages {
		if m.Text == "I cancel first." && !m.Calls {
			t.Error("the lines of one request are not one message")
		}
	}
}
