package read

import (
	"fmt"
	"strings"
	"testing"
)

// TestBFCL checks the forms of the leaderboard's files: single turns, calls in Python's
// notation, a file of scores with its summary and expected calls, and a run that the
// harness lost.
func TestBFCL(t *testing.T) {
	doc, err := Decode([]byte(`{"accuracy": 0.5, "correct_count": 1, "total_count": 2}
{"id": "parallel_0", "result": [{"play": "{\"artist\": \"A\"}"}, {"play": "{\"artist\": \"B\"}"}], "input_token_count": 3, "latency": 1.2}
{"id": "parallel_1", "result": "[play(artist='A, [x]'), stop()]", "input_token_count": 3}
{"id": "simple_2", "result": "I cannot do that.", "input_token_count": 3}
{"id": "simple_3", "result": "Error during inference: 500", "traceback": "Traceback"}
{"id": "simple_4", "model_name": "m", "valid": false, "error": ["wrong"], "prompt": {"id": "simple_4", "question": [[{"role": "user", "content": "Play A."}]]}, "model_result_raw": [{"play": "{\"artist\": \"B\"}"}], "model_result_decoded": [{"play": {"artist": "B"}}], "possible_answer": [{"play": {"artist": ["A", "a"]}}]}
`))
	if err != nil || doc.Format != "bfcl" {
		t.Fatal(doc.Format, err)
	}
	var got []string
	for i := range doc.Trajectories {
		r := &doc.Trajectories[i]
		line := r.Task
		for _, a := range r.Actions {
			line += fmt.Sprintf(" %s%s%s", a.Name, a.Arguments.Raw(), a.Requestor)
		}
		if r.Reference != nil {
			line += fmt.Sprintf(" gold %s%s, success %v", r.Reference.Steps[0].Name, r.Reference.Steps[0].Arguments.Raw(), *r.Success)
		}
		got = append(got, line)
	}
	want := `parallel_0 play{"artist": "A"} play{"artist": "B"}
parallel_1 play{"artist":"A, [x]"} stop{}
simple_2
simple_3
simple_4 play{"artist": "B"} gold play{"artist":"A"}, success false`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("read\n%s\nwant\n%s", s, want)
	}
	if s := warningCodes(doc); s != "" {
		t.Errorf("warnings %q", s)
	}
}
