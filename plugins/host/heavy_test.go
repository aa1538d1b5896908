package host

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestHeavy compiles very large functions, which takes seconds. It checks that the compiler
// needs at most 15 seconds for one of them. The compiler checks its deadline only between functions, so it may exceed the
// deadline by this time.
func TestHeavy(t *testing.T) {
	h := newTestHost(t, Limits{Compile: pace.Within(15 * time.Second)})
	for _, c := range hostile.Heavy(1) {
		d := pace.Spent(func() {
			p, err := h.Load(context.Background(), c.Wasm, Manifest{Name: "bad"})
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			p.Close(context.Background())
		})
		if t.Logf("%s: %d bytes, %v", c.Name, len(c.Wasm), d); d > 15*time.Second {
			t.Errorf("%s: compiled in %v", c.Name, d)
		}
	}
}

// TestCompileDeadline checks that compiling has a deadline and does not block other
// loads. A module that exceeded the deadline must not be compiled again.
func TestCompileDeadline(t *testing.T) {
	ctx := context.Background()
	h := newTestHost(t, Limits{Compile: 300 * time.Millisecond})
	slow := hostile.Heavy(60)[0].Wasm
	began := time.Now()
	done := make(chan error)
	go func() {
		_, err := h.Load(ctx, slow, Manifest{Name: "bad"})
		done <- err
	}()
	if _, err := h.Load(ctx, hostile.Bare("bare"), Manifest{Name: "bare"}); err != nil {
		t.Error(err)
	}
	select {
	case <-done:
		t.Error("the slow module was compiled before the quick one")
	default:
	}
	err := <-done
	wantError(t, err, "bad", Deadline)
	if d := time.Since(began); d > pace.Within(10*time.Second) || !strings.Contains(err.Error(), "compiling the plugin took longer than 300ms") {
		t.Errorf("after %v: %v", d, err)
	}
	again := pace.Spent(func() { _, err = h.Load(ctx, slow, Manifest{Name: "worse"}) })
	wantError(t, err, "worse", Deadline)
	if again > 200*time.Millisecond {
		t.Errorf("compiled again for %v", again)
	}
}

// TestForgets checks that a plugin cannot read data that it stored during an earlier
// request. The requests use the same instance.
func TestForgets(t *testing.T) {
	ctx := context.Background()
	h := newTestHost(t, Limits{Instances: 1})
	ask := func(p *Plugin, request string) string {
		t.Helper()
		got, err := p.Raw(ctx, []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	load := func(reuse bool) *Plugin {
		t.Helper()
		p, err := h.Load(ctx, hostile.Remembering("bad"), Manifest{Name: "bad", Reuse: reuse})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	alice, bob := `{"op":"mine","x":"alice's task 0123456789012345678901234567890123456789"}`, `{"op":"mine","x":"bob's 0123456789012345678901234567890123456789012345"}`
	kept := load(true)
	if ask(kept, alice); !strings.Contains(ask(kept, bob), "alice") {
		t.Fatal("the plugin remembers nothing: the test shows nothing")
	}
	p := load(false)
	first := ask(p, bob)
	for range 3 {
		ask(p, alice)
		if got := ask(p, bob); got != first {
			t.Errorf("answer %s, before %s", got, first)
		}
	}
	if len(p.idle) != 1 {
		t.Error("no instance is kept")
	}
}

// TestShrinks checks that a plugin whose memory grows begins each call with the memory of
// the first one, and that the host needs no new instance for that. Where the plugin has
// reached its limit, wazero does not let the memory shrink, and the host takes a new one.
func TestShrinks(t *testing.T) {
	ctx := context.Background()
	for pages, kept := range map[uint32]bool{1000: true, 132: true, 131: false} { // the meter gives it 129 at first
		h := newTestHost(t, Limits{Instances: 1, MemoryPages: pages})
		p, err := h.Load(ctx, hostile.Growing("bad"), Manifest{Name: "bad"})
		if err != nil {
			t.Fatal(err)
		}
		was := p.begin.size
		for range 5 {
			got, err := p.Raw(ctx, []byte(`{"op":"mine"}`))
			if want := fmt.Sprintf(`"seen":"%c0"`, '0'+was/pageBytes%32); err != nil || !strings.Contains(string(got), want) {
				t.Fatalf("%d pages: answer %s, want %s; error %v", pages, got, want, err)
			}
		}
		if (len(p.idle) == 1) != kept {
			t.Errorf("%d pages: %d instances are kept", pages, len(p.idle))
		}
		if got, want := h.Spent().Memory, int64(len(p.idle)*was); got != want {
			t.Errorf("%d pages: %d bytes are spent, want %d", pages, got, want)
		}
	}
}

// TestBudget checks that a host's budget of time, answer bytes and memory holds for all
// its calls together.
func TestBudget(t *testing.T) {
	ctx := context.Background()
	try := func(b Budget) (*Plugin, *Host) {
		h, err := New(ctx, Options{Budget: b, NoCache: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close(ctx) })
		p, err := h.Load(ctx, hostile.Honest(hostile.Describe("good")), Manifest{Name: "good"})
		if err != nil {
			t.Fatal(err)
		}
		return p, h
	}
	p, h := try(Budget{AnswerBytes: 300})
	for range 4 {
		if _, err := p.Raw(ctx, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	_, err := p.Raw(ctx, []byte("{}"))
	wantError(t, err, "good", OverBudget)
	if s := h.Spent(); s.Calls != 5 || s.AnswerBytes < 300 || s.Memory != pageBytes {
		t.Errorf("spent %+v", s)
	}
	p, h = try(Budget{Time: time.Nanosecond * 1e9})
	h.spent.time.Add(int64(time.Second))
	_, err = p.Raw(ctx, []byte("{}"))
	wantError(t, err, "good", OverBudget)
	if got := h.Spent().String(); !strings.HasPrefix(got, "plugins: 1 calls took 1s of the allowed 1s") {
		t.Error(got)
	}
	h, err = New(ctx, Options{Budget: Budget{Memory: pageBytes}, NoCache: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(ctx)
	if _, err := h.Load(ctx, hostile.Bare("bare"), Manifest{Name: "bare"}); err == nil {
		t.Error("33 pages in a budget of one")
	}
}

// TestStartIsNotCalled checks that a module with the export _start is loaded, and that
// its _start is never called.
func TestStartIsNotCalled(t *testing.T) {
	if _, err := newTestHost(t, Limits{}).Load(context.Background(), hostile.Command("command"), Manifest{Name: "command"}); err != nil {
		t.Error(err)
	}
}
