package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// failedChecks returns the names of the checks that failed.
func failedChecks(all []Verified) (names []string) {
	for _, v := range all {
		if v.Err != nil {
			names = append(names, v.Name)
		}
	}
	return names
}

// breaches lists checks that a bundled plugin is known to fail until its next version.
// A check that passes again must be removed from this list.
var breaches = map[string][]string{}

// TestVerifyBundled makes each of over 30 checks with four modules, which make test builds
// and compiles here for all later tests. All plugins that come with boundcheck must pass.
func TestVerifyBundled(t *testing.T) {
	keepGoCache(t)
	h := newCachedHost(t)
	built := map[string][]byte{}
	for _, name := range BundledPlugins() {
		wasm := built[ModuleOf(name)]
		if wasm == nil {
			var err error
			if wasm, err = Build(context.Background(), ModuleOf(name), filepath.Join("..", "..")); err != nil {
				t.Fatal(err)
			}
			built[ModuleOf(name)] = wasm
		}
		began := time.Now()
		_, all := h.Verify(context.Background(), wasm, Manifest{Name: name})
		for _, v := range all {
			if v.Err != nil {
				t.Logf("%s: %s: %v", name, v.Name, v.Err)
			}
		}
		if got := failedChecks(all); len(all) < 30 || !slices.Equal(got, breaches[name]) {
			t.Errorf("%s: of %d checks %q do not hold, known are %q", name, len(all), got, breaches[name])
		}
		t.Logf("%s: %d checks in %v", name, len(all), time.Since(began))
	}
}

// TestVerifyBare checks that a module that was written byte by byte, with only ABI.md as
// a guide, passes all checks.
func TestVerifyBare(t *testing.T) {
	wasm := hostile.Bare("bare")
	_, all := newTestHost(t, Limits{}).Verify(context.Background(), wasm, Manifest{Name: "bare"})
	for _, v := range all {
		if v.Err != nil {
			t.Errorf("%s: %v", v.Name, v.Err)
		}
	}
	if len(all) < 30 {
		t.Errorf("%d bytes: only %d checks", len(wasm), len(all))
	}
}

// TestVerifyHostile checks that the verification of each hostile module fails at the
// right step. The error code of the module decides which step is right.
func TestVerifyHostile(t *testing.T) {
	h := newTestHost(t, Limits{MemoryPages: 1024})
	short := newTestHost(t, Limits{Deadline: 200 * time.Millisecond})
	steps := map[Code]string{InvalidModule: "module", ImportNotGranted: "imports", MissingExport: "exports", OutOfMemory: "memory",
		WrongVersion: "ABI version", WrongName: "name"}
	for _, c := range hostile.Cases() {
		on := h
		if c.Hang {
			on = short
		}
		p, all := on.Verify(context.Background(), c.Wasm, Manifest{Name: "bad"})
		want := steps[Code(c.Code)]
		if Code(c.Code) == TooLarge {
			want = "size"
		}
		if want == "" {
			want = "describe"
		}
		if p != nil || len(all) != 1 || all[0].Name != want {
			t.Errorf("%s: %+v, want one failure of %s", c.Name, all, want)
			continue
		}
		wantError(t, all[0].Err, "bad", Code(c.Code))
	}
	_, all := h.Verify(context.Background(), hostile.Honest(hostile.Describe("good")), Manifest{Name: "good", SHA256: "00"})
	if len(all) != 1 || all[0].Name != "hash" {
		t.Errorf("another hash: %+v", all)
	}
}

// TestVerifyParrot checks a module that gives the same answer to every request. It can
// be loaded, but it fails the verification.
func TestVerifyParrot(t *testing.T) {
	wasm := hostile.Honest(hostile.Describe("good"))
	p, all := newTestHost(t, Limits{}).Verify(context.Background(), wasm, Manifest{Name: "good", SHA256: fmt.Sprintf("%x", sha256.Sum256(wasm))})
	if !strings.HasSuffix(all[1].Note, ", as pinned") {
		t.Errorf("hash: %+v", all[1])
	}
	got := strings.Join(failedChecks(all), "; ")
	for _, want := range []string{"unknown operation", "request not JSON", "prompt.render, an operation that the plugin does not offer"} {
		if p == nil || !strings.Contains(got, want) {
			t.Errorf("%q holds; what does not: %s", want, got)
		}
	}
	if strings.Contains(got, "describe again") || strings.Contains(got, "same bytes") {
		t.Errorf("what does not hold: %s", got)
	}
}

