//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

const receiptSeed = "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// signed returns an option of a gate that signs receipts.
func signed(t testing.TB, words string) func(*gate.Options) {
	return func(o *gate.Options) {
		var err error
		if o.Receipts, err = gate.ReadReceipts(receiptSeed, words); err != nil {
			t.Fatal(err)
		}
	}
}

// verifierOf returns a verifier that has the keys of a service's gate.
func (s *service) verifierOf(o receipt.Options) *receipt.Verifier {
	s.t.Helper()
	keys, err := receipt.ReadKeys(s.callAPI("GET", receipt.KeysPath, "", "").assertStatus(s.t, 200).text)
	if err != nil {
		s.t.Fatal(err)
	}
	o.Keys, o.Tenant = keys, "t"
	if o.Issuer == "" {
		o.Issuer = s.url
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.UnixMilli(s.now.Load()) }
	}
	v, err := receipt.NewVerifier(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

// TestReceipt checks what the receipt of a claim says for each way of deciding, and that
// nothing but the claim of a call has one.
func TestReceipt(t *testing.T) {
	policy := strings.TrimSuffix(rememberPolicy, "}") + `,"edit":[{"name":"all","arguments":["*"],"counts":true}]}`
	s := newTestService(t, policy, signed(t, "names"))
	v := s.verifierOf(receipt.Options{Decisions: []string{receipt.Approved, receipt.Remembered, receipt.ByRule}})
	claim := func(id, tool, arguments string) *receipt.Receipt {
		t.Helper()
		a := s.sendClaim(id).assertStatus(t, 200)
		r, err := v.Verify(context.Background(), a.textField("receipt"), tool, []byte(arguments))
		if err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		if r.ID != id || r.Digest != a.textField("digest") || r.Tool != tool || r.Agent != "bot" || r.Issued != s.now.Load()/1000 || r.Expires != r.Issued+60 || r.Policy != s.gate.Policy().Version {
			t.Errorf("%+v", r)
		}
		if got := s.sendClaim(id).assertStatus(t, 409); got.body["receipt"] != nil {
			t.Error("a second receipt")
		}
		return r
	}
	voters := func(r *receipt.Receipt) string {
		out := r.Decision
		for _, a := range r.Approvers {
			out += fmt.Sprintf(" %s/%s/%d", a.Name, a.Channel, a.At)
		}
		return out
	}
	at := s.now.Load() / 1000

	id, digest := s.proposeHeld("cancel_x", `{ "a": 1 }`)
	a := s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	if look := s.callAPI("GET", "/v1/proposals/"+id, agentKey, ""); a.body["receipt"] != nil || look.body["receipt"] != nil {
		t.Error("a receipt before the claim")
	}
	if r := claim(id, "cancel_x", `{ "a": 1 }`); voters(r) != fmt.Sprintf("approved alice/api/%d", at) || r.Edited || r.Audience != "" {
		t.Errorf("%+v", r)
	}
	id, digest = s.proposeHeld("wire_x", `{"a":1}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200, `"state":"pending"`)
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200, `"state":"approved"`)
	if r := claim(id, "wire_x", `{"a":1}`); voters(r) != fmt.Sprintf("approved alice/api/%d bob/api/%d", at, at) || r.Rule != "fourEyes" {
		t.Errorf("%+v", r)
	}
	id, digest = s.proposeInSession("send_x", `{"n":1}`, "s1")
	s.remember(id, digest, "", 600_000).assertStatus(t, 200)
	id, _ = s.proposeInSession("send_x", `{"n":1}`, "s1")
	if r := claim(id, "send_x", `{"n":1}`); voters(r) != "remembered alice//0" {
		t.Errorf("%+v", r)
	}
	id, digest = s.proposeHeld("cancel_y", `{"a":1}`)
	e := s.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, `{"digest":"`+digest+`","arguments":{"a":2}}`).assertStatus(t, 200)
	s.sendDecision(aliceKey, e.textField("id"), e.textField("digest"), true).assertStatus(t, 200)
	if r := claim(e.textField("id"), "cancel_y", `{"a":2}`); !r.Edited || r.Decision != receipt.Approved {
		t.Errorf("%+v", r)
	}
	b := s.sendProposal(`[{"tool":"get_x","arguments":{}},{"tool":"cancel_x","arguments":{"b":1}}]`).assertStatus(t, 202)
	calls := b.body["calls"].([]any)
	call := func(i int, name string) string { return calls[i].(map[string]any)[name].(string) }
	s.sendDecision(bobKey, call(1, "id"), call(1, "digest"), true).assertStatus(t, 200)
	if r := claim(call(0, "id"), "get_x", `{}`); voters(r) != receipt.ByRule {
		t.Errorf("nobody was asked about a read beside a change: %+v", r)
	}

	hashed := newTestService(t, "", signed(t, "issuer=here time=5s audience=cancel_*=shop audience=*=rest"))
	id, digest = hashed.proposeHeld("cancel_x", `{}`)
	hashed.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	text := hashed.sendClaim(id).assertStatus(t, 200).textField("receipt")
	r, err := hashed.verifierOf(receipt.Options{Issuer: "here", Audience: "shop"}).Verify(context.Background(), text, "cancel_x", []byte(`{}`))
	if err != nil || r.Approvers[0].Name != receipt.HashedName("t", "bob") || r.Agent != receipt.HashedName("t", "bot") || r.Expires != r.Issued+5 {
		t.Errorf("%+v %v", r, err)
	}
	short := newTestService(t, `{"outcomeWithin":"10s"}`, signed(t, ""))
	id, digest = short.proposeHeld("cancel_x", `{}`)
	short.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	text = short.sendClaim(id).assertStatus(t, 200).textField("receipt")
	if r, err = short.verifierOf(receipt.Options{}).Verify(context.Background(), text, "cancel_x", []byte(`{}`)); err != nil || r.Expires != r.Issued+10 {
		t.Errorf("longer than the claim: %+v %v", r, err)
	}
	off := newTestService(t, "")
	id, digest = off.proposeHeld("cancel_x", `{}`)
	off.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	if a := off.sendClaim(id).assertStatus(t, 200); a.body["receipt"] != nil {
		t.Error("a receipt without a key")
	}
	if got := off.callAPI("GET", receipt.KeysPath, "", "").assertStatus(t, 200).text; got != `{"keys":[]}`+"\n" {
		t.Error(got)
	}
}

// TestReceiptsRandom claims drawn calls for two tool servers, and offers each server drawn
// pairs of a receipt and a call at drawn times. A simple program with a list of the claims
// says which one runs.
func TestReceiptsRandom(t *testing.T) {
	draw := rand.New(rand.NewPCG(49, 2))
	s := newTestService(t, "", signed(t, "time=20s audience=cancel_*=shop audience=send_*=mail"))
	tools := map[string]string{"cancel_a": "shop", "cancel_b": "shop", "send_a": "mail", "drop_a": ""}
	names := []string{"cancel_a", "cancel_b", "send_a", "drop_a"}
	arguments := []string{`{}`, `{ }`, `{"n":1}`, `{"n":1.0}`, `{"n":2}`, `{"m":1}`}
	servers := map[string]*receipt.Verifier{}
	for _, name := range []string{"shop", "mail", "", "shop2"} {
		servers[name] = s.verifierOf(receipt.Options{Audience: name, Leeway: -1})
	}
	type claimed struct {
		text, tool, arguments string
		at                    int64 // seconds
		ran                   bool
	}
	var claims []claimed
	yes, tries := 0, 0
	n := drawn.Cases(200)
	for range n {
		c := claimed{tool: names[draw.IntN(len(names))], arguments: arguments[draw.IntN(len(arguments))]}
		id, digest := s.proposeHeld(c.tool, c.arguments)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		c.text, c.at = s.sendClaim(id).assertStatus(t, 200).textField("receipt"), s.now.Load()/1000
		claims = append(claims, c)
		for range 12 {
			tries++
			i := draw.IntN(len(claims))
			if draw.IntN(2) == 0 {
				i = len(claims) - 1
			}
			c := &claims[i]
			tool, arguments, server := c.tool, c.arguments, tools[c.tool]
			if draw.IntN(3) == 0 {
				tool = names[draw.IntN(len(names))]
			}
			if draw.IntN(3) == 0 {
				arguments = `{"n":1}`
			}
			if draw.IntN(3) == 0 {
				server = []string{"shop", "mail", "", "shop2"}[draw.IntN(4)]
			}
			now := s.now.Load() / 1000
			want := tool == c.tool && arguments == c.arguments && server == tools[c.tool] && now >= c.at && now < c.at+20 && !c.ran
			_, err := servers[server].Verify(context.Background(), c.text, tool, []byte(arguments))
			var refused *receipt.Error
			if (err == nil) != want || err != nil && !errors.As(err, &refused) {
				t.Fatalf("claim %d for %s %s at %s, %ds later: %v, want %v", i, tool, arguments, server, now-c.at, err, want)
			}
			if c.ran = c.ran || want; want {
				yes++
			}
			if draw.IntN(2) == 0 {
				s.now.Add(int64(draw.IntN(9000)))
			}
		}
	}
	if yes < n/2 || yes == n {
		t.Errorf("%d of %d ran", yes, tries)
	}
}

// TestReceiptKeysRotate checks that a gate signs with its first key, and that a verifier
// which has read the published keys takes receipts from before the change.
func TestReceiptKeysRotate(t *testing.T) {
	const next = "ed25519-seed:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
	s := newTestService(t, "", signed(t, ""))
	claim := func() string {
		id, digest := s.proposeHeld("cancel_x", `{}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		return s.sendClaim(id).assertStatus(t, 200).textField("receipt")
	}
	old, before := claim(), s.verifierOf(receipt.Options{})
	var err error
	if s.gate.Receipts, err = gate.ReadReceipts(next+";"+receiptSeed, ""); err != nil {
		t.Fatal(err)
	}
	fresh, after := claim(), s.verifierOf(receipt.Options{})
	if strings.Split(old, ".")[0] == strings.Split(fresh, ".")[0] {
		t.Error("signed with the old key")
	}
	for text, v := range map[string]*receipt.Verifier{old: after, fresh: after} {
		if _, err := v.Verify(context.Background(), text, "cancel_x", []byte(`{}`)); err != nil {
			t.Error(err)
		}
	}
	var refused *receipt.Error
	if _, err := before.Verify(context.Background(), fresh, "cancel_x", []byte(`{}`)); !errors.As(err, &refused) || refused.Code != "key" {
		t.Errorf("a key that is not known yet: %v", err)
	}
	var set struct{ Keys []map[string]string }
	text := s.callAPI("GET", receipt.KeysPath, "", "").text
	if json.Unmarshal([]byte(text), &set); len(set.Keys) != 2 || strings.Contains(text, `"d"`) {
		t.Error(text)
	}
}

// TestAllowedCallsAreClaimed checks that with "claim: allowed" a call that a rule lets
// through is claimed and has a receipt which says that nobody decided; a read passes as
// before, and a server that wants an approver does not run it.
func TestAllowedCallsAreClaimed(t *testing.T) {
	allow := `"allow":[{"name":"notes","tool":"add_note","until":"2033-01-01T00:00:00Z","when":{}}]`
	before := newTestService(t, `{`+allow+`}`, signed(t, ""))
	before.sendProposal(`{"tool":"add_note","arguments":{}}`).assertStatus(t, 200, `"decision":"allow"`)
	s := newTestService(t, `{"claim":"allowed",`+allow+`}`, signed(t, ""))
	s.sendProposal(`{"tool":"get_note","arguments":{}}`).assertStatus(t, 200, `"decision":"allow"`)
	v := s.sendProposal(`{"tool":"add_note","arguments":{}}`).assertStatus(t, 202, `"state":"approved"`, `"rule":"notes"`)
	if list := s.callAPI("GET", "/v1/proposals", aliceKey, "").text; strings.Contains(list, `"state":"pending"`) {
		t.Errorf("a question: %s", list)
	}
	text := s.sendClaim(v.textField("id")).assertStatus(t, 200).textField("receipt")
	var refused *receipt.Error
	if _, err := s.verifierOf(receipt.Options{}).Verify(context.Background(), text, "add_note", []byte(`{}`)); !errors.As(err, &refused) || refused.Code != "decision" {
		t.Errorf("a server that wants an approver: %v", err)
	}
	r, err := s.verifierOf(receipt.Options{Decisions: []string{receipt.ByRule}}).Verify(context.Background(), text, "add_note", []byte(`{}`))
	if err != nil || r.Rule != "notes" || r.Approvers != nil {
		t.Errorf("%+v %v", r, err)
	}
	s.sendClaim(v.textField("id")).assertStatus(t, 409)
	held := s.sendProposal(`{"tool":"cancel_x","arguments":{}}`).assertStatus(t, 202, `"state":"pending"`)
	s.sendClaim(held.textField("id")).assertStatus(t, 409)
	if _, err := machine.ReadPolicy(`{"claim":"all"}`); err == nil || !strings.Contains(err.Error(), "counted") {
		t.Error(err)
	}
	s.assertWhole()
}
