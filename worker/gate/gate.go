// Package gate serves the confirmation gate: the REST API, the pages on which people
// decide, webhooks and the audit. The pure machine in core/gate/machine decides what
// happens to a call. This package authenticates, loads records, calls the machine,
// carries out its conditional write, and answers. It runs natively on SQLite (package
// sqlite below). Because it uses no http.Client, no templates and no transactions, it
// also runs on the edge with D1.
//
// If an operation is not possible (the store is down, a clock went back, a policy does
// not parse), the answer is an error and nothing runs.
package gate

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/fatigue"
	"github.com/boundcheck/boundcheck/worker/gate/hub"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/rate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Options are the options of a Gate. Store, Keys and URL are required; the zero value
// of each other option is a good default.
type Options struct {
	Store  *store.Store
	Keys   []Key           // the keys at the start; only Gate.keys knows which of them still work
	Policy *machine.Policy // nil means machine.Default
	URL    string          // the address at which people open the page: https, or http on loopback
	Plain  bool            // URL may also be http on a private address, for trials in one's own network
	Secret []byte          // signs page sessions; if it is empty, a random one is used, and a restart ends all sessions

	Hooks      []notify.Hook
	Messengers []notify.Messenger // tell people what waits
	Traces     []notify.Traces    // where the traces of settled calls go
	Transport  http.RoundTripper  // for webhooks; nil sends none

	Limit   int     // bytes of a request body; 0 means 1 MiB
	Rate    float64 // requests a second for each key; 0 means 50, negative no limit
	Burst   int     // 0 means 20 times Rate
	Waiting int     // proposals of a tenant that may wait at one time; 0 means 10,000
	Pending int     // of these, proposals of one agent; 0 means 2,000. A key may have a quota of its own
	Waits   int     // requests of one key that may wait for a decision at one time; 0 means 1,500

	// Proxies holds the networks of the proxies that are trusted to report the address
	// of their client in AddressHeader. Without Proxies, the header is trusted from
	// everybody: set AddressHeader alone only if the platform sets the header. Without
	// AddressHeader, the connection's address counts.
	Proxies       []netip.Prefix
	AddressHeader string

	Poll   time.Duration // how often a waiting request reads the store; 0 means every second
	Stream time.Duration // after this time a stream of events ends and the client connects again; 0 means 30 minutes

	// Sleep waits for d or for the end of ctx. It is for hosts such as the edge, where
	// a request can only be woken by an event that it started itself, and not by a Go
	// timer. Nil means that requests wait with timers and wake at each change.
	Sleep func(ctx context.Context, d time.Duration)

	Describe func(doc map[string]any) // adds the server's further operations to the description; nil for none

	Provider Provider // identifies approvers who sign in without a key; nil for keys alone
	Front    Front    // identifies approvers by the token of a service in front of the gate; nil without one
	Passkeys Passkeys // lets approvers sign in with passkeys; nil without them

	Pushes Pushes // sends messages to approvers' browsers; nil for none

	Receipts *Receipts // signs a receipt for each call that is handed out; nil for none

	SignHead func(*store.SignedHead) // signs the end of an audit chain; nil leaves it unsigned

	Now    func() int64 // Unix milliseconds; nil means the clock
	Random io.Reader    // nil means crypto/rand
}

// Gate is the handler. Create it with New. Run does the background work natively; a
// host without a background calls Housekeep and Deliver.
type Gate struct {
	Options
	home   *url.URL
	limits rate.Limiter
	hub    hub.Hub
	meter  fatigue.Meter

	policy    atomic.Pointer[machine.Policy]
	rowKey    atomic.Pointer[[]byte] // see marksKey
	ring      keyring
	tokens    rate.Known // tokens whose sign-in the audit has
	receivers []notify.Receiver
	warnings  warnings
	healthy   lastHealth
	sweeping  atomic.Bool // Run polls for changes by other processes
	draining  chan struct{}
	drainOnce sync.Once
}

// Policy returns the policy that is in force. A caller that needs the same policy
// several times keeps the pointer.
func (g *Gate) Policy() *machine.Policy { return g.policy.Load() }

// SetPolicy replaces the policy. The new policy is used for new calls, and for claims of
// calls that were approved earlier.
func (g *Gate) SetPolicy(p *machine.Policy) { g.policy.Store(p) }

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

// New returns a Gate with these options. If the options are not valid, it returns an
// error. New reads nothing from the store.
func New(o Options) (*Gate, error) {
	if o.Store == nil || len(o.Keys) == 0 {
		return nil, errors.New("the gate needs a store and at least one key")
	}
	if err := checkKeys(o.Keys); err != nil {
		return nil, err
	}
	u, err := url.Parse(strings.TrimSuffix(o.URL, "/"))
	if err != nil || u.Host == "" || u.Path != "" || u.Scheme != "https" && !(u.Scheme == "http" && (origin.Loopback(u.Host) || o.Plain && origin.Private(u.Hostname()))) {
		return nil, fmt.Errorf("invalid url %q: want https://host, or http on loopback", o.URL)
	}
	o.fillDefaults()
	if len(o.Secret) == 0 {
		o.Secret = make([]byte, 32)
		if _, err := io.ReadFull(o.Random, o.Secret); err != nil {
			return nil, err
		}
	}
	if len(o.Secret) < 32 {
		return nil, fmt.Errorf("the secret has %d bytes; it must have at least 32 bytes", len(o.Secret))
	}
	g := &Gate{Options: o, home: u, draining: make(chan struct{})}
	g.policy.Store(o.Policy)
	g.ring.noted = o.Keys
	g.ring.setKeys(o.Keys)
	g.limits.Rate, g.limits.Burst = o.Rate, float64(o.Burst)
	if err := g.addReceivers(); err != nil {
		return nil, err
	}
	return g, nil
}

