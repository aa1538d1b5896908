package engine

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Run builds one trajectory: messages in their order, the calls in them, and the results
// of the calls.
//
// A result with an id belongs to the earliest call with this id that has no result yet. So
// calls with equal ids get their results in order. A result without an id belongs to the
// earliest such call with its name, or else to the earliest such call of all. A result is
// never attached to a call with a different id.
type Run struct {
	Decoder    *Decoder              // collects the document of the run
	Trajectory trajectory.Trajectory // what was read of the run so far
	Role       string                // of the current turn
	at         int                   // the turn's message; -1 until it has one
	open       map[string][]int      // actions without a result, by key
	Seen       map[string]bool       // ids that were used
	next       int                   // all actions before this index have a result
	duplicates int
	once       *ledger      // set if the source repeats its history
	partial    *partialCall // the call of Gemini that is being read in parts; nil if there is none
	found      *finder      // set if the run searches for its conversation
	Requestor  string       // the requestor that the current call names; "" if it names none
	unplaced   bool         // the source has no messages
	Strict     bool         // a result with an id is not attached to the earliest open call, even if this call has no id
	lost       bool         // a result found no call
	hosted     []int        // the actions that were done although they may have no result: tools of the model's host, and lists of what was done
	bare       bool         // the calls of a list without arguments were recorded by name only
	Took       spent.Giver  // what the record that is read says of time, tokens and agents
	replies    bool         // the next message of the user is the result of the last action
}

