//go:build !js

package sse

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// taskShop answers as a shop with tasks of the revision 2025-11-25, which all of its clients share.
func (s *shop) respondWithTasks(m jsonval.Value) string {
	about := func(id string) string {
		return `"taskId":"` + id + `","status":"` + s.tasks[id] + `","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null`
	}
	id := m.At("params", "taskId").Text()
	method := m.Get("method").Text()
	if strings.HasPrefix(method, "tasks/") {
		s.asked = append(s.asked, method+" "+id)
		if s.tasks[id] == "" {
			return `"error":{"code":-32602,"message":"no such task"}`
		}
	}
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"shop","version":"1"}}`
	case "tools/list":
		return `"result":{"tools":[{"name":"get_order","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},{"name":"delete_order","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},{"name":"delete_item","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`
	case "tools/call":
		s.ran = append(s.ran, m.At("params", "name").Text()+m.At("params", "arguments").Raw())
		if m.At("params", "task").Exists() {
			id = fmt.Sprintf("raw-%d-of-the-shop", len(s.tasks))
			s.tasks[id] = "working"
			return `"result":{"task":{` + about(id) + `}}`
		}
		return `"result":{"content":[{"type":"text","text":"done"}]}`
	case "tasks/get":
		return `"result":{` + about(id) + `}`
	case "tasks/cancel":
		s.tasks[id] = "cancelled"
		return `"result":{` + about(id) + `}`
	case "tasks/result":
		s.tasks[id] = "completed"
		return `"result":{"content":[{"type":"text","text":"did it"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + id + `"}}}`
	}
	return `"result":{}`
}

// TestTasksSameAsHTTP draws calls with tasks, requests about them, and decisions. Over the old
// transport on both sides, each gets the answer that it gets over Streamable HTTP and reaches the
// server as often; no answer has an id of the server; and another key's stream reaches no task.
func TestTasksSameAsHTTP(t *testing.T) {
	plainShop, oldShop := newShop(t), newShop(t)
	plainShop.tasks, oldShop.tasks = map[string]string{}, map[string]string{}
	plain, old := newSite(t, plainShop, false), newSite(t, oldShop, true)
	a, b, other := plain.overHTTP(), old.openStream().callServer, old.openStreamOf(otherKey)
	hello := strings.Replace(hello, "2024-11-05", "2025-11-25", 1)
	if x, y := hideIDs(a(hello, true)), hideIDs(b(hello, true)); x != y || !strings.Contains(x, `"tasks":{"cancel"`) {
		t.Fatalf("%s\n%s", x, y)
	}
	other.callServer(hello, true)
	draw := rand.New(rand.NewPCG(49, 3))
	ids, seen := [][2]string(nil), map[string]int{} // an id is that of one task at either site
	took := func(text string) string { return mustParse(text).At("result", "task", "taskId").Text() }
	for i := range 300 {
		m, name := [2]string{}, ""
		switch k := draw.IntN(7); {
		case k == 0 || len(ids) == 0:
			name = "tools/call"
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"n":%d},"task":{"ttl":60000}}}`, i+1, []string{"get_order", "delete_order", "delete_item"}[draw.IntN(3)], draw.IntN(12))
			m = [2]string{body, body}
		case k == 1:
			approve := draw.IntN(4) > 0
			plain.decideAll(approve)
			old.decideAll(approve)
			continue
		default:
			name = []string{"tasks/get", "tasks/result", "tasks/cancel", "tasks/list"}[min(3, draw.IntN(8)/2)]
			one := ids[draw.IntN(len(ids))]
			if draw.IntN(8) == 0 {
				one = [2]string{"raw-0-of-the-shop", "raw-0-of-the-shop"}
			}
			for j := range m {
				m[j] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"taskId":%q}}`, i+1, name, one[j])
			}
			before := oldShop.countAsked()
			if text := other.callServer(m[1], true); !strings.Contains(text, "error") || oldShop.countAsked() != before {
				t.Fatalf("another key's %s: %s", m[1], text)
			}
		}
		x, y := a(m[0], true), b(m[1], true)
		if strings.Contains(x+y, "raw-") {
			t.Fatalf("an id of the server: %s\n%s\n%s", m[0], x, y)
		}
		if took(x) != "" {
			ids = append(ids, [2]string{took(x), took(y)})
		}
		for _, one := range ids {
			x, y = strings.ReplaceAll(x, one[0], "T"), strings.ReplaceAll(y, one[1], "T")
		}
		if x, y = hideIDs(x), hideIDs(y); x != y {
			t.Fatalf("%s\n%s\n%s", m[0], x, y)
		}
		for _, word := range []string{`"completed"`, `"input_required"`, `"cancelled"`, "did it", `"done"`, "unknown task"} {
			if strings.Contains(x, word) {
				seen[name+" "+word]++
			}
		}
	}
	checkDrawn(t, plainShop, oldShop, seen)
}

