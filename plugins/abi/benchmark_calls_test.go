package abi

import "testing"

// TestDetectCountsCalls checks that Detect counts calls and not different names. For
// example, three calls with names of a benchmark are not enough if five other calls have
// the same foreign name.
func TestDetectCountsCalls(t *testing.T) {
	all := []Benchmark{{ID: "b", Tools: []string{"a", "b", "c"}}}
	if _, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x", "x", "x", "x"}); ok {
		t.Error("applies by names")
	}
	if id, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x"}); !ok || id != "b" {
		t.Error("does not apply by calls")
	}
}
