package mutation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNamesAreRemembered checks that names have the same words and kinds whether they were
// seen before or not, in several goroutines, and also after there were too many names.
func TestNamesAreRemembered(t *testing.T) {
	parts := []string{"get", "Order", "_id", "-", "s", "URL", "7", "é", ".", "__", "delete", "to", "items", strings.Repeat("long", 20)}
	var wait sync.WaitGroup
	for seed := range uint64(4) {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1))
			for i := range drawn.Cases(3000) {
				name := ""
				for range r.IntN(5) {
					name += parts[r.IntN(len(parts))]
				}
				if i%3 == 0 {
					name = fmt.Sprint(name, i)
				}
				if got, want := NameWords(name), splitName(name); !slices.Equal(got, want) {
					t.Errorf("%q: %q, want %q", name, got, want)
				}
				if got, want := memberWords(name), splitWords(name); !slices.Equal(got, want) {
					t.Errorf("%q: %q, want %q", name, got, want)
				}
				if got, want := memberKind(name), readMemberKind(name); got != want {
					t.Errorf("%q: %v, want %v", name, got, want)
				}
				_ = append(NameWords(name), "more") // must not reach the next caller
			}
		})
	}
	wait.Wait()
	if n := len(wordsOfNames.known); n > cacheLimit {
		t.Errorf("%d names are remembered", n)
	}
}
