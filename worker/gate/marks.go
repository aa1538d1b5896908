package gate

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// marksKey returns the key of the hashes in the rows. It belongs to the database, so that
// the counts survive a restart and are the same for several processes.
func (g *Gate) marksKey(ctx context.Context) ([]byte, error) {
	if key := g.rowKey.Load(); key != nil {
		return *key, nil
	}
	text, err := g.storedSecret(ctx, "marks")
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(text)
	if err == nil {
		g.rowKey.Store(&key)
	}
	return key, err
}

// storedSecret returns the database's secret with a name, in hexadecimal digits. The first
// process that asks makes it.
func (g *Gate) storedSecret(ctx context.Context, name string) (text string, err error) {
	fresh, err := g.newNonce()
	if err != nil {
		return "", err
	}
	_, err = g.Store.Change(ctx, `INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = secrets.value RETURNING value`, []any{name, fresh}, &text)
	return text, err
}

// Plan decides the calls of a under the policy, for a proxy that asks by itself. It stores
// nothing. The counts and the decision are of one policy and of one moment: a count of
// another moment is another count.
func (g *Gate) Plan(ctx context.Context, a machine.Ask) (machine.Plan, error) {
	return g.learnAndPlan(ctx, g.Policy(), &a, g.Now())
}

// learnAndPlan decides the calls of a with what the rules of a policy must know from the
// store. Remembered decisions are read only if a person would be asked.
func (g *Gate) learnAndPlan(ctx context.Context, p *machine.Policy, a *machine.Ask, now int64) (machine.Plan, error) {
	if err := g.learn(ctx, p, a, now); err != nil {
		return machine.Plan{}, err
	}
	plan := machine.Propose(p, *a, now)
	if !slices.ContainsFunc(plan.Members, func(m machine.Member) bool { return m.Verdict == proposal.Confirm }) {
		return plan, nil
	}
	if err := g.recall(ctx, p, a, now); err != nil || len(a.Remembered) == 0 {
		return plan, err
	}
	return machine.Propose(p, *a, now), nil
}

// learn sets the counts that the rules of a policy must know from the store about the calls of a.
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
	e.From, e.Stop = p.RunsFrom(r), machine.Stop{Text: p.Objects(r)}
	if e.Stop.Text != "" || now < e.From {
		return nil
	}
	if r.Why.Recalled != nil {
		if still, err := g.stillRecalled(ctx, r, now); err != nil || !still {
			e.Stop.Text = "the remembered yes of " + r.Why.Recalled.By + " has ended: propose the call again"
			return err
		}
		u, err := g.unsureNow(ctx, r)
		if e.Stop.Text = againText(u); err != nil || u != nil {
			return err
		}
	}
	if err := g.setTwins(ctx, r, e); err != nil || e.Ran != nil {
		return err
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
