package host

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
)

// FuzzLoad: whatever bytes come as a module, loading ends in time with a plugin or an
// error with a code, and the host loads the next one.
func FuzzLoad(f *testing.F) {
	for _, c := range hostile.Cases() {
		if len(c.Wasm) < 1<<14 {
			f.Add(c.Wasm)
		}
	}
	f.Add(hostile.Bare("bad"))
	f.Add(hostile.Remembering("bad"))
	ctx := context.Background()
	h := open(f, Limits{Deadline: 100 * time.Millisecond, Compile: 5 * time.Second, MemoryPages: 256})
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if len(wasm) > 1<<16 {
			return
		}
		began := time.Now()
		p, err := h.Load(ctx, wasm, Manifest{Name: "bad"})
		var bad *Error
		if err != nil && (!errors.As(err, &bad) || bad.Code == Internal) {
			t.Fatal(err)
		}
		if err == nil {
			if _, err := p.Raw(ctx, []byte(`{"op":"mine"}`)); err != nil && !errors.As(err, &bad) {
				t.Fatal(err)
			}
			p.Close(ctx)
		}
		if d := time.Since(began); d > 30*time.Second {
			t.Fatalf("took %v", d)
		}
		if n := h.Spent().Memory; n != 0 {
			t.Fatalf("%d bytes of memory are still there", n)
		}
		h.spent.time.Store(0) // the budget is for one command
	})
}
