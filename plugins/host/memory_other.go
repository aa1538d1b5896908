//go:build !linux

package host

// reserve returns memory that costs nothing until it is touched, on systems that
// allocate so.
func reserve(n uint64) []byte { return make([]byte, n) }

func unreserve([]byte) {}

// wipe sets a part of a reservation to zero.
func wipe(b []byte) { clear(b) }
