package study

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestFilesShareNoRow checks for drawn files, columns and values of --by that two files
// share a row only if a person said so, and that nothing else is refused.
func TestFilesShareNoRow(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	columns := []string{"cond", "model", "file", "benchmark", "task"}
	draw := func(list ...string) string { return list[r.IntN(len(list))] }
	refused := 0
	for range 5000 {
		var files []cmd.Labelled
		for _, path := range clitest.DrawPaths(r) {
			f := cmd.Labelled{Name: path}
			for range r.IntN(3) {
				if f.Columns == nil {
					f.Columns = map[string]string{}
				}
				f.Columns[draw(columns...)] = draw("x", "y", "", "r.json", "x\x00y", "(none)")
			}
			files = append(files, f)
		}
		var by []string
		for range r.IntN(3) {
			by = append(by, draw(columns...))
		}
		err := cmd.LabelAll(files, by)
		shared := unsaidPair(files, by)
		if (err != nil) != (shared != "") {
			t.Fatalf("--by %q of %+v: %v, shared without a word: %q", by, files, err, shared)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 100 || refused > 4900 {
		t.Errorf("%d of 5000 draws are refused", refused)
	}
}

// unsaidPair returns the names of two files whose runs share a row although no person
// said so, or "". It puts one run of each file into rows. A person said so with --by
// none, with a column of the runs, or with values before both files.
func unsaidPair(files []cmd.Labelled, by []string) string {
	report := core.Report{Input: core.Input{Format: "x"}, Trajectories: []core.Trajectory{{Task: "x"}}}
	has := func(column string) (n int) {
		for _, f := range files {
			if _, ok := f.Columns[column]; ok {
				n++
			}
		}
		return n
	}
	for i := range files {
		for j := range i {
			one, two := runsOf(&files[i], &report, i)[0], runsOf(&files[j], &report, j)[0]
			same, said := true, true
			for _, column := range by {
				_, a := files[i].Columns[column]
				_, b := files[j].Columns[column]
				ofRuns := column == "task" || column == "benchmark" && has(column) < len(files) || column != "file" && column != "benchmark" && has(column) == 0
				same = same && (ofRuns || one.Columns[column] == two.Columns[column])
				said = said && (ofRuns || a && b)
			}
			if same && !said {
				return files[i].Name + " and " + files[j].Name
			}
		}
	}
	return ""
}

// TestStudyArms checks that files with equal names in two folders are two rows for every
// command of study, and that a file that is given twice is refused, also by another name.
func TestStudyArms(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"base", "ebp"} {
		text := "[" + strings.Join([]string{tauRun(0, 0, true, "1", "1"), tauRun(0, 1, false, "1 2", "1"), tauRun(1, 0, true, "1 2", "1"), tauRun(1, 1, false, "1", "1")}, ",") + "]"
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "results.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("base", "link"); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	for _, command := range []string{"tables", "deviations", "decisive", "equivalence", "sensitivity"} {
		args := []string{command, "base/results.json"}
		if command == "equivalence" {
			args = append(args, "--no-plugins") // they take seconds
		}
		code, out, errs := runStudy(t, "", append(args, "ebp/results.json")...)
		if code != cmd.ExitOK || errs != "" || !strings.Contains(out, "base/results.json") || !strings.Contains(out, "ebp/results.json") {
			t.Errorf("%s: exit %d: %s%s", command, code, errs, out)
		}
		for _, again := range []string{"base/results.json", "./ebp/../base/results.json", "link/results.json"} {
			if code, out, errs := runStudy(t, "", append(args, again)...); code == cmd.ExitOK || out != "" || !strings.Contains(errs, "is given twice") {
				t.Errorf("%s %s: exit %d: %s%s", command, again, code, errs, out)
			}
		}
	}
	for _, command := range []string{"tables", "deviations"} {
		if code, out, errs := runStudy(t, "", command, "--by", "cond", "cond=x:base/results.json", "cond=x:ebp/results.json", "--format", "json"); code != cmd.ExitOK || errs != "" || strings.Count(out, `"n":8`)+strings.Count(out, `"runs":8`) == 0 {
			t.Errorf("%s: files with one condition: exit %d: %s%s", command, code, errs, out)
		}
	}
}