// NewRun returns an empty run. It is not inlined, because at its 50 call sites this would
// make the wasm module bigger.
//
//go:noinline
func (d *Decoder) NewRun() *Run {
	r := &Run{Decoder: d, at: -1, open: map[string][]int{}, Seen: map[string]bool{}}
	r.Trajectory.Messages, d.spareMessages = d.spareMessages[:0], nil
	r.Trajectory.Actions, d.spareActions = d.spareActions[:0], nil
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

// BeginTurn begins a new turn of the given role. The turn's message is added later, with
// its first text or call.
func (r *Run) BeginTurn(role string) {
	r.Role, r.at = role, -1
}

// callRequestor returns "user" if the user makes the call, and "" if the agent makes it.
// A call may name its requestor. If it names none, the requestor is the role of the turn.
func (r *Run) callRequestor() string {
	named := r.Requestor != "" && r.Requestor != "user"
	return shape.IfElse(r.Requestor == "user" || !named && r.Role == "user", "user", "")
}

// AddText adds text to the turn. It adds a message if the turn has none yet.
func (r *Run) AddText(text string) {
	if r.at < 0 {
		if r.found != nil && r.mergeRepeated(text) {
			r.Took.GiveAgainTo(r.Trajectory.Messages, r.Role, text)
			return
		}
		if r.once != nil && !r.once.recordKey("say\x00"+r.Role+"\x00"+text) {
			if !r.once.repeats {
				r.Took.GiveAgainTo(r.Trajectory.Messages, r.Role, text)
			}
			return
		}
		r.Trajectory.Messages = append(r.Trajectory.Messages, trajectory.Message{Role: r.Role, Text: text})
		if r.at = len(r.Trajectory.Messages) - 1; text != "" || r.found == nil { // a piece of a stream may be empty
			r.giveSpent()
		}
		return
	}
	if text != "" {
		m := &r.Trajectory.Messages[r.at]
		if m.Text != "" {
			m.Text += "\n"
		}
		m.Text += text
	}
}

// giveSpent gives the last message what its record says that it took.
func (r *Run) giveSpent() {
	if r.Took.Said != nil && (r.once == nil || !r.once.repeats) {
		r.Took.Give(r.Trajectory.Messages, r.found != nil)
	}
}

// WithSpent reads the parts of a record that says what they took.
func (r *Run) WithSpent(own *trajectory.Spent, read func()) {
	if r.Took.Within(own, read) && r.found != nil && !r.once.repeats {
		r.Trajectory.Uncounted = true
	}
}

// AddMessage adds a turn that consists of one text. It is not inlined, to keep the wasm
// module small.
//
//go:noinline
func (r *Run) AddMessage(role, text string) {
	r.BeginTurn(role)
	r.AddText(text)
}

// Call is one call, as a decoder read it.
type Call struct {
	ID, Name  string
	Arguments jsonval.Value
	Text      string        // the text of a free-text action, which has no arguments
	At        jsonval.Value // the call's value in the text, for warnings

	unrecorded bool // the source does not say with which arguments
}

// AddCall adds an action to the turn, and returns the action's index. It returns -1 if
// the source repeats an action that was added before.
func (r *Run) AddCall(c Call) int {
	switch {
	case r.found != nil:
		if r.mergeKnownCall(&c) {
			if i, known := r.found.knownCall(c.ID, c.Name); known && !r.once.repeats {
				r.Took.GiveAgain(r.Trajectory.Messages, r.Trajectory.Actions[i].Message)
			}
			return -1
		}
	case r.once != nil && !r.once.recordCall(&c):
		r.renameCall(&c)
		return -1
	}
	if c.Name == "" && c.Text == "" {
		r.Decoder.WarnAt("call-without-name", "a tool call has no name", c.warningPlace())
		addDoubt(&r.Trajectory, "a call has no name, so perhaps the format is another one and it was not read rightly")
		if r.found == nil {
			r.Decoder.leaveUnread(c.warningPlace(), "calls")
		}
	}
	a := trajectory.Action{Name: c.Name, CallID: c.ID, Text: c.Text, Message: -1, Requestor: r.callRequestor(), Unrecorded: c.unrecorded}
	a.Arguments, a.Broken = r.Decoder.readArguments(c.Name, c.Arguments)
	if c.unrecorded {
		r.Decoder.unspoken++
	}
	if !r.unplaced {
		if r.at < 0 {
			r.Trajectory.Messages = append(r.Trajectory.Messages, trajectory.Message{Role: r.Role})
			r.at = len(r.Trajectory.Messages) - 1
			r.giveSpent()
		}
		r.Trajectory.Messages[r.at].Calls = true
		a.Message = r.at
	}
	a.Spent = r.Took.OfCall(r.Trajectory.Messages, a.Message)
	r.recordWaiting(&a)
	r.Trajectory.Actions = append(r.Trajectory.Actions, a)
	if r.found != nil {
		r.recordPosition(&c)
	}
	return len(r.Trajectory.Actions) - 1
}

// renameCall records the id that a call has in a repeated history, if it is another one than
// that of the answer which made the call. A result may come with either id.
func (r *Run) renameCall(c *Call) {
	if c.ID == "" || r.Seen[c.ID] {
		return
	}
	spelling := c.spelling()
	left := r.once.local[spelling] // it is the call of the run with this number among the equal ones
	for i := range r.Trajectory.Actions {
		a := &r.Trajectory.Actions[i]
		known := Call{Name: a.Name, Text: a.Text, Arguments: a.Arguments}
		if known.spelling() != spelling {
			continue
		}
		if left--; left == 0 {
			r.open[c.ID] = append(r.open[c.ID], i)
			r.Seen[c.ID] = true
			return
		}
	}
}

func (c *Call) warningPlace() jsonval.Value {
	if c.At.Exists() {
		return c.At
	}
	return c.Arguments
}

// recordWaiting records that an action waits for its result. It must be called before the
// action is added to the run.
func (r *Run) recordWaiting(a *trajectory.Action) {
	key := a.CallID
	if key == "" {
		key = "name\x00" + a.Name
	} else {
		if r.Seen[key] {
			r.duplicates++
		}
		r.Seen[key] = true
	}
	r.open[key] = append(r.open[key], len(r.Trajectory.Actions))
}

// AttachResult attaches a result to its call, and adds a tool's message with the result's
// text. It returns the index of the call's action, or -1.
func (r *Run) AttachResult(id, name string, o trajectory.Observation, at jsonval.Value) int {
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
		r.AddToolMessage(o.Text)
		if id != "" && r.Seen[id] {
			r.Decoder.WarnAt("second-result", "a second result for call "+id+" was ignored", at)
			if o.Error {
				addDoubt(&r.Trajectory, "there are two results of one call, and the second says that it failed")
			}
		} else {
			r.lost = true
			r.Decoder.WarnAt("result-without-call", "no call waits for this tool result", at)
			doubtResult(&r.Trajectory)
		}
		return -1
	}
	r.SetObservation(i, o)
	r.AddToolMessage(o.Text)
	return i
}

// doubtResult marks a run that has a result of a call which is not in the text.
func doubtResult(t *trajectory.Trajectory) {
	addDoubt(t, "a tool returned a result, but its call is not recorded")
}

// addDoubt records why it is not known that a run was read rightly. The first reason stays.
func addDoubt(t *trajectory.Trajectory, why string) {
	if t.Doubt == "" {
		t.Doubt = why
	}
}

