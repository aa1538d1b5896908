package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestBenchCommand checks that invalid flags are refused. It also checks that the folder
// that bench writes can be replayed and scored.
func TestBenchCommand(t *testing.T) {
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := Run(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	for want, args := range map[string][]string{
		"missing --url":                     {"--model", "gpt", "x"},
		"missing --price":                   {"--max-cost", "1", "x"},
		"invalid --price":                   {"--price", "1", "x"},
		`unknown part "pray"`:               {"--saber", "pray", "x"},
		`invalid --ebp "scop"`:              {"--ebp", "scop", "x"},
		"invalid --tasks":                   {"--tasks", "1,x", "x"},
		"want one folder":                   {},
		"invalid --workers":                 {"--workers", "0", "x"},
		"unknown scripted model":            {"--model", "scripted:wild", filepath.Join(t.TempDir(), "x")},
		`unknown type "sloth"`:              {"--model", "scripted:blind?types=sloth", filepath.Join(t.TempDir(), "x")},
		"missing --env-data":                {"--env", "tau-retail", filepath.Join(t.TempDir(), "x")},
		"--env shop does not use":           {"--env-data", ".", filepath.Join(t.TempDir(), "x")},
		"with --env-data, want one of tau-": {"--env", "bank", filepath.Join(t.TempDir(), "x")},
		"unknown framework":                 {"--framework", "none", filepath.Join(t.TempDir(), "x")},
		"invalid rate":                      {"--model", "scripted:blind?rate=2", filepath.Join(t.TempDir(), "x")},
		`unknown parameter "kindness"`:      {"--model", "scripted:careful?kindness=1", filepath.Join(t.TempDir(), "x")},
	} {
		if code, said := run(append([]string{"bench"}, args...)...); code == cmd.ExitOK || !strings.Contains(said, want) {
			t.Errorf("%q: %d %s, want %q", args, code, said, want)
		}
	}
	for want, args := range map[string][]string{"want one or more folders": {"watch"}, "invalid --price": {"watch", "--price", "x", "d"}, "want one folder of results": {"replay"}} {
		if code, said := run(append([]string{"bench"}, args...)...); code == cmd.ExitOK || !strings.Contains(said, want) {
			t.Errorf("%q: %d %s, want %q", args, code, said, want)
		}
	}
	dir := filepath.Join(t.TempDir(), "runs")
	if code, said := run("bench", "--watch", "--env", "files", "--tasks", "0,5", "--trials", "2", "--ebp", "scope,checklist", "--saber", "blocks", dir); code != cmd.ExitOK || !strings.Contains(said, "4 of 4 runs, 4 rewarded") || !strings.Contains(said, "at http://127.0.0.1:") || !strings.Contains(said, "runs per minute, 0s left") {
		t.Fatalf("%d %s", code, said)
	}
	if code, said := run("bench", "replay", dir); code != cmd.ExitOK || said != "the same bytes\n" {
		t.Errorf("replay: %d %s", code, said)
	}
	if code, said := run("score", filepath.Join(dir, "results.json"), "--reference", filepath.Join(dir, "references.json"), "--fail-under", "abs.max=1"); code != cmd.ExitOK {
		t.Errorf("score: %d %s", code, said)
	}
}

// TestBenchTau runs two experiments with eight commands that load the plugin again, which
// takes seconds. It checks that τ-bench's and τ²-bench's environments run on the user's
// data and write results in the benchmark's own format. The runs can be replayed on the
// same data but not on other data.
func TestBenchTau(t *testing.T) {
	t.Parallel()
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := Run(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS("../../plugins/taubench/testdata/env")); err != nil {
		t.Fatal(err)
	}
	tasks := filepath.Join(t.TempDir(), "tasks.json")
	for file, text := range map[string]string{
		filepath.Join(data, "retail", "wiki.md"): "Be kind.\n",
		tasks: `[{"id": "x7", "user_scenario": {"instructions": "Cancel #M102."}, "evaluation_criteria": {"actions": [
			{"name": "cancel_pending_order", "arguments": {"order_id": "#M102", "reason": "no longer needed"}}], "communicate_info": ["50.1"],
			"nl_assertions": ["The agent is kind."], "reward_basis": ["DB", "COMMUNICATE", "NL_ASSERTION"]}}]`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"tau-retail": `"traj"`, "tau2-retail": `"termination_reason": "user_stop"`} {
		dir := filepath.Join(t.TempDir(), "runs")
		if code, said := run("bench", "--env", name, "--env-data", data, "--env-tasks", tasks, "--saber", "verify", "--judge", "scripted:careful", dir); code != cmd.ExitOK || !strings.Contains(said, "1 of 1 runs, 1 rewarded") {
			t.Fatalf("%s: %d %s", name, code, said)
		}
		text, err := os.ReadFile(filepath.Join(dir, "results.json"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if text, err = os.ReadFile(filepath.Join(dir, "journal.jsonl")); err != nil || !strings.Contains(string(text), `"assertions":[true]`) {
			t.Errorf("%s: the judge was not asked (%v)", name, err)
		}
		if code, said := run("bench", "replay", "--env-data", data, "--env-tasks", tasks, dir); code != cmd.ExitOK || said != "the same bytes\n" {
			t.Errorf("%s: replay: %d %s", name, code, said)
		}
		if code, said := run("score", filepath.Join(dir, "results.json"), "--env-data", data, "--reference", filepath.Join(dir, "references.json"), "--fail-under", "abs.max=1"); code != cmd.ExitOK {
			t.Errorf("%s: score: %d %s", name, code, said)
		}
		other := t.TempDir()
		if err := os.CopyFS(other, os.DirFS(data)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(other, "retail", "wiki.md"), []byte("Be curt.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, said := run("bench", "replay", "--env-data", other, "--env-tasks", tasks, dir); code == cmd.ExitOK || !strings.Contains(said, "have changed since the recording in") {
			t.Errorf("%s: a replay on other data: %d %s", name, code, said)
		}
	}
}
