package requests

import (
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// besideTalks are, in each language, a request, questions about something else, questions of the opposite, offers of the deed
// itself, answers that say no, and answers to the opposite that say to do it.
var besideTalks = []struct {
	ask                        string
	side, opposite, offers     []string
	no, reasons, yesToOpposite []string
}{
	{"Cancel order o5.",
		[]string{"Is it damaged?", "Has it arrived yet?", "Did you open it?", "Do you have the receipt?", "Do you need travel insurance?", "Would a discount of 10 % help?", "There is a fee of 3 USD. Is that a problem?", "What is the reason?", "May I ask why?"},
		[]string{"Do you want to keep order o5?", "Should order o5 stay?", "Shall I wait?", "Do you want to think about it?"},
		[]string{"Shall I cancel order o5?", "Should I go ahead?", "Do you want me to cancel it now?"},
		[]string{"No.", "No, thanks.", "No, not yet.", "No, I do not.", "I don't.", "No need, thanks.", "Not necessary.", "Don't bother.", "No problem.", "No, nothing.", "Never mind the fee.", "No, I haven't touched it."},
		[]string{"I don't want it anymore.", "Changed my mind.", "I changed my mind, I don't want the lamp after all."},
		[]string{"No, cancel it.", "No, cancel it please.", "No, do it now.", "No, go ahead."}},
	{"Storniere die Bestellung o5.",
		[]string{"Ist sie beschädigt?", "Ist sie schon angekommen?", "Haben Sie den Kassenbon?", "Was ist der Grund?"},
		[]string{"Möchten Sie die Bestellung o5 behalten?", "Soll ich warten?"},
		[]string{"Soll ich die Bestellung o5 stornieren?"},
		[]string{"Nein.", "Nein, danke.", "Nein, noch nicht.", "Nicht nötig."}, []string{"Ich will sie nicht mehr."},
		[]string{"Nein, storniere sie."}},
	{"Annule la commande o5.",
		[]string{"Est-elle endommagée ?", "Est-elle déjà arrivée ?", "Avez-vous le reçu ?"},
		[]string{"Voulez-vous garder la commande o5 ?"}, []string{"Dois-je annuler la commande o5 ?"},
		[]string{"Non.", "Non, merci.", "Non, pas encore."}, nil, []string{"Non, annule-la."}},
	{"Cancela el pedido o5.",
		[]string{"¿Está dañado?", "¿Ha llegado ya?", "¿Tiene el recibo?"},
		[]string{"¿Quiere conservar el pedido o5?"}, []string{"¿Quiere que cancele el pedido o5?"},
		[]string{"No.", "No, gracias.", "No, todavía no."}, nil, []string{"No, cancela el pedido."}},
	{"Annulla l'ordine o5.",
		[]string{"È danneggiato?", "È già arrivato?", "Ha lo scontrino?"},
		[]string{"Vuole tenere l'ordine o5?"}, []string{"Devo annullare l'ordine o5?"},
		[]string{"No.", "No, grazie.", "No, non ancora."}, nil, []string{"No, annulla l'ordine."}},
	{"Cancele a encomenda o5.",
		[]string{"Está danificada?", "Já chegou?", "Tem o recibo?"},
		[]string{"Quer manter a encomenda o5?"}, []string{"Quer que cancele a encomenda o5?"},
		[]string{"Não.", "Não, obrigado.", "Não, ainda não."}, nil, []string{"Não, cancele a encomenda."}},
	{"Annuleer bestelling o5.",
		[]string{"Is hij beschadigd?", "Is hij al aangekomen?", "Heeft u het bonnetje?"},
		[]string{"Wilt u bestelling o5 houden?"}, []string{"Zal ik bestelling o5 annuleren?"},
		[]string{"Nee.", "Nee, bedankt.", "Nee, nog niet."}, nil, []string{"Nee, annuleer bestelling o5."}},
}

// TestNoBesideTheOffer tries to break the law that only a no to an offer of a deed takes the request for it back: a no to a
// question about something else, or of the opposite, never does, and with the deed itself behind it, it is a request.
func TestNoBesideTheOffer(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 73))
	for range drawn.Cases(500) {
		talk := &besideTalks[random.IntN(len(besideTalks))]
		question, no, sort := "", pickOne(random, talk.no...), random.IntN(4)
		switch sort {
		case 0:
			question = pickOne(random, talk.side...)
		case 1:
			question = pickOne(random, talk.opposite...)
		case 2:
			question, no = pickOne(random, talk.opposite...), pickOne(random, talk.yesToOpposite...)
		default:
			question, no = pickOne(random, talk.offers...), talk.no[0]
		}
		if sort == 0 && len(talk.reasons) > 0 && random.IntN(3) == 0 {
			no = pickOne(random, talk.reasons...)
		}
		got := traceLast(t, NoMeans, "cancel_order", `{"order_id":"o5"}`, "u "+talk.ask, "a "+question, "u "+no)
		switch {
		case sort < 2 && got.By == ByNobody, sort == 2 && !got.By.Traced(), sort == 3 && got.By != ByNobody:
			t.Errorf("%q, %q, %q: %s (%s)", talk.ask, question, no, got.By, got.Why)
		}
	}
}
