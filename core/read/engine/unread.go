package engine

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/calltext"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A record may hold calls where no format looks for them: beside its messages, in a member of
// a message, in a block of an unknown type, in a string. The law of this file: an object that
// names a tool beside arguments was read as a call of its record's run, repeats one that was
// read, or is stated as unread with its place.
//
// The search does not know the formats. It enters neither arguments and results nor
// definitions of tools, expected sides, and messages of the user, the system and tools.

// The names of the members by which the search recognises a call. An object that has a
// toolName and callArguments is a call anywhere. An object with a name needs arguments, or a
// place that speaks of calls. The same holds for looseArguments, which also other things have.
const (
	namesOfTools   = "tool_name toolName tool function_name functionName fn func func_name tool_call_name recipient_name gen_ai.tool.name"
	callArguments  = "arguments tool_kwargs action_input actionInput tool_input toolInput tool_args toolArgs tool_arguments toolArguments input_parameters inputParameters toolKwargs function_args"
	otherArguments = "args params kwargs"
	looseArguments = "input inputs parameters"
)

// aside is the search for calls in one text.
type aside struct {
	d      *Decoder
	facts  []fact
	sides  []sideAside
	offset int // of the string that is searched, or -1
	depth  int

	histories map[position]int // the histories of lists, by their names and the histories around them
	last      int              // the last history
}

// position says where the search is: the name of the innermost list or member, whether a
// member around it speaks of calls, whether the assistant's message is around it, and the
// history that it belongs to.
type position struct {
	list    string
	calls   bool
	agent   bool
	history int
	listed  bool // a list inside the record is around it
}

// callsAside returns all objects in values that look like calls, in any place.
func (d *Decoder) callsAside(values []jsonval.Value) []fact {
	if d.gold {
		return nil
	}
	a := aside{d: d, offset: -1, histories: map[position]int{}}
	at := position{}
	if len(values) == 1 && values[0].Kind() == jsonval.Array {
		values = values[0].Elements()
	}
	for _, v := range values {
		a.search("", v, at)
	}
	d.aside = a.sides
	return a.facts
}

func (a *aside) search(key string, v jsonval.Value, at position) {
	if a.depth++; a.depth <= maxFind {
		switch v.Kind() {
		case jsonval.Array:
			a.searchList(v, at)
		case jsonval.Object:
			a.searchObject(shape.OpenObject(v), at)
		case jsonval.String:
			a.searchText(key, v, at)
		}
	}
	a.depth--
}

// searchList searches the elements of a list. A list of messages is a history of its own. The
// lists with one name in one history are a history, too: they may tell the same calls again
// as those with another name.
func (a *aside) searchList(list jsonval.Value, at position) {
	if key := (position{list: at.list, history: at.history}); shape.RoleOf(shape.OpenObject(shape.FirstElement(list))) != "" {
		at.history = a.newHistory()
	} else if at.history = a.histories[key]; at.history == 0 {
		at.history = a.newHistory()
		a.histories[key] = at.history
	}
	calls := shape.IsCallList(at.list) || shape.IsRunSide(at.list) && shape.SpeaksOfCalls(at.list)
	at.listed = true
	for _, e := range list.Elements() {
		switch {
		case calls && a.addOdd(e, at):
		case e.Kind() != jsonval.String:
			a.search(at.list, e, at)
		}
	}
}

// addOdd adds an element of a list of calls that is a text, or an object which no format has
// in such a list. It reports whether the element is one.
func (a *aside) addOdd(e jsonval.Value, at position) bool {
	f := fact{at: e, offset: a.place(e), member: at.list, history: at.history, untyped: true}
	switch e.Kind() {
	case jsonval.String:
		name, _, _ := strings.Cut(e.Text(), "(")
		f.name = shape.IfElse(shape.IsName(strings.TrimSpace(name)), strings.TrimSpace(name), e.Text())
	case jsonval.Object:
		o, b := shape.OpenObject(e), shape.OpenBlock(e)
		if !shape.NamesCall(o) && shape.IsNameAlone(o) {
			f.name = o.FirstString("tool tool_name toolName function_name name")
			break
		}
		if len(o.Keys) == 0 || b.Kind+b.Name+b.PairingID() != "" || b.Nested.Exists() || b.Input.Exists() || o.HasAny("function custom index "+namesOfTools) {
			return false
		}
		f.name = e.Raw()
	default:
		return false
	}
	a.facts = append(a.facts, f)
	return f.name != ""
}

