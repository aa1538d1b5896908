package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

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
		if code, _, errs := run(append([]string{"bench", "--model", "scripted:blind", "--tasks", "0,1,2,3,4,5"}, args...)...); code != cmd.ExitOK {
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
