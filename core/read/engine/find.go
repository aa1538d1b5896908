package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Producers use the same few shapes (messages, items, content blocks, parts, lists of
// calls) inside objects of many kinds, such as events, steps, states and logs of requests.
// A run with a finder reads these shapes wherever they are. A call may be repeated in a
// snapshot, in a history, or in a piece of a stream before the complete call. All
// repetitions have the same call id, and the call counts once.

// finder is the state of a run that searches its text for parts of a conversation.
type finder struct {
	calls map[string][]int // actions by id and name
	early []result         // results that appeared before their calls
	lists map[string]bool  // the first elements of the lists of messages read so far
	parts map[string]*fragment
	order []*fragment // in the order in which their calls began
	muted bool        // read only messages of the system and the user
	depth int
	apart bool        // no list of messages repeats another one
	whole bool        // the run is one record, and not several rows
	ended []Execution // executions from events of their own, which CompleteCalls joins with calls
}

// result is a result whose call has not been read yet.
type result struct {
	id, name string
	o        trajectory.Observation
	at       jsonval.Value
}

// NewFindingRun returns a run that searches its text for parts of a conversation.
func (d *Decoder) NewFindingRun() *Run {
	r := d.NewRun()
	r.once = newLedger()
	r.found = &finder{calls: map[string][]int{}, lists: map[string]bool{}, parts: map[string]*fragment{}}
	r.Strict = true
	return r
}

// mergeKnownCall reports whether a call was read before, so that it must not become a new
// action. If the repeated call has longer arguments, they replace the earlier ones. If
// the run is muted, the result is always true.
func (r *Run) mergeKnownCall(c *Call) bool {
	f := r.found
	if f.muted {
		return true
	}
	if c.ID == "" {
		return !r.once.recordCall(c)
	}
	arguments, broken := c.Arguments, ""
	if arguments.Kind() == jsonval.String {
		arguments, broken = r.Decoder.readArgumentsQuietly(arguments)
	}
	known := f.calls[c.ID+"\x00"+c.Name]
	at := slices.IndexFunc(known, func(i int) bool { return !differ(r.Trajectory.Actions[i].Arguments, arguments) })
	if at < 0 {
		return r.repeatsView(c)
	}
	a := &r.Trajectory.Actions[known[at]]
	if a.Observation == nil && len(arguments.Raw())+len(broken) > len(a.Arguments.Raw())+len(a.Broken) {
		a.Arguments, a.Broken = arguments, broken
		if a.Unrecorded {
			a.Unrecorded = false
			r.Decoder.unspoken--
		}
	}
	return true
}

// differ reports whether two lists of arguments are of two calls, also if the calls
// have one id: an argument has another value. A stream or a tool may add arguments, may send
// the beginning of a text, and may write a number as a text.
func differ(a, b jsonval.Value) bool {
	if a.Kind() != jsonval.Object || b.Kind() != jsonval.Object || a.Raw() == b.Raw() {
		return false
	}
	other := false
	a.Each(func(name string, v jsonval.Value) bool {
		w := b.Get(name)
		other = w.Exists() && v.Canonical() != w.Canonical() && !isBeginning(v, w)
		return !other
	})
	return other
}

// knownCall returns the action with an id and a name, the last if there are several. It
// reports false if there is none.
func (f *finder) knownCall(id, name string) (int, bool) {
	known := f.calls[id+"\x00"+name]
	if len(known) == 0 {
		return -1, false
	}
	return known[len(known)-1], true
}

// isBeginning reports whether one of two values may be the beginning of the other, or is the
// other in another notation.
func isBeginning(v, w jsonval.Value) bool {
	if v.Kind() != jsonval.String && w.Kind() != jsonval.String {
		return v.Kind() != w.Kind() || v.Kind() >= jsonval.Array
	}
	a, b := v.Text(), w.Text()
	return strings.HasPrefix(a, strings.TrimRight(b, "…. ")) || strings.HasPrefix(b, strings.TrimRight(a, "…. "))
}

// repeatsView records a call with a new id, and reports whether it repeats one that was read
// from another list of the record. The number of equal calls in the two lists decides.
func (r *Run) repeatsView(c *Call) bool {
	l, spelling := r.once, c.spelling()
	l.local[spelling]++
	if l.repeats && l.local[spelling] <= l.taken[spelling] {
		r.renameCall(c)
		return true
	}
	l.taken[spelling]++
	return false
}

// readArgumentsQuietly reads arguments like readArguments, but accepts only JSON and adds
// no warning, because a stream may not have sent all arguments yet.
func (d *Decoder) readArgumentsQuietly(v jsonval.Value) (jsonval.Value, string) {
	inner, err := jsonval.Parse(v.Text())
	if err == nil && inner.Kind() == jsonval.Object {
		return inner, ""
	}
	return jsonval.Value{}, v.Text()
}

// recordPosition records that the last action belongs to the call c. If the result of c
// was read before the call, the result is attached to the action. It does nothing for a
// call without an id.
func (r *Run) recordPosition(c *Call) {
	f := r.found
	i := len(r.Trajectory.Actions) - 1
	if c.ID == "" {
		return
	}
	key := c.ID + "\x00" + c.Name
	f.calls[key] = append(f.calls[key], i)
	for n, e := range f.early {
		if e.id == c.ID {
			r.takeWaiting(c.ID)
			r.SetObservation(i, e.o)
			f.early = append(f.early[:n:n], f.early[n+1:]...)
			return
		}
	}
}

// addLateResult handles a result for which no call waits:
//
//   - If no call with this id was read yet, the result is stored until the call is read.
//   - If the call already has a result, and the new result is an error, the old result becomes an error.
//   - If the result has no id, or the run is muted, the result is ignored.
func (r *Run) addLateResult(id, name string, o trajectory.Observation, at jsonval.Value) {
	f := r.found
	if f.muted {
		return
	}
	if !r.Seen[id] {
		if id != "" {
			f.early = append(f.early, result{id, name, o, at})
		}
		return
	}
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; a.CallID == id && a.Observation != nil {
			a.Observation.Error = a.Observation.Error || o.Error
		}
	}
}

