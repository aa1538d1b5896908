package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// thing is something that a drawn conversation is about.
type thing struct{ id, name string }

// talk is a drawn conversation, and which things may be cancelled at its end. It is an independent,
// simple program for what withdrawals and consent mean: it knows what each line means because it
// chose it, and reads no words.
type talk struct {
	lines  []string
	wanted map[string]bool
}

// phrases of one language: to ask for one thing, to ask for all, to offer, to agree, to refuse, and to take
// everything back.
type phrases struct{ one, both, offer, yes, no, back, aside string }

var tongues = []phrases{
	{"Cancel %s, please.", "Cancel %s and %s.", "Shall I cancel %s?", "Yes, please.", "No, thanks.", "Never mind.", "What time is it?"},
	{"Storniere bitte %s.", "Storniere %s und %s.", "Soll ich %s stornieren?", "Ja, gerne.", "Nein, danke.", "Lass es.", "Wie spät ist es?"},
	{"Annule %s, s'il te plaît.", "Annule %s et %s.", "Dois-je annuler %s ?", "Oui, volontiers.", "Non, merci.", "Laisse tomber.", "Quelle heure est-il ?"},
	{"Cancela %s, por favor.", "Cancela %s y %s.", "¿Debo cancelar %s?", "Sí, claro.", "No, gracias.", "Déjalo.", "¿Qué hora es?"},
	{"Annulla %s, per favore.", "Annulla %s e %s.", "Devo annullare %s?", "Sì, certo.", "No, grazie.", "Lascia stare.", "Che ore sono?"},
}

func drawTalk(random *rand.Rand, p *phrases, things []thing) *talk {
	t := &talk{wanted: map[string]bool{}}
	say := func(who byte, format string, args ...any) {
		t.lines = append(t.lines, string(who)+" "+fmt.Sprintf(format, args...))
	}
	for range 1 + random.IntN(5) {
		x := things[random.IntN(len(things))]
		y := things[(random.IntN(len(things)-1)+1+indexOf(things, x))%len(things)]
		switch random.IntN(5) {
		case 0:
			say('u', p.one, x.id)
			t.wanted[x.id] = true
		case 1:
			say('u', p.both, x.id, y.id)
			t.wanted[x.id], t.wanted[y.id] = true, true
		case 2:
			say('a', p.offer, x.id)
			if random.IntN(2) == 0 {
				say('u', "%s", p.yes)
				t.wanted[x.id] = true
			} else {
				say('u', "%s", p.no)
				t.wanted = map[string]bool{} // a no to the last question takes back what was open
			}
		case 3:
			say('a', "Ok.")
			say('u', "%s", p.back)
			t.wanted = map[string]bool{}
		default:
			say('u', "%s", p.aside)
		}
	}
	return t
}

func indexOf(things []thing, x thing) int {
	for i := range things {
		if things[i] == x {
			return i
		}
	}
	return -1
}

// TestWithdrawnIsNotAsked tries to break the law about withdrawals and consent with drawn conversations
// in five languages: what was never asked for, or was taken back, or was refused, is not traced to the
// user, and what is still wanted is not said to be asked for by nobody.
func TestWithdrawnIsNotAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 1))
	things := []thing{{"W-11", "lamp"}, {"W-12", "chair"}, {"W-13", "desk"}}
	for range drawn.Cases(600) {
		p := &tongues[random.IntN(len(tongues))]
		chat := drawTalk(random, p, things)
		texts := newChat(chat.lines...)
		for _, x := range things {
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", `{"order_id":"`+x.id+`"}`), Before: len(texts), Sure: true})
			if wanted := chat.wanted[x.id]; wanted && got.By == ByNobody || !wanted && got.By.Traced() {
				t.Fatalf("%s, wanted %v: %s (%s %q)\n%s", x.id, wanted, got.By, got.Why, got.Words, strings.Join(chat.lines, "\n"))
			}
		}
	}
}

