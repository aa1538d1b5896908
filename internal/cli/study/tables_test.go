package study

import (
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

func decodeTables(t *testing.T, text string) study.Study {
	t.Helper()
	var s study.Study
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return s
}

// TestStudyTables checks that an argument can give columns for a file, and that --by
// makes groups by these columns. The same study must be printable in every format.
func TestStudyTables(t *testing.T) {
	a, b := overlappingRuns(t), separatingRuns(t)
	args := []string{"tables", "--by", "model", "--extra", "clarity", "--fpr", "over-action=.5", "model=x,clarity=0.25:" + a, "model=y,clarity=1:" + b, "--format"}
	code, out, errs := runStudy(t, "", append(args, "json")...)
	s := decodeTables(t, out)
	if code != cmd.ExitOK || errs != "" || len(s.Groups) != 2 || s.Groups[0].Key["model"] != "x" || s.Groups[1].Runs != 4 || s.All.Runs != 10 {
		t.Fatalf("exit %d: %s %+v", code, errs, s.Groups)
	}
	if got := s.Groups[0].Adjusted; got == nil || got.Expected >= float64(got.Found) {
		t.Errorf("%+v", got)
	}
	if r := s.Regressions[0]; r.Outcome != "failure" || len(r.Terms) != 3 || r.Terms[2].Name != "clarity" || !r.Few {
		t.Errorf("%+v", r)
	}
	for format, wants := range map[string][]string{
		"table":    {"Main results", "Why runs failed", "If ABS were 1", "note: the group x has only 6 runs"},
		"markdown": {"### Main results", "| x | 6 | 4 |", "### Methods", "Needleman and Wunsch"},
		"html":     {"<h2>Main results</h2>", "<svg viewBox", "<h2>Methods</h2>", "default-src 'none'"},
	} {
		code, out, _ := runStudy(t, "", append(args, format)...)
		for _, want := range wants {
			if code != cmd.ExitOK || !strings.Contains(out, want) {
				t.Errorf("%s: no %q, exit %d\n%s", format, want, code, out)
			}
		}
		if _, again, _ := runStudy(t, "", append(args, format)...); again != out {
			t.Errorf("%s: another answer the second time", format)
		}
	}
	_, out, _ = runStudy(t, "", append(args, "csv")...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) < 30 || strings.Join(rows[0], " ") != "model table name figure n value low high" {
		t.Fatalf("%v %v", err, rows[:min(3, len(rows))])
	}
	for _, want := range []string{"x,main,ABS max,mean,4", "(all),dataset,action space,names,1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %s\n%s", want, out)
		}
	}
	for want, args := range map[string][]string{
		"missing FILE":                 {"tables"},
		"invalid --fpr":                {"tables", "--fpr", "x=2", a},
		"no run has a column \"size\"": {"tables", "--by", "size", a},
		"no file could be used":        {"tables", "no=such:/file.json"},
	} {
		if code, _, errs := runStudy(t, "", args...); code == cmd.ExitOK || !strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
}

// TestStudyTablesRecorded compares figures of the recorded runs with known values. It
// uses the recorded outcomes and the outcomes of a replay.
func TestStudyTablesRecorded(t *testing.T) {
	airline, retail := recordings.Path(t, "tau-bench/gpt-4o-airline.json"), recordings.Path(t, "tau-bench/gpt-4o-retail.json")
	run := func(more ...string) study.Study {
		code, out, errs := runStudy(t, "", append([]string{"tables", "--format", "json", airline, retail}, more...)...)
		if code != cmd.ExitOK {
			t.Fatal(errs)
		}
		return decodeTables(t, out)
	}
	s := run()
	if v := *s.Groups[1].Figures.SR.Value; math.Abs(v-.748) > .0005 || s.Groups[0].Runs != 200 || s.Groups[0].Tasks != 50 {
		t.Errorf("recorded: SR %v", v)
	}
	if m := s.Groups[0].Dataset.Mutating; m.N != 250 || m.Of != 1164 {
		t.Errorf("mutating share %+v", m)
	}
	s = run("--env-data", recordings.Path(t, "tau-bench/env"))
	if v := *s.Groups[1].Figures.SR.Value; math.Abs(v-.670) > .0005 || !strings.Contains(strings.Join(s.Notes, "\n"), "9 of 115 replayed runs") {
		t.Errorf("replayed: SR %v, %v", v, s.Notes)
	}
}

// everyFile returns the paths of all files with recorded runs. If there are no recorded
// runs, the test is skipped.
func everyFile(t testing.TB) (files []string) {
	t.Helper()
	if _, err := os.Stat(recordings.Dir()); err != nil {
		t.Skip("SKIPPED: no recorded runs")
	}
	err := filepath.WalkDir(recordings.Dir(), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl")) && !strings.Contains(path, "/env/") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// BenchmarkStudyEveryFile measures how long the tables of all recorded runs take. It
// fails if they take more than 3 s.
func BenchmarkStudyEveryFile(b *testing.B) {
	files := everyFile(b)
	var out, errs strings.Builder
	for b.Loop() {
		out.Reset()
		began := time.Now()
		if code := Study(append([]string{"tables", "--by", "benchmark", "--format", "json"}, files...), strings.NewReader(""), &out, &errs); code != cmd.ExitOK {
			b.Fatal(errs.String())
		}
		if took := time.Since(began); took > 3*time.Second {
			b.Errorf("%v for %d files; want at most 3 s", took, len(files))
		}
	}
	b.ReportMetric(float64(len(files)), "files")
}
