//go:build !js

package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

const canTasks = `{"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// taskTools are tools that can run as a task, must run as a task, and cannot.
var taskTools = []string{
	toolDefinition("get_order", `,"execution":{"taskSupport":"optional"}`), toolDefinition("delete_order", `,"execution":{"taskSupport":"optional"}`),
	toolDefinition("list_orders", `,"execution":{"taskSupport":"required"}`), toolDefinition("delete_item", `,"execution":{"taskSupport":"required"}`),
	toolDefinition("add_note", ""),
}

// taskServer is a server with tasks in both forms. All clients share its tasks.
type taskServer struct {
	tasks map[string]string // status by id
	wrong bool              // calls end with isError
	asked []string          // methods and ids of the requests about tasks
}

func (s *taskServer) about(id string, modern bool) string {
	out := `"taskId":"` + id + `","status":"` + s.tasks[id] + `","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z"`
	if modern {
		if s.tasks[id] == "completed" {
			out += `,"result":` + s.result(id)
		}
		return out + `,"ttlMs":null`
	}
	return out + `,"ttl":null,"pollInterval":1`
}

func (s *taskServer) result(id string) string {
	return fmt.Sprintf(`{"content":[{"type":"text","text":"did it"}],"isError":%v,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"%s"}}}`, s.wrong, id)
}

func (s *taskServer) reply(w http.ResponseWriter, m received) {
	modern := m.header.Get("Mcp-Protocol-Version") == version
	answer := func(result string) {
		if modern {
			result = `{"resultType":"complete",` + result[1:]
		}
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":`+result+`}`)
	}
	id := m.params.Get("taskId").Text()
	if strings.HasPrefix(m.method, "tasks/") {
		s.asked = append(s.asked, m.method+" "+id)
		if s.tasks[id] == "" || modern && m.header.Get("Mcp-Name") != id {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"error":{"code":-32602,"message":"no such task"}}`)
			return
		}
	}
	switch m.method {
	case "tools/call":
		wants := m.params.Get("task").Exists() || modern && m.params.At("_meta", "io.modelcontextprotocol/clientCapabilities", "extensions").Exists()
		if !wants {
			answer(`{"content":[{"type":"text","text":"did it at once"}]}`)
			return
		}
		id = fmt.Sprintf("raw-%d-of-the-server", len(s.tasks))
		s.tasks[id] = "working"
		if modern {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"task",`+s.about(id, true)+`}}`)
			return
		}
		// A notification comes before the answer, as a server may send it.
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\",\"params\":{%s}}\n\n", s.about(id, false))
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"task\":{%s}}}\n\n", m.id, s.about(id, false))
	case "tasks/get":
		answer(`{` + s.about(id, modern) + `}`)
	case "tasks/result":
		s.tasks[id] = "completed"
		answer(s.result(id))
	case "tasks/cancel":
		if s.tasks[id] == "working" {
			s.tasks[id] = "cancelled"
		}
		if modern {
			answer(`{"_meta":{}}`)
			return
		}
		answer(`{` + s.about(id, false) + `}`)
	case "tasks/update":
		answer(`{"_meta":{}}`)
	}
}

func newTaskProxy(t *testing.T) (*proxy, *taskServer) {
	p := newTestProxy(t, "")
	s := &taskServer{tasks: map[string]string{}}
	p.up.tools, p.up.reply = taskTools, s.reply
	return p, s
}

