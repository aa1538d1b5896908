package lines

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
)

// Names gives the runs of one file ids that are unlike each other, in the order of the
// file. It holds a few bytes for each id. The zero value is a file of no runs.
type Names struct {
	runs int
	seed maphash.Seed
	ids  map[uint64]uint32 // by hash of an id: how many runs have it; nil before the first
}

// Own is what an id is made of.
type Own struct {
	ID   string `json:"id"`             // the run's own
	N    int    `json:"n,omitempty"`    // of the element's runs, from 0
	Task bool   `json:"task,omitempty"` // it names a task
}

// Numbered reports whether the run has no id of its own: it is numbered through the file.
func (o *Own) Numbered() bool { return !o.Task && o.ID == strconv.Itoa(o.N+1) }

// Next returns the id of the next run. One that has none is numbered through the file.
func (n *Names) Next(o Own) string {
	id := n.name(o)
	n.Note(id, o.Task)
	return id
}

func (n *Names) name(o Own) string {
	n.begin()
	if o.Numbered() {
		return n.position()
	}
	id := o.ID
	for k := max(n.ids[n.hash(id)], 1); n.taken(id); {
		k++
		id = fmt.Sprintf("%s#%d", o.ID, k)
	}
	return id
}

func (n *Names) begin() {
	if n.ids == nil {
		n.seed, n.ids = maphash.MakeSeed(), map[uint64]uint32{}
	}
}

func (n *Names) taken(id string) bool {
	if n.ids[n.hash(id)] > 0 {
		return true
	}
	base, k := repeat(id)
	return k > 1 && n.ids[n.hash(base)] >= k
}

// repeat takes ID#n apart; n is 0 when there is none.
func repeat(id string) (base string, n uint32) {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return id, 0
	}
	number, _ := strconv.ParseUint(id[i+1:], 10, 32)
	return id[:i], uint32(number)
}

// Own is what Next made an id of, before Note counts it. Task is set where the id is not
// a number through the file.
func (n *Names) Own(id string, task bool) Own {
	n.begin()
	if !task && id == n.position() {
		return Own{ID: "1"}
	}
	if base, k := repeat(id); k > 1 && n.ids[n.hash(base)] == k-1 {
		return Own{ID: base, Task: true}
	}
	return Own{ID: id, Task: true}
}

func (n *Names) position() string { return strconv.Itoa(n.runs + 1) }

// Note remembers the id that a run was given, and whether the run names a task. The second
// of an id is ID#2: it counts for ID, so that a file of many repeats needs no more memory
// than one of none.
func (n *Names) Note(id string, task bool) {
	n.begin()
	numbered := !task && id == n.position()
	n.runs++
	if numbered {
		return
	}
	if base, k := repeat(id); k > 1 {
		if h := n.hash(base); n.ids[h] == k-1 {
			n.ids[h]++
			return
		}
	}
	n.ids[n.hash(id)] = 1
}

func (n *Names) hash(id string) uint64 { return maphash.String(n.seed, id) }
