package metric

import "crypto/sha256"

// key is 128 bits of the SHA-256 of a task's name.
type key [16]byte

func keyOf(name string) key {
	sum := sha256.Sum256([]byte(name))
	return key(sum[:16])
}

// trials holds the sums over the trials of a task. It is comparable: equal sums make
// equal values.
type trials struct {
	bounds [7]sum // in the order of the fields of Bounds
	scored uint32 // runs with a reference
	known  uint32 // runs whose outcome is known
	won    uint32 // successes among them
	both   uint32 // runs with both a reference and a known outcome
	// Counts among the runs that both counts: successes, successes that count in BASR,
	// and successes that count in BASRMax.
	bothWon, aware, awareMost uint32
}

func (t *trials) add(o *trials) {
	for i := range t.bounds {
		t.bounds[i].addInt(o.bounds[i])
	}
	t.scored += o.scored
	t.known += o.known
	t.won += o.won
	t.both += o.both
	t.bothWon += o.bothWon
	t.aware += o.aware
	t.awareMost += o.awareMost
}

// blocks is a list of trials. It grows without copying the elements.
type blocks [][]trials

const blockSize = 4096

func (b blocks) len() int {
	if len(b) == 0 {
		return 0
	}
	return (len(b)-1)*blockSize + len(b[len(b)-1])
}

func (b blocks) trialsAt(i uint32) *trials { return &b[i/blockSize][i%blockSize] }

// appendCopy appends a copy of v and returns its index.
func (b *blocks) appendCopy(v *trials) uint32 {
	n := b.len()
	if n%blockSize == 0 {
		*b = append(*b, nil)
	}
	last := &(*b)[len(*b)-1]
	*last = append(*last, *v)
	return uint32(n)
}

// tasks holds the sums by task, in order of first appearance. Unnamed runs with equal
// values share an entry, so that a million of them need four megabytes.
type tasks struct {
	order   []uint32 // the entry of each task
	entries blocks
	named   map[key]uint32    // the entry of each named task
	alike   map[trials]uint32 // the entry that unnamed runs with these values share
}

func (t *tasks) addNamed(name key, v *trials) {
	entry, ok := t.named[name]
	if ok {
		t.entries.trialsAt(entry).add(v)
		return
	}
	if t.named == nil {
		t.named = map[key]uint32{}
	}
	entry = t.entries.appendCopy(v)
	t.named[name] = entry
	t.order = append(t.order, entry)
}

// addAlone adds n unnamed tasks. Each has a single run with the values v.
func (t *tasks) addAlone(v *trials, n int) {
	entry, ok := t.alike[*v]
	if !ok {
		if t.alike == nil {
			t.alike = map[trials]uint32{}
		}
		entry = t.entries.appendCopy(v)
		t.alike[*v] = entry
	}
	for range n {
		t.order = append(t.order, entry)
	}
}

// column returns one figure of a task. ok is false if the task does not have the figure.
type column func(*trials) (value float64, ok bool)

// boundColumn returns a column with the i-th figure of Bounds. The value of a task is the
// mean over its trials.
func boundColumn(i int) column {
	return func(t *trials) (float64, bool) {
		return t.bounds[i].toFloat64() / float64(t.scored), t.scored > 0
	}
}

// shareColumn returns a column with the quotient of two counts. The function count
// computes both counts from the trials of a task.
func shareColumn(count func(*trials) (n, of uint32)) column {
	return func(t *trials) (float64, bool) {
		n, of := count(t)
		return float64(n) / float64(of), of > 0
	}
}

// binomialRatio returns C(c, k) / C(n, k), computed without large numbers.
func binomialRatio(c, n uint32, k int) float64 {
	p := 1.0
	for i := range k {
		p *= max(float64(c)-float64(i), 0) / float64(int(n)-i)
	}
	return p
}