// mergeRepeated reports whether a text repeats or continues the last message, so that it
// must not become a new message. A longer text replaces the text of the last message. If
// the run is muted, the result is true for all texts that are not from the user or the
// system. If the run reads only calls, the result is true for all texts after the first.
func (r *Run) mergeRepeated(text string) bool {
	if r.found.muted && !OneOf(r.Role, "user system") {
		return true
	}
	if r.Decoder.probing && len(r.Trajectory.Messages) > 0 {
		return true
	}
	n := len(r.Trajectory.Messages) - 1
	if n < 0 || r.Trajectory.Messages[n].Role != r.Role || text == "" {
		return false
	}
	last := &r.Trajectory.Messages[n]
	if last.Calls || last.Text == "" || !strings.HasPrefix(text, last.Text) {
		return false
	}
	last.Text = text
	return true
}

// readMessageList reads a list of messages. Some of them may be a history that was read
// before.
func (r *Run) readMessageList(list jsonval.Value) {
	if list.Kind() != jsonval.Array {
		return
	}
	if r.found != nil {
		r.detectHistory(list)
	}
	r.ReadChat(list)
}

// detectHistory starts a new history if a list of messages repeats the conversation from
// the beginning. The first message of such a list is from the user or the system, or was
// also the first message of an earlier list. detectHistory must be called before the list
// is read.
func (r *Run) detectHistory(list jsonval.Value) {
	head := FirstElement(list)
	if r.found.apart {
		return
	}
	if r.found.lists[head.Raw()] || OneOf(roleOf(OpenObject(head)), "user system") {
		r.once.beginHistory()
	}
	r.found.lists[head.Raw()] = true
}

// maxFind is the greatest depth to which findValue searches.
const maxFind = 24

// findValue reads every part of a conversation that it finds inside v.
func (r *Run) findValue(v jsonval.Value) {
	if r.found.depth++; r.found.depth <= maxFind {
		switch v.Kind() {
		case jsonval.Array:
			r.findList(v)
		case jsonval.Object:
			r.findObject(OpenObject(v))
		}
	}
	r.found.depth--
}

