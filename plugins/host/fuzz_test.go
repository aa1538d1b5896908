package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// FuzzLoad loads any bytes as a module. The host must return a plugin or an error with a
// code within a limited time, and must be able to load the next module.
func FuzzLoad(f *testing.F) {
	for _, c := range hostile.Cases() {
		if len(c.Wasm) < 1<<14 {
			f.Add(c.Wasm)
		}
	}
	f.Add(hostile.Bare("bad"))
	f.Add(hostile.Remembering("bad"))
	for _, wasm := range readGenerated(f) {
		f.Add(wasm)
	}
	ctx := context.Background()
	h := newTestHost(f, Limits{Deadline: 100 * time.Millisecond, Compile: 5 * time.Second, MemoryPages: 256})
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if len(wasm) > 1<<16 {
			return
		}
		tryLoad(t, ctx, h, wasm)
	})
}

// readGenerated returns the modules that plugins/hostjs/test/generate.mjs wrote into the
// folder BOUNDCHECK_GENERATED. It returns nil if this environment variable is not set.
func readGenerated(t testing.TB) (all [][]byte) {
	t.Helper()
	dir := os.Getenv("BOUNDCHECK_GENERATED")
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.wasm"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules in %s: %v", dir, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// TestGenerated checks that the host loads each generated valid module or refuses it with
// an error code.
func TestGenerated(t *testing.T) {
	all := readGenerated(t)
	if all == nil {
		t.Skip("SKIPPED: no generated modules; make fuzz makes some")
	}
	h, taken := newTestHost(t, Limits{Deadline: 500 * time.Millisecond, Compile: 5 * time.Second, MemoryPages: 256}), 0
	for _, wasm := range all {
		if tryLoad(t, context.Background(), h, wasm) {
			taken++
		}
	}
	t.Logf("%d modules, %d loaded", len(all), taken)
	if taken == 0 {
		t.Error("none was loaded: the generator makes no plugins")
	}
}

// tryLoad tries to load a module and to call it once, and reports whether the module is a
// plugin. It checks that loading ends in time, that an error has a code, and that no
// memory stays reserved.
func tryLoad(t *testing.T, ctx context.Context, h *Host, wasm []byte) bool {
	t.Helper()
	began := time.Now()
	p, err := h.Load(ctx, wasm, Manifest{Name: "bad"})
	var bad *Error
	if err != nil && (!errors.As(err, &bad) || bad.Code == Internal) {
		t.Fatal(err)
	}
	loaded := err == nil
	if loaded {
		if _, err := p.Raw(ctx, []byte(`{"op":"mine"}`)); err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		p.Close(ctx)
	}
	if d := time.Since(began); d > pace.Within(30*time.Second) {
		t.Fatalf("took %v", d)
	}
	if n := h.Spent().Memory; n != 0 {
		t.Fatalf("%d bytes of memory are still there", n)
	}
	h.spent.time.Store(0) // the budget is meant for one command
	return loaded
}
