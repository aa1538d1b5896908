package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestClosedRequests checks that a request which was carried out on what it names asks for no deed of the same tool on
// another thing, which the user only asked about later; and that the trace of one for which he asked later is to
// the later message.
func TestClosedRequests(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 3))
	deeds := []struct{ tool, key, ask, first, second string }{
		{"cancel_order", "order_id", "Cancel order %s.", "5512", "5513"},
		{"refund_order", "order_id", "Refund order %s, please.", "W-71", "W-72"},
		{"delete_file", "name", "Delete file %s.", "a.txt", "b.txt"},
		{"delete_file", "name", "Lösche die Datei %s.", "a.txt", "b.txt"},
		{"send_email", "to", "Email %s the agenda.", "Ann", "Bob"},
		{"pay", "to", "Pay 20 to %s.", "Ann", "Bob"},
		{"cancel_order", "order_id", "Annule la commande %s.", "5512", "5513"},
	}
	knows := []string{"Thanks. Has %s arrived already?", "How big is %s?", "Where is %s today?", "Wie groß ist %s?", "Où est %s maintenant ?"}
	asks := []string{"And %s too.", "The same for %s, please.", "Auch %s bitte."}
	for range drawn.Cases(300) {
		x := deeds[random.IntN(len(deeds))]
		lines := []string{"u " + fmt.Sprintf(x.ask, x.first), `d {"status":"ok"}`, "a Done."}
		if random.IntN(2) == 0 {
			lines = append(lines, "u Thanks!", "a You are welcome.")
		}
		wanted := random.IntN(2) == 0
		later := knows[random.IntN(len(knows))]
		if wanted {
			later = asks[random.IntN(len(asks))]
		}
		lines = append(lines, "u "+fmt.Sprintf(later, x.second))
		texts := newChat(lines...)
		r := NewReader(texts, nil, NoMeans, nil)
		call := func(value string, before int) Trace {
			return r.Trace(&Action{Call: newCall(t, x.tool, fmt.Sprintf(`{%q:%q}`, x.key, value)), Before: before, Sure: true, Result: `{"status":"ok"}`})
		}
		first, second := call(x.first, 1), call(x.second, len(texts))
		if first.By != ByUser || first.Text != 0 {
			t.Fatalf("the first: %+v\n%s", first, strings.Join(lines, "\n"))
		}
		if second.By.Traced() != wanted || wanted && second.Text != len(texts)-1 {
			t.Fatalf("wanted %v: %+v\n%s", wanted, second, strings.Join(lines, "\n"))
		}
	}
}
