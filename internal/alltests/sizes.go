package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// budgets are the largest allowed sizes of files that are downloaded or deployed, in KiB
// of gzip -9. The platform of the edge allows 64 MiB uncompressed on every plan. A budget
// is only slightly above the current size, so that growth is noticed. A change that raises
// a budget must give the reason.
var budgets = []struct {
	path string
	kib  int
}{
	{"dist/playground/npm/boundcheck.wasm", 1591}, // what a first visit and the three case studies call, without data that only stack traces or other functions need (internal/wasmpack/RATIONALE.md)
	{"dist/playground/npm/seldom.wasm", 3030},     // the other functions of the page's core and of its libraries, and what the runtime needs for them, and forms of generic functions that only these call; readers of logs, pages of lists, shell commands of a task and names in stories came in, 60 KiB, of which the first module gave 14; then kinds of values, last words, limits and what is handed out, 110 KiB, and library functions that no case study calls, 36; then one call for several, notations that people write, things by their numbers, where a call reaches further, and secrets, 76
	{"dist/npm/boundcheck.wasm", 4725},            // all readers, prompts, YAML and repair; readers of what people write, deeds that a run undoes, evidence for requests, kinds of values, last words, more notations and the judgements of calls by what they hand out came in
	{"dist/npm/command.wasm.gz", 9510},            // the whole command, for npx; programs do not load it; the same came in
	{"dist/worker/app.wasm", 6390},                // the gate with its proxies and all that the core judges; its hot functions are inlined; waits, traces of calls, delegations, cut streams, and what came into the core
	{"dist/worker/batches/app.wasm", 5915},        // the core alone, with its functions inlined; over the 3072 of a free Worker
	{"dist/plugins/edge/prompts.wasm", 1024},
}

func checkSizes() int {
	code := 0
	for _, b := range budgets {
		raw, packed, err := gzipSize(b.path)
		if err != nil {
			fmt.Println("alltests:", err)
			return 1
		}
		word := "within"
		if packed > b.kib<<10 {
			word, code = "OVER", 1
		}
		fmt.Printf("%-32s %6d KiB raw %6d KiB gzip, %s the budget of %d KiB\n", b.path, raw>>10, packed>>10, word, b.kib)
	}
	return code
}

func gzipSize(path string) (raw, packed int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	var n counter
	w, _ := gzip.NewWriterLevel(&n, gzip.BestCompression)
	if _, err := w.Write(data); err != nil {
		return 0, 0, err
	}
	return len(data), int(n), w.Close()
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

var _ io.Writer = (*counter)(nil)

// shellShare is the factor by which the shell fuzz runs longer than a fuzz target,
// because starting real shells is slow.
const shellShare = 20

// fuzzShell runs random command lines in real shells. It checks that the command lines
// which core/action/readcmd allows change nothing.
func fuzzShell(d time.Duration) error {
	installZsh()
	cmd := exec.Command("go", "test", "-count=1", "-v", "-timeout", "0", "-run", "^TestRealShells$", "./core/action/readcmd")
	cmd.Env = append(os.Environ(), "BOUNDCHECK_SHELL_FUZZ="+(shellShare*d).String())
	fmt.Println("===", strings.Join(cmd.Args, " "))
	return runWithOutput(cmd)
}

// fuzzAll runs fuzzShell, and then each fuzz target for the time d. It stops at the first
// failure, and returns the exit code.
func fuzzAll(d time.Duration) int {
	if fuzzShell(d) != nil {
		return 1
	}
	out, err := exec.Command("go", "list", "./core/...", "./worker/...", "./plugins/...").Output()
	if err != nil {
		fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		names, err := exec.Command("go", "test", "-list", "^Fuzz", p).Output()
		if err != nil {
			fatal(err)
		}
		for _, name := range strings.Fields(string(names)) {
			if !strings.HasPrefix(name, "Fuzz") {
				continue
			}
			fmt.Println("===", p, name)
			if err := runWithOutput(exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", d.String(), p)); err != nil {
				return 1
			}
		}
	}
	return 0
}
