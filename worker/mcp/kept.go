package mcp

import "sync"

// keptResults holds the latest results of the gate's own tasks, in the memory of this
// process: a client that lost the answer to tasks/result asks again and gets the same.
type keptResults struct {
	mu    sync.Mutex
	by    map[string]string // id of the record → result, as JSON
	order []string
	size  int // bytes of all results
}

// mostKept is the largest number of bytes of all results that are kept. A larger result is
// not kept.
const mostKept = 4 << 20

// keep adds a result, and forgets the oldest ones if there are too many.
func (x *keptResults) keep(record, result string) {
	if len(result) > mostKept {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.by == nil {
		x.by = map[string]string{}
	}
	x.by[record] = result
	x.order = append(x.order, record)
	for x.size += len(result); x.size > mostKept; x.order = x.order[1:] {
		x.size -= len(x.by[x.order[0]])
		delete(x.by, x.order[0])
	}
}

// of returns the result of a record, or "" if none is kept.
func (x *keptResults) of(record string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.by[record]
}
