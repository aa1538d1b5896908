//go:build !js

package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// lineServer is an MCP server over standard input and output that does what a test tells
// it. It reads and writes the bytes of the protocol.
type lineServer struct {
	out io.WriteCloser
	mu  sync.Mutex
	got []string
	// answer returns the lines for a message other than tools/list; nil answers each call.
	answer func(m jsonval.Value) []string
	tools  []string
}

func (s *lineServer) receivedLines(method string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.got {
		if strings.Contains(line, `"method":"`+method+`"`) {
			all = append(all, line)
		}
	}
	return all
}

func (s *lineServer) serveLines(in io.Reader) {
	defer s.out.Close()
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		v, _ := jsonval.Parse(line)
		s.mu.Lock()
		s.got = append(s.got, strings.TrimSpace(line))
		s.mu.Unlock()
		for _, a := range s.answersTo(v) {
			io.WriteString(s.out, a)
		}
	}
}

func (s *lineServer) answersTo(v jsonval.Value) []string {
	id := v.Get("id").Raw()
	switch {
	case v.Get("method").Text() == "tools/list":
		tools := s.tools
		if tools == nil {
			tools = standardTools
		}
		return []string{`{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[` + strings.Join(tools, ",") + "]}}\n"}
	case s.answer != nil:
		if a := s.answer(v); a != nil {
			return a
		}
	}
	switch v.Get("method").Text() {
	case "tools/call":
		return []string{lineDidIt(v)}
	case "initialize":
		return []string{`{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}` + "\n"}
	}
	return nil
}

func lineDidIt(v jsonval.Value) string {
	return `{"jsonrpc":"2.0","id":` + v.Get("id").Raw() + `,"result":{"content":[{"type":"text","text":"did it"}]}}` + "\n"
}

// host is a client over lines, in front of the gate of a proxy.
type host struct {
	*proxy
	server *lineServer
	child  *mcp.Child
	front  *mcp.Handler
	in     *io.PipeWriter
	served chan struct{}

	mu    sync.Mutex
	lines []string
	notes []string
}

func newHost(t *testing.T, change ...func(*lineServer, *mcp.Server, *mcp.Handler)) *host {
	t.Helper()
	h := &host{proxy: newTestProxy(t, `{"conversation":["add_note","mcp__shop__add_note"]}`), served: make(chan struct{})}
	toServer, fromGate := io.Pipe()
	fromServer, out := io.Pipe()
	h.server = &lineServer{out: fromGate}
	h.server.out = out
	h.child = mcp.NewChild(fromGate, fromServer, func(m string) { h.receiveMessage(m) }, func(s string) { h.mu.Lock(); h.notes = append(h.notes, s); h.mu.Unlock() })
	s := mcp.Server{Name: "shop", Transport: h.child}
	for _, c := range change {
		c(h.server, &s, &mcp.Handler{})
	}
	var err error
	h.front, err = mcp.New(h.gate, http.DefaultTransport, s)
	if err != nil {
		t.Fatal(err)
	}
	h.front.Wait = 50 * time.Millisecond
	for _, c := range change {
		c(h.server, &s, h.front)
	}
	go h.server.serveLines(toServer)
	in, w := io.Pipe()
	h.in = w
	ctx, stop := context.WithCancel(t.Context())
	lines := mcp.NewLines(h.front, "shop", botKey, h.receiveMessage)
	go func() { defer close(h.served); lines.Serve(ctx, in) }()
	t.Cleanup(func() { w.Close(); stop(); <-h.served; toServer.Close(); fromServer.Close() })
	return h
}

// receiveMessage receives a message to the host.
func (h *host) receiveMessage(m string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, strings.TrimSpace(m))
	return nil
}

func (h *host) writeLine(line string) { io.WriteString(h.in, line+"\n") }

