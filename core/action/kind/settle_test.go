package kind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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
		row := notations[r.IntN(len(notations))]
		values := strings.FieldsFunc(strings.ReplaceAll(row.values, " | ", "\n"), func(c rune) bool { return c == '\n' || c == '\t' })
		one := pick(values...)
		add(row.key, one, pick(one, pick(values...)))
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

// TestZoneBeside checks a time zone that stands in the value in one call and beside it in the
// other. The clock of a named zone is not known, so only a judge can say it.
func TestZoneBeside(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want Outcome
	}{
		{`{"start":"2024-05-01T14:00:00+02:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"+02:00"}`, Same},
		{`{"start":"2024-05-01T14:00:00+02:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T12:00:00","timezone":"UTC"}`, Same},
		{`{"start":"2024-05-01T14:00:00","time_zone":"UTC+2"}`, `{"start":"2024-05-01T12:00:00","time_zone":"Etc/UTC"}`, Same},
		{`{"start":"2024-05-01T14:00:00+03:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"+02:00"}`, Differs},
		{`{"start":"2024-05-01T14:00:00-04:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, Unsure},
		{`{"start":"2024-05-01T14:00:00-04:00","timezone":"America/New_York"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, Unsure},
		{`{"start":"2024-05-02T14:00:00-04:00"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, Differs},
		{`{"start":"2024-05-01T14:00:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T14:00:00","timezone":"America/New_York"}`, Differs},
		{`{"start":"2024-05-01T14:00:00","timezone":"Europe/Rome"}`, `{"start":"2024-05-01T14:00:00"}`, Differs},
	} {
		for _, swapped := range []bool{false, true} {
			if swapped {
				row.a, row.b = row.b, row.a
			}
			var calls [2]similarity.Call
			for i, arguments := range []string{row.a, row.b} {
				v, err := jsonval.Parse(arguments)
				if err != nil {
					t.Fatal(err)
				}
				calls[i] = similarity.NewCall("create_event", v, "", "")
			}
			d := similarity.Compare(&calls[0], &calls[1], nil)
			k := Settle(&calls[0], &calls[1], nil, &d)
			if got := max(k.Certainty, Same); k.Equal() != (row.want == Same) || !k.Equal() && got != row.want {
				t.Errorf("%s and %s: %v, %+v", row.a, row.b, got, k.Rest)
			}
		}
	}
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
		k := Settle(&obs, &ref, nil, &d)
		if got := AreEqual(&obs, &ref, nil, &d); got != k.Equal() {
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

// TestBrokenNotations checks that no rule panics for a notation of which a part is missing,
// doubled or replaced, whatever the argument is, and that each pair has one outcome in both
// directions if it is the same.
func TestBrokenNotations(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 11))
	var all []string
	for _, row := range notations {
		all = append(all, strings.FieldsFunc(strings.ReplaceAll(row.values, " | ", "\n"), func(c rune) bool { return c == '\n' || c == '\t' })...)
	}
	damage := func(s string) string {
		text, err := jsonval.Parse(s)
		if err != nil {
			return s
		}
		b := []byte(text.Text())
		for range 1 + r.IntN(3) {
			if len(b) == 0 {
				break
			}
			i := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b = append(b[:i:i], b[i+1:]...)
			case 1:
				b = append(b[:i:i], append([]byte{b[i]}, b[i:]...)...)
			default:
				b[i] = "-:/.,=[{'\"~ 09aZ\n"[r.IntN(17)]
			}
		}
		return jsonval.Quoted(strings.ToValidUTF8(string(b), "?"))
	}
	same := 0
	for range drawn.Cases(30000) {
		row := notations[r.IntN(len(notations))]
		one := all[r.IntN(len(all))]
		other := one
		if r.IntN(2) == 0 {
			other = all[r.IntN(len(all))]
		}
		a, b := damage(one), damage(other)
		_, o := compareValues(row.tool, row.key, a, b)
		_, back := compareValues(row.tool, row.key, b, a)
		if (o == Same) != (back == Same) {
			t.Fatalf("%s(%s): %s and %s: %d, and %d the other way round", row.tool, row.key, a, b, o, back)
		}
		if o == Same {
			same++
		}
	}
	if same == 0 {
		t.Error("no pair is the same")
	}
}
