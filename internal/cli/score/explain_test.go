package score

import (
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestGlossary checks that docs/glossary.md has the texts of boundcheck explain.
func TestGlossary(t *testing.T) {
	want, err := os.ReadFile("../../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	code, out, _ := runCommand("", "explain", "--format", "markdown")
	if code != cmd.ExitOK || out != string(want) {
		t.Error("docs/glossary.md is not what \"boundcheck explain --format markdown\" prints: write it again with go run ./cmd/boundcheck explain --format markdown > docs/glossary.md")
	}
	if code, out, _ := runCommand("", "explain", "claim"); code != cmd.ExitOK || !strings.Contains(out, "claim (term)\n  To take an approved call") {
		t.Errorf("explain claim: %d %s", code, out)
	}
	if code, _, errs := runCommand("", "explain", "--format", "xml"); code != cmd.ExitUsage || !strings.Contains(errs, "want json or markdown") {
		t.Errorf("explain --format xml: %d %s", code, errs)
	}
}
