//go:build !js

package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// sendLegacy sends a request in the form of an older revision, with the client's session.
func (p *proxy) sendLegacy(version, method, params string, header ...string) got {
	p.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, p.ids.Add(1), method, params)
	return p.postAsk(ask{method: method, body: body, header: append([]string{"MCP-Protocol-Version", version, "Mcp-Method", "", "Mcp-Session-Id", p.session}, header...)})
}

// openSession opens a session, to which the client's later requests belong.
func (p *proxy) openSession() got {
	p.t.Helper()
	p.session = ""
	g := p.sendLegacy("", "initialize", `{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"url":{}}},"clientInfo":{"name":"c","version":"1"}}`)
	p.session = g.header.Get("Mcp-Session-Id")
	return g
}

// answerInitialize answers the request "initialize" and opens a session with the id s1.
func answerInitialize(w http.ResponseWriter, m received) {
	w.Header().Set("Mcp-Session-Id", "s1")
	sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"tasks":{"list":{}},"extensions":{"x/y":{}}},"serverInfo":{"name":"up","version":"1"}}}`)
}

// TestOldClients checks the revisions that have a handshake. The handshake and the
// session must be passed on. A held call must return as a result, and must run if it is
// sent again after the approval.
func TestOldClients(t *testing.T) {
	p := newTestProxy(t, "")
	p.up.reply = func(w http.ResponseWriter, m received) {
		if m.method == "initialize" {
			answerInitialize(w, m)
			return
		}
		sendDidIt(w, m)
	}
	g := p.openSession()
	if p.session == "" || strings.Contains(g.text, "tasks") || strings.Contains(g.text, "extensions") || !strings.Contains(g.text, `"listChanged":true`) {
		t.Errorf("%v %s", g.header, g.text)
	}
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", ""} {
		arguments := `{"v":"` + version + `"}`
		p.sendLegacy(version, "tools/call", `{"name":"get_order","arguments":`+arguments+`}`).assertRan()
		first := p.sendLegacy(version, "tools/call", `{"name":"delete_order","arguments":`+arguments+`}`).assertHeld("pending", "make exactly the same call again")
		if strings.Contains(first.text, "resultType") {
			t.Errorf("%s: a word of a later revision: %s", version, first.text)
		}
		p.mustApprove(first.approvalID())
		p.sendLegacy(version, "tools/call", `{"arguments":`+arguments+`,"name":"delete_order"}`).assertRan()
		p.assertState(first.approvalID(), "executed")
	}
	if m := p.up.seen[len(p.up.seen)-1]; m.header.Get("Mcp-Session-Id") != "s1" {
		t.Errorf("the session is lost: %v", m.header)
	}
	list := p.sendLegacy("2025-06-18", "tools/list", `{}`)
	if list.resultValue().Get("tools").Len() != len(standardTools) || strings.Contains(list.resultValue().Raw(), `"private"`) {
		t.Errorf("%s", list.text)
	}
	p.sendLegacy("2025-06-18", "tools/call", `{"name":"get_order","task":{"ttl":1}}`).assertFails(200, -32601, "does not run as a task")
	p.sendLegacy("2025-06-18", "tasks/result", `{"taskId":"1"}`).assertFails(200, -32602, "unknown task")
}

// TestOldStreams checks that the request for a session's long-lived stream (GET) and the
// request to end a session (DELETE) are passed to the server. Without a session, both are
// refused.
func TestOldStreams(t *testing.T) {
	p := newTestProxy(t, "")
	p.up.reply = func(w http.ResponseWriter, m received) {
		switch {
		case m.verb == "DELETE":
			w.WriteHeader(204)
			return
		case m.method == "initialize":
			answerInitialize(w, m)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
	}
	do := func(verb string, header ...string) (int, string) {
		t.Helper()
		r := p.newAskRequest(ask{method: "ping", header: header})
		r.Method, r.Body, r.ContentLength = verb, nil, 0
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		b, _ := io.ReadAll(w.Body)
		return w.StatusCode, string(b)
	}
	p.openSession()
	for _, verb := range []string{"GET", "DELETE", "PUT"} {
		if status, _ := do(verb); status != 405 {
			t.Errorf("%s: %d", verb, status)
		}
	}
	if status, _ := do("GET", "MCP-Protocol-Version", version, "Mcp-Session-Id", p.session); status != 405 {
		t.Errorf("a stream of this revision: %d", status)
	}
	if status, text := do("GET", "MCP-Protocol-Version", "2025-06-18", "Mcp-Session-Id", p.session); status != 200 || !strings.Contains(text, "id: 1\ndata: ") {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := do("DELETE", "MCP-Protocol-Version", "2025-06-18", "Mcp-Session-Id", p.session); status != 204 {
		t.Errorf("the end of a session: %d", status)
	}
}

// TestDiscover checks that the server's description of itself is passed on without the
// features that the gate does not support.
func TestDiscover(t *testing.T) {
	p := newTestProxy(t, "")
	p.up.reply = func(w http.ResponseWriter, m received) {
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"complete","supportedVersions":["2027-01-01","2026-07-28","2024-10-07"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{},"x/y":{}}},"serverInfo":{"name":"up","version":"1"},"instructions":"x"}}`)
	}
	g := p.postAsk(ask{method: "server/discover"})
	if g.resultValue().Get("supportedVersions").Raw() != `["2026-07-28"]` || g.resultValue().Get("capabilities").Raw() != `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}` || g.resultValue().Get("instructions").Text() != "x" {
		t.Errorf("%s", g.text)
	}
}

