package host

import "github.com/boundcheck/boundcheck/plugins/meter"

// ForPage gives a module as JavaScript hosts want it: metered, with the memory that a
// plugin may have here. Same module, same bytes.
func ForPage(wasm []byte) ([]byte, error) {
	return meter.Rewrite(wasm, meter.Options{Pages: Limits{}.withDefaults().MemoryPages})
}
