package pairing

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// settleCalls compares two calls of a tool, whose arguments are JSON texts.
func settleCalls(t *testing.T, tool, obs, ref string) Ruling {
	t.Helper()
	call := func(text string) similarity.Call {
		v, err := jsonval.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return similarity.NewCall(tool, v, "", "")
	}
	a, b := call(obs), call(ref)
	terms := &similarity.Terms{}
	d := similarity.Compare(&a, &b, terms)
	if d.Equal() {
		return Ruling{Rest: d}
	}
	return Settle(&a, &b, terms, &d)
}

// TestParts is the law that a value of one argument equals the two arguments with its parts
// exactly if it is the same value. It draws points in time and amounts in several notations,
// and changes one part.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 3))
	dates := []string{"2006-01-02", "2 January 2006", "January 2, 2006", "2006/01/02"}
	clocks := []string{"15:04", "3:04 PM", "15:04:05"}
	pick := func(layouts []string) string { return layouts[random.IntN(len(layouts))] }
	check := func(tool, obs, ref string, same bool) {
		t.Helper()
		for _, pair := range [][2]string{{obs, ref}, {ref, obs}} {
			if r := settleCalls(t, tool, pair[0], pair[1]); r.Equal() != same {
				t.Fatalf("%s %s and %s: %+v, want equal: %v", tool, pair[0], pair[1], r, same)
			}
		}
	}
	for range drawn.Cases(300) {
		at := time.Date(2026, time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), 5*random.IntN(12), 0, 0, time.UTC)
		whole := fmt.Sprintf(`{"room":"R1","start":%q}`, at.Format(pick([]string{"2006-01-02T15:04:05", "2006-01-02 15:04", "2 January 2006 15:04"})))
		parts := func(at time.Time) string {
			names := [][2]string{{"date", "time"}, {"start_date", "start_time"}}[random.IntN(2)]
			return fmt.Sprintf(`{"room":"R1",%q:%q,%q:%q}`, names[0], at.Format(pick(dates)), names[1], at.Format(pick(clocks)))
		}
		check("book_room", whole, parts(at), true)
		check("book_room", whole, parts(at.AddDate(0, 0, 1+random.IntN(27))), false)
		check("book_room", whole, parts(at.Add(time.Duration(1+random.IntN(23))*time.Hour)), false)
		cents, code := 1+random.IntN(100000), pick([]string{"USD", "EUR", "GBP"})
		amount := fmt.Sprintf(`{"to":"A7","amount":"%s %d.%02d"}`, code, cents/100, cents%100)
		nested := func(cents int, code string) string {
			return fmt.Sprintf(`{"to":"A7","amount":{"value":%d.%02d,"currency":%q}}`, cents/100, cents%100, code)
		}
		check("pay", amount, nested(cents, code), true)
		check("pay", amount, nested(cents+1, code), false)
		check("pay", amount, nested(cents, "CHF"), false)
	}
	check("book_room", `{"end":"2026-01-02T14:00"}`, `{"date":"2026-01-02","time":"14:00"}`, false)
	check("book_room", `{"start":"2026-01-02T14:00"}`, `{"date":"2026-01-02","end_time":"14:00"}`, false)
}

