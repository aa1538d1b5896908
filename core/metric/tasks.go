package metric

import "crypto/sha256"

// key stands for a task's name: 128 bits of its SHA-256.
type key [16]byte

func keyOf(name string) key {
	sum := sha256.Sum256([]byte(name))
	return key(sum[:16])
}

// trials are the sums over the trials of a task. Equal trials are equal values.
type trials struct {
	bounds [6]sum // of Bounds, in its order
	scored uint32 // runs with a reference
	known  uint32 // runs whose outcome is known
	won    uint32 // successes among them
	both   uint32 // runs with both
	// Of those: successes, and successes that are in BASR by either denominator.
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

// blocks is a list of trials that grows without being copied.
type blocks [][]trials

const blockSize = 4096

func (b blocks) len() int {
	if len(b) == 0 {
		return 0
	}
	return (len(b)-1)*blockSize + len(b[len(b)-1])
}

func (b blocks) at(i uint32) *trials { return &b[i/blockSize][i%blockSize] }

// add returns the place of what it adds.
func (b *blocks) add(v *trials) uint32 {
	n := b.len()
	if n%blockSize == 0 {
		*b = append(*b, nil)
	}
	last := &(*b)[len(*b)-1]
	*last = append(*last, *v)
	return uint32(n)
}

// tasks are the sums by task, in order of first appearance. Runs that are alone in their
// task and have the same values share an entry, so that a million of them cost four
// megabytes.
type tasks struct {
	order   []uint32 // of each task: its entry
	entries blocks
	named   map[key]uint32    // of each named task: its entry
	alike   map[trials]uint32 // of values that runs alone in their task share: the entry
}

func (t *tasks) add(name key, v *trials) {
	entry, ok := t.named[name]
	if ok {
		t.entries.at(entry).add(v)
		return
	}
	if t.named == nil {
		t.named = map[key]uint32{}
	}
	entry = t.entries.add(v)
	t.named[name] = entry
	t.order = append(t.order, entry)
}

// addAlone adds n tasks of one run each.
func (t *tasks) addAlone(v *trials, n int) {
	entry, ok := t.alike[*v]
	if !ok {
		if t.alike == nil {
			t.alike = map[trials]uint32{}
		}
		entry = t.entries.add(v)
		t.alike[*v] = entry
	}
	for range n {
		t.order = append(t.order, entry)
	}
}

// column gives one figure of a task, and whether the task has it.
type column func(*trials) (value float64, ok bool)

// bound is the mean of one of Bounds over a task's trials.
func bound(i int) column {
	return func(t *trials) (float64, bool) {
		return t.bounds[i].value() / float64(t.scored), t.scored > 0
	}
}

// share is a count over a task's trials.
func share(count func(*trials) (n, of uint32)) column {
	return func(t *trials) (float64, bool) {
		n, of := count(t)
		return float64(n) / float64(of), of > 0
	}
}

// choose is C(successes, k) / C(trials, k) without large numbers.
func (t *trials) choose(k int) float64 {
	p := 1.0
	for i := range k {
		p *= max(float64(t.won)-float64(i), 0) / float64(int(t.known)-i)
	}
	return p
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
