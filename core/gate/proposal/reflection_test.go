package proposal

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

const policy = `# Airline policy

The current time is noon. You must list the details of a change and obtain explicit consent (yes) before making it.

## Book flight
- Booking: the agent must know the cabin and the passengers first.
- At most five passengers. Gift cards are limited to three.

## Cancel flight
1. The agent must first ask why the user wants a cancellation.
2. Basic economy cannot be cancelled after 24 hours unless the airline did it.
* Refunds go to the original payment methods.

## Baggage
- Silver members get two free bags.
`

// quotedRules returns the rules of the policy that the reflection s quotes.
func quotedRules(s string) (out []string) {
	_, rest, _ := strings.Cut(s, "policy's words:\n")
	rules, _, _ := strings.Cut(rest, "\nAnswer these")
	for line := range strings.Lines(rules) {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(line, "- ")))
	}
	return out
}

func TestReflection(t *testing.T) {
	yes := mutation.Verdict{Mutating: mutation.Yes}
	const consent = "You must list the details of a change and obtain explicit consent (yes) before making it."
	for tool, want := range map[string][]string{
		"cancel_flight": {consent, "Booking", "The agent must first ask why the user wants a cancellation.",
			"Basic economy cannot be cancelled after 24 hours unless the airline did it."},
		"book_reservation": {consent, "Booking: the agent must know the cabin and the passengers first."},
		"send_certificate": {consent},
	} {
		got := Reflection(tool, yes, policy)
		text := strings.Join(quotedRules(got), "\n")
		for _, w := range want {
			if w != "Booking" && !strings.Contains(text, w) {
				t.Errorf("%s: %q is missing in\n%s", tool, w, text)
			}
		}
		if strings.Contains(text, "Silver") {
			t.Errorf("%s: a rule about something else:\n%s", tool, text)
		}
		for _, q := range quotedRules(got) {
			if !strings.Contains(policy, q) {
				t.Errorf("%s: not the policy's words: %q", tool, q)
			}
		}
	}
}

func TestReflectionArguments(t *testing.T) {
	v := mutation.Verdict{Mutating: mutation.Yes}
	const text = "- The discount code must be active.\n- Snow is white."
	arguments, err := jsonval.Parse(`{"discount_code":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := renderReflection(&call{tool: "place_order", value: arguments}, v, text); !strings.Contains(got, "discount code must") || strings.Contains(got, "Snow") {
		t.Error(got)
	}
}

func TestReflectionIsEmptyOnAllow(t *testing.T) {
	for _, v := range []mutation.Verdict{{Mutating: mutation.No}, {Mutating: mutation.No, Control: true}} {
		if got := Reflection("get_x", v, policy); got != "" {
			t.Errorf("%+v: %q", v, got)
		}
	}
}

func TestReflectionWithoutPolicy(t *testing.T) {
	for _, p := range []string{"", "\n\n", "# Only a heading", "Nothing to see."} {
		got := Reflection("cancel_x", mutation.Verdict{}, p)
		if strings.Contains(got, "policy's words") || !strings.Contains(got, "not known") || !strings.Contains(got, "Answer these first") {
			t.Errorf("%q: %s", p, got)
		}
	}
}

func TestReflectionIsLimited(t *testing.T) {
	long := strings.Repeat("- You must not cancel an order that was shipped.\n", 500) + "- cancel " + strings.Repeat("x", 5000)
	got := Reflection("cancel_order", mutation.Verdict{Mutating: mutation.Yes}, long)
	if n := len(quotedRules(got)); n != maxRules || len(got) > 6000 {
		t.Errorf("%d rules, %d bytes", n, len(got))
	}
}

func TestSentences(t *testing.T) {
	for in, want := range map[string]string{
		"A b. C d! E": "A b.|C d!|E", "Version 1.2 is e.g. fine.": "Version 1.2 is e.g. fine.", "": "", "one": "one",
	} {
		if got := strings.Join(splitSentences(in), "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"- a": "a", "* a": "a", "12. a": "a", "3) a": "a", "a - b": "a - b", "-5 degrees": "-5 degrees", "2024 was": "2024 was", "**b** c": "**b** c", "-": "-",
	} {
		if got := trimBullet(in); got != want {
			t.Errorf("unbullet(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAlike(t *testing.T) {
	for pair, want := range map[string]bool{
		"book booking": true, "modify modification": true, "cancel cancelled": true, "order orders": true,
		"user usually": false, "car care": false, "return refund": false, "a ab": false, "bag bag": true,
	} {
		a, b, _ := strings.Cut(pair, " ")
		if areWordForms(a, b) != want || areWordForms(b, a) != want {
			t.Errorf("alike(%s) != %v", pair, want)
		}
	}
}
