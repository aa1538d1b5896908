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
	"strconv"
	"strings"
	"time"
)

// tally counts the tests of a suite and collects the messages for the end of the run.
type tally struct {
	passed, failed, skipped int
	failures, skips         []string
	slow                    []slowTest
	cpu                     time.Duration // of the suite's processes and their children, if these have ended
	out                     *page         // nil in tests
}

// slowTest is a test that took longer than slowLimit.
type slowTest struct {
	name string
	wall time.Duration
}

// slowLimit is the time above which a test is listed at the end of the run. The comment
// of such a test must give the reason in its first line.
const slowLimit = 5 * time.Second

func (t *tally) add(o tally) {
	t.passed += o.passed
	t.failed += o.failed
	t.skipped += o.skipped
	t.failures = append(t.failures, o.failures...)
	t.skips = append(t.skips, o.skips...)
	t.slow = append(t.slow, o.slow...)
	t.cpu += o.cpu
}

func (t *tally) skip(what, why string) {
	t.skipped++
	t.skips = append(t.skips, what+": "+why)
}

// ran returns the number of tests that passed or failed.
func (t *tally) ran() int { return t.passed + t.failed }

func (t *tally) println(a ...any) { fmt.Fprintln(t.out, a...) }

// command runs a command whose output belongs to the suite, and adds its CPU time.
func (t *tally) command(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = t.out, t.out
	err := cmd.Run()
	t.addTime(cmd)
	return err
}

// lines runs a command, and calls read with its standard output.
func (t *tally) lines(cmd *exec.Cmd, read func(io.Reader)) error {
	cmd.Stderr = t.out
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read(out)
	err = cmd.Wait()
	t.addTime(cmd)
	if err != nil && t.failed == 0 {
		return err
	}
	return nil
}

func (t *tally) addTime(cmd *exec.Cmd) {
	if s := cmd.ProcessState; s != nil {
		t.cpu += s.UserTime() + s.SystemTime()
	}
}

// event is one line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// goTest runs go test with args, and counts top-level tests.
func goTest(t *tally, env []string, args ...string) error { return goTestIn(t, "", env, args...) }

// goTestIn is like goTest, but runs in dir, which may be the folder of another module.
func goTestIn(t *tally, dir string, env []string, args ...string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	return t.lines(cmd, func(out io.Reader) { goEvents(t, out) })
}

func goEvents(t *tally, out io.Reader) {
	text := map[string][]string{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			t.println(lines.Text())
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
		fmt.Fprintf(t.out, "ok   %s %.0f s\n", e.Package, e.Elapsed)
	case e.Test == "" && e.Action == "fail":
		t.println("FAIL", e.Package)
		fmt.Fprint(t.out, strings.Join(output, ""))
		t.failures = append(t.failures, e.Package)
		if t.failed == 0 { // a build failure belongs to no test
			t.failed++
		}
	case e.Test == "" || strings.Contains(e.Test, "/"):
		if e.Action == "fail" {
			fmt.Fprint(t.out, strings.Join(output, ""))
		}
		if e.Action == "skip" && e.Test != "" {
			t.skip(e.Package+" "+e.Test, skipReason(output))
		}
	case e.Action == "pass":
		t.passed++
		t.noteSlow(strings.TrimPrefix(e.Package, modulePath)+" "+e.Test, e.Elapsed)
	case e.Action == "skip":
		t.skip(e.Package+" "+e.Test, skipReason(output))
	case e.Action == "fail":
		t.failed++
		t.failures = append(t.failures, e.Package+" "+e.Test)
		fmt.Fprint(t.out, strings.Join(output, ""))
	}
}

const modulePath = "github.com/boundcheck/boundcheck/"

func (t *tally) noteSlow(name string, seconds float64) {
	if d := time.Duration(seconds * float64(time.Second)); d > slowLimit {
		t.slow = append(t.slow, slowTest{name, d})
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

// okLine matches the line of a test that passed, also of one within another.
var okLine = regexp.MustCompile(`^ *ok \d+ - (.*)$`)

var tapLine = regexp.MustCompile(`^# (pass|fail|cancelled|skipped) (\d+)$`)

// nodeTest runs Node's test runner over a folder's *.test.mjs, as many files at once as
// told. Files that run at once must share nothing, and none of them may measure time.
func nodeTest(t *tally, dir string, atOnce int) error {
	files, _ := filepath.Glob(filepath.Join(dir, "*.test.mjs"))
	if len(files) == 0 {
		return fmt.Errorf("no *.test.mjs in %s", dir)
	}
	sort.Strings(files)
	cmd := exec.Command("node", append([]string{"--test", fmt.Sprint("--test-concurrency=", atOnce), fmt.Sprint("--test-timeout=", nodeLimit.Milliseconds()), "--test-reporter=tap"}, files...)...)
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=")
	return t.lines(cmd, func(out io.Reader) {
		nodeLines(t, out)
		// A server that a killed file has left may hold its pipes, and node would wait for it.
		time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	})
}

// nodeLimit is how long a file of tests may take, so that one that hangs fails under its name.
// The slowest takes about a third of it on two cores.
const nodeLimit = 25 * time.Minute

// nodeEnd begins the last line of Node's report.
const nodeEnd = "# duration_ms "

func nodeLines(t *tally, out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	failing, name := false, ""
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, nodeEnd) {
			return
		}
		bare := strings.TrimSpace(line)
		if m := okLine.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if ms, ok := strings.CutPrefix(bare, "duration_ms: "); ok && name != "" {
			d, _ := strconv.ParseFloat(ms, 64)
			t.noteSlow(name, d/1000)
			name = ""
		}
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
			t.println(line)
		}
	}
}
