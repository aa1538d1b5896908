package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const secret = "sk-very-secret-1234567890"

// newTestClient starts a server with the given handler and returns a client for the
// server. The client waits only briefly between attempts.
func newTestClient(t *testing.T, o Options, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	o.BaseURL = s.URL + o.BaseURL
	if o.Backoff == 0 {
		o.Backoff = time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEndpoint(t *testing.T) {
	check := func(base, want string) {
		t.Helper()
		c, err := New(Options{BaseURL: base})
		if err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		if got := c.Endpoint("embeddings"); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
	check("http://localhost:11434", "http://localhost:11434/v1/embeddings")
	check("http://localhost:11434/", "http://localhost:11434/v1/embeddings")
	check("http://localhost:8080/v1", "http://localhost:8080/v1/embeddings")
	check(" https://a.example/api/v1/ ", "https://a.example/api/v1/embeddings")
	check("https://a.example/v1beta/openai", "https://a.example/v1beta/openai/embeddings")
	check("https://a.example/v1/embeddings", "https://a.example/v1/embeddings")
	check("https://a.example/d/x?api-version=1&key="+secret, "https://a.example/d/x/embeddings")
	check("http://[::1]:80#x", "http://[::1]:80/v1/embeddings")
}

func TestNewRefuses(t *testing.T) {
	check := func(want string, o Options) {
		t.Helper()
		_, err := New(o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	check("want http://host", Options{})
	check("want http://host", Options{BaseURL: "localhost:11434"})
	check("want http://host", Options{BaseURL: "ftp://localhost"})
	check("want http://host", Options{BaseURL: "http://:80"})
	check("not a URL", Options{BaseURL: "http://a b" + secret + "\x7f"})
	check("belongs in an environment variable", Options{BaseURL: "http://user:" + secret + "@localhost"})
	check("NO_SUCH_KEY is not set", Options{BaseURL: "http://localhost", KeyEnv: "NO_SUCH_KEY"})
	t.Setenv("ODD_KEY", secret+"\r\nX-Other: 1")
	check("ODD_KEY contains characters that are not printable ASCII", Options{BaseURL: "http://localhost", KeyEnv: "ODD_KEY"})
}

func TestRequest(t *testing.T) {
	t.Setenv("SOME_KEY", " "+secret+"\n")
	var header http.Header
	var path, query string
	c := newTestClient(t, Options{BaseURL: "/v1?v=2", KeyEnv: "SOME_KEY"}, func(w http.ResponseWriter, r *http.Request) {
		header, path, query = r.Header, r.URL.Path, r.URL.RawQuery
		w.Write([]byte(`{"n":7}`))
	})
	var out struct{ N int }
	if err := c.Post("things", map[string]int{"a": 1}, &out); err != nil || out.N != 7 {
		t.Fatalf("%v, %+v", err, out)
	}
	if path != "/v1/things" || query != "v=2" || header.Get("Authorization") != "Bearer "+secret || header.Get("Content-Type") != "application/json" {
		t.Errorf("sent %s?%s %v", path, query, header)
	}
	bare := newTestClient(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		w.Write([]byte(`{}`))
	})
	if err := bare.Post("things", 1, &out); err != nil || header.Get("Authorization") != "" {
		t.Errorf("%v, a key without being told: %q", err, header.Get("Authorization"))
	}
	if err := bare.Post("things", func() {}, &out); err == nil {
		t.Error("a function is not JSON")
	}
}

// TestKeyIsNotEchoed checks that no error contains the key, even if the server's answer
// contains it.
func TestKeyIsNotEchoed(t *testing.T) {
	t.Setenv("SOME_KEY", secret)
	for _, status := range []int{200, 301, 400, 401, 404, 418, 500} {
		c := newTestClient(t, Options{KeyEnv: "SOME_KEY", Retries: -1}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			w.Write([]byte(`{"error":{"message":"wrong key ` + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + `\u001b[31m"}}`))
		})
		var out struct{ Error string }
		err := c.Post("things", 1, &out)
		if err == nil || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%d: %v", status, err)
		}
	}
}
