package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestInputFiles checks that folders, patterns and piped data are read like files.
func TestInputFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.RecordedRun(t, "traces/a.json", clitest.Told, clitest.GetOrder)
	clitest.RecordedRun(t, "traces/deep/b.json", clitest.Told, clitest.GetOrder)
	check := func(want string, names ...string) {
		t.Helper()
		got, err := cmd.InputFiles(names, strings.NewReader(""))
		if text := fmt.Sprint(got, err); !strings.Contains(filepath.ToSlash(text), want) {
			t.Errorf("%q: got %s, want %s", names, text, want)
		}
	}
	check("[traces/a.json traces/deep/b.json] <nil>", "traces")
	check("[traces/a.json] <nil>", "traces/*.json")
	check("[- none.json] <nil>", "-", "none.json")
	check("no file matches", "traces/*.xml")
	check("missing FILE")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	check("empty contains no file", "empty")
	if code, out, errs := runCommand("", "lint", "traces"); code != cmd.ExitOK || !strings.Contains(out, "2 trajectories") {
		t.Errorf("lint of a folder: exit %d\n%s%s", code, out, errs)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("traces/a.json")
	if err != nil {
		t.Fatal(err)
	}
	go func() { w.Write(data); w.Close() }()
	var out, errs bytes.Buffer
	if code := Run([]string{"lint"}, r, &out, &errs); code != cmd.ExitOK || !strings.Contains(out.String(), "1 action") {
		t.Errorf("lint of a pipe: exit %d\n%s%s", code, &out, &errs)
	}

	packed, _ := zstd.NewWriter(nil)
	if err := os.WriteFile("a.json.zst", packed.EncodeAll(data, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := runCommand("", "lint", "a.json.zst"); code != cmd.ExitOK || !strings.Contains(out, "1 action") {
		t.Errorf("zst: exit %d\n%s%s", code, out, errs)
	}
	if err := os.WriteFile("cut.zst", packed.EncodeAll(data, nil)[:20], 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runCommand("", "lint", "cut.zst"); code != cmd.ExitInput || !strings.Contains(errs, "Zstandard") {
		t.Errorf("a cut one: exit %d %s", code, errs)
	}
}

// TestDidYouMean checks that an unknown word causes an error of a few lines, with a
// suggestion if there is one.
func TestDidYouMean(t *testing.T) {
	check := func(want string, args ...string) {
		t.Helper()
		code, _, errs := runCommand("", args...)
		if code == cmd.ExitOK || !strings.Contains(errs, want) || strings.Count(errs, "\n") > 6 {
			t.Errorf("%q: exit %d\n%s, want %q", args, code, errs, want)
		}
	}
	check("did you mean score?", "scor")
	check("did you mean lint?", "lnit")
	check("did you mean --format?", "score", "--fromat", "json", "x")
	check("did you mean --fail-on?", "lint", "--failon", "hint", "x")
	check("did you mean unread-before-write?", "explain", "unread")
	check("boundcheck lint:", "lint", "none.json")
	check("read only once", "score", "-", "--reference", "-")
}

// TestRowsWithReferences checks that the reference in each row of a file is used without
// --stream, too.
func TestRowsWithReferences(t *testing.T) {
	t.Chdir(t.TempDir())
	const rows = `{"trace":[{"name":"x","arguments":{"id":1}}],"reference":[{"name":"x","arguments":{"id":2}}]}` + "\n" + `{"trace":[{"name":"x"}],"reference":"x()"}`
	for name, text := range map[string]string{"rows.jsonl": rows, "rows.json": "[" + strings.Replace(rows, "\n", ",", 1) + "]"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		code, out, errs := runCommand("", "score", "--format", "json", name)
		if code != cmd.ExitOK || strings.Count(out, `"flagged":true`) != 1 || strings.Count(out, `"flagged":false`) != 1 || !strings.Contains(out, `"profile":"sop"`) {
			t.Errorf("%s: exit %d\n%.600s%s", name, code, out, errs)
		}
	}
	// In a row of another format the member "reference" has another meaning.
	if err := os.WriteFile("other.jsonl", []byte(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"4"}],"reference":"the answer is 4"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := runCommand("", "score", "--format", "json", "other.jsonl"); strings.Contains(out, `"reference":[`) {
		t.Errorf("an answer is taken for a call:\n%.600s", out)
	}
}

// TestSeveralOutputs checks that one command can write its result in several formats at
// the same time, for example SARIF, JUnit and GitHub's commands for CI.
func TestSeveralOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.RecordedRun(t, "a.json", clitest.Told, clitest.CancelOrder, clitest.CancelOrder)
	code, out, errs := runCommand("", "lint", "a.json", "--format", "sarif=out/a.sarif,junit=b.xml,github")
	if code != cmd.ExitOK || !strings.Contains(out, "::notice file=a.json,line=1,title=hint") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for name, want := range map[string]string{"out/a.sarif": `"version":"2.1.0"`, "b.xml": "<testsuites"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(strings.ReplaceAll(string(text), ": ", ":"), want) {
			t.Errorf("%s: %v\n%.200s", name, err, text)
		}
	}
	if code, out, _ := runCommand("", "score", "a.json", "--format", "json=r.json"); code != cmd.ExitOK || !strings.Contains(out, "corpus") {
		t.Errorf("the table stays: exit %d\n%s", code, out)
	}
	for format, want := range map[string]string{"json,table": "standard output", "json=": "missing file", "xml=a": "known are"} {
		if code, _, errs := runCommand("", "score", "a.json", "--format", format); code != cmd.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d %s", format, code, errs)
		}
	}
	if code, _, errs := runCommand("", "score", "a.json", "--format", "json=none.json/b.json,table"); code != cmd.ExitOK {
		t.Errorf("a new folder: exit %d %s", code, errs)
	}
	if code, _, errs := runCommand("", "score", "a.json", "--format", "json=a.json/b.json"); code != cmd.ExitInput || !strings.Contains(errs, "a.json") {
		t.Errorf("a file that cannot be: exit %d %s", code, errs)
	}
}
