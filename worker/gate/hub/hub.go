// Package hub wakes the requests of one process that wait for a change of a proposal.
package hub

import (
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Hub wakes requests that wait for a change: of a proposal or batch, of a tenant, or of
// anything. Its zero value is ready. A process with its own way to wait (Options.Sleep)
// does not use it.
type Hub struct {
	mu      sync.Mutex
	changed chan struct{}     // closes at the next change of anything
	topics  map[string]*topic // only topics that somebody waits for
	waits   map[string]int    // number of waiting requests of each key
}

// topic is a proposal, a batch or a tenant that requests wait for. What one request loads
// is used by all of them until the next change.
type topic struct {
	waiters map[*Waiter]bool
	version uint64
	last    *flight
	recent  recentLoad
	seen    string // the mark that the last sweep read
}

// recentLoad is the result of a topic's newest finished load, on a host where a request
// cannot wait for the load of another one.
type recentLoad struct {
	value   any
	loaded  time.Time // when the load of value began; zero if there is none
	begun   time.Time // when the newest load began, finished or not
	version uint64    // the topic's version at that time
}

// flight is one load of a topic, running or finished.
type flight struct {
	version uint64
	done    chan struct{}
	value   any
	err     error
}

// Waiter is one request that waits for any of its topics. A signal that comes before
// the request waits is not lost.
type Waiter struct {
	Keys   []string
	Signal chan struct{}
}

// Topic returns the name of the topic for a proposal or a batch. If id is "", it is the
// topic for everything in the tenant.
func Topic(tenant, id string) string { return tenant + "\n" + id }

// Next returns a channel that is closed at the next change of anything. Call
// Next before you read the store, so that you do not miss a change right after the
// reading.
func (h *Hub) Next() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	return h.changed
}

// Wake signals the requests that wait for one of the records, for its batch or
// tenant, or for any change.
func (h *Hub) Wake(records ...machine.Record) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
	for i := range records {
		r := &records[i]
		h.touchTopic(Topic(r.Tenant, r.ID))
		h.touchTopic(Topic(r.Tenant, ""))
		if r.Batch != "" {
			h.touchTopic(Topic(r.Tenant, r.Batch))
		}
	}
}

// Renew makes the next load of a topic read the store again, and wakes the requests
// that wait for the topic. It does nothing if the topic no longer has the given version,
// because then it was renewed already.
func (h *Hub) Renew(key string, version uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[key]; t != nil && t.version == version {
		h.touchTopic(key)
	}
}

func (h *Hub) touchTopic(key string) {
	t := h.topics[key]
	if t == nil {
		return
	}
	t.version++
	for w := range t.waiters {
		select {
		case w.Signal <- struct{}{}:
		default:
		}
	}
}

// Watch registers a request that will wait for the topics with these keys. When the
// request no longer waits, the caller must pass the result to the method Leave.
func (h *Hub) Watch(keys ...string) *Waiter {
	w := &Waiter{keys, make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics == nil {
		h.topics = map[string]*topic{}
	}
	for _, key := range keys {
		t := h.topics[key]
		if t == nil {
			t = &topic{waiters: map[*Waiter]bool{}}
			h.topics[key] = t
		}
		t.waiters[w] = true
	}
	return w
}

func (h *Hub) Leave(w *Waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range w.Keys {
		if t := h.topics[key]; t != nil {
			if delete(t.waiters, w); len(t.waiters) == 0 {
				delete(h.topics, key)
			}
		}
	}
}

// Load returns a result of fn for the topic with this key. If share is true, all
// requests that wait for the topic share one call of fn after each change. The second
// result is the topic's version when fn was called, or 0 if the call was not shared.
func (h *Hub) Load(key string, share bool, fn func() (any, error)) (any, uint64, error) {
	h.mu.Lock()
	t := h.topics[key]
	if t == nil || !share {
		h.mu.Unlock()
		value, err := fn()
		return value, 0, err
	}
	if f := t.last; f != nil && f.version == t.version {
		h.mu.Unlock()
		<-f.done
		return f.value, f.version, f.err
	}
	f := &flight{version: t.version, done: make(chan struct{})}
	t.last = f
	h.mu.Unlock()
	defer close(f.done)
	if f.value, f.err = fn(); f.err != nil {
		h.mu.Lock()
		if t.last == f {
			t.last = nil
		}
		h.mu.Unlock()
	}
	return f.value, f.version, f.err
}

// LoadRecent returns a result of fn for a watched topic. It returns the newest result
// again if that call of fn began less than the time age ago and the topic has not changed
// since. Otherwise it calls fn. It is for hosts with Options.Sleep, where requests cannot
// wait for one another.
func (h *Hub) LoadRecent(key string, age time.Duration, fn func() (any, error)) (any, error) {
	now := time.Now()
	h.mu.Lock()
	t := h.topics[key]
	if t == nil {
		h.mu.Unlock()
		return fn()
	}
	r := &t.recent
	if !r.loaded.IsZero() && r.version == t.version && now.Sub(r.begun) < age {
		defer h.mu.Unlock()
		return r.value, nil
	}
	r.begun, r.version = now, t.version
	h.mu.Unlock()
	value, err := fn()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && !now.Before(r.loaded) {
		r.value, r.loaded = value, now
	}
	return value, err
}

// Enter counts another waiting request of a key. It returns false if the key already
// has as many waiting requests as limit allows.
func (h *Hub) Enter(key string, limit int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waits == nil {
		h.waits = map[string]int{}
	}
	if h.waits[key] >= limit {
		return false
	}
	h.waits[key]++
	return true
}

// Exit subtracts one from the number of waiting requests of a key. It does nothing if
// the key is "".
func (h *Hub) Exit(key string) {
	if key == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waits[key]--; h.waits[key] <= 0 {
		delete(h.waits, key)
	}
}

// Watched returns the topics for which requests wait, without the topics for whole
// tenants.
func (h *Hub) Watched() (keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key := range h.topics {
		if key[len(key)-1] != '\n' {
			keys = append(keys, key)
		}
	}
	return keys
}

// Mark stores the mark (see Store.Revisions) of the data that a request has loaded.
// If the topic already has a mark, Mark does nothing.
func (h *Hub) Mark(key, mark string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[key]; t != nil && t.seen == "" {
		t.seen = mark
	}
}

// Compare replaces the stored marks of topics by the marks in the map now. If the
// mark of a topic has changed, Compare wakes the requests that wait for the topic.
// Topics for which no request waits are ignored.
func (h *Hub) Compare(now map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, seen := range now {
		t := h.topics[key]
		if t == nil {
			continue
		}
		if t.seen != seen { // also at the first comparison, if no request has recorded a mark
			h.touchTopic(key)
		}
		t.seen = seen
	}
}
