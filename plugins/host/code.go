package host

import (
	"context"
	"errors"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// code is a compiled module. Plugins that came in the same bytes share it.
type code struct {
	sha256   string
	compiled wazero.CompiledModule
	users    int
}

// compile gives the code of p's module, metered, which release gives back.
func (h *Host) compile(ctx context.Context, p *Plugin, wasm []byte) (*code, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.codes[p.SHA256]; c != nil {
		c.users++
		return c, nil
	}
	metered, err := meter.Rewrite(wasm, meter.Options{})
	if err != nil {
		return nil, p.unmetered(err)
	}
	parallel := experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	m, err := h.runtime.CompileModule(parallel, metered)
	if err != nil {
		return nil, failure(p.name, InvalidModule, "invalid module: %v", firstLine(err))
	}
	c := &code{sha256: p.SHA256, compiled: m, users: 1}
	h.codes[p.SHA256] = c
	return c, nil
}

func (h *Host) release(ctx context.Context, c *code) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.users--; c.users > 0 {
		return nil
	}
	delete(h.codes, c.sha256)
	return c.compiled.Close(ctx)
}

// unmetered words why a module cannot be given a meter.
func (p *Plugin) unmetered(err error) error {
	switch {
	case errors.Is(err, meter.ErrImports):
		return failure(p.name, ImportNotGranted, "%v", err)
	case errors.Is(err, meter.ErrLimit):
		return failure(p.name, OutOfMemory, "%v", err)
	}
	return failure(p.name, InvalidModule, "invalid module: %v", err)
}
