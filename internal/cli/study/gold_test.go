package study

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/gold"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

func goldReport(t *testing.T, file string) *gold.Report {
	t.Helper()
	code, out, errs := runCommand("", "gold", "verify", "--format", "json", "--env-data", recordings.Path(t, "tau-bench/env"), file)
	var r gold.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v, %s", file, code, err, errs)
	}
	return &r
}

// correctionIDs returns the ids of corrections, separated by spaces. It selects the
// verdicts for which the given function returns true, and lists each id once.
func correctionIDs(holds func(*gold.Verdict) bool, reports ...*gold.Report) string {
	var out []string
	for _, r := range reports {
		for i := range r.Verdicts {
			if v := &r.Verdicts[i]; holds(v) && !slices.Contains(out, v.ID) {
				out = append(out, v.ID)
			}
		}
	}
	return strings.Join(out, " ")
}

// TestGoldVerifyRecorded checks the report on the paper's corrections of gold (the
// reference actions of the tasks). It checks which corrections the environment refuses,
// which have no effect, and which are in a later release of τ²'s tasks.
func TestGoldVerifyRecorded(t *testing.T) {
	air, ret := goldReport(t, recordings.Path(t, "tau-bench/gpt-4o-airline.json")), goldReport(t, recordings.Path(t, "tau-bench/gpt-4o-retail.json"))
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	if n := len(strings.Fields(correctionIDs(func(*gold.Verdict) bool { return true }, air, ret))); n != 42 {
		t.Errorf("%d headings", n)
	}
	check("refused", correctionIDs(func(v *gold.Verdict) bool { return v.Refused }, air, ret), "A12 A16 R3 R14 R18")
	check("neutral", correctionIDs(func(v *gold.Verdict) bool { return v.Neutral }, air, ret), "A1 A2 A8 R1 R4 R5 R6 R7 R8 R10 R12 R16 R18")
	stands := func(word string) func(*gold.Verdict) bool {
		return func(v *gold.Verdict) bool { return v.Stands == word }
	}
	check("absent", correctionIDs(func(v *gold.Verdict) bool { return v.Stands != gold.Absent }, air, ret), "")
	air, ret = goldReport(t, recordings.Path(t, "tau2/tasks/airline.original.json")), goldReport(t, recordings.Path(t, "tau2/tasks/retail.original.json"))
	check("present before the release", correctionIDs(stands(gold.Present), air, ret), "")
	check("moot", correctionIDs(stands(gold.Moot), air, ret), "A6 A19")
	air, ret = goldReport(t, recordings.Path(t, "tau2/tasks/airline.verified.json")), goldReport(t, recordings.Path(t, "tau2/tasks/retail.verified.json"))
	check("released", correctionIDs(stands(gold.Present), air, ret), "A1 A5 A17 A18 A22 A23 R1 R3 R4 R8 R17")
	check("released in part", correctionIDs(stands(gold.Partly), air, ret), "A10 A12 A21 R2 R14 R15")
}

// TestGoldApplyRecorded checks that "gold apply --only sound" writes exactly the sound
// corrections to a file. The environment must refuse none of these corrections, and the
// file must be readable as a reference.
func TestGoldApplyRecorded(t *testing.T) {
	for _, domain := range []string{"airline", "retail"} {
		from, to := recordings.Path(t, "tau2/tasks/"+domain+".original.json"), filepath.Join(t.TempDir(), "corrected.json")
		before := goldReport(t, from)
		code, _, errs := runCommand("", "gold", "apply", "--only", "sound", "--env-data", recordings.Path(t, "tau-bench/env"), "--out", to, from)
		if code != 0 {
			t.Fatal(errs)
		}
		after := goldReport(t, to)
		for i := range before.Verdicts {
			b, a := &before.Verdicts[i], &after.Verdicts[i]
			if b.Sound != (a.Stands == gold.Present) || a.Stands == gold.Present && a.Refused {
				t.Errorf("%s of task %s: sound %v, stands as %s afterwards, refused %v", b.ID, b.Task, b.Sound, a.Stands, a.Refused)
			}
			if !b.Sound && !strings.Contains(errs, "omitted correction "+b.ID+" of task "+b.Task+":") {
				t.Errorf("%s was omitted without a message", b.ID)
			}
		}
		if code, out, errs := runCommand("", "reference", "check", to); code != 0 {
			t.Errorf("%s%s", out, errs)
		}
	}
}

func TestGoldMisuse(t *testing.T) {
	for want, args := range map[string][]string{
		"missing subcommand":             {},
		"unknown subcommand \"mend\"":    {"mend", "x.json"},
		"missing TASKS.json":             {"verify"},
		"missing --env-data":             {"verify", "x.json"},
		"missing --only sound":           {"apply", "--env-data", "d", "x.json"},
		"cannot be used with verify":     {"verify", "--env-data", "d", "--out", "y", "x.json"},
		"unexpected argument \"y.json\"": {"verify", "--env-data", "d", "x.json", "y.json"},
	} {
		if code, _, errs := runCommand("", append([]string{"gold"}, args...)...); code != cmd.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	if code, _, errs := runCommand("{}", "gold", "verify", "--env-data", t.TempDir(), "-"); code != cmd.ExitInput || !strings.Contains(errs, "want a list of tasks") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestGoldAuditAny checks that "gold audit" accepts a file of tasks that names its
// benchmark. If no plugin knows the benchmark, the command must return an error.
func TestGoldAuditAny(t *testing.T) {
	const task = `{"benchmark": "%", "tasks": [{"id": "a", "instruction": "Cancel it.", "actions": [{"name": "cancel_pending_order", "arguments": {"order_id": "#M100", "reason": "no longer needed"}}]}]}`
	env := "../../../plugins/taubench/testdata/env"
	code, out, errs := runCommand(strings.ReplaceAll(task, "%", "tau2-bench"), "gold", "audit", "--env-data", env, "-")
	if code != cmd.ExitOK || !strings.Contains(out, "free-parameter") || !strings.Contains(out, "1 task audited. The audit found 1 flag in 1 of these tasks") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := runCommand(strings.ReplaceAll(task, "%", "tau2-bench"), "gold", "audit", "--env-data", env+"/airline", "-"); code != cmd.ExitOK || !strings.Contains(out, "note: task a: no database was given for this domain") {
		t.Errorf("another domain's database: exit %d: %s", code, out)
	}
	for benchmark, want := range map[string]string{"chess": "no plugin supports audit for tasks of chess", "tau-bench": "missing --env-data"} {
		if code, _, errs := runCommand(strings.ReplaceAll(task, "%", benchmark), "gold", "audit", "-"); code != cmd.ExitInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", benchmark, code, errs)
		}
	}
	if code, out, _ := runCommand(strings.ReplaceAll(task, "%", "tau2-bench"), "gold", "audit", "--min", "0.9", "--format", "json", "--env-data", env, "-"); code != cmd.ExitOK || !strings.Contains(out, `"tasks": []`) && !strings.Contains(out, `"tasks":[]`) {
		t.Errorf("exit %d: %s", code, out)
	}
}