// send sends a request in one of the two forms.
func (p *proxy) sendAs(key string, modern bool, method, members string) got {
	p.t.Helper()
	name := mustValue(`{` + members + `}`).Get("taskId").Text()
	if method == "tools/call" {
		name = mustValue(`{` + members + `}`).Get("name").Text()
	}
	if modern {
		return p.postAsk(ask{key: key, method: method, capabilities: canTasks, more: "," + members, header: []string{"Mcp-Name", name}})
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`, p.ids.Add(1), method, members)
	return p.postAsk(ask{key: key, method: method, body: body, header: []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Method", ""}})
}

// createdID returns the id of the task in an answer, in either form.
func (g got) createdID() string {
	if id := g.resultValue().At("task", "taskId").Text(); id != "" {
		return id
	}
	return g.resultValue().Get("taskId").Text()
}

// ownedTask is what the test knows of a task.
type ownedTask struct {
	owner, id string
	modern    bool
}

// TestTasksRandom checks that a request about a task reaches the server exactly if its key
// has created the task through the gate, and that no answer has an id of the server.
func TestTasksRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 1))
	for range 6 {
		p, s := newTaskProxy(t)
		keys := []string{botKey, strayKey, spyKey}
		var all []ownedTask
		for range 60 {
			key, modern := keys[r.IntN(3)], r.IntN(2) == 0
			if len(all) == 0 || r.IntN(4) == 0 {
				more := `,"arguments":{"n":` + fmt.Sprint(len(all)) + `}`
				if !modern {
					more += `,"task":{"ttl":60000}`
				}
				g := p.sendAs(key, modern, "tools/call", `"name":"`+[]string{"get_order", "list_orders"}[r.IntN(2)]+`"`+more)
				if g.createdID() == "" || strings.Contains(g.text, "raw-") {
					t.Fatalf("%d %s", g.status, g.text)
				}
				all = append(all, ownedTask{owner: key, id: g.createdID(), modern: modern})
				continue
			}
			one := all[r.IntN(len(all))]
			id := one.id
			switch r.IntN(6) {
			case 0:
				id = fmt.Sprintf("raw-%d-of-the-server", r.IntN(len(all)))
			case 1:
				at := r.IntN(len(id))
				id = id[:at] + string(rune('a'+r.IntN(26))) + id[at+1:]
			}
			method := []string{"tasks/get", "tasks/cancel", "tasks/result", "tasks/update", "tasks/list"}[r.IntN(5)]
			before := len(s.asked)
			more := ""
			if method == "tasks/update" {
				more = `,"inputResponses":{"k":{"action":"accept"}}`
			}
			g := p.sendAs(key, one.modern, method, `"taskId":"`+id+`"`+more)
			known := method == "tasks/get" || method == "tasks/cancel" || method == "tasks/result" && !one.modern || method == "tasks/update" && one.modern
			want := id == one.id && key == one.owner && known
			if reached := len(s.asked) > before; reached != want {
				t.Fatalf("%s of %q by %s, owner %s: reached the server %v, want %v: %s", method, id, key, one.owner, reached, want, g.text)
			}
			if id == one.id && strings.Contains(g.text, "raw-") || want && g.errorCode() != 0 {
				t.Fatalf("%s: %s", method, g.text)
			}
		}
	}
}

// TestTaskHeld checks a change that asks for a task, in both forms: it is held, runs once
// with its task after the approval, and its record ends when the task's result has come.
func TestTaskHeld(t *testing.T) {
	for _, c := range []struct {
		modern, wrong, cancel bool
		want                  string
	}{{false, false, false, "executed"}, {false, true, false, "ambiguous"}, {false, false, true, "ambiguous"},
		{true, false, false, "executed"}, {true, true, false, "ambiguous"}} {
		p, s := newTaskProxy(t)
		s.wrong = c.wrong
		call := `"name":"delete_item","arguments":{"n":1}`
		if !c.modern {
			call += `,"task":{"ttl":5}`
		}
		g := p.sendAs(botKey, c.modern, "tools/call", call)
		var record string
		if c.modern {
			record = g.assertAsks("url").approvalID()
		} else {
			own := g.createdID()
			if p.sendAs(botKey, false, "tasks/get", `"taskId":"`+own+`"`).resultValue().Get("status").Text() != "completed" {
				t.Fatal(g.text)
			}
			record = p.sendAs(botKey, false, "tasks/result", `"taskId":"`+own+`"`).assertHeld("pending", "exactly the same call again").approvalID()
		}
		p.assertCalls()
		p.mustApprove(record)
		g = p.sendAs(botKey, c.modern, "tools/call", call)
		id := g.createdID()
		p.assertCalls(`delete_item {"n":1}`)
		p.assertState(record, "claimed")
		if c.cancel {
			p.sendAs(botKey, false, "tasks/cancel", `"taskId":"`+id+`"`)
		}
		if c.modern {
			p.assertState(record, "claimed")
			s.tasks["raw-0-of-the-server"] = "completed"
		}
		method := map[bool]string{false: "tasks/result", true: "tasks/get"}[c.modern]
		for range 3 { // asking again changes nothing
			if g = p.sendAs(botKey, c.modern, method, `"taskId":"`+id+`"`); !strings.Contains(g.text, "did it") || strings.Contains(g.text, "raw-") {
				t.Fatal(g.text)
			}
		}
		p.assertState(record, c.want)
		if n := strings.Count(p.readAudit(), `"event":"`+c.want+`"`); n > 1 {
			t.Errorf("%d outcomes in the audit", n)
		}
		p.assertCalls(`delete_item {"n":1}`)
	}
}

// TestTaskWaits checks that the task of a held call waits for the decision, and that its
// result runs the call. Another key cannot use it.
func TestTaskWaits(t *testing.T) {
	for _, end := range []string{"approve", "deny", "cancel"} {
		p, _ := newTaskProxy(t)
		own := p.sendAs(botKey, false, "tools/call", `"name":"delete_order","arguments":{"n":1},"task":{}`).createdID()
		about := `"taskId":"` + own + `"`
		g := p.sendAs(botKey, false, "tasks/get", about)
		if g.resultValue().Get("status").Text() != "input_required" || !strings.Contains(g.text, "/p/") {
			t.Fatal(g.text)
		}
		for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
			p.sendAs(strayKey, false, method, about).assertFails(200, -32602, "unknown task")
		}
		record := p.sendAs(botKey, false, "tasks/result", about).assertHeld("pending", "nobody has decided").approvalID()
		switch end {
		case "cancel":
			if g = p.sendAs(botKey, false, "tasks/cancel", about); g.resultValue().Get("status").Text() != "cancelled" {
				t.Error(g.text)
			}
			p.assertState(record, "cancelled")
			p.sendAs(botKey, false, "tasks/cancel", about).assertFails(200, -32602, "has ended")
		default:
			if status := p.sendDecision(aliceKey, record, end == "approve"); status != 200 {
				t.Fatal(status)
			}
		}
		g = p.sendAs(botKey, false, "tasks/result", about)
		if end != "approve" {
			g.assertHeld(map[string]string{"deny": "denied", "cancel": "cancelled"}[end], "")
			p.assertCalls()
			continue
		}
		g.assertRan()
		p.assertState(record, "executed")
		again := p.sendAs(botKey, false, "tasks/result", about).assertRan() // a client that lost the answer
		if one, two := g.resultValue().Raw(), again.resultValue().Raw(); one != two {
			t.Errorf("the second result is %s, want %s", two, one)
		}
		p.sendAs(strayKey, false, "tasks/result", about).assertFails(200, -32602, "unknown task")
		p.sendAs(botKey, false, "tasks/cancel", about).assertFails(200, -32602, "has ended")
		p.assertCalls(`delete_order {"n":1}`)
	}
}

// TestTaskMembers checks what the gate refuses of tasks, and which of a server's
// capabilities clients see.
func TestTaskMembers(t *testing.T) {
	p, s := newTaskProxy(t)
	p.sendAs(botKey, false, "tools/call", `"name":"get_order","task":{"ttl":1,"run":"delete_order"}`).assertFails(400, -32602, "invalid member task")
	p.sendAs(botKey, false, "tools/call", `"name":"get_order","task":7`).assertFails(400, -32602, "invalid member task")
	p.sendAs(botKey, false, "tools/call", `"name":"add_note","task":{}`).assertFails(200, -32601, "does not run as a task")
	p.sendAs(botKey, true, "tools/call", `"name":"add_note","task":{}`).assertAsks("url")
	p.sendAs(botKey, true, "tools/call", `"name":"get_order","task":{"run":"delete_order"}`)
	if m := p.up.seen[len(p.up.seen)-1]; m.params.Get("task").Exists() {
		t.Errorf("a member that this revision does not have is passed on: %s", m.body)
	}
	id := p.sendAs(botKey, true, "tools/call", `"name":"get_order"`).createdID()
	p.sendAs(botKey, true, "tasks/get", `"taskId":"`+id+`","force":true`).assertFails(400, -32602, "unknown member")
	p.postAsk(ask{method: "tasks/get", capabilities: canTasks, more: `,"taskId":"` + id + `"`, header: []string{"Mcp-Name", "other"}}).assertFails(400, -32020, "Mcp-Name says")
	p.postAsk(ask{method: "tasks/get", more: `,"taskId":"` + id + `"`, header: []string{"Mcp-Name", id}}).assertFails(400, -32021, "has not declared")
	if len(s.asked) > 0 {
		t.Error(s.asked)
	}
	for text, want := range map[string]string{
		`"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"x/y":{}}}`: `{"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`,
		`"protocolVersion":"2025-06-18","capabilities":{"tasks":{"cancel":{}},"tools":{}}`:                                                         `{"tools":{}}`,
	} {
		p.up.reply = func(w http.ResponseWriter, m received) {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{`+text+`}}`)
		}
		if g := p.sendAs(botKey, false, "initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}`); g.resultValue().Get("capabilities").Raw() != want {
			t.Error(g.text)
		}
	}
	p.up.reply = func(w http.ResponseWriter, m received) {
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"seen":`+m.params.Get("notifications").Raw()+`,"capabilities":{"tasks":{},"extensions":{"io.modelcontextprotocol/tasks":{},"x/y":{}}}}}`)
	}
	if g := p.postAsk(ask{method: "subscriptions/listen", more: `,"notifications":{"taskIds":["raw"],"toolsListChanged":true}`}); g.resultValue().Get("seen").Raw() != `{"toolsListChanged":true}` {
		t.Error(g.text)
	}
}

// TestTaskEdited checks that the result of a task says what an approver has changed, in both
// forms, also after a restart of the gate.
func TestTaskEdited(t *testing.T) {
	const was, is = `{"id":"W1"}`, `{ "id" : "W2" }`
	for _, modern := range []bool{false, true} {
		p := newTestProxy(t, editPolicy)
		s := &taskServer{tasks: map[string]string{}}
		p.up.tools, p.up.reply = taskTools, s.reply
		call := `"name":"delete_item","arguments":` + was
		var record string
		if g := p.sendAs(botKey, modern, "tools/call", call+map[bool]string{false: `,"task":{}`}[modern]); modern {
			record = g.assertAsks("url").approvalID()
		} else {
			record = p.sendAs(botKey, false, "tasks/result", `"taskId":"`+g.createdID()+`"`).approvalID()
		}
		next := p.editCall(record, is)
		p.mustApprove(next)
		id := p.sendAs(botKey, modern, "tools/call", call+map[bool]string{false: `,"task":{}`}[modern]).createdID()
		p.assertCalls("delete_item " + is)
		p.restart()
		s.tasks["raw-0-of-the-server"] = "completed"
		g := p.sendAs(botKey, modern, map[bool]string{false: "tasks/result", true: "tasks/get"}[modern], `"taskId":"`+id+`"`)
		if modern {
			g.v = mustValue(`{"result":` + g.resultValue().Get("result").Raw() + `}`)
		}
		g.assertTold(is)
		p.assertState(next, "executed")
	}
}
