package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestStep applies events to a record. The events are written as words such as "yes" and
// "take". The test checks the result code of the last event, and the state of the record
// after it.
func TestStep(t *testing.T) {
	p := mustReadPolicy(t, `{"fourEyes":["cancel_both"],"expiry":"10m","outcomeWithin":"5m"}`)
	fresh := func(call string) []Record { return askCalls(t, p, call).Records }
	check := func(call, script string, code Code, state State) {
		t.Helper()
		batch := fresh(call)
		var c Change
		for _, word := range strings.Fields(script) {
			now := start
			r := batch[0]
			e := Event{}
			switch word {
			case "yes":
				e = approveEvent(alice, r)
			case "yes2":
				e = approveEvent(bob, r)
			case "self":
				e = approveEvent(Principal{Tenant: "t", Name: "bot", Role: Approver}, r)
			case "no":
				e = denyEvent(alice, r)
			case "agentyes":
				e = approveEvent(agent, r)
			case "foreign":
				e = approveEvent(Principal{Tenant: "u", Name: "alice", Role: Approver}, r)
			case "wrong":
				e = approveEvent(alice, Record{Digest: "sha256:00"})
			case "take":
				e = claimEvent()
			case "taker":
				e = Event{Kind: Claim, By: Principal{Tenant: "t", Name: "bot2", Role: Agent}, Nonce: nonce}
			case "aliceclaims":
				e = Event{Kind: Claim, By: alice, Nonce: nonce}
			case "ok":
				e = reportEvent(Executed)
			case "bad":
				e = reportEvent(Failed)
			case "dunno":
				e = reportEvent(Ambiguous)
			case "lie":
				e = Event{Kind: Report, By: agent, Nonce: nonce + "x", Status: Executed}
			case "odd":
				e = reportEvent(Approved)
			case "cancel":
				e = Event{Kind: Cancel, By: agent}
			case "late", "lateyes", "latetake":
				now = r.Expires
				e = map[string]Event{"late": {Kind: Tick}, "lateyes": approveEvent(alice, r), "latetake": claimEvent()}[word]
			case "lost", "lateok":
				now = r.Claim.Until
				e = map[string]Event{"lost": {Kind: Tick}, "lateok": reportEvent(Executed)}[word]
			case "back":
				now = r.At - 60_000
				e = approveEvent(alice, r)
			case "restart":
				e = Event{Kind: Recover}
			case "revoke":
				e = Event{Kind: Revoke, By: bob, Text: "wrong order"}
			case "botrevoke":
				e = Event{Kind: Revoke, By: agent}
			case "foreignrevoke":
				e = Event{Kind: Revoke, By: Principal{Tenant: "u", Name: "alice", Role: Approver}}
			case "laterevoke":
				e, now = Event{Kind: Revoke, By: alice}, r.Expires
			case "cold":
				e = claimEvent()
				e.Frozen = "frozen by alice"
			case "what":
				e = Event{Kind: "what", By: agent}
			}
			c = Step(batch, 0, e, now)
			if (c.Write != nil) != (c.Record.Rev != r.Rev) || c.Write == nil && c.Record.State != r.State {
				t.Fatalf("%s: %s: a change and its write differ: %+v", script, word, c)
			}
			batch[0] = c.Record
		}
		if c.Answer.Code != code || c.Record.State != state || (code != OK) != (c.Answer.Text != "") {
			t.Errorf("%s: %s: %+v, state %s; want %d, %s", call, script, c.Answer, c.Record.State, code, state)
		}
	}
	const one, two = `cancel_order {"id":1}`, `cancel_both {}`
	check(one, "yes", OK, Approved)
	check(one, "no", OK, Denied)
	check(one, "yes take ok", OK, Executed)
	check(one, "yes take bad", OK, Failed)
	check(one, "yes take dunno", OK, Ambiguous)
	check(one, "take", Conflict, Pending)
	check(one, "no take", Conflict, Denied)
	check(one, "no yes", Conflict, Denied)
	check(one, "yes no", Conflict, Approved)
	check(one, "yes yes2", Conflict, Approved)
	check(one, "yes take take", Conflict, Claimed)
	check(one, "yes take ok take", Conflict, Executed)
	check(one, "yes take ok bad", Conflict, Executed)
	check(one, "wrong", Conflict, Pending)
	check(one, "agentyes", Forbidden, Pending)
	check(one, "foreign", Forbidden, Pending)
	check(one, "yes taker", Forbidden, Approved)
	check(one, "yes aliceclaims", Forbidden, Approved)
	check(one, "yes take lie", Conflict, Claimed)
	check(one, "yes take odd", Invalid, Claimed)
	check(one, "ok", Conflict, Pending)
	check(one, "cancel", OK, Cancelled)
	check(one, "yes cancel", OK, Cancelled)
	check(one, "yes cancel take", Conflict, Cancelled)
	check(one, "yes take cancel", Conflict, Claimed)
	check(one, "late", OK, Expired)
	check(one, "lateyes", Conflict, Expired)
	check(one, "yes latetake", Conflict, Expired)
	check(one, "late yes", Conflict, Expired)
	check(one, "yes take lost", OK, Ambiguous)
	check(one, "yes take lateok", Conflict, Ambiguous)
	check(one, "yes take restart", OK, Ambiguous)
	check(one, "yes take restart ok", Conflict, Ambiguous)
	check(one, "yes take restart take", Conflict, Ambiguous)
	check(one, "yes restart take", OK, Claimed)
	check(one, "restart", OK, Pending)
	check(one, "back", Unavailable, Pending)
	check(one, "what", Invalid, Pending)
	check(one, "yes revoke", OK, Denied)
	check(one, "yes revoke take", Conflict, Denied)
	check(one, "yes revoke revoke", Conflict, Denied)
	check(one, "revoke", Conflict, Pending)
	check(one, "no revoke", Conflict, Denied)
	check(one, "yes take revoke", Conflict, Claimed)
	check(one, "yes take ok revoke", Conflict, Executed)
	check(one, "yes botrevoke", Forbidden, Approved)
	check(one, "yes foreignrevoke", Forbidden, Approved)
	check(one, "yes laterevoke", Conflict, Expired)
	check(one, "yes cold", Conflict, Approved)
	check(one, "yes cold take", OK, Claimed)
	check(two, "yes revoke", Conflict, Pending)
	check(two, "yes yes2 revoke", OK, Denied)
	check(two, "yes", OK, Pending)
	check(two, "yes take", Conflict, Pending)
	check(two, "yes yes", Conflict, Pending)
	check(two, "self", Forbidden, Pending)
	check(two, "yes yes2", OK, Approved)
	check(two, "yes yes2 take ok", OK, Executed)
	check(two, "yes no", OK, Denied)
}

