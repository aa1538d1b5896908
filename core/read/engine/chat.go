package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// DecodeChat reads a conversation in any dialect of chat messages, or in a mix of
// dialects. This is possible because no member has different meanings in two dialects.
// The name of the format is the dialect that was recognised first.
func DecodeChat(d *Decoder, in Batch) {
	r := d.NewRun()
	for _, m := range in.Values {
		r.ReadMessageValue(m)
	}
	if len(r.Trajectory.Actions) == 0 {
		if n, calls := countSpeakers(in.Values); n > 1 && !calls {
			r = d.NewRun()
			r.ReadTalk(in.Values)
		} else if hasTextCommands(in.Values) {
			r = d.NewRun()
			r.readCommands(in.Values)
		}
	}
	r.proposeUnanswered()
	CopyMeta(&r.Trajectory, in.Outer)
	r.AddToDocument()
}

// ReadChat reads a list of messages into a run.
func (r *Run) ReadChat(list jsonval.Value) {
	list.Each(func(_ string, m jsonval.Value) bool {
		r.ReadMessageValue(m)
		return true
	})
}

// message is one message of any dialect. Its fields collect the members of all dialects.
type message struct {
	v                                    jsonval.Value
	role, kind, id, callID, name, finish string
	content, parts, calls, legacy, extra jsonval.Value
	failed, status, requestor, function  jsonval.Value
	data, kwargs, ids, broken            jsonval.Value
	invocations, options, results        jsonval.Value
	chunks, decided                      jsonval.Value
	info                                 jsonval.Value // the member info, or else a list of objects under a name that is not known
	marks                                shape.CallState
	spent                                *spent.Collected
}

// ReadMessageValue reads one message.
func (r *Run) ReadMessageValue(v jsonval.Value) {
	if v.Kind() != jsonval.Object {
		r.Decoder.WarnAt("message-not-object", "a message is "+v.Kind().String()+", not an object", v)
		return
	}
	m := message{v: v}
	v.Each(m.setMember)
	if m.role == "" && m.info.Kind() == jsonval.Object && m.parts.Exists() { // opencode
		m.role = m.info.Get("role").Text()
	}
	switch {
	case m.kwargs.Kind() == jsonval.Object && m.role == "":
		r.readLangChain(&m)
		return
	case m.data.Kind() == jsonval.Object && m.role == "" && shape.LangChainRole(m.kind) != "":
		r.readStored(&m)
		return
	case m.role == "" && m.kind == "backend_tool_call": // Grok
		inner := v.Get("kind")
		r.responseItem(&message{v: inner, kind: inner.Get("tool_type").Text(), id: inner.Get("id").Text()})
		return
	case m.role == "" && IsItem(m.kind):
		r.responseItem(&m)
		return
	}
	r.readMessage(&m)
}

// readMessage reads a message with what it took.
func (r *Run) readMessage(m *message) {
	own := m.spent.Result()
	if own == nil {
		r.readTurn(m)
		return
	}
	if r.found != nil {
		own = r.Took.OnceFor(m.id, own)
	}
	r.readSpent(m, own)
}

func (r *Run) readSpent(m *message, own *trajectory.Spent) {
	r.WithSpent(own, func() { r.readTurn(m) })
}

