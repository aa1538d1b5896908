//go:build !linux

package host

// reserve returns n bytes of memory. On some systems they cost nothing until they are
// touched.
func reserve(n uint64) []byte { return make([]byte, n) }

func unreserve([]byte) {}

// wipe sets a part of a reservation to zero.
func wipe(b []byte) { clear(b) }
