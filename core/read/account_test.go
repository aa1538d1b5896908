package read

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/format"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestUnreadCallsAreRefused checks that Decode refuses a text whose calls could not be
// read, and names the places that look like calls. Decode must not return a run without
// actions for such a text.
func TestUnreadCallsAreRefused(t *testing.T) {
	check := func(name, text, seen string) {
		t.Helper()
		doc, err := Decode([]byte(text))
		var e *trajectory.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: read as %s with %d runs: %v", name, doc.Format, len(doc.Trajectories), err)
			return
		}
		if !strings.Contains(e.Msg, seen) {
			t.Errorf("%s: %q does not say %q", name, e.Msg, seen)
		}
	}
	check("a call without a name anywhere it is looked for",
		"[{\"role\":\"user\",\"content\":\"x\"},\n{\"role\":\"assistant\",\"content\":\"\",\"steps\":{\"actions\":[{\"type\":\"tool_use\",\"title\":\"delete_user\"}]}},{\"role\":\"assistant\",\"content\":\"<tool_call>oops\"}]", "<tool_call>")
	check("calls in a string of a string", `[{"role":"user","content":"x"},{"role":"assistant","content":"","trace":"{\"tool_calls\":[{\"name\":\"rm\"}]}"}]`, "line 1")
}

// TestWhatIsNotReadIsSaid checks that a warning names the line and the member of a call
// that was not read.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	doc := mustDecode(t, `{"resourceSpans":[{"scopeSpans":[{"spans":[
 {"traceId":"t","spanId":"a","name":"execute_tool cancel","startTimeUnixNano":"1","attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"cancel"}}]},
 {"traceId":"t","spanId":"b","name":"odd","startTimeUnixNano":"2","attributes":[],"body":{"tool_calls":[{"id":"c9","function":{"name":"refund","arguments":"{}"}}]}}]}]}]}`)
	if got := warningCodes(doc); got != "arguments-not-recorded calls-not-read" {
		t.Fatalf("warnings %q", got)
	}
	w := doc.Warnings[1]
	if w.Line != 3 || !strings.Contains(w.Message, `"tool_calls" of "refund"`) || !strings.Contains(w.Message, "line 3") {
		t.Errorf("%d:%d %s", w.Line, w.Column, w.Message)
	}
}

// TestLeftOutIsNotMissing checks that side chains are left out with one warning, and that
// their calls are not reported again as missing.
func TestLeftOutIsNotMissing(t *testing.T) {
	doc := mustDecode(t, `{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"x"}}
{"type":"assistant","uuid":"2","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Task","input":{}}]}}
{"type":"assistant","uuid":"3","sessionId":"s","isSidechain":true,"message":{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"Read","input":{}}]}}`)
	if got := warningCodes(doc); got != "sidechain-left-out" || len(doc.Trajectories[0].Actions) != 1 {
		t.Errorf("warnings %q, %d actions", got, len(doc.Trajectories[0].Actions))
	}
}

// TestRowsAreRuns checks that rows become one run if they are snapshots of one growing
// run. Rows of separate runs stay separate, even if their calls have the same ids.
func TestRowsAreRuns(t *testing.T) {
	call := func(n int) string {
		return fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"c%d","function":{"name":"look","arguments":"{\"n\":%d}"}}]},{"role":"tool","tool_call_id":"c%d","content":"ok"}`, n, n, n)
	}
	messages := func(user string, parts ...string) string {
		return `{"messages":[` + strings.Join(append([]string{`{"role":"system","content":"s"}`, `{"role":"user","content":"` + user + `"}`}, parts...), ",") + `]}`
	}
	check := func(name string, want string, rows ...string) {
		t.Helper()
		var got []string
		for _, run := range mustDecode(t, strings.Join(rows, "\n")).Trajectories {
			got = append(got, fmt.Sprint(len(run.Actions)))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: runs of %s calls, want %s", name, s, want)
		}
	}
	end := `{"role":"assistant","content":"done"}`
	check("growing", "2", messages("x"), messages("x", call(1)), messages("x", call(1), call(2)), messages("x", call(1), call(2), end))
	check("newest first", "2", messages("x", call(1), call(2)), messages("x", call(1)), messages("x"))
	check("trials of one task", "1 2", messages("x", call(1), end), messages("x", call(1), call(2), end))
	check("equal trials", "1 1", messages("x", call(1), end), messages("x", call(1), end))
	check("different tasks", "1 1", messages("x", call(1)), messages("y", call(1)))
	log := func(sent, got string) string {
		return `{"request":` + sent + `,"response":{"choices":[{"message":` + got + `}]}}`
	}
	one := `{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{\"n\":1}"}}]}`
	check("a log of requests", "1", log(messages("x"), one), log(messages("x", call(1)), end))
	check("one question asked twice", "1 1", log(messages("x"), one), log(messages("x"), strings.ReplaceAll(one, "c1", "d1")))
	check("two logs of requests", "1 1", log(messages("x"), one), log(messages("x", call(1)), end), log(messages("y"), strings.ReplaceAll(one, "c1", "d1")))
}

