// Package pace measures time in tests on a machine that also does other work. A test that
// compares the time of a clock with a limit fails when the machine is busy.
package pace

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// Spent returns the time that this process computes while f runs, of all its threads
// together. The time of other processes does not count. The test must not be parallel,
// because the time of tests beside it counts too.
func Spent(f func()) time.Duration {
	start := computed()
	f()
	return computed() - start
}

// busy is how many times as long a test waits on a machine that runs other suites.
const busy = 20

// Within returns how long a test waits for what users get within d: d itself in "make
// nightly", which runs one suite at a time, and 20 times d elsewhere.
func Within(d time.Duration) time.Duration {
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		return d
	}
	return busy * d
}

// yardstick is the time that work takes on the machine for which the limits of time in tests were set.
const yardstick = 25 * time.Millisecond

// Slowness returns how many times as long as on that machine a fixed piece of work takes now, at least 1: another
// machine may be slower, and two processes that share a core slow each other down. A test multiplies its limit by it,
// measured beside what it compares. The best of three times counts.
func Slowness() float64 {
	best := Spent(work)
	for range 2 {
		best = min(best, Spent(work))
	}
	return max(1, float64(best)/float64(yardstick))
}

// work is what programs do: it makes strings, cuts them and counts their words in a map.
func work() {
	words := map[string]int{}
	for i := range 40_000 {
		for w := range strings.FieldsSeq(fmt.Sprintf("item %d costs %d", i, i%100)) {
			words[w]++
		}
	}
	if len(words) != 40_002 {
		panic("pace: the work was not done")
	}
}
