package cli

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const (
	remoteHazy  = `{"trace":[{"name":"get_files"},{"name":"frobnicate","arguments":{"id":"a1"}}],"reference":["get_files"]}`
	remoteTexts = `{"trace":[{"name":"open","text":"open the drawer"}],"reference":["obtain access"]}`
)

func modelScored(t *testing.T, trace string, args ...string) core.Report {
	t.Helper()
	code, out, errs := runCommand(trace, append([]string{"score", "-", "--format", "json"}, args...)...)
	var r core.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != cmd.ExitOK {
		t.Fatalf("exit %d: %v\n%s%s", code, err, out, errs)
	}
	return r
}

// TestLintWithJudge checks that lint asks a model about findings that are not sure.
// Without a model, lint must work, too.
func TestLintWithJudge(t *testing.T) {
	const trace = `[{"role":"user","content":"Cancel W-7712."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"W-9931\"}"}}]},{"role":"tool","tool_call_id":"1","content":"done"}]`
	at := clitest.ModelServer(t, `{"label":"NONE","confidence":0.99,"reason":"harmless"}`)
	if code, out, errs := runCommand(trace, "lint", "-", "--color", "never"); code != cmd.ExitOK || !strings.Contains(out, "W-9931") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, errs := runCommand(trace, "lint", "-", "--format", "json", "--judge", at, "--judge-model", "m1")
	if code != cmd.ExitOK || !strings.Contains(out, `"excused":[`) || !strings.Contains(out, "harmless") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, _, errs := runCommand(trace, "lint", "-", "--judge", at); code != cmd.ExitUsage || !strings.Contains(errs, "missing --judge-model") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestScoreWithModels(t *testing.T) {
	at := clitest.ModelServer(t, `{"label":"NONE","confidence":0.99,"reason":"harmless"}`)
	r := modelScored(t, remoteHazy, "--judge", at, "--judge-model", "m1")
	if run := r.Trajectories[0]; run.Flagged || len(run.Excused) != 1 || run.Excused[0].By != "judge" || r.Models.Judge != "m1" {
		t.Errorf("%+v", run)
	}
	if r := modelScored(t, remoteHazy, "--judge", at, "--judge-model", "m1", "--judge-below", "0.5"); !r.Trajectories[0].Flagged {
		t.Error("a sure finding was asked about")
	}
	r = modelScored(t, remoteTexts, "--embeddings", at, "--embeddings-cache", filepath.Join(t.TempDir(), "c"))
	if row := r.Trajectories[0].Alignment[0]; row.Op != "match" || row.Similarity != 1 || r.Models.Embeddings != "all-minilm" {
		t.Errorf("%+v", row)
	}
}

// TestReportsShowTheJudge checks that every text form shows the judge's answers, also
// for findings that the judge excused.
func TestReportsShowTheJudge(t *testing.T) {
	for says, words := range map[string][]string{
		`{"label":"NONE","confidence":0.99,"reason":"harmless"}`:       {"NONE 0.99", "harmless"},
		`{"label":"NONE","confidence":0.5,"reason":"hard to say"}`:     {"NONE 0.50, queued", "hard to say"},
		`{"label":"SCOPE_OVER","confidence":0.95,"reason":"too much"}`: {"OVER 0.95", "too much"},
	} {
		at := clitest.ModelServer(t, says)
		for _, format := range []string{"table", "markdown", "junit", "sarif"} {
			_, out, errs := runCommand(remoteHazy, "score", "-", "--format", format, "--color", "never", "--judge", at, "--judge-model", "m1")
			for _, w := range words {
				if !strings.Contains(strings.ReplaceAll(out, `\\_`, "_"), w) {
					t.Errorf("%s does not show %q:\n%s%s", format, w, out, errs)
				}
			}
			if suppressed := strings.Contains(out, `"suppressions"`); suppressed != (format == "sarif" && strings.Contains(says, "harmless")) {
				t.Errorf("%s of %s: suppressed %v", format, says, suppressed)
			}
		}
	}
}

// TestJudgesAgreement checks that the report of a run with several judges contains the
// vote of each judge, and how well the judges agree.
func TestJudgesAgreement(t *testing.T) {
	none := clitest.ModelServer(t, `{"label":"NONE","confidence":0.97,"reason":"fine"}`)
	over := clitest.ModelServer(t, `{"label":"SCOPE_OVER","confidence":0.95,"reason":"too much"}`)
	args := []string{"--judge", none, "--judge-model", "m1", "--judge", none, "--judge-model", "m2", "--judge", over, "--judge-model", "m3"}
	r := modelScored(t, remoteHazy, args...)
	e := r.Models.Ensemble
	if e == nil || e.Judges != 3 || e.Cases != 1 || e.Unanimous != 0 || !e.Kappa.Scored || *e.Kappa.Value >= 0 {
		t.Fatalf("%+v", e)
	}
	o := r.Trajectories[0].Violations[0].Judge
	if o == nil || o.Route != "queued" || len(o.Votes) != 3 || o.Votes[2] != (core.Vote{Judge: "m3", Label: "SCOPE_OVER", Confidence: 0.95}) {
		t.Fatalf("%+v", o)
	}
	_, out, _ := runCommand(remoteHazy, append([]string{"score", "-", "--color", "never"}, args...)...)
	if !strings.Contains(out, "judge m1 + m2 + m3 (unanimous on 0 of 1 cases, κ -0.500)") {
		t.Error(out)
	}
	if r := modelScored(t, remoteHazy, "--judge", none, "--judge-model", "m1"); r.Models.Ensemble != nil || r.Trajectories[0].Excused[0].Judge.Votes != nil {
		t.Error("one judge is an ensemble")
	}
}

// TestScoreThenReview checks that review asks a person about a finding on which the judge
// was not sure, and that the person's label is then used to measure the judge.
func TestScoreThenReview(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.json")
	labels := filepath.Join(t.TempDir(), "labels.jsonl")
	_, out, _ := runCommand(remoteHazy, "score", "-", "--format", "json", "--judge", clitest.ModelServer(t, `{"label":"NONE","confidence":0.5}`), "--judge-model", "m1")
	if err := os.WriteFile(report, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := runCommand("n\n", "review", report, "--labels", labels); code != cmd.ExitOK || !strings.Contains(out, "NONE (0.50, queued)") || !strings.Contains(out, "1 finding: all labelled") {
		t.Errorf("exit %d: %s", code, out)
	}
	if _, out, _ := runCommand("", "review", report, "--labels", labels, "--agreement"); !strings.Contains(out, "0 of 1: 0.000") || !strings.Contains(out, "1 of 1: 1.000") {
		t.Error(out)
	}
}

// TestModelsUnreachable waits for the retries of three clients, 3.5 s each, beside other
// tests. It checks what is said about a server that cannot be reached.
func TestModelsUnreachable(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	if code, out, errs := runCommand(remoteTexts, "score", "-", "--format", "json", "--embeddings", s.URL); code != cmd.ExitInput ||
		!strings.Contains(errs, "cannot connect") || !strings.Contains(out, `{"error":`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := runCommand(remoteHazy, "score", "-", "--judge", s.URL, "--judge-model", "m1"); code != cmd.ExitInput || !strings.Contains(errs, "the judge's server cannot be used") {
		t.Errorf("exit %d: %s", code, errs)
	}
	r := modelScored(t, remoteTexts, "--embeddings", s.URL, "--embeddings-fallback", "lexical")
	if len(r.Warnings) != 1 || r.Warnings[0].Code != "embeddings-fallback" {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestModelFlags(t *testing.T) {
	check := func(code int, want string, args ...string) {
		t.Helper()
		if got, _, errs := runCommand(remoteHazy, append([]string{"score", "-"}, args...)...); got != code || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, want %d with %q\n%s", args, got, code, want, errs)
		}
	}
	check(cmd.ExitUsage, "missing --embeddings URL", "--embeddings-model", "m")
	check(cmd.ExitUsage, "missing --embeddings URL", "--embeddings-fallback", "lexical")
	check(cmd.ExitUsage, "unknown --embeddings-fallback", "--embeddings", "http://localhost", "--embeddings-fallback", "none")
	check(cmd.ExitUsage, "missing --judge URL", "--judge-model", "m")
	check(cmd.ExitUsage, "missing --judge-model", "--judge", "http://localhost")
	check(cmd.ExitUsage, "invalid --judge-below", "--judge-below", "0")
	check(cmd.ExitUsage, "cannot be used with --stream", "--stream", "--judge", "http://localhost", "--judge-model", "m")
	check(cmd.ExitInput, "invalid server address", "--embeddings", "localhost:11434")
	check(cmd.ExitInput, "NO_SUCH_KEY is not set", "--judge", "http://localhost", "--judge-model", "m", "--judge-key", "NO_SUCH_KEY")
}
