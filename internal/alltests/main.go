// Command alltests runs every test of the project, in three lanes side by side: the Go
// tests, the build of what the Node suites test with the page in a real Chromium, and the
// Python package with the Worker in a real workerd and the npm package. It installs what the tests need, builds the
// plugins once for all of them, and prints the output of each suite when the suite has
// ended. At the end it lists every skip with its reason, the slow tests, and the seconds of
// each suite.
// It fails if a test fails or a suite runs no test. With -nightly it runs what takes too
// long for every change.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func main() {
	sizes := flag.Bool("sizes", false, "run no tests; only check that the files in dist/ are not too large")
	fuzz := flag.Duration("fuzz", 0, "run no tests; only run every fuzz target for this time")
	install := flag.Bool("install", false, "run no tests; only install the programs that the tests need")
	nightly := flag.Bool("nightly", false, "run what takes too long for every change, instead of the other suites")
	only := flag.String("only", "", "run only the suites whose names contain this text; with -nightly, only the suite with this name")
	write := flag.Bool("write", false, "keep the table of the suites in "+tableFile)
	flag.Parse()
	if err := os.Chdir(moduleRoot()); err != nil {
		fatal(err)
	}
	switch {
	case *sizes:
		os.Exit(checkSizes())
	case *fuzz > 0:
		os.Exit(fuzzAll(*fuzz))
	case *install:
		installPrograms()
		return
	case *nightly:
		os.Exit(runNightly(*only))
	}
	os.Exit(run(*only, *write))
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

func run(only string, write bool) int {
	start := time.Now()
	var before tally
	node := installTools(&before)
	named := func(name string) bool { return strings.Contains(name, only) }
	built := make(chan struct{})
	second, third := choose(pageLane(node), named), choose(workerLane(node, built), named)
	if len(second) > 0 || slices.ContainsFunc(third, func(s suite) bool { return s.after != nil }) {
		second = append([]suite{{name: "build of page, Worker and npm package", run: func(t *tally) error {
			defer close(built)
			return buildPageAndWorker(t)
		}}}, second...)
	}
	if err := os.RemoveAll(builtFolder); err != nil { // not later, when go test lists the packages
		fatal(err)
	}
	results := runLanes([]suite{{name: "bundled plugins", run: buildPlugins}})
	results = append(results, runLanes(choose(goLane(), named), second, third)...)
	return finish(before, results, time.Since(start), write)
}

// finish prints the report, and keeps its table if write is set. It returns the exit code.
func finish(before tally, results []result, wall time.Duration, write bool) int {
	total := printReport(before, results, wall)
	if write {
		if err := keepTable(tableFile, suiteTable(results, wall)); err != nil {
			fatal(err)
		}
	}
	if total.failed > 0 || total.passed == 0 {
		return 1
	}
	return 0
}

// choose returns the suites whose names are wanted.
func choose(all []suite, wanted func(name string) bool) []suite {
	return slices.DeleteFunc(all, func(s suite) bool { return !wanted(s.name) })
}

// goLane returns the suites that test what Go builds for itself. make check runs all of go vet,
// so go test runs none of it. No test needs what the linker writes for debuggers (-s -w), half of
// a link's time.
func goLane() []suite {
	return []suite{
		{name: "Go, native", run: func(t *tally) error {
			args := []string{"-vet=off", "-ldflags=-s -w", "-timeout=30m", fmt.Sprint("-p=", runtime.GOMAXPROCS(0)+1)}
			return goTest(t, nil, append(args, waiting...)...)
		}},
		{name: "core's arithmetic, 32 bit", run: func(t *tally) error { return core32(t, tenth, arithmetic...) }},
	}
}

// waiting is the order in which make test tests packages: first those that mostly wait, for
// time-outs, databases and processes, so that they wait while the other lanes compute. The
// core only computes, and keeps all processors busy when the other lanes have ended. One
// package more than there are processors is tested at once, because some of them wait.
var waiting = []string{"./worker/gate", "./worker/proxy", "./plugins/...", "./internal/cli/...", "./worker/...", "./internal/...", "./..."}

// inScripts are the packages whose results could depend on the platform, and arithmetic has
// core/wire with the golden files, too. make test runs the first under js/wasm and the second as
// 32-bit programs, with a tenth of the cases and without what measures work: their laws are
// attacked natively. make nightly runs all of the core on both. Under js/wasm,
// test/doors.test.mjs compares the whole report of every file of testdata with the command's,
// which the golden files hold, so these need not be compiled for it once more.
var (
	inScripts  = []string{"-short", "-skip=^TestBudget", "./core/base/jsonval", "./core/math/align", "./core/math/metric", "./core/math/stats"}
	arithmetic = append(slices.Clone(inScripts), "./core/study/tally", "./core/wire")
)

// tenth is the value of drawn.Variable for a tenth of the cases.
const tenth = "1/10"

// pageLane returns the suites that need only Node and what buildPageAndWorker builds. Two files of
// the page's tests run at once, because a browser mostly waits for one of its processes.
func pageLane(node bool) []suite {
	if !node {
		return nil
	}
	return []suite{
		{name: "same answers from every interface", run: func(t *tally) error { return nodeTest(t, "test", 1) }},
		{name: "page in Chromium", run: func(t *tally) error { return nodeTest(t, "playground/test", 2) }},
	}
}

