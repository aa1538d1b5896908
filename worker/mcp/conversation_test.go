//go:build !js

package mcp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestSessionsAreConversations draws equal calls of the sessions of one key, and yeses and answers. A call runs if and only if a
// person approved it in its own session, once, and an answer is told in the session of its question.
func TestSessionsAreConversations(t *testing.T) {
	p := newTestProxy(t, "")
	var opened atomic.Int64
	p.up.reply = func(w http.ResponseWriter, m received) {
		if m.method == "initialize" {
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", opened.Add(1)))
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"up","version":"1"}}}`)
			return
		}
		sendDidIt(w, m)
	}
	sessions := []string{""} // a client without a session is one of its own
	for range 2 {
		p.openSession()
		sessions = append(sessions, p.session)
	}
	type key struct{ session, n int }
	asked, approved, answered := map[key]string{}, map[key]bool{}, map[key]bool{}
	draw := rand.New(rand.NewPCG(8, 49))
	for step := range drawn.Cases(80) {
		k := key{draw.IntN(3), draw.IntN(2)}
		id := asked[k]
		switch {
		case id != "" && !approved[k] && !answered[k] && draw.IntN(4) == 0:
			var r struct{ Digest string }
			_, text := p.callAPI("GET", "/v1/proposals/"+id, aliceKey, "")
			json.Unmarshal([]byte(text), &r)
			if status, text := p.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+r.Digest+`"}`); status != 200 {
				t.Fatal(status, text) // the same call of another session may have run since
			}
			approved[k] = true
			continue
		case id != "" && !approved[k] && !answered[k] && draw.IntN(4) == 0:
			p.sendAnswer(id, "ask first")
			answered[k] = true
			continue
		}
		p.session = sessions[k.session]
		g := p.sendLegacy("2025-06-18", "tools/call", fmt.Sprintf(`{"name":"delete_order","arguments":{"n":%d}}`, k.n))
		ran, told := !strings.Contains(g.text, "boundcheck/approval"), strings.Contains(g.text, "ask first")
		if ran != approved[k] || told != answered[k] {
			t.Fatalf("step %d: %+v: ran %v, want %v; told %v, want %v: %s", step, k, ran, approved[k], told, answered[k], g.text)
		}
		delete(asked, k)
		delete(approved, k)
		delete(answered, k)
		if !ran && !told {
			asked[k] = g.approvalID()
		}
	}
}