// awaitLine returns the first message to the host that contains all parts.
func (h *host) awaitLine(parts ...string) string {
	h.t.Helper()
	found := ""
	defer func() {
		if found == "" {
			h.t.Logf("it got %q and says %q; the server got %q", h.lines, h.notes, h.server.got)
		}
	}()
	h.waitUntil(func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, line := range h.lines {
			all := true
			for _, p := range parts {
				all = all && strings.Contains(line, p)
			}
			if all {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// linesWith returns the lines that the host got with a part.
func (h *host) linesWith(part string) (out []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, line := range h.lines {
		if strings.Contains(line, part) {
			out = append(out, line)
		}
	}
	return out
}

func (h *host) openStream(capabilities string) {
	h.t.Helper()
	h.writeLine(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"clientInfo":{"name":"c","version":"1"}}}`)
	h.awaitLine(`"id":0`, "protocolVersion")
	h.writeLine(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func lineCall(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// TestLinesDecideLikeHTTP makes the same calls over HTTP and over lines, in the older and
// in the stateless revision. No call may reach the server over one transport that the
// other holds, and a call that changes nothing passes byte for byte.
func TestLinesDecideLikeHTTP(t *testing.T) {
	overHTTP := newTestProxy(t, "")
	for n, c := range []struct{ tool, arguments string }{
		{"get_order", `{"id": 1.0}`}, {"get_order", `{"delete":true}`}, {"add_note", `{"text":"a"}`}, {"delete_order", `{}`}, {"frob", `{}`}, {"set_region", `{"region":"eu"}`}, {"nosuch", `{}`},
	} {
		more := []string{}
		if c.tool == "set_region" {
			more = []string{"Mcp-Param-Region", "eu"}
		}
		before := len(overHTTP.up.receivedCalls())
		overHTTP.postAsk(ask{name: c.tool, arguments: c.arguments, header: more})
		ran := len(overHTTP.up.receivedCalls()) > before
		for _, modern := range []bool{false, true} {
			h := newHost(t)
			id := fmt.Sprint(n + 1)
			line := lineCall(id, c.tool, c.arguments)
			if modern {
				line = strings.Replace(line, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"`+version+`","io.modelcontextprotocol/clientCapabilities":{}},`, 1)
			} else {
				h.openStream(`{}`)
			}
			h.writeLine(line)
			answer := h.awaitLine(`"id":` + id)
			calls := h.server.receivedLines("tools/call")
			if (len(calls) == 1) != ran {
				t.Errorf("%v modern %v: over HTTP it ran %v, over lines the server got %q: %s", c, modern, ran, calls, answer)
			}
			if len(calls) == 1 && (calls[0] != line || answer != strings.TrimSpace(lineDidIt(mustValue(line)))) {
				t.Errorf("the bytes changed: %s and %s", calls[0], answer)
			}
		}
	}
}

