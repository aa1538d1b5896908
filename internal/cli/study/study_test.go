package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// tauRun returns a run in τ-bench's format. The parameters calls and gold are lists of
// orders, separated by spaces. The agent cancels the orders in calls, and the reference
// cancels the orders in gold.
func tauRun(task, trial int, success bool, calls, gold string) string {
	reward := map[bool]string{true: "1.0", false: "0.0"}[success]
	var traj, actions []string
	for i, id := range strings.Fields(calls) {
		traj = append(traj, fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"cancel_order","arguments":"{\"order_id\":\"%s\"}"}}]},
			{"role":"tool","tool_call_id":"c%d","name":"cancel_order","content":"done"}`, i, id, i))
	}
	for _, id := range strings.Fields(gold) {
		actions = append(actions, fmt.Sprintf(`{"name":"cancel_order","kwargs":{"order_id":"%s"}}`, id))
	}
	return fmt.Sprintf(`{"task_id":%d,"trial":%d,"reward":%s,"info":{"task":{"actions":[%s]}},"traj":[{"role":"user","content":"hello"}%s]}`,
		task, trial, reward, strings.Join(actions, ","), strings.Join(append([]string{""}, traj...), ","))
}

func writeRuns(t *testing.T, name string, runs ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("["+strings.Join(runs, ",\n")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// overlappingRuns writes a file of runs, and returns its path. Some runs with a deviation
// from the reference succeed, and some runs without a deviation fail.
func overlappingRuns(t *testing.T) string {
	return writeRuns(t, "overlap.json", tauRun(0, 0, true, "1", "1"), tauRun(0, 1, false, "1 2", "1"), tauRun(1, 0, true, "1 2", "1"),
		tauRun(1, 1, false, "1", "1"), tauRun(2, 0, true, "1", "1"), tauRun(3, 0, false, "", "1"))
}

func separatingRuns(t *testing.T) string {
	return writeRuns(t, "apart.json", tauRun(0, 0, true, "1", "1"), tauRun(0, 1, false, "1 2", "1"), tauRun(1, 0, true, "1", "1"), tauRun(1, 1, false, "3 3 3", "1"))
}

func runStudy(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Study(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func decodeStudy(t *testing.T, text string) deviation.Report {
	t.Helper()
	var r deviation.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return r
}

func TestStudyJSON(t *testing.T) {
	code, out, errs := runStudy(t, "", "deviations", overlappingRuns(t), separatingRuns(t), "--format", "json", "--runs")
	if code != cmd.ExitOK || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	r := decodeStudy(t, out)
	if len(r.Files) != 2 || r.Files[0].File != "overlap.json" || r.Files[1].File != "apart.json" {
		t.Fatalf("files: %s", out)
	}
	ml, firth := r.Files[0], r.Files[1]
	if ml.N != 6 || ml.Successes != 3 || ml.Tasks != 4 || ml.Separated || ml.Method != "ml" {
		t.Errorf("%+v", ml)
	}
	// d_mut is 1 in two of three failures and in one of three successes
	if got, want := float64(*ml.Mutating.Coef), math.Log(1.0*1/(2*2)); math.Abs(got-want) > 1e-4 {
		t.Errorf("coefficient %v, want %v", got, want)
	}
	if ml.NonMutating.Coef != nil || ml.NonMutating.Reason == "" || !strings.Contains(out, `"nonMutating":{"coef":null,"or":null,"p":null`) {
		t.Errorf("non-mutating deviations do not vary: %+v", ml.NonMutating)
	}
	if !firth.Separated || firth.Method != "firth" || math.Abs(float64(*firth.Mutating.Coef)) > 10 || firth.Mutating.Test != "profile" {
		t.Errorf("%+v", firth)
	}
	step := ml.Runs[1].Step
	if step == nil || step.Kind != "extra" || *step.Obs != 1 || step.Did.Name != "cancel_order" || step.Witness != "run "+ml.Runs[0].ID {
		t.Errorf("%+v", step)
	}
	if ml.Runs[0].Step != nil || ml.Decisive != (deviation.Tally{Failures: 3, Extra: 1, Missing: 1, Same: 1}) {
		t.Errorf("%+v", ml.Decisive)
	}
}

func TestStudyTable(t *testing.T) {
	code, out, _ := runStudy(t, "", "deviations", separatingRuns(t), "--runs", overlappingRuns(t))
	if code != cmd.ExitOK {
		t.Fatal(out)
	}
	for _, want := range []string{"apart.json", "firth", "maximum likelihood does not converge", "test", "█│", "step 2, after this point run 0/0 makes no more changes, but cancel_order",
		"decisive deviations of 3 failures", "the effect of non-mutating deviations cannot be estimated"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	lines := strings.Split(out, "\n")
	column := func(line string) int {
		before, _, _ := strings.Cut(line, "│")
		return utf8.RuneCountInString(before)
	}
	if at := column(lines[3]); at == utf8.RuneCountInString(lines[3]) || at != column(lines[4]) || at != column(lines[6]) {
		t.Errorf("columns are not aligned:\n%s", out)
	}
	_, md, _ := runStudy(t, "", "deviations", "--format", "markdown", overlappingRuns(t))
	if !strings.Contains(md, "| file | n | success |") || !strings.Contains(md, "| overlap.json | 6 | 0.500 | ml | mutating |") {
		t.Errorf("%s", md)
	}
}

func TestStudyStdin(t *testing.T) {
	text, err := os.ReadFile(overlappingRuns(t))
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := runStudy(t, string(text), "deviations", "-", "--format=json", "--distance=effects")
	if code != cmd.ExitOK || decodeStudy(t, out).Files[0].File != "-" || decodeStudy(t, out).Files[0].Distance != "effects" {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// TestStudyOverrides checks that a study uses the operator's table. Here the table says
// that cancel_order changes nothing, so the study must have no mutating actions.
func TestStudyOverrides(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table.json")
	if err := os.WriteFile(table, []byte(`{"tools":{"cancel_order":"no"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := runStudy(t, "", "deviations", overlappingRuns(t), "--table", table, "--format", "json")
	if f := decodeStudy(t, out).Files[0]; f.Mutating.Coef != nil || f.NonMutating.Coef == nil {
		t.Errorf("%s", out)
	}
}

func TestStudyRefuses(t *testing.T) {
	trace := `[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]`
	check := func(code int, want, stdin string, args ...string) {
		t.Helper()
		got, _, errs := runStudy(t, stdin, args...)
		if got != code || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", args, got, errs, code, want)
		}
	}
	check(cmd.ExitUsage, "missing subcommand after study", "")
	check(cmd.ExitUsage, `unknown subcommand "x" after study: want deviations`, "", "x")
	check(cmd.ExitUsage, "missing FILE", "", "deviations")
	check(cmd.ExitUsage, "unknown --format", "", "deviations", "-", "--format", "xml")
	check(cmd.ExitUsage, "unknown --distance", "", "deviations", "-", "--distance", "far")
	check(cmd.ExitInput, "nosuch.json: cannot open: no such file", "", "deviations", "nosuch.json")
	check(cmd.ExitInput, "no run has a reference or a known outcome", trace, "deviations", "-")
	check(cmd.ExitInput, "no run has a known outcome", `{"trace":`+trace+`,"reference":"cancel_order"}`, "deviations", "-")
	check(cmd.ExitInput, "no run has a reference", `[{"task_id":1,"reward":1,"traj":`+trace+`}]`, "deviations", "-")
	check(cmd.ExitInput, "all 1 runs have the same outcome (succeeded)", "["+tauRun(0, 0, true, "1", "1")+"]", "deviations", "-")
	check(cmd.ExitInput, "nosuch.json", "", "deviations", overlappingRuns(t), "--table", "nosuch.json")
	check(cmd.ExitOK, "nosuch.json: cannot open", "", "deviations", "nosuch.json", overlappingRuns(t))
	if code, out, _ := runStudy(t, "", "deviations", "nosuch.json", "--format", "json"); code != cmd.ExitInput || !strings.Contains(out, `{"error":{"code":"invalid-input"`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := runStudy(t, "", "-h"); code != cmd.ExitOK || !strings.Contains(out, "usage: boundcheck study") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestStudyFidelity compares the regression with an independent computation of SABER's
// regression on the same 200 recorded runs. The coefficient must be −2.448 for mutating
// actions, and −0.143 for other actions.
func TestStudyFidelity(t *testing.T) {
	const name = "tau-bench/gpt-4o-airline.json"
	file, data := recordings.Path(t, name), recordings.Read(t, name)
	_, out, errs := runStudy(t, "", "deviations", file, "--format", "json")
	f := decodeStudy(t, out).Files[0]
	if f.N != 200 || f.Separated || f.Method != "ml" {
		t.Errorf("%+v %s", f, errs)
	}
	for _, c := range []struct{ name, got, want string }{
		{"mutating", fmt.Sprintf("%.3f", *f.Mutating.Coef), "-2.448"}, {"its OR", fmt.Sprintf("%.3f", *f.Mutating.OR), "0.086"}, {"its p", fmt.Sprintf("%.2g", *f.Mutating.PlainP), "2.1e-11"},
		{"non-mutating", fmt.Sprintf("%.3f", *f.NonMutating.Coef), "-0.143"}, {"its OR", fmt.Sprintf("%.3f", *f.NonMutating.OR), "0.867"}, {"its p", fmt.Sprintf("%.2g", *f.NonMutating.PlainP), "0.016"},
	} {
		if c.got != c.want {
			t.Errorf("%s = %s, want %s", c.name, c.got, c.want)
		}
	}
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: data}}})
	if err != nil {
		t.Fatal(err)
	}
	var writes []string
	for i := range r.Trajectories {
		for _, a := range append(r.Trajectories[i].Observed, r.Trajectories[i].Reference...) {
			if a.Mutating != "no" && !slices.Contains(writes, a.Name) {
				writes = append(writes, a.Name)
			}
		}
	}
	slices.Sort(writes)
	if want := "book_reservation cancel_reservation send_certificate update_reservation_baggages update_reservation_flights update_reservation_passengers"; strings.Join(writes, " ") != want {
		t.Errorf("mutating: %v", writes)
	}
}

