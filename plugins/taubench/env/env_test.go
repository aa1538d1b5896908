package env

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

func openMini(t *testing.T) *World {
	t.Helper()
	var files []File
	paths, _ := filepath.Glob("../testdata/env/*/*.json")
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: p, Data: string(b)})
	}
	w, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func parseArgs(t *testing.T, s string) *py.Dict {
	t.Helper()
	v, err := py.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*py.Dict)
}

// TestSessionsApart checks that sessions of one database do not see each other's
// changes and may run at the same time.
func TestSessionsApart(t *testing.T) {
	d := openMini(t).Database(Retail, Tau)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s := d.NewSession(Tau)
			for i, wantError := range []bool{false, true} {
				res, err := s.Call("cancel_pending_order", parseArgs(t, `{"order_id":"#M102","reason":"no longer needed"}`), "")
				if err != nil || res.Error != wantError || (len(res.Rows) == 2) == wantError {
					t.Errorf("call %d: %+v, %v", i, res, err)
				}
			}
			if !s.Changed() || len(Diff(s, d.NewSession(Tau))) == 0 || len(Diff(s, s)) != 0 {
				t.Error("the session's changes are not seen")
			}
		})
	}
	group.Wait()
}

// TestOnce checks that Once plays a run only once for each key, and that it does not keep
// a failed run.
func TestOnce(t *testing.T) {
	d := openMini(t).Database(Retail, Tau)
	played := 0
	once := func(dialect Dialect, key string) (*Session, error) {
		s, results, err := d.Once(dialect, key, func(s *Session) ([]Result, error) {
			if played++; key == "bad" {
				return nil, errors.New("no run")
			}
			res, err := s.Call("cancel_pending_order", parseArgs(t, `{"order_id":"#M102","reason":"no longer needed"}`), "")
			return []Result{res}, err
		})
		if err == nil && (len(results) != 1 || !s.Changed()) {
			t.Errorf("%+v", results)
		}
		return s, err
	}
	first, _ := once(Tau, "a")
	again, _ := once(Tau, "a")
	if first != again || played != 1 || len(Diff(d.NewSession(Tau), again)) == 0 || len(Diff(first, again)) != 0 {
		t.Errorf("played %d times", played)
	}
	for range 2 {
		if _, err := once(Tau, "bad"); err == nil {
			t.Error("a failed run was given")
		}
	}
	if other, _ := once(Tau2, "a"); other == first || played != 4 {
		t.Errorf("the dialects share a run, or a failed one was kept: played %d times", played)
	}
	for i := range 2 * mostFinished {
		once(Tau, string(rune('A'+i)))
	}
	if n := len(d.finished.runs); n > mostFinished {
		t.Errorf("%d runs are kept", n)
	}
}

// TestRewritten checks that writing the same values in another order does not change
// the state.
func TestRewritten(t *testing.T) {
	s := openMini(t).Database(Retail, Tau).NewSession(Tau)
	res, err := s.Call("modify_user_address", parseArgs(t, `{"user_id":"cleo_adeyemi_2001","address1":"12 Orchard Way","address2":"","city":"Leeds","state":"WY","country":"UK","zip":"11111"}`), "")
	if err != nil || res.Error || len(res.Rows) != 0 || !res.Rewritten || s.Changed() {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestBadData checks that Open refuses a file that is not a database, and that each
// call that needs an invalid row returns an error.
func TestBadData(t *testing.T) {
	files := []File{{"flights.json", `{"F1":{"flight_number":}}`}, {"reservations.json", `{}`}, {"users.json", `{"u":[1]}`}}
	w, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	s := w.Database(Airline, Tau).NewSession(Tau)
	for range 2 {
		for call, arguments := range map[string]string{
			"get_user_details":     `{"user_id":"u"}`,
			"search_direct_flight": `{"origin":"A","destination":"B","date":"2024-05-20"}`,
		} {
			var bad *DataError
			if res, err := s.Call(call, parseArgs(t, arguments), ""); !errors.As(err, &bad) {
				t.Errorf("%s: %+v, %v", call, res, err)
			}
		}
	}
	if _, err := Open([]File{{"users.json", "{}"}, {"wiki.md", ""}}); err == nil || !strings.Contains(err.Error(), "no database found") {
		t.Errorf("error %v", err)
	}
	if _, err := Open([]File{{"db.json", `{"orders":{`}}); err == nil {
		t.Error("a broken db.json: no error")
	}
}

// TestSingleFile checks that the method Database prefers a database in a single file for
// τ².
func TestSingleFile(t *testing.T) {
	table := func(id string) string { return `{"` + id + `":{"order_id":"` + id + `"}}` }
	w, err := Open([]File{
		{"a/orders.json", table("v1")}, {"a/products.json", "{}"}, {"a/users.json", "{}"},
		{"b/db.json", `{"orders":` + table("v2") + `,"products":{},"users":{}}`},
	})
	if err != nil {
		t.Fatal(err)
	}
	for dialect, id := range map[Dialect]string{Tau: "v1", Tau2: "v2"} {
		if d := w.Database(Retail, dialect); d == nil || d.rawRow("orders", id) == "" {
			t.Errorf("dialect %d has not got %s", dialect, id)
		}
	}
	if w.Database(Airline, Tau) != nil {
		t.Error("an airline out of nothing")
	}
}

func TestDomainOf(t *testing.T) {
	for names, want := range map[string]Domain{
		"think calculate": "", "": "", "book_reservation": Airline, "get_item_details think": Retail,
		"get_user_details get_flight_status": Airline, "no_such_tool": "",
	} {
		if got := DomainOf(strings.Fields(names)); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
