package kind_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawPair returns the arguments of two calls of one tool. They have values of the table of
// notations, lists, single values, JSON in texts, nothing, and units beside numbers.
func drawPair(r *rand.Rand) (a, b string) {
	pick := func(some ...string) string { return some[r.IntN(len(some))] }
	var first, second []string
	add := func(key, one, other string) {
		if r.IntN(2) == 0 {
			return
		}
		if r.IntN(12) > 0 {
			first = append(first, fmt.Sprintf("%q:%s", key, one))
		}
		if r.IntN(12) > 0 {
			second = append(second, fmt.Sprintf("%q:%s", key, other))
		}
	}
	for range 1 + r.IntN(3) {
		row := kind.Notations[r.IntN(len(kind.Notations))]
		values := strings.FieldsFunc(strings.ReplaceAll(row.Values, " | ", "\n"), func(c rune) bool { return c == '\n' || c == '\t' })
		one := pick(values...)
		add(row.Key, one, pick(one, pick(values...)))
	}
	lists := []string{`[]`, `{}`, `[1,2]`, `[2,1]`, `["a"]`, `"a"`, `"a, b"`, `["a","b"]`, `"[1,2]"`, `{"x":1}`, `"{\"x\":1}"`, `null`, `[{"x":1},{"x":2}]`, `[{"x":2},{"x":1}]`, `[{"x":1}]`, `[{"x":"1"},{"x":3}]`}
	add("ids", pick(lists...), pick(lists...))
	add("amount", pick("20", `"USD 20"`, `"20 kg"`, "21"), pick("20", `"$20"`, `"20000 g"`))
	add("currency", pick(`"USD"`, `"EUR"`), pick(`"USD"`, `"EUR"`))
	add("unit", pick(`"kg"`, `"g"`), pick(`"kg"`, `"g"`))
	add("start", pick(`"2024-05-01T14:00:00"`, `"2024-05-01T12:00:00Z"`), pick(`"2024-05-01T14:00:00+02:00"`, `"2024-05-01 14:00"`))
	add("timezone", pick(`"+02:00"`, `"UTC"`, `"Europe/Rome"`), pick(`"UTC+2"`, `"Europe/Rome"`))
	return "{" + strings.Join(first, ",") + "}", "{" + strings.Join(second, ",") + "}"
}

// TestAreEqualIsSettle checks that AreEqual says what Settle says.
func TestAreEqualIsSettle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	newCall := func(arguments string) similarity.Call {
		v, err := jsonval.Parse(arguments)
		if err != nil {
			t.Fatalf("%s: %v", arguments, err)
		}
		return similarity.NewCall([]string{"refund", "update_order"}[r.IntN(2)], v, "", "")
	}
	equal := 0
	for range drawn.Cases(4000) {
		a, b := drawPair(r)
		obs, ref := newCall(a), newCall(b)
		d := similarity.Compare(&obs, &ref, nil)
		k := pairing.Settle(&obs, &ref, nil, &d)
		if got := pairing.AreEqual(&obs, &ref, nil, &d); got != k.Equal() {
			t.Fatalf("%s\n%s: %v, want %v", a, b, got, k.Equal())
		}
		if k.Equal() {
			equal++
		}
	}
	if equal < 100 {
		t.Errorf("only %d pairs are equal", equal)
	}
}
