package gate

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// This file holds one law: a key that was removed works nowhere. When ReloadKeys returns,
// no new request with the key is admitted, no page session that was started with it is
// valid, and every request with it that still waits or streams has been told to end. What an
// approver began with the key has ended for good, also if the key is added again: see endKeys.
//
// A removal never waits for the store, but an addition does: a new key works only after
// the audit says so.

// keyring holds the keys that work now.
type keyring struct {
	all atomic.Pointer[[]*liveKey]

	mu    sync.Mutex // held by each change
	noted []Key      // the keys that the audit knows of
}

// liveKey is a key that works, with a context that ends when the key is removed.
type liveKey struct {
	Key
	life context.Context
	end  context.CancelCauseFunc
}

// errKeyRemoved is the cause with which the contexts of a removed key's requests end.
var errKeyRemoved = errors.New("the key was removed")

// keys returns the keys that work now.
func (g *Gate) keys() []*liveKey { return *g.ring.all.Load() }

// setKeys makes exactly these keys work. Keys that worked before and have the same
// principal keep their requests. The requests of all others end.
func (r *keyring) setKeys(keys []Key) {
	old := map[Key]*liveKey{}
	if before := r.all.Load(); before != nil {
		for _, k := range *before {
			old[k.identity()] = k
		}
	}
	all := make([]*liveKey, len(keys))
	for i, k := range keys {
		all[i] = &liveKey{Key: k}
		if same := old[k.identity()]; same != nil {
			all[i].life, all[i].end = same.life, same.end
			delete(old, k.identity())
			continue
		}
		all[i].life, all[i].end = context.WithCancelCause(context.Background())
	}
	r.all.Store(&all)
	for _, k := range old {
		k.end(errKeyRemoved)
	}
}

// identity returns the key without its limits, whose change ends nothing.
func (k *Key) identity() Key { return Key{Principal: k.Principal, Hash: k.Hash, Claim: k.Claim} }

// mark returns a text that names a key without revealing it: the first 16 digits of its
// hash, as in the key file.
func (k *Key) mark() string { return hex.EncodeToString(k.Hash[:8]) }

// describe names a key for the log and the audit.
func (k *Key) describe() string {
	if k.Claim != "" {
		return fmt.Sprintf("%s %s (%s%s)", k.Role, k.Name, claimPrefix, k.Claim)
	}
	return fmt.Sprintf("%s %s (sha256:%s…)", k.Role, k.Name, k.mark())
}

// KeyChanges is the difference between two sets of keys, as texts by tenant. A text names
// the keys that were added, removed, or got other limits.
type KeyChanges map[string]string

// compareKeys returns the changes from one set of keys to another.
func compareKeys(from, to []Key) KeyChanges {
	before, after := map[Key]Key{}, map[Key]Key{}
	for _, k := range from {
		before[k.identity()] = k
	}
	for _, k := range to {
		after[k.identity()] = k
	}
	parts := map[string][]string{}
	for _, k := range from {
		if _, stays := after[k.identity()]; !stays {
			parts[k.Tenant] = append(parts[k.Tenant], "removed "+k.describe())
		}
	}
	for _, k := range to {
		switch old, known := before[k.identity()]; {
		case !known:
			parts[k.Tenant] = append(parts[k.Tenant], "added "+k.describe())
		case old != k:
			parts[k.Tenant] = append(parts[k.Tenant], "new limits for "+k.describe())
		}
	}
	out := KeyChanges{}
	for tenant, all := range parts {
		out[tenant] = strings.Join(all, ", ")
	}
	return out
}

// withoutNew returns the keys that are in both sets.
func withoutNew(from, to []Key) (both []Key) {
	known := map[Key]bool{}
	for _, k := range from {
		known[k.identity()] = true
	}
	for _, k := range to {
		if known[k.identity()] {
			both = append(both, k)
		}
	}
	return both
}