// TestClearing checks null, an empty list and an absent argument. They are one value unless
// the tool changes or clears fields.
func TestClearing(t *testing.T) {
	for _, c := range []struct {
		tool, obs, ref, want string
	}{
		{"send_mail", `{"to":"a","cc":null}`, `{"to":"a"}`, "equal"},
		{"send_mail", `{"to":"a","cc":[]}`, `{"to":"a"}`, "equal"},
		{"update_user", `{"id":"u1","phone":null}`, `{"id":"u1"}`, "likely"},
		{"update_user", `{"id":"u1","phone":null,"fax":null}`, `{"id":"u1"}`, "unsure"}, // a client that writes each argument
		{"create_event", `{"id":"u1","description":""}`, `{"id":"u1"}`, "equal"},
		{"update_event", `{"id":"u1","description":""}`, `{"id":"u1"}`, "unsure"},
		{"convert_amount", `{"amount":50,"from_currency":"EUR","to_currency":"CHF"}`, `{"amount":50,"from_currency":"EUR","to_currency":"SEK"}`, "differs"},
		{"update_user", `{"id":"u1","phone":null}`, `{"id":"u1","phone":"+1 555"}`, "differs"},
		{"update_user", `{"id":"u1","tags":[]}`, `{"id":"u1","tags":null}`, "unsure"},
		{"update_user", `{"id":"u1","tags":[]}`, `{"id":"u1"}`, "differs"},
		{"clear_filter", `{"id":"u1","filter":null}`, `{"id":"u1","filter":null}`, "equal"},
	} {
		for _, sides := range [][2]string{{c.obs, c.ref}, {c.ref, c.obs}} {
			r := settleCalls(t, c.tool, sides[0], sides[1])
			got := map[kind.Outcome]string{kind.Unsure: "unsure", kind.Likely: "likely", kind.Differs: "differs"}[r.Certainty]
			if r.Equal() {
				got = "equal"
			}
			if got != c.want {
				t.Errorf("%s %s and %s: %s, want %s", c.tool, sides[0], sides[1], got, c.want)
			}
		}
	}
	if r := settleCalls(t, "update_user", `{"tags":[]}`, `{"tags":null}`); r.Certainty != kind.Unsure || len(r.Rest.Changed) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestListsWithoutOrder checks which lists are equal in another order. Each list is tried in
// both directions.
func TestListsWithoutOrder(t *testing.T) {
	for _, c := range []struct {
		tool, obs, ref string
		want           bool
	}{
		{"request_review", `{"reviewers":["mei","ravi"]}`, `{"reviewers":["ravi","mei"]}`, true},
		{"add_labels", `{"labels":["vip","urgent","vip"]}`, `{"labels":["urgent","vip"]}`, true},
		{"order_drinks", `{"drinks":["tea","cola","tea"]}`, `{"drinks":["cola","tea"]}`, false},
		{"save_recipe", `{"tags":["quick","vegan"]}`, `{"tags":["vegan","quick"]}`, true},
		{"create_order", `{"items":[{"sku":"A-1","qty":2},{"sku":"B-7","qty":"1"}]}`, `{"items":[{"qty":1,"sku":"B-7"},{"qty":2,"sku":"A-1"}]}`, true},
		{"create_order", `{"items":{"sku":"A-1","qty":2}}`, `{"items":[{"sku":"A-1","qty":"2"}]}`, true},
		{"create_order", `{"items":[{"sku":"A-1","qty":1},{"sku":"B-7","qty":2}]}`, `{"items":[{"sku":"A-1","qty":2},{"sku":"B-7","qty":1}]}`, false},
		{"create_order", `{"items":{"sku":"A-1","qty":2}}`, `{"items":[{"sku":"A-1","qty":2},{"sku":"B-7","qty":2}]}`, false},
		{"create_order", `{"items":[{"sku":"A-1"},{"sku":"A-1"}]}`, `{"items":[{"sku":"A-1"},{"sku":"B-7"}]}`, false},
		{"set_playlist", `{"songs":["a","b"]}`, `{"songs":["b","a"]}`, false},
		{"plan_tour", `{"cities":["Rome","Bari"],"sequential":true}`, `{"cities":["Bari","Rome"],"sequential":true}`, false},
		{"set_firewall_order", `{"groups":["deny","allow"]}`, `{"groups":["allow","deny"]}`, false},
		{"run_command", `{"args":["-r","x"]}`, `{"args":["x","-r"]}`, false},
		{"draw_line", `{"points":[{"x":1,"y":2},{"x":3,"y":4}]}`, `{"points":[{"x":3,"y":4},{"x":1,"y":2}]}`, false},
		{"set_view", `{"center":[8.5,47.4]}`, `{"center":[47.4,8.5]}`, false},
		{"write_poem", `{"verses":["The sun goes down at last","And all the birds are still"]}`, `{"verses":["And all the birds are still","The sun goes down at last"]}`, false},
		{"run_steps", `{"steps":[{"do":"stop"},{"do":"start"}]}`, `{"steps":[{"do":"start"},{"do":"stop"}]}`, false},
	} {
		for _, sides := range [][2]string{{c.obs, c.ref}, {c.ref, c.obs}} {
			if r := settleCalls(t, c.tool, sides[0], sides[1]); r.Equal() != c.want {
				t.Errorf("%s %s and %s: %v, want %v (%+v)", c.tool, sides[0], sides[1], r.Equal(), c.want, r.Rest)
			}
		}
	}
}

// TestRepeatedItem checks that an item which a list has twice is less certain than another item.
func TestRepeatedItem(t *testing.T) {
	for items, want := range map[string]kind.Outcome{`["a","b","b"]`: kind.Likely, `["a","b","c"]`: kind.Differs, `["a","b","c","c"]`: kind.Differs} {
		for _, sides := range [][2]string{{items, `["a","b"]`}, {`["a","b"]`, items}} {
			if r := settleCalls(t, "update_cart", `{"items":`+sides[0]+`}`, `{"items":`+sides[1]+`}`); r.Certainty != want {
				t.Errorf("%s and %s: %d, want %d (%+v)", sides[0], sides[1], r.Certainty, want, r.Rest)
			}
		}
	}
}

// TestUnitsInNames is the law that two arguments whose names differ in a unit are one value exactly if it
// is the same. It draws lengths of time and amounts.
func TestUnitsInNames(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 24))
	seconds := map[string]int{"seconds": 1, "minutes": 60, "hours": 3600}
	units := []string{"seconds", "minutes", "hours"}
	for range drawn.Cases(300) {
		n, x, y := 3600*(1+random.IntN(40)), random.IntN(3), random.IntN(3)
		if x == y {
			continue
		}
		call := func(n, unit int) string {
			return fmt.Sprintf(`{"job":"J1","timeout_%s":%d}`, units[unit], n/seconds[units[unit]])
		}
		if r := settleCalls(t, "set_timeout", call(n, x), call(n, y)); !r.Equal() {
			t.Fatalf("%s and %s: %+v", call(n, x), call(n, y), r.Rest)
		}
		if r := settleCalls(t, "set_timeout", call(n, x), call(n+3600, y)); r.Equal() {
			t.Fatalf("%s and %s are equal", call(n, x), call(n+3600, y))
		}
		cents := 1 + random.IntN(100000)
		for plus, same := range []bool{true, false} {
			a, b := fmt.Sprintf(`{"to":"A7","amount":"%d.%02d","currency":"EUR"}`, cents/100, cents%100), fmt.Sprintf(`{"to":"A7","amount_in_cents":%d,"currency":"EUR"}`, cents+plus)
			for _, sides := range [][2]string{{a, b}, {b, a}} {
				if r := settleCalls(t, "pay", sides[0], sides[1]); r.Equal() != same {
					t.Fatalf("%s and %s: %v", sides[0], sides[1], !same)
				}
			}
		}
	}
}

