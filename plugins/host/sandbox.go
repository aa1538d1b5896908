package host

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// These stubs replace the machine. ABI.md defines them, so that a guest that calls them
// gets the same answers on every host.

// epochTime returns the time of the sandbox's clock, which is always 1970-01-01.
func epochTime() (sec int64, nsec int32) { return 0, 0 }

// clock is a guest's monotonic clock. It does not measure time: each reading advances
// it by a millisecond. A sleep advances it by the duration and returns at once.
type clock struct{ ns int64 }

func (c *clock) now() int64 {
	t := c.ns
	c.ns += 1e6
	return t
}

func (c *clock) sleep(ns int64) { c.ns += max(0, ns) }

// lcg is the guest's "randomness": the high bytes of x ← 1664525·x + 1013904223 mod
// 2³², from 0. Each instance starts it from 0.
type lcg struct{ x uint32 }

func (g *lcg) Read(b []byte) (int, error) {
	for i := range b {
		g.x = g.x*1664525 + 1013904223
		b[i] = byte(g.x >> 24)
	}
	return len(b), nil
}

// tail keeps the first bytes that a guest writes to stderr: a Go or Rust guest reports
// its error there before it exits.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	t.buf.Write(b[:min(len(b), max(0, 1024-t.buf.Len()))])
	return len(b), nil
}

func (t *tail) leadingLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(t.buf.String()), "\n")
	return strings.ToValidUTF8(line, "?")
}

// toll is notified before each call of the sandbox's functions, because no counter in
// the guest sees their work. It panics to stop the guest.
type toll struct{}

func (toll) NewFunctionListener(api.FunctionDefinition) experimental.FunctionListener { return toll{} }

// Limits of a single call. No runtime asks for so much, and systems have similar
// limits.
const (
	mostVectors = 1024    // and subscriptions
	mostRandom  = 1 << 20 // bytes
)

// Before is called before each function of the sandbox that the guest calls. It stops the
// guest in two cases:
//
//   - The guest's time is up.
//   - The guest asks the function for too much at once (see mostVectors and mostRandom).
func (toll) Before(ctx context.Context, _ api.Module, f api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	if shouldStop(ctx) {
		panic(errStopped)
	}
	n, most := uint64(0), uint64(mostVectors)
	switch f.Name() {
	case "random_get":
		n, most = params[1], mostRandom
	case "fd_write", "fd_read", "fd_pread", "fd_pwrite", "sock_recv", "sock_send", "poll_oneoff":
		n = params[2]
	}
	if n = uint64(uint32(n)); n > most {
		panic(fmt.Errorf("the plugin asked function %s for %d items at once, but the limit is %d", f.Name(), n, most))
	}
}

func (toll) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}
func (toll) Abort(context.Context, api.Module, api.FunctionDefinition, error)    {}
