package align

import (
	"slices"
	"testing"
)

func TestTranspose(t *testing.T) {
	r := relation{[]int32{0, 2, 2, 4}, []entry{{0, 5}, {2, 6}, {1, 7}, {2, 8}}}
	got := r.transpose(3)
	if !slices.Equal(got.off, []int32{0, 1, 2, 4}) ||
		!slices.Equal(got.list, []entry{{0, 5}, {2, 7}, {0, 6}, {2, 8}}) {
		t.Errorf("got %v", got)
	}
	back := got.transpose(3)
	if !slices.Equal(back.off, r.off) || !slices.Equal(back.list, r.list) {
		t.Errorf("there and back: %v", back)
	}
}

func TestRelationSim(t *testing.T) {
	r := relation{[]int32{0, 2, 2, 4}, []entry{{0, 5}, {2, 6}, {1, 7}, {2, 8}}}
	check := func(obs, ref, want int32, ok bool) {
		t.Helper()
		if got, is := r.pairSimilarity(obs, ref); got != want || is != ok {
			t.Errorf("%d, %d: got %d, %v, want %d, %v", obs, ref, got, is, want, ok)
		}
	}
	check(0, 0, 5, true)
	check(0, 1, 0, false)
	check(0, 2, 6, true)
	check(0, 3, 0, false)
	check(1, 0, 0, false)
	check(2, 1, 7, true)
}