func mustValue(text string) jsonval.Value {
	v, err := jsonval.Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

// TestCutLines cuts the host's stream at every byte. A call reaches the server only if its
// whole line arrived.
func TestCutLines(t *testing.T) {
	h := newHost(t)
	call := lineCall("7", "get_order", `{"id":"W-1"}`) + "\n"
	for cut := range len(call) + 1 {
		mcp.NewLines(h.front, "shop", botKey, h.receiveMessage).Serve(t.Context(), strings.NewReader(call[:cut]))
		if n := len(h.server.receivedLines("tools/call")); (n == 1) != (cut == len(call)) {
			t.Fatalf("cut at %d of %d: %d calls, %q", cut, len(call), n, h.lines)
		}
	}
}

// TestCutServer cuts the server's answer to an approved call at every byte. The call
// counts as executed only if the whole line arrived.
func TestCutServer(t *testing.T) {
	full := lineDidIt(mustValue(lineCall("2", "x", "{}")))
	for cut := 0; cut <= len(full); cut += 7 {
		if len(full)-cut < 7 {
			cut = max(cut, len(full)-1) // without its line end
		}
		h := newHost(t)
		h.server.answer = func(m jsonval.Value) []string {
			if m.Get("method").Text() != "tools/call" {
				return nil
			}
			io.WriteString(h.server.out, full[:cut])
			h.server.out.Close()
			return []string{}
		}
		h.openStream(`{}`)
		h.writeLine(lineCall("1", "delete_order", `{}`))
		id := mustValue(h.awaitLine(`"id":1`)).At("result", "_meta", "io.github.boundcheck/approval", "id").Text()
		h.mustApprove(id)
		h.writeLine(lineCall("2", "delete_order", `{}`))
		h.awaitLine(`"id":2`)
		want := "ambiguous"
		if cut == len(full) {
			want = "executed"
		}
		h.assertState(id, want)
	}
	h := newHost(t) // a server that has ended gets nothing: the call has failed, and that is known
	h.openStream(`{}`)
	h.writeLine(lineCall("1", "delete_order", `{}`))
	id := mustValue(h.awaitLine(`"id":1`)).At("result", "_meta", "io.github.boundcheck/approval", "id").Text()
	h.server.out.Close()
	<-h.child.Gone()
	h.writeLine(lineCall("2", "get_order", `{}`))
	h.awaitLine(`"id":2`, "error")
	h.assertState(id, "pending")
}

// TestUnreadAnswers checks that a request whose answer the gate drops gets an error: an
// answer with a member twice or in other letters, and two answers on one line. An approved
// call is then ambiguous. Lines that answer nothing end nothing.
func TestUnreadAnswers(t *testing.T) {
	twice := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]},"result":{"content":[{"type":"text","text":"x"}]}}` + "\n"
	}
	other := func(id string) string { return `{"jsonrpc":"2.0","ID":` + id + `,"result":{"content":[]}}` + "\n" }
	both := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]}}{"jsonrpc":"2.0","id":999,"result":{}}` + "\n"
	}
	asking := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","method":"ping"}` + "\n"
	}
	for name, broken := range map[string]func(id string) string{"twice": twice, "other letters": other, "two on a line": both} {
		h := newHost(t)
		h.server.answer = func(m jsonval.Value) []string {
			if m.Get("method").Text() != "tools/call" {
				return nil
			}
			id := m.Get("id").Raw()
			return []string{"garbage\n", `{"id":` + "\n", asking(id), broken(id)}
		}
		h.openStream(`{}`)
		h.writeLine(lineCall("1", "get_order", `{}`))
		h.awaitLine(`"id":1`, "error", "cannot be passed on")
		h.writeLine(lineCall("2", "delete_order", `{}`))
		id := mustValue(h.awaitLine(`"id":2`)).At("result", "_meta", "io.github.boundcheck/approval", "id").Text()
		h.mustApprove(id)
		h.writeLine(lineCall("3", "delete_order", `{}`))
		h.awaitLine(`"id":3`)
		if h.assertState(id, "ambiguous"); t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestLinesAsk checks clients of an older revision that can be asked. The gate's page
// decides, a form decides only if the operator accepts it, and the server cannot answer
// in the host's place.
func TestLinesAsk(t *testing.T) {
	accept := func(h *host, action string) string {
		h.t.Helper()
		q := h.awaitLine("elicitation/create")
		h.writeLine(`{"jsonrpc":"2.0","id":` + mustValue(q).Get("id").Raw() + `,"result":` + action + `}`)
		return q
	}
	form := func(_ *lineServer, s *mcp.Server, _ *mcp.Handler) { s.Form = true }
	h := newHost(t, form)
	h.openStream(`{"elicitation":{}}`)
	h.writeLine(lineCall("1", "add_note", `{"text":"hi"}`))
	if q := accept(h, `{"action":"accept","content":{"approve":true}}`); !strings.Contains(q, "hi") || strings.Contains(q, `"mode"`) {
		t.Errorf("asked %s", q)
	}
	h.awaitLine(`"id":1`, "did it")

	for _, c := range []struct{ answer, want string }{
		{`{"action":"decline"}`, "Denied by"}, {`{"action":"accept","content":{"approve":false}}`, "Denied by"}, {`{"action":"cancel"}`, "Held for approval"},
		{`{"action":"accept","content":{"approve":true,"text":"other"}}`, ""}, {`"yes"`, ""}, {`{"action":"accept","action":"accept","content":{"approve":true}}`, ""},
	} {
		h := newHost(t, form)
		h.openStream(`{"elicitation":{"form":{}}}`)
		h.writeLine(lineCall("1", "add_note", `{"text":"hi"}`))
		accept(h, c.answer)
		if c.want != "" {
			h.awaitLine(`"id":1`, c.want)
		}
		time.Sleep(5 * time.Millisecond)
		if n := len(h.server.receivedLines("tools/call")); n != 0 {
			t.Errorf("%s: %d calls ran", c.answer, n)
		}
	}

	h = newHost(t) // without the operator's word, a form decides nothing
	h.openStream(`{"elicitation":{"form":{},"url":{}}}`)
	h.writeLine(lineCall("1", "add_note", `{}`))
	q := mustValue(h.awaitLine("elicitation/create")).Get("params")
	if q.Get("mode").Text() != "url" || !strings.HasPrefix(q.Get("url").Text(), h.url+"/p/") || q.Get("elicitationId").Text() == "" {
		t.Errorf("asked %s", q.Raw())
	}
	h.mustApprove(q.Get("elicitationId").Text())
	h.awaitLine(`"id":1`, "did it") // the page ends the question
	h.awaitLine("notifications/cancelled")

	h = newHost(t, form) // the server guesses an id, and asks a question of its own
	h.openStream(`{"elicitation":{}}`)
	h.writeLine(lineCall("1", "add_note", `{}`))
	id := mustValue(h.awaitLine("elicitation/create")).Get("id").Text()
	if len(id) < 20 {
		t.Errorf("the id %s can be guessed", id)
	}
	io.WriteString(h.server.out, `{"jsonrpc":"2.0","id":"`+id+`","result":{"action":"accept","content":{"approve":true}}}`+"\n")
	h.writeLine(`{"jsonrpc":"2.0","id":"boundcheck_1","result":{"action":"accept","content":{"approve":true}}}`)
	time.Sleep(20 * time.Millisecond)
	if n := len(h.server.receivedLines("tools/call")); n != 0 {
		t.Error("the server answered in the host's place")
	}
}

// TestLinesAskOneByOne draws parallel calls of a host and the answers of its user: one form is open at a time, and each answer
// is for the call that it shows.
func TestLinesAskOneByOne(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 31))
	for range drawn.Cases(4) {
		h := newHost(t, func(_ *lineServer, s *mcp.Server, _ *mcp.Handler) { s.Form = true })
		h.openStream(`{"elicitation":{}}`)
		const calls = 3
		for n := 1; n <= calls; n++ {
			h.writeLine(lineCall(fmt.Sprint(n), "add_note", fmt.Sprintf(`{"text":"note-%d-"}`, n)))
		}
		ran := 0
		for asked := 1; asked <= calls; asked++ {
			var questions []string
			h.waitUntil(func() bool { questions = h.linesWith("elicitation/create"); return len(questions) >= asked })
			time.Sleep(10 * time.Millisecond) // another one would come now
			if n := len(h.linesWith("elicitation/create")); n != asked {
				t.Fatalf("%d questions are open behind %d answers", n-asked+1, asked-1)
			}
			q, shown := questions[asked-1], 0
			for n := 1; n <= calls; n++ {
				if strings.Contains(q, fmt.Sprintf("note-%d-", n)) {
					shown = n
				}
			}
			yes := random.IntN(2) == 0
			h.writeLine(`{"jsonrpc":"2.0","id":` + mustValue(q).Get("id").Raw() + `,"result":` + map[bool]string{true: `{"action":"accept","content":{"approve":true}}`, false: `{"action":"decline"}`}[yes] + `}`)
			if yes {
				ran++
				h.awaitLine(fmt.Sprintf(`"id":%d`, shown), "did it")
			} else {
				h.awaitLine(fmt.Sprintf(`"id":%d`, shown), "Denied by")
			}
		}
		if n := len(h.server.receivedLines("tools/call")); n != ran {
			t.Fatalf("%d calls ran, %d were approved", n, ran)
		}
	}
}

