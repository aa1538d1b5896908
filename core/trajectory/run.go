package trajectory

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// run builds one trajectory: messages in their order, the calls in them, and the results
// that belong to the calls.
//
// A result answers the earliest unanswered call with its id, so that duplicated ids pair
// by position; without an id the earliest with its name; else the earliest of all. No
// result goes to a call with another id.
type run struct {
	d          *decoder
	t          Trajectory
	role       string           // of the current turn
	at         int              // the turn's message; -1 until it has one
	open       map[string][]int // unanswered actions by key
	seen       map[string]bool  // ids that were used
	next       int              // all actions before it are answered
	duplicates int
	once       *ledger // set if the source repeats its history
	found      *finder // set if the run searches for its conversation
	requestor  string  // that the current call names; "" if it names none
	unplaced   bool    // the source has no messages
	strict     bool    // a result with an id never answers a call without its id
	replies    bool    // the user's next message is the result of the last action
}

func (d *decoder) run() *run {
	return &run{d: d, at: -1, open: map[string][]int{}, seen: map[string]bool{}}
}

// turn begins a new turn. Its message is added with its first text or call.
func (r *run) turn(role string) {
	r.role, r.at = role, -1
}

// caller returns the requestor of a call: the one that the call names, else the speaker of
// the turn.
func (r *run) caller() string {
	named := r.requestor != "" && r.requestor != "user"
	return either(r.requestor == "user" || !named && r.role == "user", "user", "")
}

// say adds text to the turn.
func (r *run) say(text string) {
	if r.at < 0 {
		if r.found != nil && r.repeated(text) {
			return
		}
		if r.once != nil && !r.once.fresh("say\x00"+r.role+"\x00"+text) {
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

// message adds a turn that consists of text.
func (r *run) message(role, text string) {
	r.turn(role)
	r.say(text)
}

// call holds the data of one call in a format.
type call struct {
	id, name  string
	arguments jsonval.Value
	text      string        // a free-text action instead of arguments
	at        jsonval.Value // the call's value in the text, for warnings
}

// call adds an action to the turn, and returns its index; -1 if the source repeats an
// action that was added before.
func (r *run) call(c call) int {
	switch {
	case r.found != nil:
		if r.knows(&c) {
			return -1
		}
	case r.once != nil && !r.once.call(&c):
		return -1
	}
	if c.name == "" && c.text == "" {
		r.d.warnAt("call-without-name", "a tool call has no name", c.place())
	}
	a := Action{Name: c.name, CallID: c.id, Text: c.text, Message: -1, Requestor: r.caller()}
	a.Arguments, a.Broken = r.d.arguments(c.name, c.arguments)
	if !r.unplaced {
		if r.at < 0 {
			r.t.Messages = append(r.t.Messages, Message{Role: r.role})
			r.at = len(r.t.Messages) - 1
		}
		r.t.Messages[r.at].Calls = true
		a.Message = r.at
	}
	r.keep(&a)
	r.t.Actions = append(r.t.Actions, a)
	if r.found != nil {
		r.meet(&c)
	}
	return len(r.t.Actions) - 1
}

func (c *call) place() jsonval.Value {
	if c.at.Exists() {
		return c.at
	}
	return c.arguments
}

// keep records the next action, so that its result can find it.
func (r *run) keep(a *Action) {
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

// answer attaches a result to the call to which it belongs, and adds the result's text to
// the conversation.
func (r *run) answer(id, name string, o Observation, at jsonval.Value) {
	if id == "" && r.once != nil && !r.once.fresh("result\x00"+name+"\x00"+o.Text) {
		return // a repetition of the history
	}
	i := r.asked(id, name)
	if i < 0 {
		if r.found != nil {
			r.late(id, name, o, at)
			return
		}
		if r.once != nil {
			return // a repetition of the history
		}
		r.result(o.Text)
		if id != "" && r.seen[id] {
			r.d.warnAt("second-result", "a second result for call "+id+"; the first one counts", at)
		} else {
			r.d.warnAt("result-without-call", "a tool result belongs to no open call", at)
		}
		return
	}
	r.observed(i, o)
	r.result(o.Text)
}

// observed attaches an observation to an action. A read-only command whose program
// reports that it could not read has failed, even if its tool reports success.
func (r *run) observed(i int, o Observation) {
	a := &r.t.Actions[i]
	o.Error = o.Error || refusedRead(a.Arguments, o.Text)
	a.Observation = &o
}

// result adds a tool's message. Further text and calls of the turn make a new message.
func (r *run) result(text string) {
	if !r.unplaced {
		r.t.Messages = append(r.t.Messages, Message{Role: "tool", Text: text})
		r.at = -1
	}
}

// asked returns the unanswered action to which a result belongs; -1 if there is none.
func (r *run) asked(id, name string) int {
	if id != "" {
		if i := r.take(id); i >= 0 || r.seen[id] {
			return i
		}
	}
	if name != "" {
		if i := r.take("name\x00" + name); i >= 0 {
			return i
		}
	}
	if r.once != nil && (r.found == nil || id != "" || name != "") {
		return -1
	}
	return r.earliest(id != "")
}

// earliest returns the first unanswered action. A result with an id never goes to a call
// with another id.
func (r *run) earliest(identified bool) int {
	if identified && r.strict {
		return -1
	}
	for ; r.next < len(r.t.Actions); r.next++ {
		if a := &r.t.Actions[r.next]; a.Observation == nil {
			return either(identified && a.CallID != "", -1, r.next)
		}
	}
	return -1
}

// take returns the earliest unanswered action with a key; -1 if there is none.
func (r *run) take(key string) int {
	for q := r.open[key]; len(q) > 0; q = q[1:] {
		if r.t.Actions[q[0]].Observation == nil {
			r.open[key] = q[1:]
			return q[0]
		}
	}
	return -1
}

// done adds the trajectory to the document.
func (r *run) done() {
	if r.duplicates > 0 {
		r.d.repeats = true
		r.d.warn("duplicate-call-id", fmt.Sprintf("%d duplicate call ids; results were paired by position", r.duplicates), -1, len(r.d.Trajectories))
	}
	r.d.add(r.t)
}
