package main

import (
	"bytes"
	"os"
	"testing"
)

// TestCodesAreWritten checks that core/base/codes/codes.txt has the rows that this program writes.
func TestCodesAreWritten(t *testing.T) {
	got, err := os.ReadFile("../../core/base/codes/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := func(b []byte) []byte { _, rest, _ := bytes.Cut(b, []byte("\n")); return rest } // the first line has a version
	if !bytes.Equal(rows(got), rows(writeTable())) {
		t.Error("core/base/codes/codes.txt differs; write it with go run ./internal/codetables > core/base/codes/codes.txt")
	}
}