// TestLateOutcome checks that a report is written into the audit even if it comes too
// late to change the state. The report must come from the holder of the grant.
func TestLateOutcome(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {}`).Records
	playEvents(batch, 0, approveEvent(alice, batch[0]), claimEvent())
	c := Step(batch, 0, reportEvent(Executed), batch[0].Claim.Until)
	if c.Record.State != Ambiguous || c.Note == nil || c.Note.Event != "late-outcome" || c.Note.Status != Executed || c.Entry.Event != "tick" {
		t.Errorf("late: %+v", c)
	}
	batch[0] = c.Record
	if c = Step(batch, 0, reportEvent(Executed), start); c.Note == nil || c.Write != nil {
		t.Errorf("later: %+v", c)
	}
	if c = Step(batch, 0, Event{Kind: Report, By: agent, Nonce: "guess", Status: Executed}, start); c.Note != nil {
		t.Errorf("without the grant: %+v", c)
	}
	for _, first := range []State{Executed, Failed} {
		for _, second := range []State{Executed, Failed, Ambiguous} {
			batch := askCalls(t, Default(), `cancel_order {}`).Records
			playEvents(batch, 0, approveEvent(alice, batch[0]), claimEvent(), reportEvent(first))
			c := Step(batch, 0, reportEvent(second), start)
			if (c.Note != nil) != (first != second) || c.Write != nil || c.Answer.Code != Conflict || c.Note != nil && (c.Note.From != first || c.Note.Status != second) {
				t.Errorf("%s, then %s: %+v", first, second, c)
			}
		}
	}
}

// TestFor checks that if a call waits for one named approver, only this approver can
// decide it.
func TestFor(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {}`).Records
	batch[0].For = "alice"
	if c := Step(batch, 0, approveEvent(bob, batch[0]), start); c.Answer.Code != Forbidden {
		t.Errorf("bob: %+v", c.Answer)
	}
	if c := Step(batch, 0, approveEvent(alice, batch[0]), start); c.Answer.Code != OK {
		t.Errorf("alice: %+v", c.Answer)
	}
}

