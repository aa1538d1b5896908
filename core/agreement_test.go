package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestNoAgreement checks which runs get the finding no-agreement, and when this finding
// is only a hint. The finding means that no other run of the task made the same changes.
func TestNoAgreement(t *testing.T) {
	call := func(id string) string {
		return fmt.Sprintf(`{"name":"cancel_order","arguments":{"order_id":%q},"observation":"{\"status\":\"cancelled\"}"}`, id)
	}
	run := func(task, policy string, actions ...string) string {
		messages := fmt.Sprintf(`{"role":"system","content":%q},{"role":"user","content":"Please cancel my orders #W1001, #W1002 and #W1003."}`, policy)
		for i, a := range actions {
			name, rest, _ := strings.Cut(strings.TrimPrefix(a, `{"name":`), `,"arguments":`)
			arguments, result, _ := strings.Cut(rest, `,"observation":`)
			messages += fmt.Sprintf(`,{"role":"assistant","tool_calls":[{"id":"c%d","function":{"name":%s,"arguments":%s}}]},{"role":"tool","tool_call_id":"c%d","content":%s}`,
				i, name, arguments, i, strings.TrimSuffix(result, "}"))
		}
		return fmt.Sprintf(`{"task_id":%q,"messages":[%s]}`, task, messages)
	}
	a, b, c := call("#W1001"), call("#W1002"), call("#W1003")
	priced := `{"name":"book_flight","arguments":{"flight":{"id":"HAT110","price":105}},"observation":"ok"}`
	bare := `{"name":"book_flight","arguments":{"flight":{"id":"HAT110"}},"observation":"ok"}`
	look := `{"name":"get_flight","arguments":{"id":"HAT110"},"observation":"{\"id\":\"HAT110\",\"price\":105}"}`
	edit := func(text string) string {
		return fmt.Sprintf(`{"name":"str_replace_editor","arguments":{"command":"create","path":"/repo/a.py","file_text":%q},"observation":"File created"}`, text)
	}
	for _, x := range []struct {
		what  string
		files [][]string
		want  string // of each run: - for none, h for a hint, f for a flag
	}{
		{"one of three", [][]string{{run("t", "p", a), run("t", "p", a), run("t", "p", b)}}, "--f"},
		{"only two runs", [][]string{{run("t", "p", a), run("t", "p", b)}}, "--"},
		{"nothing changed", [][]string{{run("t", "p", a), run("t", "p", a), run("t", "p", look)}}, "---"},
		{"most changed nothing", [][]string{{run("t", "p", look), run("t", "p", look), run("t", "p", b)}}, "---"},
		{"the order does not matter", [][]string{{run("t", "p", a, b), run("t", "p", b, a), run("t", "p", c)}}, "--f"},
		{"other tasks", [][]string{{run("t", "p", a), run("t", "p", a), run("u", "p", b)}}, "---"},
		{"changes are seldom equal", [][]string{{run("t", "p", a), run("t", "p", b), run("t", "p", c)}}, "hhh"},
		{"a repeated price", [][]string{{run("t", "p", look, priced), run("t", "p", look, bare), run("t", "p", look, bare)}}, "---"},
		{"work on files", [][]string{{run("t", "p", edit("x = 1")), run("t", "p", edit("x = 1")), run("t", "p", edit("x = 2"))}}, "---"},
		{"files with the same instructions", [][]string{{run("t", "p", a)}, {run("t", "p", a)}, {run("t", "p", b)}}, "--f"},
		{"files with other instructions", [][]string{{run("t", "p", a)}, {run("t", "q", a)}, {run("t", "r", b)}}, "---"},
		{"files without instructions", [][]string{{run("t", "", a)}, {run("t", "", a)}, {run("t", "", b)}}, "---"},
	} {
		var sources []core.Source
		for i, f := range x.files {
			sources = append(sources, core.Source{Name: fmt.Sprintf("f%d", i), Data: []byte(strings.Join(f, "\n"))})
		}
		r, err := core.Evaluate(core.Request{Inputs: sources, Options: core.Options{Unreferenced: true}})
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		got := ""
		for i := range r.Trajectories {
			mark := "-"
			for _, v := range r.Trajectories[i].Violations {
				if v.Rule == "no-agreement" {
					mark = map[bool]string{true: "h", false: "f"}[v.Hint]
				}
			}
			got += mark
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.what, got, x.want)
		}
	}
}
