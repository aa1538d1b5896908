package mcp

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// A task is a call whose result comes later. There are two forms: in the revision
// 2025-11-25 the client asks for a task (the member task of tools/call), and in the
// extension of 2026-07-28 the server decides. To the server, the gate is one client, so
// the server cannot keep its tasks apart for the gate's agents. The gate does: the client
// gets an id that contains the server's id and is authenticated for the key that made the
// call. So the gate needs no list of tasks, and no other key can use the id.

const (
	taskExtension = "io.modelcontextprotocol/tasks"
	taskRelated   = "io.modelcontextprotocol/related-task"
	taskVersion   = "2025-11-25" // the only revision with a handshake that has tasks
	taskTag       = "boundcheck.mcp/1 task"
)

// task is what the client's id of a task contains.
type task struct {
	inner   string // the server's id; "" for a task of the gate itself
	tool    string // name of the tool at the server
	record  string // of the held call; "" for a call that was allowed
	refusal string // JSON of the result of a call that the gate has refused; otherwise ""
	at      string // time of its creation, for a task of the gate itself
}

// sealTask returns the client's id of a task of one key.
func (h *Handler) sealTask(q *query, t *task) string {
	text, _ := json.Marshal([]string{taskTag, t.inner, t.tool, t.record, t.refusal, t.at})
	payload := base64.RawURLEncoding.EncodeToString(text)
	return h.taskMAC(q, payload) + "." + payload
}

func (h *Handler) taskMAC(q *query, payload string) string {
	return h.Gate.MAC("mcp task", q.who.Tenant, q.who.Name, q.server.Name, payload)
}

// openTask returns the task of a request. It returns an error if the gate did not give the
// id to this key.
func (h *Handler) openTask(q *query) (t task, err *fault) {
	given, _ := q.params.Get("taskId").Str()
	mac, payload, _ := strings.Cut(given, ".")
	text, broken := base64.RawURLEncoding.Strict().DecodeString(payload)
	var f []string
	if subtle.ConstantTimeCompare([]byte(mac), []byte(h.taskMAC(q, payload))) != 1 ||
		broken != nil || json.Unmarshal(text, &f) != nil || len(f) != 6 || f[0] != taskTag {
		return t, &fault{status: 200, code: codeParams, text: "unknown task: this key has created no task with this id through the gate"}
	}
	return task{inner: f[1], tool: f[2], record: f[3], refusal: f[4], at: f[5]}, nil
}

// readTask reads the member task of a call. The approver is not shown it, so it may only
// say how long the result is kept. The modern revision ignores the member, so it is
// removed from the message.
func readTask(q *query) (raw string, err *fault) {
	v := q.params.Get("task")
	if !v.Exists() {
		return "", nil
	}
	if q.modern {
		q.params = mustParse(withMembers(q.params, member{"task", ""}))
		q.text = withMembers(mustParse(q.text), member{"params", q.params.Raw()})
		return "", nil
	}
	for _, key := range v.Keys() {
		if n, whole := v.Get(key).Int(); key != "ttl" || v.Get(key).Kind() != jsonval.Null && (!whole || n < 0) {
			return "", invalidFault(codeParams, "invalid member task of tools/call: want at most the member ttl, a number of milliseconds; saw %.40q", key)
		}
	}
	if v.Kind() != jsonval.Object {
		return "", invalidFault(codeParams, "invalid member task of tools/call: want an object, saw %s", v.Kind())
	}
	return v.Raw(), nil
}

// taskSupport returns what the tool's definition says of tasks: required, optional,
// forbidden, or "".
func (t *tool) taskSupport() string { return t.raw.At("execution", "taskSupport").Text() }

// checkTask returns an error if a call asks for a task and its tool has none.
func checkTask(c *call) *fault {
	if s := c.found.taskSupport(); c.task == "" || s == "required" || s == "optional" {
		return nil
	}
	return &fault{status: 200, code: codeMethod, text: fmt.Sprintf("the tool %.80q does not run as a task", c.name)}
}

