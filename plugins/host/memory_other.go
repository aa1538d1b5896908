//go:build !linux

package host

// reserveMemory returns n bytes of memory. On some systems, a page uses physical memory
// only after the first access.
func reserveMemory(n uint64) []byte { return make([]byte, n) }

func releaseMemory([]byte) {}

// wipeMemory sets a part of a reservation to zero.
func wipeMemory(b []byte) { clear(b) }
