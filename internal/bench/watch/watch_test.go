package watch_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/bench"
	"github.com/boundcheck/boundcheck/internal/bench/watch"
)

// TestPage checks that the page, its script and its style are served, and nothing else.
// They must be served to this machine only, and under a policy that allows no inline
// script.
func TestPage(t *testing.T) {
	url, stop, err := watch.New(bench.Budget{}, t.TempDir()).Serve()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, c := range []struct {
		method, path, host, kind string
		status                   int
	}{
		{"GET", "", "", "text/html", 200}, {"GET", "page.js", "", "text/javascript", 200}, {"GET", "page.css", "", "text/css", 200},
		{"GET", "status.json", "", "application/json", 200}, {"GET", "watch.go", "", "text/plain", 404}, {"POST", "status.json", "", "text/plain", 405},
		{"GET", "status.json", "evil.example", "text/plain", 403}, {"GET", "", "localhost:1", "text/html", 200},
	} {
		r, err := http.NewRequest(c.method, url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(a.Body)
		a.Body.Close()
		h := a.Header
		if err != nil || a.StatusCode != c.status || !strings.HasPrefix(h.Get("Content-Type"), c.kind) {
			t.Errorf("%+v: %d %s (%v)", c, a.StatusCode, h.Get("Content-Type"), err)
		}
		if p := h.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'; script-src 'self'") || strings.Contains(p, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%+v: %v", c, h)
		}
		for _, inline := range []string{"<script>", "<style", "style=", "onload=", "onclick="} {
			if c.kind == "text/html" && strings.Contains(string(text), inline) {
				t.Errorf("inline %s in %s", inline, text)
			}
		}
		var all []bench.Status
		if c.kind == "application/json" && (json.Unmarshal(text, &all) != nil || len(all) != 1 || all[0].Problem != "no journal yet") {
			t.Errorf("%s", text)
		}
	}
}
