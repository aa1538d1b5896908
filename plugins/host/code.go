package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// code is a compiled module, or the reason why there is none. Plugins with the same
// bytes share it. compiled and err are set when ready is closed.
type code struct {
	sha256   string
	ready    chan struct{}
	compiled wazero.CompiledModule
	err      *Error
	users    int
}

// acquireCode returns the metered and compiled code of a module. The caller must release
// the code. It waits only for this module, and not for other modules. If the compiler
// takes too long, acquireCode returns an error, and later loads of the same module get
// this error at once.
func (h *Host) acquireCode(ctx context.Context, p *Plugin, wasm []byte) (*code, error) {
	h.mu.Lock()
	c := h.codes[p.SHA256]
	if c == nil {
		c = &code{sha256: p.SHA256, ready: make(chan struct{})}
		h.codes[p.SHA256] = c
		go h.compileCode(c, wasm)
	}
	c.users++
	h.mu.Unlock()
	select {
	case <-c.ready:
	case <-ctx.Done():
		go func() { <-c.ready; h.releaseCode(context.Background(), c) }()
		return nil, newError(p.name, Canceled, "canceled while the plugin was compiled")
	}
	if c.err != nil {
		return nil, newError(p.name, c.err.Code, "%s", c.err.Msg) // kept, so that the next load returns the error at once
	}
	return c, nil
}

// compileCode compiles a module and sets c.compiled. If the module is refused or the time
// is up, it sets c.err. The compiler may then still work on one function when compileCode
// returns.
func (h *Host) compileCode(c *code, wasm []byte) {
	defer close(c.ready)
	metered, err := meter.Rewrite(wasm, meter.Options{Pages: h.limits.MemoryPages, Plugin: true})
	if err != nil {
		c.err = meterError(err)
		return
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), h.limits.Compile, errDeadline)
	defer cancel()
	type result struct {
		compiled wazero.CompiledModule
		err      error
	}
	done := make(chan result, 1)
	h.compiling.Add(1)
	go func() {
		defer h.compiling.Done()
		defer func() {
			if r := recover(); r != nil {
				done <- result{err: fmt.Errorf("the compiler failed: %v", r)}
			}
		}()
		// Each of several workers checks after each function whether it should
		// continue.
		m, err := h.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, max(2, runtime.GOMAXPROCS(0))), metered)
		done <- result{m, err}
	}()
	select {
	case r := <-done:
		switch {
		case errors.Is(r.err, errDeadline):
			c.err = h.slowToCompile()
		case r.err != nil:
			c.err = &Error{Code: InvalidModule, Msg: "invalid module: " + firstLine(r.err)}
		default:
			c.compiled = r.compiled
		}
	case <-ctx.Done():
		c.err = h.slowToCompile()
		h.compiling.Add(1)
		go func() {
			defer h.compiling.Done()
			if r := <-done; r.err == nil {
				r.compiled.Close(context.Background())
			}
		}()
	}
}

func (h *Host) slowToCompile() *Error {
	return &Error{Code: Deadline, Msg: fmt.Sprintf("stopped: compiling the plugin took longer than %v", h.limits.Compile)}
}

func (h *Host) releaseCode(ctx context.Context, c *code) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.users--; c.users > 0 || c.compiled == nil {
		return nil
	}
	delete(h.codes, c.sha256)
	return c.compiled.Close(ctx)
}

// meterError converts an error of meter.Rewrite to an *Error. The function meter.Rewrite
// refuses a module before an engine compiles it.
func meterError(err error) *Error {
	c := Code(meter.Code(err))
	if c == InvalidModule {
		return &Error{Code: c, Msg: "invalid module: " + err.Error()}
	}
	return &Error{Code: c, Msg: err.Error()}
}
