package plugin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// ownPrompts builds a user's plugin, once.
var ownPrompts = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "own.wasm")
	child := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "./testdata/ownprompts")
	child.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	child.Stderr = os.Stderr
	if err := child.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
})

func ownPromptsFile(t *testing.T) string {
	t.Helper()
	wasm, err := ownPrompts()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ownprompts.wasm")
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPromptOverride checks that a template of the user's plugin replaces a bundled one
// of the same name, that the command says so, and that the other templates stay.
func TestPromptOverride(t *testing.T) {
	own := ownPromptsFile(t)
	for _, c := range []struct{ args, text, said string }{
		{"ebp --variant scope", "Our own words.", "template ebp-scope, version 9.0.0, from ownprompts 3.1.0, in place of prompts 0.3.0: about 3 tokens (counted by hand)"},
		{"ebp-scope --set names=a --set names=b", `{"names":["a","b"]}`, "from ownprompts"},
		{"house-rules", "Our own words.", "template house-rules, version 1.0.0, from ownprompts 3.1.0: about 3"},
		{"ebp", "Preconditions", "has no template ebp-full, so the bundled template was used"},
	} {
		code, out, stderr := runPrompt(t, "", append(strings.Fields(c.args), "--plugin", own)...)
		if code != 0 || !strings.Contains(strings.ToLower(out), strings.ToLower(c.text)) || !strings.Contains(stderr, c.said) {
			t.Errorf("%s: code %d, %q\n%s", c.args, code, stderr, out)
		}
	}
	var got struct {
		Plugin   usedPlugin
		Replaced *usedPlugin
	}
	_, out, _ := runPrompt(t, "", "ebp-scope", "--format", "json", "--plugin", own)
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Plugin.Name != "ownprompts" || got.Replaced == nil || got.Replaced.Name != "prompts" {
		t.Errorf("%+v, %v", got, err)
	}
	_, out, _ = runPrompt(t, "", "list", "--plugin", own)
	if strings.Count(out, "ebp-scope") != 1 || !strings.Contains(out, "ownprompts 3.1.0, in place of prompts") || !strings.Contains(out, "house-rules") {
		t.Errorf("list:\n%s", out)
	}
	if code, out, _ := runPrompt(t, "", "list", "--plugin", own, "--format", "json"); code != 0 || !strings.Contains(out, `"replaced"`) {
		t.Errorf("code %d\n%s", code, out)
	}
}

func TestPromptOverrideRefused(t *testing.T) {
	notOne := filepath.Join(t.TempDir(), "own.wasm")
	if err := os.WriteFile(notOne, []byte("no module"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"ebp --plugin no/such.wasm":    "no such file",
		"ebp --plugin " + notOne:       "invalid module",
		"ebp --plugin x/prompts2.wasm": "no such file",
	} {
		if code, out, stderr := runPrompt(t, "", strings.Fields(args)...); code != cmd.ExitInput || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, %q, %q", args, code, out, stderr)
		}
	}
}

func TestPromptSaber(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.json")
	if err := os.WriteFile(file, []byte(`{"observed":null}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"saber --variant reflection-react --set tool=cancel_order --set changes=yes":    "Thought: Stop before cancel_order. This call changes state",
		"saber --variant reflection-think --set tool=x --set rules=R1. --set rules=R2.": "- R1.\n- R2.\n",
		"saber-block-summary":       "You shorten one part",
		"judge":                     "GRANULARITY_OVER",
		"judge --set case=@" + file: "Which label is right for this case?\n\n{\"observed\":null}",
		"saber --variant confirmation --set tool=x --set changes=yes --set size=1 --set fields=a=1": "Arguments (1):\n  a=1\n",
	} {
		if code, out, stderr := runPrompt(t, "", strings.Fields(args)...); code != cmd.ExitOK || !strings.Contains(out, want) {
			t.Errorf("%s: code %d, %q\n%s", args, code, stderr, out)
		}
	}
	for args, want := range map[string]string{
		"saber":                           "prompt saber needs --variant; the variants are confirmation, reflection-think",
		"saber --variant x":               `unknown variant "x"`,
		"saberr":                          `unknown prompt "saberr"; the prompts are ebp-full`,
		"judge --set case":                "want NAME=VALUE",
		"judge --set case=1 --set case=2": "variable case takes one value, but 2 values were given",
	} {
		if code, _, stderr := runPrompt(t, "", strings.Fields(args)...); code != cmd.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, %q", args, code, stderr)
		}
	}
	for args, want := range map[string]string{
		"saber --variant reflection-react": `missing variable "tool"`,
		"judge --set case=@no/such":        "no/such: no such file",
		"judge --set kase=1":               `unknown variable "kase"; judge takes case`,
		"judge --set case=oops":            "must be a string that contains JSON",
	} {
		if code, _, stderr := runPrompt(t, "", strings.Fields(args)...); code != cmd.ExitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, %q", args, code, stderr)
		}
	}
}
