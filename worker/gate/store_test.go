//go:build !js

package gate_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const start = int64(1_700_000_000_000)

var (
	bot   = machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}
	alice = machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}
)

// open returns a new store and the name of its file.
var open = func(t testing.TB) (*store.Store, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gate 1?.db")
	if err := os.Rename(gatefile.New(t), file); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, file
}

// openAgain opens a store that open has made as another process would.
func openAgain(t testing.TB, file string) *store.Store {
	t.Helper()
	again := sqlite.Open
	if postgres.IsAddress(file) {
		again = func(ctx context.Context, address string) (*store.Store, error) {
			return postgres.Open(ctx, address, false)
		}
	}
	s, err := again(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openRaw(t testing.TB, file string) *sql.DB {
	t.Helper()
	if postgres.IsAddress(file) {
		db, err := sql.Open("pgx", file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer(" ", "%20", "?", "%3f").Replace(file)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// storeProposals proposes calls in one batch, stores the records and returns them. Each
// call is written as "tool {arguments}".
func storeProposals(t testing.TB, s *store.Store, prefix string, calls ...string) []machine.Record {
	t.Helper()
	a := machine.Ask{By: bot, Session: "s", Batch: prefix}
	for i, c := range calls {
		tool, arguments, _ := strings.Cut(c, " ")
		a.Calls = append(a.Calls, proposal.Proposal{Tool: tool, Arguments: arguments})
		a.IDs = append(a.IDs, prefix+"-"+string(rune('a'+i)))
	}
	plan := machine.Propose(machine.Default(), a, start)
	if err := s.Insert(context.Background(), plan.Records, plan.Entries); err != nil {
		t.Fatal(err)
	}
	return plan.Records
}

func applyStep(t testing.TB, s *store.Store, id string, e machine.Event) bool {
	t.Helper()
	r, err := s.Load(context.Background(), "t", id)
	if err != nil {
		t.Fatal(err)
	}
	c := machine.Step([]machine.Record{r}, 0, e, start+1)
	if c.Write == nil {
		return false
	}
	ok, err := s.Update(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// TestStoreKeepsBytes checks that the store returns exactly the bytes that were stored.
func TestStoreKeepsBytes(t *testing.T) {
	s, _ := open(t)
	for i, arguments := range []string{`{}`, `{ "a" : 1.0 , "b":9007199254740993}`, `{"s":"é\u00e9\u0000\n'\"<&\u202e😀"}`, "{\"tab\":\t1,\r\n\"u2028\":\"\u2028\"}", `{"big":1e400,"neg":-0}`} {
		want := storeProposals(t, s, "k"+string(rune('0'+i)), "cancel_order "+arguments)[0]
		got, err := s.Load(context.Background(), "t", want.ID)
		if err != nil || got.Arguments != arguments || got.Prompt != want.Prompt || got.Digest != want.Digest || !reflect.DeepEqual(got.Why, want.Why) || got.Expires != want.Expires || got.State != want.State || got.Rev != 1 {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", arguments, err, got, want)
		}
	}
	if _, err := s.Load(context.Background(), "u", "k0-a"); !errors.Is(err, store.ErrNone) {
		t.Errorf("another tenant reads it: %v", err)
	}
	batch := storeProposals(t, s, "b", "get_order {}", "cancel_order {}", "get_order {}")
	got, err := s.Batch(context.Background(), "t", "b")
	if err != nil || len(got) != 3 || got[0].ID != batch[0].ID || got[0].State != machine.Approved || got[1].State != machine.Pending || got[2].Index != 2 {
		t.Errorf("batch: %v %+v", err, got)
	}
}

// TestStoreRefuses checks that the database itself refuses changes that must never
// happen.
func TestStoreRefuses(t *testing.T) {
	s, file := open(t)
	storeProposals(t, s, "a", "cancel_order {}")
	storeProposals(t, s, "d", "cancel_order {}")
	applyStep(t, s, "d-a", machine.Event{Kind: machine.Cancel, By: bot})
	if err := s.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	db := openRaw(t, file)
	for _, q := range []string{
		`UPDATE proposals SET state = 'approved', entry = 'x' WHERE id = 'd-a'`,
		`UPDATE proposals SET state = 'claimed', entry = 'x' WHERE id = 'a-a'`,
		`UPDATE proposals SET arguments = '{"x":1}', entry = 'x' WHERE id = 'a-a'`,
		`UPDATE proposals SET expires = '9', entry = 'x' WHERE id = 'a-a'`,
		`UPDATE proposals SET state = 'approved' WHERE id = 'a-a'`,
		`UPDATE proposals SET state = 'odd', entry = 'x' WHERE id = 'a-a'`,
		`DELETE FROM proposals`, `DELETE FROM audit`, `UPDATE audit SET entry = 'x'`, `UPDATE audit SET hash = ''`,
	} {
		if _, err := db.Exec(q); err == nil {
			t.Errorf("the database takes %s", q)
		}
	}
}

// TestStoreOneWinner checks that if two processes prepare many changes of the same
// record, only one change is stored.
func TestStoreOneWinner(t *testing.T) {
	s, file := open(t)
	second := openAgain(t, file)
	r := storeProposals(t, s, "a", "cancel_order {}")[0]
	var wins atomic.Int32
	var wait sync.WaitGroup
	for i := range 100 {
		c := machine.Step([]machine.Record{r}, 0, machine.Event{Kind: machine.Decide, By: alice, Approve: i%2 == 0, Digest: r.Digest}, start)
		wait.Go(func() {
			if ok, err := [...]*store.Store{s, second}[i/2%2].Update(context.Background(), c); err != nil {
				t.Error(err)
			} else if ok {
				wins.Add(1)
			}
		})
	}
	wait.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d winners", wins.Load())
	}
}

// TestStoreSettled checks that the store refuses to claim a call while another call of
// its batch waits. It must do so even if the process has not seen the other call.
func TestStoreSettled(t *testing.T) {
	s, _ := open(t)
	batch := storeProposals(t, s, "b", "get_order {}", "cancel_order {}")
	c := machine.Step(batch[:1], 0, machine.Event{Kind: machine.Claim, By: bot, Nonce: strings.Repeat("n", 32)}, start)
	if c.Write == nil {
		t.Fatal("the process that saw only one record should believe that it may claim")
	}
	if ok, err := s.Update(context.Background(), c); ok || err != nil {
		t.Errorf("claimed while the batch waits: %v", err)
	}
	applyStep(t, s, "b-b", machine.Event{Kind: machine.Decide, By: alice, Digest: batch[1].Digest})
	if ok, err := s.Update(context.Background(), c); !ok || err != nil {
		t.Errorf("not claimed after the decision: %v", err)
	}
}

// TestSealTogether checks that each tenant has one complete chain after several stores
// have written and sealed audit entries at the same time.
func TestSealTogether(t *testing.T) {
	s, file := open(t)
	second := openAgain(t, file)
	var wait sync.WaitGroup
	for i := range 8 {
		store := [...]*store.Store{s, second}[i%2]
		wait.Go(func() {
			for j := range 20 {
				e := machine.Entry{Version: 1, Tenant: [...]string{"t", "u"}[j%2], Event: "x", At: int64(i*100 + j)}
				if err := store.Note(context.Background(), e); err != nil {
					t.Error(err)
				}
				if err := store.Seal(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for _, tenant := range []string{"t", "u"} {
		var links []machine.Link
		err := s.Chain(context.Background(), tenant, func(l machine.Link) error { links = append(links, l); return nil })
		if faults := machine.Verify(tenant, links, 80, ""); err != nil || len(links) != 80 || len(faults) != 0 {
			t.Errorf("%s: %d rows, %v, %v", tenant, len(links), err, faults)
		}
	}
}

func TestKeep(t *testing.T) {
	s, _ := open(t)
	ctx := context.Background()
	k, fresh, err := s.Keep(ctx, "t", "bot", "key", gate.KeptForTest("h1", 202, "{}"), start)
	if err != nil || !fresh {
		t.Fatal(err)
	}
	if k, fresh, err = s.Keep(ctx, "t", "bot", "key", gate.KeptForTest("h2", 200, "no"), start); err != nil || fresh || k.Digest != "h1" || k.Status != 202 {
		t.Errorf("%+v %v %v", k, fresh, err)
	}
	if _, fresh, _ = s.Keep(ctx, "t", "bot2", "key", gate.KeptForTest("h2", 200, "no"), start); !fresh {
		t.Error("keys of different principals meet")
	}
	if err := s.Forget(ctx, start+1); err != nil {
		t.Fatal(err)
	}
	if _, found, _ := s.Kept(ctx, "t", "bot", "key"); found {
		t.Error("not forgotten")
	}
}

// TestSpend checks that an id can be used only once. After ForgetSpent has deleted it, it
// can be used again.
func TestSpend(t *testing.T) {
	s, _ := open(t)
	check := func(id string, fresh bool) {
		t.Helper()
		if got, err := s.Spend(t.Context(), id, start+1000); err != nil || got != fresh {
			t.Errorf("%s: %v %v, want %v", id, got, err, fresh)
		}
	}
	check("a", true)
	check("a", false)
	check("b", true)
	if err := s.ForgetSpent(t.Context(), start+1000); err != nil {
		t.Fatal(err)
	}
	check("a", false)
	if err := s.ForgetSpent(t.Context(), start+1001); err != nil {
		t.Fatal(err)
	}
	check("a", true)
}
