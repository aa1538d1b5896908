package core_test

import (
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestLongListsAreFast compares two lists of 150 kB: the same in another order, with one other element, and without any common one.
func TestLongListsAreFast(t *testing.T) {
	const n = 8000
	a, b, c := make([]any, n), make([]any, n), make([]any, n)
	for i := range n {
		a[i], c[i] = fmt.Sprint("src/part", i, ".x"), fmt.Sprint("lib/part", i, ".x")
		b[i*7919%n] = a[i]
	}
	one := append([]any{"lib/part.x"}, b[1:]...)
	for _, list := range [][]any{b, one, c} {
		took := pace.Spent(func() {
			scoreCalls(t, "sop", [][3]any{{"delete_files", obj{"paths": list}, ok}}, [3]any{"delete_files", obj{"paths": a}, nil})
		})
		if took.Seconds() > 3 {
			t.Errorf("a list that begins with %v took %v of computing", list[0], took)
		} else {
			t.Log(list[0], took)
		}
	}
}
