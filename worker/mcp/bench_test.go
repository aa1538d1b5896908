//go:build !js

package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkRead compares the time of a call that changes nothing when it is sent directly
// to the server and when it is sent through the gate.
func BenchmarkRead(b *testing.B) {
	p := newTestProxy(b, "")
	post := func(b *testing.B, url string) {
		for b.Loop() {
			r := p.newAskRequest(ask{name: "get_order", arguments: `{"id":"W-7"}`})
			r.URL.Host, r.URL.Path = strings.TrimPrefix(url, "http://"), "/mcp/shop"
			w, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || w.StatusCode != 200 {
				b.Fatal(w, err)
			}
			io.Copy(io.Discard, w.Body)
			w.Body.Close()
		}
	}
	b.Run("direct", func(b *testing.B) { post(b, p.behind) })
	b.Run("gate", func(b *testing.B) { post(b, p.url) })
}
