package gate

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Reload replaces the policy. It first writes an audit entry about the change for every
// tenant that has a key. After an error the old policy stays in force.
func (g *Gate) Reload(ctx context.Context, p *machine.Policy) error {
	var entries []machine.Entry
	seen := map[string]bool{}
	for _, k := range g.keys() {
		if t := k.Tenant; !seen[t] {
			seen[t] = true
			entries = append(entries, machine.Entry{Version: 1, Tenant: t, Event: "policy", At: g.Now(), Policy: p.Version, Mode: p.Mode, Text: "this policy is in force from now on and replaces the policy " + g.Policy().Version})
		}
	}
	if err := g.Store.Note(ctx, entries...); err != nil {
		return err
	}
	g.SetPolicy(p)
	g.hub.Wake()
	return nil
}
