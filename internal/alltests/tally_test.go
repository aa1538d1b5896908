package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestNodeLines checks how the output of Node's test runner is read: test points, skips
// with their reasons, comments that only mention a skip, and slow tests, also inner ones.
func TestNodeLines(t *testing.T) {
	var got tally
	nodeLines(&got, strings.NewReader(`TAP version 13
# SKIPPED: no recorded runs in /data
# Subtest: adds
    ok 1 - waits
      ---
      duration_ms: 7000.25
      ...
ok 1 - adds
  ---
  duration_ms: 3.1
  ...
ok 2 - page # SKIP no Chromium found
    not ok 1 - inner
not ok 3 - fails
# tests 3
# pass 1
# fail 1
# cancelled 0
# skipped 1
`))
	want := tally{passed: 1, failed: 1, skipped: 1, skips: []string{"page: no Chromium found"}, failures: []string{"not ok 1 - inner", "not ok 3 - fails"}, slow: []slowTest{{"waits", 7000250 * time.Microsecond}}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestLanes checks that two lanes run side by side, that the suites of a lane run in
// order, and that a suite that returns an error or runs no test has failed.
func TestLanes(t *testing.T) {
	meet, order := make(chan bool), ""
	note := func(name string) suite {
		return suite{name: name, run: func(t *tally) error { order += name; t.passed++; return nil }}
	}
	left := []suite{note("a"), {name: "b", run: func(t *tally) error { meet <- true; t.passed++; return nil }}, note("c")}
	right := []suite{{name: "d", run: func(t *tally) error { <-meet; return fmt.Errorf("broken") }}, {name: "e", run: func(*tally) error { return nil }}}
	got := ""
	for _, r := range runLanes(left, right) {
		got += fmt.Sprintf("%s%d%d%v ", r.name, r.tally.passed, r.tally.failed, r.tally.failures)
	}
	if want := "a10[] b10[] c10[] d01[d: broken] e01[e: no test ran] "; got != want || order != "ac" {
		t.Errorf("%s, order %s, want %s", got, order, want)
	}
}

// TestAfter checks that a suite starts after the one for which it waits, which is in
// another lane.
func TestAfter(t *testing.T) {
	built, isBuilt := make(chan struct{}), false
	build := suite{name: "build", run: func(t *tally) error {
		time.Sleep(10 * time.Millisecond)
		isBuilt = true
		close(built)
		t.passed++
		return nil
	}}
	use := suite{name: "use", after: built, run: func(t *tally) error {
		t.passed++
		if !isBuilt {
			return errors.New("nothing is built")
		}
		return nil
	}}
	for _, r := range runLanes([]suite{use}, []suite{build}) {
		if r.tally.failed > 0 {
			t.Error(r.tally.failures)
		}
	}
}

// TestSlow checks which tests are listed as slow: those of more than five seconds that
// passed, without subtests.
func TestSlow(t *testing.T) {
	var got tally
	goEvents(&got, strings.NewReader(`{"Action":"pass","Package":"`+modulePath+`core","Test":"TestA","Elapsed":5.5}
{"Action":"pass","Package":"`+modulePath+`core","Test":"TestA/sub","Elapsed":5.2}
{"Action":"pass","Package":"`+modulePath+`core","Test":"TestB","Elapsed":4.9}
`))
	if len(got.slow) != 1 || got.slow[0] != (slowTest{"core TestA", 5500 * time.Millisecond}) || got.passed != 2 {
		t.Errorf("%+v", got)
	}
}

// TestKeepTable checks that a table replaces the one in a document, and nothing else.
func TestKeepTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	table := suiteTable([]result{{"one", tally{passed: 2, failed: 1, cpu: 90 * time.Second}, time.Minute}}, time.Minute)
	for _, end := range []string{"", "\nafter\n\n| other | table |\n"} {
		os.WriteFile(path, []byte("before | x\n\n"+tableHead+"|---|\n| old | 1 | 2 | 3 |\n"+end), 0o644)
		err := keepTable(path, table)
		got, _ := os.ReadFile(path)
		if want := "before | x\n\n" + table + end; err != nil || string(got) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
	if !strings.Contains(table, "| one | 60 | 90 | 3 |\n| all | 60 | 90 | 3 |\n") {
		t.Error(table)
	}
	os.WriteFile(path, []byte("no table\n"), 0o644)
	if err := keepTable(path, table); err == nil {
		t.Error("a document without a table was accepted")
	}
}

// TestNightlyIsScheduled checks that the workflow has a job for every nightly suite.
func TestNightlyIsScheduled(t *testing.T) {
	text, err := os.ReadFile("../../.github/workflows/nightly.yml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range nightlySuites() {
		names = append(names, s.name)
	}
	line := regexp.MustCompile(`(?m)^ +only: \[(.*)\]$`).FindSubmatch(text)
	if line == nil || strings.ReplaceAll(string(line[1]), `"`, "") != strings.Join(names, ", ") {
		t.Errorf("the workflow has jobs for %s, want %q", line, names)
	}
	for _, name := range needNode {
		if !slices.Contains(names, name) {
			t.Errorf("no nightly suite %q", name)
		}
	}
}

// TestLawTests checks which tests a table of laws names: those of the last column.
func TestLawTests(t *testing.T) {
	got := lawTests("`TestNo`\n| law | held by | attacked by |\n|---|---|---|\n| `TestNo` is. | `TestNo` in core | `TestB` `FuzzA` |\n| b | c | `TestB` |\n")
	if fmt.Sprint(got) != "[FuzzA TestB]" {
		t.Error(got)
	}
}