func (r *Run) findList(list jsonval.Value) {
	if roleOf(OpenObject(FirstElement(list))) != "" {
		r.detectHistory(list)
	}
	if steps := list.Elements(); len(steps) == 2 && isLangChainStep(steps) {
		r.langChainStep(OpenObject(steps[0]), steps[1])
		return
	}
	list.Each(func(_ string, e jsonval.Value) bool {
		r.findValue(e)
		return true
	})
}

// findObject reads an object that is a message, an item, a block, an event or a piece of
// a stream. It searches the members of any other object.
func (r *Run) findObject(o *Object) {
	switch {
	case r.readStreamPiece(o):
	case o.FirstString("object") == "response" && o.IsList("output"):
		r.responseDocument(o)
	case roleOf(o) != "":
		r.ReadMessageValue(o.Value)
	case o.IsList("chat_history") && o.IsText("message") && !o.HasAny("tool_results"): // a request of Cohere; the message is the last one
		r.readMessageList(o.Get("chat_history"))
		r.readMessage(&message{v: o.Value, role: "user", content: o.Get("message")})
	case o.FirstString("type") == "function" && o.HasAny("parameters description strict"): // the definition of a tool
	case IsItem(o.FirstString("type")) && o.HasAny("call_id callId id name action output"):
		r.ReadMessageValue(o.Value)
	case r.readEvent(o):
	case isToolSpan(o):
		r.addSpanCall(o)
	case r.findBlock(o):
	default:
		r.findInside(o)
	}
}

// findBlock reads an object as a block, such as a call or a result, outside of a message.
// It returns false if the object is not a block.
func (r *Run) findBlock(o *Object) bool {
	b := OpenBlock(o.Value)
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	if b.Kind != "" || b.nested.Exists() {
		if r.ReadBlock(b) {
			return true
		}
	}
	id := b.pairingID()
	if b.tool != "" && b.Kind == "" && !b.input.Exists() {
		b.completeCall()
	}
	switch {
	case b.tool == "" && !(b.callID != "" && b.output.Exists()), id == "" && (!b.input.Exists() || b.input.Kind() == jsonval.Null), b.input.Kind() == jsonval.Array:
		return false
	case b.tool != "" && b.input.Exists():
		if r.markAction(r.AddCall(Call{ID: id, Name: b.name, Arguments: b.input, At: o.Value}), b.marks) && !b.output.Exists() {
			return true
		}
	}
	if b.output.Exists() && b.output.Kind() != jsonval.Null || ErrorFlag(b.failed) == Failed {
		r.resultBlock(b)
	}
	return b.input.Exists() || b.output.Exists()
}

// roleOf returns the role of an object that is a message, or "" for any other object.
func roleOf(o *Object) string {
	role := o.FirstString("role from")
	if role == "" && o.IsList("Items") {
		role = o.OpenMember("Role").FirstString("Label")
	}
	if role == "" && o.IsList("parts") {
		role = o.OpenMember("info").FirstString("role")
	}
	if role == "" && o.IsText("content") && strings.HasSuffix(o.FirstString("message_type"), "_message") { // Letta
		role = o.FirstString("message_type")
	}
	if role == "" {
		return langChainMessage(o)
	}
	if !o.HasAny("content parts tool_calls toolCalls toolRequests options value items Items toolInvocations") && !o.IsText("message") {
		return ""
	}
	switch plain := PlainRole(role); plain {
	case "user", "assistant", "system", "tool", "function_call", "tool-call":
		return plain
	}
	return ""
}

