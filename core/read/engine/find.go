package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
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
	if r.found.muted && !shape.OneOf(r.Role, "user system") {
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
	head := shape.FirstElement(list)
	if r.found.apart {
		return
	}
	if r.found.lists[head.Raw()] || shape.OneOf(shape.RoleOf(shape.OpenObject(head)), "user system") {
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
			r.findObject(shape.OpenObject(v))
		}
	}
	r.found.depth--
}

func (r *Run) findList(list jsonval.Value) {
	if shape.RoleOf(shape.OpenObject(shape.FirstElement(list))) != "" {
		r.detectHistory(list)
	}
	if steps := list.Elements(); len(steps) == 2 && isLangChainStep(steps) {
		r.langChainStep(shape.OpenObject(steps[0]), steps[1])
		return
	}
	list.Each(func(_ string, e jsonval.Value) bool {
		r.findValue(e)
		return true
	})
}

// findObject reads an object with what it says that its parts took.
func (r *Run) findObject(o *shape.Object) {
	own := spent.Of(o)
	if own.Counts() && o.FirstString("type") == "result" { // the end of a stream
		r.Trajectory.Whole, own = own, own.Timing()
	}
	r.WithSpent(own, func() { r.findPart(o) })
}

// findPart reads an object that is a message, an item, a block, an event or a piece of a
// stream. It searches the members of any other object.
func (r *Run) findPart(o *shape.Object) {
	switch {
	case r.readStreamPiece(o):
	case o.FirstString("object") == "response" && o.IsList("output"):
		r.responseDocument(o)
	case shape.RoleOf(o) != "":
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
func (r *Run) findBlock(o *shape.Object) bool {
	b := shape.OpenBlock(o.Value)
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	if b.Kind != "" || b.Nested.Exists() {
		if r.ReadBlock(b) {
			return true
		}
	}
	id := b.PairingID()
	if b.Tool != "" && b.Kind == "" && !b.Input.Exists() {
		b.CompleteCall()
	}
	switch {
	case b.Tool == "" && !(b.CallID != "" && b.Output.Exists()), id == "" && (!b.Input.Exists() || b.Input.Kind() == jsonval.Null), b.Input.Kind() == jsonval.Array:
		return false
	case b.Tool != "" && b.Input.Exists():
		if r.markAction(r.AddCall(Call{ID: id, Name: b.Name, Arguments: b.Input, At: o.Value}), b.Marks) && !b.Output.Exists() {
			return true
		}
	}
	if b.Output.Exists() && b.Output.Kind() != jsonval.Null || shape.ErrorFlag(b.Failed) == shape.Failed {
		r.resultBlock(b)
	}
	return b.Input.Exists() || b.Output.Exists()
}

// findInside searches the members of an object for parts of a conversation, and adds
// these parts to the run. If a member such as "choices" lists alternative answers, only
// the first answer is read. If a member repeats the calls of its step, only the messages
// of the system and the user are read from this member.
func (r *Run) findInside(o *shape.Object) {
	step := (o.IsList("content") || o.IsList("toolCalls")) && o.HasAny("finishReason finish_reason stepType stepNumber") ||
		shape.OneOf(o.FirstString("type"), "start-step finish-step step-start step-finish finish")
	if shape.IsSentence(o.Get("user")) && o.HasAny("assistant agent bot model response "+shape.PartLists) { // a turn
		r.AddMessage("user", o.FirstText("user"))
	}
	for pass := range 3 {
		for i, key := range o.Keys {
			v := o.Values[i]
			switch k := v.Kind(); {
			case shape.MemberRank(key, v) != pass:
			case r.found.whole && r.found.depth == 1 && isView(key), isDigest(o, key, v):
				r.findView(func() { r.findMember(key, v) })
			case key == "messages" && o.IsList("raw_messages"), key == "raw_response" && o.IsObject("response"): // the same without calls
			case step && shape.OneOf(key, "request response"):
				r.findMuted(v)
			case step && key == "content" && k == jsonval.Array, step && key == "text" && k == jsonval.String && v.Text() != "" && !o.IsList("content"):
				r.BeginTurn("assistant")
				r.ReadContent(v)
			case key == "choices" || key == "candidates":
				r.findValue(shape.FirstElement(v))
			case k == jsonval.String && shape.OneOf(key, "body requestBody responseBody request_body response_body request response payload data raw json messages message_list messageList messages_json conversation"):
				r.findEncoded(v)
			case k == jsonval.String && pass == 0 && shape.OneOf(key, "originalInput original_input userInput user_input query input prompt") && len(r.Trajectory.Messages) == 0:
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
	case shape.IsCallList(key) && k == jsonval.Array:
		r.callList(key, v)
	case k == jsonval.Array && shape.IsRunSide(key) && shape.FirstElement(v).Kind() == jsonval.String:
		r.callList(key, v)
	case k == jsonval.Array && (shape.IsSpanList(key) || shape.IsRunSide(key) || key == "prediction" && isSpanCall(shape.OpenObject(shape.FirstElement(v))) || key == "actions" && r.found.whole && r.found.depth == 1 || key == "calls" && shape.IsCallValue(shape.FirstElement(v))):
		r.spanList(v, key == "calls" || shape.IsRunSide(key) && shape.SpeaksOfCalls(key))
	case shape.IsResultList(key) && k == jsonval.Array:
		r.resultList(v)
	case k == jsonval.Array && shape.OneOf(key, "turns rounds exchanges episodes iterations") && areApart(v.Elements()):
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
		talk := shape.MainList(part, 0)
		if len(talk) == 0 || shape.IsExchange(shape.OpenObject(part)) || slices.ContainsFunc(before, func(b []jsonval.Value) bool { return shape.IsContinuedBy(b, talk) }) {
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

// isDigest reports whether a member lists nothing but the names of the calls that other members of
// its object have, such as toolsUsed beside newItems.
func isDigest(o *shape.Object, key string, v jsonval.Value) bool {
	if v.Kind() != jsonval.Array || shape.FirstElement(v).Kind() != jsonval.String || !isView(key) {
		return false
	}
	for _, e := range v.Elements() {
		if name := e.Raw(); strings.Count(o.Value.Raw(), name) <= strings.Count(v.Raw(), name) {
			return false
		}
	}
	return true
}

// isView reports whether a member of a record with this name lists the calls of the run.
func isView(name string) bool {
	return shape.IsCallList(name) || shape.IsSpanList(name) || shape.IsRunSide(name) || shape.OneOf(name, "trace trajectory actions")
}

// callList reads a list of calls outside a message. The calls belong to the agent, even
// if the last message is from the user.
func (r *Run) callList(name string, list jsonval.Value) {
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	r.bare = shape.OneOf(name, "tools_called toolsCalled")
	defer func() { r.bare = false }()
	list.Each(func(_ string, e jsonval.Value) bool {
		read := false
		if e.Kind() == jsonval.Object {
			b := shape.OpenBlock(e)
			read = shape.IsCallKind(b.Kind) && b.Name != "" && r.ReadBlock(b) || r.ToolCall(e)
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
		n += shape.IfElse(r.Trajectory.Actions[i].Name == name, 1, 0)
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
	if shape.IsName(text) {
		key := "name\x00" + text
		if r.once.local[key]++; r.once.repeats && r.once.local[key] <= r.countNamed(text) {
			return true
		}
		r.AddCall(Call{Name: text, At: e, unrecorded: true})
		return true
	}
	name, _, called := strings.Cut(text, "(")
	ref, err := reference.Read(text)
	if !called || !shape.IsName(strings.TrimSpace(name)) || err != nil || len(ref.Steps) != 1 || ref.Process != nil {
		return false
	}
	r.AddCall(Call{Name: ref.Steps[0].Name, Arguments: ref.Steps[0].Arguments, At: e})
	return true
}
