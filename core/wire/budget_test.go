package wire

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// The rule of all work: a body of at most budgetBytes needs at most budgetTime, five times
// that under js/wasm, and at most budgetMemory.
const (
	budgetBytes  = 1 << 20
	budgetTime   = time.Second
	budgetMemory = 100 << 20
)

// smallBytes is the size of the largest bodies in a short test, and growth is the largest
// factor of memory for four times the bytes: n·log n and some room.
const (
	smallBytes = 1 << 16
	growth     = 6
)

// overBudget names the generators that do not keep the rule yet, with the factor of time
// and memory that they are allowed.
var overBudget = map[string]int{
	"read: pieces of calls that are open together": 2, "read: chunks of a stream": 4,
	"read: a long table": 7, "read: nested records": 3, "read: records by name": 2, "read: objects of unlike names": 3, "read: calls as text": 2,
	"read: YAML": 3, "read: steps by numbers of runs": 3}

// heavyVariable makes the test binary score one body of heavies alone: its index and size.
const heavyVariable = "BOUNDCHECK_HEAVY"

// cost is what one body took.
type cost struct {
	bytes     int
	took      time.Duration // of one processor
	allocated uint64        // bytes
	peak      uint64        // bytes from the system at the end, above those at the start
}

// measureBody scores one body of a generator.
func (h *heavy) measureBody(t *testing.T, size int) cost {
	t.Helper()
	body := []byte(h.writeUpTo(size))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var answer []byte
	var ok bool
	c := cost{bytes: len(body), took: pace.Spent(func() { answer, ok = h.handleAny(body) })}
	runtime.ReadMemStats(&after)
	if !ok {
		t.Fatalf("%s: %s", h.name, answer[:min(300, len(answer))])
	}
	c.allocated, c.peak = after.TotalAlloc-before.TotalAlloc, after.Sys-min(before.Sys, after.Sys)
	return c
}

// TestBudgetGrows checks at three sizes that the memory that is allocated grows at most a
// little faster than the body, and that the time is at most four times the part of the
// rule's time that the body is of the rule's bytes, and a tenth. It takes seconds, so it tries
// every second generator, and all with BOUNDCHECK_LONG=1. TestBudgetHolds checks the rule itself.
func TestBudgetGrows(t *testing.T) {
	for i := range heavies {
		if !drawn.InShare(i, 2) {
			continue
		}
		h := &heavies[i]
		small, middle, large := h.measureBody(t, smallBytes/16), h.measureBody(t, smallBytes/4), h.measureBody(t, smallBytes)
		for _, c := range [][2]cost{{small, middle}, {middle, large}} {
			most := float64(growth*max(1, overBudget[h.kind()])) * float64(c[1].bytes) / float64(c[0].bytes) / 4
			if got := float64(c[1].allocated) / float64(c[0].allocated); got > most && c[1].allocated > 48<<20 {
				t.Errorf("%s: %d bytes allocate %d, and %d allocate %d: %.1f times as much, want at most %.1f", h.name, c[0].bytes, c[0].allocated, c[1].bytes, c[1].allocated, got, most)
			}
		}
		for _, c := range []cost{middle, large} {
			limit := (4*budgetTime*time.Duration(c.bytes)/budgetBytes + budgetTime/10) * time.Duration(max(1, overBudget[h.kind()]))
			for range 4 { // the machine may be busy
				if c.took > limit {
					slow := pace.Slowness()
					c.took = min(c.took, time.Duration(float64(h.measureBody(t, c.bytes).took)/slow))
				}
			}
			if c.took > limit && runtime.GOARCH != "wasm" {
				t.Errorf("%s: %d bytes took %v, want at most %v", h.name, c.bytes, c.took, limit)
			}
		}
	}
}

// TestBudgetHolds checks the rule for bodies of each generator that are as large as the
// rule allows, each in a process of its own. Under js/wasm there is only one process, so
// BOUNDCHECK_HEAVY selects one generator. It takes about a minute, so make test does not
// run it.
func TestBudgetHolds(t *testing.T) {
	if os.Getenv("BOUNDCHECK_LONG") == "" && os.Getenv(heavyVariable) == "" {
		t.Skip("SKIPPED: takes a minute; make nightly runs it (BOUNDCHECK_LONG=1)")
	}
	limit := budgetTime
	if runtime.GOARCH == "wasm" {
		limit *= 5
	}
	for i := range heavies {
		h := &heavies[i]
		if one := os.Getenv(heavyVariable); one != "" && one != strconv.Itoa(i) {
			continue
		}
		c, factor := h.measureAlone(t, i), max(1, overBudget[h.kind()])
		t.Logf("%-40s %8d bytes %8.0f ms %5d MiB", h.name, c.bytes, float64(c.took.Microseconds())/1e3, c.peak>>20)
		if most := limit * time.Duration(factor); c.took > most {
			t.Errorf("%s: %v for %d bytes, want at most %v", h.name, c.took, c.bytes, most)
		}
		if most := uint64(budgetMemory * factor); c.peak > most {
			t.Errorf("%s: %d MiB for %d bytes, want at most %d", h.name, c.peak>>20, c.bytes, most>>20)
		}
	}
}

