package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestComparisons checks docs/comparisons.md: each comparison with others has a source, a
// version, a date and a page that has their figure, our figure is made by a target, and no
// page names a paper's figure that the table lacks.
func TestComparisons(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	table, makefile := read("docs/comparisons.md"), read("Makefile")
	version, date := regexp.MustCompile(`^v\d`), regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)
	source := regexp.MustCompile(`arXiv (\d{4}\.\d{5})`)
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 11 || strings.HasPrefix(cells[1], " what") || strings.HasPrefix(cells[1], "---") {
			continue
		}
		rows++
		for i := range cells {
			if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" && i > 0 && i < 10 {
				t.Errorf("an empty cell in %s", line)
			}
		}
		theirs, from, page, made := cells[3], source.FindStringSubmatch(cells[4]), cells[7], cells[9]
		switch {
		case from == nil || !strings.Contains(cells[4], "(https://arxiv.org/abs/"+from[1]+")"):
			t.Errorf("no source: %s", line)
		case !version.MatchString(cells[5]) || !date.MatchString(cells[6]):
			t.Errorf("no version or date: %s", line)
		}
		figure := theirs[strings.LastIndexByte(strings.TrimSuffix(theirs, " %"), ' ')+1:]
		if text := read("docs/" + page); from != nil && (!strings.Contains(strings.ReplaceAll(text, "\n", " "), figure) || !strings.Contains(text, from[1])) {
			t.Errorf("docs/%s lacks %s of arXiv %s", page, figure, from[1])
		}
		if target, ok := strings.CutPrefix(strings.Trim(made, "`"), "make "); made != "–" && (!ok || !strings.Contains(makefile, "\n"+strings.Fields(target)[0]+":")) {
			t.Errorf("no target makes our figure: %s", line)
		}
	}
	if rows < 5 {
		t.Errorf("%d rows; is the form of the table another one now?", rows)
	}
	pages, _ := filepath.Glob("../../docs/*.md")
	for _, file := range append(pages, "../../README.md", "../../RATIONALE.md") {
		if filepath.Base(file) == "data.md" { // it names the sources of recordings
			continue
		}
		for _, m := range source.FindAllStringSubmatch(read(strings.TrimPrefix(filepath.ToSlash(file), "../../")), -1) {
			if !strings.Contains(table, m[0]) {
				t.Errorf("%s compares with %s, which docs/comparisons.md lacks", file, m[0])
			}
		}
	}
}