// TestStudyRecorded studies the small recorded files, and with BOUNDCHECK_LONG=1 all, and logs the
// table. The table must contain neither NaN nor Inf.
func TestStudyRecorded(t *testing.T) {
	var files []string
	for _, name := range recordings.Small(t, recordings.Glob(t, "tau*/*.json")) {
		files = append(files, recordings.Path(t, name))
	}
	code, out, errs := runStudy(t, "", append([]string{"deviations"}, files...)...)
	if code != cmd.ExitOK || strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
		t.Errorf("exit %d", code)
	}
	t.Logf("\n%s%s", out, errs)
}

// TestStudyPooled checks that a study of several files has a row for all files together.
// The regression in this row has an intercept for each file, so that the success rate of
// a file does not count as an effect of deviations.
func TestStudyPooled(t *testing.T) {
	code, out, errs := runStudy(t, "", "deviations", overlappingRuns(t), separatingRuns(t), "--format", "json")
	r := decodeStudy(t, out)
	if code != cmd.ExitOK || r.Pooled == nil || r.Pooled.N != 10 || r.Pooled.Tasks != 6 || r.Pooled.Mutating.Low == nil {
		t.Fatalf("exit %d, %s %+v", code, errs, r.Pooled)
	}
	_, page, _ := runStudy(t, "", "deviations", overlappingRuns(t), separatingRuns(t), "--format", "html")
	for _, want := range []string{"<title>Boundcheck: a study of 10 runs</title>", "<svg viewBox", "mutating: all files", "OR 1/256", "<h2>Methods</h2>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if _, out, _ := runStudy(t, "", "deviations", overlappingRuns(t), "--format", "json"); decodeStudy(t, out).Pooled != nil {
		t.Error("one file is pooled")
	}
	if _, out, _ := runStudy(t, "", "deviations", overlappingRuns(t), separatingRuns(t)); !strings.Contains(out, "all files") || !strings.Contains(out, "only 3 failures for two coefficients") {
		t.Error(out)
	}
}

