package proxy

import (
	"context"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// settleQuestions carries out people's replies to the questions in a conversation. It
// returns a chain that describes the last question and reply, or an empty chain if there
// is no such question. If the bool is true, the client has already received its answer,
// and the chain is nil.
func (p *Proxy) settleQuestions(ctx context.Context, o *out, q *query, known map[string]*turn) (*chain, bool, error) {
	c := &chain{}
	for i := range q.messages {
		t := known[q.messages[i].key]
		if q.messages[i].role != "assistant" || t == nil || t.Kind != turnAsked {
			continue
		}
		answer := nextTurnIndex(q.messages, i)
		last := answer >= 0 && q.messages[answer].role == "user" && nextTurnIndex(q.messages, answer) < 0
		switch {
		case last:
			finished, err := p.handleAnswer(ctx, o, q, t, &q.messages[answer])
			if err != nil || finished {
				return nil, finished, err
			}
			c = t.refusalChain(q.messages[answer].text)
		case t.State == standsOpen:
			if err := p.abandonQuestion(ctx, q, t); err != nil {
				return nil, false, err
			}
		}
	}
	return c, false, nil
}

// takeBack cancels the approved calls of the conversation, also those whose time has come, if
// the person's last message says no and answers no question.
func (p *Proxy) takeBack(ctx context.Context, q *query, before *chain) error {
	if before.said != "" || len(q.messages) == 0 {
		return nil
	}
	m := &q.messages[len(q.messages)-1]
	if m.role != "user" || !m.words || !dialogue.ReadReply(m.text).No {
		return nil
	}
	for after := (store.Place{}); ; { // many older approvals hide none
		approved, err := p.Gate.Store.Approvals(ctx, q.who.Tenant, q.who.Name, q.session, after)
		if err != nil {
			return storeProblem(err)
		}
		var ids []string
		for i := range approved {
			after = store.PlaceOf(&approved[i])
			ids = append(ids, approved[i].ID)
		}
		if err := p.cancelCalls(ctx, q.who, ids); err != nil || len(approved) == 0 {
			return err
		}
	}
}

// refusalChain returns the chain for the model's next turn if nothing of this turn ran.
// The parameter words is the person's reply to the question.
func (t *turn) refusalChain(words string) *chain {
	c := &chain{refused: map[string]bool{}, feedback: map[string]int{}, said: t.Code + ": " + replyExcerpt(words)}
	for i := range t.Calls {
		h := &t.Calls[i]
		if h.Why == deniedBy || strings.HasPrefix(h.Why, deniedFrom) || h.Why == otherwise {
			c.refused[h.Digest], c.round = true, t.Round
		}
		if h.Why == otherwise {
			c.feedback[h.Tool]++
		}
	}
	return c
}

// replyExcerpt returns the beginning of a person's reply, for the audit.
func replyExcerpt(words string) string { return strings.ToValidUTF8(words[:min(len(words), 500)], "") }

// handleAnswer carries out a person's answer to the question that ended the last turn.
// The result finished reports whether the client has received the answer to its request.
func (p *Proxy) handleAnswer(ctx context.Context, o *out, q *query, t *turn, m *message) (finished bool, err error) {
	if t.State != standsOpen && t.State != standsMoved {
		return false, nil // the same request again: the earlier decision stays valid
	}
	ids := t.recordIDs()
	records, err := gate.StandingLatest(ctx, p.Gate, q.who.Tenant, ids)
	if err != nil {
		return false, storeProblem(err)
	}
	var r dialogue.Reply
	if m.words {
		r = dialogue.ReadReply(m.text)
	}
	for i := range records { // what an approver wrote is decided by approvers
		t.Page = t.Page || records[i].Why.Edit != nil && records[i].State.Undecided()
	}
	agreed := r.Yes || r.Done && (t.Page || !hasUndecided(records))
	if hasUndecided(records) || !agreed {
		once, err := p.applyReply(ctx, q, t, records, r, m)
		if err != nil {
			return false, err
		}
		if once {
			return true, p.askAgain(ctx, o, q, t, records)
		}
		if records, err = gate.StandingLatest(ctx, p.Gate, q.who.Tenant, ids); err != nil {
			return false, storeProblem(err)
		}
		if r.Yes && hasUndecided(records) { // the same call was handed out since the question
			return true, p.askAgain(ctx, o, q, t, records)
		}
	}
	calls, err := p.claimCalls(ctx, q.who, t, records)
	if err != nil {
		return false, err
	}
	for i := range t.Calls {
		switch why := &t.Calls[i].Why; {
		case agreed || *why != takenBack && *why != deniedBy:
		case records[i].Needs == 0:
			*why = sibling
		case r.No:
			*why = deniedBy
		default:
			*why = otherwise
		}
	}
	if t.State, t.open = standsRefused, 0; len(calls) > 0 {
		t.State = standsReleased
		if err := p.storeReleased(ctx, q, t, t.saidAgain(calls), m.key); err != nil {
			return false, err
		}
	}
	if err := p.storeTurn(ctx, q.who, t); err != nil {
		return false, storeProblem(err)
	}
	if len(calls) == 0 {
		return false, nil
	}
	if t.Text {
		o.endWithText(p.ownReply(q, t), t.storedText(), "stop", nil) // the text with the calls in it, unchanged
		return true, nil
	}
	o.endWithCalls(p.ownReply(q, t), "", calls)
	return true, nil
}

// applyReply decides the undecided calls by the person's reply. If the reply is not a
// yes, it also cancels the calls that were approved on the page in the meantime. The
// result again is true if the reply decides nothing and the same question must be asked
// again.
func (p *Proxy) applyReply(ctx context.Context, q *query, t *turn, records []machine.Record, r dialogue.Reply, m *message) (again bool, err error) {
	e := machine.Event{Channel: channel, Text: replyExcerpt(m.text)}
	switch {
	case t.Page && (r.Yes || r.Done):
		return true, nil
	case t.Page:
		return false, p.cancelCalls(ctx, q.who, t.recordIDs())
	case r.Yes && (r.Code != t.Code && (r.Code != "" || t.Typed || t.Unseen) || t.Unseen && !r.Unseen):
		return true, nil
	case r.Yes:
		e.Approve, e.Acknowledge = true, r.Unseen
	case r.No:
		e.Text = ""
	}
	if err := p.decideRecords(ctx, q.who, records, e, t.Calls); err != nil || e.Approve {
		return false, err
	}
	return false, p.cancelCalls(ctx, q.who, t.recordIDs()) // the calls of a turn belong together: its reads do not run either
}

// askAgain asks the same question again, as a new turn.
func (p *Proxy) askAgain(ctx context.Context, o *out, q *query, t *turn, records []machine.Record) error {
	r := p.ownReply(q, t)
	text := p.questionText(ctx, q, t, records, "")
	fresh := *t
	fresh.State, fresh.at, fresh.key = standsOpen, q.conversationKey(), p.keyOf(o, q, r, text)
	if err := p.storeTurn(ctx, q.who, &fresh); err != nil {
		return storeProblem(err)
	}
	t.State, t.open = standsMoved, 0
	if err := p.storeTurn(ctx, q.who, t); err != nil {
		return storeProblem(err)
	}
	o.endWithText(r, text, "stop", nil)
	return nil
}

// ownReply returns a reply for an answer that the gate writes itself. It has only an id,
// the time and the model's name.
func (p *Proxy) ownReply(q *query, t *turn) *reply {
	r := &reply{id: `"chatcmpl-boundcheck-` + t.Code + `"`, created: strconv.FormatInt(p.Gate.Now()/1000, 10)}
	if m := q.root.Get("model"); values.Has(m) {
		r.model = m.Raw()
	}
	return r
}

// decideRecords applies one decision to all records that wait for a decision. The
// decision comes from the agent's conversation. Nobody knows who writes there, so it
// never counts as the decision of an approver. The parameter shown says what the question
// said of each record.
func (p *Proxy) decideRecords(ctx context.Context, who machine.Principal, records []machine.Record, e machine.Event, shown []held) error {
	e.Kind, e.By = machine.Decide, machine.Principal{Tenant: who.Tenant, Name: who.Name, Role: machine.Conversation}
	for i := range records {
		if !records[i].State.Undecided() {
			continue
		}
		e.Digest, e.Seen = records[i].Digest, shown[i].Seen
		if _, _, err := p.Gate.Apply(ctx, who.Tenant, records[i].ID, e); err != nil {
			return storeProblem(err)
		}
	}
	return nil
}

// cancelCalls cancels the calls with these ids, or the edited ones in their places, that
// wait for a decision, or that are approved and not claimed yet.
func (p *Proxy) cancelCalls(ctx context.Context, who machine.Principal, ids []string) error {
	records, err := gate.StandingLatest(ctx, p.Gate, who.Tenant, ids)
	if err != nil {
		return storeProblem(err)
	}
	for i := range records {
		if _, _, err := p.Gate.Apply(ctx, who.Tenant, records[i].ID, machine.Event{Kind: machine.Cancel, By: who}); err != nil {
			return storeProblem(err)
		}
	}
	return nil
}

// abandonQuestion cancels the calls of a question that will get no answer. Either the
// conversation has continued, or the client did not receive the question.
func (p *Proxy) abandonQuestion(ctx context.Context, q *query, t *turn) error {
	if err := p.cancelCalls(ctx, q.who, t.recordIDs()); err != nil {
		return err
	}
	for i := range t.Calls {
		t.Calls[i].Why = noApprove
	}
	t.State, t.open = standsRefused, 0
	if err := p.storeTurn(ctx, q.who, t); err != nil {
		return storeProblem(err)
	}
	return nil
}

func hasUndecided(records []machine.Record) bool {
	for i := range records {
		if records[i].State.Undecided() {
			return true
		}
	}
	return false
}
