package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestRefusalIsTwoLines checks that an unusable file gets at most two lines: what it is,
// and the one thing to do.
func TestRefusalIsTwoLines(t *testing.T) {
	for name, x := range map[string]struct{ text, what, todo string }{
		"login.html": {"<!DOCTYPE html><html></html>", "an HTML page", "save the trace itself as JSON"},
		"a.csv":      {"a,b\n1,2\n", "a table", "as JSON"},
		".env":       {"API_KEY=sk-abcdefghijklmnop\n", "a file with keys", "name a trace instead"},
		"a.yaml":     {"name: x\nsteps:\n  - a: 1\n", "the input is YAML", "boundcheck map FILE"},
		"b.yaml":     {"name: x\nsteps: !!python/object:os.system\n  - a: 1\n", "YAML", "convert it to JSON"},
		"a.json":     {`{"foo":{"bar":[1,2]}}`, "unknown trace format", "boundcheck map FILE"},
		"empty":      {"", "empty", "boundcheck formats"},
		"broken":     {"```\n[{\"name\":\"a\",\"arguments\":{},}]\n```\n", "not a trace", "boundcheck repair"},
		"comma.json": {`{"a": 1,, }`, "invalid JSON at line 1 column 9", "correct the JSON at this place"},
		"cut.json":   {`{"runs": [`, "the text ends inside a value", "write the file again"},
		"two.json":   {`{"messages":[{"role":"user","content":"x" "y"}]}`, "invalid JSON", "correct the JSON at this place"},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := runCommand("", "score", file)
		if code != cmd.ExitInput || out != "" || strings.Count(errs, "\n") > 2 || !strings.Contains(errs, x.what) || !strings.Contains(errs, x.todo) || strings.Contains(errs, "sk-a") {
			t.Errorf("%s: %d %s%s", name, code, out, errs)
		}
	}
}

// TestNothingToScore checks that a file without a call is not told as a run, except beside
// a reference.
func TestNothingToScore(t *testing.T) {
	for _, x := range []struct{ text, reference, want string }{
		{"[]", "", "nothing to score"}, {" [ \n] ", "", "nothing to score"}, {`{"trajectories":[]}`, "", "There is no run in this trace"},
		{"[]", `[{"name":"cancel_order","arguments":{"id":"W-7"}}]`, "1 trajectory"}, {`[{"name":"get_order","arguments":{"id":"W-7"}}]`, "", "1 trajectory"},
	} {
		file, ref := filepath.Join(t.TempDir(), "a.json"), filepath.Join(t.TempDir(), "r.json")
		args := []string{"score", file}
		if x.reference != "" {
			args = append(args, "--reference", ref)
		}
		for name, text := range map[string]string{file: x.text, ref: x.reference} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if code, out, errs := runCommand("", args...); code != cmd.ExitOK || !strings.Contains(out, x.want) {
			t.Errorf("%q beside %q: %d %s%s", x.text, x.reference, code, out, errs)
		}
	}
}

// TestHelpOfACommand checks that "help NAME" and "NAME -h" print the same.
func TestHelpOfACommand(t *testing.T) {
	for _, c := range allCommands() {
		_, want, _ := runCommand("", c.name, "-h")
		code, got, errs := runCommand("", "help", c.name)
		if code != cmd.ExitOK || got != want || got == "" {
			t.Errorf("help %s: %d %q %s", c.name, code, got, errs)
		}
	}
	if code, _, errs := runCommand("", "help", "scoer"); code != cmd.ExitUsage || !strings.Contains(errs, "did you mean score?") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestFormatsCommand(t *testing.T) {
	code, out, _ := runCommand("", "formats")
	if all := strings.Fields(out); code != cmd.ExitOK || len(all) < 60 || !strings.Contains(out, "\nopenai-chat\n") {
		t.Errorf("%d %s", code, out)
	}
	if code, _, _ := runCommand("", "formats", "x"); code != cmd.ExitUsage {
		t.Errorf("exit %d", code)
	}
}

// TestCheckInWords checks the gate's decision in words, and that a pipe gets JSON.
func TestCheckInWords(t *testing.T) {
	const change = `{"tool":"cancel_order","arguments":{"order_id":"W-7"}}`
	for _, x := range []struct {
		body, format, want string
		code               int
	}{
		{change, "words", "A person must confirm this call (\"cancel\" changes state). The person approves this text:\n\nAllow this call?\nTool: cancel_order\n", cmd.ExitOK},
		{`{"tool":"get_order","arguments":{}}`, "words", "Allowed without a question: get_order (", cmd.ExitOK},
		{change, "auto", `{"schema":"boundcheck.check/1","decision":"confirm"`, cmd.ExitOK},
		{change, "json", `{"schema":"boundcheck.check/1","decision":"confirm"`, cmd.ExitOK},
		{`[]`, "words", "", cmd.ExitInput},
	} {
		code, out, errs := runCommand(x.body, "check", "-", "--format", x.format)
		if code != x.code || !strings.HasPrefix(out, x.want) || (out == "") != (x.want == "") || (errs != "") != (code != cmd.ExitOK) {
			t.Errorf("%s %s: %d\n%s%s", x.body, x.format, code, out, errs)
		}
	}
}
