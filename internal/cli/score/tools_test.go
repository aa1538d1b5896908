package score

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

func runTools(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Tools(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

const openAITools = `[{"type":"function","function":{"name":"get_order","description":"Look up an order."}},
	{"type":"function","function":{"name":"cancel_order"}},
	{"type":"function","function":{"name":"think"}},
	{"type":"function","function":{"name":"frobnicate"}}]`

const mcpTools = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"frobnicate","annotations":{"readOnlyHint":true}},
	{"name":"list_files","annotations":{"destructiveHint":true}}]}}`

func TestToolsJSON(t *testing.T) {
	check := func(stdin string, want string, args ...string) {
		t.Helper()
		code, out, errs := runTools(t, stdin, append([]string{"classify", "-", "--format", "json"}, args...)...)
		var r struct {
			Tools []struct {
				Name, Mutating, Layer, Reason string
				Control                       bool
			}
		}
		if err := json.Unmarshal([]byte(out), &r); code != cmd.ExitOK || err != nil {
			t.Fatalf("exit %d, %v: %s", code, err, errs)
		}
		var got []string
		for _, tool := range r.Tools {
			word := tool.Name + "=" + tool.Mutating
			if tool.Control {
				word += "+control"
			}
			if tool.Layer == "" || tool.Reason == "" {
				t.Errorf("no layer or reason: %+v", tool)
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	check(openAITools, "get_order=no cancel_order=yes think=no+control frobnicate=unknown")
	check(mcpTools, "frobnicate=unknown list_files=yes")
	check(mcpTools, "frobnicate=no list_files=yes", "--trust")
	table := filepath.Join(t.TempDir(), "table.json")
	if err := os.WriteFile(table, []byte("\ufeff"+`{"tools":{"cancel_order":"no","frobnicate":"control"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(openAITools, "get_order=no cancel_order=no think=no+control frobnicate=no+control", "--table", table)
}

func TestToolsTable(t *testing.T) {
	code, out, _ := runTools(t, openAITools, "classify", "-")
	if code != cmd.ExitOK || !strings.Contains(out, "4 tools: 1 mutating, 1 not mutating, 1 control, 1 unknown") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	lines := strings.Split(out, "\n")
	if at := strings.Index(lines[0], "layer"); at < 0 || !strings.HasPrefix(lines[2][at:], "name") {
		t.Errorf("columns are not aligned:\n%s", out)
	}
	if _, out, _ := runTools(t, `[{"name":"get_\u001b[31mx"}]`, "classify", "-"); strings.Contains(out, "\x1b") {
		t.Errorf("a name writes to the terminal: %q", out)
	}
}

func TestToolsRefuses(t *testing.T) {
	check := func(code int, want, stdin string, args ...string) {
		t.Helper()
		got, _, errs := runTools(t, stdin, args...)
		if got != code || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", args, got, errs, code, want)
		}
	}
	check(cmd.ExitUsage, "missing subcommand after tools: want classify", "")
	check(cmd.ExitUsage, `unknown subcommand "x"`, "", "x")
	check(cmd.ExitUsage, "missing FILE", "", "classify")
	check(cmd.ExitUsage, "want one FILE, got 2", "", "classify", "a", "b")
	check(cmd.ExitUsage, "unknown --format", "", "classify", "-", "--format", "markdown")
	check(cmd.ExitInput, "nosuch.json", "", "classify", "nosuch.json")
	check(cmd.ExitInput, "invalid JSON at line 1", "{", "classify", "-")
	check(cmd.ExitInput, `missing member "tools"`, `{"a":1}`, "classify", "-")
	check(cmd.ExitInput, "the list is empty", `[]`, "classify", "-")
	check(cmd.ExitInput, "nosuch.json", openAITools, "classify", "-", "--table", "nosuch.json")
	if code, out, _ := runTools(t, "{", "classify", "-", "--format", "json"); code != cmd.ExitInput || !strings.Contains(out, `{"error":{"code":"invalid-input"`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := runTools(t, "", "--help"); code != cmd.ExitOK || !strings.Contains(out, "usage: boundcheck tools") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestToolsTables checks that the reviewed tables are printed, and that each table has
// its source. The error for an unknown name must list the known names.
func TestToolsTables(t *testing.T) {
	code, out, errs := runTools(t, "", "tables")
	for _, want := range []string{"claude-code", "source: ", "TodoWrite", "mcp-reference", "act", "action=screenshot"} {
		if code != cmd.ExitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, out, errs)
		}
	}
	code, out, _ = runTools(t, "", "tables", "--format", "json", "computer-use")
	var r struct{ Tables []hostTable }
	if err := json.Unmarshal([]byte(out), &r); code != cmd.ExitOK || err != nil || len(r.Tables) != 1 || r.Tables[0].Source == "" || len(r.Tables[0].Rows) == 0 {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
	if code, _, errs = runTools(t, "", "tables", "nosuch"); code != cmd.ExitUsage || !strings.Contains(errs, "known tables are claude-code") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs = runTools(t, "", "tables", "--format", "xml"); code != cmd.ExitUsage || !strings.Contains(errs, "unexpected") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
