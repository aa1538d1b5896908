package read

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestOnlyExpectedIsNeverARun checks that a text with only expected sides is refused, and
// that the error says how to use it. A text with more is not called so.
func TestOnlyExpectedIsNeverARun(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[{"query":"Cancel A","expected_tool_use":[{"tool_name":"cancel","tool_input":{"id":"A"}}],"reference":"Done."}]`, ""},
		{`[{"name":"a","data":[{"query":"x","expected_tool_use":[]}]},{"name":"b","data":[{"query":"x","expected_tool_use":[]}]}]`, ""},
		{`{"query":"x","expected_tool_use":[{"tool_name":"cancel","tool_input":{}}]}`, "1: cancel{}"},
		{`[{"id":"a","input":"x","expected_tools":[{"name":"cancel","input_parameters":{"n":1}}]},{"id":"b","input":"y","expected_tools":["drop"]}]`, `a: cancel{"n":1} | b: drop`},
		{`{"id":"a","inputs":{"question":"x"},"expectations":{"expected_tool_calls":[{"name":"cancel","arguments":{}}]}}` + "\n" + `{"inputs":{"id":"b"},"expectations":{"expected_tool_calls":[{"name":"drop","arguments":{}}]}}`, `a: cancel{} | b: drop{}`},
		{`{"item":{"id":"a","question":"x","expected_tool_calls":[{"type":"function","function":{"name":"cancel","arguments":"{}"}}]}}`, `a: cancel{}`},
		{`{"id":"a","inputs":{"question":"x"},"outputs":{"response":"Done.","trajectory":["find","cancel"]},"metadata":{"dataset_split":["base"]}}` + "\n" + `{"id":"b","inputs":{"question":"x"},"outputs":{"trajectory":["drop"]},"metadata":{"dataset_split":["base"]}}`, `a: find cancel | b: drop`},
	} {
		_, err := Decode([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), "--reference FILE") {
			t.Errorf("%s: %v", c.text, err)
		}
		var got []string
		for i, e := range Expectations([]byte(c.text)) {
			id := e.ID
			if id == "" {
				id = fmt.Sprint(i + 1)
			}
			var steps []string
			for _, s := range e.Reference.Steps {
				steps = append(steps, s.Name+s.Arguments.Raw())
			}
			got = append(got, id+": "+strings.Join(steps, " "))
		}
		if c.want != "" && strings.Join(got, " | ") != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
		if n := len(Expectations(made.TarGz(map[string][]byte{"e.jsonl": []byte(c.text)}, []string{"e.jsonl"}))); n != len(got) {
			t.Errorf("%s in an archive: %d expected sides, want %d", c.text, n, len(got))
		}
	}
	for _, text := range []string{`[{"input":"x","expected":"yes"}]`, `[{"input":"x","expected_tools":["cancel"],"actual_output":{"unknown":1}}]`, `{"hello":1}`} {
		var e *trajectory.Error
		if _, err := Decode([]byte(text)); !errors.As(err, &e) || strings.Contains(e.Msg, "--reference") || len(e.Formats) == 0 {
			t.Errorf("%s: %v", text, err)
		}
	}
}