func (a *aside) newHistory() int {
	a.last++
	return a.last
}

func (a *aside) searchObject(o *shape.Object, at position) {
	kind := o.FirstString("type")
	switch role := shape.RoleOf(o); {
	case shape.OneOf(role, "user system tool") && !o.HasAny("tool_calls toolCalls"), shape.IsResultWord(kind), o.HasAny("tool_result functionResponse function_response toolResult toolResponse"):
		for i, key := range o.Keys {
			a.passSide(key, o.Values[i], at)
		}
		return
	case role != "":
		at.agent = role != "user"
	}
	if shape.OneOf(o.FirstString("role"), "tool_call function_call tool-call") {
		at.agent = true
	}
	if a.isLeftOut(o.Value) || shape.IsDefinition(o) || kind == "function" && (o.HasAny("description") || o.HasAny("parameters") && !(at.agent && shape.MayBeArguments(o.Get("parameters")))) {
		return
	}
	if f, ok := a.callIn(o, at); ok {
		f.history = at.history
		a.facts = append(a.facts, f)
		return
	}
	if shape.IsOtherKind(shape.KindOf(o)) { // such as the span of a model, which may repeat what was said before
		at.history = a.newHistory()
	}
	step := o.HasAny("action "+namesOfTools) || o.HasAny("tool_call_id toolCallId call_id")
	for i, key := range o.Keys {
		v := o.Values[i]
		if a.passSide(key, v, at) || shape.MemberRank(key, v) == 3 || shape.IsAsideFromRun(key) || step && shape.OneOf(key, "output outputs result response error content") ||
			key == "actions" && at.list == "task" || key == "params" && o.HasAny("method") && o.FirstString("method") != "tools/call" {
			continue
		}
		inner := at
		if inner.list = key; shape.SpeaksOfCalls(key) || shape.IsSpanList(key) || strings.Contains(strings.ToLower(key), "invocation") {
			inner.calls = true
		}
		a.search(key, v, inner)
	}
}

// passSide notes a member that is an expected side, and reports whether it is one.
func (a *aside) passSide(key string, v jsonval.Value, at position) bool {
	if v.Kind() < jsonval.Array || !shape.IsExpected(key) {
		return false
	}
	a.sides = append(a.sides, sideAside{key: key, at: v, offset: a.place(v), listed: at.listed})
	return true
}

func (a *aside) isLeftOut(v jsonval.Value) bool { return a.d.isLeftOut(a.place(v)) }

// place returns the offset of a value, or that of the string around it.
func (a *aside) place(v jsonval.Value) int {
	if a.offset >= 0 {
		return a.offset
	}
	return a.d.offsetOf(v)
}

// callIn returns the call that an object is, and reports whether it is one.
func (a *aside) callIn(o *shape.Object, at position) (fact, bool) {
	inner := o
	if f := o.OpenMember("function custom"); f.HasAny("name") && f.HasAny("arguments input") {
		inner = f
	}
	name, sure := o.FirstString(namesOfTools), true
	if name == "" {
		name, sure = o.FirstString("function"), o.HasAny("arguments")
	}
	if name == "" {
		name, sure = inner.FirstString("name FunctionName"), inner != o
	}
	word := shape.KindOf(o)
	place := at.calls || at.agent || shape.OneOf(word, "tool tool_call tool_use function_call") || o.HasAny("tool_name toolName recipient_name") && !o.HasAny("description properties")
	sure = sure || place || o.HasAny("arguments")
	arguments := inner.Get(callArguments + " gen_ai.tool.call.arguments")
	if name == "" && o.HasAny("action_input actionInput") {
		name, sure = o.FirstString("action"), true
	}
	if sure && !arguments.Exists() {
		arguments = inner.Get(otherArguments)
	}
	if place && !arguments.Exists() && (word == "" || shape.IsToolKind(word) || at.agent && at.list == "content") {
		arguments = inner.Get(looseArguments)
		sure = sure && shape.IsObjectText(arguments)
	}
	if !sure || name == "" || !shape.IsName(name) || !shape.MayBeArguments(arguments) || shape.IsOtherKind(word) || holdsCalls(o) {
		return fact{}, false
	}
	return fact{at: o.Value, offset: a.place(o.Value), id: shape.OpenBlock(o.Value).PairingID(), name: name, member: shape.IfElse(at.list != "", at.list, "name"), arguments: arguments}, true
}

