package similarity

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestSpellings checks which spellings of a value are equal. The spellings of one row are
// equal to one another, and different from those of all other rows.
func TestSpellings(t *testing.T) {
	rows := [][]string{
		{`55120`, `"55120"`, `" 55120 "`, `55120.0`},
		{`"055120"`}, {`"55120.0"`}, {`"+55120"`},
		{`12.5`, `"12.5"`}, {`"12.50"`}, {`"1.10"`}, {`"1.1"`, `1.1`}, {`-3`, `"-3"`}, {`"-03"`}, {`0`, `"0"`},
		{`"2025-09-05"`, `"5 September 2025"`, `"September 5, 2025"`, `"5th of September 2025"`, `"Fri, 5 Sep 2025"`, `"2025/09/05"`, `"Friday, the 5th of September 2025"`, `"5-Sep-2025"`},
		{`"9/5/2025"`}, {`"05/09/2025"`}, {`"5 September"`}, {`"31 February 2025"`}, {`"5 September 2025 or later"`}, {`"before 5 September 2025"`},
		{`"5rd September 2025"`}, {`"2025-09-06"`, `"6 Sept. 2025"`},
		{`"2025-09-05T14:00"`, `"2025-09-05 14:00"`, `"2025-09-05T14:00:00"`, `"2025-09-05 14:00:00.000"`},
		{`"2025-09-05T14:00Z"`, `"2025-09-05T14:00:00+00:00"`, `"2025-09-05 14:00:00Z"`},
		{`"2025-09-05T14:00+02:00"`, `"2025-09-05 12:00Z"`}, {`"2025-09-05T23:30-01:00"`, `"2025-09-06T00:30:00Z"`}, {`"2025-09-05T14:00+2:00"`}, {`"2025-13-45T14:00+02:00"`},
		{`"500mg"`, `"500 mg"`, `"0.5 g"`, `"0.50g"`}, {`"5 g"`}, {`"5 G"`}, {`"1.5 kg"`, `"1500 g"`}, {`"2 m"`}, {`"2 min"`}, {`"05 mg"`}, {`"5.g"`}, {`"5mg x"`},
		{`"2025-09-05T14:00:30"`},
		{`"+49 30 5550142"`, `"+49305550142"`, `"+49 (30) 555-0142"`}, {`"030 5550142"`}, {`"+49 30 5550143"`}, {`"+49 30 555 ext 1"`}, {`"+1 2"`},
		{`"Ana@Shop.example"`, `"ana@shop.example"`},
		{`"DE00 1234 5678 9012 3456 78"`, `"DE00123456789012345678"`}, {`"DE00 1234 567 9012 3456 78"`}, {`"1E00 1234 5678 9012"`}, {`"ROOM 1234 5678 9012"`},
		{`"B3"`, `" B3"`}, {`"b3"`}, {`true`, `"true"`, `"True"`}, {`"TRUE"`}, {`"yes"`}, {`false`, `"false"`, `"False"`}, {`""`},
		{`"May 2025 was the month in which 7 of us met"`}, {`"7 May 2025 AD"`}, {`"order 2025"`},
	}
	seen := map[string]int{}
	for i, row := range rows {
		for _, raw := range row {
			v, err := jsonval.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			got := NormalText(v)
			if first, ok := seen[got]; ok && first != i {
				t.Errorf("%s equals a spelling of row %d: %s", raw, first, got)
			}
			if first := rows[i][0]; raw != first {
				v, _ := jsonval.Parse(first)
				if want := NormalText(v); got != want {
					t.Errorf("%s is %s, want %s as for %s", raw, got, want, first)
				}
			}
			seen[got] = i
		}
	}
}

// TestAmounts checks which texts are amounts of money. A text such as "1,250.00" is a
// number only if the argument's name is that of an amount.
func TestAmounts(t *testing.T) {
	value := func(arguments string) string { return newTestCall(t, "f", arguments).Leaves[0].Value }
	for _, text := range []string{`"1,250.00"`, `"1250.00"`, `"$1,250"`, `" 1250 "`, `1250.0`} {
		if got, want := value(`{"refund_amount":`+text+`}`), value(`{"refund_amount":1250}`); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{`"1,25"`, `"12,50.00"`, `"01250"`, `"1250.00 EUR"`, `"1250."`, `"$"`, `"1250,000,00"`} {
		if got := value(`{"amount":` + text + `}`); got[0] != '"' {
			t.Errorf("%s is the number %s", text, got)
		}
	}
	if value(`{"version":"1.10"}`) == value(`{"version":"1.1"}`) {
		t.Error("two versions are equal")
	}
}

// TestPlainIsText compares the plain texts of JSON and of other texts with what a parser
// says, and the quick refusals of keys and account numbers with the full ones.
func TestPlainIsText(t *testing.T) {
	for _, raw := range []string{``, `"`, `""`, `"a"`, ` "a"`, `"a" `, `"a\n\u00e9"`, `"a" "b"`, `"a`, "\"a\n\"", `12`, `[1]`, `{"a":"b"}`, `"\x"`, `a"b"`, `null`} {
		want := raw
		if v, err := jsonval.Parse(raw); err == nil {
			want = v.Text()
		}
		if got := Plain(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	for _, word := range []string{"amount", "price", "total", "cost", "fee", "sum", "balance", "refund", "salary", "budget"} {
		if !isAmountKey(word) || !isAmountKey("the"+strings.ToUpper(word)) || isAmountKey(word+"s_of") {
			t.Errorf("the key %s", word)
		}
	}
	check := func(s string, want bool) {
		t.Helper()
		if got := isAccountNumber(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
	check("DE00 1234 5678 9012 3456 78", true)
	check("DE00 1234 5678 9012", true)
	check("DE00123456789012", false)
	check("DE0 1234 5678 9012", false)
	check("DE00", false)
	check("", false)
}
