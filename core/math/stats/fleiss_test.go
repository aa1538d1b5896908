package stats

import (
	"math"
	"testing"
)

// TestFleissTextbook checks the worked example of Fleiss (1971) that textbooks copy: ten
// subjects, fourteen raters, five categories, κ = 0.210.
func TestFleissTextbook(t *testing.T) {
	k, ok := Fleiss([][]int{
		{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7},
	})
	if !ok || math.Abs(k.Value-0.20993070442195522) > 1e-12 {
		t.Errorf("κ = %v, %v", k, ok)
	}
}

func TestFleissEdges(t *testing.T) {
	for _, c := range []struct {
		name     string
		subjects [][]int
		want     float64
		ok       bool
	}{
		{"all agree on two categories", [][]int{{3, 0}, {0, 3}}, 1, true},
		{"each pair differs", [][]int{{1, 1}, {1, 1}}, -1, true},
		{"one rating is left out", [][]int{{3, 0}, {0, 3}, {1, 0}}, 1, true},
		{"numbers differ", [][]int{{2, 0}, {0, 3}, {1, 1}}, (2.0/3 - 25.0/49) / (24.0 / 49), true}, // P̄ = 2/3; p = 3/7 and 4/7
		{"nobody", nil, 0, false},
		{"one rating each", [][]int{{1, 0}, {0, 1}}, 0, false},
		{"one category", [][]int{{2, 0}, {4, 0}}, 0, false},
		{"rows of different length", [][]int{{2}, {0, 2}}, 1, true},
	} {
		k, ok := Fleiss(c.subjects)
		if ok != c.ok || math.Abs(k.Value-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, k, ok, c.want, c.ok)
		}
	}
}
