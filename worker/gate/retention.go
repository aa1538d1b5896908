package gate

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// applyRetention removes texts that are older than the policy's limits. Each call removes
// at most a fixed number of them.
func (g *Gate) applyRetention(ctx context.Context) error {
	p := g.Policy()
	if p.Retention.Arguments > 0 {
		if err := g.retainArguments(ctx, p); err != nil {
			return err
		}
	}
	if p.Retention.Allowed == 0 && p.Retention.Audit == 0 {
		return nil
	}
	tenants, err := g.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		for what, after := range map[string]int64{store.RetainAllowed: p.Retention.Allowed, store.RetainAudit: p.Retention.Audit} {
			if after == 0 {
				continue
			}
			if err := g.retainRows(ctx, t, what, p.Version, g.Now()-after); err != nil {
				return err
			}
		}
	}
	return nil
}

// retainArguments removes the arguments, prompts and reasons of old settled proposals.
func (g *Gate) retainArguments(ctx context.Context, p *machine.Policy) error {
	list, err := g.Store.FullRecords(ctx, g.Now()-p.Retention.Arguments, 100)
	if err != nil {
		return err
	}
	for i := range list {
		r, e, err := machine.Redacted(list[i], p.Version, g.Now())
		if err != nil {
			return err
		}
		if err := g.Store.KeepEmptied(ctx, &r, e); err != nil {
			return err
		}
	}
	return nil
}

// retainRows removes the entries of old audit rows, but not the rows. It first writes an
// entry into the chain that says which rows will be emptied, and seals this entry. After
// a crash, some of these rows may still have their entries.
func (g *Gate) retainRows(ctx context.Context, tenant, what, policy string, before int64) error {
	rows, err := g.Store.NextOverdue(ctx, tenant, what, before)
	if err != nil || rows.Last == 0 {
		return err
	}
	if len(rows.Numbers) > 0 {
		e := machine.Entry{Version: 1, Tenant: tenant, Event: machine.Redact, At: g.Now(), Policy: policy, Rows: machine.WriteRows(rows.Numbers), Before: before, Text: what}
		if err := g.Store.Note(ctx, e); err != nil {
			return err
		}
		if err := g.Store.Seal(ctx); err != nil {
			return err
		}
	}
	return g.Store.EmptyRows(ctx, tenant, what, rows)
}
