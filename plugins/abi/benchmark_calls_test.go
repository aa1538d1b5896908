package abi

import "testing"

// TestDetectCountsCalls checks that Detect counts calls, not names: a document with
// three calls of the benchmark and five calls of one foreign name is not the
// benchmark's.
func TestDetectCountsCalls(t *testing.T) {
	all := []Benchmark{{ID: "b", Tools: []string{"a", "b", "c"}}}
	if _, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x", "x", "x", "x"}); ok {
		t.Error("applies by names")
	}
	if id, ok := Detect(all, "plain-calls", []string{"a", "b", "c", "x", "x"}); !ok || id != "b" {
		t.Error("does not apply by calls")
	}
}