// ReloadKeys replaces the keys. Keys that are not in the list stop working at once: their
// sessions are invalid, and their waiting requests end. Then it writes an audit entry
// about the change for each tenant, and after that the new keys work. If the audit cannot
// be written, the new keys do not work yet, and the caller must call ReloadKeys again.
//
// After an error of checkKeys, all keys stay as they are.
func (g *Gate) ReloadKeys(ctx context.Context, keys []Key) (KeyChanges, error) {
	if len(keys) == 0 {
		return nil, errors.New("the gate needs at least one key")
	}
	if err := checkKeys(keys); err != nil {
		return nil, err
	}
	r := &g.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	changes := compareKeys(r.noted, keys)
	if len(changes) == 0 {
		r.setKeys(keys)
		return nil, nil
	}
	r.setKeys(withoutNew(r.noted, keys))
	if err := g.endKeys(ctx, removedKeys(r.noted, keys)); err != nil {
		return nil, err
	}
	var entries []machine.Entry
	for tenant, text := range changes {
		entries = append(entries, machine.Entry{Version: 1, Tenant: tenant, Event: "keys", At: g.Now(), Text: text})
	}
	if err := g.Store.Note(ctx, entries...); err != nil {
		return nil, err
	}
	r.noted = keys
	r.setKeys(keys)
	g.hub.Wake()
	return changes, nil
}

// findKey returns the key with this text, or nil. Its duration does not tell which key
// matches, because it compares the text with all keys.
func (g *Gate) findKey(text string) *liveKey {
	hash := sha256.Sum256([]byte(text))
	var found *liveKey
	for _, k := range g.keys() {
		if subtle.ConstantTimeCompare(hash[:], k.Hash[:]) == 1 && k.Claim == "" {
			found = k
		}
	}
	if text == "" {
		return nil
	}
	return found
}

// bearerKey returns the key in a request's header "Authorization: Bearer KEY", or nil. It
// also returns the request with a context that ends when the key is removed.
func (g *Gate) bearerKey(r *http.Request) (*liveKey, *http.Request) {
	text, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	k := g.findKey(strings.TrimSpace(text))
	if !bearer || k == nil {
		return nil, r
	}
	return k, k.bindRequest(r)
}

// lifeOf is the key of a context's value: the context that ends with the key of a request.
type lifeOf struct{}

// bindRequest returns the request with a context that ends when the key is removed.
func (k *liveKey) bindRequest(r *http.Request) *http.Request {
	ctx, cancel := context.WithCancelCause(context.WithValue(r.Context(), lifeOf{}, k.life))
	stop := context.AfterFunc(k.life, func() { cancel(errKeyRemoved) })
	context.AfterFunc(r.Context(), func() { stop() })
	return r.WithContext(ctx)
}

// OnRemoval calls a function once, when the key of an admitted request is removed, also after
// the request. The context must come from Admit. The caller must call stop when the function is
// no longer needed.
func OnRemoval(ctx context.Context, end func()) (stop func() bool) {
	life, ok := ctx.Value(lifeOf{}).(context.Context)
	if !ok {
		return func() bool { return false }
	}
	return context.AfterFunc(life, end)
}

const keyRemoved = "this key was removed while the request waited; nothing was allowed"

// KeyRemoved returns the refusal for a request whose key was removed while it waited, or
// nil. The context must come from Admit.
func KeyRemoved(ctx context.Context) *Refusal {
	if !errors.Is(context.Cause(ctx), errKeyRemoved) {
		return nil
	}
	return &Refusal{Status: 401, Code: CodeUnauthorized, Message: keyRemoved}
}

// keyOf returns the key of a principal. It returns nil if the principal no longer has a
// key.
func (g *Gate) keyOf(who machine.Principal) *Key {
	for _, k := range g.keys() {
		if k.Principal == who {
			return &k.Key
		}
	}
	return nil
}

// findApprover returns the key of an approver that has this mark, or nil. If mark is "",
// it returns the approver's first key.
func (g *Gate) findApprover(tenant, name, mark string) *Key {
	for _, k := range g.keys() {
		if k.Role == machine.Approver && k.Tenant == tenant && k.Name == name && (mark == "" || subtle.ConstantTimeCompare([]byte(mark), []byte(k.mark())) == 1) {
			return &k.Key
		}
	}
	return nil
}
