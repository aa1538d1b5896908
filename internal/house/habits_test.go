package house

import (
	"io/fs"
	"os"
	gopath "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// readTexts returns the files of the repository whose names have one of the endings. The
// map has the text of each file by its path with slashes. Folders of built files, of test
// data and of foreign sources are left out.
func readTexts(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == "node_modules" || name == ".git" || name == "dist" || name == "build" || name == "testdata") {
			return filepath.SkipDir
		}
		for _, ending := range endings {
			if !e.IsDir() && strings.HasSuffix(path, ending) {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				rel, _ := filepath.Rel("../..", path)
				found[filepath.ToSlash(rel)] = string(text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestLinks checks that every relative link of a document leads to a file of the
// repository.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	seen := 0
	for path, text := range readTexts(t, ".md") {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") || !regexp.MustCompile(`[./]`).MatchString(target) {
				continue // an anchor on the same page, another host, or not a link
			}
			seen++
			if _, err := os.Stat(filepath.Join("../..", filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d links were looked at", seen)
	}
}

// TestMakeWords checks that the Makefile has every target that a document or the workflow
// names.
func TestMakeWords(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	named := regexp.MustCompile("(?m)(?:`|^|run: )make ([a-z-]+)")
	seen := 0
	for path, text := range readTexts(t, ".md", ".yml", ".ci/run") {
		if path == "CHANGELOG.md" { // it describes earlier versions
			continue
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			seen++
			if !targets[m[1]] {
				t.Errorf("%s names make %s; the Makefile has no such target", path, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d names were looked at", seen)
	}
}

// TestForms checks that the workflow and the issue forms are YAML with the members that
// GitHub requires, and that the files they link to exist.
func TestForms(t *testing.T) {
	seen := 0
	for path, text := range readTexts(t, ".yml") {
		if !strings.HasPrefix(path, ".github/") {
			continue
		}
		seen++
		var form map[string]any
		if err := yaml.Unmarshal([]byte(text), &form); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		wanted := []string{"name", "description", "body"}
		switch {
		case strings.HasSuffix(path, "/config.yml"):
			wanted = []string{"contact_links"}
		case strings.HasPrefix(path, ".github/workflows/"):
			wanted = []string{"name", "on", "permissions", "jobs"}
		}
		for _, member := range wanted {
			if form[member] == nil {
				t.Errorf("%s has no %s", path, member)
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d forms were looked at", seen)
	}
}

// exportedFor are packages whose exported functions other repositories use: the facade,
// the packages for plugins written in Go, and the operations of each plugin.
var exportedFor = []string{"core", "plugins", "internal/library"}

// TestExportedIsUsed checks that each exported function is called outside its package. A
// call in a test is enough.
func TestExportedIsUsed(t *testing.T) {
	funcs := regexp.MustCompile(`(?m)^func ([A-Z]\w*)[(\[]`)
	declared := map[[2]string]bool{} // the folder and name of each function
	packages := map[string]string{}  // the package of each folder
	sources := goSources(t)
	for _, s := range sources {
		if s.test || s.pkg == "main" || slices.ContainsFunc(exportedFor, func(f string) bool {
			return s.dir == f || f != "core" && strings.HasPrefix(s.dir, f+"/")
		}) {
			continue
		}
		packages[s.dir] = s.pkg
		for _, m := range funcs.FindAllStringSubmatch(s.text, -1) {
			declared[[2]string{s.dir, m[1]}] = true
		}
	}
	if len(declared) < 100 {
		t.Fatalf("only %d exported functions were found", len(declared))
	}
	for _, s := range sources {
		named := s.qualified()
		for dir, local := range s.imports(packages) {
			if s.dir == dir && !strings.HasSuffix(s.pkg, "_test") {
				continue
			}
			for _, name := range named[local] {
				delete(declared, [2]string{dir, name})
			}
		}
	}
	for unused := range declared {
		t.Errorf("%s of %s is used only in its own package: unexport it, delete it, or give it a caller", unused[1], unused[0])
	}
}

var (
	importLine    = regexp.MustCompile(`(?:(\w+) )?"` + module + `/([^"]+)"`)
	qualifiedName = regexp.MustCompile(`\b(\w+)\.([A-Z]\w*)`)
)

// imports returns the folders that a file imports, with their names in the file. packages has
// the package of each folder.
func (s source) imports(packages map[string]string) map[string]string {
	found := map[string]string{}
	for _, m := range importLine.FindAllStringSubmatch(s.text, -1) {
		found[m[2]] = packages[m[2]]
		if m[1] != "" && m[1] != "import" {
			found[m[2]] = m[1]
		}
	}
	return found
}

// qualified returns the exported names of a file by what stands before their dots.
func (s source) qualified() map[string][]string {
	found := map[string][]string{}
	for _, m := range qualifiedName.FindAllStringSubmatch(s.text, -1) {
		found[m[1]] = append(found[m[1]], m[2])
	}
	return found
}

// source is a Go file of the repository.
type source struct {
	dir, pkg, text string
	test           bool
}

// goSources returns all Go files of the repository.
func goSources(t *testing.T) (all []source) {
	clause := regexp.MustCompile(`(?m)^package (\w+)`)
	for path, text := range readTexts(t, ".go") {
		if m := clause.FindStringSubmatch(text); m != nil {
			all = append(all, source{gopath.Dir(path), m[1], text, strings.HasSuffix(path, "_test.go")})
		}
	}
	return all
}

// TestTimesAreOfTheProcess checks that no test compares the time of a clock with a limit
// below half a minute: other suites use the machine. The package pace has what such a test
// needs. A benchmark, which runs alone, may.
func TestTimesAreOfTheProcess(t *testing.T) {
	limit := regexp.MustCompile(`time\.Since\(\w+\)(?:; \w+)? > ([^;{|]*?time\.(?:Milli)?[sS]econd)`)
	long := regexp.MustCompile(`^(?:[3-9]\d|\d{3,})\*time\.Second$|^pace\.Within\(|^25\*time\.Second$`)
	benchmark := regexp.MustCompile(`(?ms)^func Benchmark.*?^}`)
	seen := 0
	for _, s := range goSources(t) {
		if !s.test || s.dir == "internal/house" {
			continue
		}
		for _, m := range limit.FindAllStringSubmatch(benchmark.ReplaceAllString(s.text, ""), -1) {
			if seen++; !long.MatchString(m[1]) {
				t.Errorf("a test in %s says %q: use pace.Spent or pace.Within", s.dir, m[0])
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d comparisons were looked at", seen)
	}
}
