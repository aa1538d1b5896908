package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestNodeLines checks how the output of Node's test runner is read: test points, skips
// with their reasons, and comments that only mention a skip.
func TestNodeLines(t *testing.T) {
	var got tally
	nodeLines(&got, strings.NewReader(`TAP version 13
# SKIPPED: no recorded runs in /data
# Subtest: adds
ok 1 - adds
ok 2 - page # SKIP no Chromium found
    not ok 1 - inner
not ok 3 - fails
# tests 3
# pass 1
# fail 1
# cancelled 0
# skipped 1
`))
	want := tally{passed: 1, failed: 1, skipped: 1, skips: []string{"page: no Chromium found"}, failures: []string{"not ok 1 - inner", "not ok 3 - fails"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
