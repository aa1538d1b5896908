// Package pace measures time in tests on a machine that also does other work. A test that
// compares the time of a clock with a limit fails when the machine is busy.
package pace

import (
	"os"
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
