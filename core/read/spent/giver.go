package spent

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Giver gives what records say to the messages and calls of a run that come from them. The
// zero value has no record. The law: tokens and money of a record are given once, to the first
// message of the agent that it adds, so that a sum over the run counts them once. What a
// repeated history says was given before.
type Giver struct {
	Said    *trajectory.Spent // by the record that is read and not given yet; nil for nothing
	answer  string            // the id of the answer whose tokens Said has
	answers map[string]int    // the messages of answers by their ids
}

// Enter notes what a record says of the time, the tokens and the agent of what is read next.
func (g *Giver) Enter(o *shape.Object) { g.Said = Of(o) }

// EnterAnswer is like Enter for a record of the model's answer with the given id. Several
// records of one answer say the same tokens, so that those of the last one count.
func (g *Giver) EnterAnswer(all []trajectory.Message, id string, record, message *shape.Object) {
	g.Said = Of(message).Over(Of(record))
	if at, known := g.answers[id]; known && id != "" && g.Said.Counts() {
		all[at].Spent = g.Said.Over(all[at].Spent)
		g.Said = g.Said.Timing()
		return
	}
	g.answer = id
}

// OnceFor returns own without its tokens if the answer with the id was given them before, as
// by a snapshot that repeats it.
func (g *Giver) OnceFor(id string, own *trajectory.Spent) *trajectory.Spent {
	if !own.Counts() || id == "" {
		return own
	}
	g.answer = id
	if _, known := g.answers[id]; known {
		return own.Timing()
	}
	return own
}

// Give gives what the record says to the last message. The time of a record with several
// messages is that of the first one. snapshots says that records may repeat answers.
func (g *Giver) Give(all []trajectory.Message, snapshots bool) {
	if g.Said == nil {
		return
	}
	at := len(all) - 1
	m := &all[at]
	left := trajectory.Spent{Agent: g.Said.Agent, Parent: g.Said.Parent}
	switch {
	case m.Role == "assistant" && snapshots && g.Said.Counts() && isRepeated(all):
	case m.Role == "assistant":
		m.Spent = g.Said
		if g.answer != "" && g.Said.Counts() {
			if g.answers == nil {
				g.answers = map[string]int{}
			}
			g.answers[g.answer] = at
		}
		g.answer = ""
	default: // what others read and wrote is not the agent's
		m.Spent = g.Said.Timing()
		left.AddCounts(g.Said)
	}
	g.Said = &left
}

// isRepeated reports whether one of the messages directly before the last one has its text
// and tokens.
func isRepeated(all []trajectory.Message) bool {
	last := len(all) - 1
	text := all[last].Text
	for i := last - 1; i >= 0 && text != "" && all[i].Role == "assistant" && !all[i].Calls; i-- {
		if all[i].Text == text && all[i].Spent.Counts() {
			return true
		}
	}
	return false
}

// GiveAgain gives what the record says to a message that was read before from another record,
// such as a piece of a stream. The record with the most tokens is the whole message.
func (g *Giver) GiveAgain(all []trajectory.Message, at int) {
	if !g.Said.Counts() || at < 0 || all[at].Role != "assistant" {
		return
	}
	m := &all[at]
	if !m.Spent.Counts() || m.Spent.Tokens != nil && g.Said.Tokens != nil && *g.Said.Tokens > *m.Spent.Tokens {
		m.Spent = m.Spent.Timing().Over(g.Said)
	}
	g.Said = g.Said.Timing()
}

// GiveAgainTo is like GiveAgain for the first message of a role with a text.
func (g *Giver) GiveAgainTo(all []trajectory.Message, role, text string) {
	if g.Said.Counts() {
		g.GiveAgain(all, slices.IndexFunc(all, func(m trajectory.Message) bool { return m.Role == role && m.Text == text }))
	}
}

// OfCall returns when a call of the message with the index at was made, and by whom: the
// answer was complete then. Without messages, at is -1.
func (g *Giver) OfCall(all []trajectory.Message, at int) *trajectory.Spent {
	said := g.Said
	if at >= 0 {
		said = all[at].Spent
	}
	if said == nil {
		return nil
	}
	out := trajectory.Spent{Start: said.Start, Agent: said.Agent, Parent: said.Parent}
	if said.Start != nil && said.Seconds != nil {
		end := *said.Start + *said.Seconds
		out.Start = &end
	}
	return out.Timing()
}

// Within reads the parts of a record with what it says of them, beside what the record around
// it says. It reports whether the record has tokens or money that no message took.
func (g *Giver) Within(own *trajectory.Spent, read func()) (left bool) {
	if own == nil {
		read()
		return false
	}
	outer := g.Said
	g.Said = own.Over(outer)
	read()
	left = own.Counts() && g.Said.Counts()
	if g.Said = outer; own.Counts() && outer.Counts() { // those of the record around it are the same, or their sum
		g.Said = outer.Timing()
	}
	return left
}

// TimeResult notes that the result of an action is recorded now: the action took the time
// since its call, if no record says how long it took.
func (g *Giver) TimeResult(a *trajectory.Action) {
	if g.Said == nil || g.Said.Start == nil || a.Spent == nil || a.Spent.Start == nil || a.Spent.Seconds != nil {
		return
	}
	if took := *g.Said.Start - *a.Spent.Start; took > 0 {
		own := *a.Spent
		own.Seconds = &took
		a.Spent = &own
	}
}
