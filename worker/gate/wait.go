package gate

import (
	"context"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/hub"
)

// awaitSignal waits for a signal, and reports whether it came. The waiting also ends when
// the time d has passed, ctx ends, or the gate is drained. If Options.Sleep is set,
// awaitSignal calls Sleep for at most the time g.Poll and returns true.
func (g *Gate) awaitSignal(ctx context.Context, w *hub.Waiter, d time.Duration) bool {
	if g.Sleep != nil {
		g.Sleep(ctx, min(d, g.Poll))
		return true
	}
	if !g.sweeping.Load() {
		d = min(d, g.Poll)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-w.Signal:
		return true
	case <-ctx.Done():
	case <-g.draining:
	case <-timer.C:
	}
	return false
}

// untilDue returns the time that is left until a record changes by itself. The parameter
// due is the time of this change. If due is 0, untilDue returns an hour.
func (g *Gate) untilDue(due int64) time.Duration {
	if due == 0 {
		return time.Hour
	}
	return max(time.Millisecond, time.Duration(due-g.Now())*time.Millisecond)
}

// Drain ends all waiting. Each waiting request is answered with the proposal's current
// state. Call Drain before the server shuts down.
func (g *Gate) Drain() { g.drainOnce.Do(func() { close(g.draining) }) }

// isDrained reports whether Drain was called.
func (g *Gate) isDrained() bool {
	select {
	case <-g.draining:
		return true
	default:
		return false
	}
}

// sweepTopics looks for changes by other processes, with one statement for all topics.
func (g *Gate) sweepTopics(ctx context.Context) error {
	keys := g.hub.Watched()
	if len(keys) == 0 {
		return nil
	}
	now, err := g.Store.Revisions(ctx, keys)
	if err != nil {
		return err
	}
	g.hub.Compare(now)
	return nil
}
