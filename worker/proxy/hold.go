package proxy

import (
	"context"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// holding is a turn of the model that waits for a decision.
type holding struct {
	*Proxy
	o      *out
	q      *query
	r      *reply
	tail   []event
	before *chain
	turn   *turn
}

func turnOf(q *query, r *reply, before *chain, plan machine.Plan) *turn {
	t := &turn{at: q.conversationKey(), Kind: turnAsked, State: standsOpen, Message: r.message, Round: before.round + 1, Code: dialogue.Code(plan.Records[0].ID)}
	for i := range plan.Records {
		rec := &plan.Records[i]
		t.Calls = append(t.Calls, held{ID: r.calls[i].ID, Record: rec.ID, Digest: rec.Digest, Tool: rec.Tool})
		t.Text = t.Text || r.calls[i].Kind == kindText
		if rec.Needs > 0 {
			t.Unseen = t.Unseen || rec.Why.SecondAct()
			t.Typed = t.Typed || rec.Why.Destructive
			t.Page = t.Page || !canApproveByReply(rec)
		}
		if t.open == 0 || rec.Expires < t.open {
			t.open = rec.Expires
		}
	}
	return t
}

// canApproveByReply reports whether the person in the conversation may approve a call.
func canApproveByReply(r *machine.Record) bool {
	return r.Why.Conversation && r.Needs == 1 && r.For == ""
}

// decideHeld gets the decision on the turn and carries it out. If there is no decision,
// it ends the answer with a question. If no call may run, the list why has the reason for
// each call, as a text for the model. In all other cases why is nil.
//
// The decision comes from one of these sources:
//
//   - If faithful is true, the calls are approved without a question, but not if a call needs the page or an explicit acknowledgement.
//   - If h.Page is true, decideHeld waits for a decision for at most the time h.Wait.
func (h *holding) decideHeld(ctx context.Context, plan machine.Plan, faithful bool) (why []string, err error) {
	h.turn.Page = h.turn.Page || h.Page
	ids := h.turn.recordIDs()
	switch {
	case !plan.Asked(): // a rule counts the calls, so they are claimed
	case faithful && !h.turn.Page && !h.turn.Unseen:
		if err := h.approveByFeedback(ctx, plan.Records); err != nil {
			return nil, err
		}
	case h.Page && h.Wait > 0:
		if err := h.waitForDecision(ctx, ids); err != nil {
			return nil, err
		}
	default:
		return nil, h.askQuestion(ctx, plan.Records)
	}
	records, err := gate.StandingLatest(ctx, h.Gate, h.q.who.Tenant, ids)
	if err != nil {
		return nil, storeProblem(err)
	}
	if hasUndecided(records) {
		return nil, h.askQuestion(ctx, records)
	}
	calls, err := h.claimCalls(ctx, h.q.who, h.turn, records)
	if err != nil {
		return nil, err
	}
	if len(calls) == 0 {
		for i := range h.turn.Calls {
			why = append(why, h.turn.Calls[i].Why)
		}
		return why, nil
	}
	return nil, h.releaseCalls(ctx, calls)
}

// waitForDecision waits for a decision while the client waits for its answer, at most for
// the time h.Wait. If the client disconnects, waitForDecision cancels the calls.
func (h *holding) waitForDecision(ctx context.Context, ids []string) error {
	within, cancel := context.WithTimeout(ctx, h.Wait)
	defer cancel()
	said := time.Time{}
	tick := func() {
		if h.o.stream && time.Since(said) >= h.Beat {
			said = time.Now()
			h.o.sendGathered(": waiting for a decision\n\n")
		}
		if h.o.broken != nil {
			cancel()
		}
	}
	tick()
	if _, err := gate.SettleLatest(within, h.Gate, h.q.who.Tenant, ids, tick); err != nil {
		return storeProblem(err)
	}
	if ctx.Err() != nil || h.o.broken != nil {
		h.cancelCalls(context.WithoutCancel(ctx), h.q.who, ids)
		return context.Canceled
	}
	return nil
}

// askQuestion ends the answer with a question in place of the calls.
func (h *holding) askQuestion(ctx context.Context, records []machine.Record) error {
	t := h.turn
	n, err := h.Gate.Store.OpenTurns(ctx, h.q.who.Tenant, h.q.who.Name, t.at, h.Gate.Now())
	if err != nil {
		return storeProblem(err)
	}
	above := h.r.shown
	if h.o.stream {
		above = h.o.content.String()
	}
	_, closed := dialogue.Closing(above)
	t.Page = t.Page || !closed // the client's window may not show the question
	t.Several = n > 0
	t.Typed = t.Typed || t.Several || above != ""
	text := h.questionText(ctx, h.q, t, records, above)
	t.key = h.keyOf(h.o, h.q, h.r, text)
	if err := h.storeTurn(ctx, h.q.who, t); err != nil {
		return storeProblem(err)
	}
	if ctx.Err() == nil {
		h.o.endWithText(h.r, text, "stop", h.tail)
	}
	if !h.o.said { // a client that has read the closing mark may have disconnected by now
		return h.abandonQuestion(context.WithoutCancel(ctx), h.q, t)
	}
	return nil
}

// questionText returns the text of the question about a turn. The parameter above is the
// text that the model has written in the same answer, before the question.
func (p *Proxy) questionText(ctx context.Context, asked *query, t *turn, records []machine.Record, above string) string {
	q := dialogue.Question{
		Code: t.Code, Typed: t.Typed, Several: t.Several, Unseen: t.Unseen, Changed: t.Round > 1, Above: above, Remark: p.callRemark(ctx, asked.spent, records),
	}
	p.Gate.ShowNow(ctx, records) // without it, a yes is refused where it matters
	for i := range records {
		q.Prompts = append(q.Prompts, records[i].Prompt)
		w := &records[i].Why
		if w.Unsure != nil && w.Unsure.Since {
			t.Calls[i].Seen = w.Unsure.ID
			q.Twins = append(q.Twins, "MAY HAVE RUN ALREADY: "+records[i].Tool+": "+w.Unsure.Text()+". Say yes only if it should run once more.")
		}
		if w.Equal > 0 {
			q.Twins = append(q.Twins, "Another question about exactly the same call of "+records[i].Tool+" waits or is approved, too. A yes to each lets one of them run, and the gate asks again about the other.")
		}
	}
	if t.Page {
		if q.Link = p.Gate.Link(records[0].Batch); records[0].Batch == "" {
			q.Link = p.Gate.Link(records[0].ID)
		}
	}
	return q.Text()
}

// releaseCalls passes on the given calls. If these are all calls of the turn, as the model
// made them, the turn is passed on unchanged. The turn is stored, so that later requests can restore the model's
// own message.
func (h *holding) releaseCalls(ctx context.Context, calls []call) error {
	all := len(calls) == len(h.turn.Calls) && !h.turn.wasEdited()
	content := ""
	if h.o.stream {
		content = h.o.content.String()
	}
	switch {
	case all && h.o.stream:
		for i := range h.tail {
			content += h.tail[i].said
		}
	case len(calls) == len(h.turn.Calls):
		content = h.r.content
	}
	if h.turn.Text {
		calls = nil
	}
	if err := h.storeReleased(ctx, h.q, h.turn, assistantMessage(content, calls), h.q.conversationKey()); err != nil {
		return err
	}
	if all {
		h.passUnchanged(h.o, h.r, h.tail)
		return nil
	}
	h.o.endWithCalls(h.r, content, calls)
	return nil
}

// storeReleased stores a released turn under the name of the conversation that ends with
// m, the message that the client stores for the turn. The parameter before is the name of
// the conversation without m.
func (p *Proxy) storeReleased(ctx context.Context, q *query, t *turn, m message, before string) error {
	after := &turn{key: m.nextKey(before), Kind: turnReleased, Message: t.Message, Calls: t.Calls, Text: t.Text}
	if err := p.storeTurn(ctx, q.who, after); err != nil {
		return storeProblem(err)
	}
	return nil
}
