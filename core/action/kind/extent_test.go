package kind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestExtents draws a message about a part of a thing, and the same message about another part or without it. They are never
// the same, and differ with certainty where nothing else does.
func TestExtents(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 41))
	parts := strings.Fields("half some few most double triple only part")
	words := map[string]string{"half": "half of", "some": "some of", "few": "a few of", "most": "most of", "double": "double", "triple": "triple", "only": "only", "part": "partly"}
	for range drawn.Cases(500) {
		thing := strings.Fields("price deposit fare fee tickets invoices")[r.IntN(6)]
		verb := strings.Fields("refund return credit transfer")[r.IntN(4)]
		say := func(part string) string {
			return strings.Join(strings.Fields(fmt.Sprintf("We'll %s %s the %s.", verb, part, thing)), " ")
		}
		i := r.IntN(len(parts))
		part, other := words[parts[i]], words[parts[(i+1+r.IntN(len(parts)-1))%len(parts)]]
		if r.IntN(2) == 0 {
			other = ""
		}
		a, b := say(part), say(other)
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		if o := outcomeOf("reply", "text", fmt.Sprintf("%q", a), fmt.Sprintf("%q", b)); o != Differs {
			t.Errorf("%q beside %q is %v", a, b, o)
		}
		if o := outcomeOf("reply", "text", fmt.Sprintf("%q", a), fmt.Sprintf("%q", "Hello! "+a+" Kind regards")); o != Same {
			t.Errorf("%q with a greeting is %v", a, o)
		}
	}
}

