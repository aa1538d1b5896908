//go:build !js

package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/internal/pgserver"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const start = int64(1_700_000_000_000)

var (
	bot   = machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}
	alice = machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}
)

func openStore(t *testing.T, address string) *store.Store {
	t.Helper()
	s, err := Open(t.Context(), address, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func insertCall(t *testing.T, s *store.Store, id string) machine.Record {
	t.Helper()
	plan := machine.Propose(machine.Default(), machine.Ask{By: bot, Session: "s", Calls: []proposal.Proposal{{Tool: "refund", Arguments: `{"n":1}`}}, IDs: []string{id}}, start)
	if err := s.Insert(t.Context(), plan.Records, plan.Entries); err != nil {
		t.Fatal(err)
	}
	return plan.Records[0]
}

// describeSchema returns every column, index, trigger and function of a schema.
func describeSchema(t *testing.T, server *pgserver.Server, address string) string {
	t.Helper()
	name := regexp.MustCompile(`search_path=(\w+)`).FindStringSubmatch(address)[1]
	return strings.ReplaceAll(server.Run(t, `
		SELECT 'column', table_name, column_name, data_type, coalesce(column_default, ''), coalesce(collation_name, '') FROM information_schema.columns WHERE table_schema = '`+name+`' ORDER BY 2, 3;
		SELECT indexdef FROM pg_indexes WHERE schemaname = '`+name+`' ORDER BY 1;
		SELECT pg_get_triggerdef(g.oid) FROM pg_trigger AS g JOIN pg_class AS c ON c.oid = g.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = '`+name+`' ORDER BY 1;
		SELECT pg_get_functiondef(p.oid) FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = '`+name+`' ORDER BY 1`), name, "schema")
}

// TestMigrations goes to each migration, back to each earlier one, and forward again. The
// tables must be the same as before each time.
func TestMigrations(t *testing.T) {
	server := pgserver.Shared(t)
	address := server.Address(t)
	names := migrationNames()
	var after []string
	for _, name := range names {
		if err := Migrate(t.Context(), address, name); err != nil {
			t.Fatal(err)
		}
		after = append(after, describeSchema(t, server, address))
	}
	for from := range names {
		for to := range names {
			for _, name := range []string{names[from], names[to]} {
				if err := Migrate(t.Context(), address, name); err != nil {
					t.Fatalf("from %s to %s: %v", names[from], names[to], err)
				}
			}
			if got := describeSchema(t, server, address); got != after[to] {
				t.Errorf("from %s to %s: the tables differ\n%s\n\nwant\n%s", names[from], names[to], got, after[to])
			}
		}
	}
	if err := Migrate(t.Context(), address, "0009_none"); err == nil || !strings.Contains(err.Error(), "0001_gate") {
		t.Errorf("an unknown migration: %v", err)
	}
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	if len(files) != 2*len(names) {
		t.Errorf("%d files for %d migrations: each has a way back", len(files), len(names))
	}
}

// TestMigrationsKeepRows checks that no migration is taken back whose rows would be lost, and
// that a program which does not know a migration starts only when it is told to.
func TestMigrationsKeepRows(t *testing.T) {
	address := pgserver.Shared(t).Address(t)
	s := openStore(t, address)
	insertCall(t, s, "a")
	if err := Migrate(t.Context(), address, "0001_gate"); err != nil {
		t.Fatal(err)
	}
	openStore(t, address)
	if r, err := s.Load(t.Context(), "t", "a"); err != nil || r.State != machine.Pending {
		t.Errorf("the call is lost on the way: %v %v", r.State, err)
	}
	m := machine.Remembered{ID: "m", Tenant: "t", Agent: "bot", Session: "s", Tool: "refund", Source: "a", Created: start, Until: start + 1000}
	applyStep(t, s, "a", machine.Event{Kind: machine.Decide, By: alice, Approve: true})
	a, _ := s.Load(t.Context(), "t", "a")
	if ok, err := s.Remember(t.Context(), m, a.Digest, machine.Entry{Version: 1, Tenant: "t", Event: "remember", At: start}); err != nil || !ok {
		t.Fatalf("not remembered: %v", err)
	}
	if err := Migrate(t.Context(), address, "0002_edit"); err == nil || !strings.Contains(err.Error(), "the database has remembered decisions") {
		t.Errorf("a migration was taken back with its rows: %v", err)
	}
	if all, _, err := s.Remembered(t.Context(), "t", start, store.Place{}); err != nil || len(all) != 1 {
		t.Errorf("after the refusal: %v %v", all, err)
	}
	pgserver.Shared(t).Run(t, `INSERT INTO `+regexp.MustCompile(`search_path=(\w+)`).FindStringSubmatch(address)[1]+`.migrations VALUES ('0099_new')`)
	if _, err := Open(t.Context(), address, false); !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "0099_new") {
		t.Errorf("a newer database: %v", err)
	}
	if s, err := Open(t.Context(), address, true); err != nil {
		t.Errorf("with --force-downgrade: %v", err)
	} else {
		s.Close()
	}
}

func applyStep(t *testing.T, s *store.Store, id string, e machine.Event) bool {
	t.Helper()
	r, err := s.Load(t.Context(), "t", id)
	if err != nil {
		t.Fatal(err)
	}
	if e.Kind == machine.Decide {
		e.Digest = r.Digest
	}
	c := machine.Step([]machine.Record{r}, 0, e, start+1)
	if c.Write == nil {
		return false
	}
	ok, err := s.Update(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// TestOpenTogether opens an empty database from several gates at once.
func TestOpenTogether(t *testing.T) {
	address := pgserver.Shared(t).Address(t)
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			s, err := Open(context.Background(), address, false)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wait.Wait()
}

// TestSession checks that a connection is as safe as the gate needs it, whatever the address
// or the server's own settings ask for, and that other limits of the address hold.
func TestSession(t *testing.T) {
	server := pgserver.Shared(t)
	show := func(address, setting string) string {
		t.Helper()
		s := openStore(t, address)
		got := ""
		if _, err := s.Change(t.Context(), `SELECT current_setting('`+setting+`')`, nil, &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	address := server.Address(t)
	for _, c := range [][3]string{
		{"", "statement_timeout", "5s"}, {"&statement_timeout=700", "statement_timeout", "700ms"},
		{"", "synchronous_commit", "on"}, {"&synchronous_commit=off", "synchronous_commit", "on"}, {"&synchronous_commit=remote_apply", "synchronous_commit", "remote_apply"},
		{"&default_transaction_isolation=serializable", "transaction_isolation", "read committed"},
		{"", "application_name", "boundcheck gate"}, {"&application_name=a", "application_name", "a"},
	} {
		if got := show(address+c[0], c[1]); got != c[2] {
			t.Errorf("%s with %q: %s, want %s", c[1], c[0], got, c[2])
		}
	}
	fails := func(address, want string) {
		t.Helper()
		begun := time.Now()
		s, err := Open(t.Context(), address, false)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
		if took := time.Since(begun); took > pace.Within(8*time.Second) {
			t.Errorf("%s: after %v", address, took)
		}
	}
	server.Run(t, `CREATE DATABASE latin ENCODING 'SQL_ASCII' TEMPLATE template0`)
	fails(strings.Replace(address, "/postgres?", "/latin?", 1), "it must have UTF8")
	fails(address+"&default_transaction_read_only=on", "read only")
	fails(address+"&pool_max_conns=0", "invalid pool_max_conns")
	fails("postgres://gate:secret@127.0.0.1:1/postgres", "cannot reach the gate's database")
	fails("postgres://gate:secret@[bad/postgres", "cannot parse")
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	fails(strings.Replace(address, server.Host(), deaf.Addr().String(), 1)+"&connect_timeout=1", "cannot reach the gate's database")
}

// TestTranslate checks that a statement of the store has PostgreSQL's form.
func TestTranslate(t *testing.T) {
	if got, want := translateQuery(`SELECT ?+0, x FROM json_each(?) AS j, sqlite_sequence WHERE a = ?`), `SELECT $1+0, x FROM each_row($2) AS j, numbers WHERE a = $3`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestZeroBytes checks that a text which PostgreSQL cannot store is refused and changes
// nothing, alone and beside others, and that escaped zero bytes are stored.
func TestZeroBytes(t *testing.T) {
	s := openStore(t, pgserver.Shared(t).Address(t))
	var wait sync.WaitGroup
	stored := make([]error, 40)
	for i := range stored {
		wait.Go(func() {
			tool := fmt.Sprintf("tool %d", i)
			if i%10 == 0 {
				tool += "\x00"
			}
			stored[i] = s.PutTurn(context.Background(), "t", "bot", store.Turn{Key: tool, Session: "s", Value: `"\u0000"`}, start)
		})
	}
	wait.Wait()
	var keys []string
	for i, err := range stored {
		if (err == nil) != (i%10 != 0) {
			t.Errorf("%d: %v", i, err)
		}
		keys = append(keys, fmt.Sprintf("tool %d", i))
	}
	if turns, err := s.Turns(t.Context(), "t", "bot", keys); err != nil || len(turns) != 36 || turns[0].Value != `"\u0000"` {
		t.Errorf("%d turns: %v", len(turns), err)
	}
	insertCall(t, s, "a")
	late := machine.Entry{Version: 1, Tenant: "t", ID: "a", Event: "late-outcome", At: start, Status: machine.Executed, Text: "zero \x00 \"id\":\"b\""}
	if err := s.Note(t.Context(), late); err != nil {
		t.Errorf("a late outcome with a zero byte in its text: %v", err)
	}
}

// TestView checks that a view reads and changes nothing.
func TestView(t *testing.T) {
	address := pgserver.Shared(t).Address(t)
	s := openStore(t, address)
	insertCall(t, s, "a")
	v, err := View(address)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if tenants, err := v.Tenants(t.Context()); err != nil || !slices.Equal(tenants, []string{"t"}) {
		t.Errorf("%v %v", tenants, err)
	}
	if err := v.Note(t.Context(), machine.Entry{Tenant: "t"}); err == nil {
		t.Error("a view writes")
	}
	if rows, err := v.VerifyStore(t.Context(), store.Known{}); err != nil || len(rows) != 1 || rows[0].Unsealed != 1 || len(rows[0].Faults) > 0 {
		t.Errorf("%+v %v", rows, err)
	}
}
