//go:build !js

package cli

import (
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// auditRow is a row of an audit with its line in the file.
type auditRow struct {
	machine.Entry
	line int
}

// auditHistory is what the rows of a tenant's audit have said so far.
type auditHistory struct {
	open    map[string][2]*machine.Decided // calls that are not settled yet, by id; the second is nil without --was
	denied  map[string][]machine.Record    // by agent and tool: the calls that people denied
	freezes map[string]machine.Freeze      // by agent
}

func newHistory() auditHistory {
	return auditHistory{map[string][2]*machine.Decided{}, map[string][]machine.Record{}, map[string]machine.Freeze{}}
}

// addEntry replays one row of an audit. The proposals of one turn are decided together, when
// the next row is another one.
func (t *policyTest) addEntry(n int, text string) error {
	if text == "" {
		return nil // retention has emptied it
	}
	e := auditRow{line: n}
	if err := json.Unmarshal([]byte(text), &e.Entry); err != nil {
		return err
	}
	if e.Event == "propose" {
		if len(t.turn) > 0 && !t.turn[0].sameTurn(&e) {
			t.endTurn()
		}
		t.turn = append(t.turn, e)
		return nil
	}
	t.endTurn()
	x := t.tenantOf(e.Tenant)
	h := &x.audit
	switch {
	case e.Event == "freeze":
		h.freezes[e.Agent] = machine.Freeze{Tenant: e.Tenant, Agent: e.Agent, By: e.By, Reason: e.Text, At: e.At}
	case e.Event == "unfreeze":
		delete(h.freezes, e.Agent)
	case e.To == machine.Claimed || e.Event == "stopped":
		t.addClaim(x, &e)
	case e.From == machine.Claimed:
		x.eachDecided(&e, func(d *machine.Decided, r *machine.Replay) { r.Settle(d, e.To, e.Text) })
		delete(h.open, e.ID)
	case e.To.Terminal():
		if d, ok := h.open[e.ID]; ok && e.To == machine.Denied {
			r := d[0].Refused(machine.Vote{By: e.By, Channel: e.Channel, Reason: e.Text, At: e.At})
			h.denied[r.Principal+" "+r.Tool] = append(h.denied[r.Principal+" "+r.Tool], r)
		}
		delete(h.open, e.ID)
	}
	return nil
}

// sameTurn reports whether two proposals belong to one turn. Older audits do not name the
// turn of calls that were denied together.
func (e *auditRow) sameTurn(other *auditRow) bool {
	if e.Tenant != other.Tenant || e.Batch != other.Batch {
		return false
	}
	return e.Batch != "" || e.ID == "" && other.ID == "" && e.At == other.At && e.By == other.By && e.Session == other.Session && e.To == machine.Denied && other.To == machine.Denied
}

func (x *tenantTest) eachDecided(e *auditRow, fn func(*machine.Decided, *machine.Replay)) {
	d, ok := x.audit.open[e.ID]
	if !ok {
		return
	}
	fn(d[0], &x.now)
	if d[1] != nil {
		fn(d[1], &x.was)
	}
}

// endTurn decides the calls of a turn of the audit again.
func (t *policyTest) endTurn() {
	turn := t.turn
	if t.turn = nil; len(turn) == 0 {
		return
	}
	x := t.tenantOf(turn[0].Tenant)
	a := machine.Ask{By: machine.Principal{Tenant: turn[0].Tenant, Name: turn[0].By, Role: machine.Agent}, Session: turn[0].Session, Batch: turn[0].Batch}
	var known []auditRow
	for _, e := range turn {
		if t.calls++; e.Arguments == "" {
			t.unknown++
			continue
		}
		call := proposal.Proposal{Tool: e.Tool, Arguments: e.Arguments}
		if e.Asked != "" {
			call.Recorded = &proposal.Asker{By: e.Asked}
		}
		a.Calls, a.IDs, known = append(a.Calls, call), append(a.IDs, e.ID), append(known, e)
	}
	if len(known) == 0 {
		return
	}
	at := known[0].At
	x.audit.recallStops(&a, at)
	now, was := x.now.DecideTurn(a, at), []machine.Decided(nil)
	if t.was != nil {
		was = x.was.DecideTurn(a, at)
	}
	for i := range known {
		e, then, other := &known[i], "", (*machine.Decided)(nil)
		if then = e.decisionText(); was != nil {
			other = &was[i]
			then = decisionText(other)
		}
		if e.ID != "" {
			x.audit.open[e.ID] = [2]*machine.Decided{&now[i], other}
		}
		t.compareDecisions(e.line, e.Tool, e.Arguments, then, decisionText(&now[i]), &now[i])
	}
}

// decisionText returns what the gate decided.
func (e *auditRow) decisionText() string {
	switch {
	case e.To == machine.Denied:
		return "deny"
	case e.To == machine.Allowed || e.Needs == 0:
		return "allow"
	case e.Needs > 1:
		return fmt.Sprintf("hold, %d people", e.Needs)
	}
	return "hold"
}

// recallStops sets the freeze and the denials that the gate knew when it decided a turn.
func (h *auditHistory) recallStops(a *machine.Ask, now int64) {
	var all []machine.Freeze
	for _, f := range h.freezes {
		all = append(all, f)
	}
	a.Frozen = machine.Frozen(all, a.By.Tenant, a.By.Name)
	for _, c := range a.Calls {
		var late []machine.Record
		for _, r := range h.denied[a.By.Name+" "+c.Tool] {
			if r.Votes[0].At > now-machine.Recall {
				late = append(late, r)
			}
		}
		a.Before = append(a.Before, machine.RefusedBefore(late, c.Tool, c.Arguments))
	}
}

// addClaim compares what the policy says about a claim of the audit. A call that it does not
// hand out leaves no rows.
func (t *policyTest) addClaim(x *tenantTest, e *auditRow) {
	d, ok := x.audit.open[e.ID]
	if !ok {
		return
	}
	t.claims++
	claim := func(r *machine.Replay, d *machine.Decided) machine.Stop {
		if e.Event == "stopped" { // it did not run, so it leaves no rows
			why, _ := r.TryClaim(d, e.At)
			return why
		}
		return r.Claim(d, e.At)
	}
	then, got := claimWord(e.Event == "stopped"), claim(&x.now, d[0])
	if d[1] != nil {
		then = claimWord(claim(&x.was, d[1]).Text != "")
	}
	if now := claimWord(got.Text != ""); now != then && d[0].Verdict != machine.Denial {
		t.reportClaim(e.line, d[0], "was "+then+", got "+now, &got)
	}
}

func claimWord(stopped bool) string {
	if stopped {
		return "stopped at its claim"
	}
	return "handed out"
}
