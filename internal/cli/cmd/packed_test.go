package cmd

import "testing"

// TestPackedOnce checks that a request for one file does not wait while another file is
// compressed, and that no file is compressed twice.
func TestPackedOnce(t *testing.T) {
	began, hold := make(chan bool), make(chan bool)
	times := 0
	slow := func() []byte { times++; close(began); <-hold; return []byte("slow") }
	all := make(chan string)
	for range 2 {
		go func() { all <- string(packedOnce("test slow", slow)()) }()
	}
	<-began
	if out := packedOnce("test quick", func() []byte { return []byte("quick") })(); string(out) != "quick" {
		t.Errorf("the other file is %q", out)
	}
	close(hold)
	if a, b := <-all, <-all; a != "slow" || b != "slow" || times != 1 {
		t.Errorf("%q and %q, compressed %d times", a, b, times)
	}
}
