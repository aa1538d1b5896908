//go:build !js

package gate

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/past"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// auditRow is a row of an audit with its line in the file.
type auditRow struct {
	machine.Entry
	line int
}

// auditHistory is what the rows of a tenant's audit have said so far.
type auditHistory struct {
	open map[string][2]*machine.Decided // calls that may still change what is counted, by id; the second is nil without --was
	past past.Past
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
		if len(t.turn) > 0 && !past.SameTurn(&t.turn[0].Entry, &e.Entry) {
			t.endTurn()
		}
		t.turn = append(t.turn, e)
		return nil
	}
	t.endTurn()
	x := t.tenantOf(e.Tenant)
	if e.Event == "edited" {
		t.addEdit(x, &e)
		return nil
	}
	x.audit.past.Note(&e.Entry, x.audit.open[e.ID][0])
	switch {
	case e.To == machine.Claimed || e.Event == "stopped":
		t.addClaim(x, &e)
	case e.From == machine.Claimed:
		x.eachDecided(&e, func(d *machine.Decided, r *machine.Replay) { r.Settle(d, e.To, e.Text) })
		if e.To != machine.Failed {
			delete(x.audit.open, e.ID)
		}
	case e.Event == "late-outcome" && e.From == machine.Failed && e.Status != machine.Failed: // it counts again
		x.eachDecided(&e, func(d *machine.Decided, r *machine.Replay) { r.Settle(d, machine.Ambiguous, "") })
		delete(x.audit.open, e.ID)
	case e.To.Terminal() && e.To != machine.Superseded: // the row of the edited call may come after this one
		delete(x.audit.open, e.ID)
	}
	return nil
}

// addEdit decides an edited call again, as one in the place of the call before.
func (t *policyTest) addEdit(x *tenantTest, e *auditRow) {
	t.calls++
	before, ok := x.audit.open[e.Of]
	if !ok || e.Arguments == "" {
		t.unknown++
		return
	}
	now, then, other := x.now.DecideEdit(before[0], e.ID, e.By, e.Arguments, e.At), past.DecidedAs(&e.Entry), (*machine.Decided)(nil)
	if before[1] != nil {
		was := x.was.DecideEdit(before[1], e.ID, e.By, e.Arguments, e.At)
		other, then = &was, decisionText(&was)
	}
	x.audit.open[e.ID] = [2]*machine.Decided{&now, other}
	delete(x.audit.open, e.Of)
	t.compareDecisions(e.line, e.Tool, e.Arguments, then, decisionText(&now), &now)
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
	known := turn[:0:0]
	for _, e := range turn {
		if t.calls++; e.Arguments == "" {
			t.unknown++
			continue
		}
		call := proposal.Proposal{Tool: e.Tool, Arguments: e.Arguments, Dir: e.Dir}
		if e.Asked != "" {
			call.Recorded = &proposal.Asker{By: e.Asked}
		}
		a.Calls, a.IDs, known = append(a.Calls, call), append(a.IDs, e.ID), append(known, e)
	}
	if len(known) == 0 {
		return
	}
	at := known[0].At
	x.audit.past.Recall(&a, at)
	now, was := x.now.DecideTurn(a, at), []machine.Decided(nil)
	if t.was != nil {
		was = x.was.DecideTurn(a, at)
	}
	for i := range known {
		e, other := &known[i], (*machine.Decided)(nil)
		then := past.DecidedAs(&e.Entry)
		if was != nil {
			other, then = &was[i], decisionText(&was[i])
		}
		if e.ID != "" {
			x.audit.open[e.ID] = [2]*machine.Decided{&now[i], other}
		}
		t.compareDecisions(e.line, e.Tool, e.Arguments, then, decisionText(&now[i]), &now[i])
	}
}

// claimWords say whether a claim was stopped.
var claimWords = map[bool]string{true: "stopped at its claim", false: "handed out"}

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
	then, got := claimWords[e.Event == "stopped"], claim(&x.now, d[0])
	if d[1] != nil {
		then = claimWords[claim(&x.was, d[1]).Text != ""]
	}
	if now := claimWords[got.Text != ""]; now != then && d[0].Verdict != machine.Denial {
		tool, arguments := d[0].Call()
		t.printDifference(e.line, tool, arguments, "was "+then+", got "+now, got.Text)
	}
}
