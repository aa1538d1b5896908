package machine

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// world is a store like those of the drivers: rows, and writes that happen only if their
// condition holds. Several processes hold copies that may be stale.
type world struct {
	rows  []Record // the records of all batches, one batch after another
	now   int64
	stale [3][]Record // the rows that each process has loaded

	// The freezes in the store, and as each process last read them.
	freezes []Freeze
	seen    [3][]Freeze

	// The reference model, separate from the rows.
	votes  [][]string // names with an accepted approval of these bytes, before expiry
	denied []bool
	runs   []int // number of times that the bytes were handed out
	final  []State
	grants []string
	taken  int // number of approvals that were revoked
	kept   int // number of claims that only the store's check of the freezes stopped
}

// storeChange stores a change if its condition holds, and reports whether it did. It has
// the same effect as the UPDATE … WHERE statement of the SQL driver.
func (w *world) storeChange(i int, c Change) bool {
	r := w.rows[i]
	u := c.Write
	if r.State != u.From || r.Rev != u.Rev || r.Digest != u.Digest || u.Alive != 0 && r.Ends() <= u.Alive {
		return false
	}
	if u.Thawed && Frozen(w.freezes, r.Tenant, r.Principal) != nil {
		w.kept++
		return false
	}
	for _, s := range w.rows {
		if u.Settled && r.Batch != "" && s.Batch == r.Batch && s.State.Undecided() {
			return false
		}
	}
	w.rows[i] = c.Record
	return true
}

// newWorld returns a world with the records of the templates.
func newWorld(templates [][]Record) *world {
	w := &world{now: start}
	for _, t := range templates {
		w.rows = append(w.rows, t...)
	}
	n := len(w.rows)
	w.votes, w.denied, w.runs, w.final, w.grants = make([][]string, n), make([]bool, n), make([]int, n), make([]State, n), make([]string, n)
	for p := range w.stale {
		w.stale[p] = append([]Record(nil), w.rows...)
	}
	return w
}

func (w *world) batchOf(p, i int) (batch []Record, at int) {
	rows := w.stale[p]
	if rows[i].Batch == "" {
		return rows[i : i+1], 0
	}
	first := i - rows[i].Index
	return rows[first : first+rows[i].Size], rows[i].Index
}

// TestModel applies a million random events to records, and ten million with
// BOUNDCHECK_LONG=1, which takes seconds. The events are of several processes whose copies may be out of date. No terminal state may change. No call may run without the required
// approvals, twice, or with other bytes than were shown.
func TestModel(t *testing.T) {
	total := drawn.Cases(1_000_000)
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		total *= 10
	}
	if testing.Short() {
		total = 100_000
	}
	p := mustReadPolicy(t, `{"fourEyes":["cancel_both"],"expiry":"60s","outcomeWithin":"30s"}`)
	templates := [][]Record{
		askCalls(t, p, `get_order {"id":1}`, `cancel_order {"id":1}`, `cancel_both {"id":1}`).Records,
		askCalls(t, p, `cancel_order {"id":2}`).Records,
		askCalls(t, p, `cancel_both {"id":3}`).Records,
		askCalls(t, p, `add_note {"id":4}`).Records,
	}
	rng := rand.New(rand.NewPCG(42, 1))
	hist := map[State]int{}
	taken, kept := 0, 0
	const perWorld = 60
	for done := 0; done < total; done += perWorld {
		w := newWorld(templates)
		for range perWorld {
			w.playRandomEvent(t, rng)
		}
		for _, r := range w.rows {
			hist[r.State]++
		}
		taken, kept = taken+w.taken, kept+w.kept
	}
	if taken == 0 || kept == 0 {
		t.Errorf("%d approvals revoked, %d claims stopped by a freeze in the store alone: the test does not reach them", taken, kept)
	}
	for _, s := range []State{Pending, Approved, Denied, Expired, Cancelled, Claimed, Executed, Failed, Ambiguous, Answered} {
		if hist[s] == 0 {
			t.Errorf("no world ended in %s: the test does not reach it", s)
		}
	}
	t.Logf("%d events; ends %v; %d revoked, %d claims stopped by a freeze in the store alone", total, hist, taken, kept)
}

