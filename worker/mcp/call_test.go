//go:build !js

package mcp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/mcp"
)

// TestReadPasses checks that a call that changes nothing is passed to the server byte for
// byte. The answer must be passed to the client byte for byte.
func TestReadPasses(t *testing.T) {
	p := newTestProxy(t, "")
	body := `{ "jsonrpc":"2.0", "id": 7,"method":"tools/call","params":{"name":"get_order","arguments":{ "n":1.0 },"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"x/y":[ 1]}}}`
	g := p.postAsk(ask{name: "get_order", body: body}).assertRan()
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

// TestURLRound checks a question that opens the gate's page. The client's answer "accept"
// must not decide the call. After a decision in the store, the stored bytes must run.
func TestURLRound(t *testing.T) {
	p := newTestProxy(t, "")
	arguments := `{ "id" : 9007199254740994 }`
	first := p.callTool("delete_order", arguments, canURL).assertAsks("url")
	if url := first.questionParams().Get("url").Text(); url != p.url+"/p/"+first.approvalID() {
		t.Errorf("url %q", url)
	}
	second := p.retryCall("delete_order", arguments, canURL, first, `{"action":"accept"}`).assertAsks("url")
	if second.approvalID() != first.approvalID() || second.sealedState() == first.sealedState() {
		t.Error("not the same question with a fresh state")
	}
	p.assertCalls()
	p.mustApprove(first.approvalID())
	p.retryCall("delete_order", arguments, canURL, second, `{"action":"accept"}`).assertRan()
	p.assertCalls("delete_order " + arguments)
	p.assertState(first.approvalID(), "executed")
	p.callTool("delete_order", arguments, canURL).assertAsks("url")
}

func TestURLDeclinedAndDismissed(t *testing.T) {
	p := newTestProxy(t, "")
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.retryCall("delete_order", `{}`, canURL, q, `{"action":"cancel"}`).assertHeld("pending", "Held for approval")
	p.assertState(q.approvalID(), "pending")
	again := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	if again.approvalID() != q.approvalID() {
		t.Error("a second question for one call")
	}
	p.retryCall("delete_order", `{}`, canURL, again, `{"action":"decline"}`).assertHeld("cancelled", "was cancelled")
	p.assertState(q.approvalID(), "cancelled")
	q = p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.sendDecision(aliceKey, q.approvalID(), false)
	p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`).assertHeld("denied", "Denied by alice: because")
	q = p.callTool("delete_order", `{"n":1}`, canURL).assertAsks("url")
	p.retryCall("delete_order", `{"n":1}`, canURL, q, `{}`).assertAsks("url")
	p.assertCalls()
}

// TestFormRound checks a server whose operator allows the client's form to decide. The
// form must decide only calls that can be undone and need no second person.
func TestFormRound(t *testing.T) {
	p := newTestProxy(t, `{"fourEyes":["mcp__shop__frob"],"cooldown":"none"}`, func(s *mcp.Server) { s.Form = true })
	q := p.callTool("add_note", `{"text":"x"}`, canForm).assertAsks("form")
	if m := q.questionParams().Get("message").Text(); !strings.Contains(m, `text = "x"`) || !strings.Contains(m, "mcp__shop__add_note") {
		t.Errorf("the form shows %q", m)
	}
	p.retryCall("add_note", `{"text":"x"}`, canForm, q, `{"action":"accept","content":{"approve":true}}`).assertRan()
	p.assertState(q.approvalID(), "executed")
	if _, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), aliceKey, ""); !strings.Contains(text, `"channel":"mcp-form"`) {
		t.Errorf("the record does not say how: %s", text)
	}
	for response, state := range map[string]string{
		`{"action":"accept","content":{"approve":false}}`: "denied", `{"action":"decline"}`: "denied", `{"action":"cancel"}`: "pending",
	} {
		q := p.callTool("add_note", `{"text":"y"}`, canForm).assertAsks("form")
		p.retryCall("add_note", `{"text":"y"}`, canForm, q, response).assertHeld(state, "")
	}
	q = p.callTool("add_note", `{"text":"z"}`, canForm).assertAsks("form")
	for _, more := range []string{`"content":{"approve":"true"}`, `"content":{"approve":true,"arguments":{"text":"w"}}`, `"content":{"approve":true},"edited":true`, `"content":{"approve":true,"remember":"session"}`} {
		q = p.retryCall("add_note", `{"text":"z"}`, canForm, q, `{"action":"accept",`+more+`}`).assertAsks("form")
	}
	p.callTool("delete_order", `{}`, canForm).assertHeld("pending", "Held for approval")
	p.callTool("delete_order", `{"n":1}`, canURL).assertAsks("url")
	p.callTool("frob", `{}`, canForm).assertHeld("pending", "Held for approval")
	p.assertCalls(`add_note {"text":"x"}`)
}

// TestUnaskable checks clients that cannot be asked, because of their modes or because
// their key names no approver. They must get an ordinary result that names the question.
// The same call must run if it is sent again after the approval.
func TestUnaskable(t *testing.T) {
	p := newTestProxy(t, "")
	n := 0
	check := func(a ask) {
		t.Helper()
		n++
		a.name, a.arguments = "delete_order", fmt.Sprintf(`{"n":%d}`, n)
		first := p.postAsk(a).assertHeld("pending", "make exactly the same call again")
		if url := first.approvalValue().Get("url").Text(); url != p.url+"/p/"+first.approvalID() || first.approvalValue().Get("expires").Text() == "" {
			t.Errorf("%s", first.text)
		}
		if again := p.postAsk(a).assertHeld("pending", ""); again.approvalID() != first.approvalID() {
			t.Error("a second question")
		}
		p.mustApprove(first.approvalID())
		p.postAsk(a).assertRan()
		p.assertState(first.approvalID(), "executed")
	}
	check(ask{capabilities: canNothing})
	check(ask{capabilities: `{"sampling":{}}`})
	check(ask{capabilities: canForm})
	check(ask{capabilities: canURL, key: strayKey})
}

// TestModesDeclared checks that a question is sent only in a mode that the client has
// declared.
func TestModesDeclared(t *testing.T) {
	p := newTestProxy(t, "", func(s *mcp.Server) { s.Form = true })
	for capabilities, mode := range map[string]string{
		`{"elicitation":{}}`: "form", `{"elicitation":{"form":{}}}`: "form", `{"elicitation":{"url":{}}}`: "url",
		`{"elicitation":{"form":{},"url":{}}}`: "form", `{"elicitation":{"form":true}}`: "", `{"elicitation":true}`: "", `{}`: "",
	} {
		g := p.callTool("add_note", `{"c":`+capabilities+`}`, capabilities)
		if have := g.questionParams().Get("mode").Text(); have != mode {
			t.Errorf("%s: mode %q, want %q", capabilities, have, mode)
		}
	}
}

// TestPolicyThroughMCP checks that the policy's table, denials and exemptions apply to
// the tool's full name, mcp__SERVER__TOOL.
func TestPolicyThroughMCP(t *testing.T) {
	p := newTestProxy(t, `{"definitions":[{"name":"mcp__shop__set_region","annotations":{"readOnlyHint":true}}],"tools":{"mcp__shop__frob":"no","mcp__shop__delete_order":{"deny":"orders stay"},"frob":"yes"},
		"allow":[{"name":"notes","tool":"mcp__shop__add_note","until":"2030-01-01T00:00:00Z","when":{"text":{"any":true}}}]}`)
	p.callTool("frob", `{}`, canURL).assertRan()
	p.callTool("set_region", `{}`, canURL).assertRan() // the policy defines it; missing hints of the server do not change that
	p.callTool("add_note", `{"text":"x"}`, canURL).assertRan()
	p.callTool("add_note", `{"text":"x","to":"all"}`, canURL).assertAsks("url")
	p.callTool("delete_order", `{}`, canURL).assertHeld("denied", "orders stay")
	p.assertCalls("frob {}", "set_region {}", `add_note {"text":"x"}`)
}

// TestHostAsks checks a server with AskHost. The list of tools must tell the host to ask,
// and a call that can be undone must pass. The gate itself must ask about a call that
// cannot be undone or that needs two people.
func TestHostAsks(t *testing.T) {
	mark := `"anthropic/requiresUserInteraction":true`
	p := newTestProxy(t, `{"fourEyes":["mcp__shop__set_region"]}`, func(s *mcp.Server) { s.Ask = mcp.AskHost })
	list := p.postAsk(ask{method: "tools/list"})
	marked := map[string]bool{}
	for _, tool := range list.resultValue().Get("tools").Elements() {
		marked[tool.Get("name").Text()] = strings.Contains(tool.Raw(), mark)
	}
	if marked["get_order"] || !marked["add_note"] || marked["delete_order"] || !marked["frob"] {
		t.Errorf("%v", marked)
	}
	p.callTool("add_note", `{"text":"x"}`, canURL).assertRan()
	p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.callTool("set_region", `{}`, canURL).assertAsks("url")
	audit := p.readAudit()
	for _, entry := range []string{`the definition was seen for the first time and pinned`, `\"rule\":\"the host asks\"`} {
		if !strings.Contains(audit, entry) {
			t.Errorf("the audit has no %s: %s", entry, audit)
		}
	}
	if strings.Contains(newTestProxy(t, "").postAsk(ask{method: "tools/list"}).text, "requiresUserInteraction") {
		t.Error("asked twice")
	}
}

// TestResultThroughMCP checks that a rule finds the values of an earlier result.
func TestResultThroughMCP(t *testing.T) {
	p := newTestProxy(t, `{"tools":{"mcp__shop__get_order":"no"},"rules":[{"name":"own","tool":"add_note","after":{"tool":"get_order","where":{"id":"same","to":{"result":"customer.id"}},"executed":true},"effect":"deny"},
		{"name":"free","tool":"mcp__shop__add_note","effect":"allow","until":"2090-01-01T00:00:00Z","when":{"id":{"any":true},"to":{"any":true}}}]}`)
	p.up.withLock(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"customer\":{\"id\":\"C-1\"}}"}]}}`)
		}
	})
	p.callTool("get_order", `{"id":1}`, canNothing)
	p.callTool("add_note", `{"id":1,"to":"C-2"}`, canNothing)
	p.callTool("add_note", `{"id":2,"to":"C-1"}`, canNothing)
	p.callTool("add_note", `{"id":1,"to":"C-1"}`, canNothing)
	if got := strings.Join(p.up.receivedCalls(), "; "); got != `get_order {"id":1}; add_note {"id":1,"to":"C-1"}` {
		t.Error(got)
	}
}
