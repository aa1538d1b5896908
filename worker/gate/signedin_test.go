//go:build !js

package gate_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// TestSignedInPages checks that every page to which the gate links exists for an approver
// who has signed in.
func TestSignedInPages(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_order", `{"id":1}`)
	batch := s.sendProposal(`[{"tool":"cancel_a","arguments":{}},{"tool":"cancel_b","arguments":{}}]`).assertStatus(t, 202).textField("id")
	b := s.signIn(aliceKey)
	_, _, h := b.doRequest("GET", "/", nil)
	if h.Get("Location") != "/pending" {
		t.Errorf("/ leads to %q", h.Get("Location"))
	}
	for path, part := range map[string]string{"/pending": "cancel_order", "/p/" + id: "cancel_order", "/p/" + batch: "cancel_b", "/definitions": "Tool definitions", "/fatigue": "How often you are asked", "/freeze": "Stop agents", "/login": "Sign in"} {
		status, text, _ := b.doRequest("GET", path, nil)
		if status != 200 || !strings.Contains(text, part) {
			t.Errorf("%s: %d: %.300s", path, status, text)
		}
		if !gate.Serves(path) {
			t.Errorf("Serves does not know %s", path)
		}
	}
	_, text, _ := b.doRequest("GET", "/pending", nil)
	if !strings.Contains(text, "/p/"+id) || !strings.Contains(text, "/p/"+batch) {
		t.Errorf("the list does not lead to what waits: %s", text)
	}
	if status, text, _ := s.signIn(carolKey).doRequest("GET", "/pending", nil); status != 200 || strings.Contains(text, id) || !strings.Contains(text, "Nothing waits") {
		t.Errorf("another tenant: %d %s", status, text)
	}
	for path, allow := range map[string]string{"/pending": "GET", "/logout": "POST", "/p/x": "GET, POST", "/gate.css": "GET"} {
		if status, _, h := b.doRequest("DELETE", path, nil); status != 405 || !strings.HasPrefix(h.Get("Allow"), allow) {
			t.Errorf("DELETE %s: %d, Allow %q", path, status, h.Get("Allow"))
		}
	}
	for _, path := range []string{"/p/", "/p", "/pending/", "/p/a/b", "//pending", "/p/../pending"} {
		if status, _, _ := b.doRequest("GET", path, nil); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// TestNextStaysHere checks that signing in leads to the page that was requested, and
// never to another site.
func TestNextStaysHere(t *testing.T) {
	s := newTestService(t, "")
	for next, want := range map[string]string{"/definitions": "/definitions", "/fatigue": "/fatigue", "/p/p_abc2": "/p/p_abc2", "/login": "/pending", "/gate.css": "/pending", "/v1/proposals": "/pending",
		"//evil.example": "/pending", "https://evil.example/p/x": "/pending", "/p/../login": "/pending", "/p/x?y": "/pending", "": "/pending"} {
		b := &browser{s: s}
		if _, _, h := b.doRequest("POST", "/login", url.Values{"key": {aliceKey}, "next": {next}}); h.Get("Location") != want {
			t.Errorf("%q leads to %q", next, h.Get("Location"))
		}
	}
}

// TestBehindProxy checks that forms from the operator's address are accepted and forms
// from any other address are refused. The headers that a proxy sends must not change
// this.
func TestBehindProxy(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.URL = "https://gate.example" })
	post := func(header ...string) (int, string, http.Header) {
		return (&browser{s: s}).doRequest("POST", "/login", url.Values{"key": {aliceKey}}, header...)
	}
	for _, host := range []string{"gate.example", "10.0.0.7:8079", "upstream"} {
		if status, text, h := post("Host", host, "Origin", "https://gate.example"); status != 303 || !strings.Contains(h.Get("Set-Cookie"), "__Host-") {
			t.Errorf("Host %s: %d %s", host, status, text)
		}
	}
	for _, header := range [][]string{
		{"Host", "evil.example", "Origin", "https://evil.example", "X-Forwarded-Host", "gate.example"},
		{"Host", "gate.example", "Origin", "https://evil.example", "X-Forwarded-Host", "evil.example"},
		{"Host", "gate.example", "Origin", "http://gate.example"},
		{"Host", "gate.example", "Origin", "https://gate.example:8443"},
	} {
		status, text, _ := post(header...)
		if status != 403 || !strings.Contains(text, "https://gate.example") || !strings.Contains(text, "--url") {
			t.Errorf("%v: %d %s", header, status, text)
		}
	}
	_, _, h := post("Origin", "https://gate.example")
	if h.Get("Strict-Transport-Security") != "max-age=31536000" {
		t.Errorf("HSTS: %q", h.Get("Strict-Transport-Security"))
	}
	if h := newTestService(t, "").callAPI("GET", "/healthz", "", "").header; h.Get("Strict-Transport-Security") != "" {
		t.Error("HSTS without https")
	}
}