// TestLinesWait checks a client that cannot be asked: its first call waits for the page.
func TestLinesWait(t *testing.T) {
	shown := make(chan string, 1)
	h := newHost(t, func(_ *lineServer, _ *mcp.Server, h *mcp.Handler) {
		h.Wait, h.Waiting = 10*time.Second, func(link string) { shown <- link }
	})
	h.openStream(`{"elicitation":{"url":{}}}`)
	h.writeLine(lineCall("1", "delete_order", `{}`))
	link := <-shown
	h.mustApprove(link[strings.LastIndex(link, "/")+1:])
	h.awaitLine(`"id":1`, "did it")
	h.writeLine(lineCall("2", "delete_order", `{}`))
	link = <-shown
	h.writeLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	h.writeLine(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	h.server.answer = nil
	h.waitUntil(func() bool { return h.front.WaitingRequests() == 0 })
	if status := h.sendDecision(aliceKey, link[strings.LastIndex(link, "/")+1:], true); status != 409 {
		t.Errorf("the call that its client has cancelled can be approved: %d", status)
	}
	time.Sleep(20 * time.Millisecond)
	if n := len(h.server.receivedLines("tools/call")); n != 1 {
		t.Errorf("%d calls ran, one of them after its client had cancelled it", n)
	}
}

// TestLinesOfEveryKind checks batches, large lines, junk, progress, cancellation, the
// server's own requests, ids in use, hidden tools, and two lists at one time.
func TestLinesOfEveryKind(t *testing.T) {
	release := make(chan struct{})
	h := newHost(t, func(_ *lineServer, s *mcp.Server, _ *mcp.Handler) { s.Hide = []string{"set_*"} })
	h.server.answer = func(m jsonval.Value) []string {
		switch {
		case m.At("params", "arguments", "slow").Exists():
			<-release
			return []string{"log line\n", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}` + "\n",
				`{"jsonrpc":"2.0","id":"s1","method":"roots/list"}` + "\n", lineDidIt(m)}
		case m.Get("id").Raw() == `"never"`:
			return []string{}
		}
		return nil
	}
	h.openStream(`{}`)
	h.writeLine("[" + lineCall("1", "get_order", "{}") + `,{"jsonrpc":"2.0","method":"notifications/x"},` + lineCall("2", "delete_order", "{}") + "]")
	batch := mustValue(h.awaitLine(`"id":1`, `"id":2`))
	if batch.Len() != 2 || len(h.server.receivedLines("tools/call")) != 1 {
		t.Errorf("the batch: %s", batch.Raw())
	}
	h.writeLine(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_order","arguments":{"x":"` + strings.Repeat("a", 2<<20) + `"}}}`)
	h.awaitLine(`"id":3`, "over the limit")
	h.writeLine("")
	h.writeLine("nonsense")
	h.awaitLine("not JSON")
	h.writeLine(lineCall("4", "set_region", "{}"))
	h.awaitLine(`"id":4`, "unknown tool")
	h.writeLine(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
	if list := h.awaitLine(`"id":5`); strings.Contains(list, "set_region") || !strings.Contains(list, "get_order") {
		t.Errorf("the list: %s", list)
	}
	h.writeLine(`{"jsonrpc":"2.0","id":"never","method":"tools/call","params":{"name":"get_order","arguments":{}}}`)
	h.waitUntil(func() bool { return len(h.server.receivedLines("tools/call")) == 2 })
	h.writeLine(lineCall(`"never"`, "get_order", "{}"))
	h.awaitLine("in use")
	h.writeLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}`)
	h.waitUntil(func() bool { return len(h.server.receivedLines("notifications/cancelled")) == 1 })

	h.writeLine(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"get_order","arguments":{"slow":1}}}`)
	close(release)
	h.awaitLine(`"id":6`, "did it")
	h.mu.Lock()
	all := strings.Join(h.lines, "\n")
	h.mu.Unlock()
	if p, a := strings.Index(all, "progressToken"), strings.LastIndex(all, `"id":6`); p < 0 || p > a || !strings.Contains(all, "roots/list") || strings.Contains(all, "log line") {
		t.Errorf("the order is wrong, or something is missing:\n%.2000s", all)
	}
	if len(h.notes) == 0 || !strings.Contains(h.notes[0], "log line") {
		t.Errorf("notes: %q", h.notes)
	}
	h.writeLine(`{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`)
	h.waitUntil(func() bool {
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		return strings.Contains(strings.Join(h.server.got, "\n"), `"id":"s1","result"`)
	})
}

// TestScan checks that a scan lists the server's tools and calls none.
func TestScan(t *testing.T) {
	h := newHost(t)
	tools, withheld, err := mcp.Scan(t.Context(), mcp.Server{Name: "shop", Transport: h.child})
	if err != nil || len(tools) != len(standardTools) || withheld != 0 || len(h.server.receivedLines("tools/call")) != 0 {
		t.Fatal(len(tools), withheld, err)
	}
	if v, _ := machine.Default().Judge(tools[0]); tools[0].Name != "mcp__shop__get_order" || v.Counts() {
		b, _ := json.Marshal(tools[0])
		t.Errorf("%s", b)
	}
	for want, command := range map[string]string{
		"server-filesystem": "npx -y @modelcontextprotocol/server-filesystem@1.2 /tmp", "mcp-server-git": "uvx mcp-server-git", "shop": "node dist/Shop.js", "server": "docker run",
	} {
		if got := mcp.NameOf(strings.Fields(command)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}