func TestVerifyDescription(t *testing.T) {
	good := func() *Plugin {
		return &Plugin{name: "x", Description: abi.Description{Name: "x", Version: "1.0.0-rc.1", Operations: []string{"describe", "mine"}}}
	}
	if got := failedChecks(good().checkDescription()); got != nil {
		t.Errorf("a good one: %v", got)
	}
	for want, spoil := range map[string]func(*Plugin){
		"version":         func(p *Plugin) { p.Description.Version = "1" },
		"letters of name": func(p *Plugin) { p.Description.Name = "x_y" },
		"summary":         func(p *Plugin) { p.Description.Summary = "a\nb" },
		"operations":      func(p *Plugin) { p.Description.Operations = []string{"mine", "describe"} },
		"operation names": func(p *Plugin) { p.Description.Operations = []string{"describe", "my.own"} },
		"templates":       func(p *Plugin) { p.Description.Templates = make([]abi.Template, 1) },
		"environment":     func(p *Plugin) { p.Description.Environment = &abi.EnvironmentFiles{} },
		"benchmarks":      func(p *Plugin) { p.Description.Benchmarks = []abi.Benchmark{{ID: "b", Tools: []string{"b", "a"}}} },
	} {
		p := good()
		spoil(p)
		if got := failedChecks(p.checkDescription()); len(got) != 1 || got[0] != want {
			t.Errorf("%s: what does not hold is %v", want, got)
		}
	}
}

// TestVerifyMemory checks that a new plugin passes, and that a plugin that remembers
// earlier calls fails.
func TestVerifyMemory(t *testing.T) {
	keepGoCache(t)
	dir := filepath.Join(t.TempDir(), "fresh")
	if _, _, err := Skeleton("fresh", "", dir); err != nil {
		t.Fatal(err)
	}
	h := newTestHost(t, Limits{})
	if got := failedChecks(verifyFolder(t, h, dir)); got != nil {
		t.Fatalf("a new plugin: %v do not hold", got)
	}
	path := filepath.Join(dir, "plugin.go")
	b, _ := os.ReadFile(path)
	text := strings.Replace(string(b), "Ops: map[string]sdk.Op{", "Ops: map[string]sdk.Op{\n"+
		`"count": func([]byte) (any, error) { return calls, nil },`, 1) + "\nvar calls int\n"
	text = strings.Replace(text, "abi.OpStateReplay:      sdk.Replays(Replay),",
		"abi.OpStateReplay: func(r []byte) (any, error) { calls++; return sdk.Replays(Replay)(r) },", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all := verifyFolder(t, h, dir)
	if got := failedChecks(all); len(got) != 1 || !strings.HasPrefix(got[0], "a second instance gives the same answers") {
		t.Errorf("what does not hold: %v", got)
	}
	if err := all[len(all)-1].Err; err == nil || !strings.Contains(err.Error(), "count with no members") {
		t.Errorf("error %v does not name the request", err)
	}
}

func verifyFolder(t *testing.T, h *Host, dir string) []Verified {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.wasm")
	if _, err := goTool(context.Background(), dir, append(buildArgs[:len(buildArgs):len(buildArgs)], "-o", out, "./guest")...); err != nil {
		t.Fatal(err)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, all := h.Verify(context.Background(), wasm, Manifest{Name: "fresh"})
	return all
}

func TestRun(t *testing.T) {
	ctx := context.Background()
	p, err := newTestHost(t, Limits{}).Load(ctx, hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Run(ctx, abi.OpDescribe, []byte(describeRequest)); err != nil || string(got) != hostile.Describe("good") {
		t.Errorf("answer %s, %v", got, err)
	}
	_, err = p.Run(ctx, abi.OpPromptRender, []byte(`{}`))
	wantError(t, err, "good", NotDescribed)
	var said *abi.Error
	if errors.As(err, &said) {
		t.Error("the host's refusal taken for the plugin's")
	}
}
