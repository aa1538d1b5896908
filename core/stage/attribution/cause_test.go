package attribution

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// parseSteps returns a case with the alignment that words describes. Each word is one
// row:
//
//   - "name" is a match, and "~name" is a substitution;
//   - "+name" is an extra action, and "-name" is a missing step;
//   - a name that begins with "get" means an action that only reads;
//   - a name that ends with "!" means an action that failed.
func parseSteps(words string) *boundary.Case {
	c := &boundary.Case{}
	for _, w := range strings.Fields(words) {
		s := align.Step{Op: align.Match, Obs: len(c.Obs), Ref: len(c.Ref)}
		name := strings.TrimLeft(w, "+-~")
		a := boundary.Action{Failed: strings.HasSuffix(name, "!"), Call: similarity.Call{Name: strings.TrimSuffix(name, "!"), Key: strings.TrimSuffix(name, "!")}}
		if strings.HasPrefix(name, "get") {
			a.Mutation = mutation.Verdict{Mutating: mutation.No}
		}
		switch w[0] {
		case '+':
			s.Op, s.Ref = align.Insertion, -1
		case '-':
			s.Op, s.Obs = align.Deletion, -1
		case '~':
			s.Op = align.Substitution
		}
		if s.Obs >= 0 {
			c.Obs = append(c.Obs, a)
		}
		if s.Ref >= 0 {
			c.Ref = append(c.Ref, a)
		}
		c.Steps = append(c.Steps, s)
	}
	return c
}

// findingAtRow returns a finding about a row.
func findingAtRow(c *boundary.Case, row int) violation.Finding {
	f := violation.Finding{Type: violation.OverAction, Row: row, Obs: -1, Ref: -1, Confidence: 0.5, Reason: "because"}
	if row >= 0 {
		f.Obs, f.Ref = c.Steps[row].Obs, c.Steps[row].Ref
	}
	return f
}

func joinModes(r Result) string {
	out := []string{string(r.Primary.Mode)}
	for _, f := range r.Factors {
		out = append(out, string(f.Mode))
	}
	return strings.Join(out, " ")
}

func TestNothingFoundIsNothingAttributed(t *testing.T) {
	if r, ok := Attribute(parseSteps("a +b"), nil); ok || r.Primary.Mode != "" {
		t.Errorf("%+v, %v", r, ok)
	}
}

// TestFirstFailureInTheAlignment checks that the first failure is the first finding in
// the alignment. Findings about the whole run come last, and of two findings in one row
// the first one counts.
func TestFirstFailureInTheAlignment(t *testing.T) {
	check := func(want int, rows ...int) {
		t.Helper()
		c := parseSteps("+a +b +c")
		var findings []violation.Finding
		for _, row := range rows {
			findings = append(findings, findingAtRow(c, row))
		}
		if r, ok := Attribute(c, findings); !ok || r.First != want {
			t.Errorf("rows %v: first %d, want %d", rows, r.First, want)
		}
	}
	check(0, 0, 1)
	check(1, 1, 0)
	check(2, 2, 1, 0)
	check(1, -1, 2)
	check(0, 2, -1)
	check(2, -1, -1, 0)
	check(0, -1, -1)
	check(0, 1, 1)
}

