package export

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestRecordedFailureIsNoSuccess checks that a run that failed according to its trace is a
// failure in JUnit and is listed in Markdown, with and without a reference. The same run
// without an outcome is neither.
func TestRecordedFailureIsNoSuccess(t *testing.T) {
	const actions = `"actions":[{"name":"pay","arguments":{"id":1},"observation":"Error: declined"},{"name":"pay","arguments":{"id":1}}]`
	for _, reference := range []string{"", `,"reference":[{"name":"pay","arguments":{"id":1}}]`} {
		for _, outcome := range []string{`"success":false,`, ""} {
			junit, markdown, _ := exportText(t, `{"trace":{"trajectories":[{`+outcome+actions+`}]}`+reference+"}")
			failed, want := strings.Contains(junit, `type="recorded-failure"`), outcome != ""
			if failed != want || strings.Contains(junit, `failures="1"`) != want || strings.Contains(junit, "the last error is of step 1") != want {
				t.Errorf("%q %q: %s", reference, outcome, junit)
			}
			if strings.Contains(markdown, "Recorded as failed; no cause found") != want {
				t.Errorf("%q %q: %s", reference, outcome, markdown)
			}
		}
	}
}

// TestHintIsNoViolation checks that a run with nothing but hints is no failure in JUnit,
// that Markdown calls its findings hints, and that CSV counts no violation.
func TestHintIsNoViolation(t *testing.T) {
	junit, markdown, sheet := exportText(t, `{"trajectories":[{"actions":[{"name":"cancel","arguments":{"id":"A-7"}}]}]}`)
	if !strings.Contains(sheet, ",0,0,0,0,0,0,0,") {
		t.Error(sheet)
	}
	if strings.Contains(junit, "<failure") || !strings.Contains(junit, "hint: ") {
		t.Error(junit)
	}
	if !strings.Contains(markdown, "0 violations in 0 flagged runs; ") || !strings.Contains(markdown, "| hint |") {
		t.Error(markdown)
	}
}

func exportText(t *testing.T, text string) (junit, markdown, sheet string) {
	t.Helper()
	request, err := core.ReadRequest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil || report.Trajectories[0].Flagged {
		t.Fatalf("%v %+v", err, report.Trajectories)
	}
	var j, m, c bytes.Buffer
	writeJUnit(&j, &report, []string{"a.json"})
	writeMarkdown(&m, &report)
	writeCSV(&c, &report, []string{"a.json"})
	if err := xml.Unmarshal(j.Bytes(), new(struct{})); err != nil {
		t.Fatal(err)
	}
	return j.String(), m.String(), c.String()
}
