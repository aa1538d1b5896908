// Package notify tells others what happens to proposals: programs by webhooks, and people by
// messages.
//
// Each receiver gets the news of its tenant in order and at least once. Its progress is in
// the store, so it survives a restart.
package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Receiver is told the news of one tenant.
type Receiver interface {
	// Key names the receiver's progress in the store. A receiver with another key starts
	// as a new one.
	Key() string
	Tenant() string
	// Tell tells one piece of news. After an error it is told again, later.
	Tell(ctx context.Context, n store.News) error
}

// Outbox delivers news to receivers.
type Outbox struct {
	Store *store.Store
	Now   func() int64 // Unix milliseconds

	Patience time.Duration // with one receiver and one thing; 0 means ten seconds, which is also the most
}

// attempts is the number of failures after which a message is dropped. The waiting time
// between attempts doubles from a second to a little over an hour.
const attempts = 14

// patience is the time limit of telling one receiver one thing.
const patience = 10 * time.Second

// leaseFor is the time in milliseconds for which a deliverer has a receiver to itself. It
// is longer than the delivery of one message.
const leaseFor = 3 * int64(patience/time.Millisecond)

// Deliver tells a receiver at most 50 new events. It stops when an attempt fails.
func (o *Outbox) Deliver(ctx context.Context, to Receiver) error {
	at, err := o.Store.Cursor(ctx, to.Key())
	if err != nil || o.Now() < at.Due {
		return err
	}
	list, last, err := o.Store.After(ctx, to.Tenant(), at.Seq, 50)
	if err != nil || last == 0 {
		return err
	}
	if len(list) == 0 { // only calls that nobody waits for
		return o.Store.SetCursor(ctx, to.Key(), store.Cursor{Seq: last, Tries: at.Tries})
	}
	if mine, err := o.Store.Lease(ctx, to.Key(), at, o.Now()+leaseFor); err != nil || !mine {
		return err
	}
	for i, n := range list {
		failure := o.tellOne(ctx, to, n)
		if ctx.Err() != nil {
			return nil
		}
		next := store.Cursor{Seq: n.Seq}
		if i+1 < len(list) {
			next.Due = o.Now() + leaseFor
		}
		if failure != nil && at.Tries+1 < attempts {
			next = store.Cursor{Seq: at.Seq, Tries: at.Tries + 1, Due: o.Now() + pauseAfter(failure, at.Tries)}
		}
		if err := o.Store.SetCursor(ctx, to.Key(), next); err != nil {
			return err
		}
		if at = next; failure != nil {
			return failure
		}
	}
	return nil
}

// Later is a failure after which the receiver wants to be left alone for a time.
type Later struct {
	Err   error
	After time.Duration
}

func (l *Later) Error() string { return l.Err.Error() }
func (l *Later) Unwrap() error { return l.Err }

// pauseAfter returns the time before the next attempt, in milliseconds: at least what the receiver
// wants, up to an hour.
func pauseAfter(failure error, tries int) int64 {
	var l *Later
	wait := int64(1000) << tries
	if errors.As(failure, &l) {
		wait = max(wait, min(l.After, time.Hour).Milliseconds())
	}
	return wait
}

func (o *Outbox) tellOne(ctx context.Context, to Receiver, n store.News) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(min(o.Patience, patience), patience))
	defer cancel()
	return to.Tell(ctx, n)
}

// sendRequest sends a request and returns the answer's body, cut to 64 KiB. It returns an error
// if the status of the answer is not a 2xx. It does not follow redirects, so a redirect is
// an error, too.
func sendRequest(t http.RoundTripper, r *http.Request) ([]byte, error) {
	a, err := t.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(io.LimitReader(a.Body, 64<<10))
	if a.StatusCode < 200 || a.StatusCode > 299 {
		return nil, fmt.Errorf("%s answered %d", r.URL.Host, a.StatusCode)
	}
	return body, err
}
