package gate

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Hook is a URL that receives the events of a tenant's proposals, in order and at least
// once, as Standard Webhooks.
type Hook struct {
	Tenant  string
	URL     string   // https, or http on loopback; redirects are not followed
	Secrets []string // "whsec_" and base64; several during a change of secrets
}

func (h *Hook) checkSettings() error {
	u, err := url.Parse(h.URL)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && Loopback(u.Host)) {
		return fmt.Errorf("invalid webhook %q: want https://host/path, or http on loopback", h.URL)
	}
	if h.Tenant == "" || len(h.Secrets) == 0 {
		return fmt.Errorf("invalid webhook %s: want a tenant and a secret", u.Host)
	}
	for _, s := range h.Secrets {
		if b, err := secretBytes(s); err != nil || len(b) < 24 {
			return fmt.Errorf(`the secret of webhook %s must be "whsec_" and at least 24 bytes in base64`, u.Host)
		}
	}
	return nil
}

func secretBytes(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
}

// progressKey returns the key under which the store has the hook's progress. A hook with
// another URL or tenant has another key, so it starts as a new hook.
func (h *Hook) progressKey() string { return machine.TextHash(h.Tenant + "\n" + h.URL) }

// signWebhook returns the value of the header webhook-signature. The value has one
// signature of id, timestamp and body for each secret. Each signature has the prefix
// "v1,".
func signWebhook(secrets []string, id string, seconds int64, body []byte) (string, error) {
	var all []string
	for _, s := range secrets {
		key, err := secretBytes(s)
		if err != nil {
			return "", err
		}
		m := hmac.New(sha256.New, key)
		fmt.Fprintf(m, "%s.%d.", id, seconds)
		m.Write(body)
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(m.Sum(nil)))
	}
	return strings.Join(all, " "), nil
}

// payload is a webhook's body.
type payload struct {
	Type      string `json:"type"` // proposal.STATE, or audit.EVENT
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// told is the part of an audit entry that a webhook reports: no arguments, no reasons.
type told struct {
	ID     string        `json:"id,omitempty"`
	Batch  string        `json:"batch,omitempty"`
	State  machine.State `json:"state,omitempty"`
	Tool   string        `json:"tool,omitempty"`
	Digest string        `json:"digest,omitempty"`
	URL    string        `json:"url,omitempty"`
	By     string        `json:"by,omitempty"`
}

// attempts is the number of failures after which a message is dropped. The waiting time
// between attempts doubles from a second to a little over an hour.
const attempts = 14

// leaseFor is the time in milliseconds for which a deliverer has a hook to itself. It
// is longer than the delivery of one message.
const leaseFor = 3 * int64(patience/time.Millisecond)

// deliverTo sends at most 50 new events to one hook. It stops when an attempt fails. The
// hook's progress is in the store, so it survives a restart.
func (g *Gate) deliverTo(ctx context.Context, h *Hook) error {
	if g.Transport == nil {
		return nil
	}
	at, err := g.Store.Cursor(ctx, h.progressKey())
	if err != nil || g.Now() < at.Due {
		return err
	}
	list, last, err := g.Store.After(ctx, h.Tenant, at.Seq, 50)
	if err != nil || last == 0 {
		return err
	}
	if len(list) == 0 { // only calls that nobody waits for
		return g.Store.SetCursor(ctx, h.progressKey(), store.Cursor{Seq: last, Tries: at.Tries})
	}
	if mine, err := g.Store.Lease(ctx, h.progressKey(), at, g.Now()+leaseFor); err != nil || !mine {
		return err
	}
	for i, n := range list {
		failure := g.postEvent(ctx, h, n)
		if ctx.Err() != nil {
			return nil
		}
		next := store.Cursor{Seq: n.Seq}
		if i+1 < len(list) {
			next.Due = g.Now() + leaseFor
		}
		if failure != nil && at.Tries+1 < attempts {
			next = store.Cursor{Seq: at.Seq, Tries: at.Tries + 1, Due: g.Now() + int64(1000)<<at.Tries}
		}
		if err := g.Store.SetCursor(ctx, h.progressKey(), next); err != nil {
			return err
		}
		if at = next; failure != nil {
			return fmt.Errorf("webhook: %w", failure)
		}
	}
	return nil
}

// Deliver sends each webhook the messages that it has not received yet. Hosts such as a
// Cloudflare Worker call Deliver regularly instead of Run.
func (g *Gate) Deliver(ctx context.Context) error {
	var all []error
	for i := range g.Hooks {
		all = append(all, g.deliverTo(ctx, &g.Hooks[i]))
	}
	return errors.Join(all...)
}

func (g *Gate) postEvent(ctx context.Context, h *Hook, n store.News) error {
	e := &n.Entry
	p := payload{Type: "proposal." + string(e.To), Timestamp: store.Instant(e.At), Data: told{e.ID, e.Batch, e.To, e.Tool, e.Digest, "", e.By}}
	if e.ID == "" || e.From == e.To {
		p.Type = "audit." + e.Event
	} else {
		p.Data = told{e.ID, e.Batch, e.To, e.Tool, e.Digest, g.Link(e.ID), e.By}
	}
	body := wire.Marshal(p)
	id := "msg_" + strings.TrimPrefix(machine.TextHash(h.progressKey()+strconv.FormatInt(n.Seq, 10)+n.Text), "sha256:")[:32]
	seconds := g.Now() / 1000
	signature, err := signWebhook(h.Secrets, id, seconds, body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", h.URL, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(seconds, 10))
	r.Header.Set("webhook-signature", signature)
	return roundTrip(g.Transport, r)
}

// roundTrip sends a request. It returns an error if the status of the answer is not a
// 2xx. It does not follow redirects, so a redirect is an error, too.
func roundTrip(t http.RoundTripper, r *http.Request) error {
	a, err := t.RoundTrip(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	io.Copy(io.Discard, io.LimitReader(a.Body, 64<<10))
	if a.StatusCode < 200 || a.StatusCode > 299 {
		return fmt.Errorf("%s answered %d", r.URL.Host, a.StatusCode)
	}
	return nil
}
