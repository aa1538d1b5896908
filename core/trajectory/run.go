package trajectory

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
)

// run builds one trajectory: messages in their order, the calls in them, and the results
// of the calls.
//
// A result with an id belongs to the earliest call with this id that has no result yet. So
// calls with equal ids get their results in order. A result without an id belongs to the
// earliest such call with its name, or else to the earliest such call of all. A result is
// never attached to a call with a different id.
type run struct {
	d          *decoder
	t          Trajectory
	role       string           // of the current turn
	at         int              // the turn's message; -1 until it has one
	open       map[string][]int // actions without a result, by key
	seen       map[string]bool  // ids that were used
	next       int              // all actions before this index have a result
	duplicates int
	once       *ledger      // set if the source repeats its history
	partial    *partialCall // the call of Gemini that is being read in parts; nil if there is none
	found      *finder      // set if the run searches for its conversation
	requestor  string       // the requestor that the current call names; "" if it names none
	unplaced   bool         // the source has no messages
	strict     bool         // a result with an id is not attached to the earliest open call, even if this call has no id
	lost       bool         // a result found no call
	hosted     []int        // the actions that were done although they may have no result: tools of the model's host, and lists of what was done
	bare       bool         // the calls of a list without arguments were recorded by name only
	replies    bool         // the next message of the user is the result of the last action
}

// newRun returns an empty run. It is not inlined, because at its 50 call sites this would
// make the wasm module bigger.
//
//go:noinline
func (d *decoder) newRun() *run {
	r := &run{d: d, at: -1, open: map[string][]int{}, seen: map[string]bool{}}
	r.t.Messages, d.spareMessages = d.spareMessages[:0], nil
	r.t.Actions, d.spareActions = d.spareActions[:0], nil
	return r
}

// exactCopy returns a copy of list without unused capacity. If list is empty, it returns
// nil.
func exactCopy[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return append(make([]T, 0, len(list)), list...)
}

// beginTurn begins a new turn of the given role. The turn's message is added later, with
// its first text or call.
func (r *run) beginTurn(role string) {
	r.role, r.at = role, -1
}

// callRequestor returns "user" if the user makes the call, and "" if the agent makes it.
// A call may name its requestor. If it names none, the requestor is the role of the turn.
func (r *run) callRequestor() string {
	named := r.requestor != "" && r.requestor != "user"
	return ifElse(r.requestor == "user" || !named && r.role == "user", "user", "")
}

// addText adds text to the turn. It adds a message if the turn has none yet.
func (r *run) addText(text string) {
	if r.at < 0 {
		if r.found != nil && r.mergeRepeated(text) {
			return
		}
		if r.once != nil && !r.once.recordKey("say\x00"+r.role+"\x00"+text) {
			return
		}
		r.t.Messages = append(r.t.Messages, Message{Role: r.role, Text: text})
		r.at = len(r.t.Messages) - 1
		return
	}
	if text != "" {
		m := &r.t.Messages[r.at]
		if m.Text != "" {
			m.Text += "\n"
		}
		m.Text += text
	}
}

// addMessage adds a turn that consists of one text. It is not inlined, to keep the wasm
// module small.
//
//go:noinline
func (r *run) addMessage(role, text string) {
	r.beginTurn(role)
	r.addText(text)
}

// call is one call, as a decoder read it.
type call struct {
	id, name  string
	arguments jsonval.Value
	text      string        // the text of a free-text action, which has no arguments
	at        jsonval.Value // the call's value in the text, for warnings

	unrecorded bool // the source does not say with which arguments
}

// addCall adds an action to the turn, and returns the action's index. It returns -1 if
// the source repeats an action that was added before.
func (r *run) addCall(c call) int {
	switch {
	case r.found != nil:
		if r.mergeKnownCall(&c) {
			return -1
		}
	case r.once != nil && !r.once.recordCall(&c):
		r.renameCall(&c)
		return -1
	}
	if c.name == "" && c.text == "" {
		r.d.warnAt("call-without-name", "a tool call has no name", c.warningPlace())
		r.t.addDoubt("a call has no name, so perhaps the format is another one and it was not read rightly")
		if r.found == nil {
			r.d.leaveUnread(c.warningPlace(), "calls")
		}
	}
	a := Action{Name: c.name, CallID: c.id, Text: c.text, Message: -1, Requestor: r.callRequestor(), Unrecorded: c.unrecorded}
	a.Arguments, a.Broken = r.d.readArguments(c.name, c.arguments)
	if c.unrecorded {
		r.d.unspoken++
	}
	if !r.unplaced {
		if r.at < 0 {
			r.t.Messages = append(r.t.Messages, Message{Role: r.role})
			r.at = len(r.t.Messages) - 1
		}
		r.t.Messages[r.at].Calls = true
		a.Message = r.at
	}
	r.recordWaiting(&a)
	r.t.Actions = append(r.t.Actions, a)
	if r.found != nil {
		r.recordPosition(&c)
	}
	return len(r.t.Actions) - 1
}

// renameCall records the id that a call has in a repeated history, if it is another one than
// that of the answer which made the call. A result may come with either id.
func (r *run) renameCall(c *call) {
	if c.id == "" || r.seen[c.id] {
		return
	}
	spelling := c.spelling()
	left := r.once.local[spelling] // it is the call of the run with this number among the equal ones
	for i := range r.t.Actions {
		a := &r.t.Actions[i]
		known := call{name: a.Name, text: a.Text, arguments: a.Arguments}
		if known.spelling() != spelling {
			continue
		}
		if left--; left == 0 {
			r.open[c.id] = append(r.open[c.id], i)
			r.seen[c.id] = true
			return
		}
	}
}

func (c *call) warningPlace() jsonval.Value {
	if c.at.Exists() {
		return c.at
	}
	return c.arguments
}

