package score

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestPapersExamples checks every example that the two papers describe in words. Each
// example has several wordings from different domains. The description of a run states
// the expected findings and failure modes, and "*" stands for at least one finding.
func TestPapersExamples(t *testing.T) {
	data, err := os.ReadFile("../../testdata/cases/papers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]int{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		var head struct{ Title, Description string }
		if err := json.Unmarshal([]byte(line), &head); err != nil {
			t.Fatal(err)
		}
		want, modes, _ := strings.Cut(strings.TrimPrefix(head.Description, "want "), "; mode ")
		found, mode, run := evaluateRun(t, line)
		if found == "" {
			found, mode = "nothing", "none"
		}
		if want == "*" && found != "nothing" {
			want = found
		}
		if modes == "*" {
			modes = mode
		}
		if found != want || mode != modes {
			t.Errorf("%s: %s; %s, want %s; %s (%+v)", head.Title, found, mode, want, modes, run.Violations)
		}
		section, _, _ := strings.Cut(head.Title, ":")
		sections[section]++
	}
	for section, n := range sections {
		if n < 3 && section != "ABB table 13 planning error" {
			t.Errorf("%s has only %d wordings", section, n)
		}
	}
	if len(sections) < 20 {
		t.Errorf("only %d sections", len(sections))
	}
}
