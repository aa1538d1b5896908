package abi

import "testing"

// Calls are counted, not names: three of the benchmark's own and one foreign name five
// times are not its document.
func TestDetectCountsCalls(t *testing.T) {
	all := []Benchmark{{ID: "b", Tools: []string{"a", "b", "c"}}}
	if _, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x", "x", "x", "x"}); ok {
		t.Error("applies by names")
	}
	if id, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x"}); !ok || id != "b" {
		t.Error("does not apply by calls")
	}
}
