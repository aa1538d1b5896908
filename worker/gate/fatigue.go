package gate

import (
	"context"

	"github.com/boundcheck/boundcheck/worker/gate/fatigue"
)

// keepCounts stores the counts that the meter has collected since the last call.
func (g *Gate) keepCounts(ctx context.Context) error {
	n := g.meter.Take()
	if len(n) == 0 {
		return nil
	}
	if err := g.Store.KeepCounts(ctx, n); err != nil {
		g.meter.GiveBack(n)
		return err
	}
	return nil
}

// Fatigue returns how often people are asked and how they decide. The first result is for
// all tools together. The others are for one tool each, and the tool with the most
// questions comes first. The parameter days limits the period, and 0 means no limit.
func (g *Gate) Fatigue(ctx context.Context, tenant string, days int64) ([]fatigue.Figures, error) {
	if err := g.keepCounts(ctx); err != nil {
		return nil, err
	}
	since := int64(0)
	if days > 0 {
		since = g.Now()/fatigue.Day - days + 1
	}
	counts, err := g.Store.Counts(ctx, tenant, since)
	if err != nil {
		return nil, err
	}
	return fatigue.Sum(counts), nil
}
