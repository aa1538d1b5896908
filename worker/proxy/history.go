package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// dropGate sets the conversation that shows who asked for a call: the client's, without the
// gate's own texts and the replies to its questions. Such a reply is about the calls that were
// shown, and about no other. The other messages keep their numbers. A question that the gate
// does not know any more, since the client has changed the history, is recognised by its form:
// it goes together with a yes, and stays with a no.
func (q *query) dropGate(known map[string]*turn) {
	list, changed := make([]string, len(q.messages)), false
	for i := range q.messages {
		list[i] = q.messages[i].raw
	}
	for i := range q.messages {
		m := &q.messages[i]
		t, answer := known[m.key], nextTurnIndex(q.messages, i)
		if m.role != "assistant" || t != nil && t.Kind == turnReleased {
			continue
		}
		var r dialogue.Reply
		if answer >= 0 && q.messages[answer].role == "user" && q.messages[answer].words {
			r = dialogue.ReadReply(q.messages[answer].text)
		}
		above, asks := "", t != nil && t.Kind == turnAsked
		if t != nil {
			above = t.storedText()
		} else if above, asks = dialogue.CutQuestion(m.text); !asks || !r.Yes && !r.Done {
			continue
		}
		list[i], changed = textMessage("assistant", above), true
		if asks && (r.Yes || r.No || r.Done) {
			list[answer] = textMessage("user", "")
		}
	}
	if !changed {
		return
	}
	q.said = nil
	if v, err := jsonval.Parse("[" + strings.Join(list, ",") + "]"); err == nil {
		q.said, _ = proposal.ReadConversation(v)
	}
}

// modelHistory returns the conversation for the model. It replaces the gate's questions
// and their answers by the model's own calls and their results. All other messages are
// kept byte for byte. The result changed is true if anything was replaced.
func modelHistory(messages []message, known map[string]*turn) (list []string, changed bool) {
	for i := 0; i < len(messages); i++ {
		m := &messages[i]
		t := known[m.key]
		if m.role != "assistant" || t == nil {
			list = append(list, m.raw)
			continue
		}
		changed = true
		switch t.Kind {
		case turnNotice:
			if t.Message != "" {
				list = append(list, t.Message)
			}
		case turnReleased:
			list = append(list, t.Message)
			for i+1 < len(messages) && messages[i+1].answers != "" {
				i++
				list = append(list, t.trueResult(&messages[i]))
			}
			list = append(list, t.missingResults(messages[:i+1])...)
		case turnAsked:
			answer := nextTurnIndex(messages, i)
			if t.State == standsMoved || t.State == standsReleased && wasReleased(messages, answer, known) {
				list, i = t.dropReply(list, messages, i, answer)
				continue
			}
			list = append(list, t.Message)
			list = append(list, t.missingResults(nil)...)
			list, i = t.dropReply(list, messages, i, answer)
		}
	}
	return list, changed
}

// nextTurnIndex returns the index of the next turn of the conversation after messages[i].
// It returns -1 if there is none.
func nextTurnIndex(messages []message, i int) int {
	for i++; i < len(messages); i++ {
		if !messages[i].isOperators() {
			return i
		}
	}
	return -1
}

// wasReleased reports whether the calls of a question were passed on after the person's
// answer, which is messages[answer]. If answer is negative, there is no answer and the
// result is false.
func wasReleased(messages []message, answer int, known map[string]*turn) bool {
	if answer < 0 || messages[answer].role != "user" {
		return false
	}
	i := nextTurnIndex(messages, answer)
	if i < 0 {
		return false
	}
	t := known[messages[i].key]
	return t != nil && t.Kind == turnReleased
}

// dropReply adds the messages after the gate's question messages[i], up to the person's
// answer messages[answer], to list. It omits the answer if it was meant for the gate, for
// example yes or no. It returns the list and the index of the last handled message.
func (t *turn) dropReply(list []string, messages []message, i, answer int) ([]string, int) {
	if answer < 0 || messages[answer].role != "user" {
		return list, i
	}
	for j := i + 1; j < answer; j++ {
		list = append(list, messages[j].raw)
	}
	if m := &messages[answer]; !m.words || !t.isGateReply(m.text) {
		list = append(list, m.raw)
	}
	return list, answer
}

func (t *turn) isGateReply(text string) bool {
	r := dialogue.ReadReply(text)
	return r.Yes || r.No || r.Done && t.Page
}

// missingResults returns a message for each call of the turn that has no result yet. The
// parameter behind is the conversation up to the results from the agent, or nil if the
// agent has sent no results.
func (t *turn) missingResults(behind []message) (list []string) {
	if t.Text && t.Kind == turnReleased {
		return nil // the agent's own message describes their results
	}
	r, err := readReply(`{"choices":[{"message":` + t.Message + `}]}`)
	if err != nil {
		return nil
	}
	answered := map[string]bool{}
	for i := len(behind) - 1; i >= 0 && behind[i].answers != ""; i-- {
		answered[behind[i].answers] = true
	}
	for i := range r.calls {
		c := &r.calls[i]
		id := c.ID
		if c.Kind == kindLegacy {
			id = c.Name
		}
		if answered[id] {
			continue
		}
		why := lost
		if i < len(t.Calls) && t.Calls[i].Why != "" {
			why = t.Calls[i].Why
		} else if i < len(t.Calls) && t.Calls[i].Ran != "" {
			why = t.Calls[i].ranText() + gap + lost
		}
		list = append(list, resultMessage(c, why))
	}
	return list
}

// Texts for the model in place of a result.
const (
	lost       = "Unknown: this call was approved and handed out once, and no result came back. It may have run. Look at the state before you repeat it."
	answeredBy = "Not executed: an approver answered this call in place of a yes or a no. They wrote: "
	deniedBy   = "Not executed: denied by user."
	deniedFrom = "Not executed: denied by the approver "
	otherwise  = "Not executed: the user did not approve this call. The user's next message follows."
	tooLate    = "Not executed: nobody approved this call in time."
	takenBack  = "Not executed: the call was cancelled before anybody decided."
	noApprove  = "Not executed: the call was not approved."
	aloneAgain = "Not executed yet: this call is approved already. Make exactly the same call again, without any other call."
	sibling    = "Not executed: another call of the same turn was refused, and the calls of a turn are decided together."
)
