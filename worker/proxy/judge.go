package proxy

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// verdict says what to do with the model's turn.
type verdict int

const (
	pass    verdict = iota // pass it on unchanged
	ask                    // a person decides first
	again                  // tell the model the reasons, and ask it once more
	reflect                // remind the model, and ask it once more
	cutOff                 // end the turn; it never runs
	run                    // mode faithful: it runs, with an approval on record
	resume                 // its calls were approved before: they are claimed now
)

// ruling is a verdict with its texts.
type ruling struct {
	verdict verdict
	plan    machine.Plan
	why     []string // with again: for each call, the reason for the model
	text    string   // with cutOff: the text for the person
	event   string   // its name in the audit
}

// chain describes the gate's question and the person's reply that come just before the
// model's next turn. It is empty if there is no such question.
type chain struct {
	round    int             // number of consecutive questions
	refused  map[string]bool // digests of calls that were not approved
	feedback map[string]int  // for each tool, the number of calls that a person has just commented on with neither yes nor no
	said     string          // the question's code, and the person's reply
}

// newAsk returns the model's calls as the machine's input.
func (q *query) newAsk(calls []call) machine.Ask {
	a := machine.Ask{By: q.who, Session: q.session, Trace: q.trace, Batch: "?", IDs: make([]string, len(calls))}
	for i := range calls {
		a.Calls = append(a.Calls, proposal.Proposal{Tool: calls[i].Name, Arguments: calls[i].argumentsJSON(), Tools: q.tools, Policy: q.policy, Conversation: q.said})
	}
	return a
}

// judgeTurn decides on the model's turn r. The parameter c describes the question and the
// reply before the turn. The parameter reflected is true if the model was already
// reminded of the constraints. judgeTurn stores nothing.
func (p *Proxy) judgeTurn(ctx context.Context, q *query, r *reply, c *chain, reflected bool) (ruling, error) {
	if len(r.calls) == 0 {
		return ruling{verdict: pass}, nil
	}
	if !isCompleteFinish(r.finish) {
		return ruling{verdict: cutOff, event: "cut-off", text: fmt.Sprintf("[gate] The model's turn ended early (%.40s), before it was complete. None of its calls has run.", r.finish)}, nil
	}
	if len(r.calls) > maxCalls {
		return refuseAll(r.calls, fmt.Sprintf("Not executed: the turn has %d calls, but at most %d calls can be confirmed together.", len(r.calls), maxCalls)), nil
	}
	if why, broken := findUnreadable(r.calls); broken {
		return ruling{verdict: again, why: why}, nil
	}
	plan, err := p.Gate.Plan(ctx, q.newAsk(r.calls))
	switch {
	case err != nil:
		return ruling{}, storeProblem(err)
	case plan.Verdict == proposal.Allow:
		return ruling{verdict: pass, plan: plan}, nil
	case plan.Verdict == machine.Denial:
		return ruling{verdict: again, plan: plan, why: denialTexts(plan)}, nil
	}
	if was, err := p.resumeApproved(ctx, q, r.calls, plan); err != nil || was.verdict != pass {
		return was, err
	}
	switch {
	case !plan.Asked():
		return ruling{verdict: ask, plan: plan}, nil
	case p.Reflect != "" && !reflected:
		return ruling{verdict: reflect, plan: plan}, nil
	case p.NoVerify:
		return ruling{verdict: pass, plan: plan, event: "unverified"}, nil
	}
	if why := c.questionObjection(plan, p.Gate.Policy().Mode); why != "" {
		return refuseAll(r.calls, why), nil
	}
	if p.Gate.Policy().Mode == machine.Faithful && c.feedbackCovers(plan.Records) {
		return ruling{verdict: run, plan: plan}, nil
	}
	return ruling{verdict: ask, plan: plan}, nil
}

// resumeApproved returns the verdict on a turn with calls that a person has approved before
// and that did not run then, such as those whose time had not come. It returns pass if there
// are none.
func (p *Proxy) resumeApproved(ctx context.Context, q *query, calls []call, plan machine.Plan) (ruling, error) {
	if !plan.Asked() && !slices.ContainsFunc(plan.Records, func(r machine.Record) bool { return r.Why.Wait > 0 }) {
		return ruling{}, nil // nobody was asked about the call, so an earlier record is not better than a new one
	}
	approved, err := p.Gate.Store.Approvals(ctx, q.who.Tenant, q.who.Name, q.session, store.Place{})
	if err != nil {
		return ruling{}, storeProblem(err)
	}
	now, policy := p.Gate.Now(), p.Gate.Policy()
	was := ruling{verdict: resume, plan: machine.Plan{Verdict: proposal.Confirm, Members: plan.Members}, why: make([]string, len(calls)), event: "refused"}
	found := 0
	for i := range calls {
		was.why[i] = sibling
		at := slices.IndexFunc(approved, func(r machine.Record) bool { return r.Root() == plan.Members[i].Digest && now < r.Ends() })
		if at < 0 {
			continue
		}
		r := approved[at]
		approved = slices.Delete(approved, at, at+1) // one approval is for one call
		if found++; now < policy.RunsFrom(&r) {
			was.verdict, was.why[i] = again, notYet(machine.EarlyText(policy.RunsFrom(&r)))
		} else if was.why[i] = aloneAgain; was.verdict == resume {
			r.Digest = plan.Members[i].Digest // of the call that the model made
			was.plan.Records = append(was.plan.Records, r)
		}
	}
	switch {
	case found == 0:
		return ruling{}, nil
	case found < len(calls):
		was.verdict = again
	}
	return was, nil
}

