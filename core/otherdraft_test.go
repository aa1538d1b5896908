package core_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestOtherDrafts draws a thing that is made and then sent in the place of one call. That is excused only if the id that is
// sent is the one that the making brought, wherever it stands in its result, or if no id is known.
func TestOtherDrafts(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 14))
	for range 200 {
		made, sent := fmt.Sprint("d", 1+r.IntN(3)), fmt.Sprint("d", 1+r.IntN(3))
		result := []obj{{"id": made}, {"draft_id": made, "ok": true}, {"draft": obj{"id": made}}, {"ok": true}}[r.IntN(4)]
		known := len(result) > 1 || result["ok"] == nil
		text := fmt.Sprint("Hello number ", r.IntN(9))
		got := scoreCalls(t, "outcome", [][3]any{{"create_draft", obj{"to": "a@example.org", "body": text}, result}, {"send_draft", obj{"draft_id": sent}, ok}},
			[3]any{"send_email", obj{"to": "a@example.org", "body": text}, nil})
		if flagged := len(got.Violations) > 0; flagged != (known && made != sent) {
			t.Fatalf("%v, and %s was sent: flagged %v", result, sent, flagged)
		}
	}
}
