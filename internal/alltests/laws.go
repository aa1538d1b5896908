package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// lawsFile names the laws of the project, each with the tests that attack it.
const lawsFile = "LAWS.md"

// testLaws runs the tests that LAWS.md names, with so many times their cases.
func testLaws(t *tally, times int) error {
	text, err := os.ReadFile(lawsFile)
	if err != nil {
		return err
	}
	names := lawTests(string(text))
	packages, err := packagesOf(names)
	if err != nil {
		return err
	}
	env := []string{fmt.Sprint(drawn.Variable, "=", times)}
	return goTest(t, env, append([]string{"-count=1", "-vet=off", "-timeout=5h", "-run=^(" + strings.Join(names, "|") + ")$"}, packages...)...)
}

// lawTests returns the names of the tests in the table's third column, sorted.
func lawTests(text string) (names []string) {
	test := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) == 5 {
			for _, m := range test.FindAllStringSubmatch(cells[3], -1) {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// packagesOf returns the folders that declare one of the tests.
func packagesOf(tests []string) (folders []string, err error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "./...").Output()
	if err != nil {
		return nil, err
	}
	declared := regexp.MustCompile(`(?m)^func (?:` + strings.Join(tests, "|") + `)\(`)
	for _, dir := range strings.Fields(string(out)) {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if declared.Match(text) {
				folders = append(folders, dir)
				break
			}
		}
	}
	return folders, nil
}