var people = [...]Principal{agent, {Tenant: "t", Name: "bot2", Role: Agent}, alice, bob, {Tenant: "u", Name: "alice", Role: Approver}, {Tenant: "t", Name: "bot", Role: Approver}, voice, {Tenant: "t", Name: "bot2", Role: Conversation}}

func randomEvent(rng *rand.Rand, w *world, i int) Event {
	kinds := [...]Kind{Decide, Decide, Decide, Claim, Claim, Report, Cancel, Tick, Recover, Revoke, Respond}
	e := Event{Kind: kinds[rng.IntN(len(kinds))], By: people[rng.IntN(len(people))], Approve: rng.IntN(5) > 0, Digest: w.rows[i].Digest}
	e.Text = []string{"", "ask first"}[rng.IntN(2)]
	if e.Kind == Recover && rng.IntN(4) > 0 || (e.Kind == Cancel || e.Kind == Revoke || e.Kind == Respond) && rng.IntN(3) > 0 {
		e.Kind = Claim
	}
	if e.Kind == Claim || e.Kind == Report {
		e.By = people[rng.IntN(10)*rng.IntN(2)%len(people)]
		e.Nonce = string(rune('a'+rng.IntN(20))) + nonce
	}
	switch rng.IntN(12) {
	case 0:
		e.Digest = w.rows[rng.IntN(len(w.rows))].Digest // of any call, not always this one
	case 1:
		e.Digest = ""
	}
	if e.Kind == Report {
		e.Status = [...]State{Executed, Failed, Ambiguous, Approved}[rng.IntN(4)]
		if rng.IntN(2) == 0 {
			e.Nonce = w.grants[i]
		}
	}
	return e
}

func (w *world) playRandomEvent(t *testing.T, rng *rand.Rand) {
	p, i := rng.IntN(len(w.stale)), rng.IntN(len(w.rows))
	if rng.IntN(3) > 0 {
		copy(w.stale[p], w.rows) // this process loads the rows; otherwise it acts on its old copy
		w.seen[p] = w.freezes
	}
	if rng.IntN(10) == 0 {
		w.changeFreezes(rng)
	}
	switch rng.IntN(20) {
	case 0:
		w.now += rng.Int64N(40_000)
	case 1:
		w.now -= rng.Int64N(4_000)
	default:
		w.now += rng.Int64N(200)
	}
	e := randomEvent(rng, w, i)
	if e.Kind == Claim {
		e.Frozen = Frozen(w.seen[p], "t", "bot").Text()
	}
	batch, at := w.batchOf(p, i)
	c := Step(batch, at, e, w.now)
	if c.Write == nil {
		return
	}
	before := w.rows[i]
	if !w.storeChange(i, c) {
		return
	}
	w.checkChange(t, i, before, e, c)
}

// changeFreezes either adds a random freeze or ends all freezes. Some of the freezes do
// not cover the agent.
func (w *world) changeFreezes(rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		w.freezes = nil
		return
	}
	f := [...]Freeze{{Tenant: "t", Agent: "bot", By: "alice"}, {Tenant: "t", By: "alice"}, {Tenant: "t", Agent: "bot2", By: "alice"}, {Tenant: "u", By: "carol"}}[rng.IntN(4)]
	w.freezes = append(w.freezes[:len(w.freezes):len(w.freezes)], f)
}

