//go:build !js

package gate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestFatigue checks the figures for each tool and for all tools: the share of calls with
// a question, the approval rate and the median time to a decision.
func TestFatigue(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire"],"tools":{"format_disk":{"deny":"no"}},"allow":[{"name":"n","tool":"add_note","until":"2030-01-01T00:00:00Z","when":{}}]}`)
	for range 5 {
		s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 200)
	}
	s.sendProposal(`{"tool":"add_note","arguments":{}}`).assertStatus(t, 200)
	s.sendProposal(`{"tool":"format_disk","arguments":{}}`).assertStatus(t, 403)
	for i, seconds := range []int64{4, 15, 15, 400} {
		id, digest := s.proposeHeld("refund", fmt.Sprintf(`{"n":%d}`, i))
		s.now.Add(1000 * seconds)
		s.sendDecision(aliceKey, id, digest, i != 3).assertStatus(t, 200)
	}
	id, _ := s.proposeHeld("refund", `{}`)
	s.now.Add(15 * 60_000)
	if s.proposalState(id) != "expired" {
		t.Fatal(s.proposalState(id))
	}
	id, digest := s.proposeHeld("refund", `{"late":true}`) // approved but not claimed in time: one decision
	s.now.Add(15_000)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.now.Add(15 * 60_000)
	if s.proposalState(id) != "expired" {
		t.Fatal(s.proposalState(id))
	}
	id, digest = s.proposeHeld("wire", `{}`) // two people, one decision
	s.now.Add(15_000)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	id, _ = s.proposeHeld("wipe", `{}`)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"refund","arguments":{}}`).assertStatus(t, 202) // another tenant's

	all, err := s.gate.Fatigue(t.Context(), "t", 30)
	if err != nil {
		t.Fatal(err)
	}
	f := all[0]
	if f.Calls != 15 || f.Asked != 8 || f.Approved != 5 || f.Denied != 1 || f.Expired != 1 || f.Cancelled != 1 {
		t.Errorf("%+v", f)
	}
	if f.AskedShare != 8.0/15 || f.ApprovalRate != 5.0/6 || f.Median != 15 || f.WornOut() {
		t.Errorf("share %v, rate %v, median %v", f.AskedShare, f.ApprovalRate, f.Median)
	}
	if all[1].Tool != "refund" || all[1].Asked != 6 || all[2].Tool != "wipe" || all[2].Scored {
		t.Errorf("%+v", all[1:])
	}
	if counts, err := s.store.Counts(t.Context(), "t", 0); err != nil || len(counts["wire"]) != 4 { // asked, approved, one bucket, seconds
		t.Errorf("%v %v", counts["wire"], err)
	}
	again, err := gate.New(s.gate.Options) // after a restart the counts are still there
	if err != nil {
		t.Fatal(err)
	}
	s.gate = again
	if all, err := s.gate.Fatigue(t.Context(), "t", 30); err != nil || all[0].Calls != 15 || all[0].Median != 15 {
		t.Errorf("after a restart %+v %v", all[0], err)
	}
	s.now.Add(40 * 24 * 60 * 60_000)
	if all, _ := s.gate.Fatigue(t.Context(), "t", 30); all[0].Calls != 0 || all[0].Scored {
		t.Errorf("40 days later %+v", all[0])
	}
	if all, _ := s.gate.Fatigue(t.Context(), "t", 0); all[0].Calls != 15 {
		t.Errorf("ever: %+v", all[0])
	}
}

// TestMetrics checks that the answer of /metrics is in the Prometheus text format and has
// no figures of other tenants. The names of the tools contain quotes and backslashes.
func TestMetrics(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld(`a\"b\\c`, `{}`)
	s.now.Add(3000)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendProposal(`{"tool":"get_x","arguments":{}}`)
	a := s.callAPI("GET", "/metrics", aliceKey, "").assertStatus(t, 200,
		`boundcheck_gate_calls_total{tool="a\"b\\c",asked="true"} 1`, `boundcheck_gate_calls_total{tool="get_x",asked="false"} 1`,
		`boundcheck_gate_decisions_total{tool="a\"b\\c",decision="approved"} 1`,
		`boundcheck_gate_decision_seconds_bucket{tool="a\"b\\c",le="2"} 0`, `boundcheck_gate_decision_seconds_bucket{tool="a\"b\\c",le="5"} 1`,
		`boundcheck_gate_decision_seconds_bucket{tool="a\"b\\c",le="+Inf"} 1`, `boundcheck_gate_decision_seconds_sum{tool="a\"b\\c"} 3`,
		"boundcheck_gate_asked_ratio 0.5\n", "boundcheck_gate_approval_ratio 1\n", "boundcheck_gate_median_decision_seconds 3.5\n")
	if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Error(kind)
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="(\\.|[^"\\])*",?)*\})? [0-9.e+-]+)$`)
	for l := range strings.Lines(a.text) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("no line of the format: %q", l)
		}
	}
	if text := s.callAPI("GET", "/metrics", carolKey, "").assertStatus(t, 200).text; strings.Contains(text, "get_x") {
		t.Errorf("another tenant's tools: %s", text)
	}
}

