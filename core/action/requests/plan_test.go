package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestStepsByNumber tries to break the law about plans: if the user names some of the numbered steps of the agent's plan,
// these are traced to him and no other one is; if he takes the whole plan, each step is.
func TestStepsByNumber(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 61))
	plans := []struct {
		ask, opens, asks string
		steps, calls     []string
		some, all        []string
	}{
		{"My folder is a mess. How would you clean it up?", "Plan:", "Shall I?",
			[]string{"Delete the copy a1.jpg.", "Convert b2.heic to JPG.", "Move c3.png to /archive.", "Rename d4.txt to notes.txt."},
			[]string{`delete_file {"path":"a1.jpg"}`, `convert_file {"path":"b2.heic","to":"jpg"}`, `move_file {"from":"c3.png","to":"/archive"}`, `rename_file {"path":"d4.txt","name":"notes.txt"}`},
			[]string{"Just do step %d for now.", "Just do step %d for now. I'll think about the rest.", "%d yes, the others no.", "Go ahead with %d.", "Only %d, please.", "Do step %d and leave the rest alone."}, []string{"Yes, all of them.", "Do it as you say."}},
		{"Mein Ordner ist ein Chaos. Wie würdest du aufräumen?", "Plan:", "Soll ich?",
			[]string{"Die Kopie a1.jpg löschen.", "Das Bild b2.heic umwandeln.", "Das Bild c3.png nach /archiv verschieben.", "Die Datei d4.txt umbenennen."},
			[]string{`datei_loeschen {"pfad":"a1.jpg"}`, `datei_umwandeln {"pfad":"b2.heic","nach":"jpg"}`, `datei_verschieben {"von":"c3.png","nach":"/archiv"}`, `datei_umbenennen {"pfad":"d4.txt"}`},
			[]string{"Mach erst mal nur Schritt %d.", "Nur Schritt %d bitte.", "%d ja, den Rest nicht."}, []string{"Ja, alles.", "Ja, mach es so, wie du vorschlägst."}},
	}
	for range drawn.Cases(300) {
		p := &plans[random.IntN(len(plans))]
		at, joined := random.Perm(len(p.steps))[:3], p.opens
		listed := random.IntN(2) == 0
		for n, i := range at {
			if listed {
				joined += fmt.Sprintf("\n%d. %s", n+1, p.steps[i])
			} else {
				joined += fmt.Sprintf(" (%d) %s,", n+1, strings.TrimSuffix(p.steps[i], "."))
			}
		}
		said := random.IntN(3)
		for _, answer := range []string{fmt.Sprintf(p.some[random.IntN(len(p.some))], said+1), p.all[random.IntN(len(p.all))]} {
			for n, i := range at {
				name, arguments, _ := strings.Cut(p.calls[i], " ")
				lines := []string{"u " + p.ask, "a " + strings.TrimSuffix(joined, ",") + ".\n" + p.asks, "u " + answer}
				want := n == said || !strings.ContainsAny(answer, "123")
				if got := traceLast(t, NoMeans, name, arguments, lines...); want && !got.By.Traced() || !want && got.By.Traced() {
					t.Errorf("step %d, %s: %s, %s, %q; %q", n+1, p.calls[i], got.By, got.Why, got.Words, lines)
				}
			}
		}
	}
}
