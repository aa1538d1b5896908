package plugins_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/meter"
)

var render = []byte(`{"op":"prompt.render","template":"ebp-full","variables":{"tools":[{"name":"cancel_order","description":"Cancel a pending order.","parameters":{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}}]}}`)

// BenchmarkWarm measures one rendering of a prompt by an instance that is already
// running.
func BenchmarkWarm(b *testing.B) {
	p, err := newHost(b).Load(context.Background(), buildModule(b, "prompts"), host.Manifest{Name: "prompts"})
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

// BenchmarkNative measures the same rendering as BenchmarkWarm, in native code without
// a sandbox.
func BenchmarkNative(b *testing.B) {
	for b.Loop() {
		bundled["prompts"].Answer(render)
	}
}

// BenchmarkLoad measures the time from the module's bytes to the plugin's description.
// The case "cold" compiles the module each time. The case "cached" finds the compiled
// code on disk.
func BenchmarkLoad(b *testing.B) {
	load := func(b *testing.B, name string, o host.Options) {
		h, err := host.New(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := h.Load(context.Background(), buildModule(b, name), host.Manifest{Name: name}); err != nil {
			b.Fatal(err)
		}
		h.Close(context.Background())
	}
	for _, name := range []string{"prompts", "osworld", "swebench", "taubench"} { // one plugin of each module
		b.Run(name+"/cold", func(b *testing.B) {
			for b.Loop() {
				load(b, name, host.Options{NoCache: true})
			}
		})
		b.Run(name+"/cached", func(b *testing.B) {
			o := host.Options{CacheDir: b.TempDir()}
			load(b, name, o)
			for b.Loop() {
				load(b, name, o)
			}
		})
	}
}

// TestSizes checks the sizes of modules after compression with gzip. These are the
// limits:
//
//   - 3 MB for each module that comes with boundcheck;
//   - 6 MB for all these modules together;
//   - 1 MB for the metered module in a Worker.
func TestSizes(t *testing.T) {
	check := func(name string, wasm []byte, budget int) (gzipped int) {
		t.Helper()
		var z bytes.Buffer
		w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
		w.Write(wasm)
		w.Close()
		t.Logf("%s: %d bytes, %d gzip", name, len(wasm), z.Len())
		if z.Len() > budget {
			t.Errorf("%s has %d bytes gzip, budget %d", name, z.Len(), budget)
		}
		return z.Len()
	}
	total, seen := 0, map[string]bool{}
	for _, name := range host.BundledPlugins() {
		if m := host.ModuleOf(name); !seen[m] {
			seen[m] = true
			total += check(m, buildModule(t, name), 3_000_000)
		}
	}
	if total > 6_000_000 {
		t.Errorf("all modules together have %d bytes gzip, budget 6 MB", total)
	}
	edge, err := host.Build(context.Background(), "prompts", "..")
	if err != nil {
		t.Fatal(err)
	}
	metered, err := meter.Rewrite(edge, meter.Options{Pages: 1024})
	if err != nil {
		t.Fatal(err)
	}
	check("for the Worker", metered, 1_000_000)
}

// BenchmarkCheck measures one equivalence.check for each plugin with a conformance case
// for it. It measures once with the memory restored before each call, and once with the
// memory kept between calls.
func BenchmarkCheck(b *testing.B) {
	ctx := context.Background()
	seen := map[string]bool{}
	for _, c := range readCases(b) {
		if seen[c.plugin] || !bytes.Contains(c.request, []byte(`"equivalence.check"`)) || bytes.Contains(c.request, []byte(`"environment"`)) {
			continue
		}
		seen[c.plugin] = true
		for _, reuse := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/reuse=%v", c.plugin, reuse), func(b *testing.B) {
				p, err := newHost(b).Load(ctx, buildModule(b, c.plugin), host.Manifest{Name: c.plugin, Reuse: reuse})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(c.request)))
				for b.Loop() {
					if _, err := p.Raw(ctx, c.request); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
