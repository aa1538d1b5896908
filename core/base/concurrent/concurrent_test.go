package concurrent

import (
	"sync/atomic"
	"testing"
)

// TestDivide checks that ranges cover all indices in order, and have about the same
// weight.
func TestDivide(t *testing.T) {
	const each = 40_000
	for _, n := range []int{0, 1, 2, 50, 100_000} { // the last sum does not fit into 31 bits
		for _, cores := range []int{-1, 0, 1, 2, 8} {
			ranges := Divide(n, cores, 64<<10, func(int) int { return each })
			next := 0
			for _, r := range ranges {
				if r[0] != next || r[1] <= r[0] {
					t.Fatalf("%d indices, %d cores: %v", n, cores, ranges)
				}
				next = r[1]
				if len(ranges) > 1 && r[1]-r[0] < n/len(ranges)-1 {
					t.Errorf("%d indices, %d cores: a range has only %d", n, cores, r[1]-r[0])
				}
			}
			if next != n || len(ranges) > max(cores, 1) || n >= 50 && cores > 1 && len(ranges) != cores {
				t.Errorf("%d indices, %d cores: %d ranges with %d indices", n, cores, len(ranges), next)
			}
		}
	}
	if got := Divide(3, 4, 1, func(int) int { return 0 }); len(got) != 1 {
		t.Errorf("without weights: %v, want one range", got)
	}
}

// TestEach checks that each argument is passed once.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9} {
		calls := make([]atomic.Int32, n)
		Each(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("n = %d: f(%d) was called %d times, want 1", n, i, got)
			}
		}
	}
}

// TestClaim checks that each index is passed once, and that a worker never gets two calls
// at the same time.
func TestClaim(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9, 1000} {
		for _, cores := range []int{-1, 0, 1, 2, 7} {
			calls := make([]atomic.Int32, n)
			busy := make([]atomic.Bool, max(cores, 1))
			Claim(n, cores, func(worker, i int) {
				if !busy[worker].CompareAndSwap(false, true) {
					t.Errorf("worker %d got two calls at the same time", worker)
				}
				calls[i].Add(1)
				busy[worker].Store(false)
			})
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("n = %d, %d cores: f(%d) was called %d times, want 1", n, cores, i, got)
				}
			}
		}
	}
}

// TestClaimFree checks that a worker that is free takes the next index while another one
// is busy.
func TestClaimFree(t *testing.T) {
	if !Possible {
		t.Skip("this platform has no goroutines that run at the same time")
	}
	rest := make(chan bool, 9)
	Claim(10, 2, func(worker, i int) {
		if i > 0 {
			rest <- true
			return
		}
		for range 9 {
			<-rest
		}
	})
}

// TestEachAtOnce checks that the calls run at the same time.
func TestEachAtOnce(t *testing.T) {
	if !Possible {
		t.Skip("this platform has no goroutines that run at the same time")
	}
	a, b := make(chan bool), make(chan bool)
	Each(2, func(i int) {
		if i == 0 {
			a <- true
			<-b
		} else {
			<-a
			b <- true
		}
	})
}

// TestPanics checks that a panic reaches the caller, after all calls have ended.
func TestPanics(t *testing.T) {
	for _, n := range []int{1, 4} {
		var ended atomic.Int32
		got := recovered(func() {
			Each(n, func(i int) {
				defer ended.Add(1)
				if i >= n/2 {
					panic(i)
				}
			})
		})
		if got != n/2 || int(ended.Load()) != n && Possible {
			t.Errorf("n = %d: panic value %v after %d calls, want %d after %d", n, got, ended.Load(), n/2, n)
		}
	}
	if got := recovered(Begin(func() { panic("x") })); got != "x" {
		t.Errorf("Begin: panic value %v, want x", got)
	}
}

// TestBegin checks that wait returns after the end of the function.
func TestBegin(t *testing.T) {
	ready, done := make(chan bool), false
	wait := Begin(func() {
		<-ready
		done = true
	})
	close(ready)
	if wait(); !done {
		t.Error("wait returned before the end of the function")
	}
}

func recovered(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
