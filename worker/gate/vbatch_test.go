//go:build !js

package gate_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// batchMembers returns the calls in the answer to a batch.
func batchMembers(t *testing.T, a answer) []struct{ ID, Decision, Digest, State string } {
	t.Helper()
	var v struct {
		Calls []struct{ ID, Decision, Digest, State string }
	}
	if err := json.Unmarshal([]byte(a.text), &v); err != nil {
		t.Fatal(err)
	}
	return v.Calls
}

// TestV11SiblingsWait checks that no call of a batch can be claimed while another call of
// the batch waits for a decision (threat V11).
func TestV11SiblingsWait(t *testing.T) {
	s := newTestService(t, "")
	calls := batchMembers(t, s.sendProposal(`[{"tool":"get_order","arguments":{}},{"tool":"refund","arguments":{}}]`).assertStatus(t, 202))
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 200) // the same read alone runs at once
	s.sendClaim(calls[0].ID).assertStatus(t, 409, "another call of the batch")
	s.sendDecision(aliceKey, calls[1].ID, calls[1].Digest, false).assertStatus(t, 200)
	s.sendClaim(calls[0].ID).assertStatus(t, 200)
}

// TestV12MixedBatch checks that each call of a batch keeps its id, its place and its own
// decision (threat V12).
func TestV12MixedBatch(t *testing.T) {
	s := newTestService(t, "")
	a := s.sendProposal(`[{"tool":"refund","arguments":{"n":0}},{"tool":"get_a","arguments":{"n":1}},{"tool":"refund","arguments":{"n":2}},{"tool":"get_b","arguments":{"n":3}}]`).assertStatus(t, 202)
	calls := batchMembers(t, a)
	s.sendDecision(aliceKey, calls[2].ID, calls[2].Digest, false).assertStatus(t, 200) // not in the order of the calls
	s.sendDecision(aliceKey, calls[0].ID, calls[0].Digest, true).assertStatus(t, 200)
	got := s.callAPI("GET", "/v1/proposals/"+a.textField("id"), agentKey, "").assertStatus(t, 200)
	want := []string{"approved", "approved", "denied", "approved"}
	last := -1
	for i, c := range batchMembers(t, got) {
		if at := strings.Index(got.text, c.ID); c.ID != calls[i].ID || c.State != want[i] || at < last {
			t.Errorf("call %d: %+v, want %s", i, c, want[i])
		} else {
			last = at
		}
	}
	s.sendClaim(calls[2].ID).assertStatus(t, 409, "denied")
}

// TestV13HandOver checks that a held call is not lost if another call of the same turn
// hands the user over to a human agent (threat V13).
func TestV13HandOver(t *testing.T) {
	turn := []string{"refund", "transfer_to_human_agent"}
	s := newTestService(t, "")
	calls := batchMembers(t, s.sendProposal(`[{"tool":"`+strings.Join(turn, `","arguments":{}},{"tool":"`)+`","arguments":{}}]`).assertStatus(t, 202))
	s.sendDecision(aliceKey, calls[0].ID, calls[0].Digest, true).assertStatus(t, 200)
	for _, c := range calls {
		if s.proposalState(c.ID) == "pending" {
			s.sendDecision(aliceKey, c.ID, c.Digest, true).assertStatus(t, 200)
		}
	}
	for _, c := range calls {
		s.sendClaim(c.ID).assertStatus(t, 200)
	}
}

// TestV14DistinctIDs checks that parallel calls never share an id (threat V14).
func TestV14DistinctIDs(t *testing.T) {
	s := newTestService(t, "")
	seen := map[string]bool{}
	for range 3 {
		for _, c := range batchMembers(t, s.sendProposal("["+strings.TrimSuffix(strings.Repeat(`{"tool":"refund","arguments":{}},`, 64), ",")+"]").assertStatus(t, 202)) {
			seen[c.ID] = true
		}
	}
	if len(seen) != 3*64 {
		t.Errorf("%d ids for %d calls", len(seen), 3*64)
	}
}

// TestV16ResumeHonours checks that an approval can still be claimed after a restart of
// the gate (threat V16).
func TestV16ResumeHonours(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("refund", `{}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.newEmptyService().sendClaim(id).assertStatus(t, 404) // a restart that keeps no data: the claim fails
	again, err := gate.New(s.gate.Options)                 // a restart that keeps only the store
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.gate = again
	s.sendClaim(id).assertStatus(t, 200)
}

// newEmptyService returns a new gate with an empty database, like a gate that lost its
// data in a restart.
func (s *service) newEmptyService() *service {
	s.t.Helper()
	return newTestService(s.t, "")
}

// TestV17OneQueue checks that the page and the API decide about the same queue (threat
// V17). A call that is approved on the page must no longer wait in the API.
func TestV17OneQueue(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("refund", `{}`)
	queue := func() string { return s.callAPI("GET", "/v1/proposals", aliceKey, "").text }
	copied := queue() // a second queue, which no decision reaches
	b := s.signIn(aliceKey)
	if status, _, _ := b.doRequest("POST", "/p/"+id, withFields(b.hiddenFields("/p/"+id), "choice", "approve")); status != 303 {
		t.Fatal(status)
	}
	if !strings.Contains(copied, id) {
		t.Error("the call was never in the queue")
	}
	if s.proposalState(id) != "approved" || strings.Contains(queue(), id) {
		t.Error("page and API disagree")
	}
	s.sendClaim(id).assertStatus(t, 200)
}

// raceCalls calls the given function n times at the same time. It returns how often each
// status was returned.
func raceCalls(n int, call func(i int) int) map[int]int {
	var mu sync.Mutex
	var wait sync.WaitGroup
	got := map[int]int{}
	begin := make(chan struct{})
	for i := range n {
		wait.Go(func() {
			<-begin
			status := call(i)
			mu.Lock()
			defer mu.Unlock()
			got[status]++
		})
	}
	close(begin)
	wait.Wait()
	return got
}

// untilAnswered asks again, after a pause, as long as the gate is too busy to answer. It returns
// the status of the answer.
func untilAnswered(ask func() (status int)) (status int) {
	for tries := range 60 {
		time.Sleep(time.Duration(tries) * 20 * time.Millisecond) // less than the second that Retry-After asks for
		if status = ask(); status != 503 {
			break
		}
	}
	return status
}

// TestClaimRace checks that exactly one of two hundred simultaneous claims of one
// approval succeeds.
func TestClaimRace(t *testing.T) {
	s := newTestService(t, "")
	for range 5 {
		id, digest := s.proposeHeld("refund", `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		claim := func() int { return s.sendClaim(id).status }
		if got := raceCalls(200, func(int) int { return untilAnswered(claim) }); got[200] != 1 || got[409] != 199 {
			t.Errorf("%v", got)
		}
	}
}

