package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `package p

import "fmt"

// within reports whether n lies in [0, most).
func within(n, most int) bool {
	if n < 0 || n >= most {
		return false
	}
	return true
}

type list []int

func (l *list) sum() (total int) {
	for i := 0; i < len(*l); i++ {
		if (*l)[i] == 0 {
			continue
		}
		total = total + (*l)[i]
	}
	return total
}

func name() string { return fmt.Sprint("a"+"b", make([]int, 0, 8)) }
`

func TestChanges(t *testing.T) {
	changes, err := changesOf("p/p.go", sample)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.function+": "+c.kind)
	}
	want := []string{
		"within: condition negated", "within: || to &&", "within: < to <=", "within: 0 to 1", "within: >= to >",
		"within: false to true", "within: true to false",
		"list.sum: condition negated", "list.sum: 0 to 1", "list.sum: < to <=", "list.sum: condition negated", "list.sum: == to !=", "list.sum: 0 to 1",
		"list.sum: continue left out", "list.sum: + to -",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("changes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := changes[1].apply(sample); !strings.Contains(got, "if n < 0 && n >= most {") || len(got) != len(sample) {
		t.Errorf("|| to && makes\n%s", got)
	}
	if got := changes[0].apply(sample); !strings.Contains(got, "if !(n < 0 || n >= most) {") {
		t.Errorf("the negated condition makes\n%s", got)
	}
	if got, want := changes[3].stableKey(), "p/p.go | within | if n < 0 || n >= most { | 0 to 1"; got != want {
		t.Errorf("key %q, want %q", got, want)
	}
	for _, c := range changes { // each of them parses
		if _, err := changesOf("p/p.go", c.apply(sample)); err != nil {
			t.Errorf("%s: %v", c.stableKey(), err)
		}
	}
}

// TestRun tries every change of a small module and checks the printed result. Each
// possible outcome of a change occurs, for example a change that only another package's
// tests notice.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: short")
	}
	dir := t.TempDir()
	source := "package p\n\nfunc Within(n, most int) bool { return n >= 0 && n < most }\n\nfunc Size() int { return 8 }\n"
	for name, text := range map[string]string{
		"go.mod":      "module example.test/m\n\ngo 1.24\n",
		"p/p.go":      source,
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestWithin(t *testing.T) {\n\tif !Within(0, 9) {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
		"q/q.go":      "package q\n",
		"q/q_test.go": "package q\n\nimport (\n\t\"testing\"\n\n\t\"example.test/m/p\"\n)\n\nfunc TestFar(t *testing.T) {\n\tif p.Within(99, 9) {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
		"known.txt":   "# what changes nothing\np/p.go | Within | func Within(n, most int) bool { return n >= 0 && n < most } | < to <= | an example\n",
	} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	r := runner{dir: dir, also: []string{"./q"}, out: &out}
	left, err := r.run(context.Background(), filepath.Join(dir, "known.txt"), []string{"./p"})
	if err != nil {
		t.Fatal(err)
	}
	want := "p/p.go:5: NOT NOTICED\n\tp/p.go | Size | func Size() int { return 8 } | 8 to 9\n\t9\n" +
		"./p                       5 of    5 changes tried: 2 noticed, 1 noticed only by other packages' tests, 1 known to change nothing, 1 not noticed\n"
	if left != 1 || out.String() != want {
		t.Errorf("%d not noticed:\n%s\nwant\n%s", left, &out, want)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "p", "p.go")); string(text) != source {
		t.Error("the sources were changed")
	}
}

func TestKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "known.txt")
	os.WriteFile(path, []byte("a.go | f | x < y | < to <= | no reason to\n\na.go | f | x < y\n"), 0o644)
	if _, err := readKnown(path); err == nil || !strings.Contains(err.Error(), "line 3: want file | function") {
		t.Errorf("%v", err)
	}
	if known, err := readKnown(filepath.Join(t.TempDir(), "none")); err != nil || len(known) != 0 {
		t.Errorf("%v, %v", known, err)
	}
	if _, err := readKnown("equivalent.txt"); err != nil {
		t.Error(err)
	}
}
