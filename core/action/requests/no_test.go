package requests

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNoAnswersTheQuestion draws questions of the agent and answers that say no. What was asked for before stays if the
// question was about one thing more, about another thing in its place, or whether the user minds; it is taken back if
// the question was about the deed itself; and it is not known what stays after any other question.
func TestNoAnswersTheQuestion(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 71))
	one := func(words ...string) string { return words[random.IntN(len(words))] }
	const stays, gone, unknown = 1, 3, 2
	for range drawn.Cases(400) {
		ask, question, want := "Cancel order 3.", "", stays
		no := one("No", "No thanks", "no", "No, thank you.")
		switch random.IntN(5) {
		case 0:
			question = one("Would you like a store credit instead?", "Would you rather pause it for a month?", "Do you want a voucher instead of money?")
		case 1:
			question = one("Do you also want to cancel order 4?", "Would you like a voucher, too?", "The hat, too?")
		case 2:
			question = one("Do you mind if I cancel it now?", "Any objections to cancelling it right now?")
			no = one("No", "No, not at all.", "no") // "No thanks" may mean either
		case 3:
			question, want = one("Any special reason?", "Should I add gift wrapping for 3?", "Which colour did the scarf have? Any note for the seller?"), unknown
		default:
			question, want = one("Shall I cancel order 3?", "Cancel it now?", "Shall I go ahead?", "Shall I also inform the seller and cancel it?"), gone
			no = one("No", "No thanks", "no")
		}
		got := traceLast(t, NoMeans, "cancel_order", `{"id":3}`, "u "+ask, "a "+question, "u "+no)
		is := unknown
		if got.By.Traced() {
			is = stays
		} else if got.By == ByNobody {
			is = gone
		}
		if is != want {
			t.Fatalf("%q, %q: %s (%s), %d, want %d", question, no, got.By, got.Why, is, want)
		}
	}
}

// TestCorrectionsAreNoWithdrawals checks words that stop and go on, and that limit what they ask for.
func TestCorrectionsAreNoWithdrawals(t *testing.T) {
	for ask, asked := range map[string]bool{
		"Order 5 mugs. Wait, make it 3.": true, "Order 5 mugs. Wait, leave it.": false, "Order 5 mugs. Hmm, wait, no, don't order them.": false,
		"Order 3 mugs and don't do anything besides.": true, "Don't do anything.": false,
	} {
		got := traceLast(t, NoMeans, "order_item", `{"item":"mug","quantity":3}`, "u "+ask)
		if got.By.Traced() != asked {
			t.Errorf("%q: %s (%s)", ask, got.By, got.Why)
		}
	}
	for ask, asked := range map[string]bool{"Ne supprime que a.txt.": true, "Ne supprime pas a.txt.": false, "Je veux que tu ne supprimes rien.": false} {
		got := traceLast(t, NoMeans, "delete_file", `{"path":"a.txt"}`, "u "+ask)
		if got.By.Traced() != asked {
			t.Errorf("%q: %s (%s)", ask, got.By, got.Why)
		}
	}
}

// TestForbiddenStaysForbidden draws a value for which the user forbids a deed and another one for which he asks for it, in
// any order: only the other one is asked for, unless he asks for the first one later.
func TestForbiddenStaysForbidden(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 72))
	for range drawn.Cases(200) {
		verb := []string{"cancel", "delete", "close"}[random.IntN(3)]
		no, yes := "do not "+verb+" order 99", verb+" order 50"
		lines := []string{"u " + []string{no + "; " + yes, no + ". " + strings.ToUpper(yes[:1]) + yes[1:], yes + ". But " + no}[random.IntN(3)]}
		later := random.IntN(4) == 0
		if later {
			lines = append(lines, "a Done.", "u OK, now "+verb+" order 99, too.")
		}
		forbidden := traceLast(t, NoMeans, verb+"_order", `{"id":"99"}`, lines...)
		asked := traceLast(t, NoMeans, verb+"_order", `{"id":"50"}`, lines...)
		if forbidden.By.Traced() != later || !asked.By.Traced() {
			t.Fatalf("%q: 99 %s (%s), 50 %s (%s)", lines, forbidden.By, forbidden.Why, asked.By, asked.Why)
		}
	}
}
