package study

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestStudyPapers checks the HTML page and the Markdown document of every study. The page
// must have a picture and no script. The document must have a section on methods with the
// sources of its figures.
func TestStudyPapers(t *testing.T) {
	dir := t.TempDir()
	for name, args := range map[string][]string{"base": {"--model", "scripted:blind?rate=0.5"}, "ebp": {"--model", "scripted:blind?rate=0.5", "--ebp", "full"}} {
		if code, _, errs := runCommand("", append(append([]string{"bench", "--trials", "2"}, args...), filepath.Join(dir, name))...); code != cmd.ExitOK {
			t.Fatal(errs)
		}
	}
	base, ebp := filepath.Join(dir, "base", "results.json"), filepath.Join(dir, "ebp", "results.json")
	references := filepath.Join(dir, "base", "references.json")
	code, report, errs := runCommand("", "score", "--format", "json", "--reference", references, base)
	if code != cmd.ExitOK {
		t.Fatal(errs)
	}
	scored, labels := filepath.Join(dir, "report.json"), filepath.Join(dir, "labels.jsonl")
	if err := os.WriteFile(scored, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runCommand("y\ny\nn\nn\ny\n", "review", scored, "--labels", labels, "--below", "1.1"); code != cmd.ExitOK {
		t.Fatal(errs)
	}
	for cites, args := range map[string][]string{
		"SABER, equations 2 and 3":      {"decisive", base, ebp},
		"with each value of τ":          {"sensitivity", "--tau", "0.8", base},
		"ABB, Tables 8 and 12":          {"equivalence", base, ebp},
		"Shapley, 1953":                 {"ablation", "--reference", references, "none=" + base, "ebp=" + ebp},
		"Fleiss, 1971":                  {"agreement", scored, "--labels", labels},
		"Table 1 in the SABER paper":    {"deviations", base, ebp},
		"ABB, Table 10":                 {"tables", "--reference", references, base, ebp},
		"by a seeded bootstrap over ta": {"tables", base},
	} {
		code, page, errs := runCommand("", append([]string{"study", args[0], "--format", "html"}, args[1:]...)...)
		if code != cmd.ExitOK || !strings.Contains(page, "</html>") || strings.Contains(page, "<script") || !strings.Contains(page, "default-src 'none'") {
			t.Errorf("%s: exit %d, %s\n%.300s", args[0], code, errs, page)
		}
		if !strings.Contains(page, "<svg") || !strings.Contains(page, "<h2>Methods</h2>") {
			t.Errorf("%s: no picture, or no methods", args[0])
		}
		code, text, errs := runCommand("", append([]string{"study", args[0], "--format", "markdown"}, args[1:]...)...)
		if code != cmd.ExitOK || !strings.Contains(text, "### Methods") || !strings.Contains(text, "|---") || !strings.Contains(text, cites) && !strings.HasPrefix(cites, "by a") {
			t.Errorf("%s: exit %d, %s, want %q in\n%s", args[0], code, errs, cites, text)
		}
	}
}

// TestStudyBy checks that a group of runs has the same figures as a file with the same
// runs.
func TestStudyBy(t *testing.T) {
	airline, retail := recordings.Path(t, "tau-bench/gpt-4o-airline.json"), recordings.Path(t, "tau-bench/gpt-4o-retail.json")
	study := func(args ...string) (r deviation.Report) {
		t.Helper()
		code, out, errs := runCommand("", append([]string{"study", "deviations", "--no-plugins", "--format", "json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &r); code != cmd.ExitOK || err != nil {
			t.Fatalf("exit %d, %v, %s", code, err, errs)
		}
		return r
	}
	files, groups := study(airline, retail), study("--by", "domain", "domain=a:"+airline, "domain=r:"+retail)
	for i, name := range []string{"a", "r"} {
		f, g := files.Files[i], groups.Files[i]
		if g.File != name || g.N != f.N || *g.Mutating.Coef != *f.Mutating.Coef || *g.NonMutating.Coef != *f.NonMutating.Coef {
			t.Errorf("%s: %+v, want %+v", name, g.Mutating, f.Mutating)
		}
	}
	if p := groups.Pooled; p == nil || p.File != "all groups" || *p.Mutating.Coef != *files.Pooled.Mutating.Coef {
		t.Errorf("%+v, want %+v", groups.Pooled, files.Pooled)
	}
	one := study("--by", "benchmark", airline, retail)
	if len(one.Files) != 1 || one.Files[0].N != 315 || one.Pooled != nil {
		t.Errorf("%+v", one)
	}
	if code, _, errs := runCommand("", "study", "deviations", "--by", "model", airline); code == cmd.ExitOK || !strings.Contains(errs, `no run has a column "model"; the columns are benchmark, file, task`) {
		t.Errorf("exit %d, %s", code, errs)
	}
}
