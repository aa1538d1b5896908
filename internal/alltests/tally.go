package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// tally counts tests and collects the messages for the end of the run.
type tally struct {
	passed, failed, skipped int
	failures, skips         []string
}

func (t *tally) add(o tally) {
	t.passed += o.passed
	t.failed += o.failed
	t.skipped += o.skipped
	t.failures = append(t.failures, o.failures...)
	t.skips = append(t.skips, o.skips...)
}

func (t *tally) skip(what, why string) {
	t.skipped++
	t.skips = append(t.skips, what+": "+why)
}

func (t *tally) printReport(d time.Duration) {
	fmt.Println()
	for _, s := range t.skips {
		fmt.Println("SKIPPED", s)
	}
	for _, f := range t.failures {
		fmt.Println("FAILED ", f)
	}
	fmt.Printf("\nall suites in %.0f s\n%d passed, %d failed, %d skipped\n", d.Seconds(), t.passed, t.failed, t.skipped)
}

// event is one line of go test -json.
type event struct{ Action, Package, Test, Output string }

// goTest runs go test with args, and counts top-level tests.
func goTest(t *tally, env []string, args ...string) error { return goTestIn(t, "", env, args...) }

// goTestIn is like goTest, but runs in dir, which may be the folder of another module.
func goTestIn(t *tally, dir string, env []string, args ...string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	goEvents(t, out)
	if err := cmd.Wait(); err != nil && t.failed == 0 {
		return err
	}
	return nil
}

func goEvents(t *tally, out io.Reader) {
	text := map[string][]string{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		key := e.Package + " " + e.Test
		if e.Action == "output" || e.Action == "build-output" {
			text[key] = append(text[key], e.Output)
			continue
		}
		goResult(t, e, text[key])
	}
}

func goResult(t *tally, e event, output []string) {
	switch {
	case e.Test == "" && e.Action == "pass":
		fmt.Println("ok  ", e.Package)
	case e.Test == "" && e.Action == "fail":
		fmt.Println("FAIL", e.Package)
		fmt.Print(strings.Join(output, ""))
		t.failures = append(t.failures, e.Package)
		if t.failed == 0 { // a build failure belongs to no test
			t.failed++
		}
	case e.Test == "" || strings.Contains(e.Test, "/"):
		if e.Action == "fail" {
			fmt.Print(strings.Join(output, ""))
		}
		if e.Action == "skip" && e.Test != "" {
			t.skip(e.Package+" "+e.Test, skipReason(output))
		}
	case e.Action == "pass":
		t.passed++
	case e.Action == "skip":
		t.skip(e.Package+" "+e.Test, skipReason(output))
	case e.Action == "fail":
		t.failed++
		t.failures = append(t.failures, e.Package+" "+e.Test)
		fmt.Print(strings.Join(output, ""))
	}
}

// skipReason returns the message of a skipped test.
func skipReason(output []string) string {
	for _, line := range output {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			return line
		}
	}
	return "no reason given"
}

// skipLine matches the line of a skipped test in Node's output. It does not match comments
// that mention a skip.
var skipLine = regexp.MustCompile(`^(?:not )?ok \d+ - (.*?) # SKIP ?(.*)$`)

var tapLine = regexp.MustCompile(`^# (pass|fail|cancelled|skipped) (\d+)$`)

// nodeTest runs Node's test runner over a folder's *.test.mjs.
func nodeTest(t *tally, dir string) error {
	files, _ := filepath.Glob(filepath.Join(dir, "*.test.mjs"))
	if len(files) == 0 {
		return fmt.Errorf("no *.test.mjs in %s", dir)
	}
	sort.Strings(files)
	cmd := exec.Command("node", append([]string{"--test", "--test-concurrency=1", "--test-reporter=tap"}, files...)...)
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	nodeLines(t, out)
	err = cmd.Wait()
	if err != nil && t.failed == 0 {
		return err
	}
	return nil
}

func nodeLines(t *tally, out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	failing := false
	for lines.Scan() {
		line := lines.Text()
		bare := strings.TrimSpace(line)
		if m := tapLine.FindStringSubmatch(line); m != nil {
			n := 0
			fmt.Sscan(m[2], &n)
			switch m[1] {
			case "pass":
				t.passed += n
			case "fail", "cancelled":
				t.failed += n
			}
			continue
		}
		if m := skipLine.FindStringSubmatch(bare); m != nil {
			t.skip(m[1], m[2])
		}
		switch {
		case strings.HasPrefix(bare, "not ok"):
			failing = true
			t.failures = append(t.failures, bare)
		case strings.HasPrefix(bare, "ok "), strings.HasPrefix(bare, "# Subtest"):
			failing = false
		}
		if failing || strings.HasPrefix(bare, "ok ") || strings.HasPrefix(bare, "not ok") {
			fmt.Println(line)
		}
	}
}