// createdTask returns the answer to the client if the server has answered a call with a
// task: the same with the client's id. Otherwise it returns "". A task that nobody asked
// for is no task.
func (h *Handler) createdTask(c *call, got response, record string) string {
	about := got.result.Get("task")
	if c.modern {
		about = got.result
		if !declaresTasks(c.query) || about.Get("resultType").Text() != "task" {
			return ""
		}
	} else if c.task == "" {
		return ""
	}
	inner, _ := about.Get("taskId").Str()
	if inner == "" {
		return ""
	}
	id := h.sealTask(c.query, &task{inner: inner, tool: c.name, record: record})
	return string(resultAnswer(c.id, withTaskID(got.result, inner, id)))
}

// declaresTasks reports whether a request of the modern revision declares the extension.
func declaresTasks(q *query) bool {
	return q.params.At("_meta", metaCapabilities, "extensions", taskExtension).Exists()
}

// withTaskID returns a result with the client's id in place of the server's id, at each
// place where the protocol has it: in the result, and in that of a completed task. A deeper
// result is the tool's own, and copying each level would let a server cost its depth times its
// size. O(n).
func withTaskID(result jsonval.Value, inner, id string) string {
	changes := taskIDChanges(result, inner, id)
	if v := result.Get("result"); v.Kind() == jsonval.Object {
		changes = append(changes, member{"result", withMembers(v, taskIDChanges(v, inner, id)...)})
	}
	return withMembers(result, changes...)
}

// taskIDChanges returns the members of one result that have the server's id, with the client's.
func taskIDChanges(result jsonval.Value, inner, id string) (changes []member) {
	mine := func(v jsonval.Value) bool { s, ok := v.Get("taskId").Str(); return ok && s == inner }
	change := member{"taskId", quoteJSON(id)}
	if mine(result) {
		changes = append(changes, change)
	}
	if v := result.Get("task"); mine(v) {
		changes = append(changes, member{"task", withMembers(v, change)})
	}
	if v := result.At("_meta", taskRelated); mine(v) {
		changes = append(changes, member{"_meta", withMembers(result.Get("_meta"), member{taskRelated, withMembers(v, change)})})
	}
	return changes
}

// handleTask passes a request about a task on, with the server's id of the task. If the
// answer says how the task ended, this is the ending of its call.
func (h *Handler) handleTask(q *query) *fault {
	if q.modern && !declaresTasks(q) {
		f := invalidFault(codeCapability, "the client has not declared the extension %s", taskExtension)
		f.data = map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{taskExtension: map[string]any{}}}}
		return f
	}
	t, f := h.openTask(q)
	if f != nil {
		return f
	}
	for _, key := range q.params.Keys() {
		switch {
		case key == "taskId", key == "_meta", key == "inputResponses" && q.method == "tasks/update":
		case key == "task" && !q.modern: // the TypeScript SDK repeats it; it is not passed on
		default:
			return invalidFault(codeParams, "unknown member %.40q of %s", key, q.method)
		}
	}
	if t.inner == "" {
		return h.answerOwnTask(q, &t)
	}
	if len(q.Header.Values("Mcp-Name")) > 0 {
		q.Header.Set("Mcp-Name", encodeValue(t.inner))
	}
	body := withMembers(mustParse(q.text), member{"params", withMembers(q.params, member{"taskId", quoteJSON(t.inner)}, member{"task", ""})})
	h.carryCall(q, []byte(body), func(_ ending, got response) (string, *fault) {
		if !got.result.Exists() {
			return "", nil // an error concerns this request, and says nothing about the call
		}
		result := mustParse(q.withTask(mustParse(withTaskID(got.result, t.inner, q.params.Get("taskId").Text()))))
		return string(resultAnswer(q.id, h.endTask(&call{query: q, name: t.tool}, &t, result))), nil
	})
	return nil
}

