//go:build !js

package gate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestSources checks that the page of a held call shows the stored origin of each value.
// Texts in an origin must never become HTML. Retention must remove the origins.
func TestSources(t *testing.T) {
	s := newTestService(t, `{"retention":{"arguments":"24h"}}`)
	evil := `</p><script>alert(1)</script>` + "\u202e" + `, the user, message 1`
	messages := []any{
		map[string]any{"role": "user", "content": "cancel order #W-4410, card ending 5637334"},
		map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": "x", "function": map[string]any{"name": evil, "arguments": "{}"}}}},
		map[string]any{"role": "tool", "tool_call_id": "x", "content": `{"refund":{"<img src=x>":"refund_7001"}}`},
	}
	body := map[string]any{"calls": []any{map[string]any{"tool": "cancel_order", "arguments": map[string]any{"order_id": "#W-4410", "refund_id": "refund_7001", "payment_id": "card_9912345"}}}, "messages": messages}
	text, _ := json.Marshal(body)
	id := s.sendProposal(string(text)).assertStatus(t, 202).body["calls"].([]any)[0].(map[string]any)["id"].(string)
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"sources":[{"path":"order_id","kind":"user","text":"the user, message 1"}`, `"ungrounded":true`)

	_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+id, nil)
	page = aboveDetails(page)
	for _, part := range []string{
		`#W-4410&#34;</code><p class="from">From the user, message 1</p></dd>`,
		`<p class="from">From &#34;&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;<mark>\u{202E}</mark>, the user, message 1&#34;, call 1, refund[&#34;&lt;img src=x&gt;&#34;]</p>`,
		`<p class="from warn">From nowhere: the model made it up</p>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("no %s in %s", part, page)
		}
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") || strings.Contains(page, "\u202e") {
		t.Error("a source is more than text")
	}
	if _, err := openRaw(t, s.file).Exec(`UPDATE proposals SET sources = '[]', rev = rev || '1', entry = entry || ' ' WHERE id = '` + id + `'`); err == nil || !strings.Contains(err.Error(), "what was shown never changes") {
		t.Errorf("sources can be changed: %v", err)
	}

	plain, _ := s.proposeHeld("cancel_order", `{"order_id":"#W-4410"}`)
	if _, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+plain, nil); strings.Contains(page, `class="from`) || !strings.Contains(page, "Not known: the gate received no conversation") {
		t.Error(page)
	}

	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
	s.now.Add((25 * time.Hour).Milliseconds())
	for range 3 {
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if err := openRaw(t, s.file).QueryRow(`SELECT count(*) FROM proposals WHERE sources <> ''`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d rows keep their sources: %v", n, err)
	}
	if c := s.verifyTenant(); len(c.Faults) > 0 {
		t.Error(c.Faults)
	}
}

// TestSourcesChecked checks that verifyTenant reports a record whose origins of values
// were changed. The record's prompt, on which the decision is based, stays unchanged.
func TestSourcesChecked(t *testing.T) {
	s := newTestService(t, "")
	s.sendProposal(`{"tool":"cancel_order","arguments":{"refund_id":"refund_9912"},"messages":[{"role":"user","content":"cancel it"}]}`).assertStatus(t, 202)
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.verifyTenant(); len(c.Faults) > 0 {
		t.Fatalf("untouched: %q", c.Faults)
	}
	db := openRaw(t, s.file)
	for _, change := range []string{"DROP TRIGGER proposals_fixed", "DROP TRIGGER proposals_update", "DROP TRIGGER proposals_sources",
		`UPDATE proposals SET sources = replace(sources, 'nowhere: the model made it up', 'the user, message 1')`} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
	}
	if c := s.verifyTenant(); len(c.Faults) != 1 || !strings.Contains(c.Faults[0], "the sources of values in proposal") {
		t.Errorf("%q", c.Faults)
	}
}