// TestOtherShapes checks values that stand in other arguments, or in a list, and values that only look so.
func TestOtherShapes(t *testing.T) {
	for _, c := range []struct{ tool, obs, ref, want string }{
		{"run_command", `{"command":"cd /srv/app && make test"}`, `{"command":"make test","cwd":"/srv/app"}`, "equal"},
		{"run_command", `{"command":"cd /srv/other && make test"}`, `{"command":"make test","cwd":"/srv/app"}`, "differs"},
		{"execute", `{"argv":["git","commit","-m","fix typo"]}`, `{"argv":"git commit -m 'fix typo'"}`, "equal"},
		{"execute", `{"argv":["git","commit","-m","fix"]}`, `{"argv":"git commit -m 'fix typo'"}`, "differs"},
		{"lock_period", `{"period":{"start":"2026-02-01","end":"2026-02-28"}}`, `{"period":"February 2026"}`, "equal"},
		{"lock_period", `{"period":{"start":"2026-02-01","end":"2026-02-27"}}`, `{"period":"February 2026"}`, "differs"},
		{"lock_period", `{"period":{"from":"2026-04-01","to":"2026-06-30"}}`, `{"period":"Q2 2026"}`, "equal"},
		{"set_equipment", `{"equipment":"camera, beamer, board"}`, `{"equipment":["beamer","board","camera"]}`, "equal"},
		{"set_widget", `{"page":"x","visible":true}`, `{"page":"x","hidden":false}`, "equal"},
		{"set_widget", `{"page":"x","visible":true}`, `{"page":"x","hidden":true}`, "differs"},
		{"set_batting_order", `{"players":"b, a, c"}`, `{"players":["a","b","c"]}`, "differs"},
		{"set_equipment", `{"equipment":"camera, beamer, board"}`, `{"equipment":"beamer, board, camera"}`, "unsure"},
		{"plan_route", `{"stops":"Rome, Bari, Lecce"}`, `{"stops":"Bari, Rome, Lecce"}`, "differs"},
	} {
		for _, sides := range [][2]string{{c.obs, c.ref}, {c.ref, c.obs}} {
			r, got := settleCalls(t, c.tool, sides[0], sides[1]), "differs"
			switch {
			case r.Equal():
				got = "equal"
			case r.Certainty == kind.Unsure:
				got = "unsure"
			}
			if got != c.want {
				t.Errorf("%s %s and %s: %s, want %s (%+v)", c.tool, sides[0], sides[1], got, c.want, r.Rest)
			}
		}
	}
}