// TestDecisionRace checks that exactly one of two opposite simultaneous decisions is
// stored. A call that needs two approvers must get approvals from two different people.
func TestDecisionRace(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire"],"cooldown":"none"}`)
	for range 20 {
		id, digest := s.proposeHeld("refund", `{}`)
		var yes int
		got := raceCalls(2, func(i int) int {
			status := s.sendDecision([]string{aliceKey, bobKey}[i], id, digest, i == 0).status
			if status == 200 {
				yes = i
			}
			return status
		})
		if want := []string{"approved", "denied"}[yes]; got[200] != 1 || got[409] != 1 || s.proposalState(id) != want {
			t.Errorf("%v %s", got, s.proposalState(id))
		}
		id, digest = s.proposeHeld("wire", `{}`)
		if got := raceCalls(2, func(i int) int { return s.sendDecision([]string{aliceKey, bobKey}[i], id, digest, true).status }); got[200] != 2 || s.proposalState(id) != "approved" {
			t.Errorf("four eyes: %v %s", got, s.proposalState(id))
		}
		id, digest = s.proposeHeld("wire", `{}`)
		if got := raceCalls(8, func(int) int { return s.sendDecision(aliceKey, id, digest, true).status }); got[200] != 1 || s.proposalState(id) != "pending" {
			t.Errorf("one pair of eyes eight times: %v %s", got, s.proposalState(id))
		}
	}
}

// TestExpiryRace checks that at most one of many simultaneous claims succeeds while an
// approval expires. After that, no claim may succeed.
func TestExpiryRace(t *testing.T) {
	s := newTestService(t, `{"expiry":"5s"}`)
	for range 10 {
		id, digest := s.proposeHeld("refund", `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		got := raceCalls(20, func(i int) int {
			if i == 7 {
				s.now.Add(5000)
			}
			return s.sendClaim(id).status
		})
		if state := s.proposalState(id); got[200] > 1 || got[200] == 1 && state != "claimed" || got[200] == 0 && state != "expired" {
			t.Errorf("%v %s", got, state)
		}
	}
}

// TestClaimMany checks that exactly one of a thousand simultaneous claims of one approval
// succeeds.
func TestClaimMany(t *testing.T) {
	s := newTestService(t, "")
	for range drawn.Cases(2) {
		id, digest := s.proposeHeld("refund", `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		got := raceCalls(1000, func(int) int {
			return untilAnswered(func() int { return askGate(s.gate, "POST", "/v1/proposals/"+id+"/claim", agentKey, "").status })
		})
		if got[200] != 1 || got[409] != 999 {
			t.Fatalf("%v", got)
		}
	}
}

// TestDeniedBatchSaysSo checks that no call of a turn with a denied call says that it may run,
// for a client that looks at each call.
func TestDeniedBatchSaysSo(t *testing.T) {
	s := newTestService(t, `{"tools":{"nope_tool":{"deny":"never"}}}`)
	for _, other := range []string{"get_order", "update_order"} {
		a := s.sendProposal(`[{"tool":"`+other+`","arguments":{}},{"tool":"nope_tool","arguments":{}}]`).assertStatus(t, 403, `"decision":"deny","index":0,"reason":"another call of the turn is denied"`)
		if strings.Contains(a.text, `"decision":"allow"`) || strings.Contains(a.text, `"decision":"confirm"`) {
			t.Error(a.text)
		}
	}
}

// TestRememberWithoutDestructive checks that a rule that could never apply is an error, and that
// the API says what a rule is missing.
func TestRememberWithoutDestructive(t *testing.T) {
	for tool, valid := range map[string]bool{"cancel_order": false, "delete_x": false, "close_order": true, "add_x": true} {
		_, err := machine.ReadPolicy(`{"remember":[{"name":"r","tool":"` + tool + `","within":"1h"}]}`)
		if (err == nil) != valid || !valid && !strings.Contains(err.Error(), "want destructive: true") {
			t.Errorf("%s: %v", tool, err)
		}
		if _, err = machine.ReadPolicy(`{"remember":[{"name":"r","tool":"` + tool + `","within":"1h","destructive":true}]}`); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
	s := newTestService(t, `{"remember":[{"name":"r","tool":"close_x","within":"1h"}]}`)
	a := s.sendProposal(`{"tool":"close_x","arguments":{"n":1},"session":"s","tools":[{"name":"close_x","annotations":{"destructiveHint":true}}]}`).assertStatus(t, 202)
	s.remember(a.textField("id"), a.textField("digest"), "", 600_000).assertStatus(t, 403, "has not destructive: true")
}
