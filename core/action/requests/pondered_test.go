package requests

import (
	"fmt"
	"math/rand/v2"
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