// TestFailuresAreRecognised checks the messages with which frameworks report failed
// calls.
func TestFailuresAreRecognised(t *testing.T) {
	for _, text := range []string{
		"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 1\nOutput:\nx", "unsupported call: update_plan",
		"exec_command failed: CreateProcess { message: \"Rejected\" }", "An error occurred while running the tool. Please try again.",
		`{"message":"x","code":"TOOL_EXECUTION_FAILED"}`, "Command: x\nDirectory: (root)\nOutput: y\nError: (none)\nExit Code: 2\nSignal: 0", "MCP error -32602: Invalid arguments",
		"503 Service Unavailable", "503 service unavailable, not saved", "404 Not Found\n<html>",
	} {
		if !failure.Says(text) {
			t.Errorf("%q is not a failure", text)
		}
	}
	for _, text := range []string{
		"Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 1", "the build failed: see log", "Process ended", "An errand", `{"code":"FAILED"}`, `{"code":7}`,
		"Command: x\nOutput: Exit Code: 3\nError: (none)\nExit Code: 0", "print: Process exited with code 1",
		"404", "500 units", "404 Not Foundry Street", "503 service unavailable3", "200 OK", "4 items",
	} {
		if failure.Says(text) {
			t.Errorf("%q is a failure", text)
		}
	}
}

// TestRefusedReads checks that a read which the system refused has failed, although its
// tool reports success. A command that may have changed something has not failed,
// whatever it printed.
func TestRefusedReads(t *testing.T) {
	check := func(command, output string, want bool) {
		t.Helper()
		v, err := jsonval.Parse(`{"command":` + literal.Quote(command) + `}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := failure.RefusedRead(v, output); got != want {
			t.Errorf("%s → %s: %v", command, output, got)
		}
	}
	check("cat missing.txt", "cat: missing.txt: No such file or directory\n", true)
	check("ls -la /root", "ls: cannot open directory '/root': Permission denied", true)
	check("rm a b", "rm: b: No such file or directory", false)
	check("cat x; rm y", "cat: x: No such file or directory", false)
	check("cat x", "a line\ncat: y: No such file or directory", false)
	check("python cat.py", "cat: x: No such file or directory", false)
	check("cat notes", "cat: the animal", false)
}

// TestUnreadIsOfItsRecord checks that a call beside the messages is read, or makes the run
// of its record doubtful. An equal id in another record must not hide it.
func TestUnreadIsOfItsRecord(t *testing.T) {
	row := func(id, more string) string {
		return `{"id":"` + id + `","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"pay","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]` + more + "}"
	}
	for _, c := range []struct{ more, line string }{
		{`,"extra":{"odd":[{"type":"tool_use","id":"1","name":"wipe","input":{}}]}`, `"tool_use" of "wipe"`},
		{`,"extra":{"odd":[{"type":"tool_use","id":"2","name":"pay","input":{}}]}`, `"tool_use" of "pay"`},
		{`,"extra":{"odd":[{"type":"tool_use","name":"wipe","input":{}}]}`, `"tool_use" of "wipe"`},
	} {
		for _, form := range []string{"%s\n%s\n%s", "[%s,%s,%s]"} {
			doc := mustDecode(t, fmt.Sprintf(form, row("a", ""), row("b", c.more), row("c", "")))
			if len(doc.Trajectories) != 3 || doc.Trajectories[0].Doubt != "" || doc.Trajectories[2].Doubt != "" {
				t.Fatalf("%s: %+v", c.more, doc.Trajectories)
			}
			if b := &doc.Trajectories[1]; len(b.Actions) != 2 && !strings.Contains(b.Doubt, c.line) {
				t.Errorf("%s: %d calls and the doubt %q", c.more, len(b.Actions), b.Doubt)
			}
		}
	}
}

// TestMessagesWithoutArguments checks calls in messages whose API always writes arguments: if
// they are absent, they were not recorded, and the run is doubtful. {} was recorded.
func TestMessagesWithoutArguments(t *testing.T) {
	for _, form := range []string{
		`[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"pay"%s}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]`,
		`[{"role":"user","parts":[{"type":"text"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"1","name":"pay"%s}]},{"role":"user","parts":[{"type":"tool_call_response","id":"1"}]}]`,
		`[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"pay"%s}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]}]`,
	} {
		member := shape.IfElse(strings.Contains(form, "tool_use"), "input", "arguments")
		for written, unrecorded := range map[string]bool{"": true, `,"` + member + `":{}`: false} {
			run := mustDecode(t, fmt.Sprintf(form, written)).Trajectories[0]
			if len(run.Actions) != 1 || run.Actions[0].Unrecorded != unrecorded || (run.Doubt != "") != unrecorded {
				t.Errorf("%s%s: %+v, doubt %q", form, written, run.Actions, run.Doubt)
			}
		}
	}
}

// TestUnansweredEvents takes one event away from the example of each format that has a result
// for each call. If this was a result, its call was not executed.
func TestUnansweredEvents(t *testing.T) {
	for _, f := range format.Table {
		if !f.Answers {
			continue
		}
		taken, lines := 0, exampleEvents(t, f.Name)
		for i := range lines {
			doc, err := Decode([]byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")))
			if err != nil || doc.Format != f.Name || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) < 2 {
				continue
			}
			for _, a := range doc.Trajectories[0].Actions {
				if a.Observation == nil {
					taken++
					if !a.Proposed || !a.Unanswered {
						t.Errorf("%s without event %d: %s has no result, and counts as done", f.Name, i+1, a.Name)
					}
				} else if a.Proposed {
					t.Errorf("%s without event %d: %s has a result, and counts as proposed", f.Name, i+1, a.Name)
				}
			}
		}
		if taken == 0 {
			t.Errorf("%s: no event of the example is a result", f.Name)
		}
	}
}

// exampleEvents returns the events in the example of a format, which is JSONL or a list.
func exampleEvents(t *testing.T, format string) (events []string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "formats", format)
	if data, err := os.ReadFile(path + ".jsonl"); err == nil {
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	data, err := os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := jsonval.Parse(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Elements() {
		events = append(events, e.Canonical())
	}
	return events
}
