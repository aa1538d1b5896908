//go:build !js

package gate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/d1"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/gate/zone"
)

const anHour = 60 * 60 * 1000

// storeApproved stores approved records of refunds, which an allow rule lets through.
func storeApproved(t testing.TB, s *service, calls []string) []machine.Record {
	t.Helper()
	var out []machine.Record
	var entries []machine.Entry
	for i, c := range calls {
		tool, arguments, _ := strings.Cut(c, " ")
		a := machine.Ask{By: bot, Session: "s", Calls: []proposal.Proposal{{Tool: tool, Arguments: arguments}}, IDs: []string{fmt.Sprint("p", i)}}
		plan, err := s.gate.Plan(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Asked() || len(plan.Records) != 1 {
			t.Fatalf("%s: %+v", c, plan.Members)
		}
		out, entries = append(out, plan.Records...), append(entries, plan.Entries...)
	}
	if err := s.store.Insert(context.Background(), out, entries); err != nil {
		t.Fatal(err)
	}
	return out
}

const freeRefunds = `{"rules":[{"name":"limit","tool":"refund","atMost":%s,"effect":"hold"},
	{"name":"free","tool":"refund","until":"2030-01-01T00:00:00Z","when":{"id":{"any":true},"amount":{"any":true}},"effect":"allow"}]}`

// TestParallelClaims claims hundreds of approved calls at once, at two gates that share a
// database. Exactly as many get their bytes as the rule allows, and not one more after a
// restart.
func TestParallelClaims(t *testing.T) {
	many := drawn.Cases(300)
	for name, c := range map[string]struct {
		limit string
		want  int64
	}{"count": {`{"n":100,"per":"1h"}`, 100}, "sum": {`{"sum":"amount","max":100.5,"per":"1h"}`, 40}} {
		s := newTestService(t, fmt.Sprintf(freeRefunds, c.limit))
		var calls []string
		for i := range many {
			calls = append(calls, fmt.Sprintf(`refund {"id":%d,"amount":2.5}`, i))
		}
		records := storeApproved(t, s, calls)
		keys, _ := gate.ReadKeys(keyFile)
		second := s.store
		if postgres.IsAddress(s.file) { // a file has one gate
			second = openAgain(t, s.file)
		}
		other, err := gate.New(gate.Options{Store: second, Keys: keys, Policy: s.gate.Policy(), URL: s.url, Now: s.now.Load})
		if err != nil {
			t.Fatal(err)
		}
		var claimed atomic.Int64
		var wait sync.WaitGroup
		todo := make(chan int, len(records))
		for i := range records {
			todo <- i
		}
		close(todo)
		claim := func(g *gate.Gate, i int) {
			_, a, err := g.Apply(context.Background(), "t", records[i].ID, machine.Event{Kind: machine.Claim, By: bot, Nonce: strings.Repeat("n", 32)})
			if err != nil {
				t.Error(err)
			} else if a.Code == machine.OK {
				claimed.Add(1)
			} else if !strings.Contains(a.Text, `rule "limit"`) {
				t.Errorf("refused without the rule: %s", a.Text)
			}
		}
		for w := range 32 {
			wait.Go(func() {
				for i := range todo {
					claim([]*gate.Gate{s.gate, other}[w%2], i)
				}
			})
		}
		wait.Wait()
		if claimed.Load() != c.want {
			t.Errorf("%s: %d calls were handed out, want %d", name, claimed.Load(), c.want)
		}
		if n := int64(strings.Count(s.exportedAudit(), `\"event\":\"stopped\"`)); n != int64(many)-c.want {
			t.Errorf("%s: %d rows of stopped claims", name, n)
		}
		again, err := gate.New(gate.Options{Store: s.store, Keys: keys, Policy: s.gate.Policy(), URL: s.url, Now: s.now.Load})
		if err != nil {
			t.Fatal(err)
		}
		for i := range records[:20] {
			if r, err := s.store.Load(context.Background(), "t", records[i].ID); err != nil || r.State == machine.Approved {
				claim(again, i)
			}
		}
		if claimed.Load() != c.want {
			t.Errorf("%s: after a restart %d calls were handed out, want %d", name, claimed.Load(), c.want)
		}
	}
}

// TestRuleClock checks the edges of a window, a clock that was set back, and outcomes that
// free a claim or do not.
func TestRuleClock(t *testing.T) {
	s := newTestService(t, fmt.Sprintf(freeRefunds, `{"n":2,"per":"1h"}`))
	propose := func() (decision string, id string) {
		a := s.sendProposal(`{"tool":"refund","arguments":{"id":1,"amount":1}}`)
		if a.body["approvals"] == nil {
			return "free", a.textField("id")
		}
		return "asked", a.textField("id")
	}
	expect := func(at int64, want string) string {
		t.Helper()
		s.now.Store(start + at)
		got, id := propose()
		if got != want {
			t.Errorf("at %s: %s, want %s", time.Duration(at)*time.Millisecond, got, want)
		}
		return id
	}
	first := expect(0, "free")
	s.sendClaim(first).assertStatus(t, 200)
	second := expect(1000, "free")
	third := expect(1000, "free") // nothing is counted before it is claimed
	grant := s.sendClaim(second).assertStatus(t, 200).textField("grant")
	s.sendClaim(third).assertStatus(t, 409, `rule \"limit\"`, "propose the call again")
	expect(2000, "asked")
	s.sendOutcome(second, grant, "failed").assertStatus(t, 200)
	fourth := expect(3000, "free") // a call without effect does not count
	grant = s.sendClaim(fourth).assertStatus(t, 200).textField("grant")
	s.sendOutcome(fourth, grant, "ambiguous").assertStatus(t, 200)
	expect(4000, "asked")                                       // one was never reported, one may have run
	s.sendOutcome(fourth, grant, "failed").assertStatus(t, 409) // a second report changes nothing
	s.sendOutcome(second, grant, "failed").assertStatus(t, 409)
	expect(4000, "asked")
	expect(-anHour, "asked")
	fifth := expect(anHour, "free") // the first claim leaves the window exactly now
	s.sendClaim(fifth).assertStatus(t, 200)
	expect(anHour+1, "asked")
	expect(anHour+3000, "free")
	s.now.Store(start - 10*anHour) // the clock is set back: a claim made now is not older than the others
	sixth := s.sendProposal(`{"tool":"refund","arguments":{"id":2,"amount":1}}`)
	s.sendDecision(aliceKey, sixth.textField("id"), sixth.textField("digest"), true).assertStatus(t, 200)
	s.sendClaim(sixth.textField("id")).assertStatus(t, 200)
	expect(anHour+2999, "asked")
	expect(2*anHour+3000, "free")
}

// TestFailedThenExecuted checks that a call which was reported as failed, and later as
// executed or ambiguous, counts from then on, and that the audit has a row for each such
// report. The contrary frees nothing.
func TestFailedThenExecuted(t *testing.T) {
	for _, c := range []struct{ limit, first, second, want string }{
		{`{"n":1,"per":"1h"}`, "failed", "executed", "asked"}, {`{"sum":"amount","max":1,"per":"1h"}`, "failed", "ambiguous", "asked"},
		{`{"n":1,"per":"1h"}`, "executed", "failed", "asked"}, {`{"n":1,"per":"1h"}`, "failed", "failed", "free"},
	} {
		s := newTestService(t, fmt.Sprintf(freeRefunds, c.limit))
		call := `{"tool":"refund","arguments":{"id":1,"amount":1}}`
		id := s.sendProposal(call).textField("id")
		grant := s.sendClaim(id).assertStatus(t, 200).textField("grant")
		s.sendOutcome(id, grant, c.first).assertStatus(t, 200)
		s.sendOutcome(id, strings.Repeat("0", len(grant)), c.second).assertStatus(t, 409)
		for range 2 {
			s.sendOutcome(id, grant, c.second).assertStatus(t, 409)
		}
		got := "free"
		if a := s.sendProposal(call); a.body["approvals"] != nil {
			got = "asked"
		}
		if got != c.want {
			t.Errorf("%s, then %s: %s, want %s", c.first, c.second, got, c.want)
		}
		s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").assertStatus(t, 200, `"state":"`+c.first+`"`)
		if n := strings.Count(s.exportedAudit(), `\"event\":\"late-outcome\"`); (n > 0) != (c.first != c.second) {
			t.Errorf("%s, then %s: %d rows of the audit", c.first, c.second, n)
		}
	}
}

// TestRulesAtClaim checks that rules are applied again when an approved call is claimed:
// the time, a reading in between, a rule that the policy has got since.
func TestRulesAtClaim(t *testing.T) {
	policy := `{"readings":{"secret":{"tool":"get_secret"}},"rules":[
		{"name":"night","tool":"send_mail","time":{"outside":"08:00-18:00 UTC"},"effect":"deny"},
		{"name":"after a secret","tool":"post_note","afterReading":"secret","effect":"hold","people":2,"from":["alice","bob"]}]}`
	s := newTestService(t, policy)
	if err := s.gate.Policy().SetZone(zone.Offset); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 11, 2, 17, 59, 0, 0, time.UTC).UnixMilli()
	s.now.Store(day)
	mail, digest := s.proposeHeld("send_mail", `{"to":"a"}`)
	s.sendDecision(aliceKey, mail, digest, true).assertStatus(t, 200)
	s.now.Store(day + 60_000)
	s.sendClaim(mail).assertStatus(t, 409, `rule \"night\" (line 2)`)
	s.sendProposal(`{"tool":"send_mail","arguments":{"to":"a"}}`).assertStatus(t, 403, `rule \"night\" (line 2)`)

	s.now.Store(day)
	note, digest := s.proposeHeld("post_note", `{"text":"a"}`)
	s.sendDecision(aliceKey, note, digest, true).assertStatus(t, 200)
	read := s.sendProposal(`{"tool":"get_secret","arguments":{},"session":"another"}`).assertStatus(t, 202, "claimed before it runs")
	s.sendClaim(read.textField("id")).assertStatus(t, 200)
	s.sendClaim(note).assertStatus(t, 409, "after a secret", "propose the call again")
	a := s.sendProposal(`{"tool":"post_note","arguments":{"text":"b"}}`).assertStatus(t, 202, `"approvals":2`)
	id := a.textField("id")
	s.callAPI("GET", "/v1/proposals/"+id, aliceKey, "").assertStatus(t, 200, `"rule":"after a secret"`, `"line":3`)
	s.sendDecision(aliceKey, id, a.textField("digest"), true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 409, "not decided yet")
	s.sendDecision(bobKey, id, a.textField("digest"), true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 200)

	free, digest := s.proposeHeld("add_tag", `{"id":1}`)
	s.sendDecision(aliceKey, free, digest, true).assertStatus(t, 200)
	p, err := machine.ReadPolicy(`{"rules":[{"name":"no tags","tool":"add_*","effect":"deny","reason":"tags are closed"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.gate.Reload(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	s.sendClaim(free).assertStatus(t, 409, "tags are closed")
}

// TestRuleFrom checks that only approvers of a rule's group count.
func TestRuleFrom(t *testing.T) {
	s := newTestService(t, `{"groups":{"release":["bob"]},"rules":[{"name":"prod","tool":"deploy","effect":"hold","from":"release"}]}`)
	id, digest := s.proposeHeld("deploy", `{"env":"prod"}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 403, "lets only other approvers")
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 200)
	id, digest = s.proposeHeld("deploy", `{"env":"dev"}`)
	s.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200) // a no counts from everybody
}

