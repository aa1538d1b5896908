package reading_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
)

// TestExpectedCasesAreNotRun reads files with expected sides alone: each case is one that no agent has run, its
// reference is counted, a warning says so, and nothing is a run or whole.
func TestExpectedCasesAreNotRun(t *testing.T) {
	for _, text := range []string{
		"dataset: farm\ncases:\n  - id: a\n    prompt: Feed the calves.\n    expected_calls:\n      - name: weigh\n        arguments: {kg: 14}\n      - name: open_feeder\n        arguments: {pen: 2}\n  - id: b\n    prompt: Hello\n    expected_calls: []\n",
		`[{"id":"a","query":"Feed","expected_calls":[{"name":"weigh","arguments":{"kg":14}},{"name":"open_feeder","arguments":{"pen":2}}]},{"id":"b","query":"Hello","expected_calls":[]}]`,
	} {
		r, err := core.ReadRequest([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		f := reading.All("x", &r)[0]
		if f.Error != "" || f.Counts.NotRun != 2 || f.Counts.References != 2 || f.Counts.Steps != 2 || f.Counts.Runs != 0 || len(f.Runs) != 0 || f.Whole() || len(f.Warnings) != 1 || f.Warnings[0].Code != "expected-only" {
			t.Errorf("%+v", f)
		}
	}
	r, _ := core.ReadRequest([]byte("nothing at all"))
	if f := reading.All("x", &r)[0]; f.Error == "" || f.Counts.NotRun != 0 {
		t.Errorf("%+v", f)
	}
}
