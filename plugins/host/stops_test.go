package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

// TestPaysForWork checks that a guest pays for all of its work. The generator counts the
// instructions that a call executes. The guest must have paid at least as many ticks.
func TestPaysForWork(t *testing.T) {
	worked := 0
	for seed := range uint64(40) {
		g := hostile.NewGraph(seed, true)
		paid := ticksOf(t, g.Wasm)
		if paid < g.Work {
			t.Errorf("seed %d: the guest executed %d instructions and paid for %d", seed, g.Work, paid)
		}
		if g.Work > meter.Quantum {
			worked++
		}
	}
	if worked < 10 {
		t.Errorf("only %d guests do more than a quantum of work", worked)
	}
}

// ticksOf returns the number of ticks that one call of a module pays.
func ticksOf(t *testing.T, wasm []byte) uint64 {
	t.Helper()
	metered, err := meter.Rewrite(wasm, meter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, quanta := context.Background(), uint64(0)
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	_, err = r.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
		WithFunc(func(uint32) { quanta++ }).Export(meter.Function).Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Instantiate(ctx, metered)
	if err != nil {
		t.Fatal(err)
	}
	counter := m.ExportedGlobal(globalName(0)) // a graph has no globals of its own
	before := int32(counter.Get())
	if _, err := m.ExportedFunction(abi.ExportInvoke).Call(ctx, 0); err != nil {
		t.Fatal(err)
	}
	return quanta*meter.Quantum + uint64(int64(before)-int64(int32(counter.Get())))
}

// TestStops checks the law for guests of at most 1 MiB: none runs longer than twice its
// deadline. The guests are generated graphs that never end, and the hostile modules that
// do not. A short deadline is harder than the usual one.
func TestStops(t *testing.T) {
	for _, deadline := range []time.Duration{100 * time.Millisecond, 250 * time.Millisecond} {
		for seed := range uint64(8) {
			g := hostile.NewGraph(seed+uint64(deadline), false)
			if len(g.Wasm) > 1<<20 {
				t.Fatalf("seed %d: %d bytes", seed, len(g.Wasm))
			}
			checkStops(t, deadline, g.Wasm)
		}
	}
	for _, c := range hostile.Cases() {
		if c.Hang {
			t.Run(c.Name, func(t *testing.T) { checkStops(t, 100*time.Millisecond, c.Wasm) })
		}
	}
}

// checkStops checks that a module is stopped at its deadline. The time to compile it does
// not count. A busy machine may stop any run, so the shortest of several tries counts.
func checkStops(t *testing.T, deadline time.Duration, wasm []byte) {
	t.Helper()
	h := newTestHost(t, Limits{Deadline: deadline})
	ctx := context.Background()
	var took []time.Duration
	sum := sha256.Sum256(wasm)
	code, err := h.acquireCode(ctx, &Plugin{SHA256: hex.EncodeToString(sum[:])}, wasm) // stays compiled
	if err != nil {
		t.Fatal(err)
	}
	defer h.releaseCode(ctx, code)
	for len(took) < 4 && (len(took) == 0 || slices.Min(took) > 2*deadline) {
		began := time.Now()
		_, err := h.Load(ctx, wasm, Manifest{Name: "bad"})
		took = append(took, time.Since(began))
		wantError(t, err, "bad", Deadline)
	}
	if d := slices.Min(took); d > 2*deadline {
		t.Errorf("%d bytes ran for %v with a deadline of %v", len(wasm), d, deadline)
	}
}