func (m *message) setMember(key string, v jsonval.Value) bool {
	switch key {
	case "role", "from":
		m.role = v.Text()
	case "message_type":
		if m.role == "" {
			m.role = v.Text()
		}
	case "content", "message", "value", "items", "Items", "contents":
		if inner := v.Get("content"); key == "message" && inner.Exists() { // Cursor
			v = inner
		}
		if !m.content.Exists() {
			m.content = v
		}
	case "Role": // Semantic Kernel
		m.role += v.Get("Label").Text()
	case "type":
		m.kind = v.Text()
	case "parts":
		m.parts = v
	case "toolInvocations":
		m.invocations = v
	case "tool_calls", "toolCalls", "toolRequests":
		if v.Kind() == jsonval.Array && !m.calls.Exists() {
			m.calls = v
		}
	case "usedTools", "used_tools", "toolsUsed", "tools_used", "tool_executions", "toolExecutions", "tools_called", "toolsCalled", "tool_uses", "toolUses", "function_calls":
		if v.Kind() == jsonval.Array && !m.calls.Exists() && shape.FirstElement(v).Kind() == jsonval.Object {
			m.calls = v
		}
	case "toolResults", "tool_results":
		m.results = v
	case "tool_call_chunks":
		m.chunks = v
	case "options":
		m.options = v
	case "info":
		m.info = v
		v.Each(func(name string, inner jsonval.Value) bool { spent.Note(&m.spent, name, inner); return true }) // opencode
	case "function_call":
		m.legacy = v
	case "tool_call_id", "toolCallId", "call_id", "callId":
		m.callID = v.Text()
	case "tool_call_ids":
		m.ids = v
	case "id":
		m.id = v.Text()
	case "name", "toolName", "tool_name":
		m.name = v.Text()
	case "function":
		m.function = v
	case "error", "is_error", "isError":
		m.failed = v
	case "status":
		m.status = v
	case "requestor":
		m.requestor = v
	case "additional_kwargs":
		m.extra = v
	case "data":
		m.data = v
	case "kwargs":
		m.kwargs = v
	case "invalid_tool_calls":
		m.broken = v
	case "finish_reason":
		m.finish = v.Text()
	case "confirmation", "confirmations", "approvals", "decisions", "human_review", "humanReview":
		if m.marks.NoteMember(key, v); v.Kind() == jsonval.Object {
			m.decided = v
		}
	default:
		if v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.Object {
			m.info = v
		}
		m.marks.NoteMember(key, v)
		spent.Note(&m.spent, key, v)
	}
	return true
}

func (r *Run) readTurn(m *message) {
	role := m.role
	if role == "" {
		role = m.kind
	}
	role = shape.PlainRole(role)
	if r.once != nil && !shape.OneOf(role, "user assistant system tool") && r.hasAction(role) { // LangChain's handler for Langfuse
		m.name, role = role, "tool"
	}
	if parts := m.content.Get("parts"); parts.Kind() == jsonval.Array { // as Mastra stores messages
		m.parts = parts
		if role == "" { // an answer of Gemini
			role = shape.PlainRole(m.content.Get("role").Text())
		}
	}
	if m.finish == "tool_calls" && !m.calls.Exists() { // Koog writes the list of calls into the content
		m.content = shape.EncodedValue(m.content)
	}
	if role == "tool" && (!shape.HoldsResults(m.content) || m.callID != "" && shape.IsNameless(m.content)) && m.parts.Kind() != jsonval.Array {
		r.toolMessage(m)
		return
	}
	if m.options.Kind() == jsonval.Object && r.llamaIndex(m, role) || r.found != nil && r.readSpelledCalls(m, role) {
		return
	}
	r.BeginTurn(role)
	if m.parts.Kind() != jsonval.Array || shape.FirstElement(m.parts).Kind() == jsonval.Missing {
		r.ReadContent(m.content)
		r.readInvocations(m.invocations)
	} else { // a message of the AI SDK 4 has everything in content, too
		r.ReadContent(m.parts)
	}
	r.toolCalls(m)
	if m.name != "" && role == "assistant" && !m.calls.Exists() {
		r.callInRow(m)
	}
	m.decided.Each(func(id string, v jsonval.Value) bool {
		r.markAction(r.actionOf(id), shape.DecisionState(v))
		return true
	})
	if m.info.Kind() == jsonval.Array && role == "assistant" && !r.Decoder.probing {
		r.Decoder.beside = append(r.Decoder.beside, m.info)
	}
	r.resultList(m.results)
	if r.at < 0 && r.once == nil && !m.hasBlocks() && (m.role != "" || m.content.Exists()) { // a turn without text is still a turn
		r.AddText("")
	}
}

