//go:build !js

package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/mcp"
)

// TestReadPasses checks that a call that changes nothing is passed to the server byte for
// byte, and that its answer is passed to the client byte for byte.
func TestReadPasses(t *testing.T) {
	p := serve(t, "")
	body := `{ "jsonrpc":"2.0", "id": 7,"method":"tools/call","params":{"name":"get_order","arguments":{ "n":1.0 },"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"x/y":[ 1]}}}`
	g := p.post(ask{name: "get_order", body: body}).did()
	if want := `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"did it"}]}}`; g.text != want {
		t.Errorf("back came %s", g.text)
	}
	m := p.up.seen[0]
	if m.body != body {
		t.Errorf("sent on %s", m.body)
	}
	if m.header.Get("Authorization") != "Bearer upstream-secret" || m.header.Get("Mcp-Name") != "get_order" || m.header.Get("Mcp-Protocol-Version") != version {
		t.Errorf("headers: %v", m.header)
	}
}

// TestURLRound checks a question that opens the gate's page: "accept" only means that
// the page was opened, the decision is in the store, and the stored bytes run.
func TestURLRound(t *testing.T) {
	p := serve(t, "")
	arguments := `{ "id" : 9007199254740994 }`
	first := p.call("delete_order", arguments, canURL).asks("url")
	if url := first.question().Get("url").Text(); url != p.url+"/p/"+first.id() {
		t.Errorf("url %q", url)
	}
	second := p.retry("delete_order", arguments, canURL, first, `{"action":"accept"}`).asks("url")
	if second.id() != first.id() || second.state() == first.state() {
		t.Error("not the same question with a fresh state")
	}
	p.ran()
	p.approve(first.id())
	p.retry("delete_order", arguments, canURL, second, `{"action":"accept"}`).did()
	p.ran("delete_order " + arguments)
	p.stands(first.id(), "executed")
	p.call("delete_order", arguments, canURL).asks("url")
}

func TestURLDeclinedAndDismissed(t *testing.T) {
	p := serve(t, "")
	q := p.call("delete_order", `{}`, canURL).asks("url")
	p.retry("delete_order", `{}`, canURL, q, `{"action":"cancel"}`).held("pending", "Held for approval")
	p.stands(q.id(), "pending")
	again := p.call("delete_order", `{}`, canURL).asks("url")
	if again.id() != q.id() {
		t.Error("a second question for one call")
	}
	p.retry("delete_order", `{}`, canURL, again, `{"action":"decline"}`).held("cancelled", "was cancelled")
	p.stands(q.id(), "cancelled")
	q = p.call("delete_order", `{}`, canURL).asks("url")
	p.decide(aliceKey, q.id(), false)
	p.retry("delete_order", `{}`, canURL, q, `{"action":"accept"}`).held("denied", "Denied by alice: because")
	q = p.call("delete_order", `{"n":1}`, canURL).asks("url")
	p.retry("delete_order", `{"n":1}`, canURL, q, `{}`).asks("url")
	p.ran()
}

// TestFormRound checks a server whose operator allows the client's form to decide. The
// form decides a call only if the call can be undone and needs no second person.
func TestFormRound(t *testing.T) {
	p := serve(t, `{"fourEyes":["mcp__shop__frob"],"cooldown":"none"}`, func(s *mcp.Server) { s.Form = true })
	q := p.call("add_note", `{"text":"x"}`, canForm).asks("form")
	if m := q.question().Get("message").Text(); !strings.Contains(m, `text = "x"`) || !strings.Contains(m, "mcp__shop__add_note") {
		t.Errorf("the form shows %q", m)
	}
	p.retry("add_note", `{"text":"x"}`, canForm, q, `{"action":"accept","content":{"approve":true}}`).did()
	p.stands(q.id(), "executed")
	if _, text := p.api("GET", "/v1/proposals/"+q.id(), aliceKey, ""); !strings.Contains(text, `"channel":"mcp-form"`) {
		t.Errorf("the record does not say how: %s", text)
	}
	for response, state := range map[string]string{
		`{"action":"accept","content":{"approve":false}}`: "denied", `{"action":"decline"}`: "denied", `{"action":"cancel"}`: "pending",
	} {
		q := p.call("add_note", `{"text":"y"}`, canForm).asks("form")
		p.retry("add_note", `{"text":"y"}`, canForm, q, response).held(state, "")
	}
	q = p.call("add_note", `{"text":"z"}`, canForm).asks("form")
	p.retry("add_note", `{"text":"z"}`, canForm, q, `{"action":"accept","content":{"approve":"true"}}`).asks("form")
	p.call("delete_order", `{}`, canForm).held("pending", "Held for approval")
	p.call("delete_order", `{"n":1}`, canURL).asks("url")
	p.call("frob", `{}`, canForm).held("pending", "Held for approval")
	p.ran(`add_note {"text":"x"}`)
}

