package similarity

import (
	"slices"
	"strings"
)

// Index counts the differences between one call and each of many calls, without comparing
// all leaves of every pair. It looks up the calls that share a leaf, and counts the
// common paths of each pair of path sets once. The counts are equal to those of Compare
// without terms.
type Index struct {
	holders map[string][]int32 // the indices of the calls that have a leaf, by the path and value of the leaf
	shapes  map[string]int32   // the number of each path set, by its paths
	paths   [][]string         // the paths of each path set, by its number
	shape   []int32            // by call: the number of its path set; -1 if only Compare can count the call
	size    []int32            // by call: the number of leaves

	popular map[string][]uint64 // the calls that have a leaf of very many calls, as a bit set; holders lacks these leaves

	last   *Call
	same   []int32    // by call: leaves with equal path and value as last, without the popular leaves
	alike  []int32    // the calls for which same is not 0
	widely [][]uint64 // the popular leaves of last
	common []int32    // by path set: the number of its paths that last has, too; -1 if not counted yet
	kept   map[int32][]int32
	cells  int // the number of counts in kept
	of     int32
}

// Counts holds the lengths of the lists in a Difference.
type Counts struct{ Same, Extra, Missing, Changed int }

// mostHolders is the largest number of calls that an index lists for a leaf.
const mostHolders = 512

// keptCells is the largest number of counts for pairs of path sets that an index caches
// (16 MiB).
const keptCells = 1 << 22

// NewIndex returns an index of calls. O(leaves).
func NewIndex(calls []*Call) *Index {
	x := &Index{
		holders: map[string][]int32{}, shapes: map[string]int32{}, kept: map[int32][]int32{},
		shape: make([]int32, len(calls)), size: make([]int32, len(calls)), same: make([]int32, len(calls)),
	}
	var key []byte
	for i, c := range calls {
		x.shape[i], x.size[i] = x.shapeOf(c), int32(len(c.Leaves))
		for k := range c.Leaves {
			key = leafKey(key, &c.Leaves[k])
			x.holders[string(key)] = append(x.holders[string(key)], int32(i))
		}
	}
	x.popular = map[string][]uint64{}
	for key, holders := range x.holders {
		if len(holders) > mostHolders {
			set := make([]uint64, (len(calls)+63)/64)
			for _, i := range holders {
				set[i>>6] |= 1 << (i & 63)
			}
			x.popular[key] = set
			delete(x.holders, key)
		}
	}
	return x
}

func leafKey(key []byte, l *Leaf) []byte {
	return append(append(append(key[:0], l.Path...), 1), l.Value...)
}

// shapeOf returns a number that identifies the set of paths in a call. Calls with the
// same paths have the same number. It returns -1 if a path occurs twice.
func (x *Index) shapeOf(c *Call) int32 {
	var key strings.Builder
	for i, l := range c.Leaves {
		if i > 0 && l.Path <= c.Leaves[i-1].Path {
			return -1
		}
		key.WriteString(l.Path)
		key.WriteByte(0)
	}
	n, ok := x.shapes[key.String()]
	if !ok {
		n = int32(len(x.paths))
		x.shapes[key.String()] = n
		paths := make([]string, len(c.Leaves))
		for i, l := range c.Leaves {
			paths[i] = l.Path
		}
		x.paths = append(x.paths, paths)
	}
	return n
}

// Counts compares obs with the i-th call of the index. If ok is false, the index cannot
// compare the two calls, and the caller must use Compare. Repeated calls with the same
// obs take O(1) each.
func (x *Index) Counts(obs *Call, i int) (n Counts, ok bool) {
	x.setCurrent(obs)
	shape := x.shape[i]
	if x.of < 0 || shape < 0 {
		return n, false
	}
	common := x.common[shape]
	if common < 0 {
		common = int32(countShared(x.paths[x.of], x.paths[shape]))
		x.common[shape] = common
	}
	same := int(x.same[i])
	for _, set := range x.widely {
		same += int(set[i>>6] >> (i & 63) & 1)
	}
	return Counts{same, len(obs.Leaves) - int(common), int(x.size[i] - common), int(common) - same}, true
}

// Alike returns the calls that share a leaf with obs which at most mostHolders calls
// have, those that share most such leaves first, and then in the order of the index. The
// result is valid until the next call of a method. O(leaves · mostHolders).
func (x *Index) Alike(obs *Call) []int32 {
	x.setCurrent(obs)
	slices.SortFunc(x.alike, func(a, b int32) int {
		if d := x.same[b] - x.same[a]; d != 0 {
			return int(d)
		}
		return int(a - b)
	})
	return x.alike
}

// setCurrent makes obs the current call, if it is not. It counts the leaves that obs
// shares with each call of the index.
func (x *Index) setCurrent(obs *Call) {
	if obs == x.last {
		return
	}
	for _, i := range x.alike {
		x.same[i] = 0
	}
	x.alike, x.widely = x.alike[:0], x.widely[:0]
	x.last, x.of = obs, x.shapeOf(obs)
	var key []byte
	for k := range obs.Leaves {
		key = leafKey(key, &obs.Leaves[k])
		if set := x.popular[string(key)]; set != nil {
			x.widely = append(x.widely, set)
			continue
		}
		for _, i := range x.holders[string(key)] {
			if x.same[i] == 0 {
				x.alike = append(x.alike, i)
			}
			x.same[i]++
		}
	}
	if x.of < 0 {
		return
	}
	row := x.kept[x.of]
	if len(row) < len(x.paths) {
		if x.cells > keptCells {
			x.kept, x.cells = map[int32][]int32{}, 0
		}
		x.cells += len(x.paths)
		row = slices.Repeat([]int32{-1}, len(x.paths))
		x.kept[x.of] = row
	}
	x.common = row
}

// countShared returns the number of common elements of two lists in ascending order.
func countShared(a, b []string) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch strings.Compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// Equal reports whether the calls have no difference.
func (n Counts) Equal() bool { return n.Extra == 0 && n.Missing == 0 && n.Changed == 0 }

// jaccardIndex returns the Jaccard index of the leaves, or 1 if neither call has leaves.
func (n Counts) jaccardIndex() float64 {
	if union := n.Same + n.Extra + n.Missing + 2*n.Changed; union > 0 {
		return float64(n.Same) / float64(union)
	}
	return 1
}

// Similarity returns the similarity of two calls with these counts. named reports whether
// the two calls have the same name.
func (n Counts) Similarity(named bool) float64 {
	if !named {
		return n.jaccardIndex() / 2
	}
	return 0.5 + n.jaccardIndex()/2
}
