package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNamesInDocuments checks that the files, folders and tests that documents name
// exist. If a document names a test with a folder, the test must be in that folder.
func TestNamesInDocuments(t *testing.T) {
	var (
		code     = regexp.MustCompile("`([^`\n]+)`")
		testName = regexp.MustCompile("(?:`([a-z][\\w/]*)` )?`?\\b((?:Test|Fuzz)[A-Z]\\w*)")
		declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
		fence    = regexp.MustCompile("(?s)```.*?```")
		folders  = map[string][]string{} // of each test
		paths    = 0
		tests    = 0
	)
	for _, s := range goSources(t) {
		for _, m := range declared.FindAllStringSubmatch(s.text, -1) {
			folders[m[1]] = append(folders[m[1]], s.dir+"/")
		}
	}
	for file, text := range readTexts(t, ".md") {
		if file == "CHANGELOG.md" { // it describes earlier versions
			continue
		}
		text = fence.ReplaceAllString(text, "")
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			if !ownPath(m[1]) {
				continue
			}
			paths++
			if found, _ := filepath.Glob(filepath.Join("../..", m[1])); len(found) == 0 {
				t.Errorf("%s names %s, which does not exist", file, m[1])
			}
		}
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			tests++
			if !slices.ContainsFunc(folders[m[2]], func(dir string) bool { return m[1] == "" || strings.HasPrefix(dir, m[1]+"/") }) {
				t.Errorf("%s names the test %s of %q; it is declared in %q", file, m[2], m[1], folders[m[2]])
			}
		}
	}
	if paths < 100 || tests < 100 {
		t.Errorf("only %d paths and %d tests were looked at", paths, tests)
	}
}

// ownPath reports whether a name in a document is a path that begins with a folder of the
// repository. It returns false for a folder of built files. It also returns false for a
// path with the word NAME, because this word is a placeholder.
func ownPath(name string) bool {
	first, _, ok := strings.Cut(name, "/")
	if !ok || first == "" || strings.Contains(name, "NAME") || !regexp.MustCompile(`^[\w./*-]+$`).MatchString(name) {
		return false
	}
	switch first {
	case "dist", "node_modules", "build", ".wrangler", "..", ".":
		return false
	}
	info, err := os.Stat(filepath.Join("../..", first))
	return err == nil && info.IsDir()
}

// TestFunctionNames checks that at most 5 of 100 unexported functions and methods have a
// single lower-case word as their name. Such a name is hard to search for.
func TestFunctionNames(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?([a-z]\w*)[\[(]`)
	single := regexp.MustCompile(`^[a-z]+$`)
	all, short := 0, map[string]int{}
	for _, s := range goSources(t) {
		for _, m := range declared.FindAllStringSubmatch(s.text, -1) {
			if m[1] == "main" || m[1] == "init" {
				continue
			}
			if all++; single.MatchString(m[1]) {
				short[s.dir]++
			}
		}
	}
	sum := 0
	for _, n := range short {
		sum += n
	}
	t.Logf("%d of %d unexported functions have one word as their name", sum, all)
	if all < 1000 {
		t.Errorf("only %d functions were looked at", all)
	}
	if sum*100 > all*5 {
		t.Errorf("%d of %d unexported functions have one word as their name, by folder: %v; give them a verb and an object", sum, all, short)
	}
}
