//go:build !js

package gate_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
)

func TestEvents(t *testing.T) {
	s := newTestService(t, "")
	first, _ := s.proposeHeld("cancel_order", `{"secret":"not told"}`)
	r, _ := http.NewRequest("GET", s.url+"/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+bobKey)
	ctx, cancel := context.WithTimeout(context.Background(), pace.Within(5*time.Second))
	defer cancel()
	w, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
	if err != nil || w.StatusCode != 200 || !strings.HasPrefix(w.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatal(err, w)
	}
	defer w.Body.Close()
	s.noteStatus("GET", "/v1/events", 200)
	lines := bufio.NewScanner(w.Body)
	expect := func(kind, id string) {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == "event: "+kind {
				lines.Scan()
				if data := lines.Text(); !strings.Contains(data, id) || strings.Contains(data, "not told") {
					t.Fatalf("%s: %s", kind, data)
				}
				return
			}
		}
		t.Fatalf("no %s of %s", kind, id)
	}
	expect("pending", first)
	second, digest := s.proposeHeld("cancel_order", `{}`)
	expect("pending", second)
	s.sendDecision(aliceKey, second, digest, true)
	expect("settled", second)
	s.callAPI("GET", "/v1/events", agentKey, "").assertStatus(t, 403)
}

// receiver simulates the receiver of a webhook. It can be told to fail.
type receiver struct {
	mu   sync.Mutex
	fail int
	got  []*http.Request
	text []string
}

func (r *receiver) RoundTrip(q *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, _ := io.ReadAll(q.Body)
	r.got, r.text = append(r.got, q), append(r.text, string(body))
	status := 204
	if r.fail > 0 {
		r.fail--
		status = 302 // a redirect is not a success and is not followed
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {"https://elsewhere.example"}}, Body: io.NopCloser(bytes.NewReader(nil))}, nil
}