// TestStudyReplayedRecorded checks that a run that was recorded as a success but fails in
// a replay counts as a failure. It also checks that a file is reported if the sign of its
// coefficient is unexpected.
func TestStudyReplayedRecorded(t *testing.T) {
	retail, telecom := recordings.Path(t, "tau-bench/gpt-4o-retail.json"), recordings.Path(t, "tau2/gpt-4.1_telecom_default_gpt-4.1_1trials.json")
	code, out, errs := runStudy(t, "", "deviations", "--env-data", recordings.Path(t, "tau-bench/env"), "--format", "json", retail, telecom)
	if code != cmd.ExitOK {
		t.Fatal(errs)
	}
	r := decodeStudy(t, out)
	if f := &r.Files[0]; math.Abs(float64(*f.Mutating.Coef)+1.663) > .0005 || f.Replayed != 115 || f.Contrary != 9 {
		t.Errorf("retail: %v, %d replayed, %d contradicted", *f.Mutating.Coef, f.Replayed, f.Contrary)
	}
	if f := &r.Files[1]; *f.Mutating.Low <= 0 || f.Replayed != 0 {
		t.Errorf("telecom: %+v", f)
	}
	if r.Pooled == nil || r.Pooled.N != 155 || r.Pooled.Contrary != 9 {
		t.Errorf("pooled: %+v", r.Pooled)
	}
	_, out, _ = runStudy(t, "", "deviations", retail, telecom)
	if n := strings.Count(out, "the sign is unexpected"); n != 1 {
		t.Errorf("%d files are said to have the opposite sign\n%s", n, out)
	}
	if f := decodeStudy(t, func() string { _, out, _ := runStudy(t, "", "deviations", "--format", "json", retail); return out }()).Files[0]; math.Abs(float64(*f.Mutating.Coef)+1.400) > .0005 {
		t.Errorf("as recorded: %v", *f.Mutating.Coef)
	}
}