// checkChange fails the test if the reference model does not allow the change that was
// stored for record i.
func (w *world) checkChange(t *testing.T, i int, before Record, e Event, c Change) {
	r := w.rows[i]
	if w.final[i] != "" {
		t.Fatalf("terminal %s became %s by %+v", w.final[i], r.State, e)
	}
	if r.State.Terminal() {
		w.final[i] = r.State
	}
	if r.Tool != before.Tool || r.Arguments != before.Arguments || r.Digest != before.Digest || r.Prompt != before.Prompt || r.Rev != before.Rev+1 {
		t.Fatalf("a fixed part changed: %+v", r)
	}
	if e.Kind == Decide && c.Answer.Code == OK {
		spoken := e.By == voice && (r.Tool == "add_note" || !e.Approve)
		if e.By.Role != Approver && !spoken || e.By.Tenant != "t" || e.Digest != before.Digest || w.now >= r.Expires {
			t.Fatalf("a decision counted that may not: %+v", e)
		}
		if e.Approve {
			w.votes[i] = append(w.votes[i], e.By.Name)
		} else {
			w.denied[i] = true
		}
	}
	if e.Kind == Respond && c.Answer.Code == OK {
		if e.By.Role != Approver || e.By.Tenant != "t" || e.Digest != before.Digest || before.State != Pending || e.Text == "" || r.State != Answered {
			t.Fatalf("an answer counted that may not: %+v", e)
		}
		w.denied[i] = true
	}
	if e.Kind == Revoke && c.Answer.Code == OK {
		if e.By.Role != Approver || e.By.Tenant != "t" || before.State != Approved {
			t.Fatalf("a revocation counted that may not: %+v", e)
		}
		w.denied[i] = true
		w.taken++
	}
	if r.State == Claimed {
		w.runs[i]++
		w.grants[i] = e.Nonce
		w.mayRun(t, i, e)
	}
	if r.State == Executed && (w.runs[i] != 1 || e.Nonce != w.grants[i]) {
		t.Fatalf("executed without the one grant: %+v", e)
	}
}

func (w *world) mayRun(t *testing.T, i int, e Event) {
	r := w.rows[i]
	names := map[string]bool{}
	for _, n := range w.votes[i] {
		names[n] = true
	}
	need := map[string]int{"get_order": 0, "cancel_order": 1, "cancel_both": 2, "add_note": 1}[r.Tool]
	switch {
	case len(names) < need || w.denied[i]:
		t.Fatalf("%s was claimed with the approvals %v, denied %v", r.Tool, w.votes[i], w.denied[i])
	case w.runs[i] > 1:
		t.Fatalf("%s was claimed %d times", r.ID, w.runs[i])
	case w.now >= r.Expires:
		t.Fatalf("claimed after it had expired")
	case e.By.Name != "bot" || e.By.Role != Agent:
		t.Fatalf("claimed by %+v", e.By)
	case proposal.Digest(r.Tool, r.Arguments) != r.Digest:
		t.Fatal("other bytes than were approved")
	}
	for _, f := range w.freezes {
		if f.Tenant == "t" && (f.Agent == "" || f.Agent == "bot") {
			t.Fatalf("claimed while %+v holds", f)
		}
	}
	for _, s := range w.rows {
		if r.Batch != "" && s.Batch == r.Batch && s.State == Pending {
			t.Fatalf("claimed while %s of the same batch waits", s.ID)
		}
	}
}

// TestModelCanFail checks that Step alone does not prevent a second claim, but that the
// condition of the write does. So TestModel would fail without this condition.
func TestModelCanFail(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {}`).Records
	batch[0] = Step(batch, 0, approveEvent(alice, batch[0]), start).Record
	stale := []Record{batch[0]}
	first, second := Step(batch, 0, claimEvent(), start), Step(stale, 0, claimEvent(), start)
	if first.Write == nil || second.Write == nil {
		t.Fatal("both processes should believe that they may claim")
	}
	w := &world{rows: batch}
	if !w.storeChange(0, first) || w.storeChange(0, second) {
		t.Error("the condition does not make the second claim fail")
	}
}

func BenchmarkPropose(b *testing.B) {
	p := Default()
	a := Ask{By: agent, Calls: []proposal.Proposal{{Tool: "cancel_order", Arguments: `{"order_id":"#W123","reason":"no longer needed"}`}}, IDs: []string{"p"}}
	b.ReportAllocs()
	for b.Loop() {
		Propose(p, a, start)
	}
}

func BenchmarkStep(b *testing.B) {
	batch := askCalls(b, Default(), `cancel_order {"order_id":"#W123","reason":"no longer needed"}`).Records
	e := approveEvent(alice, batch[0])
	b.ReportAllocs()
	for b.Loop() {
		Step(batch, 0, e, start)
	}
}
