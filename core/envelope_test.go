package core

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMaybeEnvelope compares the search for "trace" in quotes with a simple search, in
// random texts of the letters that occur in it.
func TestMaybeEnvelope(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	found := 0
	for range 200_000 {
		text := []byte{'{'}
		for range r.IntN(40) {
			text = append(text, `"trace x`[r.IntN(8)])
		}
		if r.IntN(3) == 0 {
			at := 1 + r.IntN(len(text))
			text = slices.Insert(text, at, []byte(`"trace"`)...)
		}
		got := maybeEnvelope(text)
		if want := bytes.Contains(text, []byte(`"trace"`)); got != want {
			t.Fatalf("%s: %v, want %v", text, got, want)
		} else if got {
			found++
		}
	}
	if found < 60_000 {
		t.Errorf("only %d texts contain the name", found)
	}
	if maybeEnvelope([]byte(` ["trace"]`)) || maybeEnvelope(nil) || !maybeEnvelope([]byte(" \n{\"trace\"")) {
		t.Error("a list or nothing may be an envelope, or an object may not")
	}
}
