// Package host runs plugins natively, in wazero. A plugin gets memory and
// time within Limits and nothing else: no files, network, environment,
// arguments, clock or randomness. This package is the only importer of wazero.
package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/boundcheck/boundcheck/plugins/meter"
)

// Options are the options of a Host. The zero value is right for the command line.
type Options struct {
	Limits Limits
	Budget Budget

	// Heard is called after each call, for logs, in the goroutine of the call. It may
	// be nil.
	Heard func(Heard)

	// CacheDir keeps compiled code between runs: at most 512 MiB, and no file for
	// longer than 30 days. It holds nothing else. "" means boundcheck/wazero in the
	// user's cache directory; with NoCache the host compiles each time.
	CacheDir string
	NoCache  bool
}

// Heard describes one call of a plugin: the bytes, which must not be changed, and its
// duration.
type Heard struct {
	Plugin          string
	Request, Answer []byte
	Err             error
	Took            time.Duration
}

// Host is a runtime that plugins are loaded into. Safe for concurrent use.
type Host struct {
	limits  Limits
	budget  Budget
	heard   func(Heard)
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	spent   spending

	compiling sync.WaitGroup

	mu    sync.Mutex
	codes map[string]*code // by the sha256 of the original module
}

// New starts a host. If the cache directory cannot be used, New returns no error, and the
// host compiles each module again.
func New(ctx context.Context, o Options) (*Host, error) {
	h := &Host{limits: o.Limits.withDefaults(), budget: o.Budget.withDefaults(), heard: o.Heard, codes: map[string]*code{}}
	h.cache = openCache(o)
	// check and memory enforce the memory limit, because memory can name it in an
	// error. The code that package meter adds to a module enforces the deadline:
	// WithCloseOnContextDone would make calls up to eight times slower.
	var err error
	if h.runtime, err = h.startRuntime(ctx); err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

func (h *Host) startRuntime(ctx context.Context) (wazero.Runtime, error) {
	config := wazero.NewRuntimeConfig()
	if h.cache != nil {
		config = config.WithCompilationCache(h.cache)
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(experimental.WithFunctionListenerFactory(ctx, toll{}), r); err != nil {
		return r, err
	}
	_, err := r.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(handleMeterCall), []api.ValueType{i32}, nil).Export(meter.Function).Instantiate(ctx)
	return r, err
}

// errStopped ends a guest whose deadline has passed or whose caller has cancelled.
var errStopped = errors.New("stopped")

// handleMeterCall stops a guest by a panic if the guest's time is up. A guest calls it
// every few milliseconds or more often, and also when its memory cannot grow.
func handleMeterCall(ctx context.Context, _ api.Module, stack []uint64) {
	if stack[0] == meter.Refused {
		if in, ok := ctx.Value(instanceKey{}).(*instance); ok {
			in.memory.refused = true
		}
	}
	if shouldStop(ctx) {
		panic(errStopped)
	}
}

// shouldStop reports whether the guest's time is up or the caller has cancelled the call.
// It also compares the clock with the deadline, because the timer of ctx may be late if
// the guest uses the only thread.
func shouldStop(ctx context.Context) bool {
	t, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(t)
}

// Close ends every plugin of this host. Calls that are running fail. If the compiler is
// still working on a function, Close waits for the end of this function.
func (h *Host) Close(ctx context.Context) error {
	h.compiling.Wait()
	err := h.runtime.Close(ctx)
	if h.cache != nil {
		err = errors.Join(err, h.cache.Close(ctx))
	}
	return err
}

func openCache(o Options) wazero.CompilationCache {
	dir := o.CacheDir
	if dir == "" {
		dir = userCache("wazero")
	}
	if o.NoCache || dir == "" {
		return nil
	}
	cleanCache(dir, cacheBytes, cacheAge, time.Now())
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil || !isWritable(dir) {
		return nil
	}
	return cache
}

// isWritable reports whether a file can be created in dir. If it cannot, a compilation
// with this cache would fail, because wazero could not store the result.
func isWritable(dir string) bool {
	f, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// userCache returns the folder boundcheck/NAME in the user's cache directory, or "" if
// the user has no cache directory.
func userCache(name string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "boundcheck", name)
}
