package explain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/violation"
)

func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if seen[e.Word] || e.Short == "" || e.Kind == "" {
			t.Errorf("a bad entry: %+v", e)
		}
		seen[e.Word] = true
	}
	if e, ok := Of(" OVER-action "); !ok || e.Kind != "type" {
		t.Errorf("Of = %+v %v", e, ok)
	}
	if _, ok := Of("nonsense"); ok || Short("nonsense") != "" {
		t.Error("an unknown word is explained")
	}
}

// TestEveryRule checks that the explained rules are those that a configuration may turn
// off.
func TestEveryRule(t *testing.T) {
	var explained []string
	for _, e := range All() {
		if e.Kind == "rule" {
			explained = append(explained, e.Word)
		}
	}
	slices.Sort(explained)
	if rules := violation.Rules(); !slices.Equal(rules, explained) {
		t.Errorf("rules: %v\nexplained: %v", rules, explained)
	}
}

// TestEveryNameInUse checks that the package explains every rule, type, pattern, verdict
// and failure mode that occurs in the golden files.
func TestEveryNameInUse(t *testing.T) {
	names := regexp.MustCompile(`"(?:rule|type|pattern|verdict|mode)": "([a-z-]+)"`)
	found := 0
	filepath.WalkDir("../../testdata/golden", func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		text, _ := os.ReadFile(path)
		for _, m := range names.FindAllSubmatch(text, -1) {
			found++
			if Short(string(m[1])) == "" {
				t.Errorf("%s names %s, which is not explained", path, m[1])
			}
		}
		return nil
	})
	if found < 20 {
		t.Errorf("only %d names were looked at", found)
	}
}

// TestGlossaryHasTheTexts checks that docs/glossary.md contains the texts of this
// package. If it fails, write the file again: go run ./cmd/boundcheck explain --format
// markdown > docs/glossary.md
func TestGlossaryHasTheTexts(t *testing.T) {
	data, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, e := range All() {
		entry := strings.Join(strings.Fields("* **"+e.Word+"**: "+strings.ReplaceAll(e.Short+" "+e.Long, "*", `\*`)), " ")
		if !strings.Contains(text, entry) {
			t.Errorf("docs/glossary.md lacks: %s", entry)
		}
	}
}
