package machine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestEscalation draws times and people, and decides, denies or answers a call that waits
// for alice alone. Others than alice may exactly if they are named and the time has come, at
// no other call and in no other tenant; and the escalation approves nothing by itself.
func TestEscalation(t *testing.T) {
	p, err := ReadPolicy(`{"expiry":"20m","groups":{"oncall":["ann","ben"]},"escalate":{"after":"5m","to":"oncall"}}`)
	if err != nil {
		t.Fatal(err)
	}
	const began, after, ends = int64(1_700_000_000_000), 5 * 60_000, 20 * 60_000
	rng := rand.New(rand.NewPCG(49, 7))
	noted := 0
	for range drawn.Cases(2000) {
		bound := []string{"alice", "alice", ""}[rng.IntN(3)]
		plan := Propose(p, Ask{By: Principal{Tenant: "t", Name: "bot", Role: Agent, For: bound}, Calls: []proposal.Proposal{{Tool: "cancel_x", Arguments: `{}`}}, IDs: []string{"p_1"}}, began)
		r := plan.Records[0]
		at := began + []int64{0, 1, after - 1, after, after + 1, ends - 1, ends, rng.Int64N(ends)}[rng.IntN(8)]
		if rng.IntN(2) == 0 { // the gate's own housekeeping may come first, at most once
			c := Step([]Record{r}, 0, Event{Kind: Tick}, at)
			if due := at >= began+after && at < began+ends; due != (c.Entry.Event == Escalate) || due && (c.Record.State != Pending || len(c.Record.Votes) > 0 || !strings.Contains(c.Entry.Text, "ann, ben")) {
				t.Fatalf("after %d: %+v", at-began, c.Entry)
			} else if due {
				noted++
				if again := Step([]Record{c.Record}, 0, Event{Kind: Tick}, at); again.Write != nil {
					t.Fatal("escalated twice")
				}
			}
			if c.Write != nil {
				r = c.Record
			}
		}
		who := []string{"alice", "ann", "ben", "carl", "bot"}[rng.IntN(5)]
		e := Event{Kind: Decide, By: Principal{Tenant: "t", Name: who, Role: Approver}, Approve: rng.IntN(2) == 0, Digest: r.Digest}
		if rng.IntN(3) == 0 {
			e.Kind, e.Text = Respond, "ask first"
		}
		named := slices.Contains([]string{"ann", "ben"}, who) && at >= began+after
		want := at < began+ends && (bound == "" || who == bound || named)
		if c := Step([]Record{r}, 0, e, at); (c.Answer.Code == OK) != want {
			t.Fatalf("%s of a call for %q after %d: %+v, want %v", who, bound, at-began, c.Answer, want)
		}
	}
	if noted == 0 {
		t.Error("nothing was escalated")
	}
	for text, part := range map[string]string{`{"escalate":{"after":"5m"}}`: "want after", `{"escalate":{"to":["ann"]}}`: "want after", `{"escalate":{"after":"5m","to":"nobody"}}`: "nobody", `{"escalate":7}`: "want an object"} {
		if _, err := ReadPolicy(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestWaitTimer draws times of an approval, and checks that the call runs from then on after
// the longest wait that a rule for its tool names, and that a yes after the question's own
// time is refused. A claim that comes early changes nothing.
func TestWaitTimer(t *testing.T) {
	p, err := ReadPolicy(`{"expiry":"20m","tools":{"wipe_x":{"wait":"10m"},"wipe_*":{"wait":"2m"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	const began = int64(1_700_000_000_000)
	rng := rand.New(rand.NewPCG(49, 8))
	for range drawn.Cases(500) {
		tool, wait := "wipe_x", int64(10*60_000)
		switch rng.IntN(3) {
		case 0:
			tool, wait = "wipe_y", 2*60_000
		case 1:
			tool, wait = "cancel_x", 0
		}
		plan := Propose(p, Ask{By: Principal{Tenant: "t", Name: "bot", Role: Agent}, Calls: []proposal.Proposal{{Tool: tool, Arguments: `{}`}}, IDs: []string{"p_1"}}, began)
		r := plan.Records[0]
		if r.Expires != began+20*60_000 {
			t.Fatalf("%s expires after %d", tool, r.Expires-began)
		}
		if late := began + 20*60_000 + rng.Int64N(wait+1); Step([]Record{r}, 0, approveEvent(alice, r), late).Answer.Code != Conflict {
			t.Fatalf("a yes %d after the question was taken", late-began)
		}
		yes := began + rng.Int64N(20*60_000)
		c := Step([]Record{r}, 0, Event{Kind: Decide, By: Principal{Tenant: "t", Name: "ann", Role: Approver}, Approve: true, Digest: r.Digest}, yes)
		if c.Answer.Code != OK || p.RunsFrom(&c.Record) != yes+wait {
			t.Fatalf("%s: %+v, runs %d after the yes", tool, c.Answer, p.RunsFrom(&c.Record)-yes)
		}
		more := rng.Int64N(20 * 60_000) // the present policy's wait may be another one
		at := yes + []int64{0, wait - 1, wait, wait + more, r.Expires - yes + wait - 1, r.Expires - yes + wait}[rng.IntN(6)]
		e := claimEvent()
		if rng.IntN(4) == 0 {
			e.From = yes + wait + more
		}
		e.By.Name, e.By.Tenant = "bot", "t"
		want := at >= yes+wait && at >= e.From && at < r.Expires+wait
		got := Step([]Record{c.Record}, 0, e, at)
		if got.Answer.Code == Early {
			told, err := time.Parse("2006-01-02 15:04:05 UTC", strings.TrimSuffix(got.Answer.Text[strings.LastIndex(got.Answer.Text, "from ")+5:], " on"))
			if again := Step([]Record{c.Record}, 0, Event{Kind: Claim, By: e.By, Nonce: e.Nonce, From: e.From}, told.UnixMilli()); err != nil || told.UnixMilli() < r.Expires+wait && again.Answer.Code != OK {
				t.Fatalf("%v: a claim at the time that was told: %+v after %+v", err, again.Answer, got.Answer)
			}
		}
		if ok := got.Answer.Code == OK; ok != want || at < max(yes+wait, e.From) && at < r.Expires+wait && (got.Write != nil || got.Note != nil) || got.Answer.Code == Early && got.Answer.Left != max(yes+wait, e.From)-at {
			t.Fatalf("%s: a claim %d after the yes: %+v, want %v", tool, at-yes, got.Answer, want)
		}
	}
}
