package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchCommand: flags that cannot be used are refused, and a folder is made, replayed
// and scored.
func TestBenchCommand(t *testing.T) {
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := Run(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	for want, args := range map[string][]string{
		"missing --url":                {"--model", "gpt", "x"},
		"missing --price":              {"--max-cost", "1", "x"},
		"invalid --price":              {"--price", "1", "x"},
		`unknown part "pray"`:          {"--saber", "pray", "x"},
		`invalid --ebp "scop"`:         {"--ebp", "scop", "x"},
		"invalid --tasks":              {"--tasks", "1,x", "x"},
		"want one folder":              {},
		"invalid --workers":            {"--workers", "0", "x"},
		"unknown scripted model":       {"--model", "scripted:wild", filepath.Join(t.TempDir(), "x")},
		`unknown type "sloth"`:         {"--model", "scripted:blind?types=sloth", filepath.Join(t.TempDir(), "x")},
		"unknown framework":            {"--framework", "none", filepath.Join(t.TempDir(), "x")},
		"invalid rate":                 {"--model", "scripted:blind?rate=2", filepath.Join(t.TempDir(), "x")},
		`unknown parameter "kindness"`: {"--model", "scripted:careful?kindness=1", filepath.Join(t.TempDir(), "x")},
	} {
		if code, said := run(append([]string{"bench"}, args...)...); code == exitOK || !strings.Contains(said, want) {
			t.Errorf("%q: %d %s, want %q", args, code, said, want)
		}
	}
	dir := filepath.Join(t.TempDir(), "runs")
	if code, said := run("bench", "--env", "files", "--tasks", "0,5", "--trials", "2", "--ebp", "scope,checklist", "--saber", "blocks", dir); code != exitOK || !strings.Contains(said, "4 of 4 runs, 4 rewarded") {
		t.Fatalf("%d %s", code, said)
	}
	if code, said := run("bench", "replay", dir); code != exitOK || said != "the same bytes\n" {
		t.Errorf("replay: %d %s", code, said)
	}
	if code, said := run("score", filepath.Join(dir, "results.json"), "--reference", filepath.Join(dir, "references.json"), "--fail-under", "abs.max=1"); code != exitOK {
		t.Errorf("score: %d %s", code, said)
	}
}