// TestSystemTextAsksNothing checks that instructions that ask for nothing, such as today's date, change
// no trace of a drawn conversation.
func TestSystemTextAsksNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 2))
	things := []thing{{"W-11", "lamp"}, {"W-12", "chair"}, {"15", "desk"}}
	idle := []string{"s Today is Thursday, 15 January 2026.", "s Heute ist der 15. Januar 2026.", "s You are a personal assistant.", "s The current time is 2026-01-15 12:11."}
	for range drawn.Cases(400) {
		p := &tongues[random.IntN(len(tongues))]
		chat := drawTalk(random, p, things)
		plain := newChat(chat.lines...)
		dated := append(newChat(idle[random.IntN(len(idle))]), plain...)
		for _, x := range things {
			call := newCall(t, "cancel_order", `{"order_id":"`+x.id+`"}`)
			trace := func(texts []provenance.Text) By {
				return NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: call, Before: len(texts), Sure: true}).By
			}
			if a, b := trace(plain), trace(dated); a != b {
				t.Fatalf("%s: %s, with instructions %s\n%s\n%s", x.id, a, b, dated[0].Text, strings.Join(chat.lines, "\n"))
			}
		}
	}
}

// deedOf is a deed of a drawn conversation: how one asks for it in five languages, and the call.
type deedOf struct {
	asks            [5]string
	name, arguments string
}

// TestFurtherNeedsWords tries to break the law about a request that was carried out with drawn
// conversations in five languages: a deed of another kind on another thing is not traced to it, and one
// that was asked for, too, is not said to be asked for by nobody.
func TestFurtherNeedsWords(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 3))
	deeds := []deedOf{
		{[5]string{"Cancel the order W-11.", "Storniere die Bestellung W-11.", "Annule la commande W-11.", "Cancela el pedido W-11.", "Annulla l'ordine W-11."}, "cancel_order", `{"id":"W-11"}`},
		{[5]string{"Send the report to ann@firm.example.", "Sende den Bericht an ann@firm.example.", "Envoie le rapport à ann@firm.example.", "Envía el informe a ann@firm.example.", "Invia il rapporto a ann@firm.example."}, "send_report", `{"to":"ann@firm.example"}`},
		{[5]string{"Pay the bill B-7.", "Bezahle die Rechnung B-7.", "Paie la facture B-7.", "Paga la factura B-7.", "Paga la fattura B-7."}, "pay_bill", `{"id":"B-7"}`},
		{[5]string{"Block the card C-3.", "Sperre die Karte C-3.", "Bloque la carte C-3.", "Bloquea la tarjeta C-3.", "Blocca la carta C-3."}, "block_card", `{"id":"C-3"}`},
		{[5]string{"Delete the photo P-9.", "Lösche das Foto P-9.", "Supprime la photo P-9.", "Borra la foto P-9.", "Elimina la foto P-9."}, "delete_photo", `{"id":"P-9"}`},
	}
	asides := [5][]string{{"Thanks!", "What time is it?"}, {"Danke!", "Wie spät ist es?"}, {"Merci !", "Quelle heure est-il ?"}, {"¡Gracias!", "¿Qué hora es?"}, {"Grazie!", "Che ore sono?"}}
	nobody := 0
	for range drawn.Cases(600) {
		lang := random.IntN(len(asides))
		at := random.Perm(len(deeds))
		wanted, further := &deeds[at[0]], &deeds[at[1]]
		lines, both := []string{"u " + wanted.asks[lang]}, random.IntN(2) == 0
		if both {
			lines[0] += " " + further.asks[lang]
		}
		if random.IntN(2) == 0 {
			lines = append(lines, "a Ok.", "u "+asides[lang][random.IntN(2)])
		}
		texts := newChat(lines...)
		r := NewReader(texts, nil, NoMeans, nil)
		r.Trace(&Action{Call: newCall(t, wanted.name, wanted.arguments), Before: 1, Sure: true})
		got := r.Trace(&Action{Call: newCall(t, further.name, further.arguments), Before: len(texts), Sure: true})
		if both && got.By != ByUser || !both && got.By.Traced() {
			t.Fatalf("%s after %s, asked for %v: %s (%s)\n%s", further.name, wanted.name, both, got.By, got.Why, strings.Join(lines, "\n"))
		}
		if got.By == ByNobody {
			nobody++
		}
	}
	if nobody < drawn.Cases(600)/4 {
		t.Errorf("only %d further deeds are said to be asked for by nobody", nobody)
	}
}
