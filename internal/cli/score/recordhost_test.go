package score

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRecordFromHere checks that record serves only requests to this machine that no
// foreign web page has sent.
func TestRecordFromHere(t *testing.T) {
	h := fromHere(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"127.0.0.1:4000", "", 204}, {"localhost:4000", "", 204}, {"[::1]:4000", "", 204}, {"127.0.0.1:4000", "http://localhost:5173", 204},
		{"evil.example", "", 421}, {"evil.example:4000", "http://evil.example:4000", 421}, {"127.0.0.1.evil.example", "", 421}, {"", "", 421},
		{"127.0.0.1:4000", "https://evil.example", 403}, {"127.0.0.1:4000", "null", 403}, {"127.0.0.1:4000", "http://localhost.evil.example", 403},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://x/v1/chat/completions", nil)
		if r.Host = c.host; c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if h.ServeHTTP(w, r); w.Code != c.status {
			t.Errorf("Host %q, Origin %q: %d, want %d", c.host, c.origin, w.Code, c.status)
		}
	}
}