// TestRuleAgents checks who is one agent for a limit: all programs with one key, and all
// keys with one name, whatever sessions they name. Another name is another agent.
func TestRuleAgents(t *testing.T) {
	p, err := machine.ReadPolicy(`{"rules":[{"name":"two","tool":"refund","atMost":{"n":2,"per":"1h","by":["agent"]},"effect":"deny"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	const second = "the-second-key-of-bot-0123456789"
	keys, err := gate.ReadKeys(keyFile + "t agent bot " + second + "\n")
	if err != nil {
		t.Fatal(err)
	}
	s := newTestService(t, "", func(o *gate.Options) { o.Policy, o.Keys = p, keys })
	for _, x := range []struct {
		key, session string
		want         int
	}{{agentKey, "s1", 202}, {agentKey, "s2", 202}, {agentKey, "s3", 403}, {second, "s1", 403}, {otherKey, "s1", 202}} {
		a := s.callAPI("POST", "/v1/proposals", x.key, `{"tool":"refund","arguments":{},"session":"`+x.session+`"}`).assertStatus(t, x.want)
		if x.want == 202 {
			s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 200)
			s.callAPI("POST", "/v1/proposals/"+a.textField("id")+"/claim", x.key, "").assertStatus(t, 200)
		}
	}
}

// TestRuleLog checks that a rule in mode log changes nothing and is written into the
// audit.
func TestRuleLog(t *testing.T) {
	s := newTestService(t, `{"rules":[{"name":"later","tool":"get_order","effect":"deny","mode":"log"}]}`)
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 200, "allow")
	if err := s.store.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.callAPI("GET", "/v1/audit", aliceKey, "").assertStatus(t, 200, `"logged":"later"`)
}

// TestTallies compares the answers of the store with those of the rows in memory, for
// random claims, outcomes and questions.
func TestTallies(t *testing.T) {
	s, _ := open(t)
	g := rand.New(rand.NewPCG(11, 12))
	var rows machine.Rows
	ctx := context.Background()
	names, keys, seen := []string{"rule a", "rule b", "reading a"}, []string{"k1", "k2"}, []string{"", "s1", "s2"}
	var open []machine.Record
	for i := range 60 {
		r := storeProposals(t, s, fmt.Sprint("m", i), "cancel_order {}")[0]
		now := start + g.Int64N(20_000)
		if !applyStep(t, s, r.ID, machine.Event{Kind: machine.Decide, By: alice, Approve: true, Digest: r.Digest}) {
			t.Fatal("not approved")
		}
		r, _ = s.Load(ctx, "t", r.ID)
		e := machine.Event{Kind: machine.Claim, By: bot, Nonce: strings.Repeat("n", 32)}
		for _, n := range names[:g.IntN(4)] {
			e.Marks = append(e.Marks, machine.Mark{Rule: n, Key: keys[g.IntN(2)], Amount: g.Int64N(1e15), At: now, Until: now + 1000})
		}
		c := machine.Step([]machine.Record{r}, 0, e, start+2)
		if ok, err := s.Update(ctx, c); err != nil || !ok {
			t.Fatal(ok, err)
		}
		rows.Claim(r.ID, e.Marks)
		open = append(open, c.Record)
		for len(open) > 0 && g.IntN(3) > 0 { // reports come in any order, many after later claims
			at := g.IntN(len(open))
			r := open[at]
			open = slices.Delete(open, at, at+1)
			state := []machine.State{machine.Executed, machine.Failed, machine.Failed, machine.Ambiguous}[g.IntN(4)]
			e := machine.Event{Kind: machine.Report, By: bot, Nonce: strings.Repeat("n", 32), Status: state}
			if state == machine.Executed {
				e.Marks = []machine.Mark{{Rule: names[g.IntN(3)], Seen: seen[g.IntN(3)]}}
			}
			c := machine.Step([]machine.Record{r}, 0, e, start+3)
			if ok, err := s.Update(ctx, c); err != nil || !ok {
				t.Fatal(ok, err)
			}
			rows.Settle(r.ID, state, e.Marks)
			if g.IntN(2) == 0 { // a later report: a failed call counts again if it may have run
				e.Status = []machine.State{machine.Executed, machine.Failed, machine.Ambiguous}[g.IntN(3)]
				if c = machine.Step([]machine.Record{c.Record}, 0, e, start+4); c.Note != nil {
					if err := s.Note(ctx, *c.Note, *c.Note); err != nil {
						t.Fatal(err)
					}
				}
				if state == machine.Failed && e.Status != machine.Failed {
					rows.Settle(r.ID, machine.Ambiguous, nil)
				}
			}
		}
	}
	var asked []machine.Count
	for range 300 {
		asked = append(asked, machine.Count{Rule: names[g.IntN(3)], Key: keys[g.IntN(2)], Since: start + g.Int64N(20_000), Seen: seen[g.IntN(3)],
			Rows: []string{machine.AllRows, machine.LiveRows, machine.ExecutedRows}[g.IntN(3)]})
	}
	got, err := s.Tallies(ctx, "t", asked)
	if err != nil {
		t.Fatal(err)
	}
	some := 0
	for _, c := range asked {
		if want := rows.Tally(c); got[c] != want {
			t.Errorf("%+v: %+v, in memory %+v", c, got[c], want)
		}
		if got[c].N > 0 {
			some++
		}
	}
	if some < 50 {
		t.Errorf("only %d questions found rows", some)
	}
	if other, err := s.Tallies(ctx, "u", asked); err != nil || other[asked[0]].N != 0 {
		t.Errorf("another tenant's rows: %v %v", other[asked[0]], err)
	}
	if err := s.ForgetMarks(ctx, start+30_000); err != nil {
		t.Fatal(err)
	}
}

// TestZones checks times around the changes of clocks in several zones, from a table that
// the Worker's clock is checked with, too.
func TestZones(t *testing.T) {
	for _, z := range readZones(t) {
		at, err := time.Parse(time.RFC3339, z.At)
		if err != nil {
			t.Fatal(err)
		}
		if offset, ok := zone.Offset(z.Zone, at.UnixMilli()); ok == z.Unknown || offset != z.Offset {
			t.Errorf("%s at %s: %d %v, want %d", z.Zone, z.At, offset, ok, z.Offset)
		}
	}
}

// TestOfficeHours compares windows of time with a plain reading of the local clock, minute by
// minute around the nights in which clocks change, and at the edges of the windows.
func TestOfficeHours(t *testing.T) {
	g := rand.New(rand.NewPCG(47, 19))
	days := []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	inside := 0
	for range drawn.Cases(60) {
		name := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"}[g.IntN(5)]
		place, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		from, to, first, last := 15*g.IntN(96), 15*(1+g.IntN(96)), g.IntN(7), g.IntN(7)
		if from == to {
			continue
		}
		text := fmt.Sprintf("%02d:%02d-%02d:%02d %s-%s %s", from/60, from%60, to/60, to%60, days[first], days[last], name)
		p, err := machine.ReadPolicyIn(`{"rules":[{"name":"r","time":{"inside":"`+text+`"},"effect":"deny"}]}`, zone.Offset)
		if err != nil {
			t.Fatal(err)
		}
		isDay := func(d int) bool { return (d-first+7)%7 <= (last-first+7)%7 }
		change := time.Date(2026, []time.Month{3, 4, 10, 11}[g.IntN(4)], 1+g.IntN(28), 0, 0, 0, 0, time.UTC)
		if g.IntN(2) == 0 {
			change = []time.Time{time.Date(2026, 3, 28, 22, 0, 0, 0, time.UTC), time.Date(2026, 10, 24, 22, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 4, 0, 0, 0, time.UTC), time.Date(2026, 4, 4, 12, 0, 0, 0, time.UTC)}[g.IntN(4)]
		}
		for minute := range 300 {
			at := change.Add(time.Duration(minute)*time.Minute + time.Duration(g.IntN(60_000))*time.Millisecond)
			local := at.In(place)
			now, today := local.Hour()*60+local.Minute(), int(local.Weekday())
			want := isDay(today) && now >= from && now < to
			if to < from {
				want = isDay(today) && now >= from || isDay((today+6)%7) && now < to
			}
			plan := machine.Propose(p, machine.Ask{By: bot, IDs: []string{"p"}, Calls: []proposal.Proposal{{Tool: "get_x", Arguments: "{}"}}}, at.UnixMilli())
			if (plan.Verdict == machine.Denial) != want {
				t.Fatalf("%s at %s (%s there): %s", text, at, local, plan.Verdict)
			}
			if want {
				inside++
			}
		}
	}
	if inside < 1000 {
		t.Errorf("only %d times lie in a window", inside)
	}
}

// TestRulesOnD1 repeats the tests of the rules with the driver for D1. The Worker's tests decide
// the policies on D1; here, only make nightly does (BOUNDCHECK_LONG=1).
func TestRulesOnD1(t *testing.T) {
	before := open
	defer func() { open = before }()
	open = func(t testing.TB) (*store.Store, string) {
		_, file := before(t)
		db := d1.Open(sendLikeD1(openRaw(t, file)))
		t.Cleanup(func() { db.Close() })
		return store.NewStore(db, db), file
	}
	if os.Getenv(drawn.LongVariable) != "" {
		t.Run("policies", TestPolicies)
	}
	for name, test := range map[string]func(*testing.T){
		"parallel": TestParallelClaims, "clock": TestRuleClock, "late": TestFailedThenExecuted, "claim": TestRulesAtClaim, "from": TestRuleFrom, "agents": TestRuleAgents, "log": TestRuleLog, "tallies": TestTallies,
	} {
		t.Run(name, test)
	}
}

// TestRuleStatements counts the statements of a call, from the proposal to its outcome.
// Rules that count take at most one more for the proposal and one more for the claim.
func TestRuleStatements(t *testing.T) {
	count := func(policy string) (steps [3]int64) {
		store, n := openCounted(t)
		s := newTestService(t, policy, func(o *gate.Options) { o.Store = store })
		s.store = store
		for range 2 { // the first call also reads what the process keeps
			var id, digest, grant string
			for i, step := range []func(){
				func() {
					a := s.sendProposal(`{"tool":"refund","arguments":{"id":1,"amount":2}}`).assertStatus(t, 202)
					id, digest = a.textField("id"), a.textField("digest")
				},
				func() { grant = s.sendClaim(id).assertStatus(t, 200).textField("grant") },
				func() { s.sendOutcome(id, grant, "executed").assertStatus(t, 200) },
			} {
				if i == 1 {
					s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
				}
				before := n.Load()
				step()
				steps[i] = n.Load() - before
			}
		}
		return steps
	}
	plain := count(`{"cooldown":"none"}`)
	ruled := count(`{"cooldown":"none","readings":{"r":{"tool":"get_secret"}},"rules":[
		{"name":"a","tool":"refund","atMost":{"n":1000,"per":"1h"},"effect":"deny"},
		{"name":"b","tool":"refund","atMost":{"sum":"amount","max":1000,"per":"1h","by":["agent"]},"effect":"deny"},
		{"name":"c","tool":"refund","afterReading":"r","effect":"deny"}]}`)
	t.Logf("propose, claim, outcome: %v without rules, %v with three", plain, ruled)
	for i, most := range [3]int64{1, 1, 1} {
		if ruled[i] > plain[i]+most {
			t.Errorf("%v statements with rules, %v without", ruled, plain)
		}
	}
}

// TestStoppedClaim checks that a claim which a rule stops leaves one row of the audit with
// the rule, and that record and page say so. In mode log the claim goes on, and its row says
// what would have stopped it.
func TestStoppedClaim(t *testing.T) {
	for _, mode := range []string{"", `,"mode":"log"`} {
		s := newTestService(t, `{"rules":[{"name":"one","tool":"refund","atMost":{"n":1,"per":"1h"},"effect":"deny"`+mode+`}]}`)
		var ids []string
		for i := range 2 {
			id, digest := s.proposeHeld("refund", fmt.Sprintf(`{"id":%d}`, i))
			s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
			ids = append(ids, id)
		}
		s.sendClaim(ids[0]).assertStatus(t, 200)
		if mode != "" {
			s.sendClaim(ids[1]).assertStatus(t, 200)
			if audit := s.exportedAudit(); strings.Count(audit, `\"logged\":\"one\"`) != 1 {
				t.Errorf("the claim does not say what would have stopped it: %s", audit)
			}
			continue
		}
		for range 3 {
			s.sendClaim(ids[1]).assertStatus(t, 409, `rule \"one\" (line 1)`)
		}
		if audit := s.exportedAudit(); strings.Count(audit, `\"event\":\"stopped\"`) != 1 || !strings.Contains(audit, `\"rule\":\"one\",\"line\":1`) {
			t.Errorf("no row of the stopped claim: %s", audit)
		}
		s.callAPI("GET", "/v1/proposals/"+ids[1], aliceKey, "").assertStatus(t, 200, `"state":"approved"`, `"stopped":"the rule \"one\" (line 1): at most 1 call in 1h"`)
		r, err := s.store.Load(t.Context(), "t", ids[1])
		if err != nil || r.Stopped.Rule != "one" || r.Rev != 3 {
			t.Errorf("%+v %v", r.Life, err)
		}
		s.now.Add(10 * 60 * 1000)
		if _, _, err := s.gate.Apply(t.Context(), "t", ids[1], machine.Event{Kind: machine.Tick}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnswerNamesTheRule checks that answer, page and audit name the strictest rule that
// applies to a call, with its line.
func TestAnswerNamesTheRule(t *testing.T) {
	s := newTestService(t, "{\"rules\":[\n{\"name\":\"one\",\"tool\":\"wire\",\"effect\":\"hold\"},\n{\"name\":\"log\",\"tool\":\"wire\",\"effect\":\"deny\",\"mode\":\"log\"},\n{\"name\":\"two\",\"tool\":\"wire\",\"effect\":\"hold\",\"people\":2},\n{\"name\":\"never\",\"tool\":\"wire\",\"when\":{\"to\":{\"equals\":\"x\"}},\"effect\":\"deny\"}]}")
	held := s.sendProposal(`{"tool":"wire","arguments":{"to":"y"}}`).assertStatus(t, 202, `"rule":"two","line":4`, `the rule \"two\" (line 4)`)
	s.sendProposal(`{"tool":"wire","arguments":{"to":"x"}}`).assertStatus(t, 403, `"rule":"never","line":5`, `the rule \"never\" (line 5)`)
	s.sendProposal(`[{"tool":"wire","arguments":{"to":"y"}},{"tool":"get_x","arguments":{}}]`).assertStatus(t, 202, `"rule":"two","line":4`)
	if _, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+held.textField("id"), nil); !strings.Contains(page, "line 4 of the policy") {
		t.Errorf("the page does not name the rule: %s", page)
	}
	audit := s.exportedAudit()
	for _, want := range []string{`\"rule\":\"two\",\"line\":4`, `\"rule\":\"never\",\"line\":5`, `\"logged\":\"log\"`} {
		if !strings.Contains(audit, want) {
			t.Errorf("the audit has no %s: %s", want, audit)
		}
	}
}
