package shape

import (
	"cmp"
	"slices"
)

// Spans are ranges of a text, which may overlap. The zero value has none.
type Spans struct {
	list [][2]int // [from, to)
	ends []int    // of the ranges up to each one in list: the greatest end; nil if list is not sorted
}

// Add adds ranges.
func (s *Spans) Add(ranges ...[2]int) { s.list, s.ends = append(s.list, ranges...), nil }

// Ranges returns all ranges, in no order. The caller must not change them.
func (s *Spans) Ranges() [][2]int { return s.list }

// Hold reports whether a range has an offset. O(log n), and O(n log n) after Add.
func (s *Spans) Hold(offset int) bool {
	if s.ends == nil {
		s.list = slices.Clone(s.list) // a copy of a decoder shares it
		slices.SortFunc(s.list, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
		s.ends = make([]int, len(s.list))
		for i, r := range s.list {
			s.ends[i] = r[1]
			if i > 0 {
				s.ends[i] = max(r[1], s.ends[i-1])
			}
		}
	}
	n, _ := slices.BinarySearchFunc(s.list, offset+1, func(r [2]int, from int) int { return cmp.Compare(r[0], from) })
	return n > 0 && offset < s.ends[n-1]
}
