package requests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// indirect are sentences of one language about paying the bill: those that ask for it, although they give no order, and
// those that ask for nothing.
type indirect struct{ asks, states []string }

var indirects = []indirect{
	{[]string{"I need the bill paid.", "I'd like the bill of Mr Hale paid today.", "I want the bill paid before noon.", "The bill should be paid today."}, []string{"A colleague has the bill and will pay it.", "Anna wrote what to pay.", "Bill B-7, it should have been here last week."}},
	{[]string{"Die Rechnung soll heute bezahlt werden.", "Die Rechnung muss noch bezahlt werden.", "Wenn alles stimmt, bezahlst du die Rechnung."}, []string{"Die Rechnung wurde gestern bezahlt.", "Anna schrieb, welche Rechnung zu bezahlen ist."}},
	{[]string{"La facture doit être payée aujourd'hui.", "Si tout est bon, tu la paies, la facture.", "La facture peut être réglée."}, []string{"La facture était déjà là."}},
	{[]string{"La factura debe ser pagada hoy.", "Mira la factura y, si está bien, la pagas."}, []string{"Ana escribió que pagar."}},
	{[]string{"La fattura va pagata oggi.", "La fattura deve essere pagata.", "Se va bene, la paghi, la fattura."}, []string{"La fattura era qui ieri."}},
	{[]string{"De rekening mag betaald worden.", "De rekening moet vandaag betaald worden."}, []string{"De rekening lag er gisteren al."}},
}

var questions = [6]string{"How much is it?", "Wie viel ist es?", "C'est combien ?", "¿Cuánto es?", "Quanto è?", "Hoeveel is het?"}

// TestIndirectAsks tries to break the law about wishes in six languages: a sentence that says that something must be
// done, is wanted done, or what the agent then does asks for it, and one that says what is so, or what others do, does not.
func TestIndirectAsks(t *testing.T) {
	random := rand.New(rand.NewPCG(59, 2))
	for range drawn.Cases(400) {
		lang, asks := random.IntN(len(indirects)), random.IntN(2) == 0
		list := indirects[lang].states
		if asks {
			list = indirects[lang].asks
		}
		said := []string{list[random.IntN(len(list))], questions[lang]}
		if random.IntN(2) == 0 {
			slices.Reverse(said)
		}
		line := "u " + strings.Join(said, " ")
		if got := traceLast(t, NoMeans, "pay_bill", `{"bill":"B-7"}`, line); got.By.Traced() != asks || asks && got.By != ByUser {
			t.Fatalf("%s (%s), want asked %v\n%s", got.By, got.Why, asks, line)
		}
	}
}

// TestStepsOfAPlan tries to break the law about plans: of the steps of a plan, only those are asked for whose numbers the
// user named.
func TestStepsOfAPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(59, 3))
	steps := []struct{ words, name, arguments string }{
		{"send the notice to all customers", "send_notice", `{"shop":"old"}`}, {"cancel the contract", "cancel_contract", `{"shop":"old"}`},
		{"pay the invoice", "pay_invoice", `{"shop":"old"}`},
	}
	offers := []string{"Shall I do it like that?", "All right?", "Is that OK?"}
	yes := []string{"Go ahead with %s.", "Do %s please.", "Only %s.", "ok, just %s for now", "Yes, but only %s."}
	for range drawn.Cases(400) {
		order := random.Perm(len(steps))
		plan := "I would do this:\n"
		for i, k := range order {
			plan += fmt.Sprintf("%d. %s\n", i+1, steps[k].words)
		}
		n := 1 + random.IntN(2)
		var taken []string
		for _, i := range random.Perm(len(steps))[:n] {
			taken = append(taken, fmt.Sprint(i+1))
		}
		slices.Sort(taken)
		numbers := strings.Join(taken, " and ")
		lines := []string{"u How do we close the old shop?", "a " + plan + offers[random.IntN(len(offers))], "u " + fmt.Sprintf(yes[random.IntN(len(yes))], numbers)}
		for i, k := range order {
			want := slices.Contains(taken, fmt.Sprint(i+1))
			if got := traceLast(t, NoMeans, steps[k].name, steps[k].arguments, lines...); got.By.Traced() != want {
				t.Fatalf("%s: %s (%s), want %v\n%s", steps[k].name, got.By, got.Why, want, strings.Join(lines, "\n"))
			}
		}
	}
}
