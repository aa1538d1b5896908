package failure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOwnStateIsSuccess draws results that name a state alone. The state is that of the call's own
// deed, or that of another one, or a further member tells of an error.
func TestOwnStateIsSuccess(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 1))
	states := map[string]string{"decline": "declined", "reject": "rejected", "deny": "denied", "refuse": "refused", "abort": "aborted", "fail": "failed"}
	verbs := []string{"decline", "reject", "deny", "refuse", "abort", "fail", "pay", "ship", "renew", "update"}
	things := []string{"event", "petition", "booking", "shipment", "claim"}
	own, other := 0, 0
	for range 4000 {
		verb, said := verbs[r.IntN(len(verbs))], verbs[r.IntN(6)]
		if r.IntN(2) == 0 && states[verb] != "" {
			said = verb
		}
		thing, word, arguments, broken := things[r.IntN(len(things))], states[said], `{"id":"x1"}`, r.IntN(4) == 0
		isOwn := verb == said
		if verb == "update" && r.IntN(2) == 0 {
			arguments, isOwn = fmt.Sprintf(`{"id":"x1","status":%q}`, word), true
		}
		if r.IntN(4) == 0 { // the model's own words elsewhere prove nothing
			arguments = fmt.Sprintf(`{"id":%q,"note":%q,"tags":[%q]}`, word, word, word)
			isOwn = verb == said
		}
		if r.IntN(3) == 0 {
			word = strings.ToUpper(word)
		}
		text := fmt.Sprintf(`{%q:%q`, []string{"status", "state"}[r.IntN(2)], word)
		if broken {
			text += `,"error":"no right to do this"`
		}
		text += "}"
		if r.IntN(3) == 0 {
			text = fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, text)
		}
		if !Says(text) {
			continue // nothing to take back
		}
		deed := mutation.DeedOf(verb + "_" + thing)
		value, err := jsonval.Parse(arguments)
		if err != nil {
			t.Fatal(err)
		}
		wanted := isOwn && !broken
		if wanted {
			own++
		} else {
			other++
		}
		if got := isOwnState(verb+"_"+thing, &deed, value, text); got != wanted {
			t.Errorf("%s_%s(%s) returned %s: done = %v, wanted %v", verb, thing, arguments, text, got, wanted)
		}
	}
	if own < 300 || other < 300 {
		t.Fatalf("%d own states, %d others", own, other)
	}
}

// TestWordsElsewhereProveNothing draws results that say that a deed failed. A note or a list of the call with this
// word changes nothing, and a state that the call sets is no failure.
func TestWordsElsewhereProveNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 5))
	for range drawn.Cases(2000) {
		name := []string{"pay_invoice", "create_claim", "ship_parcel", "update_case", "book_room"}[r.IntN(5)]
		word := []string{"failed", "rejected", "denied", "blocked", "expired", "skipped"}[r.IntN(6)]
		deed := mutation.DeedOf(name)
		text := []string{fmt.Sprintf(`{"status":%q}`, word), fmt.Sprintf(`{"id":"x1","state":%q}`, word), deed.Object[0] + " " + word + "."}[r.IntN(3)]
		report := func(arguments string) Report {
			value, err := jsonval.Parse(arguments)
			if err != nil {
				t.Fatal(err)
			}
			return reportOf(&deed, value, text)
		}
		plain := report(`{"id":"x1"}`)
		noted := report(fmt.Sprintf([]string{`{"id":"x1","note":"if it was %s, ask"}`, `{"id":"x1","tags":[%q]}`, `{"id":"x1-%s"}`}[r.IntN(3)], word))
		if noted != plain {
			t.Errorf("%s returned %s: %v, and with its word in a note %v", name, text, plain, noted)
		}
		if set := report(fmt.Sprintf(`{"id":"x1","status":%q}`, word)); set != Silent {
			t.Errorf("%s(status=%s) returned %s: %v", name, word, text, set)
		}
	}
}
