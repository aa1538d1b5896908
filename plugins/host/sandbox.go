package host

import (
	"bytes"
	"strings"

	"github.com/tetratelabs/wazero/experimental"
)

// What stands in for the machine. ABI.md fixes these, so that a guest which
// asks all the same gets the same everywhere.

// epoch is what every reading of the wall clock gives: 1970-01-01.
func epoch() (sec int64, nsec int32) { return 0, 0 }

// clock is a guest's monotonic clock. It knows no time: a reading moves it on
// by a millisecond, a sleep by what was asked for and returns at once.
type clock struct{ ns int64 }

func (c *clock) now() int64 {
	t := c.ns
	c.ns += 1e6
	return t
}

func (c *clock) sleep(ns int64) { c.ns += max(0, ns) }

// lcg is the guest's "randomness": the high bytes of x ← 1664525·x +
// 1013904223 mod 2³², from 0. An instance starts it anew.
type lcg struct{ x uint32 }

func (g *lcg) Read(b []byte) (int, error) {
	for i := range b {
		g.x = g.x*1664525 + 1013904223
		b[i] = byte(g.x >> 24)
	}
	return len(b), nil
}

// tail keeps the first bytes that a guest writes to stderr: a Go or Rust
// guest says there what went wrong before it exits.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	t.buf.Write(b[:min(len(b), max(0, 1024-t.buf.Len()))])
	return len(b), nil
}

func (t *tail) first() string {
	line, _, _ := strings.Cut(strings.TrimSpace(t.buf.String()), "\n")
	return strings.ToValidUTF8(line, "?")
}

// memory is a guest's linear memory. It exists to know, when a guest crashes,
// that a growth was refused just before.
type memory struct {
	limit   uint64
	bytes   []byte
	refused bool
}

func (m *memory) Allocate(capacity, _ uint64) experimental.LinearMemory {
	m.bytes = make([]byte, 0, capacity)
	return m
}

// Reallocate gives nil beyond the limit, which the guest sees as -1 from
// memory.grow. Growth doubles the room, so that it costs linear time.
func (m *memory) Reallocate(size uint64) []byte {
	if size > m.limit {
		m.refused = true
		return nil
	}
	if size > uint64(cap(m.bytes)) {
		grown := make([]byte, len(m.bytes), min(m.limit, max(size, 2*uint64(cap(m.bytes)))))
		copy(grown, m.bytes)
		m.bytes = grown
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

func (m *memory) Free() { m.bytes = nil }