// recordWaiting records that an action waits for its result. It must be called before the
// action is added to the run.
func (r *run) recordWaiting(a *Action) {
	key := "name\x00" + a.Name
	if a.CallID != "" {
		key = a.CallID
		if r.seen[key] {
			r.duplicates++
		}
		r.seen[key] = true
	}
	r.open[key] = append(r.open[key], len(r.t.Actions))
}

// attachResult attaches a result to its call, and adds a tool's message with the result's
// text. It returns the index of the call's action, or -1.
func (r *run) attachResult(id, name string, o Observation, at jsonval.Value) int {
	if id == "" && r.once != nil && !r.once.recordKey("result\x00"+name+"\x00"+o.Text) {
		return -1 // a repetition of the history
	}
	i := r.waitingAction(id, name)
	if i < 0 {
		if r.found != nil {
			r.addLateResult(id, name, o, at)
			return -1
		}
		if r.once != nil {
			return -1 // a repetition of the history
		}
		r.addToolMessage(o.Text)
		if id != "" && r.seen[id] {
			r.d.warnAt("second-result", "a second result for call "+id+" was ignored", at)
		} else {
			r.lost = true
			r.d.warnAt("result-without-call", "no call waits for this tool result", at)
			r.t.doubtResult()
		}
		return -1
	}
	r.setObservation(i, o)
	r.addToolMessage(o.Text)
	return i
}

// doubtResult marks a run that has a result of a call which is not in the text.
func (t *Trajectory) doubtResult() {
	t.addDoubt("a tool returned a result, but its call is not recorded")
}

// addDoubt records why it is not known that a run was read rightly. The first reason stays.
func (t *Trajectory) addDoubt(why string) {
	if t.Doubt == "" {
		t.Doubt = why
	}
}

// noteDone records that the action with the index i was done, also if it has no result. It
// does nothing for -1.
func (r *run) noteDone(i int) {
	if i >= 0 {
		r.hosted = append(r.hosted, i)
	}
}

// proposeUnanswered records that the calls of a conversation without a result were not
// executed, if other calls have results by their ids. It does nothing if results were lost,
// and leaves out the calls in r.hosted.
func (r *run) proposeUnanswered() {
	answered := false
	for i := range r.t.Actions {
		a := &r.t.Actions[i]
		answered = answered || a.CallID != "" && a.Observation != nil && !slices.Contains(r.hosted, i)
	}
	if !answered || r.lost || r.duplicates > 0 {
		return
	}
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; a.CallID != "" && a.Observation == nil && !a.Proposed && !slices.Contains(r.hosted, i) {
			a.Proposed, a.Unanswered = true, true
		}
	}
}

// setObservation attaches an observation to the action with the index i. The observation
// also becomes an error if the action is a simple read-only command that printed an error
// message.
func (r *run) setObservation(i int, o Observation) {
	a := &r.t.Actions[i]
	a.Proposed, a.Unanswered = a.refused, false
	if failure.Refused(o.Text) {
		a.Proposed, o.Error = true, true
	}
	o.Error = o.Error || failure.RefusedRead(a.Arguments, o.Text)
	a.Observation = &o
}

// addToolMessage adds a tool's message. Further text and calls of the turn begin a new
// message.
// It is not inlined, to keep the wasm module small.
//
//go:noinline
func (r *run) addToolMessage(text string) {
	if !r.unplaced {
		r.t.Messages = append(r.t.Messages, Message{Role: "tool", Text: text})
		r.at = -1
	}
}

// waitingAction returns the index of the action that waits for the result with the given
// id and name. It returns -1 if there is none.
func (r *run) waitingAction(id, name string) int {
	if id != "" {
		if i := r.takeWaiting(id); i >= 0 || r.seen[id] {
			return i
		}
	}
	if name != "" {
		if i := r.takeWaiting("name\x00" + name); i >= 0 {
			return i
		}
	}
	if r.once != nil && (r.found == nil || id != "" || name != "") {
		return -1
	}
	return r.earliestWaiting(id != "")
}

// earliestWaiting returns the index of the first action without a result, or -1 if there
// is none. identified reports whether the new result has an id. A result with an id also
// gets -1 in these cases:
//
//   - The field r.strict is set.
//   - The action has an id, which must be a different one.
func (r *run) earliestWaiting(identified bool) int {
	if identified && r.strict {
		return -1
	}
	for ; r.next < len(r.t.Actions); r.next++ {
		if a := &r.t.Actions[r.next]; a.Observation == nil {
			return ifElse(identified && a.CallID != "", -1, r.next)
		}
	}
	return -1
}

// takeWaiting returns the index of the earliest action with the given key that has no
// result, or -1 if there is none. It removes the action from r.open.
func (r *run) takeWaiting(key string) int {
	for q := r.open[key]; len(q) > 0; q = q[1:] {
		if r.t.Actions[q[0]].Observation == nil {
			r.open[key] = q[1:]
			return q[0]
		}
	}
	return -1
}

// addToDocument adds the trajectory to the document.
func (r *run) addToDocument() {
	r.finishPartialCall()
	if r.d.answers {
		r.proposeUnanswered()
	}
	if r.duplicates > 0 {
		r.d.repeats = true
		r.d.warn("duplicate-call-id", fmt.Sprintf("%d %s the id of an earlier call; the results were assigned to the calls in order", r.duplicates, callsHave(r.duplicates)), -1, len(r.d.Trajectories))
	}
	r.d.spareMessages, r.d.spareActions = r.t.Messages, r.t.Actions
	r.t.Messages, r.t.Actions = exactCopy(r.t.Messages), exactCopy(r.t.Actions)
	r.d.addTrajectory(r.t)
}
