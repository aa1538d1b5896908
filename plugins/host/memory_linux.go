package host

import "golang.org/x/sys/unix"

// reserveMemory returns n bytes of address space. A page uses physical memory only after
// the first access. reserveMemory returns nil if the system refuses.
func reserveMemory(n uint64) []byte {
	b, err := unix.Mmap(-1, 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return b
}

func releaseMemory(b []byte) {
	if b != nil {
		unix.Munmap(b)
	}
}

// wipeMemory sets a part of a reservation to zero and returns its pages to the system.
func wipeMemory(b []byte) {
	if unix.Madvise(b, unix.MADV_DONTNEED) != nil {
		clear(b)
	}
}
