package align

import (
	"math/bits"
	"slices"
)

const (
	// segmentPairs limits the number of pairs whose values are held at a time (32 MiB).
	segmentPairs = 1 << 22
	// segments limits the number of copies of the stairs that are kept.
	segments = 64
	// maxPlaces limits the table of places (32 MiB).
	maxPlaces = 1 << 22
)

// sparse computes the heaviest common subsequence from the pairs of a block alone, by the
// method of Hunt and Szymanski. Because pairs have weights, it keeps stairs of values
// instead of thresholds. Time O(pairs · √columns) at worst and about O(pairs) on real
// runs.
//
// It goes through the rows from the last to the first. The value of a pair is its weight
// plus the value of the best pair that begins below it and to the right of it. Afterwards
// walkSegment goes down the rows and needs these values. To save memory, only the values
// of one segment of rows are stored. For each segment below it a copy of the stairs is
// stored, from which the values are computed a second time.
type sparse struct {
	*task
	block
	off    []int32 // for each observed symbol: its part of places
	places []entry // the columns of the block that it may pair with (sym), ascending
	steps  stairs
	values []value // of the pairs of the segment swept last, by row and column
}

// segment is the rows [i0, i1) and a copy of the stairs below these rows.
type segment struct {
	i0, i1 int
	below  stairs
}

// countEntries returns the number of pairs in b, and the number of entries that the table
// sparse.places needs for b. Time O(rows + columns + relation).
func (t *task) countEntries(b block) (pairs, places int64) {
	counts := make([]int64, t.refSyms+t.obsSyms)
	perRef, perObs := counts[:t.refSyms], counts[t.refSyms:]
	for _, sym := range t.ref[b.j0:b.j1] {
		perRef[sym]++
	}
	for sym := range perObs {
		for _, e := range t.rel.entriesOf(int32(sym)) {
			perObs[sym] += perRef[e.sym]
		}
		places += perObs[sym]
	}
	for _, sym := range t.obs[b.i0:b.i1] {
		pairs += perObs[sym]
	}
	return pairs, places
}

func (t *task) newSparse(b block) *sparse {
	s := &sparse{task: t, block: b, steps: newStairs(b.colCount())}
	by := t.rel.transpose(t.refSyms)
	ref := t.ref[b.j0:b.j1]
	s.off = make([]int32, t.obsSyms+1)
	for _, sym := range ref {
		for _, e := range by.entriesOf(sym) {
			s.off[e.sym]++
		}
	}
	end := int32(0)
	for i, c := range s.off {
		end += c
		s.off[i] = end
	}
	s.places = make([]entry, end)
	for j := len(ref) - 1; j >= 0; j-- {
		for _, e := range by.entriesOf(ref[j]) {
			s.off[e.sym]--
			s.places[s.off[e.sym]] = entry{int32(j), e.sim}
		}
	}
	return s
}

func (s *sparse) rowEntries(row int) []entry {
	sym := s.obs[row]
	return s.places[s.off[sym]:s.off[sym+1]]
}

// solveSegments finds the canonical pairs segment by segment. It first computes the
// values from the last segment to the first, and then reads the pairs from the first
// segment to the last. A segment has at most limit pairs, or is a single row.
func (s *sparse) solveSegments(pairs, limit int64) {
	s.values = make([]value, 0, min(limit, pairs))
	var kept []segment
	for end := s.i1; end > s.i0; {
		g := segment{i0: s.segmentStart(end, limit), i1: end}
		if g.i0 > s.i0 { // the top segment is not swept again
			g.below = s.steps.clone()
		}
		s.sweepSegment(g)
		kept = append(kept, g)
		end = g.i0
	}
	from, left := 0, s.steps.valueAt(0)
	for k := len(kept) - 1; k >= 0; k-- {
		if k < len(kept)-1 {
			s.steps = kept[k].below
			s.sweepSegment(kept[k])
		}
		from, left = s.walkSegment(kept[k], from, left)
	}
}

// segmentStart returns the first row of the segment that ends before row end. The segment
// has at least one row. It has as many further rows as possible with at most limit pairs.
func (s *sparse) segmentStart(end int, limit int64) int {
	i := end - 1
	for sum := int64(len(s.rowEntries(i))); i > s.i0; i-- {
		if sum += int64(len(s.rowEntries(i - 1))); sum > limit {
			break
		}
	}
	return i
}

// sweepSegment computes the values of the pairs in g and stores them in s.values. The
// rows are in descending order, and the pairs of each row are in order from left to
// right.
func (s *sparse) sweepSegment(g segment) {
	s.values = s.values[:0]
	changed := 0
	for i := g.i1 - 1; i >= g.i0; i-- {
		for _, e := range s.rowEntries(i) {
			j := int(e.sym)
			v := s.steps.valueAt(j+1) + s.pairValue(e.sim)
			s.values = append(s.values, v)
			changed += s.steps.raiseColumns(j, v)
		}
	}
	s.stats.Pairs += int64(len(s.values))
	s.stats.Words += int64(changed)
}

// walkSegment finds the canonical pairs in the rows of g, from the first row to the last.
// The argument from is the first free column, and the argument left is the total value of
// the pairs that are still to be found. walkSegment returns the new values of both
// arguments, for the next segment.
func (s *sparse) walkSegment(g segment, from int, left value) (int, value) {
	end := len(s.values)
	for i := g.i0; i < g.i1; i++ {
		row := s.rowEntries(i)
		values := s.values[end-len(row) : end]
		end -= len(row)
		for k := firstFrom(row, int32(from)); k < len(row); k++ {
			if values[k] == left {
				s.mate[i] = int32(s.j0) + row[k].sym
				from, left = int(row[k].sym)+1, left-s.pairValue(row[k].sim)
				break
			}
		}
	}
	return from, left
}

// stairs stores for each column the greatest value of a pair that begins at this column
// or right of it, and a 0 after the last column. Values never rise from left to right. So
// if a column is raised, the columns to its left change only up to the first column with
// a value that is at least as great. A lookup takes O(1), which matters more than
// raising, because most pairs raise nothing.
type stairs struct {
	cells []value
	bands []value // the value to which all columns of a band of 2^shift were raised at once
	shift int
}

func newStairs(cols int) stairs {
	shift := bits.Len(uint(cols)) / 2
	all := make([]value, cols+1+cols>>shift+1)
	return stairs{all[:cols+1], all[cols+1:], shift}
}

func (s stairs) clone() stairs {
	return stairs{slices.Clone(s.cells), slices.Clone(s.bands), s.shift}
}

func (s stairs) valueAt(j int) value {
	return max(s.bands[j>>(s.shift&31)], s.cells[j])
}

// raiseColumns raises the values of the columns 0 to j to at least v. It returns the
// number of stored values that it changed. Time O(√columns).
func (s stairs) raiseColumns(j int, v value) int {
	band, changed := j>>s.shift, 0
	if s.bands[band] >= v {
		return 0
	}
	for first := band << s.shift; j >= first; j-- {
		if s.cells[j] >= v {
			return changed
		}
		s.cells[j] = v
		changed++
	}
	// j is now the last column of the band before.
	for band--; band >= 0 && s.valueAt(j) < v; band-- {
		s.bands[band] = v
		changed++
		j -= 1 << s.shift
	}
	return changed
}
