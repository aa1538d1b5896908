//go:build !js

package wire

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// wasmPages is the memory of an isolate, 128 MB, in pages of 64 KiB.
const wasmPages = 128 << 20 >> 16

// overInWasm names the generators that do not always keep the rule under js/wasm. On a quiet
// machine all do. What they keep alive is 40 to 50 MB, and on a busy one the collector, which
// may take half of the time by the clock, falls behind.
var overInWasm = map[string]bool{"any order": true, "any order, one argument equal": true, "steps without a run": true}

// runCapped runs a test binary of js/wasm in Node.
const runCapped = `
for (const [name, of] of [["fs", "fs"], ["path", "path"]]) globalThis[name] = require(of);
require(process.argv[1] + "/wasm_exec.js");
const go = new Go();
go.argv = ["wire.test", "-test.run=^TestBudgetHolds$"];
go.env = process.env;
go.exit = process.exit;
WebAssembly.instantiate(fs.readFileSync(process.argv[2]), go.importObject).then(({ instance }) => go.run(instance));
`

// TestBudgetHoldsInWasm scores the largest body of each generator in Node, with the settings
// of the garbage collector of the Worker, and as much memory as a Worker has: at the limit the
// program ends. It takes minutes, so make test does not run it.
func TestBudgetHoldsInWasm(t *testing.T) {
	if os.Getenv("BOUNDCHECK_LONG") == "" {
		t.Skip("SKIPPED: takes minutes; make nightly runs it (BOUNDCHECK_LONG=1)")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: node is not on PATH; the budget is not tested in wasm")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	program, support := buildCapped(t), filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")
	found := regexp.MustCompile(`heavy: (\d+) (\d+) (\d+)`)
	for i := range heavies {
		if one := os.Getenv(heavyVariable); one != "" && one != strconv.Itoa(i) {
			continue
		}
		h, best, said := &heavies[i], time.Duration(0), ""
		for range 3 { // the machine may be busy
			cmd := exec.Command("node", "--stack-size=4000", "-e", runCapped, support, program)
			cmd.Env = append(os.Environ(), heavyVariable+"="+strconv.Itoa(i), "GOGC=400", "GOMEMLIMIT=40MiB")
			out, _ := cmd.CombinedOutput()
			m := found.FindSubmatch(out)
			if m == nil {
				said = firstLines(out, 3)
				continue
			}
			took, _ := strconv.ParseInt(string(m[2]), 10, 64)
			if best == 0 || time.Duration(took) < best {
				best = time.Duration(took)
			}
			if best <= 5*budgetTime {
				break
			}
		}
		t.Logf("%-40s %8.0f ms", h.name, best.Seconds()*1e3)
		switch {
		case overInWasm[h.kind()]:
		case best == 0:
			t.Errorf("%s: no answer with 128 MB: %s", h.name, said)
		case best > 5*budgetTime:
			t.Errorf("%s: %v, want at most %v", h.name, best, 5*budgetTime)
		}
	}
}

func firstLines(out []byte, n int) string {
	all := strings.SplitN(string(out), "\n", n+1)
	return strings.Join(all[:min(n, len(all))], " ")
}

// buildCapped builds this package's tests for js/wasm, with a memory that cannot grow beyond
// wasmPages, and returns the path of the program.
func buildCapped(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wire.wasm")
	cmd := exec.Command("go", "test", "-c", "-o", path, ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wasm, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, capMemory(t, wasm, wasmPages), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// capMemory returns a module whose one memory, which has no limit, has a limit.
func capMemory(t *testing.T, wasm []byte, pages uint64) []byte {
	t.Helper()
	const memorySection = 5
	for at := 8; at < len(wasm); {
		size, n := binary.Uvarint(wasm[at+1:])
		body := at + 1 + n
		if wasm[at] != memorySection {
			at = body + int(size)
			continue
		}
		least, ok := bytes.CutPrefix(wasm[body:body+int(size)], []byte{1, 0})
		if !ok {
			t.Fatal("the module's memory has a limit, or there are several")
		}
		limits := binary.AppendUvarint(append([]byte{1, 1}, least...), pages)
		section := append(binary.AppendUvarint([]byte{memorySection}, uint64(len(limits))), limits...)
		return append(append(bytes.Clone(wasm[:at]), section...), wasm[body+int(size):]...)
	}
	t.Fatal("the module has no memory")
	return nil
}
