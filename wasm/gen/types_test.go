package main

import (
	"bytes"
	"os"
	"testing"
)

// The types in the npm package are those of the Go structs.
func TestTypesAreCurrent(t *testing.T) {
	t.Chdir("../..")
	want, err := generate(".", roots)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is out of date: run go run ./wasm/gen", target)
	}
}
