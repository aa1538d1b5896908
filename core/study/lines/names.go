package lines

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
)

// Names makes the ids of the runs of one file unique, in the order of the file. It stores
// a few bytes for each id. The zero value is ready for a new file.
type Names struct {
	runs int
	seed maphash.Seed
	ids  map[uint64]uint32 // number of runs by hash of the id; nil before the first
}

// Own holds the parts from which the id of a run is made.
type Own struct {
	ID   string `json:"id"`             // the id in the input
	N    int    `json:"n,omitempty"`    // index of the run in its element, from 0
	Task bool   `json:"task,omitempty"` // the run names a task
}

// Numbered reports whether the input has no id for the run. The id of such a run is its
// number in the file.
func (o *Own) Numbered() bool { return !o.Task && o.ID == strconv.Itoa(o.N+1) }

// Next returns the id of the next run. If an earlier run has the same id, Next appends
// #2, #3 and so on. If the input has no id for the run, the id is the number of the run
// in the file.
func (n *Names) Next(o Own) string {
	id := n.uniqueID(o)
	n.Note(id, o.Task)
	return id
}

func (n *Names) uniqueID(o Own) string {
	n.initIDs()
	if o.Numbered() {
		return n.nextRunNumber()
	}
	id := o.ID
	for k := max(n.ids[n.hashID(id)], 1); n.isTaken(id); {
		k++
		id = fmt.Sprintf("%s#%d", o.ID, k)
	}
	return id
}

func (n *Names) initIDs() {
	if n.ids == nil {
		n.seed, n.ids = maphash.MakeSeed(), map[uint64]uint32{}
	}
}

func (n *Names) isTaken(id string) bool {
	if n.ids[n.hashID(id)] > 0 {
		return true
	}
	base, k := splitID(id)
	return k > 1 && n.ids[n.hashID(base)] >= k
}

// splitID splits an id of the form ID#n into ID and n. n is 0 if the id has no such
// number.
func splitID(id string) (base string, n uint32) {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return id, 0
	}
	number, _ := strconv.ParseUint(id[i+1:], 10, 32)
	return id[:i], uint32(number)
}

// Own returns the parts from which Next would make the given id. Call Own before Note
// counts the id. The argument task reports whether the run names a task.
//
// If the run has no task, and its id is the number of the run in the file, Own assumes
// that the input has no id for the run.
func (n *Names) Own(id string, task bool) Own {
	n.initIDs()
	if !task && id == n.nextRunNumber() {
		return Own{ID: "1"}
	}
	if base, k := splitID(id); k > 1 && n.ids[n.hashID(base)] == k-1 {
		return Own{ID: base, Task: true}
	}
	return Own{ID: id, Task: true}
}

func (n *Names) nextRunNumber() string { return strconv.Itoa(n.runs + 1) }

// Note records the id of a run. The argument task reports whether the run names a task.
// Note needs no more memory for an id that repeats.
func (n *Names) Note(id string, task bool) {
	n.initIDs()
	numbered := !task && id == n.nextRunNumber()
	n.runs++
	if numbered {
		return
	}
	if base, k := splitID(id); k > 1 {
		if h := n.hashID(base); n.ids[h] == k-1 {
			n.ids[h]++
			return
		}
	}
	n.ids[n.hashID(id)] = 1
}

func (n *Names) hashID(id string) uint64 { return maphash.String(n.seed, id) }
