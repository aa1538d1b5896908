//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/d1"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// openCounted opens a store. The second result counts the statements that the store
// carries out.
func openCounted(t testing.TB) (*store.Store, *atomic.Int64) {
	t.Helper()
	_, file := open(t)
	var n atomic.Int64
	send := sendLikeD1(openRaw(t, file))
	db := d1.Open(func(ctx context.Context, query, params string) (string, error) {
		n.Add(1)
		return send(ctx, query, params)
	})
	t.Cleanup(func() { db.Close() })
	return store.NewStore(db, db), &n
}

// startPolls starts requests that wait for decisions on the proposals with the given ids.
// The parameter each is the number of requests for each id. The returned function waits
// until all requests have ended.
func (s *service) startPolls(ids []string, each int) (stop func()) {
	var wait sync.WaitGroup
	for _, id := range ids {
		for range each {
			wait.Go(func() { s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "") })
		}
	}
	return wait.Wait
}

// waitUntilQuiet waits until the counter n has not changed for a second. All started
// requests are then waiting.
func waitUntilQuiet(n *atomic.Int64) {
	for quiet, last := 0, int64(-1); quiet < 10; quiet++ {
		if now := n.Load(); now != last {
			quiet, last = 0, now
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestWakeByID checks that a change does not wake the requests that wait for other
// proposals.
func TestWakeByID(t *testing.T) {
	store, n := openCounted(t)
	s := newTestService(t, `{"cooldown":"none"}`, func(o *gate.Options) { o.Store, o.Poll = store, time.Minute })
	var ids []string
	for range 100 {
		id, _ := s.proposeHeld("cancel_order", `{}`)
		ids = append(ids, id)
	}
	wait := s.startPolls(ids, 1)
	waitUntilQuiet(n)
	before := n.Load()
	for range 20 {
		id, digest := s.proposeHeld("cancel_order", `{"other":true}`)
		s.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200)
	}
	if got := n.Load() - before; got > 20*10 {
		t.Errorf("%d statements for 40 changes beside 100 requests that wait for something else", got)
	}
	s.gate.Drain()
	wait()
}

// TestShareLoad checks that requests that wait for the same proposal share one load of
// it.
func TestShareLoad(t *testing.T) {
	store, n := openCounted(t)
	s := newTestService(t, "", func(o *gate.Options) { o.Store, o.Poll = store, time.Minute })
	id, digest := s.proposeHeld("cancel_order", `{}`)
	wait := s.startPolls([]string{id}, 100)
	waitUntilQuiet(n)
	before := n.Load()
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	wait()
	if got := n.Load() - before; got > 10 {
		t.Errorf("%d statements for one decision that 100 requests waited for", got)
	}
}

// TestStreamsShareLoad checks that the streams of a tenant share their reads of the store
// on a host with Options.Sleep. Each stream must still learn of changes by this process
// and by other processes.
func TestStreamsShareLoad(t *testing.T) {
	store, n := openCounted(t)
	var s *service
	var rounds atomic.Int64
	s = newTestService(t, `{"cooldown":"none"}`, func(o *gate.Options) {
		o.Store, o.Poll, o.Stream = store, 400*time.Millisecond, 4*time.Second
		o.Sleep = func(ctx context.Context, d time.Duration) {
			rounds.Add(1)
			select {
			case <-time.After(d):
			case <-ctx.Done():
			}
		}
	})
	keys, err := gate.ReadKeys(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	second, err := gate.New(gate.Options{Store: store, Keys: keys, URL: s.url, Now: s.now.Load})
	if err != nil {
		t.Fatal(err)
	}
	const streams = 50
	told := make(chan string, streams)
	for range streams {
		go func() { told <- s.callAPI("GET", "/v1/events", aliceKey, "").text }()
	}
	for rounds.Load() < streams {
		time.Sleep(time.Millisecond)
	}
	before, begun := n.Load(), rounds.Load()
	here, _ := s.proposeHeld("cancel_order", `{"here":true}`)
	other := &service{t: t, gate: second, seen: map[string]bool{}}
	var there struct{ ID string }
	text := other.sendDirect("POST", "/v1/proposals", agentKey, `{"tool":"cancel_order","arguments":{"there":true}}`, 202)
	if err := json.Unmarshal([]byte(text), &there); err != nil {
		t.Fatal(err)
	}
	for range streams {
		text := <-told
		if !strings.Contains(text, here) || !strings.Contains(text, there.ID) {
			t.Fatalf("a stream was not told of %s and %v:\n%s", here, there.ID, text)
		}
	}
	statements, all := n.Load()-before, rounds.Load()-begun
	t.Logf("%d statements, %d rounds", statements, all)
	if statements > all/4 {
		t.Errorf("%d statements in %d rounds of %d streams", statements, all, streams)
	}
}

// TestWaitsCapped checks that the waiting requests of a key are limited.
func TestWaitsCapped(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Waits = 3 })
	id, digest := s.proposeHeld("cancel_order", `{}`)
	wait := s.startPolls([]string{id}, 3)
	time.Sleep(200 * time.Millisecond)
	a := s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "").assertStatus(t, 429, "3 requests of this key are already waiting")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	wait()
	other, _ := s.proposeHeld("cancel_order", `{}`)
	s.callAPI("GET", "/v1/proposals/"+other+"?wait=1", agentKey, "").assertStatus(t, 200)
}