// maxCalls is the largest number of calls of one turn in a question.
const maxCalls = 64

// maxRounds is the number of consecutive questions after which the model must first
// talk to the person.
const maxRounds = 2

// questionObjection returns the reason why there must be no question about a turn, as a
// text for the model. It returns "" if there may be a question. There are two reasons:
// the same call was refused just before, or, in mode strict, there were too many
// questions.
func (c *chain) questionObjection(plan machine.Plan, mode string) string {
	for _, r := range plan.Records {
		if c.refused[r.Digest] && r.Needs > 0 {
			return "Not executed: the user was just asked about this exact call and did not approve it. Do not repeat the call. Ask the user in your own words what they want, and wait for their reply."
		}
	}
	if mode == machine.Strict && c.round >= maxRounds {
		return "Not executed: this call differs from the call that the user was shown, and the user has been asked twice already. Say in your own words what you want to do. Wait for the user's reply before you call a tool that changes something."
	}
	return ""
}

// feedbackCovers reports whether a person's comment on a question permits these calls, in
// mode faithful. It returns false if there was no comment. For each call that needs a
// decision, all of this must be true:
//
//   - The question had at least as many calls of this tool as there are now.
//   - The person in the conversation may approve the call.
//   - The call can be undone.
//   - The call needs no explicit acknowledgement.
func (c *chain) feedbackCovers(records []machine.Record) bool {
	if len(c.feedback) == 0 {
		return false
	}
	left := maps.Clone(c.feedback)
	for i := range records {
		r := &records[i]
		if r.Needs == 0 {
			continue
		}
		if left[r.Tool]--; left[r.Tool] < 0 || !canApproveByReply(r) || r.Why.Destructive || r.Why.SecondAct() {
			return false
		}
	}
	return true
}

// approveByFeedback approves calls without a question, and records the calls and the
// reason in the audit.
func (h *holding) approveByFeedback(ctx context.Context, records []machine.Record) error {
	text := "in mode faithful, the call runs without a question after the person's reply to " + h.before.said
	if err := h.noteCalls(ctx, h.q, h.r.calls, machine.Faithful, text); err != nil {
		return storeProblem(err)
	}
	return h.decideRecords(ctx, h.q.who, records, machine.Event{Approve: true, Channel: machine.Faithful, Text: text}, h.turn.Calls)
}

// findUnreadable reports in broken whether a call cannot be shown, because its text is
// not a JSON object or is ambiguous. The list why has a text for the model about each
// call.
func findUnreadable(calls []call) (why []string, broken bool) {
	why = make([]string, len(calls))
	for i := range calls {
		why[i] = sibling
		if calls[i].Bad != "" {
			why[i], broken = "Not executed: "+calls[i].Bad+". Make the call through the tools interface. Do not write calls into your text.", true
			continue
		}
		if err := proposal.Inspect(calls[i].Name, calls[i].argumentsJSON()); err != nil {
			why[i], broken = "Not executed: "+err.Error()+". Make the call again with arguments that are one valid JSON object.", true
		}
	}
	return why, broken
}

func denialTexts(plan machine.Plan) (why []string) {
	for _, m := range plan.Members {
		if m.Verdict == machine.Denial && m.Person {
			why = append(why, "Not executed: "+m.Reason)
			continue
		}
		if m.Verdict == machine.Denial {
			why = append(why, "Not executed: the policy denies this call: "+m.Reason)
			continue
		}
		why = append(why, sibling)
	}
	return why
}

func refuseAll(calls []call, text string) ruling {
	why := make([]string, len(calls))
	for i := range why {
		why[i] = text
	}
	return ruling{verdict: again, why: why, event: "refused"}
}

// noteCalls writes an audit entry for each call that is passed on or refused without a
// record of its own.
func (p *Proxy) noteCalls(ctx context.Context, q *query, calls []call, event, text string) error {
	now := p.Gate.Now()
	for i := range calls {
		c := &calls[i]
		e := machine.Entry{
			Version: 1, Tenant: q.who.Tenant, Event: event, At: now, By: q.who.Name, Role: q.who.Role, Channel: channel, Session: q.session,
			Tool: c.Name, Digest: proposal.Digest(c.Name, c.argumentsJSON()), Policy: p.Gate.Policy().Version, Mode: p.Gate.Policy().Mode, Text: text,
		}
		if err := p.Gate.Store.Note(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// channel is the channel of decisions that are made in the conversation itself.
const channel = "conversation"
