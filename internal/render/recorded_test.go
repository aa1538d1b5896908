package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
)

// evaluateText scores a request.
func evaluateText(t *testing.T, text string) *report.Report {
	t.Helper()
	request, err := core.ReadRequest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	return &report
}

// TestRecordedFailureIsNotGreen checks that no table shows a run that failed according to
// its trace in green, and that each says what the trace tells.
func TestRecordedFailureIsNotGreen(t *testing.T) {
	const run = `{"success":false,"actions":[{"name":"get_order","arguments":{"id":1}},{"name":"pay","arguments":{"id":1},"observation":{"text":"Error: declined","error":true}},{"name":"pay","arguments":{"id":1}}]}`
	const reference = `,"reference":[{"name":"get_order","arguments":{"id":1}},{"name":"pay","arguments":{"id":1}}]}`
	one := `{"trace":{"trajectories":[` + run + `]}`
	two := `{"trace":{"trajectories":[` + run + `,` + run + `]}`
	for name, text := range map[string]string{"no reference": one + "}", "reference": one + reference, "two runs": two + reference} {
		report := evaluateText(t, text)
		if report.Trajectories[0].Flagged {
			t.Fatalf("%s: %+v", name, report.Trajectories[0].Violations)
		}
		for kind, print := range map[string]func(*bytes.Buffer){
			"table": func(b *bytes.Buffer) { Table(b, report, TableOptions{Color: true}) },
			"lint":  func(b *bytes.Buffer) { Lint(b, report, TableOptions{Color: true}) },
		} {
			var b bytes.Buffer
			print(&b)
			out := b.String()
			for line := range strings.Lines(out) {
				if strings.Contains(line, "\x1b["+green+"m") && !strings.Contains(line, "kept") || strings.Contains(line, "kept their boundaries") || strings.Contains(line, "No boundary broke") {
					t.Errorf("%s, %s: %q", name, kind, line)
				}
			}
			if !strings.Contains(out, "Recorded as failed; no cause") {
				t.Errorf("%s, %s has no verdict:\n%s", name, kind, out)
			}
			if many := name == "two runs" && kind == "table"; !many && !strings.Contains(out, "the last error is of step 2, pay") {
				t.Errorf("%s, %s does not tell the last error:\n%s", name, kind, out)
			}
		}
	}
}

// TestScoreSpeaksAsLint checks that score prints the verdict and the findings of a run
// without a reference exactly as lint does.
func TestScoreSpeaksAsLint(t *testing.T) {
	for _, actions := range []string{
		`{"name":"get_order","arguments":{"id":1}}`,
		`{"name":"get_order","arguments":{"id":1}},{"name":"refund","arguments":{"id":1,"amount":12.5},"observation":{"text":"Error: no payment","error":true}}`,
		`{"name":"delete_order","arguments":{"id":1}},{"name":"delete_order","arguments":{"id":1}}`,
	} {
		report := evaluateText(t, `{"trajectories":[{"actions":[`+actions+`]}]}`)
		var score, lint, findings bytes.Buffer
		Table(&score, report, TableOptions{})
		Lint(&lint, report, TableOptions{})
		p := printer{w: &findings}
		p.printLintFindings(&report.Trajectories[0])
		if !strings.Contains(score.String(), findings.String()) || !strings.Contains(lint.String(), findings.String()) || findings.Len() == 0 {
			t.Errorf("score:\n%s\nlint:\n%s", &score, &lint)
		}
	}
}
