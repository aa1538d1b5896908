package plugins_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/host"
)

var render = []byte(`{"op":"prompt.render","template":"ebp-full","variables":{"tools":[{"name":"cancel_order","description":"Cancel a pending order.","parameters":{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}}]}}`)

// BenchmarkWarm is one rendering by an instance that is already there.
func BenchmarkWarm(b *testing.B) {
	p, err := newHost(b).Load(context.Background(), module(b, "prompts"), host.Manifest{Name: "prompts"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Raw(context.Background(), render); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNative is the same without a sandbox.
func BenchmarkNative(b *testing.B) {
	for b.Loop() {
		bundled["prompts"].Answer(render)
	}
}

// BenchmarkLoad is from module bytes to the first description: compiled anew,
// and with the compiled code on disk.
func BenchmarkLoad(b *testing.B) {
	wasm := module(b, "prompts")
	load := func(b *testing.B, o host.Options) {
		for b.Loop() {
			h, err := host.New(context.Background(), o)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := h.Load(context.Background(), wasm, host.Manifest{Name: "prompts"}); err != nil {
				b.Fatal(err)
			}
			h.Close(context.Background())
		}
	}
	b.Run("cold", func(b *testing.B) { load(b, host.Options{NoCache: true}) })
	b.Run("cached", func(b *testing.B) {
		o := host.Options{CacheDir: b.TempDir()}
		h, err := host.New(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := h.Load(context.Background(), wasm, host.Manifest{Name: "prompts"}); err != nil {
			b.Fatal(err)
		}
		h.Close(context.Background())
		load(b, o)
	})
}

// The guest's size is a budget: DESIGN allows 6 MB gzip for all of them.
func TestSize(t *testing.T) {
	const budget = 1_050_000
	wasm := module(t, "prompts")
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	w.Write(wasm)
	w.Close()
	t.Logf("prompts: %d bytes, %d gzip", len(wasm), z.Len())
	if z.Len() > budget {
		t.Errorf("prompts has %d bytes gzip, budget %d", z.Len(), budget)
	}
}
