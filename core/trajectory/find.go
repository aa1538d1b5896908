package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Producers use the same few shapes (messages, items, content blocks, parts, lists of
// calls) inside objects of many kinds, such as events, steps, states and logs of requests.
// A run with a finder reads these shapes wherever they are. A call may be repeated in a
// snapshot, in a history, or in a piece of a stream before the complete call. All
// repetitions have the same call id, and the call counts once.

// finder is the state of a run that searches its text for parts of a conversation.
type finder struct {
	calls map[string]int  // actions by id and name
	early []result        // results that appeared before their calls
	lists map[string]bool // the first elements of the lists of messages read so far
	parts map[string]*fragment
	order []*fragment // in the order in which their calls began
	muted bool        // read only messages of the system and the user
	depth int
	ended []execution // executions from events of their own, which finish joins with calls
}

// result is a result whose call has not been read yet.
type result struct {
	id, name string
	o        Observation
	at       jsonval.Value
}

// finding returns a run that searches its text for parts of a conversation.
func (d *decoder) finding() *run {
	r := d.run()
	r.once = newLedger()
	r.found = &finder{calls: map[string]int{}, lists: map[string]bool{}, parts: map[string]*fragment{}}
	r.strict = true
	return r
}

// knows reports whether a call was read before. If it was, the repetition may still add
// arguments, because a stream begins a call before its arguments are complete.
func (r *run) knows(c *call) bool {
	f := r.found
	if f.muted {
		return true
	}
	if c.id == "" {
		return !r.once.call(c)
	}
	i, known := f.calls[c.id+"\x00"+c.name]
	if !known {
		return false
	}
	a := &r.t.Actions[i]
	arguments, broken := c.arguments, ""
	if arguments.Kind() == jsonval.String {
		arguments, broken = r.d.quietly(arguments)
	}
	if a.Observation == nil && len(arguments.Raw())+len(broken) > len(a.Arguments.Raw())+len(a.Broken) {
		a.Arguments, a.Broken = arguments, broken
	}
	return true
}

// quietly reads arguments without a warning, because a stream may not have sent all of
// them yet.
func (d *decoder) quietly(v jsonval.Value) (jsonval.Value, string) {
	inner, err := jsonval.Parse(v.Text())
	if err == nil && inner.Kind() == jsonval.Object {
		return inner, ""
	}
	return jsonval.Value{}, v.Text()
}

// meet records the position of the action that was read last, under the id and name of
// its call. If the result of this call was read before the call, meet attaches the result
// to the action.
func (r *run) meet(c *call) {
	f := r.found
	i := len(r.t.Actions) - 1
	if c.id == "" {
		return
	}
	f.calls[c.id+"\x00"+c.name] = i
	for n, e := range f.early {
		if e.id == c.id {
			r.take(c.id)
			r.observed(i, e.o)
			f.early = append(f.early[:n:n], f.early[n+1:]...)
			return
		}
	}
}

// late handles a result for which no call waits. The result belongs to a call that
// already has one, or to a call that appears later.
func (r *run) late(id, name string, o Observation, at jsonval.Value) {
	f := r.found
	if f.muted {
		return
	}
	if !r.seen[id] {
		if id != "" {
			f.early = append(f.early, result{id, name, o, at})
		}
		return
	}
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; a.CallID == id && a.Observation != nil {
			a.Observation.Error = a.Observation.Error || o.Error
		}
	}
}

// repeated reports whether a text must not become a new message: it repeats or continues
// the last message, or the run is muted. A continuation replaces the text of the last
// message.
func (r *run) repeated(text string) bool {
	if r.found.muted && !oneOf(r.role, "user system") {
		return true
	}
	n := len(r.t.Messages) - 1
	if n < 0 || r.t.Messages[n].Role != r.role || text == "" {
		return false
	}
	last := &r.t.Messages[n]
	if last.Calls || last.Text == "" || !strings.HasPrefix(text, last.Text) {
		return false
	}
	last.Text = text
	return true
}

