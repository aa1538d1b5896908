package study

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestEquivalenceRecorded scores every third recorded file at every stage, which takes seconds,
// and with BOUNDCHECK_LONG=1 all of them. It checks that no stage of equivalence adds a finding. For benchmarks with databases, the number of flagged successes must not exceed
// the number of successes that a replay refutes.
func TestEquivalenceRecorded(t *testing.T) {
	var files []string
	for i, name := range recordings.Glob(t, "tau-bench/gpt*.json", "tau2/*.json", "webarena/*.jsonl", "osworld/*.jsonl", "alfworld/*.jsonl",
		"theagentcompany/*.jsonl", "swe-bench/*.jsonl") {
		if drawn.InShare(i, 3) {
			files = append(files, recordings.Path(t, name))
		}
	}
	args := append([]string{"study", "equivalence", "--format", "json", "--env-data", recordings.Path(t, "tau-bench/env")}, files...)
	code, out, errs := runCommand("", args...)
	var s equivalenceStudy
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != cmd.ExitOK {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	var table bytes.Buffer
	s.writeTable(&table)
	t.Logf("\n%s", &table)
	for _, f := range s.Files {
		c := f.Counts
		if c == nil {
			t.Logf("%s: %s", f.File, f.Unusable)
			continue
		}
		for i, pair := range [][2]core.Left{{c.Before, c.State}, {c.State, c.Effect}, {c.Effect, c.Outcome}} {
			if pair[1].Findings > pair[0].Findings || pair[1].Flagged > pair[0].Flagged {
				t.Errorf("%s: stage %d adds findings: %+v", f.File, i, c)
			}
		}
		replayed := len(f.Plugins) == 1 && f.Plugins[0].Name == "taubench"
		if replayed && c.Outcome.Flagged > c.Contradicted {
			t.Errorf("%s: %d successes are left, %d contradicted", f.File, c.Outcome.Flagged, c.Contradicted)
		}
	}
}

func TestEquivalenceUsage(t *testing.T) {
	check := func(code int, part string, args ...string) {
		t.Helper()
		got, out, errs := runCommand("", append([]string{"study"}, args...)...)
		if got != code || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, got, code, part, out, errs)
		}
	}
	check(cmd.ExitUsage, "missing FILE", "equivalence")
	check(cmd.ExitUsage, "unknown --format", "equivalence", "--format", "xml", "x")
	check(cmd.ExitOK, "usage: boundcheck study equivalence", "equivalence", "--help")
	check(cmd.ExitUsage, "want deviations, causes, decisive, sensitivity, equivalence", "equivalances", "x")
	check(cmd.ExitInput, "no run has a reference", "equivalence", "--no-plugins", "../../../testdata/formats/generic.json")
	check(cmd.ExitOK, "1 (33.3 %, 2)", "equivalence", "--no-plugins", "../../../testdata/traces/tau-bench.json")
}
