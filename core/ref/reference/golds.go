package reference

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Golds keeps the references of tasks, because trials repeat a task. The zero value is
// empty, and is for any number of texts: it shares no memory with them. Several goroutines
// may use it at the same time.
type Golds struct {
	oneText bool // all tasks are from one text, whose memory may be shared
	mu      sync.Mutex
	known   map[string]*Reference // by the task's JSON
	bytes   int                   // of the keys of known
}

// GoldsOfOneText returns an empty Golds for the tasks of one text, whose memory it shares.
func GoldsOfOneText() *Golds { return &Golds{oneText: true} }

// A Golds for several texts keeps the tasks that have at most longestTask bytes. It forgets
// all tasks when they have more than goldsLimit bytes.
const (
	longestTask = 16 << 10
	goldsLimit  = 256 << 10
)

// Read returns the reference of a task, or nil if the value is not a task of τ-bench.
func (g *Golds) Read(task jsonval.Value) (*Reference, error) {
	text := task.Raw()
	if known := g.keep(text, nil); known != nil {
		return known, nil
	}
	if !isTask(task) {
		return nil, nil
	}
	keeps := g.oneText || len(text) <= longestTask
	if keeps && !g.oneText {
		text = strings.Clone(text)
		task, _ = jsonval.Parse(text) // a value of a trace, so there is no error
	}
	r, err := fromTask(task, nil)
	if err != nil || !keeps {
		return r, err
	}
	return g.keep(text, r), nil
}

// keep returns the reference that is known for a task. If none is known, it keeps and
// returns the given one, unless that is nil.
func (g *Golds) keep(task string, r *Reference) *Reference {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.known[task]; known != nil || r == nil {
		return known
	}
	if g.bytes += len(task); g.known == nil || !g.oneText && g.bytes > goldsLimit {
		g.known, g.bytes = map[string]*Reference{}, len(task)
	}
	g.known[task] = r
	return r
}
