package host

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// newTestHost returns a host that keeps no code on disk. It is closed when the test ends.
func newTestHost(t testing.TB, l Limits) *Host {
	t.Helper()
	return openTestHost(t, Options{Limits: l, NoCache: true})
}

// newCachedHost returns a host for the bundled modules. It takes compiled code from the
// user's cache, so the tests of all packages compile each of these modules once.
func newCachedHost(t testing.TB) *Host {
	t.Helper()
	return openTestHost(t, Options{})
}

func openTestHost(t testing.TB, o Options) *Host {
	t.Helper()
	h, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	return h
}

// wantError fails the test if err is not an *Error with the given plugin and code. The
// text of the error must contain both.
func wantError(t *testing.T, err error, plugin string, code Code) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want an *Error with code %s", err, code)
	}
	if e.Plugin != plugin || e.Code != code {
		t.Fatalf("error %v, want code %s of plugin %q", err, code, plugin)
	}
	for _, word := range []string{plugin, string(code)} {
		if !strings.Contains(e.Error(), word) {
			t.Errorf("error %q does not name %q", e, word)
		}
	}
}

func TestHostile(t *testing.T) {
	const deadline = 200 * time.Millisecond
	h := newTestHost(t, Limits{MemoryPages: 1024})
	short := newTestHost(t, Limits{Deadline: deadline})
	for _, c := range hostile.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			on := h
			if c.Hang {
				on = short
			}
			var took time.Duration
			for try := range 3 { // the machine may be busy, and the module is compiled each time
				began := time.Now()
				_, err := on.Load(context.Background(), c.Wasm, Manifest{Name: "bad"})
				wantError(t, err, "bad", Code(c.Code))
				if took = time.Since(began); try == 0 {
					t.Log(err)
				}
				if !c.Hang || took <= deadline+5*time.Second {
					return
				}
			}
			t.Errorf("took %v with a deadline of %v", took, deadline)
		})
	}
	// The hostile modules must not have harmed the host.
	if _, err := h.Load(context.Background(), hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"}); err != nil {
		t.Fatal(err)
	}
}

// TestPanicText checks that the error contains only the first line that a guest wrote
// before it crashed.
func TestPanicText(t *testing.T) {
	_, err := newTestHost(t, Limits{}).Load(context.Background(), hostile.Panicking("panic: no such table\n\ngoroutine 1:\n"), Manifest{Name: "bad"})
	wantError(t, err, "bad", Trap)
	if got := err.Error(); !strings.Contains(got, "unreachable: panic: no such table (trap)") {
		t.Errorf("error %q", got)
	}
}

func TestPin(t *testing.T) {
	h := newTestHost(t, Limits{})
	wasm := hostile.Honest(hostile.Describe("good"))
	p, err := h.Load(context.Background(), wasm, Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Load(context.Background(), wasm, Manifest{Name: "good", SHA256: p.SHA256}); err != nil {
		t.Errorf("pinned by its own hash: %v", err)
	}
	_, err = h.Load(context.Background(), hostile.Honest(hostile.Describe("evil")), Manifest{Name: "good", SHA256: p.SHA256})
	wantError(t, err, "good", HashMismatch)
}

func TestLimits(t *testing.T) {
	ctx := context.Background()
	wasm := hostile.Honest(hostile.Describe("good"))
	_, err := newTestHost(t, Limits{ModuleBytes: 16}).Load(ctx, wasm, Manifest{Name: "good"})
	wantError(t, err, "good", TooLarge)

	p, err := newTestHost(t, Limits{RequestBytes: 100}).Load(ctx, wasm, Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Raw(ctx, make([]byte, 101))
	wantError(t, err, "good", RequestTooLarge)
	_, err = p.Call(ctx, abi.OpPromptRender, abi.RenderRequest{Op: abi.OpPromptRender})
	wantError(t, err, "good", NotDescribed)
}

// TestCanceled checks the error of a call that its caller has cancelled. The error must
// say that the call was cancelled, and must not blame the plugin.
func TestCanceled(t *testing.T) {
	h := newTestHost(t, Limits{})
	p, err := h.Load(context.Background(), hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = p.Raw(ctx, []byte(`{}`))
	wantError(t, err, "good", Canceled)
	if _, err := p.Raw(context.Background(), []byte(`{}`)); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestRefusal checks that a plugin's own refusal keeps its code and can be
// distinguished from a failure.
func TestRefusal(t *testing.T) {
	p := &Plugin{name: "good"}
	_, err := p.openAnswer([]byte(`{"error":{"code":"unknown-template","message":"unknown template \"x\""}}`))
	wantError(t, err, "good", "unknown-template")
	var said *abi.Error
	if !errors.As(err, &said) || said.Message != `unknown template "x"` {
		t.Errorf("error %v does not unwrap to what the plugin said", err)
	}
	if _, err := p.openAnswer([]byte(`{"later":1,"ok":[ 1 ]}`)); err != nil {
		t.Errorf("a member of a later version: %v", err)
	}
}

// TestCallersDeadline checks that a call is reported as cancelled if its caller has a
// deadline that is shorter than the host's limit. Such a call is not a fault of the
// plugin.
func TestCallersDeadline(t *testing.T) {
	for _, c := range hostile.Cases() {
		if !c.Hang {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		_, err := newTestHost(t, Limits{}).Load(ctx, c.Wasm, Manifest{Name: "bad"})
		wantError(t, err, "bad", Canceled)
		return
	}
}

func TestParallel(t *testing.T) {
	h := newTestHost(t, Limits{Instances: 3})
	want := hostile.Describe("good")
	p, err := h.Load(context.Background(), hostile.Honest(want), Manifest{Name: "good"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if got, err := p.Raw(context.Background(), []byte(`{"op":"describe"}`)); err != nil || string(got) != want {
					t.Errorf("answer %s, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(p.idle); n > 3 {
		t.Errorf("%d instances kept, want at most 3", n)
	}
}

func TestCacheUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := New(context.Background(), Options{CacheDir: filepath.Join(file, "cache")})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.Background())
	if h.cache != nil {
		t.Error("a cache where none can be")
	}
	if _, err := h.Load(context.Background(), hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"}); err != nil {
		t.Error(err)
	}
}

// TestSandbox checks two stubs of the sandbox: the randomness is the same in every
// instance, and at most 1024 bytes of stderr are kept.
func TestSandbox(t *testing.T) {
	var a, b [64]byte
	(&lcg{}).Read(a[:])
	(&lcg{}).Read(b[:])
	if a != b || a == [64]byte{} {
		t.Errorf("stub randomness %x and %x", a[:8], b[:8])
	}
	var s tail
	for range 1000 {
		s.Write([]byte("panic: something long\n"))
	}
	if s.buf.Len() > 1024 || s.leadingLine() != "panic: something long" {
		t.Errorf("kept %d bytes, first line %q", s.buf.Len(), s.leadingLine())
	}
}

func TestErrorIsData(t *testing.T) {
	_, err := (&Plugin{name: "p"}).openAnswer([]byte(`[]`))
	b, _ := json.Marshal(err)
	if !strings.Contains(string(b), `"Code":"invalid-answer"`) {
		t.Errorf("error as JSON: %s", b)
	}
}
