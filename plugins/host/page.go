package host

import "github.com/boundcheck/boundcheck/plugins/meter"

// ForPage returns a module in the form for JavaScript hosts: metered, with the memory
// limit of this host. The result is deterministic.
func ForPage(wasm []byte) ([]byte, error) {
	return meter.Rewrite(wasm, meter.Options{Pages: Limits{}.withDefaults().MemoryPages})
}