// measureAlone scores the i-th generator's largest body in a process of its own, if the
// system has processes. The best of three times counts, because the machine may be busy.
func (h *heavy) measureAlone(t *testing.T, i int) cost {
	t.Helper()
	if os.Getenv(heavyVariable) != "" || runtime.GOARCH == "wasm" {
		c := h.measureBody(t, budgetBytes)
		fmt.Printf("heavy: %d %d %d\n", c.bytes, c.took, c.peak)
		return c
	}
	var best cost
	for range 3 {
		slow := pace.Slowness()
		cmd := exec.Command(os.Args[0], "-test.run=^TestBudgetHolds$")
		cmd.Env = append(os.Environ(), heavyVariable+"="+strconv.Itoa(i))
		out, err := cmd.CombinedOutput()
		found := regexp.MustCompile(`heavy: (\d+) (\d+) (\d+)`).FindSubmatch(out)
		if found == nil {
			t.Fatalf("%s: %v\n%s", h.name, err, bytes.TrimSpace(out))
		}
		var n [3]int64
		for k := range n {
			n[k], _ = strconv.ParseInt(string(found[k+1]), 10, 64)
		}
		c := cost{bytes: int(n[0]), took: time.Duration(float64(n[1]) / slow), peak: uint64(n[2])}
		if best.bytes == 0 || c.took < best.took {
			best = c
		}
		if best.took <= budgetTime {
			break
		}
	}
	return best
}

// TestBoundsAreSaid checks that a body which reaches a bound has a warning that says what
// was decided by a simpler method, and that a body below it has none.
func TestBoundsAreSaid(t *testing.T) {
	calls := func(n int) []step { return repeatStep(n, orderStep("cancel_order", `{"id":"X1","n":%d}`, 0)) }
	codes := regexp.MustCompile(`"code":"([a-z-]+-bound)"`)
	check := func(name, body, want string) {
		t.Helper()
		answer, ok := Handle("score", []byte(body))
		if !ok {
			t.Fatal(string(answer))
		}
		got := ""
		for _, m := range codes.FindAllSubmatch(answer, -1) {
			got += string(m[1]) + " "
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: the bounds %q, want %q", name, strings.TrimSpace(got), want)
		}
	}
	check("few", writeScored(shuffleSteps(calls(300)), writeSteps(calls(300))), "")
	check("many, distinct", writeScored(shuffleSteps(calls(1200)), writeSteps(calls(1200))), "pairs-bound")
	apart := repeatStep(4000, orderStep("cancel_order", `{"id":"X%d"}`, 0))
	check("few moved", writeScored(shuffleSteps(apart[:900]), writeSteps(apart[:900])), "")
	check("many moved", writeScored(shuffleSteps(apart), writeSteps(apart)), "pairs-bound orders-bound")
	wide := func(n, shift int) []step {
		return []step{{name: "update_order", args: "{" + joinEach(n, func(i int) string { return fmt.Sprintf(`"k%d":"v%d"`, i, i+shift) }) + "}"}}
	}
	check("few differences", writeScored(wide(60, 0), writeSteps(wide(60, 1))), "")
	check("many differences", writeScored(wide(120, 0), writeSteps(wide(120, 1))), "kinds-bound")
	named := func(n int, letter string) []step {
		return []step{{name: "update_order", args: "{" + joinEach(n, func(i int) string { return fmt.Sprintf(`"%s%d":1`, letter, i) }) + "}"}}
	}
	check("few other names", writeScored(named(60, "k"), writeSteps(named(60, "q"))), "")
	check("many other names", writeScored(named(400, "k"), writeSteps(named(400, "q"))), "names-bound kinds-bound")
	wrong := func(n, shift int) []step {
		return repeatStep(n, orderStep("cancel_order", `{"id":"X%[1]d","n":%[1]d,"why":"late"}`, shift))
	}
	check("few wrong", writeScored(wrong(10, 0), writeSteps(wrong(10, 1000))), "")
	check("many wrong", writeScored(wrong(60, 0), writeSteps(wrong(60, 1000))), "notations-bound stories-bound")
	check("many in any order, all matched", writeScored(shuffleSteps(calls(600)), anyOrder(calls(600))), "")
}
