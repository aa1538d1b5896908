//go:build !js

package resource

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestKeysBesideIssuer checks that the metadata of a provider elsewhere, which has https, leads
// the gate to no plain http, not even on this machine.
func TestKeysBesideIssuer(t *testing.T) {
	keys := ""
	var s *httptest.Server
	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, s.URL, keys)
	}))
	defer s.Close()
	u, _ := url.Parse(s.URL)
	p := newProvider(u, s.URL)
	p.http = s.Client()
	for address, good := range map[string]bool{s.URL + "/keys": true, "https://keys.example/1": true, "http://127.0.0.1:2375/containers/json": false,
		"http://localhost/": false, "http://[::1]/": false, "http://169.254.169.254/latest": false, "file:///etc/passwd": false, "": false} {
		keys = address
		if got, err := p.discoverKeys(t.Context()); (err == nil) != good || good && got != address || !good && !strings.Contains(err.Error(), "names no keys") {
			t.Errorf("keys at %q: %q %v", address, got, err)
		}
	}
}
