package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// nightlySuites returns what takes too long for every change. The workflow nightly.yml
// has a job for each name.
func nightlySuites() []suite {
	return []suite{
		{name: "386", run: func(t *tally) error { return core32(t, "1", "./core/...") }},
		{name: "js", run: func(t *tally) error { return coreJS(t, "1", "./core/...") }},
		{name: "long", run: longTests},
		{name: "worker", run: func(t *tally) error { return longNode(t, "worker/test", 2) }},
		{name: "page", run: func(t *tally) error { return longNode(t, "playground/test", 1) }},
		{name: "laws", run: func(t *tally) error { return testLaws(t, 100) }},
		{name: "mcp", run: officialMCP},
		{name: "chat", run: officialChat},
		{name: "peers", run: func(t *tally) error { return goTestIn(t, "worker/gate/sdk", nil, "-timeout=10m", ".") }},
		{name: "vet", run: vetOthers},
		{name: "race", run: func(t *tally) error { return target(t, nil, "make", "race") }},
		{name: "mutants", run: func(t *tally) error { return target(t, nil, "make", "mutants") }},
		{name: "scale", run: func(t *tally) error { return target(t, nil, "make", "scale") }},
		{name: "producers", run: func(t *tally) error { return target(t, nil, "make", "producers") }},
		{name: "fuzz", run: func(t *tally) error { return target(t, nil, "make", "fuzz") }},
	}
}

// longTests runs the Go tests again, in their long form.
func longTests(t *tally) error {
	return goTest(t, []string{drawn.LongVariable + "=1"}, "-vet=off", "-timeout=60m", "./internal/cli/...", "./...")
}

// longNode runs the tests of a folder in their long form: every file of testdata on each way of
// the Worker, and each recorded file on the page.
func longNode(t *tally, dir string, atOnce int) error {
	if err := buildPageAndWorker(t); err != nil {
		return err
	}
	if err := os.Setenv(drawn.LongVariable, "1"); err != nil {
		return err
	}
	defer os.Unsetenv(drawn.LongVariable)
	return nodeTest(t, dir, atOnce)
}

// vetOthers checks the command for other platforms with go vet. It compiles all that the
// command imports for each of them, which takes minutes.
func vetOthers(t *tally) error {
	if err := target(t, []string{"GOOS=windows"}, "go", "vet", "./..."); err != nil {
		return err
	}
	return target(t, []string{"GOARCH=386"}, "go", "vet", "./internal/cli/...")
}

// target runs a command that has no tests to count. It counts as one test.
func target(t *tally, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	if err := t.command(cmd); err != nil {
		return err
	}
	t.passed++
	return nil
}

// runNightly runs the nightly suite with the given name, or all of them one after another
// if the name is empty. A failure does not stop the others. It returns the exit code.
func runNightly(name string) int {
	start := time.Now()
	var before tally
	node := installTools(&before)
	suites := nightlySuites()
	if name != "" {
		suites = choose(suites, func(n string) bool { return n == name })
	}
	if len(suites) == 0 {
		fatal(fmt.Errorf("no nightly suite %q", name))
	}
	if !node {
		suites = choose(suites, func(n string) bool { return !slices.Contains(needNode, n) })
	}
	results := runLanes([]suite{{name: "bundled plugins", run: buildPlugins}})
	return finish(before, append(results, runLanes(suites)...), time.Since(start), false)
}

// needNode are the nightly suites that cannot run without Node.
var needNode = []string{"js", "worker", "page", "mcp", "scale", "producers", "fuzz"}