// searchText searches a string that contains JSON. A string in a member for questions,
// results or settings is not searched, and in a message only the assistant's text is.
func (a *aside) searchText(key string, v jsonval.Value, at position) {
	if shape.OneOf(key, "input inputs prompt query question user_input value description title name") || shape.OneOf(key, "content text") && !at.agent || a.isLeftOut(v) {
		return
	}
	a.searchWords(strings.TrimSpace(v.Text()), a.place(v), at, at.agent && shape.OneOf(key, "content text"))
}

// searchWords searches a text for calls: the text is JSON, or, if spoken is true, the words of
// an assistant with calls between marks.
func (a *aside) searchWords(text string, offset int, at position, spoken bool) {
	outer := a.offset
	a.offset = offset
	if spoken {
		for rest := text; ; {
			c, mark, after := nextMarked(rest)
			if mark == nil && rest == text {
				if mark, name, arguments := shape.FindTextCall(text); mark != "" {
					a.facts = append(a.facts, fact{offset: offset, name: name, member: mark, arguments: arguments, untyped: !arguments.Exists(), history: at.history})
				}
			}
			if mark == nil {
				break
			}
			a.facts = append(a.facts, fact{offset: offset, name: c.Name, member: mark.open, arguments: parsed(c.Arguments), untyped: mark.open[0] == '<' && mark.read != nil, history: at.history})
			rest = after
		}
	}
	if shape.IsJSONText(text) {
		if inner, err := jsonval.Parse(text); err == nil {
			a.search("", inner, at)
		}
	}
	a.offset = outer
}

func parsed(text string) jsonval.Value {
	v, _ := jsonval.Parse(text)
	return v
}

// nextMarked returns the next call between two marks in a text, with its protocol and the
// text after it. The protocol is nil if there is none. A mark without a call that can be read
// is passed over.
func nextMarked(text string) (c calltext.Call, protocol *textMark, after string) {
	for {
		at, mark := nextMark(text)
		if at < 0 || mark.end == "" {
			return c, nil, ""
		}
		inner, rest, closed := strings.Cut(text[at+len(mark.open):], mark.end)
		if !closed {
			return c, nil, ""
		}
		if c, ok := mark.call(strings.TrimSpace(inner)); ok {
			return c, &mark, rest
		}
		text = rest
	}
}

// call returns the call between the two marks of a protocol.
func (m *textMark) call(inner string) (c calltext.Call, ok bool) {
	if rest, is := strings.CutPrefix(inner, "<function="); is && m.read == nil {
		return calltext.Function(strings.TrimSpace(strings.TrimSuffix(rest, "</function>")))
	}
	if m.read != nil {
		return m.read(inner)
	}
	v, err := jsonval.Parse(inner)
	b := shape.OpenBlock(v)
	if err != nil || b.Name == "" {
		return c, false
	}
	return calltext.Call{Name: b.Name, Arguments: shape.IfElse(b.Input.Exists(), b.Input.Raw(), "{}")}, true
}

