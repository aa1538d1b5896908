package read

import (
	"fmt"
	"testing"
)

// TestOutcome checks that a run's submission and the benchmark's own results are read. An
// empty submission is not the same as a missing submission.
func TestOutcome(t *testing.T) {
	const turn = `"trajectory":[{"action":"ls","observation":"x"}]`
	for source, want := range map[string]string{
		`{` + turn + `}`: "not said []",
		`{` + turn + `,"info":{"submission":null}}`:        `"" []`,
		`{` + turn + `,"submission":"diff"}`:               `"diff" []`,
		`{` + turn + `,"info":{"submission":"a diff"}}`:    `"a diff" []`,
		`{` + turn + `,"test_result":{"git_patch":"gd"}}`:  `"gd" []`,
		`{` + turn + `,"submission":"d","model_patch":""}`: `"d" []`,
		`{` + turn + `,"report":{"tests_status":{"FAIL_TO_PASS":{"success":["a"],"failure":["b"]},"PASS_TO_PASS":{"success":["c"]}}}}`:                                                                                        "not said [{FAIL_TO_PASS a 1 1} {FAIL_TO_PASS b 0 1} {PASS_TO_PASS c 1 1}]",
		`{"task":"t","score":{"checkpoints":[{"total":2,"result":1},{"total":1,"result":true},{"total":3,"result":false},{"total":1},{"total":1e999,"result":1}]},"events":[{"kind":"run","message":"Running command: ls"}]}`: "not said [{checkpoint 1 1 2} {checkpoint 2 1 1} {checkpoint 3 0 3}]",
	} {
		doc, err := Decode([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		r := doc.Trajectories[0]
		got := "not said"
		if r.Submission != nil {
			got = fmt.Sprintf("%q", *r.Submission)
		}
		if got += " " + fmt.Sprint(r.Assertions); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
