package reference

import (
	"strings"
	"testing"
)

// TestOldEvalSets reads the old eval sets of the ADK: a list of turns is one reference, and
// a list of sessions has one for each name.
func TestOldEvalSets(t *testing.T) {
	const turns = `[{"query":"Cancel A","expected_tool_use":[{"tool_name":"find","tool_input":{}},{"tool_name":"cancel","tool_input":{"id":"A"},"mock_tool_output":"done"}],"reference":"Done."},{"query":"Why?","reference":"x"},{"query":"And B","expected_tool_use":[{"toolName":"drop","toolInput":{"id":"B"}}]}]`
	const want = "find {}\ncancel {\"id\":\"A\"}\ndrop {\"id\":\"B\"}\n"
	for _, text := range []string{turns, `{"data":` + turns + `}`} {
		one, byTask, err := ReadSet(text)
		if err != nil || byTask != nil || showSteps(one) != want {
			t.Errorf("%s: %v, %v, %v", text, one, byTask, err)
		}
	}
	for _, text := range []string{`[{"name":"a","data":` + turns + `,"initial_session":{}},{"name":"b","data":[{"query":"x","expected_tool_use":[]}]}]`, `{"name":"a","data":` + turns + `}`} {
		one, byTask, err := ReadSet(text)
		if err != nil || one != nil || showSteps(byTask["a"]) != want || len(byTask["a"].Says) > 0 {
			t.Fatalf("%s: %v, %v, %v", text, one, byTask, err)
		}
		if b := byTask["b"]; text[0] == '[' && (b == nil || b.Steps == nil || len(b.Steps) > 0) {
			t.Errorf("the session that expects nothing is %+v", b)
		}
	}
	for text, want := range map[string]string{
		`[{"query":"x","expected_tool_use":[{"tool_input":{}}]}]`:                           `turn 1 > tool use 1: missing "tool_name"`,
		`[{"query":"x","expected_tool_use":[{"tool_name":"a","tool_input":3}]}]`:            `turn 1 > tool use 1: `,
		`[{"name":"a","data":` + turns + `},{"data":` + turns + `}]`:                        `missing "id"`,
		`[{"name":"a","data":` + turns + `},{"name":"a","data":` + turns + `}]`:             `the id "a" appears twice`,
		`[{"name":"a","data":` + turns + `},{"name":"b","data":[{"query":"only a text"}]}]`: `task 2`,
	} {
		if _, _, err := ReadSet(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
