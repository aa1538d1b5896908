package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestPonderedIsNotAsked draws sentences in seven languages that say what somebody thinks of, fears, forgot, did or wants to be
// reminded of, each beside a request with the same words: only the request is traced to the user.
func TestPonderedIsNotAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 27))
	forms := [][2]string{
		{"I'm thinking about cancelling order %d.", "Please cancel order %d."}, {"I forgot to cancel order %d.", "Don't forget to cancel order %d."},
		{"I'm worried that somebody could cancel order %d.", "I'm worried, so cancel order %d."}, {"Write me a letter to cancel order %d.", "Cancel order %d."},
		{"Remind me tomorrow to cancel order %d.", "Cancel order %d today."}, {"I'm considering whether to cancel order %d.", "Could you cancel order %d?"},
		{"Ich überlege, Bestellung %d zu stornieren.", "Bitte Bestellung %d stornieren."}, {"Ich habe Angst, dass jemand Bestellung %d storniert.", "Storniere Bestellung %d."},
		{"Schreib mir einen Brief, um Bestellung %d zu stornieren.", "Storniere bitte Bestellung %d."}, {"Erinnere mich morgen, Bestellung %d zu stornieren.", "Storniere Bestellung %d sofort."},
		{"Je pense annuler la commande %d.", "Annule la commande %d."}, {"Mon mari a annulé la commande %d.", "Merci d'annuler la commande %d."},
		{"Estoy pensando en cancelar el pedido %d.", "Cancela el pedido %d."}, {"Sto pensando di annullare l'ordine %d.", "Annulla l'ordine %d."},
		{"Estou pensando em cancelar o pedido %d.", "Cancele o pedido %d."}, {"Ik overweeg om bestelling %d te annuleren.", "Annuleer bestelling %d."},
	}
	for range drawn.Cases(500) {
		k, n := random.IntN(len(forms)), 100+random.IntN(900)
		for asked, form := range forms[k] {
			words := fmt.Sprintf(form, n)
			texts := newChat("u " + words)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", fmt.Sprintf(`{"order_id":"%d"}`, n)), Before: len(texts), Sure: true})
			if traced := got.By.Traced(); traced != (asked == 1) {
				t.Fatalf("%q: %s (%s)", words, got.By, got.Why)
			}
		}
	}
}

// TestTheWordsOfOthersAreNoOrder draws what somebody else said, wrote or wants, in quotation marks, behind a colon or in the
// sentence, each beside the same words as the user's own and beside the user's consent to them: only what is his own, or to what he
// agrees, is traced to him. Beside a question of his, what is only told is a deed that nobody asked for.
func TestTheWordsOfOthersAreNoOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 72))
	forms := [][3]string{ // told, his own, a question of his
		{`My boss wrote to me: "Cancel order %d."`, `Cancel order %d.`, "Which orders are open?"}, {"My boss wrote: 'Cancel order %d.'", "I write it once more: cancel order %d.", "Is it sent?"},
		{"My boss says: cancel order %d.", "As I said: cancel order %d.", "Is it sent?"}, {"My neighbour begged me to cancel order %d.", "I beg you to cancel order %d.", "What is it worth?"},
		{"I asked you last week to cancel order %d.", "I ask you to cancel order %d.", "When does order 7 arrive?"}, {"My boss says we should cancel order %d.", "Please cancel order %d.", "Is that free?"},
		{"My wife wants to cancel order %d.", "I want to cancel order %d.", "What would it cost?"}, {"Tell Erik to cancel order %d.", "Tell Erik that I cancel it, and cancel order %d.", "Is he in?"},
		{"Ich habe dich letzte Woche gebeten, Bestellung %d zu stornieren.", "Ich bitte dich, Bestellung %d zu stornieren.", "Wann kommt Bestellung 7?"},
		{"Mein Chef schrieb: „Storniere Bestellung %d.“", "Storniere Bestellung %d.", "Was ist noch offen?"},
		{"Mon chef a écrit : « Annule la commande %d. »", "Annule la commande %d.", "Quelles commandes avons-nous ?"},
		{"Mi jefe escribió: «Cancela el pedido %d.»", "Cancela el pedido %d.", "¿Qué pedidos hay?"},
		{"Il mio capo ha scritto: \"Annulla l'ordine %d.\"", "Annulla l'ordine %d.", "Quali ordini ci sono?"},
	}
	consents := []string{"Please do that.", "Do that.", "Do it."}
	for range drawn.Cases(500) {
		f, n := forms[random.IntN(len(forms))], 100+random.IntN(900)
		for k, words := range []string{fmt.Sprintf(f[0], n) + " " + f[2], fmt.Sprintf(f[0], n), fmt.Sprintf(f[1], n), fmt.Sprintf(f[0], n) + " " + consents[random.IntN(3)]} {
			if k == 3 && !strings.HasPrefix(words, "My") {
				continue // the consent is in English
			}
			texts := newChat("u " + words)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", fmt.Sprintf(`{"order_id":"%d"}`, n)), Before: len(texts), Sure: true})
			if traced := got.By.Traced(); traced != (k > 1) && !(k == 1 && strings.Contains(words, "wants to")) || k == 0 && got.By != ByNobody && got.By != ByData {
				t.Errorf("%q: %s (%s)", words, got.By, got.Why)
			}
		}
	}
}
