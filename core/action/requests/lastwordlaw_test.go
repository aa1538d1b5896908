package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// lastWords are the ways to speak of one thing in a language. Each has the thing as %[1]s, and a correction the old thing as %[2]s.
type lastWords struct {
	lang, thing, tool, argument                    string
	request, refusal, permit, correction, mentions []string
}

var lastWordTables = []lastWords{
	{"en", "order %d", "cancel_order", "order", []string{"Cancel %[1]s.", "Please cancel %[1]s.", "Could you cancel %[1]s?", "Why don't you cancel %[1]s?", "I want %[1]s cancelled."},
		[]string{"Don't cancel %[1]s.", "Leave %[1]s alone.", "Please do not cancel %[1]s.", "Hands off %[1]s.", "Never cancel %[1]s."},
		[]string{"You can cancel %[1]s now.", "You may cancel %[1]s after all.", "OK, cancel %[1]s after all."},
		[]string{"Don't cancel %[2]s but cancel %[1]s.", "Cancel %[1]s, not %[2]s.", "Cancel %[1]s and leave %[2]s alone."},
		[]string{"What is in %[1]s?", "Why did you cancel %[1]s?", "I read that you can cancel %[1]s.", "When does %[1]s arrive?"}},
	{"en", "file r%d.txt", "delete_file", "path", []string{"Delete the %[1]s.", "Please delete the %[1]s.", "Would you mind deleting the %[1]s?"},
		[]string{"Don't touch the %[1]s.", "Do not delete the %[1]s.", "Keep your hands off the %[1]s."},
		[]string{"You can delete the %[1]s now.", "You may delete the %[1]s."},
		[]string{"Delete the %[1]s, not the %[2]s.", "Delete the %[1]s but don't delete the %[2]s.", "Don't touch the %[2]s; delete the %[1]s."},
		[]string{"How large is the %[1]s?", "Who wrote the %[1]s?", "I heard that you can delete the %[1]s."}},
	{"de", "Bestellung %d", "bestellung_stornieren", "bestellung", []string{"Storniere %[1]s.", "Bitte storniere %[1]s.", "Kannst du %[1]s stornieren?"},
		[]string{"Storniere %[1]s nicht.", "Lass %[1]s in Ruhe.", "Bitte %[1]s nicht stornieren."},
		[]string{"Du darfst %[1]s jetzt stornieren.", "Du kannst %[1]s jetzt stornieren."},
		[]string{"Storniere %[1]s, aber nicht %[2]s.", "Storniere %[1]s, aber lass %[2]s in Ruhe."},
		[]string{"Was ist in %[1]s?", "Warum hast du %[1]s storniert?", "Ich habe gelesen, dass man %[1]s stornieren kann."}},
	{"fr", "la commande %d", "annuler_commande", "commande", []string{"Annule %[1]s.", "Peux-tu annuler %[1]s ?", "Pourquoi ne pas annuler %[1]s ?"},
		[]string{"N'annule pas %[1]s.", "Ne touche pas à %[1]s."},
		[]string{"Tu peux annuler %[1]s maintenant."},
		[]string{"Annule %[1]s mais ne touche pas à %[2]s.", "Annule %[1]s, pas %[2]s."},
		[]string{"Que contient %[1]s ?", "Pourquoi as-tu annulé %[1]s ?", "J'ai lu qu'on peut annuler %[1]s."}},
	{"es", "el pedido %d", "cancelar_pedido", "pedido", []string{"Cancela %[1]s.", "¿Puedes cancelar %[1]s?", "¿Por qué no cancelas %[1]s?"},
		[]string{"No canceles %[1]s.", "No toques %[1]s."},
		[]string{"Puedes cancelar %[1]s ahora.", "Ya puedes cancelar %[1]s."},
		[]string{"Cancela %[1]s pero no toques %[2]s.", "Cancela %[1]s, no %[2]s."},
		[]string{"¿Qué hay en %[1]s?", "¿Por qué cancelaste %[1]s?", "He leído que se puede cancelar %[1]s."}},
	{"ja", "注文%d", "cancel_order", "order", []string{"%[1]sをキャンセルしてください。", "%[1]sをキャンセルしていただけませんか?"},
		[]string{"%[1]sをキャンセルしないでください。", "%[1]sはそのままにしてください。"},
		[]string{"やっぱり%[1]sをキャンセルしてください。"},
		[]string{"%[2]sはそのままで、%[1]sをキャンセルしてください。"},
		[]string{"%[1]sはいつ届きますか?", "%[1]sはキャンセルできると読みました。"}},
}

// TestLastWordDecides tries to break the law that the user's last word on a thing decides. It draws what he says of two things one
// after the other; the judge keeps for each thing whether he wants the deed, by construction. Who was told to do it is never said to
// act unasked, and where he last forbade it, or never asked, nobody is said to have asked. A pair is so never reversed.
func TestLastWordDecides(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 91))
	cases, open, wrong := 0, 0, map[string]int{}
	for range drawn.Cases(3000) {
		w := &lastWordTables[random.IntN(len(lastWordTables))]
		numbers := [2]int{10 + random.IntN(90), 0}
		for numbers[1] = numbers[0]; numbers[1] == numbers[0]; numbers[1] = 10 + random.IntN(90) {
		}
		var things, values [2]string
		for i, n := range numbers {
			things[i], values[i] = fmt.Sprintf(w.thing, n), fmt.Sprint(n)
			if w.argument == "path" {
				values[i] = fmt.Sprintf(`"r%d.txt"`, n)
			}
		}
		wants, lines, own := [2]bool{}, []string(nil), ""
		for range 1 + random.IntN(4) {
			at := random.IntN(2)
			say := func(forms []string) string {
				return fmt.Sprintf(strings.ReplaceAll(forms[random.IntN(len(forms))], "%", "%"), things[at], things[1-at])
			}
			text := ""
			switch random.IntN(5) {
			case 0:
				text, wants[at] = say(w.request), true
			case 1:
				text, wants[at] = say(w.refusal), false
			case 2:
				text, wants[at] = say(w.permit), true
			case 3:
				text, wants[at], wants[1-at] = say(w.correction), true, false
			default:
				text = say(w.mentions)
			}
			text, _, _ = strings.Cut(text, "%!(EXTRA")
			if own != "" && random.IntN(2) == 0 {
				own += " " + text
				continue
			}
			if own != "" {
				lines = append(lines, "u "+own, "a OK.")
			}
			own = text
		}
		lines = append(lines, "u "+own)
		for at := range values {
			cases++
			got := traceLast(t, NoMeans, w.tool, fmt.Sprintf(`{%q:%s}`, w.argument, values[at]), lines...)
			switch {
			case wants[at] && (got.By == ByNobody || got.By == ByData):
				wrong["asked, but flagged"]++
			case !wants[at] && got.By.Traced():
				wrong["not asked, but fine"]++
			case got.By == Undecided:
				open++
				continue
			default:
				continue
			}
			t.Errorf("%s %s of %q: wanted %v, got %s (%s)", w.tool, values[at], lines, wants[at], got.By, got.Why)
		}
	}
	t.Logf("%d cases, %d open, wrong %v", cases, open, wrong)
	if open*3 > cases {
		t.Errorf("%d of %d cases are left open", open, cases)
	}
}
