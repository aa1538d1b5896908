//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/internal/pgserver"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// secondGate returns another gate on the database of s, with connections of its own.
func (s *service) secondGate() *gate.Gate {
	s.t.Helper()
	keys, _ := gate.ReadKeys(keyFile)
	g, err := gate.New(gate.Options{Store: openAgain(s.t, s.file), Keys: keys, Policy: s.gate.Policy(), URL: s.url, Now: s.now.Load, Rate: -1, Secret: s.gate.Secret})
	if err != nil {
		s.t.Fatal(err)
	}
	return g
}

// askGate sends a request to a gate.
func askGate(g *gate.Gate, method, path, key, body string) (a answer) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	a.status, a.text = w.Code, w.Body.String()
	json.Unmarshal(w.Body.Bytes(), &a.body)
	return a
}

// assertAudited fails the test if the audit of the database has a fault.
func (s *service) assertAudited() {
	s.t.Helper()
	if err := s.gate.Housekeep(context.Background()); err != nil {
		s.t.Fatal(err)
	}
	checked, err := s.store.VerifyStore(context.Background(), store.Known{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range checked {
		if len(c.Faults) > 0 {
			s.t.Errorf("%s: %q", c.Tenant, c.Faults)
		}
	}
}

// TestTwoGatesClaim claims each of some approved calls many times at once, at two gates with
// one PostgreSQL database. Exactly one claim of each succeeds. With BOUNDCHECK_LONG=1, it
// claims a thousand calls a thousand times each.
func TestTwoGatesClaim(t *testing.T) {
	usePostgres(t)
	s := newTestService(t, "")
	gates := [...]*gate.Gate{s.gate, s.secondGate()}
	calls, claims := 4, 250
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		calls, claims = 1000, 1000
	}
	var won [2]atomic.Int64
	for n := range calls {
		id, digest := s.proposeHeld("refund", fmt.Sprintf(`{"n":%d}`, n/2)) // half of them are equal to an earlier one
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		got := raceCalls(claims, func(i int) int {
			status := untilAnswered(func() int { // so many at once may be too many for the database
				return askGate(gates[(i+n)%2], "POST", "/v1/proposals/"+id+"/claim", agentKey, "").status
			})
			if status == 200 {
				won[(i+n)%2].Add(1)
			}
			return status
		})
		if got[200] != 1 || got[409] != claims-1 {
			t.Fatalf("%v", got)
		}
		if n%25 == 24 {
			t.Logf("%d of %d calls", n+1, calls)
		}
	}
	t.Logf("%d calls, claimed %d times each: %d claims succeeded at the first gate, %d at the second", calls, claims, won[0].Load(), won[1].Load())
	s.assertAudited()
}

// TestTwoGatesCount claims pairs of different calls, of which a rule allows one, at two gates
// at the same moment. Exactly one of each pair is handed out: neither gate counts before the
// other one has written. The address asks for another level of isolation, which would hide
// the other's rows.
func TestTwoGatesCount(t *testing.T) {
	usePostgres(t)
	before := open
	open = func(t testing.TB) (*store.Store, string) {
		address := pgserver.Shared(t).Address(t) + "&default_transaction_isolation=repeatable%20read"
		return openAgain(t, address), address
	}
	defer func() { open = before }()
	s := newTestService(t, fmt.Sprintf(freeRefunds, `{"n":1,"per":"1h","by":["id"]}`))
	gates := [...]*gate.Gate{s.gate, s.secondGate()}
	pairs := drawn.Cases(100)
	var calls []string
	for i := range 2 * pairs {
		calls = append(calls, fmt.Sprintf(`refund {"id":%d,"amount":%d}`, i/2, i))
	}
	records := storeApproved(t, s, calls)
	var won [2]int
	for i := range pairs {
		var codes [2]machine.Code
		var wait sync.WaitGroup
		for _, k := range [...]int{i % 2, 1 - i%2} { // on a busy machine, one place always wins
			wait.Go(func() {
				_, a, err := gates[k].Apply(context.Background(), "t", records[2*i+k].ID, machine.Event{Kind: machine.Claim, By: bot, Nonce: strings.Repeat("n", 32)})
				if codes[k] = a.Code; err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if (codes[0] == machine.OK) == (codes[1] == machine.OK) {
			t.Fatalf("pair %d: %v", i, codes)
		}
		for k := range codes {
			if codes[k] == machine.OK {
				won[k]++
			}
		}
	}
	if won[0] == 0 || won[1] == 0 {
		t.Errorf("the gates did not race: %v", won)
	}
	s.assertAudited()
}

// TestTwoGatesFreeze claims calls at one gate while another one freezes their agent. No claim
// that begins after the freeze was answered succeeds, and the audit is whole.
func TestTwoGatesFreeze(t *testing.T) {
	usePostgres(t)
	s := newTestService(t, fmt.Sprintf(freeRefunds, `{"n":1000,"per":"1h"}`))
	other := s.secondGate()
	var calls []string
	for i := range 300 {
		calls = append(calls, fmt.Sprintf(`refund {"id":%d,"amount":1}`, i))
	}
	records := storeApproved(t, s, calls)
	var frozen atomic.Bool
	var before, after atomic.Int64
	todo := make(chan string, len(records))
	for i := range records {
		todo <- records[i].ID
	}
	close(todo)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for id := range todo {
				late := frozen.Load()
				_, a, err := other.Apply(context.Background(), "t", id, machine.Event{Kind: machine.Claim, By: bot, Nonce: strings.Repeat("n", 32)})
				if claimed := err == nil && a.Code == machine.OK; claimed && late {
					after.Add(1)
				} else if claimed && before.Add(1) == 20 {
					wait.Go(func() {
						if status := askGate(s.gate, "POST", "/v1/freezes", aliceKey, `{"reason":"stop","frozen":true}`).status; status != 200 {
							t.Errorf("the freeze: %d", status)
						}
						frozen.Store(true)
					})
				}
			}
		})
	}
	wait.Wait()
	if after.Load() > 0 || before.Load() < 20 || !frozen.Load() {
		t.Errorf("%d claims after the freeze, %d before or beside it", after.Load(), before.Load())
	}
	s.assertAudited()
}

// TestDatabaseRestarts crashes the PostgreSQL server and starts it again, while two gates
// hold, decide and claim calls. Takes several seconds, because the server starts. A gate
// answers 503 while the database is away and works again afterwards. No call is claimed
// twice, and what was answered before the crash is still so.
func TestDatabaseRestarts(t *testing.T) {
	server := pgserver.Shared(t)
	usePostgres(t)
	s := newTestService(t, "")
	gates := [...]*gate.Gate{s.gate, s.secondGate()}
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	claims, statuses := map[string]int{}, map[int]int{}
	flow := func(n int) {
		for i := 0; ctx.Err() == nil; i++ {
			a := askGate(gates[n%2], "POST", "/v1/proposals", agentKey, fmt.Sprintf(`{"tool":"refund","arguments":{"n":%d,"i":%d}}`, n, i))
			id := a.textField("id")
			all := []int{a.status}
			if a.status == 202 {
				all = append(all, askGate(gates[(n+1)%2], "POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"digest":"`+a.textField("digest")+`"}`).status)
				for k := range 3 {
					all = append(all, askGate(gates[k%2], "POST", "/v1/proposals/"+id+"/claim", agentKey, "").status)
				}
			}
			mu.Lock()
			for k, status := range all {
				statuses[status]++
				if k > 1 && status == 200 {
					claims[id]++
				}
			}
			mu.Unlock()
			if a.status == 503 {
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	var wait sync.WaitGroup
	for n := range 6 {
		wait.Go(func() { flow(n) })
	}
	time.Sleep(300 * time.Millisecond)
	server.Stop(t)
	for _, g := range gates {
		if status := askGate(g, "GET", "/healthz", "", "").status; status != 503 {
			t.Errorf("health without a database: %d", status)
		}
	}
	server.Start(t)
	for range 100 { // a busy machine needs longer
		time.Sleep(200 * time.Millisecond)
		mu.Lock()
		n := len(claims)
		mu.Unlock()
		if n >= 24 {
			break
		}
	}
	stop()
	wait.Wait()
	for id, n := range claims {
		if r, err := s.store.Load(context.Background(), "t", id); n != 1 || err != nil || r.State != machine.Claimed {
			t.Errorf("%s was claimed %d times and is %s: %v", id, n, r.State, err)
		}
	}
	for status := range statuses {
		if status != 200 && status != 202 && status != 409 && status != 503 {
			t.Errorf("answers %v", statuses)
		}
	}
	if len(claims) < 20 || statuses[503] == 0 {
		t.Errorf("%d calls were claimed, answers %v", len(claims), statuses)
	}
	if status := askGate(gates[1], "GET", "/healthz", "", "").status; status != 200 {
		t.Errorf("health afterwards: %d", status)
	}
	t.Logf("%d calls claimed, answers %v", len(claims), statuses)
	s.assertAudited()
}

// TestDatabaseHangs checks that a gate refuses calls within the time-outs of its address
// while another program keeps the database from writing, and works again afterwards.
func TestDatabaseHangs(t *testing.T) {
	server := pgserver.Shared(t)
	usePostgres(t)
	before := open
	open = func(t testing.TB) (*store.Store, string) {
		address := server.Address(t) + "&statement_timeout=500"
		s, err := postgres.Open(context.Background(), address, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s, address
	}
	defer func() { open = before }()
	s := newTestService(t, "")
	db := openRaw(t, strings.Replace(s.file, "&statement_timeout=500", "", 1))
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE numbers SET seq = seq`); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	s.sendProposal(`{"tool":"refund","arguments":{}}`).assertStatus(t, 503)
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 503) // also what the policy allows: its audit row is missing
	if took := time.Since(begun); took > pace.Within(4*time.Second) {
		t.Errorf("refused after %v", took)
	}
	tx.Rollback()
	s.proposeHeld("refund", `{}`)
}
