package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLaws checks LAWS.md: each law names a declaration that exists in its package, and at
// least one test that exists: a function, or a file of the page's tests.
func TestLaws(t *testing.T) {
	text, err := os.ReadFile("../../LAWS.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, laws := declaredTests(t), 0
	holder := regexp.MustCompile("^`(\\w+)` in ([\\w/]+)$")
	named := regexp.MustCompile("`([\\w.]+)`")
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], " law ") || strings.HasPrefix(cells[1], "---") {
			continue
		}
		laws++
		law := strings.TrimSpace(cells[1])
		if place := holder.FindStringSubmatch(strings.TrimSpace(cells[2])); place == nil {
			t.Errorf("%s: want `name` in folder, got %s", law, cells[2])
		} else if !isDeclared(t, place[2], place[1]) {
			t.Errorf("%s: %s declares no %s", law, place[2], place[1])
		}
		attacks := named.FindAllStringSubmatch(cells[3], -1)
		if len(attacks) == 0 {
			t.Errorf("%s: no test attacks this law", law)
		}
		for _, test := range attacks {
			if _, err := os.Stat("../../playground/test/" + test[1]); !tests[test[1]] && (err != nil || !strings.HasSuffix(test[1], ".test.mjs")) {
				t.Errorf("%s: there is no test %s", law, test[1])
			}
		}
	}
	if laws < 20 {
		t.Errorf("LAWS.md has %d laws; is its form another one now?", laws)
	}
}

// isDeclared reports whether a function, a method, a type or a variable with this name is
// declared in a folder.
func isDeclared(t *testing.T, folder, name string) bool {
	t.Helper()
	var files []string
	for _, kind := range []string{"*.go", "*.js"} {
		some, err := filepath.Glob(filepath.Join("../..", folder, kind))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t|export function )` + name + `(?:\(|\[| |$)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && declared.Match(text) {
			return true
		}
	}
	return false
}
