package similarity

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func randomCall(t *testing.T, r *rand.Rand) *Call {
	t.Helper()
	text := "{"
	for i := range r.IntN(5) {
		if i > 0 {
			text += ","
		}
		value := fmt.Sprint(r.IntN(3))
		switch r.IntN(6) {
		case 0:
			value = fmt.Sprintf(`[%d,%d]`, r.IntN(2), r.IntN(2))
		case 1:
			value = `{"a":` + value + `,"b":null}`
		}
		text += fmt.Sprintf(`"%c":%s`, 'a'+rune(r.IntN(6)), value)
	}
	v, err := jsonval.Parse(text + "}")
	if err != nil {
		t.Fatal(err)
	}
	c := NewCall("n", v, "", "")
	if r.IntN(30) == 0 && len(c.Leaves) > 0 { // NewCall never makes such a call; Counts must leave it to Compare
		c.Leaves = append(c.Leaves, c.Leaves[len(c.Leaves)-1])
	}
	return &c
}

func TestCountsAreCompares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	left := 0
	for range 100 {
		calls := make([]*Call, 30)
		for i := range calls {
			calls[i] = randomCall(t, r)
		}
		x := NewIndex(calls)
		for range 20 {
			obs := randomCall(t, r)
			for i, c := range calls {
				n, ok := x.Counts(obs, i)
				if !ok {
					left++
					continue
				}
				d := Compare(obs, c, nil)
				if n != d.toCounts() || n.Equal() != d.Equal() {
					t.Fatalf("%q and %q: counts %+v, want %+v", obs.Key, c.Key, n, d.toCounts())
				}
			}
		}
	}
	if left == 0 || left > 10_000 {
		t.Errorf("%d of 60,000 pairs are left to Compare", left)
	}
}

func TestBagsAreTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"go", "Go", "to", "shelf", "1", "ÄÖ", "—", " ", "\n", "don't"}
	text := func() (s string) {
		for range r.IntN(9) {
			s += words[r.IntN(len(words))] + " "
		}
		return s
	}
	with, err := Embed(fixed{}, []string{"go ", "to "})
	if err != nil {
		t.Fatal(err)
	}
	for _, texts := range []Texts{{}, with} {
		b := NewBags(texts)
		for range 20_000 {
			x, y := text(), text()
			if got, want := b.Similarity(x, y), texts.Similarity(x, y); got != want {
				t.Fatalf("%q and %q: got %v, want %v", x, y, got, want)
			}
		}
	}
}

type fixed struct{}

func (fixed) Embed(texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, float32(i)}
	}
	return out, nil
}

// TestPopularLeavesCount checks the counts of calls that share a leaf with very many
// others, and that Alike returns the calls that share another leaf.
func TestPopularLeavesCount(t *testing.T) {
	call := func(text string) *Call {
		v, err := jsonval.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := NewCall("n", v, "", "")
		return &c
	}
	calls := make([]*Call, 3*mostHolders)
	for i := range calls {
		calls[i] = call(fmt.Sprintf(`{"all":1,"half":%d,"rare":%d,"own":%d}`, i%2, i/4, i))
	}
	x := NewIndex(calls)
	for _, i := range []int{0, 5, 700, len(calls) - 1, 5} {
		alike := x.Alike(calls[i])
		if len(alike) != 4 || alike[0] != int32(i) {
			t.Errorf("call %d: alike %v", i, alike)
		}
		for k, c := range calls {
			d := Compare(calls[i], c, nil)
			if n, ok := x.Counts(calls[i], k); !ok || n != d.toCounts() {
				t.Fatalf("calls %d and %d: %+v, want %+v", i, k, n, d.toCounts())
			}
		}
	}
}
