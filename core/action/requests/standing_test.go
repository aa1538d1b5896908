package requests

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// house are the words of one language in which a hotel instructs its assistant: on a condition, always, and with an
// exclusion; what guests say about it and beside it; and the deeds, in the order of houseDeeds.
type house struct {
	when, always, excludes []string
	shows, question        string
	deeds                  [3]string
}

var houses = []house{
	{[]string{"When a guest mentions the heating, %s.", "Whenever guests complain about the heating, %s.", "If the heating is out of order, %s."}, []string{"After each answer, %s.", "Always %s before you answer."}, []string{"Only if the manager agrees, %s.", "Never %s on your own."}, "The heating is cold.", "Until when is the bar open?", [3]string{"create a ticket", "send a text", "block the card"}},
	{[]string{"Wenn ein Gast die Heizung erwähnt, %s.", "Erwähnt ein Gast die Heizung, so %s.", "Sobald jemand von der Heizung spricht, %s."}, []string{"Nach jeder Antwort %s.", "Immer vor der Antwort: %s."}, []string{"Nur, wenn die Leitung zustimmt, %s."}, "Die Heizung ist kalt.", "Bis wann hat die Bar offen?", [3]string{"erstelle ein Ticket", "sende eine SMS", "sperre die Karte"}},
	{[]string{"Dès qu'un client parle du chauffage, %s.", "Si un client signale le chauffage, %s."}, []string{"Après chaque réponse, %s."}, []string{"Seulement si la direction est d'accord, %s."}, "Le chauffage est froid.", "Jusqu'à quelle heure le bar est-il ouvert ?", [3]string{"crée un ticket", "envoie un SMS", "bloque la carte"}},
	{[]string{"Cuando un huésped hable de la calefacción, %s.", "Si alguien menciona la calefacción, %s."}, []string{"Después de cada respuesta, %s."}, []string{"Solo si la dirección está de acuerdo, %s."}, "La calefacción está fría.", "¿Hasta qué hora está abierto el bar?", [3]string{"crea un ticket", "envía un SMS", "bloquea la tarjeta"}},
	{[]string{"Quando un ospite parla del riscaldamento, %s.", "Se un cliente segnala il riscaldamento, %s."}, []string{"Dopo ogni risposta, %s."}, []string{"Solo se la direzione è d'accordo, %s."}, "Il riscaldamento è freddo.", "Fino a che ora è aperto il bar?", [3]string{"crea un ticket", "invia un SMS", "blocca la carta"}},
	{[]string{"Als een gast de verwarming noemt, %s.", "Noemt een gast de verwarming, %s."}, []string{"Na elke vraag: %s."}, []string{"Alleen als de leiding akkoord is, %s."}, "De verwarming is koud.", "Tot hoe laat is de bar open?", [3]string{"maak een ticket", "stuur een sms", "blokkeer de kaart"}},
}

var houseDeeds = [3][2]string{{"create_ticket", `{"room":"214"}`}, {"send_sms", `{"to":"+1 555 0142"}`}, {"block_card", `{"card":"214-A"}`}}

// TestStandingNeedsItsCondition tries to break the law of standing instructions in six languages: one asks for a deed
// where it holds always or its condition is shown, perhaps where nothing shows it, and never where it excludes.
func TestStandingNeedsItsCondition(t *testing.T) {
	random := rand.New(rand.NewPCG(59, 1))
	for range drawn.Cases(600) {
		h := &houses[random.IntN(len(houses))]
		k := random.IntN(len(houseDeeds))
		form, shown := random.IntN(3), random.IntN(2) == 0
		list := [3][]string{h.when, h.always, h.excludes}[form]
		lines := []string{"s " + strings.Replace(list[random.IntN(len(list))], "%s", h.deeds[k], 1), "u " + h.question}
		if shown {
			lines[1] = "u " + h.shows + " " + h.question
		}
		want := []By{ByDeveloper}
		switch {
		case form == 2:
			want = []By{ByNobody, Undecided}
		case form == 0 && !shown:
			want = []By{Undecided}
		}
		got := traceLast(t, NoMeans, houseDeeds[k][0], houseDeeds[k][1], lines...)
		if got.By != want[0] && got.By != want[len(want)-1] {
			t.Fatalf("%s: %s (%s), want %v\n%s", houseDeeds[k][0], got.By, got.Why, want, strings.Join(lines, "\n"))
		}
	}
}
