package jsonval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHalves checks that a text that is read in two halves has the same index as a text
// that is read at once, and that invalid texts have none.
func TestHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	joined := 0
	for range 20_000 {
		text := randomList(r)
		switch r.IntN(4) {
		case 0:
			cut := r.IntN(len(text))
			text = text[:cut] + text[min(cut+1+r.IntN(3), len(text)):]
		case 1:
			at := r.IntN(len(text))
			text = text[:at] + string(`[]{},:" \`[r.IntN(9)]) + text[at:]
		}
		want, got := buildIndex(text), indexHalves(text)
		if got == nil && want == nil {
			continue
		}
		if got == nil || want == nil {
			t.Fatalf("%s: halves %v, whole %v", text, got != nil, want != nil)
		}
		if !slices.Equal(got.tape, want.tape) {
			t.Fatalf("%s\nhalves %v\nwhole  %v", text, got.tape, want.tape)
		}
		if guessHalf(text).from > 0 {
			joined++
		}
	}
	if joined < 4_000 {
		t.Errorf("a half was found in only %d texts", joined)
	}
	deep := strings.Repeat("[", MaxDepth-3) + strings.Repeat("1,", 500) + strings.Repeat("{},[[],[[]],{}],", 400) + "[[[]]]" + strings.Repeat("]", MaxDepth-3)
	if d, want := indexHalves(deep), buildIndex(deep); d == nil || !slices.Equal(d.tape, want.tape) {
		t.Error("a list that is nested almost too deep has another index")
	}
	if d := indexHalves(strings.Replace(deep, "[[[]]]", "[[[[]]]]", 1)); d != nil {
		t.Error("a list that is nested too deep is indexed")
	}
	long := "[" + strings.Repeat(`{"name":"a, {","arguments":{"x":[1,{"y":"\",["},[]]}},`, 9000) + "1]"
	v, err := ParseHalves(long)
	if err != nil || v.Len() != 9001 || v.d.tape[0].end != uint32(len(v.d.tape)-1) {
		t.Fatal(err, v.Len())
	}
	whole, _ := Parse(long)
	if !slices.Equal(v.d.tape, whole.d.tape) {
		t.Error("a long list has another index")
	}
	_, err = ParseHalves(long[:len(long)-1])
	if _, want := Parse(long[:len(long)-1]); err == nil || err.Error() != want.Error() {
		t.Errorf("error %v, want %v", err, want)
	}
}

// randomList returns a list of objects, lists and scalars, whose strings contain JSON. The
// list may be a member of an object.
func randomList(r *rand.Rand) string {
	var value func(depth int) string
	value = func(depth int) string {
		n := r.IntN(4)
		switch k := r.IntN(6); {
		case k < 2 && depth < 4:
			var all []string
			for i := range n {
				all = append(all, fmt.Sprintf(`"k%d": %s`, i, value(depth+1)))
			}
			return "{" + strings.Join(all, ", ") + "}"
		case k < 4 && depth < 4:
			var all []string
			for range n {
				all = append(all, value(depth+1))
			}
			return "[" + strings.Join(all, ",\n ") + "]"
		case k == 4:
			return []string{`"a, {\"b\": [1]}, {"`, `"], ["`, `""`, `"x\\"`}[n]
		}
		return []string{"1", "-2.5e3", "true", "null"}[n]
	}
	var all []string
	for range 1 + r.IntN(8) {
		all = append(all, value(1))
	}
	text := strings.Repeat(" ", r.IntN(2)) + "[" + strings.Join(all, ", ") + "]" + strings.Repeat("\n", r.IntN(2))
	if r.IntN(3) == 0 {
		text = `{"a": 1, "runs": ` + text + `, "b": [[2], {}]}`
	}
	return text
}
