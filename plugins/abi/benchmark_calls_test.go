package abi

import "testing"

// TestDetectCountsCalls checks that Detect counts calls, not different names: a
// benchmark does not apply to a document in which three calls have its names and five
// calls have one other name.
func TestDetectCountsCalls(t *testing.T) {
	all := []Benchmark{{ID: "b", Tools: []string{"a", "b", "c"}}}
	if _, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x", "x", "x", "x"}); ok {
		t.Error("applies by names")
	}
	if id, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x"}); !ok || id != "b" {
		t.Error("does not apply by calls")
	}
}
