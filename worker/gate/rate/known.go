package rate

import "sync"

// mostKnown is the number of texts that a Known remembers.
const mostKnown = 1000

// Known remembers texts for which something was done. One that it has forgotten costs doing it
// again. Its zero value is ready.
type Known struct {
	mu  sync.Mutex
	all map[string]bool
}

// Has reports whether a text was added and not forgotten.
func (k *Known) Has(text string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[text]
}

// Add remembers a text.
func (k *Known) Add(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) >= mostKnown || k.all == nil {
		k.all = map[string]bool{}
	}
	k.all[text] = true
}