// TestUninspectable checks that approving a call that cannot be shown completely needs an
// explicit acknowledgement.
func TestUninspectable(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {"x":"`+strings.Repeat("a", 9000)+`"}`).Records
	e := approveEvent(alice, batch[0])
	if c := Step(batch, 0, e, start); c.Answer.Code != Conflict || !batch[0].Why.Uninspectable {
		t.Errorf("plain yes: %+v", c.Answer)
	}
	e.Acknowledge = true
	if c := Step(batch, 0, e, start); c.Answer.Code != OK {
		t.Errorf("acknowledged: %+v", c.Answer)
	}
}

// TestInexact checks that approving a call needs an explicit acknowledgement if programs
// read its numbers differently, and that no allow rule lets such a call through.
func TestInexact(t *testing.T) {
	for _, call := range []string{`pay {"account":9007199254740993}`, `pay {"amount":1e400}`} {
		batch := askCalls(t, Default(), call).Records
		e := approveEvent(alice, batch[0])
		if c := Step(batch, 0, e, start); c.Answer.Code != Conflict || batch[0].Why.Inexact != 1 || batch[0].Why.Uninspectable || !strings.Contains(c.Answer.Text, "acknowledgement") {
			t.Errorf("%s: plain yes: %+v", call, c.Answer)
		}
		e.Acknowledge = true
		if c := Step(batch, 0, e, start); c.Answer.Code != OK {
			t.Errorf("%s: acknowledged: %+v", call, c.Answer)
		}
		p := mustReadPolicy(t, `{"tools":{"pay":"yes"},"allow":[{"name":"r","tool":"pay","until":"2030-01-01T00:00:00Z","destructive":true,"when":{"account":{"any":true,"optional":true},"amount":{"any":true,"optional":true}}}]}`)
		if v := askCalls(t, p, call).Verdict; v != proposal.Confirm {
			t.Errorf("%s: %s by rule", call, v)
		}
	}
}

// TestRevokeEntry checks that the audit names who revoked the approval, and why.
func TestRevokeEntry(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {}`).Records
	c := playEvents(batch, 0, approveEvent(alice, batch[0]), Event{Kind: Revoke, By: bob, Channel: "page", Text: "wrong order"})
	if v, ok := c.Record.Decided(); !ok || !v.Revoke || v.Approve || v.By != "bob" || v.Reason != "wrong order" {
		t.Errorf("vote %+v", v)
	}
	if x := c.Entry; x.Event != "revoke" || x.From != Approved || x.To != Denied || x.By != "bob" || x.Text != "wrong order" || x.Prompt == "" {
		t.Errorf("entry %+v", x)
	}
}

// TestEntryBytes checks the exact bytes of an audit entry, because the chain hashes these
// bytes.
func TestEntryBytes(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {"a":"<é>"}`).Records
	c := playEvents(batch, 0, Event{Kind: Decide, By: alice, Approve: true, Digest: batch[0].Digest, Channel: "api", Text: "a < b"})
	r := batch[0]
	want := `{"v":1,"tenant":"t","id":"p_a","rev":"2","event":"decide","from":"pending","to":"approved","at":"1700000000000",` +
		`"by":"alice","role":"approver","channel":"api","digest":"` + r.Digest + `","prompt":"` + r.PromptHash + `","policy":"` + Default().Version +
		`","mode":"strict","approve":true,"approvals":1,"text":"a < b"}`
	if got := c.Entry.Bytes(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestChain(t *testing.T) {
	var links []Link
	prev := Link{}
	for _, e := range strings.Fields("a b c d e f") {
		prev = Seal("t", prev, e)
		links = append(links, prev)
	}
	check := func(name, want string, change func(l []Link) []Link) {
		t.Helper()
		var got []string
		for _, f := range Verify("t", change(append([]Link(nil), links...)), 6, prev.Hash) {
			got = append(got, f.Kind+string(rune('0'+f.N)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("untouched", "", func(l []Link) []Link { return l })
	check("changed", "changed3", func(l []Link) []Link { l[2].Entry = "C"; return l })
	check("renumbered", "changed9 removed3 removed7 reordered9 rewritten9", func(l []Link) []Link { l[2].N = 9; return l })
	check("first removed", "removed1", func(l []Link) []Link { return l[1:] })
	check("middle removed", "removed3", func(l []Link) []Link { return append(l[:2:2], l[3:]...) })
	check("last removed", "removed6", func(l []Link) []Link { return l[:5] })
	check("swapped", "reordered3", func(l []Link) []Link { l[1], l[2] = l[2], l[1]; return l })
	check("doubled", "rewritten2", func(l []Link) []Link { return append(l, l[1]) })
	check("rewritten", "rewritten4", func(l []Link) []Link { l[2] = Seal("t", l[1], "C"); return l })
	check("end rewritten", "rewritten6", func(l []Link) []Link { l[5] = Seal("t", l[4], "F"); return l })
	check("all removed", "removed1", func([]Link) []Link { return nil })
	if len(Verify("u", links[:1], 1, "")) != 1 {
		t.Error("a row of another tenant's chain passes")
	}
}
