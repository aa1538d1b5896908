//go:build !js

package gate_test

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser keeps a cookie and sends forms like a browser.
type browser struct {
	s      *service
	cookie string
}

func (b *browser) doRequest(method, path string, form url.Values, header ...string) (int, string, http.Header) {
	b.s.t.Helper()
	r, _ := http.NewRequest(method, b.s.url+path, strings.NewReader(form.Encode()))
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.s.url)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", b.cookie)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	for _, c := range w.Cookies() {
		b.cookie = c.Name + "=" + c.Value
	}
	return w.StatusCode, string(text), w.Header
}

func (s *service) signIn(key string) *browser {
	s.t.Helper()
	b := &browser{s: s}
	if status, text, _ := b.doRequest("POST", "/login", url.Values{"key": {key}, "next": {"/pending"}}); status != 303 || b.cookie == "" {
		s.t.Fatalf("sign in: %d %s", status, text)
	}
	return b
}

var field = regexp.MustCompile(`name="(token|digest|seen|server|tool|hash)" value="([^"]+)"`)

// hiddenFields loads a page and returns the hidden fields of the form on it.
func (b *browser) hiddenFields(path string) url.Values {
	b.s.t.Helper()
	_, text, _ := b.doRequest("GET", path, nil)
	f := url.Values{}
	for _, m := range field.FindAllStringSubmatch(text, -1) {
		f.Set(m[1], m[2])
	}
	return f
}

func withFields(f url.Values, kv ...string) url.Values {
	out := url.Values{}
	for k, v := range f {
		out[k] = v
	}
	for i := 0; i+1 < len(kv); i += 2 {
		out.Set(kv[i], kv[i+1])
	}
	return out
}

