package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/study/tally"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// withoutDecisive returns a report of deviations without its member "decisive", which
// cannot be computed from partial results.
func withoutDecisive(t *testing.T, text string) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	files, _ := v["files"].([]any)
	for _, f := range files {
		delete(f.(map[string]any), "decisive")
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// sameStudy checks that study prints the same for whole files as for their partial
// results. It returns the number of files with a regression.
func sameStudy(t *testing.T, shards int, files ...string) (studied int) {
	t.Helper()
	parts, _ := scoreShards(t, shards, files...)
	for _, flags := range [][]string{nil, {"--by", "none", "--fpr", "over-action=0.2"}, {"--by", "benchmark", "--seed", "7"}} {
		args := append([]string{"study", "tables", "--format", "json"}, flags...)
		code, want, errs := runCommand("", append(slices.Clone(args), files...)...)
		if code != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		code, got, errs := runCommand("", append(slices.Clone(args), parts...)...)
		if code != 0 || got != want {
			t.Errorf("%v of %d shards: exit %d %s\n%s\n%s", args, shards, code, errs, got, want)
		}
	}
	args := []string{"study", "deviations", "--format", "json"}
	_, want, _ := runCommand("", append(slices.Clone(args), files...)...)
	_, got, errs := runCommand("", append(slices.Clone(args), parts...)...)
	if withoutDecisive(t, got) != withoutDecisive(t, want) {
		t.Errorf("%v of %d shards: %s\n%s\n%s", args, shards, errs, got, want)
	}
	var r deviation.Report
	json.Unmarshal([]byte(got), &r)
	return len(r.Files)
}

// TestStudyOfPartials checks that study prints the same bytes for partial results as for
// whole files. It also checks the errors if partial results do not contain what a flag
// needs.
func TestStudyOfPartials(t *testing.T) {
	rows := clitest.TauRows(t, 6)
	for i := range rows { // tasks with several trials, and other outcomes
		rows[i] = regexp.MustCompile(`"task_id":\d+`).ReplaceAllString(rows[i], fmt.Sprintf(`"task_id":%d`, i/5))
		if i%3 == 0 {
			rows[i] = strings.NewReplacer(`"reward":1.0`, `"reward":0.0`, `"reward":0.0`, `"reward":1.0`, `"reward":1`, `"reward":0`).Replace(rows[i])
		}
	}
	files := []string{clitest.WriteTemp(t, "tau.jsonl", clitest.JoinLines(rows)), clitest.WriteTemp(t, "list.json", clitest.JSONList(rows[3:]))}
	studied := 0
	for _, n := range []int{1, 3, 8} {
		studied += sameStudy(t, n, files...)
		studied += sameStudy(t, n, files[1])
	}
	if studied == 0 {
		t.Error("no regression was compared")
	}
	parts, _ := scoreShards(t, 2, files[0])
	whole, _ := os.ReadFile(parts[0])
	head, body, _ := strings.Cut(string(whole), "\n")
	old := clitest.WriteTemp(t, "old", strings.Replace(head, "boundcheck.tally/4", "boundcheck.tally/5", 1)+"\n"+body)
	first := tally.New(&tally.Origin{Files: []tally.File{{Path: "a", Name: "a", Bytes: -1}}, Shards: 1, Profile: "auto", Seed: 42}, 0, true)
	first.Element(0, false)
	alone := clitest.WriteTemp(t, "alone", string(first.Encode()))
	if code, _, errs := runCommand("", "merge", alone); code != 0 || !strings.Contains(string(first.Encode()), `"boundcheck.tally/3"`) {
		t.Errorf("the first version: exit %d %s", code, errs)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tables", alone}, alone + " contains figures but no runs"},
		{[]string{"tables", parts[0]}, "are missing; score these shards"},
		{[]string{"tables", parts[0], files[0]}, "partial results cannot be mixed with other files"},
		{[]string{"tables", "--by", "task", parts[0], parts[1]}, `partial results have no column "task"; the only columns are file and benchmark`},
		{[]string{"tables", "--profile", "sop", parts[0], parts[1]}, "--profile needs whole files"},
		{[]string{"tables", "model=a:" + parts[0], parts[1]}, `partial results have only two columns, "file" and "benchmark"`},
		{[]string{"deviations", "--runs", parts[0], parts[1]}, "--runs needs whole files"},
		{[]string{"deviations", "--distance", "effects", parts[0], parts[1]}, "--distance needs whole files"},
		{[]string{"tables", old, parts[1]}, "the file has the format boundcheck.tally/5"},
	} {
		if code, _, errs := runCommand("", append([]string{"study"}, c.args...)...); code != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d %s, want %s", c.args, code, errs, c.want)
		}
	}
}

// TestPartialOfResumed checks that a resumed run writes the same partial result as a run
// that was not interrupted.
func TestPartialOfResumed(t *testing.T) {
	file, dir := clitest.WriteTemp(t, "runs.jsonl", clitest.JoinLines(clitest.TauRows(t, 9))), t.TempDir()
	args := []string{"score", "--stream", "--resume", "--partial", filepath.Join(dir, "part"), "--out", filepath.Join(dir, "out"), file}
	if code, _, errs := runCommand("", args...); code != 0 {
		t.Fatal(errs)
	}
	want, _ := os.ReadFile(filepath.Join(dir, "part"))
	text, _ := os.ReadFile(filepath.Join(dir, "out"))
	for _, n := range []int{3, 2, 5} {
		os.Remove(filepath.Join(dir, "part"))
		os.Truncate(filepath.Join(dir, "out"), int64(len(text)*n/7))
		if code, _, errs := runCommand("", args...); code != 0 {
			t.Fatal(errs)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "part")); string(got) != string(want) || len(want) == 0 {
			t.Errorf("resumed at %d/7: another partial result", n)
		}
	}
}

// TestStudyOfPartialsRecorded studies every sixth small recorded file twice, with BOUNDCHECK_LONG=1
// each file, which takes time. It checks that study prints the same bytes for partial results as for whole files.
func TestStudyOfPartialsRecorded(t *testing.T) {
	studied, files := 0, 0
	for _, name := range recordings.Some(t, recordings.Glob(t, "*/*.json*", "*/*/*.json*")) {
		path := recordings.Path(t, name)
		var whole, lines struct{ Corpus struct{ N int } }
		_, out, _ := runCommand("", "score", "--format", "json", path)
		json.Unmarshal([]byte(out), &whole)
		_, out, _ = runCommand("", "score", "--stream", path)
		json.Unmarshal([]byte(clitest.LastLine(out)), &lines)
		if lines.Corpus.N == 0 || lines.Corpus.N != whole.Corpus.N { // it is not a file of runs
			continue
		}
		studied += sameStudy(t, 5, path)
		files++
	}
	t.Logf("%d files, %d regressions", files, studied)
	if studied == 0 {
		t.Error("no regression was compared")
	}
}
