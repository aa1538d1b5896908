//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/d1"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// newSpiedService returns a service on the driver for D1 that calls the function seen before each
// statement, and a store beside it that does not.
func newSpiedService(t *testing.T, policy string, seen func(query string)) (*service, *store.Store) {
	var inner d1.Send
	s := newTestService(t, policy, func(o *gate.Options) {
		_, file := open(t)
		inner = sendLikeD1(openRaw(t, file))
		db := d1.Open(func(ctx context.Context, query, params string) (string, error) {
			seen(query)
			return inner(ctx, query, params)
		})
		t.Cleanup(func() { db.Close() })
		o.Store = store.NewStore(db, db)
	})
	db := d1.Open(inner)
	t.Cleanup(func() { db.Close() })
	return s, store.NewStore(db, db)
}

// TestOneStatement checks how many statements a call costs: one for a call that is allowed
// or refused by the policy, and one INSERT for a call that is held. Only counts, remembered
// decisions that may apply, a denial, a run without an outcome and a freeze cost more.
func TestOneStatement(t *testing.T) {
	var seen []string
	policy := `{"tools":{"format_disk":{"deny":"no"}},"remember":[{"name":"notes","tool":"add_note","within":"1h"}]}`
	s, _ := newSpiedService(t, policy, func(query string) { seen = append(seen, strings.Join(strings.Fields(query)[:4], " ")) })
	const audit, insert, freezes, remembered = "INSERT INTO audit (tenant,", "INSERT INTO proposals (id,", "SELECT agent, approver, reason,", "SELECT id, tenant, agent,"
	const earlier = "SELECT id, tenant, batch," // what was denied, and what may have run
	calls := []struct {
		body   string
		status int
		want   []string
	}{
		{`{"tool":"get_order","arguments":{}}`, 200, []string{audit}},
		{`{"tool":"get_order","arguments":{},"session":"s"}`, 200, []string{audit}},
		{`[{"tool":"get_order","arguments":{}},{"tool":"get_user","arguments":{}}]`, 200, []string{audit}},
		{`{"tool":"format_disk","arguments":{}}`, 403, []string{audit}},
		{`{"tool":"cancel_order","arguments":{"n":1}}`, 202, []string{insert}},
		{`[{"tool":"cancel_order","arguments":{"n":1}},{"tool":"get_order","arguments":{}}]`, 202, []string{insert}},
		{`{"tool":"cancel_order","arguments":{"n":2},"session":"s"}`, 202, []string{remembered, insert}},
	}
	for _, c := range calls {
		seen = nil
		if s.sendProposal(c.body).assertStatus(t, c.status); !slices.Equal(seen, c.want) {
			t.Errorf("%s: %q, want %q", c.body, seen, c.want)
		}
	}
	id, digest := s.proposeHeld("cancel_order", `{"n":3}`)
	s.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200)
	seen = nil
	s.sendProposal(`{"tool":"cancel_order","arguments":{"n":4}}`).assertStatus(t, 202)
	if want := []string{insert, freezes, earlier, earlier, insert}; !slices.Equal(seen, want) {
		t.Errorf("after a denial: %q, want %q", seen, want)
	}
	s.sendFreeze(aliceKey, "bot", true).assertStatus(t, 200)
	seen = nil
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 403, "frozen by alice")
	if want := []string{audit, freezes, audit}; !slices.Equal(seen, want) {
		t.Errorf("frozen: %q, want %q", seen, want)
	}
}

// TestNothingPassesBesideAFreeze draws calls, and freezes and denials by another process that
// come between the statements of a call. The audit is the judge: behind a freeze it has no
// allowed call of that agent until the freeze ends, and a call that is held behind a denial
// of the same call says so.
func TestNothingPassesBesideAFreeze(t *testing.T) {
	for seed := range uint64(drawn.Cases(4)) {
		draw := rand.New(rand.NewPCG(seed, 49))
		var between func()
		first := false // a denial behind the look of a second try is one that came a moment later
		s, beside := newSpiedService(t, `{"cooldown":"1m"}`, func(string) {
			if do := between; do != nil && (first || draw.IntN(2) == 0) {
				between = nil
				do()
			}
		})
		keys, _ := gate.ReadKeys(keyFile)
		other, err := gate.New(gate.Options{Store: beside, Keys: keys, URL: s.url, Now: s.now.Load, Rate: -1})
		if err != nil {
			t.Fatal(err)
		}
		ids := []string{}
		for range 60 {
			s.now.Add(draw.Int64N(30_000))
			first = false
			switch agent := []string{"", "bot"}[draw.IntN(2)]; draw.IntN(5) {
			case 0, 1:
				between = func() { assertNoError(t, other.Freeze(context.Background(), alice, agent, true, "", "api")) }
			case 2:
				for _, agent := range []string{"", "bot"} {
					assertNoError(t, other.Freeze(context.Background(), alice, agent, false, "", "api"))
				}
			case 3:
				if len(ids) > 0 {
					id := ids[draw.IntN(len(ids))]
					first = true
					between = func() {
						if r, err := beside.Load(context.Background(), "t", id); err == nil {
							other.Apply(context.Background(), "t", id, machine.Event{Kind: machine.Decide, By: alice, Digest: r.Digest, Channel: "page"})
						}
					}
				}
			}
			body := []string{`{"tool":"get_order","arguments":{}}`, fmt.Sprintf(`{"tool":"cancel_order","arguments":{"n":%d}}`, draw.IntN(3))}[draw.IntN(2)]
			if id := s.sendProposal(body).textField("id"); id != "" {
				ids = append(ids, id)
			}
			between = nil
		}
		judgeAudit(t, beside, seed)
	}
}

func assertNoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// judgeAudit reads the audit from its beginning and checks the law of TestNothingPassesBesideAFreeze.
func judgeAudit(t *testing.T, s *store.Store, seed uint64) {
	t.Helper()
	assertNoError(t, s.Seal(context.Background()))
	frozen, deniedAt, allowed, warned := map[string]bool{}, map[string]int64{}, 0, 0
	digests := map[string]string{}
	assertNoError(t, s.Chain(context.Background(), "t", func(l machine.Link) error {
		var e machine.Entry
		if err := json.Unmarshal([]byte(l.Entry), &e); err != nil {
			return err
		}
		switch {
		case e.Event == "freeze":
			frozen[e.Agent] = true
		case e.Event == "unfreeze":
			delete(frozen, e.Agent)
		case e.Event == "propose" && e.To == machine.Allowed:
			if allowed++; len(frozen) > 0 {
				t.Errorf("seed %d: %s is allowed behind a freeze", seed, e.Tool)
			}
		case e.Event == "propose" && e.ID != "":
			digests[e.ID] = e.Digest
			r, err := s.Load(context.Background(), "t", e.ID)
			if at, denied := deniedAt[e.Digest]; err != nil || denied && e.At-at < machine.Recall && r.Why.Before == nil {
				t.Errorf("seed %d: %s is held and does not say that it was denied (%v)", seed, e.Tool, err)
			} else if denied {
				warned++
			}
		case e.To == machine.Denied && e.ID != "":
			deniedAt[digests[e.ID]] = e.At
		}
		return nil
	}))
	if allowed == 0 {
		t.Errorf("seed %d: no call was allowed, so nothing was tested", seed)
	}
	t.Logf("seed %d: %d allowed, %d held behind a denial", seed, allowed, warned)
}
