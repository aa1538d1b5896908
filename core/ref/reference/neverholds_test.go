package reference

import (
	"strings"
	"testing"
)

// TestNeverHolds checks that a reference whose matchers no value can fit, and one whose step the list
// of tools does not allow, is an error that says so.
func TestNeverHolds(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"pay","expect":{"v":{"min":5,"max":1}}}]`:                        "no number is at least 5 and at most 1",
		`[{"name":"pay","expect":{"v":{"within":1}}}]`:                             "within needs a number to measure from",
		`[{"name":"pay","arguments":{"v":"x"},"expect":{"v":{"within":1}}}]`:       "within needs a number to measure from",
		`{"steps":[{"name":"pay"}],"only":["refund"]}`:                             `"only" does not allow pay`,
		`[{"name":"pay","expect":{"v":{"min":5,"max":5}}}]`:                        "",
		`[{"name":"pay","arguments":{"v":5},"expect":{"v":{"within":1}}}]`:         "",
		`[{"name":"pay","expect":{"v":{"within":1,"equals":5}}}]`:                  "",
		`{"steps":[{"name":"pay"},{"name":"drop","mustNot":true}],"only":["pay"]}`: "",
	} {
		_, err := Read(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
