package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// drawPaths returns different paths of files, made of few names, so that many have equal
// ends.
func drawPaths(r *rand.Rand) (paths []string) {
	seen := map[string]bool{}
	for range 1 + r.IntN(8) {
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, []string{"a", "b", "..", "a b", "."}[r.IntN(5)])
		}
		path := strings.Join(append(parts, []string{"results.json", "r.json", "-"}[r.IntN(3)]), "/")
		if r.IntN(4) == 0 {
			path = "/" + path
		}
		if r.IntN(8) == 0 {
			path = []string{"-", "https://a/r.json", "s3://a/b/r.json"}[r.IntN(3)]
		}
		if same := resolvedPath(path); !seen[same] {
			seen[same] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// TestShortestEnds compares the labels of drawn paths with their definition: each label
// is an end of its path, no two labels are equal, and no shorter end is an end of only
// this path.
func TestShortestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	endsWith := func(path, end string) bool { return path == end || strings.HasSuffix(path, "/"+end) }
	for range 3000 {
		paths := drawPaths(r)
		labels, err := labelFiles(paths)
		if err != nil || len(labels) != len(paths) {
			t.Fatalf("%q: %v %v", paths, labels, err)
		}
		whole := make([]string, len(paths))
		for i, path := range paths {
			whole[i] = strings.Join(pathParts(path), "/")
		}
		only := func(end string) bool {
			n := 0
			for _, w := range whole {
				if endsWith(w, end) {
					n++
				}
			}
			return n == 1
		}
		seen := map[string]bool{}
		for i, path := range paths {
			label := labels[path]
			if seen[label] || label == "" || !endsWith(whole[i], label) {
				t.Fatalf("%q has the label %q among %q", path, label, paths)
			}
			seen[label] = true
			if _, shorter, ok := strings.Cut(label, "/"); ok && shorter != "" && only(shorter) {
				t.Fatalf("%q has the label %q, but %q is enough among %q", path, label, shorter, paths)
			}
		}
	}
}

// TestFilesShareNoRow checks for drawn files, columns and values of --by that two files
// share a row only if a person said so, and that nothing else is refused.
func TestFilesShareNoRow(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 4))
	columns := []string{"cond", "model", "file", "benchmark", "task"}
	draw := func(list ...string) string { return list[r.IntN(len(list))] }
	refused := 0
	for range 5000 {
		var files []labelled
		for _, path := range drawPaths(r) {
			f := labelled{name: path}
			for range r.IntN(3) {
				if f.columns == nil {
					f.columns = map[string]string{}
				}
				f.columns[draw(columns...)] = draw("x", "y", "", "r.json", "x\x00y", "(none)")
			}
			files = append(files, f)
		}
		var by []string
		for range r.IntN(3) {
			by = append(by, draw(columns...))
		}
		err := labelAll(files, by)
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
func unsaidPair(files []labelled, by []string) string {
	report := core.Report{Input: core.Input{Format: "x"}, Trajectories: []core.Trajectory{{Task: "x"}}}
	has := func(column string) (n int) {
		for _, f := range files {
			if _, ok := f.columns[column]; ok {
				n++
			}
		}
		return n
	}
	for i := range files {
		for j := range i {
			one, two := files[i].runsOf(&report, i)[0], files[j].runsOf(&report, j)[0]
			same, said := true, true
			for _, column := range by {
				_, a := files[i].columns[column]
				_, b := files[j].columns[column]
				ofRuns := column == "task" || column == "benchmark" && has(column) < len(files) || column != "file" && column != "benchmark" && has(column) == 0
				same = same && (ofRuns || one.Columns[column] == two.Columns[column])
				said = said && (ofRuns || a && b)
			}
			if same && !said {
				return files[i].name + " and " + files[j].name
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
		if code != exitOK || errs != "" || !strings.Contains(out, "base/results.json") || !strings.Contains(out, "ebp/results.json") {
			t.Errorf("%s: exit %d: %s%s", command, code, errs, out)
		}
		for _, again := range []string{"base/results.json", "./ebp/../base/results.json", "link/results.json"} {
			if code, out, errs := runStudy(t, "", append(args, again)...); code == exitOK || out != "" || !strings.Contains(errs, "is given twice") {
				t.Errorf("%s %s: exit %d: %s%s", command, again, code, errs, out)
			}
		}
	}
	for _, command := range []string{"tables", "deviations"} {
		if code, out, errs := runStudy(t, "", command, "--by", "cond", "cond=x:base/results.json", "cond=x:ebp/results.json", "--format", "json"); code != exitOK || errs != "" || strings.Count(out, `"n":8`)+strings.Count(out, `"runs":8`) == 0 {
			t.Errorf("%s: files with one condition: exit %d: %s%s", command, code, errs, out)
		}
	}
}

// TestStudyFindsReferences checks that the results of bench are scored with the
// references beside them, and that study, score and compare then show the same figure as
// with --reference. A file with the same name that bench did not write has no references.
func TestStudyFindsReferences(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(args ...string) (int, string, string) {
		var out, errs strings.Builder
		code := Run(args, strings.NewReader(""), &out, &errs)
		return code, out.String(), errs.String()
	}
	for _, args := range [][]string{{"base"}, {"--ebp", "full", "ebp"}} {
		if code, _, errs := run(append([]string{"bench", "--model", "scripted:blind", "--tasks", "0,1,2,3,4,5"}, args...)...); code != exitOK {
			t.Fatal(errs)
		}
	}
	const base, ebp, beside = "base/results.json", "ebp/results.json", "base/references.json"
	for _, args := range [][]string{
		{"score", base, "--format", "json"},
		{"score", base, ebp, "--format", "json"},
		{"score", base, "--stream"},
		{"compare", base, "--", ebp, "--format", "json"},
		{"study", "tables", base, ebp, "--format", "json"},
	} {
		_, found, errs := run(args...)
		if !strings.Contains(errs, "uses "+filepath.FromSlash(beside)+", which boundcheck bench wrote") {
			t.Errorf("%q does not say which references it uses: %s", args, errs)
		}
		if _, given, _ := run(append(args, "--reference", beside)...); given != found {
			t.Errorf("%q has other figures than with --reference", args)
		}
	}
	_, out, errs := run("lint", base)
	if strings.Contains(out+errs, "references.json") {
		t.Errorf("lint used references: %s", errs)
	}
	if err := os.Remove("base/summary.json"); err != nil {
		t.Fatal(err)
	}
	if _, _, errs := run("score", base); errs != "" {
		t.Errorf("not written by bench: %s", errs)
	}
	if _, _, errs := run("score", base, ebp); !strings.Contains(errs, "are not used") {
		t.Errorf("only one file has references: %q", errs)
	}
}