// TestUnaskable checks clients that cannot be asked, because they declare no mode that
// the gate may use or because their key names no approver. An ordinary result names the
// question. The same call, sent again after the approval, runs.
func TestUnaskable(t *testing.T) {
	p := serve(t, "")
	n := 0
	check := func(a ask) {
		t.Helper()
		n++
		a.name, a.arguments = "delete_order", fmt.Sprintf(`{"n":%d}`, n)
		first := p.post(a).held("pending", "Make exactly the same call again")
		if url := first.approval().Get("url").Text(); url != p.url+"/p/"+first.id() || first.approval().Get("expires").Text() == "" {
			t.Errorf("%s", first.text)
		}
		if again := p.post(a).held("pending", ""); again.id() != first.id() {
			t.Error("a second question")
		}
		p.approve(first.id())
		p.post(a).did()
		p.stands(first.id(), "executed")
	}
	check(ask{capabilities: canNothing})
	check(ask{capabilities: `{"sampling":{}}`})
	check(ask{capabilities: canForm})
	check(ask{capabilities: canURL, key: strayKey})
}

// TestModesDeclared checks that a question is sent only in a mode that the client has
// declared.
func TestModesDeclared(t *testing.T) {
	p := serve(t, "", func(s *mcp.Server) { s.Form = true })
	for capabilities, mode := range map[string]string{
		`{"elicitation":{}}`: "form", `{"elicitation":{"form":{}}}`: "form", `{"elicitation":{"url":{}}}`: "url",
		`{"elicitation":{"form":{},"url":{}}}`: "form", `{"elicitation":{"form":true}}`: "", `{"elicitation":true}`: "", `{}`: "",
	} {
		g := p.call("add_note", `{"c":`+capabilities+`}`, capabilities)
		if have := g.question().Get("mode").Text(); have != mode {
			t.Errorf("%s: mode %q, want %q", capabilities, have, mode)
		}
	}
}

// TestPolicyThroughMCP checks that the policy's table, denials and exemptions apply to
// the tool's full name, mcp__SERVER__TOOL.
func TestPolicyThroughMCP(t *testing.T) {
	p := serve(t, `{"definitions":[{"name":"mcp__shop__set_region","annotations":{"readOnlyHint":true}}],"tools":{"mcp__shop__frob":"no","mcp__shop__delete_order":{"deny":"orders stay"},"frob":"yes"},
		"allow":[{"name":"notes","tool":"mcp__shop__add_note","until":"2030-01-01T00:00:00Z","when":{"text":{"any":true}}}]}`)
	p.call("frob", `{}`, canURL).did()
	p.call("set_region", `{}`, canURL).did() // the policy defines it; missing hints of the server do not change that
	p.call("add_note", `{"text":"x"}`, canURL).did()
	p.call("add_note", `{"text":"x","to":"all"}`, canURL).asks("url")
	p.call("delete_order", `{}`, canURL).held("denied", "orders stay")
	p.ran("frob {}", "set_region {}", `add_note {"text":"x"}`)
}

// TestHostAsks checks a server with AskHost. The list of tools tells the host to ask, and
// a call that can be undone passes. The gate itself asks about a call that cannot be
// undone or that needs two people. Without AskHost, the host is not told to ask.
func TestHostAsks(t *testing.T) {
	mark := `"anthropic/requiresUserInteraction":true`
	p := serve(t, `{"fourEyes":["mcp__shop__set_region"]}`, func(s *mcp.Server) { s.Ask = mcp.AskHost })
	list := p.post(ask{method: "tools/list"})
	marked := map[string]bool{}
	for _, tool := range list.result().Get("tools").Elements() {
		marked[tool.Get("name").Text()] = strings.Contains(tool.Raw(), mark)
	}
	if marked["get_order"] || !marked["add_note"] || marked["delete_order"] || !marked["frob"] {
		t.Errorf("%v", marked)
	}
	p.call("add_note", `{"text":"x"}`, canURL).did()
	p.call("delete_order", `{}`, canURL).asks("url")
	p.call("set_region", `{}`, canURL).asks("url")
	audit := p.audit()
	for _, entry := range []string{`first seen and pinned`, `\"rule\":\"the host asks\"`} {
		if !strings.Contains(audit, entry) {
			t.Errorf("the audit has no %s: %s", entry, audit)
		}
	}
	if strings.Contains(serve(t, "").post(ask{method: "tools/list"}).text, "requiresUserInteraction") {
		t.Error("asked twice")
	}
}
