package score

import (
	"strings"
	"testing"
)

// TestTalkIsNeverFine checks that conversations between agents never get a good verdict,
// because the lint cannot check what the agents say.
func TestTalkIsNeverFine(t *testing.T) {
	check := func(messages, verdict string, suspects int) {
		t.Helper()
		r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(messages)}}, Options: Options{Unreferenced: true}})
		if err != nil {
			t.Fatal(err)
		}
		run := &r.Trajectories[0]
		if !strings.HasPrefix(run.Verdict, verdict) || len(run.Suspects) != suspects || run.Flagged {
			t.Errorf("%q, %d suspects; want %q, %d", run.Verdict, len(run.Suspects), verdict, suspects)
		}
	}
	const words = `{"role":"user","content":"count"},{"role":"assistant","name":"A","content":"I count."},{"role":"user","name":"B","content":"Seven."}`
	const code = `{"role":"user","name":"B","content":"` + "```python\\nprint(7)\\n```" + `"},{"role":"user","name":"Terminal","content":"exitcode: 0 (execution succeeded)\nCode output: 7"}`
	check(`[`+words+`]`, "Cannot tell: no action could be read from this run.", 2)
	check(`[`+words+`,`+code+`]`, "Cannot tell: the agents only talk", 3)
	check(`{"history":[`+code+`],"mistake_step":"0"}`, "Cannot tell: the agents only talk", 1)
}
