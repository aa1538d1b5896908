package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestTakenBackIsNotAsked tries to break the law about what a message takes back: a request that the same message or
// the next one takes back asks for nothing, a corrected one asks for the new thing, and what its speaker does himself or only
// wants to be told is no request.
func TestTakenBackIsNotAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 91))
	sorts := []struct {
		ask, call     string
		back, instead []string
		own           []string
	}{
		{"Delete the album Crete %d.", "delete_album", []string{"On second thought keep it.", "No, leave it."}, []string{"No wait, Crete %d instead.", "Sorry, I meant Crete %d."}, []string{"Could you tell me how I would delete the album Crete %d?", "Show me the album Crete %d. I'll delete it once Ruth has seen it."}},
		{"Unsubscribe from list %d.", "unsubscribe", []string{"On second thought keep it."}, []string{"No wait, %d instead."}, []string{"Could you tell me how I would unsubscribe from list %d?"}},
		{"Sag den Termin %d ab.", "termin_absagen", []string{"Ach nein, lass ihn drin."}, nil, nil},
		{"Annule l'abonnement %d.", "annuler_abonnement", []string{"Non, finalement je le garde."}, nil, nil},
		{"取消订单%d。", "cancel_order", []string{"算了，不取消了。"}, nil, nil},
		{"Send the note %d.", "send_note", nil, nil, []string{"Read the note %d. I'll review and send it tomorrow."}},
		{"Paga la bolletta %d.", "paga_bolletta", nil, nil, []string{"Quanto costa la bolletta %d? La paga mio marito."}},
		{"Envoie le rapport %d.", "envoyer_rapport", nil, nil, []string{"Où est le rapport %d ? J'envoie le rapport demain."}},
	}
	for range drawn.Cases(300) {
		s := &sorts[random.IntN(len(sorts))]
		old, now := 4000+random.IntN(400), 4500+random.IntN(400)
		arguments := fmt.Sprintf(`{"id":"%d"}`, old)
		lines := func(rest string) []string {
			if ask := "u " + fmt.Sprintf(s.ask, old); random.IntN(2) == 0 {
				return []string{ask, "u " + rest}
			} else {
				return []string{ask + " " + rest}
			}
		}
		if got := traceLast(t, NoMeans, s.call, arguments, "u "+fmt.Sprintf(s.ask, old)); !got.By.Traced() {
			t.Fatalf("%q: %s (%s)", fmt.Sprintf(s.ask, old), got.By, got.Why)
		}
		if len(s.back) > 0 {
			chat := lines(pickOne(random, s.back...))
			if got := traceLast(t, NoMeans, s.call, arguments, chat...); got.By.Traced() {
				t.Fatalf("taken back, %q: %s (%s, %q)", chat, got.By, got.Why, got.Words)
			}
		}
		if len(s.instead) > 0 {
			chat := lines(fmt.Sprintf(pickOne(random, s.instead...), now))
			if got := traceLast(t, NoMeans, s.call, fmt.Sprintf(`{"id":"%d"}`, now), chat...); got.By == ByNobody || got.By == ByData {
				t.Fatalf("corrected, %q: %s (%s, %q)", chat, got.By, got.Why, got.Words)
			}
		}
		if len(s.own) > 0 {
			own := fmt.Sprintf(pickOne(random, s.own...), old)
			if got := traceLast(t, NoMeans, s.call, arguments, "u "+own); got.By.Traced() {
				t.Fatalf("his own, %q: %s (%s, %q)", own, got.By, got.Why, got.Words)
			}
		}
	}
}

// TestDeclinedPart tries to break the law about consent in parts: what an answer puts off, leaves out or keeps for its speaker is
// not agreed to, whatever else the answer takes.
func TestDeclinedPart(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 92))
	for range drawn.Cases(200) {
		a, b := pickOne(random, "Miller", "Okafor", "Lind"), pickOne(random, "Novak", "Ferri", "Adeyemi")
		offer := fmt.Sprintf("a %s and %s wait for a quote. I'd send both today. Fine?", a, b)
		answer := fmt.Sprintf(pickOne(random, "%s yes, %s I'll call.", "Only %s. %s can wait."), a, b)
		if got := traceLast(t, NoMeans, "send_quote", `{"to":"`+b+`"}`, "u Who is waiting for a quote?", offer, "u "+answer); got.By.Traced() {
			t.Fatalf("%q: %s (%s, %q)", answer, got.By, got.Why, got.Words)
		}
		if got := traceLast(t, NoMeans, "send_quote", `{"to":"`+a+`"}`, "u Who is waiting for a quote?", offer, "u "+answer); got.By == ByNobody || got.By == ByData {
			t.Fatalf("%q, for %s: %s (%s, %q)", answer, a, got.By, got.Why, got.Words)
		}
	}
}
