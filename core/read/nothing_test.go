package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNothingExpected tries to break the law about empty expected sides: in a text where another record has calls
// there, an empty list is a reference without steps, and in a text where all are empty, no run has a reference.
func TestNothingExpected(t *testing.T) {
	random := rand.New(rand.NewSource(41))
	call := func() map[string]any {
		return map[string]any{"name": []string{"pay_bill", "send_mail"}[random.Intn(2)], "arguments": map[string]any{"n": random.Intn(9)}}
	}
	list := func(n int) []any {
		out := []any{}
		for range n {
			out = append(out, call())
		}
		return out
	}
	sides := []string{"expected", "ground_truth", "expected_calls", "gold", "reference_tool_calls"}
	for range drawn.Cases(200) {
		side, nested, asText := sides[random.Intn(len(sides))], random.Intn(2) == 0, random.Intn(3) == 0
		var text string
		var want []int
		filled := false
		for i := range 2 + random.Intn(5) {
			n := random.Intn(3)
			row := map[string]any{"id": fmt.Sprint("case-", i), "tool_calls": list(1 + random.Intn(2)), "output": "Done."}
			var expected any = list(n)
			if asText { // as tables have it
				cell, _ := json.Marshal(expected)
				expected = string(cell)
			}
			if nested {
				row["metadata"] = map[string]any{side: expected}
			} else {
				row[side] = expected
			}
			line, _ := json.Marshal(row)
			if random.Intn(2) == 0 {
				line = bytes.ReplaceAll(line, []byte("[]"), []byte("[ ]"))
			}
			text += string(line) + "\n"
			want, filled = append(want, n), filled || n > 0
		}
		file, err := Options{}.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(file.Trajectories) != len(want) {
			t.Fatalf("%d runs, want %d\n%s", len(file.Trajectories), len(want), text)
		}
		for i := range want {
			ref := file.Trajectories[i].Reference
			switch {
			case filled && (ref == nil || len(ref.Steps) != want[i]):
				t.Fatalf("run %d: %+v, want %d steps\n%s", i, ref, want[i], text)
			case !filled && ref != nil && side != "expected_calls" && side != "reference_tool_calls": // which can hold nothing but calls
				t.Fatalf("run %d: %+v, want none\n%s", i, ref, text)
			}
		}
		for _, w := range file.Warnings {
			if filled && w.Code == "expected-not-used" {
				t.Fatalf("%s\n%s", w.Message, text)
			}
		}
	}
}

// TestEmptyRunKeepsItsRecord checks that a record without a call keeps its outcome and its expected side, if the
// runs of its text are read one by one.
func TestEmptyRunKeepsItsRecord(t *testing.T) {
	text := `{"cases":[{"id":"a","toolsCalled":[{"name":"x","inputParameters":{"n":1}}],"expectedTools":[{"name":"x","inputParameters":{"n":1}}],"success":true},` +
		`{"id":"b","toolsCalled":[],"expectedTools":[],"success":true},{"id":"c","toolsCalled":[],"expectedTools":[{"name":"y"}],"success":false}],"conversations":[],"passed":2,"failed":1}`
	file, err := Options{}.Decode([]byte(text))
	if err != nil || len(file.Trajectories) != 3 {
		t.Fatalf("%v: %d runs", err, len(file.Trajectories))
	}
	for i, want := range []struct {
		steps   int
		success bool
	}{{1, true}, {0, true}, {1, false}} {
		run := &file.Trajectories[i]
		if run.Reference == nil || len(run.Reference.Steps) != want.steps || run.Success == nil || *run.Success != want.success {
			t.Errorf("run %d: reference %+v, success %v", i, run.Reference, run.Success)
		}
	}
}