// TestWholeRunFindings checks the cause of a finding about the whole run. The mode must
// be boundary violation, and the confidence must be that of the finding.
func TestWholeRunFindings(t *testing.T) {
	c := parseSteps("+drop -pay")
	c.Words = func(int) string { return "I will skip it." }
	f := findingAtRow(c, -1)
	f.Type, f.Reason, f.Confidence = violation.EndBoundary, "it was cut off", 0.9
	r, ok := Attribute(c, []violation.Finding{f})
	if want := (Cause{Mode: Boundary, Confidence: 0.9, Reason: "end-boundary: it was cut off"}); !ok || r.Primary != want || len(r.Factors) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestAnotherTool checks an extra action and a missing action between the same two
// matches. If both have an effect, the mode must be a tool-selection error.
func TestAnotherTool(t *testing.T) {
	check := func(words string, row int, want string) {
		t.Helper()
		c := parseSteps(words)
		r, _ := Attribute(c, []violation.Finding{findingAtRow(c, row)})
		got := ""
		if r.Primary.Mode == ToolSelection {
			got = r.Primary.Reason
			if r.Primary.Confidence != 0.7 || len(r.Factors) != 0 {
				t.Errorf("%s: %+v", words, r)
			}
		}
		if got != want {
			t.Errorf("%s, row %d: %q (%s), want %q", words, row, got, joinModes(r), want)
		}
	}
	check("+drop -pay", 0, "drop was done instead of pay")
	check("+drop -pay", 1, "drop was done instead of pay")
	check("-pay +drop", 0, "drop was done instead of pay")
	check("a +drop -pay b", 1, "drop was done instead of pay")
	check("a -pay +drop b", 2, "drop was done instead of pay")
	check("+drop a -pay", 0, "")
	check("+drop a -pay", 2, "")
	check("-pay +drop a -send", 1, "drop was done instead of pay")
	check("-send a +drop -pay", 2, "drop was done instead of pay")
	check("+drop ~x -pay", 1, "")            // a step with other arguments has its own cause
	check("+select -pay", 0, "")             // a preparation does not replace an action
	check("+frobnicate -pay", 0, "")         // nor does an action with an unknown verb
	check("+drop_customer -pay_bill", 0, "") // nor an action on something else
	check("+archive_review -delete_reviews", 0, "archive_review was done instead of delete_reviews")
	check("+drop", 0, "")
	check("-pay", 0, "")
	check("+pay -pay", 0, "")        // the same kind with different arguments
	check("+drop +pay! -pay", 2, "") // the agent tried the right tool, so it chose it
	check("+get_a -pay", 1, "")      // a read does not replace a write
	check("+drop -get_b", 0, "")     // nor does a write replace a read
	check("+drop! -pay", 1, "")      // a failed action did nothing
	check("+get_a +drop -get_b -pay", 1, "drop was done instead of pay")
	check("+drop +ship -pay -send", 1, "drop was done instead of pay") // the first of each
}

func TestContradictedByWhatWasSeen(t *testing.T) {
	check := func(name string, want bool, known string, evidence ...violation.Evidence) {
		t.Helper()
		c, asked := parseSteps("a ~pay"), -1
		c.Known = func(obs int) string { asked = obs; return known }
		f := findingAtRow(c, 1)
		f.Evidence = evidence
		r, _ := Attribute(c, []violation.Finding{f})
		if asked != 1 && asked != -1 { // -1: there was nothing to look up
			t.Errorf("%s: asked for what was known before action %d", name, asked)
		}
		if got := joinModes(r); got != "boundary-violation" && !want || got != "state-tracking-failure" && want {
			t.Errorf("%s: %s", name, got)
		}
	}
	id := violation.Evidence{Path: "id", Observed: `"O-7"`, Reference: `"O-1"`}
	check("only the reference's value was seen", true, "order O-1", id)
	check("another thing's value", true, "Monday's order is O-1, Tuesday's O-7", id)
	check("another way to pay", false, "card-1 and card-7", violation.Evidence{Path: "payment_id", Observed: `"card-7"`, Reference: `"card-1"`})
	check("another thing's word", false, "economy or business", violation.Evidence{Path: "cabin", Observed: `"business"`, Reference: `"economy"`})
	check("neither was seen", false, "orders", id)
	check("only its own was seen", false, "order O-7", id)
	check("the second difference", true, "order O-1", violation.Evidence{Path: "x", Observed: `"O-1"`, Reference: `"O-9"`}, id)
	check("nothing to compare with", false, "order O-1", violation.Evidence{Path: "id", Observed: `"O-7"`}, violation.Evidence{Path: "id", Reference: `"O-1"`})
	check("too short to tell", false, "12 of them", violation.Evidence{Path: "n", Observed: "99", Reference: "12"})
	check("just long enough", true, "120 of them", violation.Evidence{Path: "n", Observed: "999", Reference: "120"})
	check("no evidence", false, "order O-1")
}

func TestContradictionQuotesBothValues(t *testing.T) {
	c := parseSteps("~pay")
	c.Known = func(int) string { return "order O-1" }
	f := findingAtRow(c, 0)
	f.Evidence = []violation.Evidence{{Path: "id", Observed: `"O-7"`, Reference: `"O-1"`}}
	r, _ := Attribute(c, []violation.Finding{f})
	want := Cause{Mode: StateTracking, Confidence: 0.75, Evidence: `"O-1"`, Reason: `argument id has the value "O-7", which the agent had never seen. The agent had seen the right value, "O-1"`}
	if r.Primary != want {
		t.Errorf("%+v", r.Primary)
	}
	f.Obs = -1
	if r, _ := Attribute(c, []violation.Finding{f}); r.Primary.Mode != Boundary {
		t.Errorf("a step that nothing did contradicts nothing: %+v", r)
	}
	c.Known, f.Obs = nil, 0
	if r, _ := Attribute(c, []violation.Finding{f}); r.Primary.Mode != Boundary {
		t.Errorf("without a conversation nothing is known: %+v", r)
	}
}

// TestJustifiedInItsOwnWords checks that an excuse counts if the agent writes it before
// its next action, or at the end of the run if no action follows.
func TestJustifiedInItsOwnWords(t *testing.T) {
	check := func(words string, row int, want string) {
		t.Helper()
		c := parseSteps(words)
		c.Words = func(obs int) string {
			if obs == len(c.Obs) {
				return "In the end I will skip it."
			}
			return "Before " + c.Obs[obs].Name + " I will skip it."
		}
		r, _ := Attribute(c, []violation.Finding{findingAtRow(c, row)})
		got := ""
		if r.Primary.Mode == Reasoning {
			got = r.Primary.Evidence
		}
		if got != want {
			t.Errorf("%s, row %d: %q, want %q", words, row, got, want)
		}
	}
	check("-verify pay", 0, "Before pay I will skip it.")
	check("-verify -look pay send", 0, "Before pay I will skip it.")
	check("a +pay send", 1, "") // nothing was left out
	check("a -pay", 1, "In the end I will skip it.")
}

func TestEveryExcuse(t *testing.T) {
	c := parseSteps("-verify pay")
	said := ""
	c.Words = func(int) string { return said }
	mode := func() Mode {
		r, _ := Attribute(c, []violation.Finding{findingAtRow(c, 0)})
		return r.Primary.Mode
	}
	for _, said = range []string{"No need to check.", "We don't need to.", "We do not need to.", "That is Not necessary.", "It is unnecessary.", "It isn't necessary.",
		"Let me skip it.", "Without checking then.", "Without verifying.", "I'll assume you are verified.", "I will assume that it is verified.", "Assuming the check went well I go on.", "It should be fine.",
		"To save time.", "It is already verified.", "It is already confirmed.",
		"It was checked last week, so I skip the verification."} {
		if got := mode(); got != Reasoning {
			t.Errorf("%q: %s", said, got)
		}
	}
	for _, said = range []string{"", "I checked it.", "All is fine.", "It usually fits.", "I must not skip anything here.", "We can't skip the verification.",
		"I will never assume that it is verified.", "Should I skip the check?", "You don't need to do anything.", "Let me go on without skipping the check.",
		"I'll skip the small talk.", "Assuming you mean the lamp from March, let me look at it.", "If it were small I could skip the check.", "Assuming it fits."} {
		if got := mode(); got != Boundary {
			t.Errorf("%q: %s", said, got)
		}
	}
}

// TestExcuseIsAboutTheStep checks that an excuse counts only if it is about the missing
// step. An excuse that the agent's sentence negates does not count either.
func TestExcuseIsAboutTheStep(t *testing.T) {
	check := func(step string, want Mode, texts ...string) {
		t.Helper()
		c := parseSteps("-" + step + " refund_booking")
		for _, said := range texts {
			c.Words = func(int) string { return said }
			if r, _ := Attribute(c, []violation.Finding{findingAtRow(c, 0)}); r.Primary.Mode != want {
				t.Errorf("%s, %q: %s, want %s", step, said, r.Primary.Mode, want)
			}
		}
	}
	check("verify_identity", Reasoning, "The phone number matches, so a check of the identity would be redundant.", "An identity check would be overkill here.",
		"We can do without checking the identity.", "I go straight to the refund, the identity check can wait.", "There is no point in verifying who he is.",
		"The identity check is a mere formality.", "I waive the identity check.", "I refund it without any proof of identity.", "Asking him again is not worth it.",
		"No need to verify the account holder.", "Skipping the identity check is not a mistake in this case.")
	check("verify_identity", Boundary, "An identity check is by no means unnecessary.", "The check is far from redundant.", "The check of the identity is anything but pointless.",
		"Skipping the identity check would be a mistake.", "Skipping the check is not allowed.", "To bypass the check is out of the question.",
		"It is tempting to skip the check.", "Nobody may skip the identity check.", "Under no circumstances will I skip the check.",
		"No need to check the weather.", "No need to print the booking.", "I can skip printing the ticket.", "I go straight to the bookings page.", "I do without music.")
	check("weigh_pallet", Reasoning, "It looks light; I can do without weighing it.", "I store it without weighing.")
	check("weigh_pallet", Boundary, "I store it without delay.", "There is no time left today.")
}

// TestFactors checks a finding that a wrong tool explains. Its only mode must be
// tool-selection error, even if an argument contradicts what the agent had seen.
func TestFactors(t *testing.T) {
	c := parseSteps("+drop -pay")
	f := findingAtRow(c, 0)
	f.Evidence = []violation.Evidence{{Path: "id", Observed: `"O-7"`, Reference: `"O-1"`}}
	check := func(want string) {
		t.Helper()
		if r, _ := Attribute(c, []violation.Finding{f}); joinModes(r) != want {
			t.Errorf("%s, want %s", joinModes(r), want)
		}
	}
	check("tool-selection-error")
	c.Known = func(int) string { return "O-1" }
	check("tool-selection-error")
}

// TestFactorsComeFromAllFindings checks that the modes of all findings are reported, the
// primary one first, and each mode once.
func TestFactorsComeFromAllFindings(t *testing.T) {
	check := func(want, words, said, known string, rows ...int) {
		t.Helper()
		c := parseSteps(words)
		c.Words = func(int) string { return said }
		c.Known = func(int) string { return known }
		var findings []violation.Finding
		for _, row := range rows {
			f := findingAtRow(c, row)
			if s := c.Steps[row]; s.Op == align.Substitution {
				f.Evidence = []violation.Evidence{{Path: "id", Observed: `"O-7"`, Reference: `"O-1"`}}
			}
			findings = append(findings, f)
		}
		if r, _ := Attribute(c, findings); joinModes(r) != want {
			t.Errorf("%s: %s, want %s", words, joinModes(r), want)
		}
	}
	check("boundary-violation", "-get_a pay", "", "", 0)
	check("boundary-violation state-tracking-failure", "-get_a a ~pay", "", "order O-1", 0, 2)
	check("boundary-violation tool-selection-error", "-get_a a +drop -pay", "", "", 0, 2, 3)
	check("state-tracking-failure", "~pay", "", "order O-1", 0)
	check("state-tracking-failure boundary-violation", "~pay b +send", "", "order O-1", 0, 2)
	check("tool-selection-error", "+drop -pay", "", "", 0, 1)
	check("tool-selection-error boundary-violation", "+drop -pay a +send", "", "", 0, 1, 3)
	check("tool-selection-error boundary-violation", "-verify_owner +drop -pay", "", "", 0, 1, 2)
	check("reasoning-error boundary-violation", "-verify pay", "I skip it.", "", 0)
	check("boundary-violation reasoning-error", "+send a -verify pay", "I skip the verification.", "", 0, 2)
}

// TestReasoningAlone checks a run whose agent argues for a wrong value. The only mode
// must be reasoning error, because the agent left no step out.
func TestReasoningAlone(t *testing.T) {
	c := parseSteps("~pay")
	c.Words = func(int) string { return "I'll assume that O-7 is meant." }
	f := findingAtRow(c, 0)
	f.Evidence = []violation.Evidence{{Path: "id", Observed: `"O-7"`, Reference: `"O-1"`}}
	if r, _ := Attribute(c, []violation.Finding{f}); joinModes(r) != "reasoning-error" {
		t.Error(joinModes(r))
	}
}

// TestRootsCoverExcuses checks that every excuse contains at least one of the roots, the
// short texts for which mayArgue searches.
func TestRootsCoverExcuses(t *testing.T) {
	for _, x := range excuses {
		for _, text := range []string{x.words, strings.ToUpper(x.words[:1]) + x.words[1:], strings.ReplaceAll(x.words, "nt ", "n't ")} {
			if !mayArgue(text) || !mayArgue(" "+text) { // mayArgue looks at even indices alone
				t.Errorf("%q has no root", text)
			}
		}
	}
}

func TestSentences(t *testing.T) {
	check := func(text string, want ...string) {
		t.Helper()
		got := strings.Join(splitSentences(text), "|")
		if got != strings.Join(append(want, ""), "|") && got != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	check("skip it", "skip it")
	check("One. Two skip it! Three?", "One.", "Two skip it!", "Three?")
	check("It costs 2.50 in all. Skip it.", "It costs 2.50 in all.", "Skip it.")
	check("One\n  skip it\nTwo", "One", "skip it", "Two")
	if got := clipSentence(strings.Repeat("ü", 150)); got != strings.Repeat("ü", 100) {
		t.Errorf("never half a letter: %q", got)
	}
}

// TestLowerCaseMayBeLonger checks that the evidence is quoted correctly if the text
// becomes longer in lower case.
func TestLowerCaseMayBeLonger(t *testing.T) {
	c := parseSteps("-verify pay")
	c.Words = func(int) string { return strings.Repeat("Ⱥ", 20) + " skip" }
	r, _ := Attribute(c, []violation.Finding{findingAtRow(c, 0)})
	if r.Primary.Mode != Reasoning || r.Primary.Evidence != strings.Repeat("Ⱥ", 20)+" skip" {
		t.Errorf("%+v", r.Primary)
	}
}