// workerLane returns the suites of the Worker and of the npm package, and those that need nothing
// that is built: the first of them runs while the other lane builds. The Worker's tests mostly
// wait, for time-outs and for workerd, so two of its files run at once.
func workerLane(node bool, built <-chan struct{}) []suite {
	all := []suite{{name: "Python package", run: testPython}}
	if !node {
		return all
	}
	return append(all,
		suite{name: "core's arithmetic, js/wasm in Node", run: func(t *tally) error { return coreJS(t, tenth, inScripts...) }},
		suite{name: "Worker in workerd", run: func(t *tally) error { return nodeTest(t, "worker/test", 2) }, after: built},
		suite{name: "wasm package in Node", run: func(t *tally) error { return nodeTest(t, "wasm/test", 2) }, after: built},
	)
}

// coreJS runs tests of the core under js/wasm in Node, with this value of drawn.Variable.
func coreJS(t *tally, cases string, args ...string) error {
	return goTest(t, []string{"GOOS=js", "GOARCH=wasm", drawn.Variable + "=" + cases}, append([]string{"-vet=off", "-timeout=60m", "-exec=" + wasmExec()}, args...)...)
}

// core32 runs tests of the core as 32-bit programs, with this value of drawn.Variable.
func core32(t *tally, cases string, args ...string) error {
	const name = "core, 32 bit"
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.skip(name, "this system cannot run GOARCH=386 programs; the CI runs these tests on Linux")
		return nil
	}
	if refuses386() {
		t.skip(name, `the kernel of this machine cannot run GOARCH=386 programs; "make check" checks the core for 386 with go vet`)
		return nil
	}
	return goTest(t, []string{"GOARCH=386", "CGO_ENABLED=0", drawn.Variable + "=" + cases}, append([]string{"-vet=off", "-timeout=60m"}, args...)...)
}

// refuses386 reports whether this machine can build 32-bit programs, but its kernel
// refuses to run them, as on some virtual machines.
func refuses386() bool {
	probe := exec.Command("go", "test", "-run=^$", "./core/base/path")
	probe.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	out, err := probe.CombinedOutput()
	return err != nil && strings.Contains(string(out), syscall.ENOEXEC.Error())
}

// officialMCP runs the tests against the official MCP SDK. These tests are in a separate Go
// module, so that the project does not depend on the SDK.
func officialMCP(t *tally) error {
	if err := npmInstall(t.out, mcpSDK); err != nil {
		t.skip("official MCP conformance suite", "npm ci in "+mcpSDK+" failed: "+err.Error())
	}
	get := exec.Command("go", "mod", "download")
	get.Dir = mcpSDK
	if out, err := get.CombinedOutput(); err != nil {
		t.skip("official MCP SDK and conformance suite", fmt.Sprintf("go mod download in %s failed: %.200s", mcpSDK, out))
		return nil
	}
	return goTestIn(t, mcpSDK, nil, "-timeout=30m", ".")
}

// chatSDK is the folder of the tests with the official clients of model APIs.
const chatSDK = "worker/proxy/sdk"

// officialChat runs the tests against these clients.
func officialChat(t *tally) error {
	if err := npmInstall(t.out, chatSDK); err != nil {
		t.skip("Anthropic's official client", "npm ci in "+chatSDK+" failed: "+err.Error())
	}
	return goTestIn(t, chatSDK, nil, "-timeout=30m", ".")
}

// buildPlugins builds the bundled plugins and compiles them for the native host. Both
// results stay in the user's cache, where all later tests find them. The compiler keeps
// code for commands apart from code for test programs, so there is one run of each.
func buildPlugins(t *tally) error {
	dir, err := os.MkdirTemp("", "boundcheck-catalog-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := t.command(exec.Command("go", "run", "./plugins/internal/catalog", dir)); err != nil {
		return err
	}
	return goTest(t, nil, "-vet=off", "-run=^TestVerifyBundled$", "./plugins/host")
}

// builtFolder holds what the Node suites test: the folders page, worker and npm, the command
// boundcheck, and the folder tables, the state of a Worker in which the gate's tables are. It is
// apart from dist, which TestMakeRun writes in the other lane.
const builtFolder = "build/test"

// buildPageAndWorker builds what the Node suites test, once for all of them. It counts as
// one test.
func buildPageAndWorker(t *tally) error {
	folder, err := filepath.Abs(builtFolder)
	if err != nil {
		return err
	}
	for script, name := range map[string]string{"playground/build.sh": "page", "worker/edge/build.sh": "worker", "wasm/build.sh": "npm"} {
		if err := t.command(exec.Command("sh", script, filepath.Join(folder, name))); err != nil {
			return fmt.Errorf("%s: %w", script, err)
		}
	}
	for _, args := range [][]string{
		{"go", "build", "-o", filepath.Join(folder, "boundcheck"), "./cmd/boundcheck"},
		{"node", "worker/test/tables.mjs", filepath.Join(folder, "tables")},
	} {
		if err := t.command(exec.Command(args[0], args[1:]...)); err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
	}
	t.passed++
	return os.Setenv("BOUNDCHECK_BUILT", folder)
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
