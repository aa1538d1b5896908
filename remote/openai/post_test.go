package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
)

// stepsHandler returns a handler that uses the next step for each request. After the last
// step, it repeats the last step.
func stepsHandler(asked *atomic.Int32, steps ...http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1)) - 1
		steps[min(n, len(steps)-1)](w, r)
	}
}

func statusHandler(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func hangRequest(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) // the server notices only then that the client left
	<-r.Context().Done()
}

func sendEndlessBody(w http.ResponseWriter, r *http.Request) { // a body that never ends
	w.Write([]byte(`{"n":`))
	w.(http.Flusher).Flush()
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func resetConnection(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0) // close with a reset
	conn.Close()
}

func truncateAnswer(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	w.Write([]byte(`{"n":`))
	panic(http.ErrAbortHandler)
}

func sendGiantBody(w http.ResponseWriter, _ *http.Request) {
	w.Write([]byte(`{"n":"` + strings.Repeat("x", 1<<20) + `"}`))
}

var fine = statusHandler(200, `{"n":7}`)

func TestTrouble(t *testing.T) {
	check := func(name string, kind Kind, requests int, part string, steps ...http.HandlerFunc) {
		t.Helper()
		var asked atomic.Int32
		c := newTestClient(t, Options{Timeout: 300 * time.Millisecond, Retries: 2, MaxBytes: 1 << 16}, stepsHandler(&asked, steps...))
		var out struct{ N int }
		err := c.Post("things", 1, &out)
		var e *Error
		switch {
		case int(asked.Load()) != requests:
			t.Errorf("%s: %d requests, want %d", name, asked.Load(), requests)
		case kind == 0 && (err != nil || out.N != 7):
			t.Errorf("%s: %v, %+v", name, err, out)
		case kind != 0 && (!errors.As(err, &e) || e.Kind != kind || !strings.Contains(err.Error(), part) || e.Attempts != requests):
			t.Errorf("%s: %v (%+v), want %v with %q", name, err, e, kind, part)
		}
	}
	check("fine", 0, 1, "", fine)
	check("busy, then fine", 0, 2, "", statusHandler(429, ""), fine)
	check("failed twice, then fine", 0, 3, "", statusHandler(500, ""), statusHandler(503, ""), fine)
	check("reset, then fine", 0, 2, "", resetConnection, fine)
	check("truncated, then fine", 0, 2, "", truncateAnswer, fine)
	check("always busy", Busy, 3, "slow down (after 3 attempts)", statusHandler(429, `{"error":{"message":"slow down"}}`))
	check("always failing", Failed, 3, "(status 502): oh no", statusHandler(502, "oh\n\tno"))
	check("always reset", Broken, 3, "the connection broke", resetConnection)
	check("always truncated", Broken, 3, "the answer was cut off", truncateAnswer)
	check("time-out", TimedOut, 1, "waited 300ms", hangRequest)
	check("time-out in the body", TimedOut, 1, "waited 300ms", sendEndlessBody)
	check("giant", TooLarge, 1, "more than 65536 bytes", sendGiantBody)
	check("giant refusal", Invalid, 1, "xxx…", statusHandler(400, strings.Repeat("x", 1<<20)))
	check("not JSON", Garbled, 1, "invalid character", statusHandler(200, "<html>"))
	check("two values", Garbled, 1, "after top-level value", statusHandler(200, "{}{}"))
	check("another type", Garbled, 1, "cannot unmarshal", statusHandler(200, `{"n":"x"}`))
	check("empty", Garbled, 1, "the body is empty", statusHandler(200, " \n"))
	check("no content", Garbled, 1, "the body is empty", statusHandler(204, ""))
	check("no key", Refused, 1, "no key was sent", statusHandler(401, `{"error":"who?"}`))
	check("unknown model", Unknown, 1, "try pulling it", statusHandler(404, `{"error":"model not found, try pulling it"}`))
	check("too large", TooLong, 1, "", statusHandler(413, ""))
	check("too long", TooLong, 1, "context length", statusHandler(400, `{"error":{"message":"input exceeds the context length"}}`))
	check("too many", TooLong, 1, "batch size", statusHandler(422, `{"message":"batch size 64 > allowed 32"}`))
	check("bad", Invalid, 1, "unknown field", statusHandler(400, `{"detail":"unknown field"}`))
	check("elsewhere", Unknown, 1, "the server redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/v2", http.StatusTemporaryRedirect) })
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	c, err := New(Options{BaseURL: s.URL + "?key=" + secret, Backoff: time.Millisecond, Retries: 1})
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	if err := c.Post("things", 1, nil); !errors.As(err, &e) || e.Kind != Unreachable || !e.Unusable() || e.Attempts != 2 || strings.Contains(err.Error(), secret) {
		t.Errorf("%v", err)
	}
	tls := httptest.NewTLSServer(nil)
	defer tls.Close()
	c, _ = New(Options{BaseURL: tls.URL, Retries: -1})
	if err := c.Post("things", 1, nil); !errors.As(err, &e) || e.Kind != Unreachable {
		t.Errorf("an unknown certificate: %v", err)
	}
}

func TestCancel(t *testing.T) {
	check := func(name string, h http.HandlerFunc, backoff time.Duration) {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		c := newTestClient(t, Options{Context: ctx, Backoff: backoff}, h)
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		err := c.Post("things", 1, nil)
		if !errors.Is(err, context.Canceled) || time.Since(start) > 25*time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(start))
		}
	}
	check("while it hangs", hangRequest, 0)
	check("while it waits", statusHandler(500, ""), 30*time.Second)
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	check := func(header string, want time.Duration) {
		t.Helper()
		if got := retryAfter(http.Header{"Retry-After": {header}}, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	check("", 0)
	check("2", 2*time.Second)
	check("0.5", 500*time.Millisecond)
	check("-1", 0)
	check("soon", 0)
	check("NaN", 0)
	check("Fri, 02 Jan 2026 03:04:15 GMT", 10*time.Second)
	check("Fri, 02 Jan 2026 03:04:00 GMT", 0)
	check("1e300", 1e6*time.Second)

	var asked atomic.Int32
	wait := func(after string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(429)
		}
	}
	c := newTestClient(t, Options{}, stepsHandler(&asked, wait("0.2"), fine))
	start := time.Now()
	if err := c.Post("things", 1, &struct{}{}); err != nil || time.Since(start) < 200*time.Millisecond {
		t.Errorf("%v after %v: did not wait as asked", err, time.Since(start))
	}
	c = newTestClient(t, Options{}, wait("3600"))
	start = time.Now()
	if err := c.Post("things", 1, nil); err == nil || time.Since(start) > pace.Within(5*time.Second) {
		t.Errorf("%v after %v: waited for an hour", err, time.Since(start))
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{"a\x1b[31m\n b": "a [31m b", "\u202eabcdefghijkl": "abcdefghij…", "a\xff": "a\uFFFD", "": ""} {
		if got := Clip(in, 10); got != want {
			t.Errorf("Clip(%q) = %q, want %q", in, got, want)
		}
	}
}
