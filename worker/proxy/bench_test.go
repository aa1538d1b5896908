//go:build !js

package proxy_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/proxy"
)

// BenchmarkStream measures the time of a stream of 400 pieces, with and without the
// proxy. The metric times-direct is the time with the proxy divided by the time without
// the proxy.
func BenchmarkStream(b *testing.B) {
	text := streamOf("x", "tool_calls", strings.Repeat("seven b", 400), []tool{look})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		control := http.NewResponseController(w)
		for _, e := range strings.SplitAfter(text, "\n\n") {
			io.WriteString(w, e)
			control.Flush()
		}
	}))
	defer model.Close()
	s := newTestService(b, "", func(o *proxy.Options) { o.Upstream.URL = model.URL + "/v1" })
	body := `{"stream":true,"messages":[{"role":"user","content":"hi"}]}`
	get := func(url string) {
		r, _ := http.NewRequest("POST", url, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			b.Fatal(err)
		}
		got, err := io.ReadAll(w.Body)
		w.Body.Close()
		if err != nil || string(got) != text {
			b.Fatalf("%v %s", err, got)
		}
	}
	var direct, through time.Duration
	for b.Loop() {
		begun := time.Now()
		get(model.URL + "/v1/chat/completions")
		half := time.Now()
		get(s.url + "/v1/chat/completions")
		direct, through = direct+half.Sub(begun), through+time.Since(half)
	}
	b.ReportMetric(float64(through)/float64(direct), "times-direct")
	b.ReportMetric(float64(through.Microseconds())/float64(b.N), "µs-through")
}
