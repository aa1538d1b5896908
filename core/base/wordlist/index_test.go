package wordlist

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// An index and a map that get the same words are the same.
func TestIndexIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		space := random.IntN(40)
		index, want := IndexFor[int](space), map[string]int{}
		if space == 0 {
			index = Index[int]{}
		}
		for range random.IntN(300) {
			w := fmt.Sprintf("%x", 1+random.IntN(200))
			n := random.IntN(9)
			*index.At(w) += n
			want[w] += n
		}
		for i := range 201 {
			if w := fmt.Sprintf("%x", i); index.Get(w) != want[w] {
				t.Fatalf("%s is %d, want %d", w, index.Get(w), want[w])
			}
		}
		if got := maps.Collect(index.All()); !maps.Equal(got, want) || index.Get("") != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
