package align

const (
	// segmentPairs bounds the pairs whose values are held at a time (32 MiB).
	segmentPairs = 1 << 21
	// segments bounds how many states of the tree are kept.
	segments = 64
	// maxPlaces bounds the table of places (32 MiB).
	maxPlaces = 1 << 22
)

// sparse is the heaviest common subsequence over the pairs of a block only, after Hunt
// and Szymanski with a tree of maxima in place of their thresholds, as pairs have
// weights. Time O(pairs · log columns).
//
// Rows are swept upwards. A pair is worth its weight and the best pair that begins
// below and to the right of it. The values of one segment of rows are kept for the
// walk down; for the segments below it only the tree is kept, and they are swept again.
type sparse struct {
	*task
	block
	off    []int32 // per observed symbol: its part of places
	places []entry // columns of the block (sym) it may pair with, ascending
	tree   tree
	values []value // of the pairs of the segment swept last, by row and column
}

// segment is rows [i0, i1) and the tree as it was below them (nil: empty).
type segment struct {
	i0, i1 int
	below  tree
}

// density counts the pairs in b, and the places of one row per observed symbol.
// Time O(rows + columns + relation).
func (t *task) density(b block) (pairs, places int64) {
	counts := make([]int64, t.refSyms+t.obsSyms)
	perRef, perObs := counts[:t.refSyms], counts[t.refSyms:]
	for _, sym := range t.ref[b.j0:b.j1] {
		perRef[sym]++
	}
	for sym := range perObs {
		for _, e := range t.rel.of(int32(sym)) {
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
	s := &sparse{task: t, block: b, tree: make(tree, b.cols()+1)}
	by := t.rel.transpose(t.refSyms)
	ref := t.ref[b.j0:b.j1]
	s.off = make([]int32, t.obsSyms+1)
	for _, sym := range ref {
		for _, e := range by.of(sym) {
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
		for _, e := range by.of(ref[j]) {
			s.off[e.sym]--
			s.places[s.off[e.sym]] = entry{int32(j), e.sim}
		}
	}
	return s
}

func (s *sparse) at(row int) []entry {
	sym := s.obs[row]
	return s.places[s.off[sym]:s.off[sym+1]]
}

// solve sweeps segment by segment from the last row up, then walks down.
func (s *sparse) solve(pairs, limit int64) {
	s.values = make([]value, 0, min(limit, pairs))
	var kept []segment
	for end := s.i1; end > s.i0; {
		g := segment{i0: s.start(end, limit), i1: end}
		if end < s.i1 {
			g.below = append(tree(nil), s.tree...)
		}
		s.sweep(g)
		kept = append(kept, g)
		end = g.i0
	}
	from, left := 0, s.tree.best(s.cols())
	for k := len(kept) - 1; k >= 0; k-- {
		if k < len(kept)-1 {
			clear(s.tree)
			copy(s.tree, kept[k].below)
			s.sweep(kept[k])
		}
		from, left = s.walk(kept[k], from, left)
	}
}

// start returns the first row of the segment that ends before end: at least one row.
func (s *sparse) start(end int, limit int64) int {
	i := end - 1
	for sum := int64(len(s.at(i))); i > s.i0; i-- {
		if sum += int64(len(s.at(i - 1))); sum > limit {
			break
		}
	}
	return i
}

// sweep fills values for the rows of g, last row first in memory. Within a row columns go
// up, so a pair sees nothing of its own row: it only looks to the right.
func (s *sparse) sweep(g segment) {
	s.values = s.values[:0]
	nodes := 0
	for i := g.i1 - 1; i >= g.i0; i-- {
		for _, e := range s.at(i) {
			place := s.cols() - int(e.sym) // counted from the right
			v := s.tree.best(place - 1).plus(s.weight(e.sim))
			s.values = append(s.values, v)
			nodes += s.tree.raise(place, v)
		}
	}
	s.stats.Pairs += int64(len(s.values))
	s.stats.Words += int64(nodes)
}

// walk goes down the rows of g: the first pair at or right of from whose value is what is
// left to gain is the next pair of the canonical list.
func (s *sparse) walk(g segment, from int, left value) (int, value) {
	end := len(s.values)
	for i := g.i0; i < g.i1; i++ {
		row := s.at(i)
		values := s.values[end-len(row) : end]
		end -= len(row)
		for k := firstFrom(row, int32(from)); k < len(row); k++ {
			if values[k] == left {
				s.mate[i] = int32(s.j0) + row[k].sym
				from, left = int(row[k].sym)+1, left.minus(s.weight(row[k].sim))
				break
			}
		}
	}
	return from, left
}

// firstFrom returns the index of the first entry at or after column from.
func firstFrom(row []entry, from int32) int {
	lo, hi := 0, len(row)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); row[mid].sym < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// tree is a Fenwick tree of prefix maxima over places 1..len-1. Node p covers the
// places (p − lowest bit of p, p].
type tree []value

// best returns the greatest value at places 1..p.
func (tr tree) best(p int) (v value) {
	for ; p > 0; p &= p - 1 {
		if v.less(tr[p]) {
			v = tr[p]
		}
	}
	return v
}

// raise puts v at place p if it is greater and returns the nodes looked at. It stops at
// the first node that is as great: those above cover that node too.
func (tr tree) raise(p int, v value) int {
	n := 1
	for ; p < len(tr) && tr[p].less(v); p += p & -p {
		tr[p] = v
		n++
	}
	return n
}
