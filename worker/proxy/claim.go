package proxy

import (
	"context"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// claimCalls claims the approved calls of a turn and returns the calls that this request
// may pass on. A call can be claimed only once. For each other call, claimCalls stores in
// the turn why the call does not run. Calls that are written as text are returned all
// together or not at all. In the place of a call that an approver edited comes the edited
// one: records must be the latest (see gate.StandingLatest). A call whose time has not come
// stays approved.
func (p *Proxy) claimCalls(ctx context.Context, who machine.Principal, t *turn, records []machine.Record) (mine []call, err error) {
	calls, err := t.storedCalls()
	if err != nil {
		return nil, storeProblem(err)
	}
	if t.Text && slices.ContainsFunc(records, func(r machine.Record) bool { return r.State != machine.Approved || r.Why.Edit != nil }) {
		for i := range records {
			if t.Calls[i].Why = whyNot(&records[i], machine.Answer{}); records[i].State == machine.Approved {
				if t.Calls[i].Why = sibling; records[i].Why.Edit != nil {
					t.Calls[i].Why = unwritable(&records[i])
				}
			}
		}
		return nil, p.cancelCalls(ctx, who, t.recordIDs())
	}
	policy, now := p.Gate.Policy(), p.Gate.Now()
	waits := func(r machine.Record) bool { return now < policy.RunsFrom(&r) }
	if t.Text && slices.ContainsFunc(records, waits) { // all are approved
		for i := range records {
			if t.Calls[i].Why = sibling; waits(records[i]) {
				t.Calls[i].Why = notYet(machine.EarlyText(policy.RunsFrom(&records[i])))
			}
		}
		return nil, nil
	}
	for i := range records {
		r, a := records[i], machine.Answer{}
		if r.Digest != t.Calls[i].Digest {
			edited, ok := calls[i].withArguments(r.Arguments)
			if !ok && r.State == machine.Approved {
				if t.Calls[i].Why, err = unwritable(&r), p.cancelCalls(ctx, who, []string{r.ID}); err != nil {
					return nil, err
				}
				continue
			}
			calls[i] = edited
		}
		if r.State == machine.Approved {
			if r, a, err = p.Gate.Claim(ctx, who, r.ID); err != nil {
				return nil, storeProblem(err)
			}
			if err := p.endFrozen(ctx, who, &r, a); err != nil {
				return nil, err
			}
			if a.Code == machine.OK {
				if r.Digest != t.Calls[i].Digest {
					t.Calls[i].Record, t.Calls[i].Ran = r.ID, r.Arguments
				}
				mine = append(mine, calls[i])
				continue
			}
		}
		t.Calls[i].Why = whyNot(&r, a)
	}
	if t.Text && len(mine) < len(records) {
		return nil, nil // the claimed calls count as ambiguous: a text cannot be passed on in part
	}
	return mine, nil
}

// endFrozen cancels an approved call that a freeze keeps from running: the client is told that it
// does not run, and no later request continues it.
func (p *Proxy) endFrozen(ctx context.Context, who machine.Principal, r *machine.Record, a machine.Answer) error {
	if a.Code != machine.Conflict || r.State != machine.Approved {
		return nil
	}
	frozen, err := p.Gate.Frozen(ctx, who)
	if err != nil {
		return storeProblem(err)
	}
	if frozen == "" {
		return nil
	}
	return p.cancelCalls(ctx, who, []string{r.ID})
}

// whyNot returns the text that tells the model why a call does not run.
func whyNot(r *machine.Record, a machine.Answer) string {
	switch r.State {
	case machine.Denied:
		v, ok := r.Decided()
		switch {
		case !ok || v.Channel == channel:
			return deniedBy
		case v.Reason == "":
			return deniedFrom + v.By + "."
		}
		return deniedFrom + v.By + ". They said: " + v.Reason
	case machine.Answered:
		v, _ := r.Decided()
		return answeredBy + v.Reason
	case machine.Expired:
		return tooLate
	case machine.Cancelled:
		if r.Stopped.Text != "" {
			return "Not executed: " + r.Stopped.Text + "."
		}
		return takenBack
	case machine.Claimed, machine.Executed, machine.Failed, machine.Ambiguous:
		return lost
	}
	switch {
	case a.Code == machine.Early:
		return notYet(a.Text)
	case a.Text != "":
		return "Not executed: the call was approved, but it may not run now: " + a.Text + "."
	}
	return noApprove
}

// notYet tells the model that an approved call waits for its time.
func notYet(text string) string { return "Not executed yet: " + text + gate.SameAgain + "." }

// reportResults reports calls to the gate as executed if the agent has sent their
// results. The map known contains the stored turns, by key.
func (p *Proxy) reportResults(ctx context.Context, q *query, known map[string]*turn) error {
	for i := range q.messages {
		t := known[q.messages[i].key]
		if q.messages[i].role != "assistant" || t == nil || t.Kind != turnReleased || t.Reported {
			continue
		}
		if t.Text {
			if i+1 < len(q.messages) {
				if err := p.reportText(ctx, q, t); err != nil {
					return err
				}
			}
			continue
		}
		results := map[string]string{}
		for j := i + 1; j < len(q.messages) && q.messages[j].answers != ""; j++ {
			results[q.messages[j].answers] = q.messages[j].text
		}
		if len(results) == 0 {
			continue
		}
		for j := range t.Calls {
			text, came := results[t.Calls[j].ID]
			if t.Calls[j].ID == "" && len(results) == 1 {
				came = true
			}
			if t.Calls[j].Why != "" || !came {
				continue
			}
			status, detail := machine.Executed, "the agent sent a result of "+strconv.Itoa(len(text))+" bytes"
			if q.failed[t.Calls[j].ID] {
				status, detail, text = machine.Ambiguous, detail+" and says that the tool failed; it may have run", ""
			}
			if _, _, err := p.Gate.Report(ctx, q.who, t.Calls[j].Record, status, detail, text); err != nil {
				return storeProblem(err)
			}
		}
		t.Reported = true
		if err := p.storeTurn(ctx, q.who, t); err != nil {
			return storeProblem(err)
		}
	}
	return nil
}

// reportText reports the calls that the model wrote into the text of a turn as ambiguous: they
// may have run. The results of such calls have no defined place in the messages, so reportText
// does not look for them, and that the conversation went on proves nothing.
func (p *Proxy) reportText(ctx context.Context, q *query, t *turn) error {
	for i := range t.Calls {
		if _, _, err := p.Gate.Report(ctx, q.who, t.Calls[i].Record, machine.Ambiguous, "the agent continued the conversation after a call that was written as text", ""); err != nil {
			return storeProblem(err)
		}
	}
	t.Reported = true
	if err := p.storeTurn(ctx, q.who, t); err != nil {
		return storeProblem(err)
	}
	return nil
}
