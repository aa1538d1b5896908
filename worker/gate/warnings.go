package gate

import (
	"maps"
	"slices"
	"sync"
)

// warnings holds what an operator should know about a gate that works. Its zero value is
// ready.
type warnings struct {
	mu  sync.Mutex
	all map[string]string
}

// Warn sets the warning about a subject, which GET /healthz shows to everybody. The text
// must hold no secret. If text is "", Warn deletes the warning.
func (g *Gate) Warn(about, text string) {
	w := &g.warnings
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[string]string{}
	}
	if w.all[about] = text; text == "" {
		delete(w.all, about)
	}
}

// list returns the warnings, sorted by their subjects.
func (w *warnings) list() (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, about := range slices.Sorted(maps.Keys(w.all)) {
		out = append(out, w.all[about])
	}
	return out
}