// checkDrawn checks that both shops saw the same, and that the draw had each kind of answer.
func checkDrawn(t *testing.T, plainShop, oldShop *shop, seen map[string]int) {
	t.Helper()
	if x, y := strings.Join(plainShop.ran, " ")+strings.Join(plainShop.asked, " "), strings.Join(oldShop.ran, " ")+strings.Join(oldShop.asked, " "); x != y || strings.Count(x, "delete") < 5 {
		t.Errorf("%s\n%s", x, y)
	}
	for _, want := range []string{`tasks/get "input_required"`, `tasks/result did it`, `tasks/result "done"`, `tasks/cancel "cancelled"`, `tasks/get unknown task`, `tasks/get "completed"`} {
		if seen[want] == 0 {
			t.Errorf("no %s was drawn: %v", want, seen)
		}
	}
}

func mustParse(text string) jsonval.Value {
	v, err := jsonval.Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

func (s *shop) countAsked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// TestFloodingStream checks that what a server says while its client does not listen takes no
// more memory than the largest event, and that the client gets it when it listens.
func TestFloodingStream(t *testing.T) {
	server := newShop(t)
	s := newSite(t, server, true)
	w := s.sendRequest(t.Context(), "POST", "/mcp/up", agentKey, hello)
	w.Body.Close()
	session := w.Header.Get(sessionHeader)
	server.mu.Lock()
	var out chan string
	for _, out = range server.streams {
	}
	server.mu.Unlock()
	note := `{"jsonrpc":"2.0","method":"notifications/message","params":"` + strings.Repeat("x", 1<<20) + `"}`
	for range 60 {
		out <- note
	}
	if !waitUntil(func() bool { return len(out) == 0 }) {
		t.Fatal("the gate does not read")
	}
	s.sendRequest(t.Context(), "POST", "/mcp/up", agentKey, `{"jsonrpc":"2.0","id":9,"method":"ping"}`, sessionHeader, session).Body.Close() // is behind them
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	in := bufio.NewReaderSize(s.sendRequest(ctx, "GET", "/mcp/up", agentKey, "", sessionHeader, session).Body, 64<<10)
	out <- `{"jsonrpc":"2.0","method":"notifications/message","params":"last"}`
	size := 0
	for {
		_, data, err := nextEvent(in)
		if err != nil {
			t.Fatal(err)
		}
		if size += len(data); strings.Contains(data, `"last"`) {
			break
		}
	}
	if size < 8<<20 || size > maxEvent+1<<20 {
		t.Errorf("%d bytes were kept", size)
	}
}

// TestLargeEvent checks that reading an event costs a few times its size.
func TestLargeEvent(t *testing.T) {
	in := bufio.NewReader(strings.NewReader("data: " + strings.Repeat("x", 4<<20) + "\n\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, data, err := nextEvent(in)
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; err != nil || len(data) != 4<<20 || n > 40 {
		t.Errorf("%d MiB for an event of 4 MiB: %v", n, err)
	}
}
