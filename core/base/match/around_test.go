package match

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestFindHidesNothing is the law of places: a value that a careless program finds at a
// path is never surely outside a rule, in whatever form the arguments hold it.
func TestFindHidesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 3))
	items, _ := path.CompilePlaces("items.#.price")
	amount, _ := path.CompilePlaces("order.amount")
	high, notLow := read(t, `{"min":20}`), read(t, `{"not":{"max":20}}`)
	name := func(s string) string {
		return pickOne(r, s, strings.ToUpper(s), strings.ToUpper(s[:1])+s[1:], s+"\u200b", s[:2]+"_"+s[2:])
	}
	for range drawn.Cases(2_000) {
		n := 21 + r.IntN(50)
		value := pickOne(r, fmt.Sprint(n), fmt.Sprintf("%q", fmt.Sprint(n)), fmt.Sprintf("[%d]", n), fmt.Sprintf(`{"value":%d}`, n))
		one := fmt.Sprintf(`{%q:%s}`, name("price"), value)
		list := pickOne(r, one, "["+one+"]", `[{"price":1},`+one+"]", "[["+one+"]]", `{"a":`+one+"}", `{"price":3,"x":`+one+"}")
		if r.IntN(3) == 0 {
			list = jsonval.Quoted(list)
		}
		order := pickOne(r, fmt.Sprintf(`{"amount":5,%q:%s}`, "Amount", value), fmt.Sprintf(`{%q:%s}`, name("amount"), value), fmt.Sprintf(`[{"amount":%s}]`, value))
		for text, p := range map[string]*path.Path{
			fmt.Sprintf(`{%q:%s}`, name("items"), list):                    items,
			fmt.Sprintf(`{"x":1,%q:%s}`, name("order"), order):             amount,
			fmt.Sprintf(`{%q:%s}`, name("order"), jsonval.Quoted(order)):   amount,
			fmt.Sprintf(`{"order":{"amount":1},%q:%s}`, "Order", order):    amount,
			fmt.Sprintf(`{"items":[{"price":%s},{"price":2}]}`, value):     items,
			fmt.Sprintf(`{"items":"[{\"price\":%d},","order":%s}`, n, "1"): items,
		} {
			f := Find(parse(t, text), p)
			if f.Holds(high) == No || f.Holds(notLow) == No {
				t.Fatalf("%s in %s is surely low: %d %d", p, text, f.Holds(high), f.Holds(notLow))
			}
		}
	}
	for text, want := range map[string]Answer{`{"items":[{"price":5}]}`: No, `{"items":[{"price":5},{"price":25}]}`: Yes, `{"items":[]}`: No, `{"items":{"price":5}}`: No, `{"order":{"amount":50}}`: No} {
		if got := Find(parse(t, text), items).Holds(high); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if Find(parse(t, `{"items":[{"price":5},{}]}`), items).Holds(notLow) != Yes {
		t.Error("an element without a price is not selected by not")
	}
}

// TestFindSeesNames checks that a text which a rule searches everywhere is also found in
// the names of members, but that not looks only at values.
func TestFindSeesNames(t *testing.T) {
	all, _ := path.CompilePlaces("*")
	key, notKey := read(t, `{"matches":"(?i)api[_-]?key"}`), read(t, `{"not":{"prefix":"W-"}}`)
	for text, want := range map[string]Answer{`{"api_key":"x"}`: Unknown, `{"a":{"b":[{"API-KEY":1}]}}`: Unknown, `{"a":"apikey"}`: Yes, `{"keys":"x"}`: No} {
		if got := Find(parse(t, text), all).Holds(key); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if got := Find(parse(t, `{"order":"W-1"}`), all).Holds(notKey); got != No {
		t.Errorf("the name of a member is selected by not: %d", got)
	}
}

func TestAmbiguous(t *testing.T) {
	for text, want := range map[string]bool{`{"path":1,"Path":2}`: true, `{"a":[{"x_y":1,"xY":2}]}`: true, `{"path":1,"paths":2,"b":{"path":3}}`: false, `[1]`: false} {
		if got := Ambiguous(parse(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