// TestWaitSeesOthers checks that a waiting request is answered after a decision in
// another process. This must work with and without the background work.
func TestWaitSeesOthers(t *testing.T) {
	for name, background := range map[string]bool{"polling": false, "sweeping": true} {
		s := newTestService(t, "", func(o *gate.Options) { o.Poll = 50 * time.Millisecond })
		if background {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan bool)
			go func() { s.gate.Run(ctx, nil); close(ended) }()
			defer func() { stop(); <-ended }()
		}
		id, digest := s.proposeHeld("cancel_order", `{}`)
		begun := time.Now()
		got := make(chan answer)
		go func() { got <- s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "") }()
		time.Sleep(200 * time.Millisecond)
		keys, _ := gate.ReadKeys(keyFile)
		other, err := gate.New(gate.Options{Store: s.store, Keys: keys, URL: s.url, Now: s.now.Load})
		if err != nil {
			t.Fatal(err)
		}
		second := &service{t: t, gate: other, seen: map[string]bool{}}
		second.sendDirect("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"digest":"`+digest+`"}`, 200)
		(<-got).assertStatus(t, 200, `"state":"approved"`)
		if d := time.Since(begun); d > 30*time.Second {
			t.Errorf("%s: told after %v", name, d)
		}
	}
}

// TestDrain checks that a server that shuts down answers waiting requests with the
// current state.
func TestDrain(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_order", `{}`)
	got := make(chan answer)
	go func() { got <- s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "") }()
	time.Sleep(100 * time.Millisecond)
	s.gate.Drain()
	(<-got).assertStatus(t, 200, `"state":"pending"`)
}

// TestAgentsApart checks that an agent can see, claim and cancel only its own proposals.
// For a proposal of another agent the answer is 404.
func TestAgentsApart(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{"secret":1}`)
	batch := s.sendProposal(`[{"tool":"refund","arguments":{"secret":2}},{"tool":"refund","arguments":{"secret":3}}]`).assertStatus(t, 202).textField("id")
	for _, path := range []string{id, batch, id + "?wait=1"} {
		s.callAPI("GET", "/v1/proposals/"+path, otherKey, "").assertStatus(t, 404)
		s.callAPI("GET", "/v1/proposals/"+path, aliceKey, "").assertStatus(t, 200)
	}
	if text := s.callAPI("GET", "/v1/proposals", otherKey, "").assertStatus(t, 200).text; strings.Contains(text, "secret") {
		t.Errorf("another agent's calls are listed: %s", text)
	}
	if text := s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 200).text; strings.Count(text, "secret") < 3 {
		t.Errorf("its own calls are not listed: %s", text)
	}
	s.callAPI("GET", "/v1/proposals?digest="+digest, otherKey, "").assertStatus(t, 200, `"pending":[]`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	for _, end := range []string{"/claim", "/outcome", "/cancel"} {
		body := map[string]string{"/outcome": `{"grant":"x","status":"executed"}`}[end]
		s.callAPI("POST", "/v1/proposals/"+id+end, otherKey, body).assertStatus(t, 404)
	}
	s.sendClaim(id).assertStatus(t, 200)
}
