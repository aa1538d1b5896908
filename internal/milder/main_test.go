package main

import (
	"slices"
	"testing"
)

// TestGenerate checks that equal seeds give equal calls, and that different seeds give
// different calls.
func TestGenerate(t *testing.T) {
	words := []string{"delete", "read", "order"}
	calls := generate(words, 2000, 1)
	if !slices.Equal(calls, generate(words, 2000, 1)) {
		t.Error("the same seed gives other calls")
	}
	if slices.Equal(calls, generate(words, 2000, 2)) {
		t.Error("another seed gives the same calls")
	}
	verdicts, err := judge("../..", calls)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, a := range verdicts {
		if a {
			asked++
		}
	}
	if asked < 200 || asked > 1900 {
		t.Errorf("%d of 2000 calls are asked about: the calls tell versions apart only if some pass and some do not", asked)
	}
}

func TestUnknownRevision(t *testing.T) {
	if _, err := compare("no-such-revision", 10, 1); err == nil {
		t.Error("an unknown revision is no error")
	}
}