// noteDone records that the action with the index i was done, also if it has no result. It
// does nothing for -1.
func (r *Run) noteDone(i int) {
	if i >= 0 {
		r.hosted = append(r.hosted, i)
	}
}

// proposeUnanswered records that the calls of a conversation without a result were not
// executed, if other calls have results by their ids. If no call has a result, they were perhaps
// executed: a conversation has one for each call that was. It does nothing if results were lost,
// and leaves out the calls in r.hosted.
func (r *Run) proposeUnanswered() {
	answered, results := false, false
	for i := range r.Trajectory.Actions {
		a := &r.Trajectory.Actions[i]
		results = results || a.Observation != nil
		answered = answered || a.CallID != "" && a.Observation != nil && !slices.Contains(r.hosted, i)
	}
	if !answered && results || r.lost || r.duplicates > 0 {
		return
	}
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; a.CallID != "" && a.Observation == nil && !a.Proposed && !slices.Contains(r.hosted, i) {
			a.Proposed, a.Unanswered = answered, true
		}
	}
}

// SetObservation attaches an observation to the action with the index i. The observation
// also becomes an error if the action is a simple read-only command that printed an error
// message.
func (r *Run) SetObservation(i int, o trajectory.Observation) {
	a := &r.Trajectory.Actions[i]
	a.Proposed, a.Unanswered = a.Refused, false
	if failure.Refused(o.Text) {
		a.Proposed, o.Error = true, true
	}
	o.Error = o.Error || failure.RefusedRead(a.Arguments, o.Text)
	if a.Spent != nil && (r.once == nil || !r.once.repeats) {
		r.Took.TimeResult(a)
	}
	a.Observation = &o
}

// AddToolMessage adds a tool's message. Further text and calls of the turn begin a new
// message.
// It is not inlined, to keep the wasm module small.
//
//go:noinline
func (r *Run) AddToolMessage(text string) {
	if !r.unplaced {
		r.Trajectory.Messages = append(r.Trajectory.Messages, trajectory.Message{Role: "tool", Text: text})
		r.at = -1
	}
}

// waitingAction returns the index of the action that waits for the result with the given
// id and name. It returns -1 if there is none.
func (r *Run) waitingAction(id, name string) int {
	if id != "" {
		if i := r.takeWaiting(id); i >= 0 || r.Seen[id] {
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
	i := r.EarliestWaiting(id != "")
	if r.found != nil && i >= 0 && slices.ContainsFunc(r.Trajectory.Actions[i+1:], func(a trajectory.Action) bool { return a.Observation == nil }) {
		r.Decoder.ordered++
	}
	return i
}

// EarliestWaiting returns the index of the first action without a result, or -1 if there
// is none. identified reports whether the new result has an id. A result with an id also
// gets -1 in these cases:
//
//   - The field r.Strict is set.
//   - The action has an id, which must be a different one.
func (r *Run) EarliestWaiting(identified bool) int {
	if identified && r.Strict {
		return -1
	}
	for ; r.next < len(r.Trajectory.Actions); r.next++ {
		if a := &r.Trajectory.Actions[r.next]; a.Observation == nil {
			return shape.IfElse(identified && a.CallID != "", -1, r.next)
		}
	}
	return -1
}

// takeWaiting returns the index of the earliest action with the given key that has no
// result, or -1 if there is none. It removes the action from r.open.
func (r *Run) takeWaiting(key string) int {
	for q := r.open[key]; len(q) > 0; q = q[1:] {
		if r.Trajectory.Actions[q[0]].Observation == nil {
			r.open[key] = q[1:]
			return q[0]
		}
	}
	return -1
}

// AddToDocument adds the trajectory to the document.
func (r *Run) AddToDocument() {
	r.finishPartialCall()
	if r.Decoder.answers {
		r.proposeUnanswered()
	}
	if r.duplicates > 0 {
		r.Decoder.repeats = true
		r.Decoder.Warn("duplicate-call-id", fmt.Sprintf("%d %s the id of an earlier call; the results were assigned to the calls in order", r.duplicates, callsHave(r.duplicates)), -1, len(r.Decoder.Trajectories))
	}
	r.Decoder.spareMessages, r.Decoder.spareActions = r.Trajectory.Messages, r.Trajectory.Actions
	r.Trajectory.Messages, r.Trajectory.Actions = exactCopy(r.Trajectory.Messages), exactCopy(r.Trajectory.Actions)
	r.Decoder.addTrajectory(r.Trajectory)
}
