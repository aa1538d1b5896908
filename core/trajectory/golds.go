package trajectory

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Golds keeps the references of tasks, because trials repeat a task. The zero value is
// empty, and is for any number of texts: it shares no memory with them. Several goroutines
// may use it at the same time.
type Golds struct {
	oneText bool // all tasks are from one text, whose memory may be shared
	mu      sync.Mutex
	known   map[string]*reference.Reference // by the task's JSON
	bytes   int                             // of the keys of known
}

// A Golds for several texts keeps the tasks that have at most longestTask bytes. It forgets
// all tasks when they have more than goldsLimit bytes.
const (
	longestTask = 16 << 10
	goldsLimit  = 256 << 10
)

// read returns the reference of a task, or nil if the value is not a task of τ-bench.
func (g *Golds) read(task jsonval.Value) (*reference.Reference, error) {
	text := task.Raw()
	if known := g.keep(text, nil); known != nil {
		return known, nil
	}
	if !reference.IsTask(task) {
		return nil, nil
	}
	keeps := g.oneText || len(text) <= longestTask
	if keeps && !g.oneText {
		text = strings.Clone(text)
		task, _ = jsonval.Parse(text) // a value of a trace, so there is no error
	}
	r, err := reference.FromTask(task)
	if err != nil || !keeps {
		return r, err
	}
	return g.keep(text, r), nil
}

// keep returns the reference that is known for a task. If none is known, it keeps and
// returns the given one, unless that is nil.
func (g *Golds) keep(task string, r *reference.Reference) *reference.Reference {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.known[task]; known != nil || r == nil {
		return known
	}
	if g.bytes += len(task); g.known == nil || !g.oneText && g.bytes > goldsLimit {
		g.known, g.bytes = map[string]*reference.Reference{}, len(task)
	}
	g.known[task] = r
	return r
}
