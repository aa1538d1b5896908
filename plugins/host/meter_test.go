package host

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// TestLoopHoldsUpNobody checks that a guest in an endless loop blocks only its own call.
// Go's garbage collector must be able to run, even if there is only one thread.
func TestLoopHoldsUpNobody(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	h := newTestHost(t, Limits{Deadline: time.Minute})
	for _, c := range hostile.Cases() {
		if c.Name != "endless loop in invoke" {
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for range 3 {
				runtime.GC()
			}
			cancel()
		}()
		_, err := h.Load(ctx, c.Wasm, Manifest{Name: "bad"})
		wantError(t, err, "bad", Canceled) // not Deadline
	}
}

// BenchmarkMeter measures one rendering of a prompt in three ways:
//
//   - "bare": nothing can stop the guest;
//   - "meter": the meter can stop the guest;
//   - "close-on-done": the engine's own mechanism can stop the guest.
func BenchmarkMeter(b *testing.B) {
	ctx := context.Background()
	wasm, err := Build(ctx, "prompts", "../..")
	if err != nil {
		b.Fatal(err)
	}
	metered, err := meter.Rewrite(wasm, meter.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bare := 0.0
	for _, way := range []struct {
		name   string
		wasm   []byte
		config wazero.RuntimeConfig
	}{
		{"bare", wasm, wazero.NewRuntimeConfig()},
		{"meter", metered, wazero.NewRuntimeConfig()},
		{"close-on-done", wasm, wazero.NewRuntimeConfig().WithCloseOnContextDone(true)},
	} {
		b.Run(way.name, func(b *testing.B) {
			call := newRenderCaller(b, way.config, way.wasm)
			for b.Loop() {
				call()
			}
			took := float64(b.Elapsed()) / float64(b.N)
			if way.name == "bare" {
				bare = took
			}
			b.ReportMetric(took/bare, "x-bare")
		})
	}
}

// newRenderCaller starts the prompts module and returns a function that asks it for one
// rendering.
func newRenderCaller(b *testing.B, config wazero.RuntimeConfig, wasm []byte) func() {
	ctx, cancel := context.WithCancel(context.Background()) // close-on-done watches this context
	b.Cleanup(cancel)
	r := wazero.NewRuntimeWithConfig(ctx, config)
	b.Cleanup(func() { r.Close(context.Background()) })
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	_, err := r.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(handleMeterCall), []api.ValueType{i32}, nil).Export(meter.Function).Instantiate(ctx)
	if err != nil {
		b.Fatal(err)
	}
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions(abi.ExportInit))
	if err != nil {
		b.Fatal(err)
	}
	request := []byte(`{"op":"prompt.render","template":"ebp-full"}`)
	return func() {
		at, err := m.ExportedFunction(abi.ExportAlloc).Call(ctx, uint64(len(request)))
		if err != nil || !m.Memory().Write(uint32(at[0]), request) {
			b.Fatal(err)
		}
		if _, err := m.ExportedFunction(abi.ExportInvoke).Call(ctx, uint64(len(request))); err != nil {
			b.Fatal(err)
		}
	}
}
