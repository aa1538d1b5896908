//go:build !js

package gate_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestFront takes one call through the functions that a proxy in the same process calls:
// Admit, Propose, Settle, Claim and Report.
func TestFront(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Rate, o.Burst = 1, 2 })
	ctx := context.Background()
	r := httptest.NewRequest("POST", "/v1/chat/completions", nil)
	r.Host = "localhost"
	if _, _, refusal := s.gate.Admit(r); refusal == nil || refusal.Status != 401 {
		t.Fatalf("without a key: %+v", refusal)
	}
	r.Header.Set("Authorization", "Bearer "+agentKey)
	_, who, refusal := s.gate.Admit(r)
	if refusal != nil || who != bot {
		t.Fatal(who, refusal)
	}
	s.gate.Admit(r)
	if _, _, refusal := s.gate.Admit(r); refusal == nil || refusal.Status != 429 || refusal.Retry == 0 {
		t.Errorf("over the rate: %+v", refusal)
	}
	plan, err := s.gate.Propose(ctx, machine.Ask{By: who, Calls: []proposal.Proposal{{Tool: "refund", Arguments: `{"n":1}`}}})
	if err != nil || plan.Verdict != proposal.Confirm {
		t.Fatal(plan, err)
	}
	id := plan.Records[0].ID
	if _, a, err := s.gate.Claim(ctx, who, id); err != nil || a.Code != machine.Conflict {
		t.Error("claimed undecided", a, err)
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if all, err := s.gate.Settle(short, "t", []string{id}, nil); err != nil || all[0].State != machine.Pending {
		t.Error(all, err)
	}
	go s.gate.Apply(ctx, "t", id, machine.Event{Kind: machine.Decide, By: alice, Approve: true, Digest: plan.Records[0].Digest})
	if all, err := s.gate.Settle(ctx, "t", []string{id}, nil); err != nil || all[0].State != machine.Approved {
		t.Fatal(all, err)
	}
	if r, a, err := s.gate.Claim(ctx, who, id); err != nil || a.Code != machine.OK || r.Arguments != `{"n":1}` {
		t.Error(r, a, err)
	}
	if _, a, _ := s.gate.Claim(ctx, who, id); a.Code != machine.Conflict {
		t.Error("claimed twice")
	}
	if r, a, err := s.gate.Report(ctx, who, id, machine.Executed, "seen", ""); err != nil || a.Code != machine.OK || r.State != machine.Executed {
		t.Error(r, a, err)
	}
}

// TestTurns checks the stored turns of conversations. A principal must find its own turns
// by their keys. The turns that a person may still answer are counted, and old turns are
// deleted.
func TestTurns(t *testing.T) {
	s, _ := open(t)
	ctx := context.Background()
	put := func(who string, turn store.Turn) {
		t.Helper()
		if err := s.PutTurn(ctx, "t", who, turn, start); err != nil {
			t.Fatal(err)
		}
	}
	put("bot", store.Turn{Key: "a", Session: "s", Open: start + 10, Value: "1"})
	put("bot", store.Turn{Key: "b", Session: "s", Open: start + 20, Value: "2"})
	put("bot2", store.Turn{Key: "a", Session: "s", Open: start + 20, Value: "3"})
	open := func(now int64, want int) {
		t.Helper()
		if n, err := s.OpenTurns(ctx, "t", "bot", "s", now); err != nil || n != want {
			t.Errorf("%d open, want %d: %v", n, want, err)
		}
	}
	open(start, 2)
	open(start+10, 1)
	put("bot", store.Turn{Key: "b", Session: "s", Value: "settled"})
	open(start, 1)
	all, err := s.Turns(ctx, "t", "bot", []string{"b", "c"})
	if err != nil || len(all) != 1 || all[0].Value != "settled" || all[0].Open != 0 {
		t.Error(all, err)
	}
	put("bot", store.Turn{Key: "response 1", Value: "[1]"})
	put("bot", store.Turn{Key: "response 2", Session: "response 1", Value: "[2]"})
	put("bot2", store.Turn{Key: "response 3", Session: "response 2", Value: "[3]"})
	upTo := func(who, key string, most int, want ...string) {
		t.Helper()
		if got, err := s.TurnsUpTo(ctx, "t", who, key, most); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s of %s: %q, want %q: %v", key, who, got, want, err)
		}
	}
	upTo("bot", "response 2", 9, "[1]", "[2]")
	upTo("bot", "response 1", 9, "[1]")
	upTo("bot", "response 2", 1) // the first is over the limit
	upTo("bot", "response 3", 9)
	upTo("bot2", "response 3", 9) // of another agent
	upTo("bot", "", 9)
	if err := s.ForgetChained(ctx, start); err != nil {
		t.Fatal(err)
	}
	upTo("bot", "response 2", 9, "[1]", "[2]")
	if err := s.ForgetChained(ctx, start+1); err != nil {
		t.Fatal(err)
	}
	upTo("bot", "response 2", 9)
	open(start, 1)
	if err := s.ForgetTurns(ctx, start+1); err != nil {
		t.Fatal(err)
	}
	open(start, 0)
}
