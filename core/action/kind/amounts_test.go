package kind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestExactAmounts draws amounts of up to 10^12 in whole cents, in several notations. They are the same exactly if the cents are.
func TestExactAmounts(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 8))
	grouped := func(n int64) string {
		s := fmt.Sprint(n)
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
		return s
	}
	write := func(cents int64) string {
		return []string{fmt.Sprintf(`"$%s.%02d"`, grouped(cents/100), cents%100), fmt.Sprintf(`"USD %d.%02d"`, cents/100, cents%100), fmt.Sprintf(`"%s.%02d USD"`, grouped(cents/100), cents%100)}[r.IntN(3)]
	}
	for range 3000 {
		a := 1 + r.Int64N(int64(1)<<uint(8+r.IntN(38)))
		b := a + r.Int64N(3) - 1
		if _, o := compareValues("transfer_funds", "amount", write(a), write(b)); (o == Same) != (a == b) {
			t.Fatalf("%d and %d cents: outcome %d", a, b, o)
		}
		x, y := fmt.Sprintf("%d.%02d", a/100, a%100), fmt.Sprintf("%d.%02d", b/100, b%100)
		if _, o := compareValues("pay", "total", x, y); a != b && o == Same {
			t.Fatalf("%s and %s are the same", x, y)
		}
	}
	if _, o := compareValues("set_rate", "ratio", "0.30000000000000004", "0.3"); o != Same {
		t.Error("a computed fraction is another one")
	}
}

// TestImpossibleDays writes drawn days, some of which no calendar has or whose day of the week is another one. They are
// the same as another day only if they exist, by the standard library, and are that day.
func TestImpossibleDays(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 9))
	impossible, apart := 0, 0
	for range 4000 {
		year, month, day := 1990+r.IntN(60), 1+r.IntN(12), 27+r.IntN(5)
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		exists := at.Day() == day
		weekday := at.Weekday()
		wrong := exists && r.IntN(2) == 0
		if wrong {
			weekday = (weekday + 1 + time.Weekday(r.IntN(6))) % 7
		}
		a := []string{fmt.Sprintf("%d-%02d-%02d", year, month, day), fmt.Sprintf("%s %d, %d", time.Month(month), day, year), fmt.Sprintf("%d.%d.%d", day, month, year), fmt.Sprintf("%d-%02d-%02dT10:00:00", year, month, day)}[r.IntN(4)]
		if wrong || r.IntN(2) == 0 {
			a = fmt.Sprintf("%s, %s", weekday, []string{fmt.Sprintf("%d-%02d-%02d", year, month, day), fmt.Sprintf("%s %d, %d", time.Month(month), day, year)}[r.IntN(2)])
		}
		b := at.Format(time.DateOnly)
		if strings.Contains(a, "T10") {
			b += " 10:00"
		}
		_, o := compareValues("book_room", "date", jsonval.Quoted(a), jsonval.Quoted(b))
		if same := exists && !wrong; same != (o == Same || a == b) {
			t.Fatalf("%s beside %s: outcome %d; it exists: %v, another weekday: %v", a, b, o, exists, wrong)
		}
		if !exists {
			impossible++
		}
		if wrong {
			apart++
		}
	}
	if impossible < 400 || apart < 400 {
		t.Error(impossible, apart)
	}
}

// TestBitsAndBytes draws amounts and rates of data as bits and bytes with each prefix. The test counts bits; a notation
// whose letter case leaves open what it is, is never the same as one that does not.
func TestBitsAndBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 10))
	draw := func(rate bool) (text string, bits float64) {
		power, n := r.IntN(4), 1+r.IntN(9)
		bits = float64(n)
		for range power {
			bits *= 1000
		}
		text = fmt.Sprint(n, " ", []string{"k", "M", "G", "T"}[power])
		bits *= 1000
		if r.IntN(2) == 0 {
			bits *= 8
			text += "B"
		} else {
			text += "b"
		}
		switch {
		case !rate:
		case r.IntN(2) == 0:
			text += "ps"
		default:
			text += "/s"
		}
		return text, bits
	}
	for range 5000 {
		rate := r.IntN(2) == 0
		a, x := draw(rate)
		b, y := draw(rate)
		if strings.Contains(a, "kb") && !rate || strings.Contains(b, "kb") && !rate {
			continue // kb may be bytes
		}
		if _, o := compareValues("set_limit", "limit", jsonval.Quoted(a), jsonval.Quoted(b)); a != b && (o == Same) != (x == y) {
			t.Fatalf("%s beside %s: outcome %d", a, b, o)
		}
	}
	for _, open := range []string{"5 mb", "5 gb", "5 kb"} {
		for _, sure := range []string{"5 Mb", "5 MB", "5 Gb", "5 GB", "5 kB"} {
			if _, o := compareValues("set_limit", "limit", jsonval.Quoted(open), jsonval.Quoted(sure)); o == Same {
				t.Errorf("%s is %s", open, sure)
			}
		}
	}
}
