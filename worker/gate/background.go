package gate

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
)

// Recover changes the state of all calls that were claimed and have no outcome to
// ambiguous. Nobody knows whether such a call ran, so nothing retries it. Call Recover
// once when the process that serves a database starts.
//
// Do not call Recover in a Cloudflare Worker, because its instances start all the time.
// In a Worker, a claimed call becomes ambiguous when its deadline passes.
func (g *Gate) Recover(ctx context.Context) error {
	for {
		list, err := g.Store.Claimed(ctx, 100)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, r := range list {
			if _, _, err := g.Apply(ctx, r.Tenant, r.ID, machine.Event{Kind: machine.Recover}); err != nil {
				return err
			}
		}
	}
}

// keptFor is the time for which idempotency keys are stored, in milliseconds.
const keptFor = 24 * 60 * 60 * 1000

// turnsFor is the time in which a proxy can recognise a turn of a conversation.
const turnsFor = 30 * keptFor

// chainedFor is the time in which a client can continue what a proxy keeps under an id.
const chainedFor = 7 * keptFor

// Housekeep does this regular work:
//
//   - expires proposals whose time is over
//   - stores the counts of the meter
//   - adds new audit entries to the hash chains
//   - deletes old idempotency keys, turns and used ids
//   - removes texts that are older than the policy's limits
//
// It may be called at any time and any number of times.
func (g *Gate) Housekeep(ctx context.Context) error {
	if err := g.keepUp(ctx); err != nil {
		return err
	}
	return g.cleanUp(ctx)
}

// keepUp does the urgent part of Housekeep: it expires proposals, stores the counts of
// the meter, and adds new audit entries to the hash chains.
func (g *Gate) keepUp(ctx context.Context) error {
	now := g.Now()
	due, err := g.Store.Due(ctx, now, 100)
	if err != nil {
		return err
	}
	for _, r := range due {
		if _, _, err := g.Apply(ctx, r.Tenant, r.ID, machine.Event{Kind: machine.Tick}); err != nil {
			return err
		}
	}
	if err := g.keepCounts(ctx); err != nil {
		return err
	}
	return g.Store.Seal(ctx)
}

// cleanUp deletes old idempotency keys, turns and used ids. It removes texts that are
// older than the policy's limits.
func (g *Gate) cleanUp(ctx context.Context) error {
	now := g.Now()
	if err := g.Store.Forget(ctx, now-keptFor); err != nil {
		return err
	}
	if err := g.Store.ForgetTurns(ctx, now-turnsFor); err != nil {
		return err
	}
	if err := g.Store.ForgetChained(ctx, now-chainedFor); err != nil {
		return err
	}
	if err := g.Store.ForgetSpent(ctx, now); err != nil {
		return err
	}
	if err := g.Store.ForgetMarks(ctx, now); err != nil {
		return err
	}
	return g.applyRetention(ctx)
}

// Run does the background work until ctx ends. The function report receives errors and
// may be nil. Run does this work:
//
//   - after every change and at least every second: expires proposals, adds audit entries to the chains, and tells the receivers
//   - every ten seconds: deletes old data
//   - all the time: looks for changes by other processes
func (g *Gate) Run(ctx context.Context, report func(error)) {
	if report == nil {
		report = func(error) {}
	}
	var wait sync.WaitGroup
	g.sweeping.Store(true)
	defer g.sweeping.Store(false)
	wait.Go(func() { g.sweepUntil(ctx, report) })
	wait.Go(func() { g.repeatOnChange(ctx, report, g.keepUp) })
	wait.Go(func() { g.cleanUntil(ctx, report) })
	if g.Pushes != nil {
		wait.Go(func() { g.repeatOnChange(ctx, report, g.deliverPushes) })
	}
	for _, to := range g.receivers {
		wait.Go(func() {
			g.repeatOnChange(ctx, report, func(ctx context.Context) error { return g.deliverTo(ctx, to) })
		})
	}
	wait.Wait()
	if err := g.keepCounts(context.WithoutCancel(ctx)); err != nil {
		report(err)
	}
}

// Deliver tells each receiver what it has not been told yet. Hosts such as a Cloudflare
// Worker call Deliver regularly instead of Run.
func (g *Gate) Deliver(ctx context.Context) error {
	var all []error
	for _, to := range g.receivers {
		all = append(all, g.deliverTo(ctx, to))
	}
	if g.Pushes != nil {
		all = append(all, g.deliverPushes(ctx))
	}
	return errors.Join(all...)
}

func (g *Gate) deliverTo(ctx context.Context, to notify.Receiver) error {
	if g.Transport == nil {
		return nil
	}
	return (&notify.Outbox{Store: g.Store, Now: g.Now}).Deliver(ctx, to)
}

func (g *Gate) repeatOnChange(ctx context.Context, report func(error), work func(context.Context) error) {
	for ctx.Err() == nil {
		changed := g.hub.Next()
		if err := work(ctx); err != nil && ctx.Err() == nil {
			report(err)
			waitForChange(ctx, nil, time.Second)
		}
		waitForChange(ctx, changed, time.Second)
		waitForChange(ctx, nil, together) // many changes at once cause one round
	}
}

// cleanUntil cleans up every few seconds until ctx ends.
func (g *Gate) cleanUntil(ctx context.Context, report func(error)) {
	for ctx.Err() == nil {
		if err := g.cleanUp(ctx); err != nil && ctx.Err() == nil {
			report(err)
		}
		waitForChange(ctx, nil, 10*time.Second)
	}
}

// sweepUntil calls sweepTopics again and again until ctx ends, with a pause of g.Poll.
func (g *Gate) sweepUntil(ctx context.Context, report func(error)) {
	for ctx.Err() == nil {
		if err := g.sweepTopics(ctx); err != nil && ctx.Err() == nil {
			report(err)
		}
		waitForChange(ctx, nil, g.Poll)
	}
}

// Pause waits until the time d has passed or ctx ends. If Options.Sleep is set, Pause
// calls it instead of a Go timer.
func (g *Gate) Pause(ctx context.Context, d time.Duration) {
	if g.Sleep != nil {
		g.Sleep(ctx, d)
		return
	}
	waitForChange(ctx, nil, d)
}

// Beats returns a channel that offers a beat each time the interval d has passed since the
// last one was taken, until ctx ends.
func (g *Gate) Beats(ctx context.Context, d time.Duration) <-chan struct{} {
	beats := make(chan struct{})
	go func() {
		for ctx.Err() == nil {
			g.Pause(ctx, d)
			select {
			case beats <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}()
	return beats
}

// waitForChange waits until changed closes, the time d has passed, or ctx ends.
func waitForChange(ctx context.Context, changed <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}
