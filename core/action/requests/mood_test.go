package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestContraryQuestionOffersNothing draws a question of the agent and a yes to it. Who agrees to a question that says the contrary, or
// asks what was done, or offers to tell how, has not asked for the deed; who agrees to one that offers it has.
func TestContraryQuestionOffersNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 81))
	languages := []struct {
		begins, yes      string
		contrary, offers []string
	}{
		{"Look at order 5000.", "yes", []string{
			"Should I keep order %d and not cancel it?", "Should I not cancel order %d?", "Was order %d cancelled?", "Has order %d been cancelled already?",
			"Would you like me to tell you how to cancel order %d?", "Do you want to know how to cancel order %d?", "Shall I explain how you can cancel order %d?",
			"I can cancel order %d or keep it. Which one?", "Did you cancel order %d yourself?", "You cancelled order %d yourself, right?", "Order %d was cancelled. Is that right?",
			"Do you want me to leave order %d as it is instead of cancelling it?", "Would you rather keep order %d than cancel it?", "Shall I check if order %d can be cancelled?",
			"So you do not want me to cancel order %d?", "Do you know whether order %d can be cancelled?", "Should I wait and not yet ask how to cancel order %d?",
		}, []string{
			"Shall I cancel order %d?", "Would you like me to cancel order %d?", "Do you want order %d cancelled?", "Order %d was not shipped yet. Shall I cancel it?",
			"I have not cancelled order %d yet. Shall I do it now?", "Should order %d be cancelled?", "You would like order %d to be cancelled, is that right?", "I was asked to cancel order %d. Is that right?",
			"Shall I cancel order %d? It can't be undone.", "Once cancelled, order %d cannot be restored. Shall I cancel it?",
			"Why don't I cancel order %d for you?", "Shall I cancel order %d and not order 5000?", "There is order %d, which I could cancel right away. OK?",
		}},
		{"Zeig mir Bestellung 5000.", "ja", []string{"Soll ich Bestellung %d nicht stornieren?", "Soll ich Bestellung %d behalten und nicht stornieren?", "Wurde Bestellung %d storniert?", "Soll ich Ihnen sagen, wie man Bestellung %d storniert?"},
			[]string{"Soll ich Bestellung %d stornieren?", "Möchten Sie, dass ich Bestellung %d storniere?"}},
		{"Montre-moi la commande 5000.", "oui", []string{"Dois-je ne pas annuler la commande %d ?", "La commande %d a-t-elle été annulée ?", "Voulez-vous savoir comment annuler la commande %d ?"}, []string{"Dois-je annuler la commande %d ?"}},
		{"Muéstrame el pedido 5000.", "sí", []string{"¿No cancelo el pedido %d?", "¿Se canceló el pedido %d?", "¿Quiere saber cómo cancelar el pedido %d?"}, []string{"¿Quiere que cancele el pedido %d?"}},
	}
	for range drawn.Cases(500) {
		l, n := &languages[random.IntN(len(languages))], 100+random.IntN(900)
		for is, forms := range [][]string{l.contrary, l.offers} {
			question := fmt.Sprintf(forms[random.IntN(len(forms))], n)
			texts := newChat("u "+l.begins, "a "+question, "u "+l.yes)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", fmt.Sprintf(`{"id":"%d"}`, n)), Before: len(texts), Sure: true})
			if got.By.Traced() != (is == 1) {
				t.Errorf("%q: %s (%s)", question, got.By, got.Why)
			}
		}
	}
	for answer, want := range map[string]bool{"yes, but look at order 50 only": false, "yes, but only order 99": true, "yes, only if it costs less than 20": true, "yes, order 99": true} {
		texts := newChat("u Look at order 50.", "a Shall I cancel order 99?", "u "+answer)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", `{"id":"99"}`), Before: len(texts), Sure: true})
		if got.By.Traced() != want {
			t.Errorf("%q: %s (%s)", answer, got.By, got.Why)
		}
	}
}

// TestOpposedInOneSentence draws a sentence that asks for a deed on one thing and denies it for another one, or keeps this one, in
// both orders: the deed is asked for on the first thing only.
func TestOpposedInOneSentence(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 82))
	forms := []string{
		"cancel order %[1]d, do not cancel order %[2]d", "do not cancel order %[2]d, cancel order %[1]d", "do not cancel order %[2]d; cancel order %[1]d", "do not cancel order %[2]d. cancel order %[1]d",
		"cancel order %[1]d but not order %[2]d", "cancel order %[1]d and not order %[2]d", "cancel %[1]d, not %[2]d", "cancel order %[1]d and don't cancel order %[2]d",
		"don't cancel order %[2]d, instead cancel order %[1]d", "cancel order %[1]d, leave order %[2]d alone", "cancel order %[1]d and keep order %[2]d", "keep order %[2]d and cancel order %[1]d",
		"keep order %[2]d, cancel order %[1]d", "cancel order %[1]d instead of order %[2]d", "cancel order %[1]d rather than order %[2]d",
		"storniere Bestellung %[1]d, storniere Bestellung %[2]d nicht", "storniere Bestellung %[1]d, nicht Bestellung %[2]d",
		"annule la commande %[1]d, n'annule pas la commande %[2]d", "cancela el pedido %[1]d, no canceles el pedido %[2]d",
	}
	for range drawn.Cases(500) {
		a, b := 10+random.IntN(40), 50+random.IntN(900)
		if random.IntN(2) == 0 {
			a, b = b, a
		}
		words := fmt.Sprintf(forms[random.IntN(len(forms))], a, b)
		for k, n := range []int{a, b} {
			texts := newChat("u " + words)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", fmt.Sprintf(`{"id":"%d"}`, n)), Before: len(texts), Sure: true})
			if got.By.Traced() != (k == 0) {
				t.Errorf("%q, %d: %s (%s)", words, n, got.By, got.Why)
			}
		}
	}
	for _, words := range []string{"I did not get order 99, so cancel it.", "Cancel order 99, I do not need it.", "Do not ask me again and cancel order 99.", "Cancel order 99, not more than that.", "Cancel order 99 before Kim changes it."} {
		texts := newChat("u " + words)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", `{"id":"99"}`), Before: len(texts), Sure: true})
		if !got.By.Traced() {
			t.Errorf("%q: %s (%s)", words, got.By, got.Why)
		}
	}
}
