// Package concurrent runs functions in goroutines, and passes their panics on to the
// caller.
package concurrent

import "sync"

// Each calls f(0) to f(n-1), each in its own goroutine, and returns after the last call.
// If n is 1, it calls f itself. If some calls panic, Each panics with the value of the
// first of them in the order of the arguments.
func Each(n int, f func(i int)) {
	if n == 1 {
		f(0)
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