// langChainMessage returns the role of a LangChain message, or "" for any other object.
// The role comes from the message's type or, in a serialised message, from its class.
func langChainMessage(o *Object) string {
	kind := o.FirstString("type")
	switch {
	case kind == "constructor" && o.IsObject("kwargs"):
		class := ""
		o.Get("id").Each(func(_ string, e jsonval.Value) bool { class = e.Text(); return true })
		return langChainRole(class)
	case o.IsObject("data") && o.OpenMember("data").HasAll("content"), o.HasAny("content tool_calls toolCalls") && !o.HasAny("toolCallId tool_name name_"):
		if OneOf(kind, "gemini qwen user") && !o.IsObject("message") {
			return PlainRole(kind)
		}
		return langChainRole(kind)
	}
	return ""
}

// memberRank returns the order in which the members of an object are read:
//
//   - 0: members of a request
//   - 1: all other members
//   - 2: members of the request's result
//   - 3: members that are not read, because they are not part of the conversation
func memberRank(name string, v jsonval.Value) int {
	switch name {
	case "system", "instructions", "originalInput", "original_input", "input", "inputs", "prompt", "request", "user_input", "query", "userInput":
		return 0
	case "output", "outputs", "response", "result", "final_output", "finalOutput":
		return 2
	case "tools", "functions": // a node of a graph may have such a name
		return IfElse(v.Kind() == jsonval.Array, 3, 1)
	case "toolDefinitions", "tool_definitions", "parameters", "inputSchema", "input_schema", "usage", "usageMetadata", "usage_metadata", "providerData",
		"toolConfig", "tool_config", "workflowData", "workflow_data", "workflowDefinition", "workflow_definition": // definitions
		return 3
	}
	if isExpected(name) {
		return 3
	}
	return 1
}

// findInside searches the members of an object for parts of a conversation, and adds
// these parts to the run. If a member such as "choices" lists alternative answers, only
// the first answer is read. If a member repeats the calls of its step, only the messages
// of the system and the user are read from this member.
func (r *Run) findInside(o *Object) {
	step := (o.IsList("content") || o.IsList("toolCalls")) && o.HasAny("finishReason finish_reason stepType stepNumber") ||
		OneOf(o.FirstString("type"), "start-step finish-step step-start step-finish finish")
	for pass := range 3 {
		for i, key := range o.Keys {
			v := o.Values[i]
			switch k := v.Kind(); {
			case memberRank(key, v) != pass:
			case r.found.whole && r.found.depth == 1 && isView(key):
				r.findView(func() { r.findMember(key, v) })
			case key == "messages" && o.IsList("raw_messages"), key == "raw_response" && o.IsObject("response"): // the same without calls
			case step && OneOf(key, "request response"):
				r.findMuted(v)
			case step && key == "content" && k == jsonval.Array, step && key == "text" && k == jsonval.String && v.Text() != "" && !o.IsList("content"):
				r.BeginTurn("assistant")
				r.ReadContent(v)
			case key == "choices" || key == "candidates":
				r.findValue(FirstElement(v))
			case k == jsonval.String && OneOf(key, "body requestBody responseBody request_body response_body request response payload data raw json"):
				r.findEncoded(v)
			case k == jsonval.String && pass == 0 && OneOf(key, "originalInput original_input userInput user_input query input prompt") && len(r.Trajectory.Messages) == 0:
				r.AddMessage("user", v.Text())
			case k == jsonval.String && len(r.Trajectory.Actions) == 0:
				r.readTranscript(v)
			default:
				r.findMember(key, v)
			}
		}
	}
}

// findMember reads a member that is a list of calls, of spans or of results. It searches any
// other member.
func (r *Run) findMember(key string, v jsonval.Value) {
	switch k := v.Kind(); {
	case isCallList(key) && k == jsonval.Array:
		r.callList(key, v)
	case k == jsonval.Array && isRunSide(key) && FirstElement(v).Kind() == jsonval.String:
		r.callList(key, v)
	case k == jsonval.Array && (isSpanList(key) || isRunSide(key) || key == "prediction" && isSpanCall(OpenObject(FirstElement(v))) || key == "actions" && r.found.whole && r.found.depth == 1):
		r.spanList(v)
	case isResultList(key) && k == jsonval.Array:
		r.resultList(v)
	case k == jsonval.Array && OneOf(key, "turns rounds exchanges episodes iterations") && areApart(v.Elements()):
		was := r.found.apart
		r.found.apart = true
		r.findValue(v)
		r.found.apart = was
	default:
		r.findValue(v)
	}
}