// findAside returns the indices of the calls that were found aside and not read. A call was read if the name of an
// action comes from it. An equal call in another history is a repetition, and so is one with
// the same id.
//
// The facts are those with the given indices, which are of one record. unread has the offsets of
// calls that are known to be missing.
func (d *Decoder) findAside(others []fact, of []int, read *readings, names memory, unread map[int]bool) (out []int) {
	type told struct {
		history int
		call    string
	}
	seen := map[told]int{}
	var rest []int
	for _, i := range of {
		f := &others[i]
		if n := names.countIn(f.at); n == 0 {
			rest = append(rest, i)
		} else {
			seen[told{f.history, f.spelling()}] += n
			seen[told{f.history, "id" + f.id + f.spelledArguments()}] += shape.IfElse(f.id != "", 1, 0)
			read.addSpelling(f)
		}
	}
	for _, i := range rest {
		f := &others[i]
		id, spelt := told{f.history, "id" + f.id + f.spelledArguments()}, told{f.history, f.spelling()}
		if f.id != "" {
			if seen[id]++; seen[id] > 1 {
				continue
			}
		}
		if unread[f.offset] || read.hasID(f) {
			continue
		}
		if seen[spelt]++; seen[spelt] > read.countEqual(f) && !d.isLeftOut(f.offset) {
			out = append(out, i)
		}
	}
	return out
}

// spelling returns the name and the arguments of a call that was found aside.
func (f *fact) spelling() string { return f.name + "\x00" + spellArguments(f.arguments, "") }

// spelledArguments returns the arguments of a call as one text. It returns "" if there are none,
// or not all of them.
func (f *fact) spelledArguments() string {
	if v := shape.EncodedValue(f.arguments); v.Kind() == jsonval.Object && v.Len() > 0 {
		return "\x00" + v.Canonical()
	}
	return ""
}

// addSpelling records that the call f was read, also if its arguments were converted.
func (r *readings) addSpelling(f *fact) {
	if r.countEqual(f) == 0 {
		r.spell(f.name, spellArguments(f.arguments, ""))
	}
}

// spell records a call with its arguments.
func (r *readings) spell(name, arguments string) {
	if r.spelt[arguments] == nil {
		r.spelt[arguments] = map[string]int{}
	}
	r.spelt[arguments][name]++
	r.named[name]++
}

// memory is a sorted list of addresses in the text.
type memory []uintptr

// namePlaces returns where the names of the actions come from. Names share the memory of the
// text.
func (d *Decoder) namePlaces() memory {
	var m memory
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			m = append(m, uintptr(unsafe.Pointer(unsafe.StringData(d.Trajectories[i].Actions[j].Name))))
		}
	}
	slices.Sort(m)
	return m
}

// countIn returns the number of addresses inside a value. O(log n).
func (m memory) countIn(v jsonval.Value) int {
	raw := v.Raw()
	if raw == "" {
		return 0
	}
	from := uintptr(unsafe.Pointer(unsafe.StringData(raw)))
	first, _ := slices.BinarySearch(m, from)
	last, _ := slices.BinarySearch(m, from+uintptr(len(raw)))
	return last - first
}

// hasID reports whether a call with the id, the name and the arguments of f was read.
func (r *readings) hasID(f *fact) bool {
	s := r.ids[f.id]
	return f.id != "" && s.call && (sameTool(f.name, s.name) || r.names[f.name]) && s.hasArguments(f.arguments)
}

// countEqual returns the number of calls with the name and the arguments of f.
func (r *readings) countEqual(f *fact) int {
	if !f.untyped {
		return countNamed(r.spelt[spellArguments(f.arguments, "")], f.name)
	}
	return countNamed(r.named, f.name)
}

// countNamed returns the number of calls of a tool among the numbers of calls by name.
func countNamed(calls map[string]int, name string) int {
	n := 0
	for other, times := range calls {
		n += shape.IfElse(sameTool(other, name), times, 0)
	}
	return n
}

// spellArguments returns a call's arguments as one text. Arguments that are not recorded are
// as none.
func spellArguments(v jsonval.Value, broken string) string {
	if broken != "" {
		return broken
	}
	if v = shape.EncodedValue(v); v.Kind() == jsonval.String && strings.TrimSpace(v.Text()) != "" {
		return v.Text()
	}
	if v.Kind() != jsonval.Object {
		return "{}"
	}
	return v.Canonical()
}