// TestRefusedRequests checks that ambiguous requests are refused with the protocol's
// code and status.
func TestRefusedRequests(t *testing.T) {
	p := newTestProxy(t, "")
	meta := func(m string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` + m + `}}}`
	}
	for name, c := range map[string]struct {
		a      ask
		status int
		code   int64
		part   string
	}{
		"no _meta":           {ask{method: "tools/list", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}, 400, -32602, "protocolVersion"},
		"no version":         {ask{method: "tools/list", body: meta(`"io.modelcontextprotocol/clientCapabilities":{}`)}, 400, -32602, "protocolVersion"},
		"no capabilities":    {ask{method: "tools/list", body: meta(`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`)}, 400, -32602, "clientCapabilities"},
		"unknown by header":  {ask{method: "tools/list", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header: []string{"MCP-Protocol-Version", "1999-01-01"}}, 400, -32022, `"requested":"1999-01-01"`},
		"unknown version":    {ask{method: "tools/list", body: meta(`"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}`), header: []string{"MCP-Protocol-Version", "1900-01-01"}}, 400, -32022, `"supported":["2026-07-28"`},
		"not JSON":           {ask{body: `{"jsonrpc"`}, 400, -32700, "not JSON"},
		"no UTF-8":           {ask{body: "{\"a\":\"\xff\"}"}, 400, -32700, "UTF-8"},
		"too deep":           {ask{body: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}}`}, 400, -32600, "deep"},
		"null id":            {ask{body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`}, 400, -32600, "invalid id"},
		"half an id":         {ask{body: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`}, 400, -32600, "invalid id"},
		"old JSON-RPC":       {ask{body: `{"id":1,"method":"ping"}`}, 400, -32600, "2.0"},
		"no method":          {ask{body: `{"jsonrpc":"2.0","id":1}`}, 400, -32600, "missing method"},
		"array params":       {ask{body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`}, 400, -32602, "invalid params"},
		"a response":         {ask{body: `{"jsonrpc":"2.0","id":1,"result":{}}`, header: []string{"Mcp-Method", ""}}, 400, -32600, "no responses"},
		"arguments as text":  {ask{name: "get_order", arguments: `"{}"`}, 400, -32602, "want an object"},
		"arguments twice":    {ask{name: "get_order", arguments: `{"a":{"b":1,"b":2}}`}, 400, -32600, "twice"},
		"hidden name":        {ask{name: "get\u200border", arguments: `{}`, header: []string{"Mcp-Name", "=?base64?Z2V04oCLb3JkZXI=?="}}, 400, -32602, "U+200B"},
		"unknown tool":       {ask{name: "Get_order", arguments: `{}`}, 200, -32602, "unknown tool"},
		"prototype's name":   {ask{name: "constructor", arguments: `{}`}, 200, -32602, "unknown tool"},
		"a cursor":           {ask{method: "tools/list", more: `,"cursor":"x"`}, 400, -32602, "one page"},
		"foreign origin":     {ask{name: "get_order", header: []string{"Origin", "http://evil.example"}}, 403, -32600, "origin"},
		"null origin":        {ask{name: "get_order", header: []string{"Origin", "null"}}, 403, -32600, "origin"},
		"no key":             {ask{name: "get_order", header: []string{"Authorization", ""}}, 401, -32600, "Bearer"},
		"wrong key":          {ask{name: "get_order", key: "x"}, 401, -32600, "Bearer"},
		"another media type": {ask{name: "get_order", header: []string{"Content-Type", "text/plain"}}, 415, -32600, "application/json"},
		"compressed":         {ask{name: "get_order", header: []string{"Content-Encoding", "gzip"}}, 415, -32600, "compressed"},
		"too large":          {ask{name: "get_order", arguments: `{"a":"` + strings.Repeat("x", 1<<20) + `"}`}, 413, -32600, "limit"},
	} {
		if g := p.postAsk(c.a); g.status != c.status || g.errorCode() != c.code || !strings.Contains(g.text, c.part) {
			t.Errorf("%s: %d %s", name, g.status, g.text)
		}
	}
	p.assertCalls()
	p.postAsk(ask{name: "get_order", header: []string{"Origin", p.url}}).assertRan()
}

