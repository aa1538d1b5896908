package gate

import (
	"context"
	"encoding/hex"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// marksKey returns the key of the hashes in the rows. It belongs to the database, so that
// the counts survive a restart and are the same for several processes.
func (g *Gate) marksKey(ctx context.Context) ([]byte, error) {
	if key := g.rowKey.Load(); key != nil {
		return *key, nil
	}
	fresh, err := g.newNonce()
	if err != nil {
		return nil, err
	}
	var text string
	if _, err := g.Store.Change(ctx, `INSERT INTO secrets (name, value) VALUES ('marks', ?) ON CONFLICT (name) DO UPDATE SET value = value RETURNING value`, []any{fresh}, &text); err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(text)
	if err == nil {
		g.rowKey.Store(&key)
	}
	return key, err
}

// Learn sets what the rules of the policy must know from the store about the calls of a,
// for a proxy that decides about them itself.
func (g *Gate) Learn(ctx context.Context, a *machine.Ask) error {
	return g.learn(ctx, g.Policy(), a, g.Now())
}

// learn sets what the rules of a policy must know from the store about the calls of a.
func (g *Gate) learn(ctx context.Context, p *machine.Policy, a *machine.Ask, now int64) (err error) {
	if !p.Counts() {
		return nil
	}
	if a.Key, err = g.marksKey(ctx); err == nil {
		a.Known, err = g.Store.Tallies(ctx, a.By.Tenant, p.Questions(a, now))
	}
	return err
}

// handOut sets what the policy says about the claim of an approved call.
func (g *Gate) handOut(ctx context.Context, r *machine.Record, e *machine.Event, now int64) error {
	p := g.Policy()
	if e.Stop = (machine.Stop{Text: p.Objects(r)}); e.Stop.Text != "" {
		return nil
	}
	var key []byte
	var err error
	if p.Counts() {
		if key, err = g.marksKey(ctx); err != nil {
			return err
		}
	}
	h := p.Handout(r, key, now)
	known, err := g.Store.Tallies(ctx, r.Tenant, h.Counts())
	if err != nil {
		return err
	}
	e.Marks, e.Bounds = h.Marks, h.Bounds
	e.Stop, e.Logged = h.Objection(known), h.Logged(known)
	return nil
}