// taskOutcome returns the answer to the call of a task, from the result of a request about
// the task. The name is the member of the result that holds it; "" if the result itself
// is the answer. The ending has no state if the task has not ended, or if its result has
// not come yet.
func taskOutcome(q *query, result jsonval.Value) (answer response, name string, e ending) {
	if q.method == "tasks/result" {
		answer.result = result
		return answer, "", responseEnding(answer)
	}
	switch result.Get("status").Text() {
	case "completed":
		if answer.result = result.Get("result"); q.modern && answer.result.Kind() == jsonval.Object {
			return answer, "result", responseEnding(answer)
		}
	case "failed":
		if answer.failed = result.Get("error"); q.modern && answer.failed.Kind() == jsonval.Object {
			return answer, "error", responseEnding(answer)
		}
		return response{}, "", ending{state: machine.Ambiguous, detail: "the server says that the task failed"}
	case "cancelled":
		return response{}, "", ending{state: machine.Ambiguous, detail: "the task was cancelled; it is not known what had run"}
	}
	return response{}, "", ending{}
}

// endTask reports the outcome of a task, if the result of a request says it, and returns
// the result for the client. It reports once: clients may ask again for a task that has
// ended.
func (h *Handler) endTask(c *call, t *task, result jsonval.Value) string {
	answer, name, e := taskOutcome(c.query, result)
	h.heard.addResult(c, answer.result, h.Gate.Now())
	if e.state == "" || t.record == "" {
		return result.Raw()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), patience)
	defer cancel()
	all, err := h.decisions().Standing(ctx, c.who.Tenant, []string{t.record})
	if err != nil {
		return result.Raw()
	}
	r := &all[0]
	if fresh, err := h.Gate.Store.Spend(ctx, "task "+r.ID, h.Gate.Now()+taskKept); err == nil && fresh {
		h.reportEnding(c, r, e)
	}
	if r.Why.Edit == nil || !answer.result.Exists() && !answer.failed.Exists() {
		return result.Raw()
	}
	told := mustParse(h.toldAnswer(&call{query: &query{message: message{id: mustParse("0")}}}, r, e.state, answer))
	if name == "" {
		return told.Get("result").Raw()
	}
	return withMembers(result, member{name, told.Get(name).Raw()})
}

// taskKept is the time in milliseconds for which the gate knows that it has reported the
// outcome of a task.
const taskKept = 30 * 24 * 60 * 60 * 1000

// isTaskNews reports whether a message of a server is a notification about a task. The
// gate drops these: they have the server's ids, and the protocol lets nobody rely on them.
func isTaskNews(text string) bool {
	if !strings.Contains(text, "notifications") && !strings.Contains(text, `\u`) {
		return false
	}
	method := mustParse(text).Get("method").Text()
	return method == "notifications/tasks" || method == "notifications/tasks/status"
}

// withoutTaskIDs returns a request for notifications without those about tasks, whose ids
// the gate has not checked.
func withoutTaskIDs(m *message) string {
	if about := m.params.Get("notifications"); about.Get("taskIds").Exists() {
		return withMembers(mustParse(m.text), member{"params", withMembers(m.params, member{"notifications", withMembers(about, member{"taskIds", ""})})})
	}
	return m.text
}

// taskCapabilities returns the changes to a server's capabilities, so that they only have
// what the gate passes on: no tasks/list, because the server would list the tasks of all
// of the gate's agents, and of the extensions only tasks.
func taskCapabilities(q *query, result jsonval.Value) []member {
	tasks, extensions := member{"tasks", ""}, member{"extensions", ""}
	if v := result.At("capabilities", "tasks"); v.Kind() == jsonval.Object && !q.modern && result.Get("protocolVersion").Text() == taskVersion {
		tasks.raw = withMembers(v, member{"list", ""})
	}
	if v := result.At("capabilities", "extensions", taskExtension); v.Exists() && q.modern {
		extensions.raw = `{` + quoteJSON(taskExtension) + `:` + v.Raw() + `}`
	}
	return []member{tasks, extensions}
}

