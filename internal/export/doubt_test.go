package export

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// plainText returns a text without the marks of its format, so that a sentence can be found.
func plainText(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&apos;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&", `""`, `"`, `\"`, `"`, "\\", "", "%25", "%", "%0A", " ", "\\n", " ").Replace(s)), " ")
}

// TestNoFormatShowsLessDoubt writes each run of testdata/doors/passed.json that is not known to be
// good, alone and between two good runs, in each format. Each shows the verdict, or the finding.
func TestNoFormatShowsLessDoubt(t *testing.T) {
	data, err := os.ReadFile("../../testdata/doors/passed.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Case             string
		Trace, Reference json.RawMessage
		Passed           *bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, c := range cases {
		trace := []byte(c.Trace)
		if text := ""; json.Unmarshal(trace, &text) == nil {
			trace = []byte(text)
		}
		r := core.Request{Inputs: []core.Source{{Name: "a.json", Data: trace}}}
		if c.Reference != nil {
			one, byTask, err := core.References(c.Reference)
			if err != nil {
				t.Fatal(err)
			}
			r.Reference, r.References = one, byTask
		}
		report, err := core.Evaluate(r)
		if err != nil || len(report.Trajectories) != 1 {
			t.Fatal(c.Case, err)
		}
		if c.Passed != nil && *c.Passed {
			continue
		}
		run := report.Trajectories[0]
		want := run.Verdict
		if run.Flagged {
			want = words.Finding(&run, 0)
		}
		if want == "" {
			t.Fatalf("%s: there is no verdict", c.Case)
		}
		good := run
		good.ID, good.Verdict, good.Flagged, good.Doubt, good.Success, good.Violations, good.Recorded, good.Story = "good", "", false, "", nil, nil, nil, nil
		good.Passed = new(bool)
		*good.Passed = true
		for _, format := range Formats() {
			for _, runs := range [][]core.Trajectory{{run}, {good, run, good}} {
				report.Trajectories = runs
				var out bytes.Buffer
				Write(&out, format, &report, []string{"a.json"}, func() string { return "<html><!--report--></html>" })
				if format == "html" {
					continue // it holds the report, which the page's tests show
				}
				shown := plainText(out.String())
				if run.Flagged && strings.Contains(shown, plainText(run.Violations[0].Reason)) {
					continue // in other words than the story's
				}
				if tried++; !strings.Contains(shown, plainText(strings.TrimSuffix(want, "."))) {
					t.Errorf("%s, %s of %d runs does not show %q:\n%s", c.Case, format, len(runs), want, out.String()[:min(1500, out.Len())])
				}
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d outputs", tried)
	}
}
