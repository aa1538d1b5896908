// Package concurrent divides work, runs functions in goroutines, and passes their panics
// on to the caller.
package concurrent

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Possible reports whether the platform can run goroutines at the same time. Because it is
// a constant, a wasm module does not contain code that needs it to be true.
const Possible = runtime.GOARCH != "wasm"

// Divide divides the indices 0 to n-1 into at most cores ranges [from, to), in order. The
// weights of the ranges have about the same sum. Each sum should be at least smallest,
// which must be positive: if the sum of all weights is too small, there are fewer ranges.
// There is at least one range, or none if n is 0. Weights must not be negative. O(n) calls
// of weight.
func Divide(n, cores, smallest int, weight func(i int) int) [][2]int {
	total := int64(0)
	for i := range n {
		total += int64(weight(i))
	}
	want := min(int64(cores), total/int64(smallest))
	var ranges [][2]int
	from, counted := 0, int64(0)
	for i := range n {
		counted += int64(weight(i))
		next := int64(len(ranges) + 1)
		if last := i+1 == n; last || counted*want >= total*next && next < want {
			ranges = append(ranges, [2]int{from, i + 1})
			from = i + 1
		}
	}
	return ranges
}

// Each calls f(0) to f(n-1), each in its own goroutine, and returns after the last call.
// If some calls panic, Each panics with the value of the first of them in the order of the
// arguments. If n is 1, or goroutines are not Possible, Each makes the calls itself, and
// the first panic ends it.
func Each(n int, f func(i int)) {
	if n == 1 || !Possible {
		for i := range n {
			f(i)
		}
		return
	}
	var wait sync.WaitGroup
	panics := make([]any, n)
	for i := range n {
		wait.Go(func() {
			defer func() { panics[i] = recover() }()
			f(i)
		})
	}
	wait.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// Claim calls f(worker, 0) to f(worker, n-1), and returns after the last call. There are at
// most cores workers, each with its own goroutine and number, from 0. A worker that has
// finished a call takes the next index, so the work is even if the calls take different
// times. Panics are treated as by Each; a worker that panicked takes no further index.
func Claim(n, cores int, f func(worker, i int)) {
	var next atomic.Int64
	Each(min(n, max(cores, 1)), func(worker int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(worker, i)
		}
	})
}

// Begin calls f in a goroutine, and returns at once. The caller must call the function
// that Begin returns: it waits for the end of f, and panics if f panicked.
func Begin(f func()) (wait func()) {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	return func() {
		if p := <-done; p != nil {
			panic(p)
		}
	}
}
