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
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

func TestEvents(t *testing.T) {
	s := serve(t, "")
	first, _ := s.held("cancel_order", `{"secret":"not told"}`)
	r, _ := http.NewRequest("GET", s.url+"/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+bobKey)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	w, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
	if err != nil || w.StatusCode != 200 || !strings.HasPrefix(w.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatal(err, w)
	}
	defer w.Body.Close()
	s.note("GET", "/v1/events", 200)
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
	second, digest := s.held("cancel_order", `{}`)
	expect("pending", second)
	s.decide(aliceKey, second, digest, true)
	expect("settled", second)
	s.call("GET", "/v1/events", agentKey, "").want(t, 403)
}

// receiver stands for the other end of a webhook; it fails when told to.
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
		status = 302 // a redirect is no success, and is not followed
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {"https://elsewhere.example"}}, Body: io.NopCloser(bytes.NewReader(nil))}, nil
}

// TestWebhook: in order, signed over the exact body, again after a failure with
// the same id, and without a word of the arguments.
func TestWebhook(t *testing.T) {
	there := &receiver{fail: 2}
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef01234567"))
	s := serve(t, "", func(o *gate.Options) {
		o.Transport, o.Hooks = there, []gate.Hook{{Tenant: "t", URL: "https://hook.example/x", Secrets: []string{secret, secret}}}
	})
	ctx := context.Background()
	if err := s.gate.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	id, digest := s.held("cancel_order", `{"secret":"not told"}`)
	s.decide(aliceKey, id, digest, true).want(t, 200)
	s.call("POST", "/v1/proposals", spyKey, `{"tool":"cancel_order","arguments":{}}`).want(t, 202) // another tenant's
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

// TestRun: the background work expires, chains and tells by itself.
func TestRun(t *testing.T) {
	s := serve(t, `{"expiry":"5s"}`)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.gate.Run(ctx, func(err error) { t.Error(err) }); close(ended) }()
	id, _ := s.held("cancel_order", `{}`)
	s.now.Add(6000)
	s.held("cancel_order", `{}`) // wakes
	for range 300 {
		if r, err := s.store.Load(ctx, "t", id); err == nil && r.State == "expired" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if s.state(id) != "expired" {
		t.Error(s.state(id))
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	<-ended
}
