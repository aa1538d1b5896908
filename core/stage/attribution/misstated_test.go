package attribution

import (
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

func TestFigures(t *testing.T) {
	for text, want := range map[string]string{
		"There are 11 options.":                     "11",
		"It costs $1,095.55, or **20** in points":   "1095.55 20",
		`{"price":240.5,"id":"A-17","n":3}`:         "240.5 3",
		"on 2024-05-20 at 10:30, order #W11, v1.2.": "",
		"HAT084, 12th, 3/4, 7-day, file_9":          "",
		"(5) 6! 7; 8: 9":                            "5 6 7 8 9",
		"1.2.3 and 1,5":                             "15",
		"":                                          "",
	} {
		if got := strings.Join(findFigures(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestMisstated checks runs whose actions are correct, but whose agent tells the user a
// figure that appears nowhere in what it had seen.
func TestMisstated(t *testing.T) {
	said := func(want, told, known string, others ...violation.Finding) string {
		c := parseSteps("get_list")
		c.Said, c.Known = []string{"Hello.", told}, func(int) string { return known }
		f := violation.Finding{Type: violation.UnderAction, Rule: violation.OutputNotSaid, Row: -1, Obs: -1, Ref: -1, Confidence: 0.9, Reason: "not told",
			Evidence: []violation.Evidence{{Path: "said", Reference: want}}}
		r, ok := Attribute(c, append([]violation.Finding{f}, others...))
		if !ok {
			t.Fatal("nothing attributed")
		}
		if r.Primary.Mode == Reasoning && !slices.Contains(strings.Split("There are 11 options.|In all 1,250.00 EUR.", "|"), r.Primary.Evidence) {
			t.Errorf("evidence %q", r.Primary.Evidence)
		}
		return joinModes(r)
	}
	const reasoning = "reasoning-error boundary-violation"
	for _, c := range []struct{ want, told, known, modes string }{
		{"10", "There are 11 options. Which one?", `[1,2,3] costs 53.27`, reasoning},
		{"1,050.00", "In all 1,250.00 EUR.", "625.00 and 425.00", reasoning},
		{"10", "There are 11 options.", "the list has 11 entries", "boundary-violation"}, // the agent was given the figure
		{"10", "There are many options.", "", "boundary-violation"},
		{"10", "There are 111 options, 4.5 on average.", "", "boundary-violation"}, // figures of another form are other figures
		{"ten", "There are 11 options.", "", "boundary-violation"},
	} {
		if got := said(c.want, c.told, c.known); got != c.modes {
			t.Errorf("%+v: %s", c, got)
		}
	}
	c := parseSteps("get_list +cancel")
	if got := said("10", "There are 11 options.", "", findingAtRow(c, 0)); strings.Contains(got, string(Reasoning)) {
		t.Errorf("a wrong figure after a wrong action: %s", got)
	}
	silent := boundary.Case{Said: []string{"There are 11 options."}}
	if _, ok := (&attributor{Case: &silent, acted: true}).findMisstatement(&violation.Finding{Rule: violation.OutputNotSaid, Evidence: []violation.Evidence{{Reference: "10"}}}); ok {
		t.Error("a trace without a conversation")
	}
}