// TestWebhook checks that messages arrive in order, with a signature over the exact body
// and without the arguments. After a failure, the same message must come again with the
// same id.
func TestWebhook(t *testing.T) {
	there := &receiver{fail: 2}
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef01234567"))
	s := newTestService(t, "", func(o *gate.Options) {
		o.Transport, o.Hooks = there, []notify.Hook{{Tenant: "t", URL: "https://hook.example/x", Secrets: []string{secret, secret}}}
	})
	ctx := context.Background()
	if err := s.gate.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	id, digest := s.proposeHeld("cancel_order", `{"secret":"not told"}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals", spyKey, `{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 202) // another tenant's
	if err := s.gate.Deliver(ctx); err == nil {
		t.Error("a redirect counts as delivered")
	}
	s.gate.Deliver(ctx)
	if len(there.got) != 1 {
		t.Errorf("%d tries at once", len(there.got))
	}
	for range 4 {
		s.now.Add(2000)
		s.gate.Deliver(ctx)
	}
	if len(there.got) != 4 || !strings.Contains(there.text[0], `"type":"proposal.pending"`) || there.text[2] != there.text[0] || !strings.Contains(there.text[3], `"type":"proposal.approved"`) {
		t.Fatalf("%d: %v", len(there.got), there.text)
	}
	for i, q := range there.got {
		m := hmac.New(sha256.New, []byte("0123456789abcdef01234567"))
		m.Write([]byte(q.Header.Get("webhook-id") + "." + q.Header.Get("webhook-timestamp") + "." + there.text[i]))
		sig := "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
		if q.Header.Get("webhook-signature") != sig+" "+sig {
			t.Errorf("signature %q", q.Header.Get("webhook-signature"))
		}
		if strings.Contains(there.text[i], "not told") || !strings.Contains(there.text[i], id) {
			t.Errorf("body %s", there.text[i])
		}
	}
	if a, b := there.got[0].Header.Get("webhook-id"), there.got[2].Header.Get("webhook-id"); a != b || a == there.got[3].Header.Get("webhook-id") || a == "" {
		t.Errorf("ids %s %s", a, b)
	}
}

// slow is a receiver that lets two deliveries overlap.
type slow struct {
	*receiver
	both sync.WaitGroup
	meet atomic.Bool
}

func (s *slow) RoundTrip(q *http.Request) (*http.Response, error) {
	if s.meet.CompareAndSwap(true, false) {
		s.both.Done()
		s.both.Wait()
	}
	return s.receiver.RoundTrip(q)
}

// TestOneDeliverer checks that only one of several simultaneous calls of Deliver
// delivers, and that each message comes once. If this call breaks off, another call must
// continue after a short time.
func TestOneDeliverer(t *testing.T) {
	there := &slow{receiver: &receiver{}}
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef01234567"))
	s := newTestService(t, "", func(o *gate.Options) {
		o.Transport, o.Hooks = there, []notify.Hook{{Tenant: "t", URL: "https://hook.example/x", Secrets: []string{secret}}}
	})
	ctx := context.Background()
	s.gate.Deliver(ctx)
	s.proposeHeld("cancel_order", `{"n":1}`)
	s.proposeHeld("cancel_order", `{"n":2}`)
	there.both.Add(2)
	there.meet.Store(true)
	first := make(chan error)
	go func() { first <- s.gate.Deliver(ctx) }()
	for there.meet.Load() {
		time.Sleep(time.Millisecond)
	}
	if err := s.gate.Deliver(ctx); err != nil || len(there.got) != 0 {
		t.Errorf("%d told by a second deliverer: %v", len(there.got), err)
	}
	there.both.Done()
	if err := <-first; err != nil || len(there.got) != 2 {
		t.Errorf("%d told: %v", len(there.got), err)
	}
	s.proposeHeld("cancel_order", `{"n":3}`)
	gone, cancel := context.WithCancel(ctx)
	there.both.Add(2)
	there.meet.Store(true)
	go func() { first <- s.gate.Deliver(gone) }()
	for there.meet.Load() {
		time.Sleep(time.Millisecond)
	}
	cancel() // the instance ends during a delivery
	there.both.Done()
	<-first
	s.gate.Deliver(ctx)
	if len(there.got) != 3 {
		t.Errorf("%d told before the lease ended", len(there.got))
	}
	s.now.Add(60_000)
	if err := s.gate.Deliver(ctx); err != nil || len(there.got) != 4 || there.text[3] != there.text[2] {
		t.Errorf("%d told after it: %v", len(there.got), err)
	}
}

// TestRun checks that the background work expires a proposal whose time is over, and that
// Run returns when its context ends.
func TestRun(t *testing.T) {
	s := newTestService(t, `{"expiry":"5s"}`)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.gate.Run(ctx, func(err error) { t.Error(err) }); close(ended) }()
	id, _ := s.proposeHeld("cancel_order", `{}`)
	s.now.Add(6000)
	s.proposeHeld("cancel_order", `{}`) // wakes the background work
	for range 300 {
		if r, err := s.store.Load(ctx, "t", id); err == nil && r.State == "expired" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if s.proposalState(id) != "expired" {
		t.Error(s.proposalState(id))
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	<-ended
}

// TestHostSleeps checks a host that sets Options.Sleep. Waiting requests must wait only
// with this function. Streams must end after the time Options.Stream.
func TestHostSleeps(t *testing.T) {
	var slept []time.Duration
	var s *service
	var id, digest string
	s = newTestService(t, "", func(o *gate.Options) {
		o.Poll, o.Stream = 7*time.Second, 30*time.Millisecond
		o.Sleep = func(_ context.Context, d time.Duration) {
			slept = append(slept, d)
			if len(slept) == 3 {
				s.sendDecision(aliceKey, id, digest, true)
			}
			time.Sleep(time.Millisecond)
		}
	})
	id, digest = s.proposeHeld("cancel_order", `{}`)
	s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "").assertStatus(t, 200, `"state":"approved"`)
	if len(slept) != 3 || slept[0] != 7*time.Second {
		t.Errorf("slept %v", slept)
	}
	s.callAPI("GET", "/v1/events", aliceKey, "").assertStatus(t, 200, "retry:")
	if len(slept) < 4 { // how often in 30 ms depends on the machine
		t.Errorf("slept %d times, never for the stream", len(slept))
	}
}
