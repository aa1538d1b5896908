//go:build !linux

package host

// reserveMemory returns n bytes of memory. On some systems they cost nothing until they
// are touched.
func reserveMemory(n uint64) []byte { return make([]byte, n) }

func releaseMemory([]byte) {}

// wipeMemory sets a part of a reservation to zero.
func wipeMemory(b []byte) { clear(b) }
