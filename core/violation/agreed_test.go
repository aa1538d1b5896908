package violation_test

import (
	"fmt"
	"strings"
	"testing"
)

// newTalk returns a trace of a conversation: lines "user: …" and "agent: …", and lines
// "call: NAME ARGUMENTS" with an empty answer.
func newTalk(lines ...string) string {
	var out []string
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		name, arguments, _ := strings.Cut(text, " ")
		switch who {
		case "user":
			out = append(out, fmt.Sprintf(`{"role":"user","content":%q}`, text))
		case "agent":
			out = append(out, fmt.Sprintf(`{"role":"assistant","content":%q}`, text))
		default:
			out = append(out, fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}]},{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i, name, arguments, i))
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

// TestAgreedValuesAreHints checks that a value that nobody said is only a hint after the
// agent had announced it and the user had agreed.
func TestAgreedValuesAreHints(t *testing.T) {
	check := func(offer, answer string, firm bool) {
		t.Helper()
		got := traceViolations(t, newTalk("user: I want to pay less, contract CT-4410", "agent: "+offer, "user: "+answer, `call: set_instalment {"contract":"CT-4410","amount":119.0}`), "", "auto")
		n := 0
		for _, v := range got {
			if v.Rule == "ungrounded-value" {
				n++
				if v.Hint == firm {
					t.Errorf("%q, %q: hint %v, want %v", offer, answer, v.Hint, !firm)
				}
			}
		}
		if n != 1 {
			t.Errorf("%q, %q: %d findings, want 1", offer, answer, n)
		}
	}
	check("The least is 119.00. Do you want 119.00?", "Better than nothing. Take that.", false)
	check("The least is 119.00. Do you want 119.00?", "Yes, please.", false)
	check("I can lower it. Do you want that?", "Yes, please.", true)
	check("The least is 119.00. Do you want 119.00?", "What did I pay before?", true)
}

// TestRepeatedOnRequest checks that a repeated call is no finding if the user asked for it
// again.
func TestRepeatedOnRequest(t *testing.T) {
	check := func(answer string, want int) {
		t.Helper()
		run := `call: run_suite {"build_id":"bd-5521"}`
		n := 0
		for _, v := range traceViolations(t, newTalk("user: test bd-5521", run, "agent: Two tests failed.", "user: "+answer, run), "", "auto") {
			if v.Rule == "repeated-write" {
				n++
			}
		}
		if n != want {
			t.Errorf("%q: %d findings, want %d", answer, n, want)
		}
	}
	check("The stub was down. Run it again.", 0)
	check("I see.", 1)
}