// TestNotationsOfWholes has pairs of values with the outcomes that a table may give them.
func TestNotationsOfWholes(t *testing.T) {
	in := func(o Outcome, all ...Outcome) bool {
		for _, x := range all {
			if o == x {
				return true
			}
		}
		return false
	}
	for _, p := range []struct {
		tool, key, a, b string
		wanted          []Outcome
	}{
		{"send_email", "body", "Please send the file today.", "Hello, could you please send the file today? Thank you!", []Outcome{Same}},
		{"send_email", "body", "Please close the gate tonight.", "Would you kindly close the gate tonight?", []Outcome{Same, Unsure}},
		{"send_email", "body", "Please send the file today.", "Could you please send the file tomorrow?", []Outcome{Differs, Likely}},
		{"send_email", "body", "We send the file today.", "Could you please send the file today?", []Outcome{Differs, Likely, Unsure}},
		{"post_message", "text", "The lift is working again.", "The lift will be working again soon.", []Outcome{Differs, Likely}},
		{"post_message", "text", "The bridge is open.", "The bridge will be open soon.", []Outcome{Differs, Likely}},
		{"post_message", "text", "The second half of the game is on.", "The game is on.", []Outcome{Unsure, Likely, Differs}},
		{"send_message", "text", "Please repair the lift by Monday.", "Could you please repair the lift by Monday? Many thanks.", []Outcome{Same, Unsure}},
		{"set_alarm", "time", "12:00", "12:00 AM", []Outcome{Likely}},
		{"set_alarm", "time", "12:30", "12:30 am", []Outcome{Likely}},
		{"set_alarm", "time", "12:00", "00:00", []Outcome{Differs}},
		{"set_alarm", "time", "12:00", "12:00 PM", []Outcome{Same}},
		{"pay_bill", "amount", "$1,200.50 USD", "USD 1200.50", []Outcome{Same}},
		{"pay_bill", "amount", "$20 CAD", "CAD 20", []Outcome{Same}},
		{"pay_bill", "amount", "€20 EUR", "20 EUR", []Outcome{Same}},
		{"pay_bill", "amount", "$20 USD", "$21 USD", []Outcome{Differs}},
		{"pay_bill", "amount", "$20 USD", "CAD 20", []Outcome{Differs}},
		{"pay_bill", "amount", "€20 USD", "USD 20", []Outcome{Differs, Likely, Unsure}},
		{"plan", "start", "2025-07-01T09:00:00 America/New_York", "2025-07-01T13:00:00Z", []Outcome{Same}},
		{"plan", "start", "2025-07-01T09:00[Europe/Berlin]", "2025-07-01T07:00:00Z", []Outcome{Same}},
		{"plan", "start", "2025-07-01T09:00:00 America/New_York", "2025-07-01T14:00:00Z", []Outcome{Differs}},
		{"plan", "start", "2025-07-01T09:00:00 Mars/Base_One", "2025-07-01T09:00:00Z", []Outcome{Unsure, Likely, Differs}},
		{"set_deadline", "at", "2025-04-30T24:00", "2025-05-01T00:00", []Outcome{Same}},
		{"set_deadline", "at", "2025-04-30T24:00", "2025-04-30T00:00", []Outcome{Differs}},
		{"set_deadline", "at", "2025-12-31 24:00:00", "2026-01-01T00:00:00", []Outcome{Same}},
		{"open_page", "url", "https://x.example/q?a=1&b=2", "https://x.example/q?b=2&a=1", []Outcome{Same}},
		{"open_page", "url", "https://x.example/q?a=1&a=2", "https://x.example/q?a=2&a=1", []Outcome{Unsure}},
		{"open_page", "url", "https://x.example/q?a=1&b=2", "https://x.example/q?b=1&a=2", []Outcome{Differs}},
		{"write_script", "code", "const a = 'hi';", "const a = \"hi\";", []Outcome{Same, Unsure}},
		{"write_script", "code", "if (a) { return b; }", "if (a) {\n    return b;\n}", []Outcome{Same, Unsure}},
		{"write_script", "code", "if (a) { return b; }", "if (a) {\n    return c;\n}", []Outcome{Differs, Likely}},
		{"write_script", "code", "x = 'a b';", "x = 'ab';", []Outcome{Differs, Likely}},
		{"write_script", "code", "return ab;", "return a b;", []Outcome{Differs, Likely}},
		{"write_script", "code", "if x:\n  a()\nb()", "if x:\n  a()\n  b()", []Outcome{Differs, Likely}},
		{"run", "command", "rm /d/old-a.txt /d/old-b.txt", "rm /d/old-{a,b}.txt", []Outcome{Unsure}},
		{"run", "command", "rm /d/old-a.txt /d/old-b.txt", "rm /d/old-{a,c}.txt", []Outcome{Differs}},
		{"run", "command", "chmod g+r /srv/app/x.yml", "chmod g+r /srv/web/../app/x.yml", []Outcome{Unsure}},
		{"run", "command", "chmod g+r /srv/app/x.yml", "chmod g+r /srv/web/../../app/x.yml", []Outcome{Differs}},
		{"sql", "query", "DELETE FROM t WHERE s IN ('a', 'b')", "DELETE FROM t WHERE s = 'b' OR s = 'a'", []Outcome{Same}},
		{"sql", "query", "DELETE FROM t WHERE s IN (1, 2, 3)", "DELETE FROM t WHERE (s = 1 OR s IN (2, 3))", []Outcome{Same}},
		{"sql", "query", "DELETE FROM t WHERE s IN ('a', 'b')", "DELETE FROM t WHERE s = 'b' OR u = 'a'", []Outcome{Differs}},
		{"sql", "query", "DELETE FROM t WHERE s IN ('a', 'b')", "DELETE FROM t WHERE s = 'b' AND s = 'a'", []Outcome{Differs}},
		{"sql", "query", "DELETE FROM t WHERE NOT (a = 1 OR b = 1)", "DELETE FROM t WHERE NOT a = 1 AND NOT b = 1", []Outcome{Same}},
		{"sql", "query", "DELETE FROM t WHERE NOT (a = 1 AND b = 1)", "DELETE FROM t WHERE NOT a = 1 AND NOT b = 1", []Outcome{Differs}},
		{"sql", "query", "DELETE FROM t WHERE NOT (a = 1 OR b = 1)", "DELETE FROM t WHERE a = 1 AND NOT b = 1", []Outcome{Differs}},
	} {
		for range 2 {
			if o := outcomeOf(p.tool, p.key, fmt.Sprintf("%q", p.a), fmt.Sprintf("%q", p.b)); !in(o, p.wanted...) {
				t.Errorf("%s(%s): %q beside %q is %v, want one of %v", p.tool, p.key, p.a, p.b, o, p.wanted)
			}
			p.a, p.b = p.b, p.a
		}
	}
}