// TestStreamPasses checks that the notifications and the answer in a stream are passed on
// byte for byte. This must also work for a held call after its approval.
func TestStreamPasses(t *testing.T) {
	p := newTestProxy(t, "")
	events := ": hi\r\n\r\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}\n\n"
	p.up.reply = func(w http.ResponseWriter, m received) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, events+`data: {"jsonrpc":"2.0","id":`+m.id+`,"result":{"content":[{"type":"text","text":"did it"}]}}`+"\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/late\"}\n\n")
	}
	g := p.callTool("get_order", `{}`, canURL).assertRan()
	if !strings.HasPrefix(g.text, events) || strings.Contains(g.text, "late") {
		t.Errorf("%q", g.text)
	}
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	if g := p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`).assertRan(); !strings.HasPrefix(g.text, events) {
		t.Errorf("%q", g.text)
	}
	p.assertState(q.approvalID(), "executed")
	// For a slow tool the client receives signs of life, and everything later arrives
	// in the same stream.
	p.mcp.Beat = 20 * time.Millisecond
	for _, status := range []int{200, 400, 500} {
		p.up.withLock(func() {
			p.up.reply = func(w http.ResponseWriter, m received) {
				time.Sleep(150 * time.Millisecond)
				sendJSON(w, status, "{\n\"jsonrpc\":\"2.0\",\"id\":"+m.id+",\n\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"did it\"}]}}\n")
			}
		})
		g := p.callTool("get_order", `{}`, canURL)
		part := map[bool]string{true: "did it", false: fmt.Sprintf("the status %d", status)}[status == 200]
		if g.status != 200 || !strings.HasPrefix(g.text, ": keep-alive\n\n") || !strings.Contains(g.text, part) || !strings.HasSuffix(g.text, "}\n\n") {
			t.Errorf("%d %q", g.status, g.text)
		}
		if g := p.postAsk(ask{name: "get_order", header: []string{"Accept", "application/json"}}); strings.Contains(g.text, "keep-alive") {
			t.Errorf("a client that takes no stream gets %q", g.text)
		}
	}
	p.up.withLock(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\r\r")
		}
	})
	if g := p.postAsk(ask{method: "subscriptions/listen"}); !strings.HasSuffix(g.text, "\r\r") {
		t.Errorf("%q", g.text)
	}
	if g := p.postAsk(ask{method: "resources/read", more: `,"uri":"file:///x"`, header: []string{"Mcp-Name", "file:///x"}}); g.status != 200 {
		t.Errorf("%d %s", g.status, g.text)
	}
}

// TestOtherRequestsPass checks that requests other than tool calls are passed on byte for
// byte, and their answers too. An error answer must keep its HTTP status.
func TestOtherRequestsPass(t *testing.T) {
	p := newTestProxy(t, "")
	meta := `"_meta": {"io.modelcontextprotocol/protocolVersion":"2026-07-28", "io.modelcontextprotocol/clientCapabilities":{} , "x/y":1.0}`
	for _, c := range []struct {
		method, params, name string
		status               int
		reply                string
	}{
		{"prompts/get", `{"name":"delete_all", "arguments":{"n":1.0 },` + meta + `}`, "delete_all", 200, `{"jsonrpc": "2.0", "id":7, "result":{"resultType":"input_required","requestState":"own"}}`},
		{"resources/read", `{"uri":"file:///é",` + meta + `}`, "=?base64?ZmlsZTovLy/DqQ==?=", 200, `{"jsonrpc":"2.0","id":7,"result":{"contents":[ ]}}`},
		{"resources/list", `{` + meta + `,"cursor":"c"}`, "", 200, `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"completion/complete", `{` + meta + `}`, "", 400, `{"jsonrpc":"2.0","id":7,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"sampling":{}}}}}`},
	} {
		p.up.withLock(func() { p.up.reply = func(w http.ResponseWriter, m received) { sendJSON(w, c.status, c.reply) } })
		body := `{ "jsonrpc":"2.0","id":7, "method":"` + c.method + `","params":` + c.params + ` }`
		g := p.postAsk(ask{method: c.method, body: body, header: []string{"Mcp-Name", c.name}})
		if last := p.up.seen[len(p.up.seen)-1]; last.body != body || g.text != c.reply || g.status != c.status {
			t.Errorf("%s: sent on %s, back came %d %s", c.method, last.body, g.status, g.text)
		}
	}
	p.up.withLock(func() { p.up.reply = func(w http.ResponseWriter, m received) { w.WriteHeader(202) } })
	body := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	if g := p.postAsk(ask{method: "notifications/initialized", body: body}); g.status != 202 || g.text != "" || p.up.seen[len(p.up.seen)-1].body != body {
		t.Errorf("%d %s", g.status, g.text)
	}
}