// messages reads a list of messages. Some of them may be a history that was read before.
func (r *run) messages(list jsonval.Value) {
	if list.Kind() != jsonval.Array {
		return
	}
	if r.found != nil {
		r.history(list)
	}
	r.chat(list)
}

// history decides whether a list of messages repeats the conversation from the beginning.
// It must be called before the list is read. A list does so if its first message equals
// the first message of an earlier list, or is from the user or the system.
func (r *run) history(list jsonval.Value) {
	head := first(list)
	if r.found.lists[head.Raw()] || oneOf(roleOf(open(head)), "user system") {
		r.once.begin()
	}
	r.found.lists[head.Raw()] = true
}

// maxFind is the greatest depth to which find searches.
const maxFind = 24

// find reads every part of a conversation that it finds inside v.
func (r *run) find(v jsonval.Value) {
	if r.found.depth++; r.found.depth <= maxFind {
		switch v.Kind() {
		case jsonval.Array:
			r.findList(v)
		case jsonval.Object:
			r.findObject(open(v))
		}
	}
	r.found.depth--
}

func (r *run) findList(list jsonval.Value) {
	if roleOf(open(first(list))) != "" {
		r.history(list)
	}
	if steps := list.Elements(); len(steps) == 2 && isLangChainStep(steps) {
		r.langChainStep(open(steps[0]), steps[1])
		return
	}
	list.Each(func(_ string, e jsonval.Value) bool {
		r.find(e)
		return true
	})
}

// findObject reads an object that is a message, an item, a block, an event or a piece of
// a stream. It searches the members of any other object.
func (r *run) findObject(o *object) {
	switch {
	case r.piece(o):
	case o.word("object") == "response" && o.isList("output"):
		r.responseDocument(o)
	case roleOf(o) != "":
		r.read(o.v)
	case o.word("type") == "function" && o.any("parameters description strict"): // the definition of a tool
	case isItem(o.word("type")) && o.any("call_id callId id name action output"):
		r.read(o.v)
	case r.event(o):
	case r.findBlock(o):
	default:
		r.inside(o)
	}
}

// findBlock reads an object that is a block outside a message, and reports whether it is
// one.
func (r *run) findBlock(o *object) bool {
	b := openBlock(o.v)
	if r.role != "assistant" {
		r.turn("assistant")
	}
	if b.kind != "" || b.nested.Exists() {
		if r.block(b) {
			return true
		}
	}
	id := b.identity()
	switch {
	case b.tool == "" && !(b.callID != "" && b.output.Exists()), id == "" && !b.input.Exists(), b.input.Kind() == jsonval.Array:
		return false
	case b.tool != "" && b.input.Exists():
		r.call(call{id: id, name: b.name, arguments: b.input, at: o.v})
	}
	if b.output.Exists() && b.output.Kind() != jsonval.Null || errorFlag(b.failed) == failed {
		r.resultBlock(b)
	}
	return b.input.Exists() || b.output.Exists()
}

// roleOf returns the role of an object that is a message, or "" for any other object.
func roleOf(o *object) string {
	role := o.word("role from")
	if role == "" && o.isList("parts") {
		role = o.in("info").word("role")
	}
	if role == "" {
		return langChainMessage(o)
	}
	if !o.any("content parts tool_calls toolCalls toolRequests options value items toolInvocations") {
		return ""
	}
	switch plain := plainRole(role); plain {
	case "user", "assistant", "system", "tool", "function_call", "tool-call":
		return plain
	}
	return ""
}

// langChainMessage returns the role of a message that has no member for its role. The
// role is then in the message's type or, in a serialised message, in its class.
func langChainMessage(o *object) string {
	kind := o.word("type")
	switch {
	case kind == "constructor" && o.isObject("kwargs"):
		class := ""
		o.get("id").Each(func(_ string, e jsonval.Value) bool { class = e.Text(); return true })
		return langChainRole(class)
	case o.isObject("data") && o.in("data").has("content"), o.any("content tool_calls toolCalls") && !o.any("toolCallId tool_name name_"):
		if oneOf(kind, "gemini qwen user") && !o.isObject("message") {
			return plainRole(kind)
		}
		return langChainRole(kind)
	}
	return ""
}