// areApart reports whether the elements of a list are parts of a conversation of which none
// repeats another one: each has messages, and none continues an earlier one.
func areApart(parts []jsonval.Value) bool {
	var before [][]jsonval.Value
	for _, part := range parts[:min(len(parts), sample)] {
		talk := mainList(part, 0)
		if len(talk) == 0 || isExchange(OpenObject(part)) || slices.ContainsFunc(before, func(b []jsonval.Value) bool { return isContinuedBy(b, talk) }) {
			return false
		}
		before = append(before, talk)
	}
	return len(before) > 1
}

// findEncoded searches the JSON text inside a string, for example the body of a logged
// request.
func (r *Run) findEncoded(v jsonval.Value) {
	text := strings.TrimSpace(v.Text())
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return
	}
	if inner, err := jsonval.Parse(text); err == nil {
		r.findValue(inner)
	}
}

// findMuted searches v, but reads only messages of the user and the system.
func (r *Run) findMuted(v jsonval.Value) {
	was := r.found.muted
	r.found.muted = true
	r.findValue(v)
	r.found.muted = was
}

// findView searches a member of a record that lists the calls of the run. If the record's
// messages or another list was read before, the calls in the member may repeat those.
func (r *Run) findView(read func()) {
	if len(r.Trajectory.Actions) > 0 {
		r.once.beginHistory()
		r.once.repeats = true
	}
	read()
	r.once.repeats = false
}

// isView reports whether a member of a record with this name lists the calls of the run.
func isView(name string) bool {
	return isCallList(name) || isSpanList(name) || isRunSide(name) || OneOf(name, "trace trajectory actions")
}

func isCallList(name string) bool {
	return OneOf(name, "tool_calls toolCalls toolCall toolRequests tools_called toolsCalled tool_uses toolUses function_calls usedTools used_tools tool_executions toolExecutions")
}

func isResultList(name string) bool {
	return OneOf(name, "toolResults tool_results tool_outputs toolOutputs tool_responses toolResponses")
}

// callList reads a list of calls outside a message. The calls belong to the agent, even
// if the last message is from the user.
func (r *Run) callList(name string, list jsonval.Value) {
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	r.bare = OneOf(name, "tools_called toolsCalled")
	defer func() { r.bare = false }()
	list.Each(func(_ string, e jsonval.Value) bool {
		read := false
		if e.Kind() == jsonval.Object {
			b := OpenBlock(e)
			read = IsCallKind(b.Kind) && b.name != "" && r.ReadBlock(b) || r.ToolCall(e)
		} else {
			read = r.namedCall(e)
		}
		if !read {
			r.Decoder.leaveUnread(e, name)
		}
		return true
	})
}

// countNamed returns the number of actions with a name.
func (r *Run) countNamed(name string) int {
	n := 0
	for i := range r.Trajectory.Actions {
		n += IfElse(r.Trajectory.Actions[i].Name == name, 1, 0)
	}
	return n
}

// namedCall reads an element of a list of calls that is a text: a name, or a call such as
// pay(n=1). A name does not say with which arguments the tool was called. It returns false
// for anything else.
func (r *Run) namedCall(e jsonval.Value) bool {
	text, ok := e.Str()
	if text = strings.TrimSpace(text); !ok || text == "" {
		return false
	}
	if isName(text) {
		key := "name\x00" + text
		if r.once.local[key]++; r.once.repeats && r.once.local[key] <= r.countNamed(text) {
			return true
		}
		r.AddCall(Call{Name: text, At: e, unrecorded: true})
		return true
	}
	name, _, called := strings.Cut(text, "(")
	ref, err := reference.Read(text)
	if !called || !isName(strings.TrimSpace(name)) || err != nil || len(ref.Steps) != 1 || ref.Process != nil {
		return false
	}
	r.AddCall(Call{Name: ref.Steps[0].Name, Arguments: ref.Steps[0].Arguments, At: e})
	return true
}
