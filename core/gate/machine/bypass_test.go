package machine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestBypass draws calls that need one or two people, or others, and bypasses of all sorts of
// people. A bypass approves exactly if the policy names the person, with a reason and the
// digest of what waits; its entry says so. Without the word, nothing changes.
func TestBypass(t *testing.T) {
	p, err := ReadPolicy(`{"fourEyes":["wire_x"],"groups":{"chiefs":["ann"]},"bypass":"chiefs","rules":[{"name":"money","tool":"pay_x","effect":"hold","people":2,"from":["ben","carl"]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	const began = int64(1_700_000_000_000)
	rng := rand.New(rand.NewPCG(49, 10))
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	passed := 0
	for range drawn.Cases(2000) {
		ask := Ask{By: Principal{Tenant: "t", Name: pick("bot", "bot", "ann"), Role: Agent, For: pick("", "dora")}, Calls: []proposal.Proposal{{Tool: pick("wire_x", "pay_x", "cancel_x"), Arguments: `{}`}}, IDs: []string{"p_1"}}
		r := Propose(p, ask, began).Records[0]
		if rng.IntN(4) == 0 {
			r.State = Approved
		}
		e := Event{Kind: Decide, By: Principal{Tenant: "t", Name: pick("ann", "ann", "ben", "dora"), Role: Role(pick("approver", "approver", "approver", "agent", "conversation"))}, Approve: rng.IntN(5) > 0, Bypass: rng.IntN(5) > 0, Digest: pick(r.Digest, r.Digest, r.Digest, "x"), Text: pick("it burns", "it burns", " ", "")}
		c := Step([]Record{r}, 0, e, began+1)
		if !e.Bypass {
			if c.Record.State == Approved && r.State == Pending && r.Needs > 1 || c.Entry.Event == Bypass {
				t.Fatalf("%+v of %+v: %+v", e, r, c)
			}
			continue
		}
		want := e.By.Role == Approver && e.By.Name == "ann" && ask.By.Name != "ann" && r.State == Pending && e.Approve && e.Digest == r.Digest && strings.TrimSpace(e.Text) != ""
		if got := c.Answer.Code == OK; got != want || got && (c.Record.State != Approved || c.Entry.Event != Bypass || c.Entry.Text != e.Text || !c.Record.Votes[0].Bypass) || !got && c.Write != nil {
			t.Fatalf("%+v of %+v: %+v, want %v", e, r, c, want)
		}
		if want {
			passed++
		}
	}
	if passed == 0 {
		t.Error("nobody could")
	}
}