// callInRow reads the call of a message that names its tool and has its arguments beside, as a row of a table has them.
func (r *Run) callInRow(m *message) {
	o := shape.OpenObject(m.v)
	arguments := shape.OpenText(o.Get("tool_args tool_arguments toolArgs toolArguments tool_input toolInput function_args function_arguments arguments args"))
	if arguments.Kind() != jsonval.Object || !shape.IsName(m.name) {
		return
	}
	r.AddCall(Call{ID: m.callID, Name: m.name, Arguments: arguments, At: m.v})
}

// actionOf returns the index of the last action with an id, or -1.
func (r *Run) actionOf(id string) int {
	for i := len(r.Trajectory.Actions) - 1; i >= 0; i-- {
		if r.Trajectory.Actions[i].CallID == id {
			return i
		}
	}
	return -1
}

func (r *Run) hasAction(name string) bool {
	return slices.ContainsFunc(r.Trajectory.Actions, func(a trajectory.Action) bool { return a.Name == name })
}

// llamaIndex reads the calls or the result that LlamaIndex writes into a message's
// options. It reports whether it has read the whole message.
func (r *Run) llamaIndex(m *message, role string) bool {
	if result := m.options.Get("toolResult"); result.Kind() == jsonval.Object {
		r.resultBlock(shape.OpenBlock(result))
		return true
	}
	calls := m.options.Get("toolCall")
	if calls.Kind() != jsonval.Array {
		return false
	}
	r.BeginTurn(role)
	r.ReadContent(m.content)
	calls.Each(func(_ string, v jsonval.Value) bool {
		r.ToolCall(v)
		return true
	})
	return true
}

// resultList reads results that are in a list of their own, next to the list of calls.
func (r *Run) resultList(list jsonval.Value) {
	if list.Kind() != jsonval.Array {
		return
	}
	list.Each(func(_ string, v jsonval.Value) bool {
		if v.Kind() == jsonval.Object {
			if b := shape.OpenBlock(v); !r.ReadBlock(b) {
				r.resultBlock(b)
			}
		}
		return true
	})
}

// hasBlocks reports whether the message's content is a list of blocks. Such blocks are
// text, calls or results, and the method ReadContent has already read them.
func (m *message) hasBlocks() bool {
	return m.content.Kind() == jsonval.Array && m.content.Raw() != "[]" || m.parts.Kind() == jsonval.Array
}

// toolMessage reads a message that is a tool's result.
func (r *Run) toolMessage(m *message) {
	text := r.Decoder.repeated.Text(m.content)
	if inner, ok := strings.CutPrefix(text, "<tool_response>"); ok { // Hermes
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "</tool_response>"))
	}
	if text == "" {
		text = shape.OtherContent(m.content)
	}
	if text == "" && shape.ErrorFlag(m.failed) == shape.Failed {
		text = shape.ErrorWords(m.failed)
	}
	id, name := m.callID, m.name
	if id == "" {
		id = shape.FirstElement(m.ids).Text()
	}
	if id == "" && r.Seen[m.id] { // τ² uses the message's own id as the call's id
		id = m.id
	}
	if s, ok := m.function.Str(); ok && name == "" {
		name = s
	}
	m.marks.AddState(shape.WordState(m.status.Text()))
	r.markAction(r.AttachResult(id, name, r.Decoder.repeated.Observe(text, shape.StrictestFlag(shape.ErrorFlag(m.failed), m.marks.Flag)), m.v), m.marks)
}

// contentText returns a message's text. Many files repeat the same system message in every run.
func (d *Decoder) contentText(role string, v jsonval.Value) string {
	if role != "system" {
		return shape.ContentText(v)
	}
	return d.repeated.Text(v)
}
