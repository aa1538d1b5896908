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

// complete answers one request. It first applies people's replies to open questions.
// Then it asks the model until a turn may pass, is held, or has been refused too often.
func (p *Proxy) complete(ctx context.Context, o *out, q *query) error {
	known, err := p.known(ctx, q)
	if err != nil {
		return unavailable(err)
	}
	if err := p.report(ctx, q, known); err != nil {
		return err
	}
	before, finished, err := p.settle(ctx, o, q, known)
	if err != nil || finished {
		return err
	}
	messages, changed := history(q.messages, known)
	if messages, err = p.filtered(ctx, q, messages, &changed); err != nil {
		return err
	}
	body := q.body
	if changed {
		body = q.with(messages, false)
	}
	return p.converse(ctx, o, q, before, messages, body)
}

// converse asks the model until there is an answer for the client.
func (p *Proxy) converse(ctx context.Context, o *out, q *query, before *chain, messages []string, body string) error {
	reflected, refused := false, 0
	for round := range maxAsked {
		r, tail, err := p.ask(ctx, o, q, body, round > 0)
		if err != nil {
			return err
		}
		was := p.judge(q, &r, before, reflected)
		if was.verdict == again && (refused == maxRefused || round == maxAsked-1) {
			was = ruling{verdict: cutOff, event: "cut-off", text: "[gate] The model keeps making calls that are not allowed. Its turn was stopped; none of its calls has run. " + was.why[0]}
		}
		switch was.verdict {
		case again:
			refused++
			if err := p.refusal(ctx, q, &r, &was); err != nil {
				return err
			}
			messages = withResults(messages, &r, was.why)
			body = q.with(messages, true)
		case reflect:
			reflected = true
			body = q.with(append(messages[:len(messages):len(messages)], p.thought(ctx, q, &r, was.plan)), false)
		default:
			why, err := p.finish(ctx, o, q, before, &r, tail, &was)
			if err != nil || why == nil {
				return err
			}
			messages = withResults(messages, &r, why)
			body = q.with(messages, true)
		}
		q.spent.add(r.usage)
		o.earlier = true
	}
	return errors.New("the model gave no final answer within the allowed number of requests")
}

// withResults adds the model's turn to the messages. After the turn it adds one message
// for each of its calls. This message has the call's text from the list why, in place of
// the call's result.
func withResults(messages []string, r *reply, why []string) []string {
	messages = append(messages, r.message)
	for i := range r.calls {
		messages = append(messages, result(&r.calls[i], why[i]))
	}
	return messages
}

// refusal records in the audit that a turn was refused. Denials by the policy have
// their own entries.
func (p *Proxy) refusal(ctx context.Context, q *query, r *reply, was *ruling) error {
	if was.plan.Verdict == machine.Denial {
		if _, err := p.Gate.Propose(ctx, q.proposals(r.calls)); err != nil {
			return unavailable(err)
		}
		return nil
	}
	if err := p.note(ctx, q, r.calls, "refused", was.why[0]); err != nil {
		return unavailable(err)
	}
	return nil
}

// finish sends the client the part of the model's turn that the verdict allows. If people
// decide that no call may run, before the client has its answer, finish sends nothing. In
// this case the result why has, for each call, the reason that the model is told.
// Otherwise it is nil.
func (p *Proxy) finish(ctx context.Context, o *out, q *query, before *chain, r *reply, tail []event, was *ruling) (why []string, err error) {
	switch was.verdict {
	case pass:
		if err := p.passing(ctx, q, r, was); err != nil {
			return nil, err
		}
		p.hand(o, r, tail)
		return nil, nil
	case cutOff:
		return nil, p.cut(ctx, o, q, r, tail, was)
	}
	plan, err := p.Gate.Propose(ctx, q.proposals(r.calls))
	if err != nil {
		return nil, problemOr(err)
	}
	if plan.Verdict == machine.Denial {
		return denied(plan), nil // a person has denied it, or frozen the agent
	}
	if len(plan.Records) != len(r.calls) {
		return nil, unavailable(nil) // a rule of the policy began or ended in between
	}
	h := &holding{Proxy: p, o: o, q: q, r: r, tail: tail, before: before, turn: turnOf(q, r, before, plan)}
	return h.hold(ctx, plan, was.verdict == run)
}

// passing writes the audit entries that a turn needs before it passes.
func (p *Proxy) passing(ctx context.Context, q *query, r *reply, was *ruling) error {
	if was.event != "" {
		if err := p.note(ctx, q, r.calls, was.event, "mutation-gated verification is switched off"); err != nil {
			return unavailable(err)
		}
		return nil
	}
	if len(was.plan.Notes) == 0 {
		return nil
	}
	plan, err := p.Gate.Propose(ctx, q.proposals(r.calls))
	if err != nil {
		return problemOr(err)
	}
	if len(plan.Records) > 0 || plan.Verdict == machine.Denial {
		return unavailable(nil) // an exemption ended in between
	}
	return nil
}

// hand passes the model's turn on unchanged.
func (p *Proxy) hand(o *out, r *reply, tail []event) {
	if !o.stream {
		o.whole(o.account(r.body))
		return
	}
	later := o.first != nil && o.first.id != r.id || o.earlier
	for i := range tail {
		o.pass(&tail[i], r, later)
	}
	o.write("")
}

// cut ends the turn with the gate's text, and stores the turn as a notice.
func (p *Proxy) cut(ctx context.Context, o *out, q *query, r *reply, tail []event, was *ruling) error {
	if err := p.note(ctx, q, r.calls, was.event, was.text); err != nil {
		return unavailable(err)
	}
	t := &turn{key: p.keyOf(o, q, r, was.text), Kind: turnNotice}
	if r.shown != "" {
		t.Message = speech("assistant", r.shown)
	}
	if err := p.keep(ctx, q.who, t); err != nil {
		return unavailable(err)
	}
	finish := "stop"
	if !whole(r.finish) {
		finish = r.finish
	}
	o.says(r, was.text, finish, tail)
	return nil
}

// keyOf returns the name of the conversation up to a turn that ends with the gate's
// text.
func (p *Proxy) keyOf(o *out, q *query, r *reply, text string) string {
	content := r.shown
	if o.stream {
		content = o.content.String()
	}
	m := said(joined(content, text), nil)
	return m.next(q.point())
}

func problemOr(err error) error {
	if p := problemOf(err); p.status == 429 {
		return p
	}
	return unavailable(err)
}
