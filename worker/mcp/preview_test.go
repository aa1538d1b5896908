//go:build !js

package mcp_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// shownCall returns a call as an approver's program reads it, from the API.
func (p *proxy) shownCall(id string) string {
	p.t.Helper()
	r, _ := http.NewRequest("GET", p.url+"/v1/proposals/"+id, nil)
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	return string(text)
}

// TestPreview checks that the state which the policy names is read when a call begins to
// wait, with the values of the call, once, and that the API and the audit have it. What went
// wrong is said.
func TestPreview(t *testing.T) {
	p := newTestProxy(t, `{"tools":{"mcp__shop__delete_*":{"preview":"get_order(order_id=id, deep=where.deep)"}}}`)
	p.up.withLock(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			switch {
			case m.toolName() == "get_order" && strings.Contains(m.rawArguments(), `"bad"`):
				sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"no such order"}]}}`)
			case m.toolName() == "get_order":
				sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"complete","content":[{"type":"text","text":"x"}],"structuredContent":{"status":"<b>paid","total":5}}}`)
			default:
				sendDidIt(w, m)
			}
		}
	})
	asked := p.callTool("delete_order", `{"id":"A7","where":{"deep":9007199254740993}}`, canNothing)
	id := asked.approvalID()
	if got := p.up.receivedCalls(); !slices.Equal(got, []string{`get_order {"order_id":"A7","deep":9007199254740993}`}) {
		t.Fatalf("the server got %q", got)
	}
	p.up.withLock(func() {
		m := p.up.seen[0]
		if m.header.Get("Mcp-Name") != "get_order" || m.header.Get("Authorization") != "Bearer upstream-secret" {
			t.Errorf("%v", m.header)
		}
	})
	if text := p.shownCall(id); !strings.Contains(text, `"preview":{"at":"2023-11-14T22:13:20.000Z","call":"get_order {\"order_id\":\"A7\",\"deep\":9007199254740993}","text":"{\"status\":\"\u003cb\u003epaid\",\"total\":5}"}`) &&
		!strings.Contains(text, `"text":"{\"status\":\"<b>paid\",\"total\":5}"}`) {
		t.Error(text)
	}
	if strings.Contains(asked.text, "paid") {
		t.Error("the agent gets the state: " + asked.text)
	}
	p.callTool("delete_order", `{"id":"A7","where":{"deep":9007199254740993}}`, canNothing) // the same question again
	if got := p.up.receivedCalls(); len(got) != 1 {
		t.Errorf("read again: %q", got)
	}
	for arguments, part := range map[string]string{`{"id":"bad","where":{"deep":1}}`: "no such order", `{"id":"A7"}`: "no argument where.deep"} {
		if text := p.shownCall(p.callTool("delete_order", arguments, canNothing).approvalID()); !strings.Contains(text, part) || !strings.Contains(text, `"problem":`) {
			t.Errorf("%s: %s", arguments, text)
		}
	}
	if text := p.shownCall(p.callTool("add_note", `{}`, canNothing).approvalID()); strings.Contains(text, `"preview"`) {
		t.Error(text)
	}
}

// TestPreviewNeverChanges draws policies whose previews name reads, changes, unknown tools
// and tools that are allowed without being reads, and calls that wait. No call reaches the
// server but those that are proven to only read.
func TestPreviewNeverChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 6))
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	for range drawn.Cases(24) {
		target := pick("get_order", "mcp__shop__get_order", "add_note", "delete_order", "frob", "set_region", "gone", "other__get_order", "get_order ")
		word := pick("", `,"mcp__shop__frob":"no"`, `,"mcp__shop__get_order":"yes"`, `,"mcp__shop__get_order":{"deny":"no"}`)
		allow := pick("", `,"allow":[{"name":"all notes","tool":"mcp__shop__add_note","until":"2099-01-01T00:00:00Z","when":{"id":{"any":true}}}]`)
		policy := fmt.Sprintf(`{"tools":{"mcp__shop__delete_order":{"preview":"%s(id)"}%s}%s}`, target, word, allow)
		trusted := rng.IntN(2) == 0 // then the hint of frob counts, which says that it reads
		p := newTestProxy(t, policy, func(s *mcp.Server) { s.Trusted = trusted })
		id := p.callTool("delete_order", `{"id":"A7"}`, pick(canNothing, canURL, canForm)).approvalID()
		reads := map[string]bool{"get_order": word != `,"mcp__shop__get_order":"yes"` && !strings.Contains(word, "deny"), "frob": trusted || strings.Contains(word, "frob")}
		got := p.up.receivedCalls()
		for _, call := range got {
			if name, _, _ := strings.Cut(call, " "); !reads[name] {
				t.Fatalf("%s: the server got %q", policy, got)
			}
		}
		if name := strings.TrimSpace(strings.TrimPrefix(target, "mcp__shop__")); reads[name] && len(got) != 1 {
			t.Errorf("%s: %q was read", policy, got)
		}
		if id != "" && len(got) == 0 && !strings.Contains(p.shownCall(id), `"problem":`) {
			t.Errorf("%s: nothing says that it was not read: %s", policy, p.shownCall(id))
		}
	}
}