// rank returns the order in which an object's members are read: 0 for members of a
// request, 2 for members of its result, and 1 for others. So a request is read before its
// result. Members of rank 3 are not part of the conversation.
func rank(name string, v jsonval.Value) int {
	switch name {
	case "system", "instructions", "originalInput", "input", "inputs", "prompt", "request", "user_input", "query", "userInput":
		return 0
	case "output", "outputs", "response", "result", "final_output", "finalOutput":
		return 2
	case "tools", "functions": // a node of a graph may have such a name
		return either(v.Kind() == jsonval.Array, 3, 1)
	case "toolDefinitions", "tool_definitions", "parameters", "inputSchema", "input_schema", "usage", "usageMetadata", "usage_metadata", "expected_tools", "reference_tool_calls", "providerData":
		return 3
	}
	return 1
}

// inside searches an object's members. Of several alternative answers, such as those in
// the member "choices", it reads only the first, because only that one was used. A step
// that lists its calls repeats them in its members "request" and "response". So inside
// reads only messages of the system and the user from these two members.
func (r *run) inside(o *object) {
	step := (o.isList("content") || o.isList("toolCalls")) && o.any("finishReason finish_reason stepType stepNumber") ||
		oneOf(o.word("type"), "start-step finish-step step-start step-finish finish")
	for pass := range 3 {
		for i, key := range o.keys {
			v := o.values[i]
			switch k := v.Kind(); {
			case rank(key, v) != pass:
			case step && oneOf(key, "request response"):
				r.mutedly(v)
			case step && key == "content" && k == jsonval.Array, step && key == "text" && k == jsonval.String && v.Text() != "" && !o.isList("content"):
				r.turn("assistant")
				r.content(v)
			case key == "choices" || key == "candidates":
				r.find(first(v))
			case isCallList(key) && k == jsonval.Array:
				r.callList(v)
			case isResultList(key) && k == jsonval.Array:
				r.resultList(v)
			case k == jsonval.String && oneOf(key, "body requestBody responseBody request_body response_body request response payload data raw json"):
				r.encoded(v)
			case k == jsonval.String && pass == 0 && oneOf(key, "originalInput userInput user_input query input prompt") && r.t.Messages == nil:
				r.message("user", v.Text())
			case k == jsonval.String && len(r.t.Actions) == 0:
				r.transcript(v)
			default:
				r.find(v)
			}
		}
	}
}

// encoded searches a string that contains JSON. Logs of requests contain bodies in this
// form.
func (r *run) encoded(v jsonval.Value) {
	text := strings.TrimSpace(v.Text())
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return
	}
	if inner, err := jsonval.Parse(text); err == nil {
		r.find(inner)
	}
}

// mutedly searches v, but reads only messages of the user and the system.
func (r *run) mutedly(v jsonval.Value) {
	was := r.found.muted
	r.found.muted = true
	r.find(v)
	r.found.muted = was
}

func isCallList(name string) bool {
	return oneOf(name, "tool_calls toolCalls toolCall toolRequests tools_called tool_uses toolUses function_calls")
}

func isResultList(name string) bool {
	return oneOf(name, "toolResults tool_results tool_outputs toolOutputs tool_responses toolResponses")
}

// callList reads a list of calls outside a message. The calls are the agent's, even after
// a message of the user.
func (r *run) callList(list jsonval.Value) {
	if r.role != "assistant" {
		r.turn("assistant")
	}
	list.Each(func(_ string, e jsonval.Value) bool {
		if e.Kind() == jsonval.Object {
			if b := openBlock(e); !isCallKind(b.kind) || b.name == "" || !r.block(b) {
				r.toolCall(e)
			}
		}
		return true
	})
}
