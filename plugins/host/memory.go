package host

import (
	"bytes"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memory is a guest's linear memory. It reserves address space for the guest's limit
// once, so growing copies nothing; pages that the guest has not touched cost nothing.
// When a guest crashes, refused says whether a growth was refused just before.
type memory struct {
	spent   *atomic.Int64 // bytes of all instances of the host; at most budget
	budget  int64
	limit   uint64
	room    []byte // the whole reservation
	shrink  uint64 // if not 0, the size that the next Reallocate gives instead of a larger one
	bytes   []byte // the part that the guest has now
	refused bool
}

// reserveSpace reserves address space for a memory that starts with size bytes. It
// returns false if the system refuses, or if the budget has fewer than size bytes left.
func (m *memory) reserveSpace(size uint64) bool {
	if m.spent.Load()+int64(size) > m.budget {
		return false
	}
	m.room = reserveMemory(m.limit)
	return m.room != nil
}

// Allocate returns m, because an instance has only one memory.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate returns the memory with a new size. It returns nil if size exceeds the limit
// or if the budget is used up. The guest's memory.grow then returns -1.
func (m *memory) Reallocate(size uint64) []byte {
	if m.shrink != 0 {
		size = m.shrink
	}
	if size > m.limit {
		m.refused = true
		return nil
	}
	grown := int64(size) - int64(len(m.bytes))
	if m.spent.Add(grown) > m.budget && m.bytes != nil { // wazero cannot handle a refusal of the first call; reserveSpace checks that one
		m.spent.Add(-grown)
		m.refused = true
		return nil
	}
	m.bytes = m.room[:size:size]
	return m.bytes
}

// shrinkTo makes the guest's memory smaller, and sets what it loses to zero. WebAssembly
// has no such instruction, but wazero takes whatever size Reallocate returns when it asks
// for one page more. shrinkTo returns false if the guest's own limit is reached, so that
// wazero does not ask.
func (m *memory) shrinkTo(size int, of api.Memory) bool {
	zeroMemory(m.bytes[size:])
	m.shrink = uint64(size)
	_, ok := of.Grow(1)
	m.shrink = 0
	return ok
}

// Free releases the reservation.
func (m *memory) Free() {
	m.spent.Add(-int64(len(m.bytes)))
	releaseMemory(m.room)
	m.room, m.bytes = nil, nil
}

const (
	grain = 4096      // bytes that are compared together
	wide  = 256 << 10 // zeros of this size are wiped without a comparison
)

// image is a copy of a memory without its zeros, in whole grains.
type image []part

type part struct {
	at    int
	bytes []byte
}

// imageOf copies the parts of b that are not zero. The length of b must be a multiple of
// grain. ok is false if these parts have more bytes in total than the limit.
func imageOf(b []byte, most int) (all image, ok bool) {
	var zero [grain]byte
	for i := 0; i < len(b); {
		j := i
		for j < len(b) && !bytes.Equal(b[j:j+grain], zero[:]) {
			j += grain
		}
		if most -= j - i; most < 0 {
			return nil, false
		}
		if j > i {
			all = append(all, part{i, append([]byte(nil), b[i:j]...)})
		}
		i = j + grain
	}
	return all, true
}

// restoreBytes makes b equal to the image. It compares first and writes only the parts
// that differ, because a write to an untouched page costs more than a read.
func (m image) restoreBytes(b []byte) {
	end := 0
	for _, p := range m {
		zeroMemory(b[end:p.at])
		for i := 0; i < len(p.bytes); i += grain {
			if now, was := b[p.at+i:p.at+i+grain], p.bytes[i:i+grain]; !bytes.Equal(now, was) {
				copy(now, was)
			}
		}
		end = p.at + len(p.bytes)
	}
	zeroMemory(b[end:])
}

// zeroMemory sets b to zero.
func zeroMemory(b []byte) {
	var zero [grain]byte
	if len(b) >= wide {
		wipeMemory(b)
		return
	}
	for ; len(b) > 0; b = b[grain:] {
		if !bytes.Equal(b[:grain], zero[:]) {
			clear(b[:grain])
		}
	}
}
