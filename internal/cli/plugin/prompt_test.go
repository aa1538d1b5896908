package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/host"
)

// promptsModule builds the module once for all tests here.
var promptsModule = sync.OnceValues(func() ([]byte, error) {
	return host.Build(context.Background(), "prompts", filepath.Join("..", "..", ".."))
})

// pluginDir returns a new folder with a copy of the module prompts.wasm.
func pluginDir(t *testing.T) string {
	t.Helper()
	wasm, err := promptsModule()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "prompts.wasm"), wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runPrompt runs the command with a built plugin and returns what it printed.
func runPrompt(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv(host.EnvDir, pluginDir(t))
	var out, err bytes.Buffer
	code = Prompt(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func TestPromptVariants(t *testing.T) {
	const tools = `[{"name":"cancel_order","parameters":{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}}]`
	for variant, want := range map[string]string{
		"full 1.1.0":        "`cancel_order(order_id*: string)`",
		"paper 1.0.0":       "`cancel_order(order_id*: string)`",
		"scope 1.0.0":       "`cancel_order(order_id*: string)`",
		"granularity 1.0.0": "`cancel_order(order_id*: string)`",
		"checklist 1.0.0":   "`cancel_order`: order_id",
	} {
		variant, version, _ := strings.Cut(variant, " ")
		code, out, err := runPrompt(t, "\ufeff"+tools, "ebp", "--variant", variant, "--tools", "-")
		if code != 0 || !strings.Contains(out, want) || strings.Contains(out, "{{") {
			t.Errorf("%s: code %d, %s\n%s", variant, code, err, out)
		}
		if !strings.Contains(err, "template ebp-"+variant+", version "+version+", from prompts 0.3.0: about ") {
			t.Errorf("%s: no token estimate on stderr: %q", variant, err)
		}
	}
}

func TestPromptJSON(t *testing.T) {
	code, out, stderr := runPrompt(t, "", "--format=json", "ebp", "--check", "the window is open")
	var got struct {
		Plugin         usedPlugin
		Template, Text string
		Tokens         struct{ About int }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("code %d, %v, %s", code, err, stderr)
	}
	if got.Template != "ebp-full" || !strings.Contains(got.Text, "- [ ] the window is open") || got.Tokens.About < 100 {
		t.Errorf("rendered %+v", got)
	}
	if got.Plugin.Name != "prompts" || len(got.Plugin.SHA256) != 64 {
		t.Errorf("made by %+v", got.Plugin)
	}
}

func TestPromptList(t *testing.T) {
	code, out, _ := runPrompt(t, "", "list")
	for _, id := range []string{"ebp-full", "ebp-scope", "ebp-granularity", "ebp-checklist"} {
		if code != 0 || !strings.Contains(out, id) {
			t.Errorf("code %d, %s missing in\n%s", code, id, out)
		}
	}
	code, out, _ = runPrompt(t, "", "list", "--format", "json")
	if code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("code %d, %s", code, out)
	}
}

// TestPromptBadTools checks that an error in a tools file names the file and the place of
// the error in it.
func TestPromptBadTools(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"syntax", "[\n  {\"name\": \"é\" \"x\"}\n]", "tools.json: line 2, column 16: invalid JSON"},
		{"cut off", `[{"name":"a"`, "tools.json: line 1, column 12: invalid JSON: unexpected end"},
		{"empty", "  \n", "tools.json: empty"},
		{"null", "null", "tools.json: want an array"},
		{"UTF-16", "\xff\xfe[\x00]\x00", "tools.json: invalid UTF-8"},
		{"no name", `{"tools":[{"description":"d"}]}`, "tools.json: tools[0].name: missing"},
		{"not tools", `{"model":"m"}`, `tools.json: missing "tools": found only "model"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tools.json")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, stderr := runPrompt(t, "", "ebp", "--tools", path)
			if code != 1 || out != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("code %d, stdout %q, stderr %q, want %q", code, out, stderr, c.want)
			}
		})
	}
	code, _, stderr := runPrompt(t, "", "ebp", "--tools", filepath.Join("no", "such.json"))
	if code != 1 || !strings.Contains(stderr, "no such file") {
		t.Errorf("code %d, %q", code, stderr)
	}
}

func TestPromptUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"missing prompt":      {},
		`unknown prompt "eb"`: {"eb"},
		`the variants are full, scope, granularity, checklist, paper`: {"ebp", "--variant", "ful"},
		`unknown format "yaml"`:                              {"ebp", "--format", "yaml"},
		`unexpected argument "scope"`:                        {"ebp", "scope"},
		"flag provided but not defined: -colour":             {"ebp", "--colour"},
		"--tools cannot be used with boundcheck prompt list": {"list", "--tools", "x"},
		"flag needs an argument: -variant":                   {"ebp", "--variant"},
	} {
		code, out, stderr := runPrompt(t, "", args...)
		if code != 2 || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("%q: code %d, stdout %q, stderr %q, want %q", args, code, out, stderr, want)
		}
	}
	for _, args := range [][]string{{"--help"}, {"ebp", "-h"}, {"help"}} {
		if code, out, _ := runPrompt(t, "", args...); code != 0 || !strings.HasPrefix(out, "usage: ") {
			t.Errorf("%q: code %d, %q", args, code, out)
		}
	}
}

func TestPromptComponents(t *testing.T) {
	code, out, stderr := runPrompt(t, "", "ebp", "--components", "scope,checklist", "--check", "the window is open")
	if code != 0 || !strings.Contains(out, "## Scope") || !strings.Contains(out, "the window is open") || strings.Contains(out, "## Granularity") {
		t.Errorf("code %d, %s\n%s", code, stderr, out)
	}
	code, _, stderr = runPrompt(t, "", "ebp", "--components", "scop")
	if code != 1 || !strings.Contains(stderr, `unknown component "scop" of template ebp-full; the known components are preconditions, scope, granularity, checklist`) {
		t.Errorf("code %d, %q", code, stderr)
	}
	const tools = `{"tools":[{"name":"a"}],"compositions":[{"whole":"w"}]}`
	code, _, stderr = runPrompt(t, tools, "ebp", "--tools", "-")
	if code != 1 || !strings.Contains(stderr, "standard input: compositions[0].parts: must name at least two actions") {
		t.Errorf("code %d, %q", code, stderr)
	}
}

// TestPromptCheckNotTaken checks that --check is refused for templates without a
// checklist.
func TestPromptCheckNotTaken(t *testing.T) {
	code, _, stderr := runPrompt(t, "", "ebp", "--variant", "scope", "--check", "x")
	if code != 1 || !strings.Contains(stderr, `unknown variable "checks"; ebp-scope takes tools`) {
		t.Errorf("code %d, %q", code, stderr)
	}
}

func TestPromptNoPlugin(t *testing.T) {
	var out, stderr bytes.Buffer
	code := Prompt([]string{"ebp", "--plugin", "nowhere", "--plugins", t.TempDir()}, strings.NewReader(""), &out, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), `"nowhere"`) {
		t.Errorf("code %d, %q", code, stderr.String())
	}
}
