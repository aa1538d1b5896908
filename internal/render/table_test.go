package render

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core"
)

// TestTableWidth checks that a table is as wide as the terminal, and has its usual width
// if there is no terminal.
func TestTableWidth(t *testing.T) {
	long := strings.Repeat("x", 90)
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{
		{Name: "traces/cancel-everything-that-is-open.json", Data: []byte(`[{"name":"get_order","arguments":{"order_id":"` + long + `"}}]`)},
		{Name: "b.json", Data: []byte(`[{"name":"delete_order","arguments":{"order_id":"` + long + `"}}]`)}}})
	if err != nil {
		t.Fatal(err)
	}
	longest := func(width int) (n int, text string) {
		var b bytes.Buffer
		Table(&b, &report, TableOptions{Width: width})
		lines := strings.Split(b.String(), "\n")
		for _, l := range lines[:5] { // the list of runs
			n = max(n, utf8.RuneCountInString(l))
		}
		return n, b.String()
	}
	if n, text := longest(80); n > 80 || strings.Contains(text, "open.json") {
		t.Errorf("80 columns: %d\n%s", n, text)
	}
	if n, text := longest(220); n > 220 || !strings.Contains(text, "traces/cancel-everything-that-is-open.json") {
		t.Errorf("220 columns: %d\n%s", n, text)
	}
	if _, text := longest(0); !strings.Contains(text, "  traces/cancel…  ") {
		t.Errorf("no terminal:\n%s", text)
	}
	var none bytes.Buffer
	if w := TerminalWidth(&none); w != 0 {
		t.Errorf("a buffer is %d wide", w)
	}
}

// TestCallInOneLine checks that indented JSON is printed on one line.
func TestCallInOneLine(t *testing.T) {
	a := core.Action{Name: "cancel", Arguments: "{\n  \"id\": \"W 7\",\n\t\"n\": 1.50\n}"}
	if got := Call(&a); got != `cancel {"id":"W 7","n":1.50}` {
		t.Errorf("got %s", got)
	}
	a.Arguments = "{\n broken"
	if got := Call(&a); got != `cancel {\u{A} broken` {
		t.Errorf("what is not JSON: got %s", got)
	}
}

// TestPassHatKIsShort checks that 400 trials per task do not print 400 figures on one
// line.
func TestPassHatKIsShort(t *testing.T) {
	var all []core.PassHatK
	value := 0.5
	for k := range 400 {
		all = append(all, core.PassHatK{K: k + 1, Score: core.Score{Value: &value, Scored: true}})
	}
	if got := passHatK(all); !strings.HasSuffix(got, " 0.50 … 0.50 (k = 400)") || len(got) > 90 {
		t.Errorf("got %s", got)
	}
	if got := passHatK(all[:4]); got != " 0.50 0.50 0.50 0.50" {
		t.Errorf("got %s", got)
	}
}

// TestGitHub checks that a trace cannot inject a workflow command.
func TestGitHub(t *testing.T) {
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{
		{Name: "a,b:c.json", Data: []byte(`{"trajectories":[{"id":"x","actions":[{"name":"delete_order","arguments":{"id":"7\n::error::forged"}}]}]}`)},
		{Name: "b.json", Data: []byte("nonsense {")}}, Options: core.Options{Lines: true}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	GitHub(&b, &report, nil)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for _, l := range lines {
		if !strings.HasPrefix(l, "::warning file=a%2Cb%3Ac.json,line=1,title=") && !strings.HasPrefix(l, "::error file=b.json,title=file-not-read::") {
			t.Errorf("got %q", l)
		}
	}
	if len(lines) < 2 {
		t.Errorf("got %q", lines)
	}
}

// TestLintFoldsRepeats checks that findings with the same text are printed on one line
// with their number.
func TestLintFoldsRepeats(t *testing.T) {
	run := core.Trajectory{ID: "1", Observed: []core.Action{{Name: "python"}}, Verdict: "Probably not.", Flagged: true}
	for range 10 {
		run.Violations = append(run.Violations, core.Violation{Type: "over-action", Rule: "repeated-write", By: "lint", Reason: "python was done again", Confidence: 0.9})
	}
	run.Violations = append(run.Violations, core.Violation{Type: "over-action", Rule: "repeated-write", By: "lint", Reason: "rm was done again", Confidence: 0.9})
	var b bytes.Buffer
	Lint(&b, &core.Report{Trajectories: []core.Trajectory{run}}, TableOptions{})
	if got := b.String(); strings.Count(got, "python was done again") != 1 || !strings.Contains(got, "python was done again ×10 (") || !strings.Contains(got, "rm was done again (") {
		t.Errorf("got\n%s", got)
	}
}
