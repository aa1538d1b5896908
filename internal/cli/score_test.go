package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/wire"
)

const cases = "../../testdata/cases/"

// runCommand runs a command line as main does.
func runCommand(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	check := func(want int, part string, args ...string) {
		t.Helper()
		code, out, errs := runCommand(`[]`, args...)
		if code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(0, "usage: boundcheck", "help")
	check(2, "usage: boundcheck")
	check(2, `unknown command "scor"`, "scor")
	check(0, "--fail-under", "score", "-h")
	check(2, "missing FILE", "score")
	check(2, `unknown --format "yaml"`, "score", "--format", "yaml", "-")
	check(2, `unknown --profile "strict"`, "score", "-", "--profile", "strict")
	check(2, "not defined: -frobnicate", "score", "--frobnicate", "-")
	check(2, `unknown metric "absurd"`, "score", "--fail-under", "absurd=1", "-")
	check(2, `invalid bound "abs"`, "score", "--fail-under", "abs", "-")
	check(1, "no such file", "score", "nowhere.json")
	check(1, "run: boundcheck formats", "score", "../../testdata/hostile/unknown-object.json")
	check(1, "a PNG image", "score", "../../testdata/hostile/image.png")
	check(0, "generic-actions", "score", "-")
	check(0, "ABS (max)", "score", cases+"abb-granularity.json")
	check(3, "within is 0.2500, below the limit 0.8", "score", "--fail-under", "within=0.8", cases+"abb-granularity.json")
	check(0, "", "score", "--fail-under", "within=0.25", cases+"abb-granularity.json")
	check(3, "abs.max is 0.2500, below the limit 0.8", "score", "--fail-under", "abs.max=0.8", cases+"abb-granularity.json")
	check(0, "", "score", "--fail-under", "abs.max=0.2,gar=0.1", cases+"abb-granularity.json")
	check(3, "granularityRate is 1.0000, above the limit 0.5", "score", cases+"abb-granularity.json", "--fail-under", "granularityRate=0.5")
	check(0, "", "score", cases+"abb-granularity.json", "--fail-under", "svr=0")
	check(3, "basr is not scored", "score", "--fail-under", "basr=0", cases+"abb-granularity.json")
	check(0, `"wire":1`, "version")
	check(2, "usage: boundcheck check", "check")
	check(1, `"error"`, "check", "-")
}

// TestJSONIsTheDoorsAnswer checks that score --format json prints the same bytes that
// package wire returns to the other front ends. It also checks that a flag has the same
// effect as the member of a request with the same meaning.
func TestJSONIsTheDoorsAnswer(t *testing.T) {
	files, _ := filepath.Glob(cases + "*.json")
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	for _, f := range files {
		body, _ := os.ReadFile(f)
		want, _ := wire.Handle("score", body)
		if _, got, _ := runCommand("", "score", "--format", "json", f); got != string(want) {
			t.Errorf("%s: the command and the door differ", f)
		}
	}
	want, _ := wire.Handle("score", []byte(`{"trace":[{"name":"pay","arguments":{"id":1}}],"reference":["get_bill"],"profile":"outcome","seed":7}`))
	ref := filepath.Join(t.TempDir(), "reference.txt")
	os.WriteFile(ref, []byte("# the bill\nget_bill\n"), 0o644)
	code, got, errs := runCommand(`[{"name":"pay","arguments":{"id":1}}]`, "score", "-", "--reference", ref, "--profile", "outcome", "--seed", "7", "--format", "json")
	if code != 0 || got != string(want) {
		t.Errorf("flags: exit %d %s\n%s\nwant\n%s", code, errs, got, want)
	}
}

func TestSeveralFiles(t *testing.T) {
	code, out, errs := runCommand("", "score", "--format", "json", "../../testdata/traces/tau-bench.json", "../../testdata/traces/tau-bench.json", "../../testdata/traces/openai-chat.json", "../../testdata/traces/generic-actions.json")
	var r struct {
		Corpus struct{ N, Tasks int }
		Input  struct {
			Format string
			Files  []struct{ Name, Format string }
		}
		Trajectories []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	if r.Input.Format != "mixed" || len(r.Input.Files) != 4 || r.Corpus.N != 16 || r.Corpus.Tasks != 10 {
		t.Errorf("%+v, corpus %+v", r.Input, r.Corpus)
	}
	seen := map[string]bool{}
	for _, run := range r.Trajectories {
		if seen[run.ID] {
			t.Errorf("two runs have the id %s", run.ID)
		}
		seen[run.ID] = true
	}
	if code, _, errs := runCommand("", "score", "../../testdata/traces/tau-bench.json", "../../testdata/hostile/empty.json"); code != 1 || !strings.Contains(errs, "empty.json") {
		t.Errorf("exit %d without naming the bad file: %s", code, errs)
	}
}

// TestTracesCannotPaint checks that a trace can neither control the terminal nor break
// a table.
func TestTracesCannotPaint(t *testing.T) {
	trace := `[{"name":"del\u001b[31mete","arguments":{"x":"\u202e|"}}]`
	for _, format := range []string{"table", "markdown"} {
		_, out, _ := runCommand(trace, "score", "--format", format, "-")
		if strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%s: a control character came through: %q", format, out)
		}
	}
	if _, out, _ := runCommand("", "score", "--color", "always", cases+"abb-granularity.json"); !strings.Contains(out, "\x1b[") {
		t.Error("no colour when told always")
	}
	if _, out, _ := runCommand("", "score", cases+"abb-granularity.json"); strings.Contains(out, "\x1b[") {
		t.Error("colour without a terminal")
	}
}

// TestReportFormats checks that the command writes each format, with the same bytes
// each time.
func TestReportFormats(t *testing.T) {
	for format, want := range map[string]string{"csv": "\r\n../../testdata/traces/tau-bench.json,", "junit": "<testsuites ", "sarif": `"version": "2.1.0"`, "html": "<!doctype html>"} {
		args := []string{"score", "--format", format, "../../testdata/traces/tau-bench.json", "../../testdata/traces/openai-chat.json"}
		code, out, errs := runCommand("", args...)
		_, again, _ := runCommand("", args...)
		if code != 0 || !strings.Contains(out, want) || out != again {
			t.Errorf("%s: exit %d, %s, the same twice: %v", format, code, errs, out == again)
		}
	}
}
