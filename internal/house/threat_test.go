package house

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThreatModel checks that docs/threat-model.md has a row for each known failure of
// other gates and of this project's gate. Each row must name a test, an argument or an
// open problem. All tests that the document names must exist.
func TestThreatModel(t *testing.T) {
	text, err := os.ReadFile("../../docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 {
			rows[strings.TrimSpace(cells[1])] = line
		}
	}
	for kind, last := range map[string]int{"V": 34, "C": 8, "M": 10} {
		for n := 1; n <= last; n++ {
			if row := rows[fmt.Sprint(kind, n)]; !strings.Contains(row, "`Test") && !strings.Contains(row, "Argued:") && !strings.Contains(row, "Open:") {
				t.Errorf("%s%d: the row is missing, or names neither a test nor an argument", kind, n)
			}
		}
	}
	have := declaredTests(t)
	for _, name := range regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(text), -1) {
		if !have[name[1]] {
			t.Errorf("docs/threat-model.md names %s, and there is no such test", name[1])
		}
	}
}

// declaredTests returns the names of all tests and fuzz targets of the repository.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	have := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "node_modules" || e.Name() == ".git" || e.Name() == "dist") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, name := range declared.FindAllStringSubmatch(string(text), -1) {
			have[name[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}