// hashOfScript returns the script-src directive that allows only the script of a page.
// The page's Content-Security-Policy must contain it.
func hashOfScript(page string) string {
	_, script, _ := strings.Cut(page, "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	sum := sha256.Sum256([]byte(script))
	return "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func TestPageDecides(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_order", `{"order_id":"#W1","note":"<script>alert(1)</script>&amp;"}`)
	b := s.signIn(aliceKey)
	status, text, h := b.doRequest("GET", "/p/"+id, nil)
	for _, part := range []string{"Tool: cancel_order", "order_id = &#34;#W1&#34;", "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;", "Approve", "Deny", "15 min left, until 22:28:20 UTC; then the call counts as denied", "Perhaps the change cannot be undone", `name="viewport"`, `lang="en"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q on the page", part)
		}
	}
	if status != 200 || strings.Count(text, "<script") != 1 || strings.Contains(text, "style=") || !strings.Contains(h.Get("Content-Security-Policy"), hashOfScript(text)) || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") ||
		!strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", status, h)
	}
	if s.proposalState(id) != "pending" {
		t.Fatal("looking decided")
	}
	if status, text, h := b.doRequest("POST", "/p/"+id, withFields(b.hiddenFields("/p/"+id), "choice", "approve", "reason", "fine <by> me")); status != 303 || h.Get("Location") != "/p/"+id {
		t.Fatalf("%d %s", status, text)
	}
	if _, text, _ := b.doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "alice approved") || !strings.Contains(text, "fine &lt;by&gt; me") || strings.Contains(text, `value="approve"`) {
		t.Error(text)
	}
	s.sendClaim(id).assertStatus(t, 200)

	id, _ = s.proposeHeld("cancel_order", `{}`)
	f := b.hiddenFields("/p/" + id)
	b.doRequest("POST", "/p/"+id, withFields(f, "choice", "deny", "reason", "no"))
	if s.proposalState(id) != "denied" {
		t.Error(s.proposalState(id))
	}
	if status, text, _ := b.doRequest("POST", "/p/"+id, withFields(f, "choice", "approve")); status != 409 || !strings.Contains(text, "Not stored") || s.proposalState(id) != "denied" {
		t.Errorf("a second decision: %d", status)
	}
}

// TestPageRefuses checks that only the form that was shown can lead to a decision.
func TestPageRefuses(t *testing.T) {
	s := newTestService(t, "")
	id, _ := s.proposeHeld("cancel_order", `{"id":1}`)
	other, _ := s.proposeHeld("cancel_order", `{"id":2}`)
	b := s.signIn(aliceKey)
	f := withFields(b.hiddenFields("/p/"+id), "choice", "approve")
	check := func(name string, want int, b *browser, method, path string, f url.Values, header ...string) {
		t.Helper()
		if status, text, _ := b.doRequest(method, path, f, header...); status != want {
			t.Errorf("%s: %d, want %d: %.200s", name, status, want, text)
		}
		if s.proposalState(id) != "pending" || s.proposalState(other) != "pending" {
			t.Fatalf("%s decided", name)
		}
	}
	check("GET with everything in it", 200, b, "GET", "/p/"+id+"?"+f.Encode(), nil)
	check("another site's form", 403, b, "POST", "/p/"+id, f, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	check("no origin", 403, b, "POST", "/p/"+id, f, "Origin", "", "Sec-Fetch-Site", "")
	check("null origin", 403, b, "POST", "/p/"+id, f, "Origin", "null")
	check("same site, other origin", 403, b, "POST", "/p/"+id, f, "Sec-Fetch-Site", "same-site")
	check("no token", 403, b, "POST", "/p/"+id, withFields(f, "token", ""))
	check("other's token", 403, b, "POST", "/p/"+other, f)
	check("other digest", 403, b, "POST", "/p/"+id, withFields(f, "digest", b.hiddenFields("/p/"+other).Get("digest")))
	check("other session's token", 403, s.signIn(aliceKey), "POST", "/p/"+id, f)
	check("no choice", 403, b, "POST", "/p/"+id, withFields(f, "choice", ""))
	check("two choices", 403, b, "POST", "/p/"+id, url.Values{"token": f["token"], "digest": f["digest"], "choice": {"deny", "approve"}})
	check("no session", 401, &browser{s: s}, "POST", "/p/"+id, f)
	check("no session, looking", 401, &browser{s: s}, "GET", "/p/"+id, nil)
	check("JSON", 400, b, "POST", "/p/"+id, f, "Content-Type", "application/json")
	check("other tenant", 404, s.signIn(carolKey), "GET", "/p/"+id, nil)
	check("key in the header instead", 401, &browser{s: s}, "POST", "/p/"+id, f, "Authorization", "Bearer "+aliceKey)
	check("cookie at the API", 401, b, "POST", "/v1/proposals/"+id+"/decision", nil)
	check("a name that leads here", 421, b, "GET", "/p/"+id, nil, "Host", "evil.example")
	for i := range b.cookie {
		bent := []byte(b.cookie)
		if bent[i] ^= 1; bent[i] == ';' || bent[i] == '"' || bent[i] == ',' || bent[i] == '\\' || bent[i] == ' ' || bent[i] == '=' {
			continue
		}
		if i%7 == 0 {
			check("a bent cookie", 401, &browser{s: s, cookie: string(bent)}, "POST", "/p/"+id, f)
		}
	}
	s.now.Add(13 * 60 * 60 * 1000)
	if status, _, _ := b.doRequest("GET", "/pending", nil); status != 401 {
		t.Errorf("an old session: %d", status)
	}
}

func TestPageSignIn(t *testing.T) {
	s := newTestService(t, "")
	b := &browser{s: s}
	for _, key := range []string{"", agentKey, "nonsense"} {
		if status, _, _ := b.doRequest("POST", "/login", url.Values{"key": {key}}); status != 403 || b.cookie != "" {
			t.Errorf("%q: %d %s", key, status, b.cookie)
		}
	}
	_, _, h := b.doRequest("POST", "/login", url.Values{"key": {aliceKey}, "next": {"https://evil.example/p/x"}})
	if h.Get("Location") != "/pending" {
		t.Errorf("leads to %q", h.Get("Location"))
	}
	if c := h.Get("Set-Cookie"); !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Strict") {
		t.Error(c)
	}
	if strings.Contains(b.cookie, aliceKey) {
		t.Error("the key is in the cookie")
	}
	b.doRequest("POST", "/logout", nil)
	if status, _, _ := b.doRequest("GET", "/pending", nil); status != 401 {
		t.Errorf("after signing out: %d", status)
	}
}

func TestPageBatch(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire_money"]}`)
	a := s.sendProposal(`[{"tool":"get_a","arguments":{}},{"tool":"cancel_b","arguments":{}},{"tool":"wire_money","arguments":{}}]`).assertStatus(t, 202)
	_, text, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+a.textField("id"), nil)
	if n := strings.Count(text, `value="approve"`); n != 2 || !strings.Contains(text, "1 of 3: <code>get_a") || !strings.Contains(text, "0 of 2 required people") || !strings.Contains(text, "runs when the other calls are decided") {
		t.Errorf("%d forms: %s", n, text)
	}
	if strings.Index(text, "disabled hidden") > strings.Index(text, `value="each"`) {
		t.Error("Enter in a form would approve")
	}
}
