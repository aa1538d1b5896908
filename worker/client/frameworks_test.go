//go:build !js

package client

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
)

const folder = "frameworks"

// needFrameworks skips a test if the agent frameworks are not installed, and returns node.
func needFrameworks(t *testing.T) (node string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(filepath.Join(folder, "node_modules")); err != nil || missing != nil {
		t.Skip(`SKIPPED: no node, or no node_modules; "make clients" installs the agent frameworks (npm, 330 MB)`)
	}
	return node
}

// TestTypesAgree compares the generated types with those that openapi-typescript makes of the
// same description, and checks the types of the recipes of docs/gate-agents.md with the real
// packages.
func TestTypesAgree(t *testing.T) {
	node := needFrameworks(t)
	home, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	run := func(script string, args ...string) {
		t.Helper()
		cmd := exec.Command(node, append([]string{filepath.Join("node_modules", script)}, args...)...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", script, err, out)
		}
	}
	description, err := json.Marshal(gate.Description())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "openapi.json"), description, 0o600)
	run("openapi-typescript/bin/cli.js", filepath.Join(dir, "openapi.json"), "-o", filepath.Join(dir, "theirs.ts"))
	compare := `import type { components } from "./theirs.ts";
import type * as ours from "` + filepath.Join(home, "../../../wasm/npm/operations.js") + `";
type S = components["schemas"];
type Same<A, B> = [B] extends [A] ? ([A] extends [B] ? "same" : "wider") : "other";
`
	schemas := gate.Description()["components"].(map[string]any)["schemas"].(map[string]any)
	for name, schema := range schemas {
		text, _ := json.Marshal(schema)
		want := `"same"`
		if strings.Contains(string(text), `{"type":"object"}`) { // they let such an object have no members, we any
			want = `"wider"`
		}
		compare += "export const c" + name + ": Same<ours." + name + ", S[\"" + name + "\"]> = " + want + ";\n"
	}
	os.WriteFile(filepath.Join(dir, "compare.ts"), []byte(compare), 0o600)
	options := []string{"--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--allowImportingTsExtensions"}
	run("typescript/bin/tsc", append(options, filepath.Join(dir, "compare.ts"))...)
	run("typescript/bin/tsc", "-p", ".")
}

// TestFrameworks runs each agent framework with the adapter, a scripted model and a real gate:
// its own interrupt shows the gate's question, and only the yes of an approver's key lets the
// call run, once, with what was approved.
func TestFrameworks(t *testing.T) {
	node := needFrameworks(t)
	for _, script := range []string{"ai.mjs", "langgraph.mjs", "openai.mjs", "mastra.mjs"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			cmd := exec.CommandContext(t.Context(), node, script, d.url, agentKey, aliceKey)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "MASTRA_TELEMETRY_DISABLED=1")
			var failed strings.Builder
			cmd.Stderr = &failed
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s%s", err, out, failed.String())
			}
			scenes := 0
			for line := range strings.Lines(string(out)) {
				var s scene
				if err := json.Unmarshal([]byte(line), &s); err != nil {
					t.Fatalf("%v in %q", err, line)
				}
				s.checkScene(t, d)
				scenes++
			}
			if scenes != 8 {
				t.Errorf("%d scenes", scenes)
			}
		})
	}
}

// scene is what a script prints of one run of its framework.
type scene struct {
	Scene    string
	Question *struct{ ID, Tool, Prompt, Digest, Reflection string }
	Ran      []string
	Heard    string
}

func (s *scene) checkScene(t *testing.T, d *desk) {
	t.Helper()
	want := map[string]struct{ ran, heard, state string }{
		"yes":    {`{"order_id":"W-yes"}`, "cancelled W-yes", "executed"},
		"edit":   {`{"order_id":"W-other"}`, "An approver changed this call", "superseded"},
		"no":     {"", "an approver denied this call. They wrote: not today", "denied"},
		"answer": {"", "They wrote: which of them?", "answered"},
		"nobody": {"", "waits for an approver", "pending"},
		"agent":  {"", "waits for an approver", "pending"},
		"stale":  {"", "waits for an approver", "pending"},
		"read":   {`{"order_id":"W-read"}`, "cancelled W-read", ""},
	}[s.Scene]
	if got := strings.Join(s.Ran, " "); got != want.ran {
		t.Errorf("%s: ran %q, want %q", s.Scene, got, want.ran)
	}
	again := want.state == "pending" && s.Question != nil && strings.Contains(s.Heard, "asked again: ") && strings.Contains(s.Heard, s.Question.Digest)
	if !strings.Contains(s.Heard, want.heard) && !again {
		t.Errorf("%s: the model heard %s, want %q", s.Scene, s.Heard, want.heard)
	}
	if want.state == "" {
		if s.Question != nil {
			t.Errorf("%s: somebody was asked: %+v", s.Scene, s.Question)
		}
		return
	}
	if s.Question == nil {
		t.Fatalf("%s: nobody was asked", s.Scene)
	}
	r := d.readRecord(s.Question.ID)
	if r.State != want.state || r.Digest != s.Question.Digest {
		t.Errorf("%s: the call is %s with %s, want %s", s.Scene, r.State, r.Digest, want.state)
	}
	if !strings.Contains(s.Question.Prompt, "Digest: "+r.Digest) || !strings.Contains(s.Question.Reflection, "Orders that were shipped cannot be cancelled.") {
		t.Errorf("%s: the screen shows %+v", s.Scene, s.Question)
	}
}