// TestFatiguePage checks that the page warns if nearly everything is approved.
func TestFatiguePage(t *testing.T) {
	s := newTestService(t, `{"cooldown":"none"}`)
	ask := func(yes bool) {
		id, digest := s.proposeHeld("refund", `{}`)
		s.now.Add(1000)
		s.sendDecision(aliceKey, id, digest, yes).assertStatus(t, 200)
	}
	for range 19 {
		ask(true)
	}
	b := s.signIn(aliceKey)
	page := func() string {
		t.Helper()
		status, text, _ := b.doRequest("GET", "/fatigue", nil)
		if status != 200 {
			t.Fatal(status)
		}
		return text
	}
	if text := page(); strings.Contains(text, "asked too often") || !strings.Contains(text, "<dd>19 (100 %)</dd>") || !strings.Contains(text, "<dd>1.5 s</dd>") {
		t.Errorf("%s", text)
	}
	ask(true)
	if !strings.Contains(page(), "asked too often") {
		t.Error("twenty of twenty approved, and nobody says so")
	}
	for range 2 {
		ask(false)
	}
	if strings.Contains(page(), "asked too often") {
		t.Error("20 of 22 is below the mark")
	}
	if status, text, _ := (&browser{s: s}).doRequest("GET", "/fatigue", nil); status != 401 || strings.Contains(text, "refund") {
		t.Errorf("a stranger sees it: %d", status)
	}
}

// TestManyTools checks that the number of tools that are counted separately is limited,
// because agents choose the names.
func TestManyTools(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Waiting = 100000 })
	for i := range 600 {
		if _, err := s.gate.Propose(t.Context(), machine.Ask{By: bot, Calls: readCalls(fmt.Sprintf("get_%c%c_%d", 'a'+i%26, 'a'+i/26, i))}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.gate.Fatigue(t.Context(), "t", 30)
	if err != nil || all[0].Calls != 600 || len(all) != 502 {
		t.Errorf("%d tools, %+v %v", len(all)-1, all[0], err)
	}
}

// TestDefinitionsPage checks that the page shows every character of the old and the new
// definition. Only the form of the same session may accept a definition, and only if the
// server has not changed it since.
func TestDefinitionsPage(t *testing.T) {
	s := newTestService(t, "")
	pin := store.Pin{Server: "shop", Tool: "frob", Hash: "h1", Text: "{\"description\":\"ev\u202eil <b>\"}", Pinned: "h0", PinnedText: `{"description":"kind"}`, Reviewed: true, Since: start}
	if err := s.store.NewPins(t.Context(), "t", []store.Pin{pin}); err != nil {
		t.Fatal(err)
	}
	b := s.signIn(aliceKey)
	_, text, _ := b.doRequest("GET", "/definitions", nil)
	if !strings.Contains(text, `ev<mark>\u{202E}</mark>il &lt;b&gt;`) || !strings.Contains(text, "kind") || strings.Contains(text, "\u202e") {
		t.Errorf("%s", text)
	}
	form := b.hiddenFields("/definitions")
	if status, _, _ := b.doRequest("POST", "/definitions", withFields(form, "hash", "h2")); status != 403 {
		t.Errorf("another hash: %d", status)
	}
	if status, _, _ := s.signIn(bobKey).doRequest("POST", "/definitions", form); status != 403 {
		t.Errorf("another session's form: %d", status)
	}
	if moved, err := s.store.MovePin(t.Context(), "t", store.Pin{Server: "shop", Tool: "frob", Hash: "h2", Text: "{}", Since: start}); err != nil || !moved {
		t.Fatal(moved, err)
	}
	if status, _, _ := b.doRequest("POST", "/definitions", form); status != 409 {
		t.Errorf("a text that nobody was shown is accepted: %d", status)
	}
	if strings.Contains(s.exportedAudit(), "accepted the definition") {
		t.Error("the audit says that it was accepted")
	}
	if status, _, _ := b.doRequest("POST", "/definitions", b.hiddenFields("/definitions")); status != 303 {
		t.Errorf("accepting: %d", status)
	}
	if pins, err := s.store.Pins(t.Context(), "t", "shop"); err != nil || pins[0].State() != "reviewed" || pins[0].Pinned != "h2" {
		t.Errorf("%+v %v", pins, err)
	}
	if !strings.Contains(s.exportedAudit(), `accepted the definition`) {
		t.Error("not in the audit")
	}
}

func readCalls(name string) []proposal.Proposal {
	return []proposal.Proposal{{Tool: name, Arguments: "{}"}}
}
