package proxy

import (
	"context"
	"errors"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

const (
	maxAsked   = 5 // requests to the model for one answer
	maxRefused = 3 // refused turns after which the model is cut off
)

// completeQuery answers one request. It first applies people's replies to open questions.
// Then it asks the model until a turn may pass, is held, or has been refused too often.
func (p *Proxy) completeQuery(ctx context.Context, o *out, q *query) error {
	known, err := p.loadTurns(ctx, q)
	if err != nil {
		return storeProblem(err)
	}
	if err := p.reportResults(ctx, q, known); err != nil {
		return err
	}
	before, finished, err := p.settleQuestions(ctx, o, q, known)
	if err != nil || finished {
		return err
	}
	if err := p.takeBack(ctx, q, before); err != nil {
		return err
	}
	q.dropGate(known)
	messages, changed := modelHistory(q.messages, known)
	if messages, err = p.filterMessages(ctx, q, messages, &changed); err != nil {
		return err
	}
	body := q.body
	if changed {
		body = q.withMessages(messages, false)
	}
	return p.converseWithModel(ctx, o, q, before, messages, body)
}

// converseWithModel asks the model until there is an answer for the client.
func (p *Proxy) converseWithModel(ctx context.Context, o *out, q *query, before *chain, messages []string, body string) error {
	reflected, refused := false, 0
	for round := range maxAsked {
		if round > 0 { // a question may have waited meanwhile
			if err := p.checkFrozen(ctx, q.who); err != nil {
				return err
			}
		}
		r, tail, err := p.askModel(ctx, o, q, body, round > 0)
		if err != nil {
			return err
		}
		was, err := p.judgeTurn(ctx, q, &r, before, reflected)
		if err != nil {
			return err
		}
		if was.verdict == again && (refused == maxRefused || round == maxAsked-1) {
			was = ruling{verdict: cutOff, event: "cut-off", text: "[gate] The model keeps making calls that are not allowed. Its turn was stopped; none of its calls has run. " + was.why[0]}
		}
		switch was.verdict {
		case again:
			refused++
			if err := p.noteRefusal(ctx, q, &r, &was); err != nil {
				return err
			}
			messages = withResults(messages, &r, was.why)
			body = q.withMessages(messages, true)
		case reflect:
			reflected = true
			body = q.withMessages(append(messages[:len(messages):len(messages)], p.constraintReminder(ctx, q, &r, was.plan)), false)
		default:
			why, err := p.finishTurn(ctx, o, q, before, &r, tail, &was)
			if err != nil || why == nil {
				return err
			}
			messages = withResults(messages, &r, why)
			body = q.withMessages(messages, true)
		}
		q.spent.addUsage(r.usage)
		o.earlier = true
	}
	return errors.New("the model gave no final answer within the allowed number of requests")
}

// withResults adds the model's turn to the messages, and one message for each call of the
// turn. The message for call i contains why[i] in place of the call's result.
func withResults(messages []string, r *reply, why []string) []string {
	messages = append(messages, r.message)
	for i := range r.calls {
		messages = append(messages, resultMessage(&r.calls[i], why[i]))
	}
	return messages
}

// noteRefusal records in the audit that a turn was refused. For a denial by the policy,
// Gate.Propose writes the entries.
func (p *Proxy) noteRefusal(ctx context.Context, q *query, r *reply, was *ruling) error {
	if was.plan.Verdict == machine.Denial {
		if _, err := p.Gate.Propose(ctx, q.newAsk(r.calls)); err != nil {
			return storeProblem(err)
		}
		return nil
	}
	if err := p.noteCalls(ctx, q, r.calls, "refused", was.why[0]); err != nil {
		return storeProblem(err)
	}
	return nil
}

// finishTurn sends the client the part of the model's turn that the verdict allows. If no
// call may run, it may send nothing. In this case the list why has the reason for each
// call, as a text for the model. Otherwise why is nil.
func (p *Proxy) finishTurn(ctx context.Context, o *out, q *query, before *chain, r *reply, tail []event, was *ruling) (why []string, err error) {
	switch was.verdict {
	case pass:
		if err := p.notePassing(ctx, q, r, was); err != nil {
			return nil, err
		}
		p.passUnchanged(o, r, tail)
		return nil, nil
	case cutOff:
		return nil, p.endWithNotice(ctx, o, q, r, tail, was)
	}
	plan := was.plan
	if was.verdict != resume {
		if plan, err = p.Gate.Propose(ctx, q.newAsk(r.calls)); err != nil {
			return nil, problemOr(err)
		}
	}
	if plan.Verdict == machine.Denial {
		return denialTexts(plan), nil // a person has denied it, or frozen the agent
	}
	if len(plan.Records) != len(r.calls) {
		return nil, storeProblem(nil) // a rule of the policy began or ended in between
	}
	h := &holding{Proxy: p, o: o, q: q, r: r, tail: tail, before: before, turn: turnOf(q, r, before, plan)}
	return h.decideHeld(ctx, plan, was.verdict == run)
}

// notePassing writes the audit entries for a turn that is about to pass.
func (p *Proxy) notePassing(ctx context.Context, q *query, r *reply, was *ruling) error {
	if was.event != "" {
		if err := p.noteCalls(ctx, q, r.calls, was.event, "mutation-gated verification is switched off"); err != nil {
			return storeProblem(err)
		}
		return nil
	}
	if len(was.plan.Notes) == 0 {
		return nil
	}
	plan, err := p.Gate.Propose(ctx, q.newAsk(r.calls))
	if err != nil {
		return problemOr(err)
	}
	if len(plan.Records) > 0 || plan.Verdict == machine.Denial {
		return storeProblem(nil) // an exemption ended in between
	}
	return nil
}

// passUnchanged sends the model's turn to the client unchanged.
func (p *Proxy) passUnchanged(o *out, r *reply, tail []event) {
	if !o.stream {
		o.sendWhole(o.accountUsage(r.body))
		return
	}
	later := o.first != nil && o.first.id != r.id || o.earlier
	for i := range tail {
		o.gatherEvent(&tail[i], r, later)
	}
	o.sendGathered("")
}

// endWithNotice ends the turn with the gate's text, and stores the turn as a notice.
func (p *Proxy) endWithNotice(ctx context.Context, o *out, q *query, r *reply, tail []event, was *ruling) error {
	if err := p.noteCalls(ctx, q, r.calls, was.event, was.text); err != nil {
		return storeProblem(err)
	}
	t := &turn{key: p.keyOf(o, q, r, was.text), Kind: turnNotice}
	if r.shown != "" {
		t.Message = textMessage("assistant", r.shown)
	}
	if err := p.storeTurn(ctx, q.who, t); err != nil {
		return storeProblem(err)
	}
	finish := "stop"
	if !isCompleteFinish(r.finish) {
		finish = r.finish
	}
	o.endWithText(r, was.text, finish, tail)
	return nil
}

// keyOf returns the name of the conversation up to and including the answer to this
// request. The answer consists of the model's text, which the client has received, and
// the gate's text.
func (p *Proxy) keyOf(o *out, q *query, r *reply, text string) string {
	content := r.shown
	if o.stream {
		content = o.content.String()
	}
	m := assistantMessage(joinContent(content, text), nil)
	return m.nextKey(q.conversationKey())
}

func problemOr(err error) error {
	if p := problemOf(err); p.status == 429 {
		return p
	}
	return storeProblem(err)
}
