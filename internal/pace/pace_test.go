package pace

import (
	"testing"
	"time"
)

// TestSpent checks that computing counts and, where the system tells, that waiting does not.
func TestSpent(t *testing.T) {
	sum := 0
	begun := time.Now()
	working := Spent(func() {
		for i := range 200_000_000 {
			sum += i ^ sum
		}
	})
	if took := time.Since(begun); working <= 0 || working > 2*took+time.Second {
		t.Errorf("a loop of %v computed for %v", took, working)
	}
	begun = time.Now()
	waiting := Spent(func() { time.Sleep(300 * time.Millisecond) })
	if took := time.Since(begun); waiting > took {
		t.Errorf("a pause of %v computed for %v", took, waiting)
	}
}

func TestWithin(t *testing.T) {
	t.Setenv("BOUNDCHECK_LONG", "")
	if got := Within(time.Second); got != 20*time.Second {
		t.Errorf("beside other suites: %v", got)
	}
	t.Setenv("BOUNDCHECK_LONG", "1")
	if got := Within(time.Second); got != time.Second {
		t.Errorf("alone: %v", got)
	}
}

// TestSlowness checks that a limit is never made smaller, and that the work is done each time.
func TestSlowness(t *testing.T) {
	for range 3 {
		if got := Slowness(); got < 1 {
			t.Errorf("%v, want at least 1", got)
		}
	}
}
