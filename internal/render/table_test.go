package render

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
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
	if n, text := longest(80); n > 80 || !strings.Contains(text, "  traces/c…at-is-open.json:1  ") {
		t.Errorf("80 columns: %d\n%s", n, text)
	}
	if n, text := longest(220); n > 220 || !strings.Contains(text, "traces/cancel-everything-that-is-open.json") {
		t.Errorf("220 columns: %d\n%s", n, text)
	}
	if _, text := longest(0); !strings.Contains(text, "  trac…en.json:1  ") {
		t.Errorf("no terminal:\n%s", text)
	}
	var none bytes.Buffer
	if w := TerminalWidth(&none); w != 0 {
		t.Errorf("a buffer is %d wide", w)
	}
}

// TestPassHatKIsShort checks that 400 trials per task do not print 400 lines, and that
// the last k is among those that are printed.
func TestPassHatKIsShort(t *testing.T) {
	var c report.Corpus
	value := 0.5
	for k := range 400 {
		score := report.Score{Value: &value, Scored: true, Interval: &report.Interval{Low: 0.25, High: 0.75}}
		c.PassHatK = append(c.PassHatK, report.PassHatK{K: k + 1, Score: score, Any: score})
	}
	var b bytes.Buffer
	(&printer{w: &b}).printPasses(&c)
	got := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if last := got[len(got)-1]; len(got) != 9 || strings.Join(strings.Fields(last), " ") != "k = 400 0.500 [0.250, 0.750] 0.500 [0.250, 0.750]" {
		t.Errorf("%d lines, the last is %s", len(got), last)
	}
}

// TestLintFoldsRepeats checks that findings with the same text are printed on one line
// with their number.
func TestLintFoldsRepeats(t *testing.T) {
	run := report.Trajectory{ID: "1", Observed: []report.Action{{Name: "python"}}, Verdict: "Probably not.", Flagged: true}
	for range 10 {
		run.Violations = append(run.Violations, report.Violation{Type: "over-action", Rule: "repeated-write", By: "lint", Reason: "python was done again", Confidence: 0.9})
	}
	run.Violations = append(run.Violations, report.Violation{Type: "over-action", Rule: "repeated-write", By: "lint", Reason: "rm was done again", Confidence: 0.9})
	var b bytes.Buffer
	Lint(&b, &report.Report{Trajectories: []report.Trajectory{run}}, TableOptions{})
	if got := b.String(); strings.Count(got, "python was done again") != 1 || !strings.Contains(got, "python was done again ×10 (") || !strings.Contains(got, "rm was done again (") {
		t.Errorf("got\n%s", got)
	}
}

func TestTableSaysWhyARowIsExcused(t *testing.T) {
	r, err := core.ReadRequest([]byte(`{"trace":[{"name":"get_order","arguments":{"id":"A"}},{"name":"get_user"}],"reference":[{"name":"get_order","arguments":{"id":"A"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	scored, err := core.Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	Table(&out, &scored, TableOptions{})
	if !strings.Contains(out.String(), "extra, excused  ") {
		t.Errorf("%s", out.String())
	}
}