// offerTask answers a call that asks for a task and that did not run, with a task of the
// gate itself, because such a client understands no other answer. If the call waits for a
// person, the task waits as well, and tasks/result runs the call once it is approved. A
// tool that always needs a task cannot run in tasks/result, so its client gets the
// refusal, and makes the same call again.
func (h *Handler) offerTask(c *call, r *machine.Record, refusal string) {
	t := task{tool: c.name, at: store.Instant(h.Gate.Now())}
	status := "working"
	if r != nil && (r.State == machine.Pending || r.State == machine.Approved) && c.found != nil && c.found.taskSupport() == "optional" {
		t.record = r.ID
	} else {
		t.refusal = refusal
	}
	about := h.describeTask(h.sealTask(c.query, &t), &t, status, "")
	c.out.writeFinal(200, resultAnswer(c.id, encodeLine(map[string]any{"task": about})))
}

// describeTask returns a task of the gate itself, in the form of the protocol.
func (h *Handler) describeTask(id string, t *task, status, text string) map[string]any {
	about := map[string]any{"taskId": id, "status": status, "createdAt": t.at, "lastUpdatedAt": store.Instant(h.Gate.Now()), "ttl": nil, "pollInterval": 1000}
	if text != "" {
		about["statusMessage"] = text
	}
	return about
}

// answerOwnTask answers a request about a task of the gate itself. Its status is
// input_required while a person decides, so that the client asks for the result, which
// waits for the decision. A task whose call was refused is completed and not failed,
// because clients do not fetch the result of a failed task, and would not know why.
func (h *Handler) answerOwnTask(q *query, t *task) *fault {
	id := q.params.Get("taskId").Text()
	tell := func(status, text string) {
		q.out.writeFinal(200, resultAnswer(q.id, encodeLine(h.describeTask(id, t, status, text))))
	}
	if t.refusal != "" {
		switch q.method {
		case "tasks/cancel":
			return endedFault("the call did not run")
		case "tasks/result":
			q.out.writeFinal(200, resultAnswer(q.id, q.withTask(mustParse(t.refusal))))
		default:
			tell("completed", "")
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	all, err := gate.StandingLatest(ctx, h.decisions(), q.who.Tenant, []string{t.record})
	if err != nil {
		return storeFault(ctx, err)
	}
	r := all[0]
	switch q.method {
	case "tasks/result":
		if h.answerKept(q, r.ID) {
			return nil
		}
		return h.resultOfHeld(q, t, &r)
	case "tasks/cancel":
		if r.State.Terminal() {
			return endedFault("its call is " + string(r.State))
		}
		if r, _, err = h.decisions().Apply(ctx, q.who.Tenant, r.ID, machine.Event{Kind: machine.Cancel, By: q.who}); err != nil {
			return storeFault(ctx, err)
		}
	}
	switch r.State {
	case machine.Pending, machine.Approved:
		tell("input_required", fmt.Sprintf("Held for approval. A person can decide at %s until %s.%s", h.decisions().Link(r.ID), store.Instant(r.Expires), r.Why.Unsure.ModelText()))
	case machine.Claimed:
		tell("working", "")
	case machine.Cancelled:
		tell("cancelled", "")
	default:
		tell("completed", "")
	}
	return nil
}

// endedFault is the answer to a request to cancel a task that has ended, as the protocol
// wants it. Like that about an unknown task, it is no HTTP error.
func endedFault(why string) *fault {
	return &fault{status: 200, code: codeParams, text: "the task has ended and cannot be cancelled: " + why}
}

// resultOfHeld waits for the decision about a held call and runs it if it is approved.
func (h *Handler) resultOfHeld(q *query, t *task, r *machine.Record) *fault {
	c := &call{query: q, own: true, name: t.tool, tool: r.Tool, arguments: r.Arguments, digest: r.Digest}
	if of := strings.Fields(r.Session); len(of) == 4 { // a task belongs to the session of its call, whichever asks for its result
		c.conversation = of[3]
	}
	defer h.followCall(c)()
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	if f := h.findTool(ctx, c); f != nil {
		return f
	}
	if q.Header.Get("Mcp-Method") != "" {
		q.Header.Set("Mcp-Method", "tools/call")
	}
	return h.joinQuestion(c, r)
}
