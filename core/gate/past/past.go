// Package past reads what the records and the audit say about the past: which earlier calls are
// equal to one, and, for a replay, what was frozen and denied.
package past

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Past is what the rows of a tenant's audit say about freezes and people's denials, for a
// replay. The zero value says nothing.
type Past struct {
	denied  map[string][]machine.Record // by agent and tool: the calls that people denied
	freezes map[string]machine.Freeze   // by agent
}

// Note adds a row. d is the decision of the replay on its call, nil if it has none.
func (p *Past) Note(e *machine.Entry, d *machine.Decided) {
	if p.denied == nil {
		p.denied, p.freezes = map[string][]machine.Record{}, map[string]machine.Freeze{}
	}
	switch {
	case e.Event == "freeze":
		p.freezes[e.Agent] = machine.Freeze{Tenant: e.Tenant, Agent: e.Agent, By: e.By, Reason: e.Text, At: e.At}
	case e.Event == "unfreeze":
		delete(p.freezes, e.Agent)
	case e.To == machine.Denied && d != nil:
		r := d.Refused(machine.Vote{By: e.By, Channel: e.Channel, Reason: e.Text, At: e.At})
		key := r.Principal + " " + r.Tool
		p.denied[key] = append(p.denied[key], r)
	}
}

// Recall sets the freeze and the denials that the gate knew when it decided a turn.
func (p *Past) Recall(a *machine.Ask, now int64) {
	var all []machine.Freeze
	for _, f := range p.freezes {
		all = append(all, f)
	}
	a.Frozen = machine.Frozen(all, a.By.Tenant, a.By.Name)
	for _, c := range a.Asked() {
		var late []machine.Record
		for _, r := range p.denied[a.By.Name+" "+c.Tool] {
			if r.Votes[0].At > now-machine.Recall {
				late = append(late, r)
			}
		}
		a.Before = append(a.Before, machine.RefusedBefore(late, &c))
	}
}

// SameTurn reports whether two proposals belong to one turn. Older audits do not name the
// turn of calls that were denied together.
func SameTurn(e, other *machine.Entry) bool {
	if e.Tenant != other.Tenant || e.Batch != other.Batch {
		return false
	}
	return e.Batch != "" || e.ID == "" && other.ID == "" && e.At == other.At && e.By == other.By && e.Session == other.Session && e.To == machine.Denied && other.To == machine.Denied
}

// DecidedAs returns what the gate decided on a proposal: allow, deny, or hold with the
// number of people if there are several.
func DecidedAs(e *machine.Entry) string {
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