// addReceivers makes the receivers of the gate's news.
func (g *Gate) addReceivers() error {
	for _, h := range g.Hooks {
		r, err := notify.NewWebhook(h, g.Transport, g.Link, g.Now)
		if err != nil {
			return err
		}
		g.receivers = append(g.receivers, r)
	}
	for _, t := range g.Traces {
		g.receivers = append(g.receivers, notify.NewTraces(t, g.Store, g.Transport))
	}
	for _, m := range g.Messengers {
		g.receivers = append(g.receivers, notify.NewPeople(m, g.Store, g.Link, g.onceLink, g.Now))
	}
	return nil
}

func (o *Options) fillDefaults() {
	if o.Policy == nil {
		o.Policy = machine.Default()
	}
	if o.Limit == 0 {
		o.Limit = 1 << 20
	}
	if o.Rate == 0 {
		o.Rate = 50
	}
	if o.Burst == 0 {
		o.Burst = max(1, int(20*o.Rate))
	}
	if o.Waiting == 0 {
		o.Waiting = 10_000
	}
	if o.Pending == 0 {
		o.Pending = 2000
	}
	if o.Waits == 0 {
		o.Waits = 1500
	}
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	if o.Stream == 0 {
		o.Stream = 30 * time.Minute
	}
	if o.Now == nil {
		o.Now = func() int64 { return time.Now().UnixMilli() }
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
}

// Fresh returns a new id, which consists of the prefix and 128 random bits.
func (g *Gate) Fresh(prefix string) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(g.Random, b[:]); err != nil {
		return "", err
	}
	return prefix + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:])), nil
}

// newNonce returns 256 random bits in hexadecimal digits.
func (g *Gate) newNonce() (string, error) {
	var b [32]byte
	_, err := io.ReadFull(g.Random, b[:])
	return hex.EncodeToString(b[:]), err
}

// tries is the number of attempts for a write that other writers keep overtaking.
const tries = 16

// errBusy means that the record was changed by others at each attempt.
var errBusy = errors.New("the proposal was changed too often in the meantime; try again")

// Apply applies one event to one record and stores the change that machine.Step returns.
// If another process has changed the record in the meantime, Apply starts again. A
// refusal by the machine is in the Answer and is not an error. After an error from the
// store, the change may or may not be stored, but never in part.
func (g *Gate) Apply(ctx context.Context, tenant, id string, e machine.Event) (machine.Record, machine.Answer, error) {
	for range tries {
		r, err := g.Store.Load(ctx, tenant, id)
		if err == nil && e.By.Role == machine.Agent && !mayRead(e.By, &r) {
			err = store.ErrNone // an agent sees only its own records
		}
		if err != nil {
			return r, machine.Answer{}, err
		}
		if e.Kind == machine.Claim && r.State == machine.Approved {
			if e.Frozen, err = g.Frozen(ctx, machine.Principal{Tenant: tenant, Name: r.Principal}); err != nil {
				return r, machine.Answer{}, err
			}
			if err := g.handOut(ctx, &r, &e, g.Now()); err != nil {
				return r, machine.Answer{}, err
			}
		}
		if err := cmp.Or(g.setDelegation(ctx, &e), g.setRan(ctx, &r, &e)); err != nil {
			return r, machine.Answer{}, err
		}
		if e.Kind == machine.Report && e.Status == machine.Executed && g.Policy().Counts() {
			key, err := g.marksKey(ctx)
			if err != nil {
				return r, machine.Answer{}, err
			}
			e.Marks = g.Policy().Results(&r, cmp.Or(e.Result, e.Text), key)
		}
		batch, at := []machine.Record{r}, 0
		if r.Batch != "" && r.Replaced == "" {
			if batch, err = g.Store.Batch(ctx, tenant, r.Batch); err != nil {
				return r, machine.Answer{}, err
			}
			if at = r.Index; at >= len(batch) || len(batch) != r.Size || batch[at].ID != id {
				return r, machine.Answer{}, fmt.Errorf("the stored batch of proposal %s is incomplete", id)
			}
		}
		c := machine.Step(batch, at, e, g.Now())
		done := c.Write == nil
		if !done {
			if done, err = g.Store.Update(ctx, c); err != nil {
				return r, machine.Answer{}, err
			}
			if done {
				g.meter.Settled(&r, &c.Record, g.Now())
				g.hub.Wake(c.Record)
			}
		}
		if !done {
			continue
		}
		if c.Note != nil {
			if err := g.Store.Note(ctx, *c.Note); err != nil {
				return r, machine.Answer{}, err
			}
		}
		return c.Record, c.Answer, nil
	}
	store.Blame(ctx, errBusy)
	return machine.Record{}, machine.Answer{}, errBusy
}

// loadCurrent returns a record in its current state. If the time Record.Due has passed,
// loadCurrent first stores the change that is due.
func (g *Gate) loadCurrent(ctx context.Context, tenant, id string) (machine.Record, error) {
	r, err := g.Store.Load(ctx, tenant, id)
	if due := r.Due(); err != nil || due == 0 || g.Now() < due {
		return r, err
	}
	r, _, err = g.Apply(ctx, tenant, id, machine.Event{Kind: machine.Tick})
	return r, err
}

// currentBatch returns all records of a batch in their current state.
func (g *Gate) currentBatch(ctx context.Context, tenant, id string) ([]machine.Record, error) {
	batch, err := g.Store.Batch(ctx, tenant, id)
	for i := range batch {
		if due := batch[i].Due(); err == nil && due != 0 && g.Now() >= due {
			batch[i], err = g.loadCurrent(ctx, tenant, batch[i].ID)
		}
	}
	return batch, err
}
