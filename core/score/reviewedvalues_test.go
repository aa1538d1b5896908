package score

import (
	"fmt"
	"strings"
	"testing"
)

// TestReviewed checks the examples of reviews, each with its right value.
func TestReviewed(t *testing.T) {
	seen := map[string]int{}
	for _, r := range readAside(t, "reviewed", " | ", 4) {
		var run, ref []string
		for _, call := range strings.Split(r.cells[2], ";") {
			call, result, found := strings.Cut(call, " => ")
			if !found {
				result = "ok"
			}
			action := stepAction(t, call)
			run = append(run, strings.TrimSuffix(action[:strings.LastIndexByte(action, '}')], ",")+fmt.Sprintf(`,"result":%q}`, result))
		}
		for _, call := range strings.Split(r.cells[3], ";") {
			ref = append(ref, fmt.Sprintf("%q", call))
		}
		got := certaintyOf(t, "["+strings.Join(run, ",")+"]", "["+strings.Join(ref, ",")+"]", r.cells[1])
		if got == "note" {
			got = "clean"
		}
		seen[got]++
		if got != r.cells[0] {
			t.Errorf("%s: %s", got, r.text)
		}
	}
	t.Log(seen)
}
