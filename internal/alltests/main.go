// Command alltests runs every test of the project: the Go tests natively, the core under
// js/wasm in Node, and the Node suites that use a real Chromium and a real workerd. It
// installs what the tests need, prints the output of each suite while the suite runs, and
// lists every skip with its reason at the end. It fails if a test fails or a suite runs no
// test.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	sizes := flag.Bool("sizes", false, "run no tests; only check that the files in dist/ are not too large")
	fuzz := flag.Duration("fuzz", 0, "run no tests; only run every fuzz target for this time")
	flag.Parse()
	if err := os.Chdir(moduleRoot()); err != nil {
		fatal(err)
	}
	switch {
	case *sizes:
		os.Exit(checkSizes())
	case *fuzz > 0:
		os.Exit(fuzzAll(*fuzz))
	}
	os.Exit(run())
}

func moduleRoot() string {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "alltests:", err)
	os.Exit(1)
}

// suite is one run of one test runner.
type suite struct {
	name string
	run  func(*tally) error
}

func run() int {
	start := time.Now()
	var total tally
	node := installTools(&total)
	for _, s := range testSuites(node) {
		began := time.Now()
		fmt.Printf("\n=== %s\n", s.name)
		var t tally
		if err := s.run(&t); err != nil {
			t.failed = max(t.failed, 1)
			t.failures = append(t.failures, fmt.Sprintf("%s: %v", s.name, err))
		}
		if t.passed+t.failed+t.skipped == 0 {
			t.failed = 1
			t.failures = append(t.failures, s.name+": no test ran")
		}
		fmt.Printf("--- %s: %d passed, %d failed, %d skipped, %.0f s\n", s.name, t.passed, t.failed, t.skipped, time.Since(began).Seconds())
		total.add(t)
	}
	total.printReport(time.Since(start))
	if total.failed > 0 || total.passed == 0 {
		return 1
	}
	return 0
}

func testSuites(node bool) []suite {
	all := []suite{
		{"Go, native", func(t *tally) error { return goTest(t, nil, "./...") }},
		{"core, 32 bit", core32},
		{"Python package", testPython},
		{"official MCP SDK and conformance suite", officialMCP},
		{"official chat client", officialChat},
	}
	if !node {
		return all
	}
	return append(all,
		suite{"core, js/wasm in Node", func(t *tally) error {
			return goTest(t, []string{"GOOS=js", "GOARCH=wasm"}, "-exec="+wasmExec(), "./core/...")
		}},
		suite{"build of page and Worker", buildPageAndWorker},
		suite{"wasm package in Node", func(t *tally) error { return nodeTest(t, "wasm/test") }},
		suite{"page in Chromium", func(t *tally) error { return nodeTest(t, "playground/test") }},
		suite{"Worker in workerd", func(t *tally) error { return nodeTest(t, "worker/test") }},
		suite{"same answers from every interface", func(t *tally) error { return nodeTest(t, "test") }},
	)
}

// core32 runs the core's tests as 32-bit programs.
func core32(t *tally) error {
	const name = "core, 32 bit"
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.skip(name, "this system cannot run GOARCH=386 programs; the CI runs these tests on Linux")
		return nil
	}
	if refuses386() {
		t.skip(name, `the kernel of this machine cannot run GOARCH=386 programs; "make check" checks the core for 386 with go vet`)
		return nil
	}
	return goTest(t, []string{"GOARCH=386", "CGO_ENABLED=0"}, "./core/...")
}

// refuses386 reports whether this machine can build 32-bit programs, but its kernel
// refuses to run them, as on some virtual machines.
func refuses386() bool {
	probe := exec.Command("go", "test", "-run=^$", "./core/path")
	probe.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	out, err := probe.CombinedOutput()
	return err != nil && strings.Contains(string(out), syscall.ENOEXEC.Error())
}

// officialMCP runs the tests against the official MCP SDK. These tests are in a separate Go
// module, so that the project does not depend on the SDK.
func officialMCP(t *tally) error {
	get := exec.Command("go", "mod", "download")
	get.Dir = mcpSDK
	if out, err := get.CombinedOutput(); err != nil {
		t.skip("official MCP SDK and conformance suite", fmt.Sprintf("go mod download in %s failed: %.200s", mcpSDK, out))
		return nil
	}
	return goTestIn(t, mcpSDK, nil, ".")
}

// officialChat runs the tests of the proxy with the official Go client. These tests take
// minutes to compile, so they run only if an environment variable asks for them.
func officialChat(t *tally) error {
	const folder, wish = "worker/proxy/sdk", "BOUNDCHECK_OFFICIAL_CLIENT"
	if os.Getenv(wish) == "" {
		t.skip("official chat client", "the tests take minutes to compile; set "+wish+"=1 to run them")
		return nil
	}
	return goTestIn(t, folder, nil, ".")
}

// buildPageAndWorker builds the files that the Node suites test. It counts as one test.
func buildPageAndWorker(t *tally) error {
	for _, target := range []string{"playground", "worker"} {
		if err := runWithOutput(exec.Command("make", "--no-print-directory", target)); err != nil {
			return fmt.Errorf("make %s: %w", target, err)
		}
	}
	t.passed++
	return nil
}

func wasmExec() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "go_js_wasm_exec")
}

func runWithOutput(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
