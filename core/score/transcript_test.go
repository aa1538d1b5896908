package score

import (
	"strings"
	"testing"
)

const talk = `[
	{"role":"system","content":"Confirm first."},
	{"role":"user","content":"Cancel W7."},
	{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"a","type":"function","function":{"name":"get_order","arguments":"{\"id\": \"W7\"}"}}]},
	{"role":"tool","tool_call_id":"a","content":"{\"status\":\"shipped\"}"},
	{"role":"assistant","content":"It has left already."}]`

func TestTranscribe(t *testing.T) {
	r, err := ReadRequest([]byte(talk))
	if err != nil {
		t.Fatal(err)
	}
	run, err := Transcribe(r, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Turns) != 5 || run.Turns[1].Text != "Cancel W7." || len(run.Turns[2].Steps) != 1 || !run.Turns[3].Answers || run.Turns[4].Answers {
		t.Errorf("turns: %+v", run.Turns)
	}
	if len(run.Steps) != 1 || run.Steps[0].Name != "get_order" || run.Steps[0].Text != `{"id": "W7"}` || run.Steps[0].Answer == nil || *run.Steps[0].Answer != `{"status":"shipped"}` {
		t.Errorf("steps: %+v", run.Steps)
	}
	if _, err := Transcribe(r, "other"); err == nil || !strings.Contains(err.Error(), `unknown run "other": none of the 1 runs in the trace has this id`) {
		t.Errorf("%v", err)
	}
}

// TestTranscriptNumbers checks that each step of a transcript has the same number as the
// action in the report.
func TestTranscriptNumbers(t *testing.T) {
	for _, body := range []string{talk, `{"trajectories":[{"id":"x","actions":[{"name":"a"},{"name":"b","arguments":{"n":1}}]}]}`} {
		r, _ := ReadRequest([]byte(body))
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, scored := range report.Trajectories {
			run, err := Transcribe(r, scored.ID)
			if err != nil || len(run.Steps) != len(scored.Observed) {
				t.Fatalf("%v: %d steps, %d scored", err, len(run.Steps), len(scored.Observed))
			}
			for i, a := range scored.Observed {
				if run.Steps[i].Name != a.Name {
					t.Errorf("step %d is %s, scored as %s", i, run.Steps[i].Name, a.Name)
				}
			}
		}
	}
}

func TestSeveralTraces(t *testing.T) {
	r, err := ReadRequest([]byte(`{"traces":[{"name":"a.json","trace":[{"name":"get_a"}]},{"name":"b.json","trace":"[{\"name\":\"get_b\"}]"},{"name":"c","trace":"no trace"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(r)
	if err != nil || len(report.Trajectories) != 2 || len(report.Input.Files) != 3 || report.Input.Files[2].Error == "" {
		t.Fatalf("%v %+v", err, report.Input)
	}
	if run, err := Transcribe(r, report.Trajectories[1].ID); err != nil || run.Steps[0].Name != "get_b" {
		t.Errorf("%v %+v", err, run)
	}
	for body, want := range map[string]string{
		`{"trace":[],"traces":[{"name":"a","trace":[]}]}`: `the request has both "trace" and "traces"`,
		`{"trace":[],"traces":[]}`:                        `want a list of objects with "name" and "trace"`,
	} {
		if _, err := ReadRequest([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestOwnReferenceNotUsed(t *testing.T) {
	body := `{"trajectories":[{"id":"x","actions":[{"name":"get_a"}],"reference":[{"name":"get_a"}]}]}`
	for reference, want := range map[string]int{"": 0, `,"reference":"get_b()"`: 1} {
		r, err := ReadRequest([]byte(`{"trace":` + body + reference + `}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, w := range report.Warnings {
			if w.Code == "own-reference-not-used" {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %+v", reference, report.Warnings)
		}
	}
}