// mayHaveAside reports whether the text may have calls that were not read, in any place. It
// is a quick test.
func (d *Decoder) mayHaveAside(s envelope.Source, c *shape.Count) bool {
	inputs := c.Inputs
	if d.gold {
		return false
	}
	if len(d.unread) > 0 {
		return true
	}
	last := -1
	for i := range d.Trajectories {
		t := &d.Trajectories[i]
		if r := t.Reference; r != nil && r.Process == nil {
			for j := range r.Steps {
				v := r.Steps[j].Arguments
				if at := d.offsetOf(v); at > last { // else it is in no place of the text, or counted before
					inputs, last = inputs-d.countInput(v), at
				}
			}
		}
		for j := range t.Actions {
			if a := &t.Actions[j]; a.Broken != "" {
				inputs--
			} else if a.Arguments.Exists() {
				inputs -= d.countInput(a.Arguments)
			}
		}
		for j := range t.Messages {
			if m := &t.Messages[j]; !shape.OneOf(m.Role, "user system tool") && maySpellCall(m.Text) {
				return true
			}
		}
	}
	return inputs != 0 || c.Callees > 0 || d.hasEncoded(s)
}

// countInput returns 1 if the arguments of a call are in Count.Inputs, else 0. Arguments from inside a
// string are; if nothing is escaped there, they share its memory.
func (d *Decoder) countInput(v jsonval.Value) int {
	return shape.IfElse(v.IsRoot() || d.offsetOf(v) < 0 || shape.IsCountedInput(v.MemberName(), v.Kind()), 1, 0)
}

// maySpellCall reports whether the text of an assistant may contain a call.
func maySpellCall(text string) bool {
	if text == "" {
		return false
	}
	if text[0] == '{' || text[0] == '[' {
		return true
	}
	if strings.IndexByte(text, '<') >= 0 {
		if _, mark, _ := nextMarked(text); mark != nil {
			return true
		}
	}
	mark, _, _ := shape.FindTextCall(text)
	return mark != ""
}

// hasEncoded reports whether a record has a string that contains JSON, beside its messages or
// in an object there. Rows that are parts of a run do not count.
func (d *Decoder) hasEncoded(s envelope.Source) bool {
	rows := s.Rows()
	if len(rows) > len(d.Trajectories) {
		return false
	}
	return slices.ContainsFunc(rows, func(row jsonval.Value) bool { return d.holdsEncoded(row, 3) })
}

// holdsEncoded reports whether an object has a string that contains JSON, at most depth levels
// deep. It enters a list only if the list may be that of the records.
func (d *Decoder) holdsEncoded(v jsonval.Value, depth int) bool {
	found := false
	v.Each(func(_ string, m jsonval.Value) bool {
		switch m.Kind() {
		case jsonval.String:
			found = isEncoded(m)
		case jsonval.Object:
			found = depth > 0 && d.holdsEncoded(m, depth-1)
		case jsonval.Array:
			if depth > 0 && len(d.Trajectories) > 1 && m.Len() == len(d.Trajectories) {
				found = slices.ContainsFunc(m.Elements(), func(e jsonval.Value) bool { return d.holdsEncoded(e, depth-1) })
			}
		}
		return !found
	})
	return found
}

// isEncoded reports whether a value is a string that begins like JSON.
func isEncoded(v jsonval.Value) bool {
	raw := v.Raw()
	return len(raw) > 4 && raw[0] == '"' && (raw[1] == '{' || raw[1] == '[')
}

// leaveUnread records that an element of a list of calls, which has the given name, cannot be
// read. Each such element makes its run doubtful.
func (d *Decoder) leaveUnread(v jsonval.Value, list string) {
	d.unread = append(d.unread, fact{at: v, offset: d.offsetOf(v), name: v.Raw(), member: list})
}

// callsOnlyAside returns the calls that only callsAside finds, and surveyFacts does not.
func (d *Decoder) callsOnlyAside(rows []jsonval.Value) []fact {
	known := map[int]bool{}
	for _, f := range d.surveyFacts(rows) {
		known[f.offset] = true
	}
	return slices.DeleteFunc(d.callsAside(rows), func(f fact) bool { return known[f.offset] })
}
