//go:build !js

package oidc_test

import (
	"context"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/oidc"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// provider is an OpenID Connect provider that signs in whoever asks. A test lets it
// misbehave by changing what it says.
type provider struct {
	*httptest.Server
	mu     sync.Mutex
	key    *rsa.PrivateKey
	kid    string
	codes  map[string]url.Values // code → the request that it answers
	claims map[string]any        // of the person
	info   map[string]any        // of the person, when asked; nil for nothing
	now    func() int64          // milliseconds

	change func(claims map[string]any)            // what the token says
	sign   func(head, body []byte) (token string) // instead of the right signature
	answer func(back url.Values)                  // what the browser brings back
	meta   func(map[string]any)                   // what the provider says of itself
	down   bool
}

var firstKey, secondKey = sync.OnceValue(newKey), sync.OnceValue(newKey)

func newKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

func newProvider(t *testing.T) *provider {
	p := &provider{key: firstKey(), kid: "one", codes: map[string]url.Values{}, now: func() int64 { return time.Now().UnixMilli() }}
	p.claims = map[string]any{"sub": "u-7", "email": "Ann@Example.com", "email_verified": true, "groups": []string{"staff", "payments"}}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		meta := map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/info",
			"end_session_endpoint": p.URL + "/leave", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"}, "response_types_supported": []string{"code"}, "scopes_supported": []string{"openid", "groups"}}
		if p.meta != nil {
			p.meta(meta)
		}
		json.NewEncoder(w).Encode(meta)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		e := base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes())
		fmt.Fprintf(w, `{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":%q,"n":%q,"e":%q}]}`, p.kid, base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()), e)
	})
	mux.HandleFunc("/auth", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || q.Get("client_id") != "the-gate" || q.Get("nonce") == "" || !strings.Contains(q.Get("scope"), "openid") {
			http.Error(w, "bad request", 400)
			return
		}
		code := rand.Text()
		p.codes[code] = q
		back := url.Values{"code": {code}, "state": {q.Get("state")}}
		if p.answer != nil {
			p.answer(back)
		}
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		q, known := p.codes[r.Form.Get("code")]
		delete(p.codes, r.Form.Get("code")) // a code works once
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if id, secret, _ := r.BasicAuth(); !known || id != "the-gate" || secret != "hush" || base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") || r.Form.Get("redirect_uri") != q.Get("redirect_uri") {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"invalid_grant"}`)
			return
		}
		access := rand.Text()
		half := sha256.Sum256([]byte(access))
		claims := map[string]any{"iss": p.URL, "aud": "the-gate", "exp": p.now()/1000 + 300, "iat": p.now() / 1000, "nonce": q.Get("nonce"), "at_hash": base64.RawURLEncoding.EncodeToString(half[:16])}
		for name, value := range p.claims {
			claims[name] = value
		}
		if p.change != nil {
			p.change(claims)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"access_token": access, "token_type": "Bearer", "id_token": p.newToken(claims)})
	})
	mux.HandleFunc("/info", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p.info)
	})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.down {
			w.WriteHeader(500)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// newToken signs claims as a JSON web token.
func (p *provider) newToken(claims map[string]any) string {
	head, _ := json.Marshal(map[string]any{"alg": "RS256", "kid": p.kid})
	body, _ := json.Marshal(claims)
	if p.sign != nil {
		return p.sign(head, body)
	}
	return signRSA(p.key, head, body)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func signRSA(key *rsa.PrivateKey, head, body []byte) string {
	text := encode(head) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + encode(signature)
}

const aliceKey, agentKey = "alice-key-0123456789abcdef", "agent-key-0123456789abcdef"

// site is a gate with a provider.
type site struct {
	*httptest.Server
	t     *testing.T
	store *store.Store
	now   int64
	mu    sync.Mutex
	lines []gate.Line
}

func newSite(t *testing.T, words, file string) *site {
	t.Helper()
	s := &site{t: t, now: time.Now().UnixMilli()}
	var err error
	if s.store, err = sqlite.Open(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	keys, err := gate.ReadKeys("t agent bot " + agentKey + "\nt approver alice " + aliceKey + "\nu approver zoe zoe-key-0123456789abcdefgh\n")
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(s.Close)
	o := gate.Options{Store: s.store, Keys: keys, URL: s.URL, Secret: make([]byte, 32), Rate: -1, Now: func() int64 { s.mu.Lock(); defer s.mu.Unlock(); return s.now }}
	if words != "" {
		if o.Provider, err = oidc.Read(words, "hush"); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	handler = g.Logged(g, func(_ context.Context, l gate.Line) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lines = append(s.lines, l)
	})
	return s
}

// browser keeps cookies and follows redirections.
type browser struct {
	*http.Client
	s *site
}

func (s *site) newBrowser() *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{&http.Client{Jar: jar}, s}
}

// open gets a page, and returns its status, text and last address.
func (b *browser) open(address string) (status int, text, at string) {
	b.s.t.Helper()
	w, err := b.Get(address)
	if err != nil {
		b.s.t.Fatal(err)
	}
	defer w.Body.Close()
	body, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(body), w.Request.URL.String()
}

// post sends a form from the gate's own pages.
func (b *browser) post(path string, form url.Values) (status int, text string) {
	b.s.t.Helper()
	r, _ := http.NewRequest("POST", b.s.URL+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.s.URL)
	w, err := b.Do(r)
	if err != nil {
		b.s.t.Fatal(err)
	}
	defer w.Body.Close()
	body, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(body)
}

// lastCause returns the cause in the log's last line, or "".
func (s *site) lastCause() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.lines[len(s.lines)-1]; l.Cause != nil {
		return l.Cause.Error()
	}
	return ""
}

const words = "issuer=%s client=the-gate approvers=t:payments approvers=u:board"

// signedIn reports whether the browser may see what waits.
func (b *browser) signedIn() bool {
	status, text, _ := b.open(b.s.URL + "/pending")
	return status == 200 && strings.Contains(text, "What waits")
}

// assertRefused signs in and fails the test if it succeeds, or if the log has no line about
// it with the text.
func (s *site) assertRefused(name, want string) {
	s.t.Helper()
	b := s.newBrowser()
	status, text, _ := b.open(s.URL + "/sign-in")
	cause := s.lastCause()
	if status != 403 || !strings.Contains(text, "You were not signed in") || b.signedIn() {
		s.t.Errorf("%s: signed in, %d %.300s", name, status, text)
	}
	if want == "" || !strings.Contains(cause, want) || !strings.Contains(cause, "refused") || strings.Contains(cause, "hush") {
		s.t.Errorf("%s: the log says %q, want %q", name, cause, want)
	}
}

// TestSignIn signs a person in at a provider, who then decides a call under the name that the
// provider gave, and signs out.
func TestSignIn(t *testing.T) {
	p := newProvider(t)
	s := newSite(t, fmt.Sprintf(words, p.URL), filepath.Join(t.TempDir(), "gate.db"))
	b := s.newBrowser()
	if status, text, _ := b.open(s.URL + "/freeze"); status != 401 || !strings.Contains(text, `<a href="/sign-in?next=/freeze">Sign in with 127.0.0.1:`) || !strings.Contains(text, "Approver key") {
		t.Fatalf("%d %s", status, text)
	}
	status, text, at := b.open(s.URL + "/sign-in?next=/freeze")
	if status != 200 || !strings.Contains(text, "Signed in as ann@example.com") || !strings.Contains(text, `href="/freeze"`) || !strings.HasPrefix(at, s.URL+"/sign-in/back?") {
		t.Fatalf("%d %s %s", status, at, text)
	}
	if _, text, _ := b.open(s.URL + "/freeze"); !strings.Contains(text, "Signed in as ann@example.com with 127.0.0.1:") {
		t.Errorf("the page does not say who is signed in: %s", text)
	}
	if status, text, _ := b.open(at); status != 403 || !strings.Contains(s.lastCause(), "has not begun to sign in") {
		t.Errorf("the same address again: %d %s %s", status, text, s.lastCause())
	}
	id, digest := s.hold()
	status, text, _ = b.open(s.URL + "/p/" + id)
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(text)
	if status != 200 || token == nil {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := b.post("/p/"+id, url.Values{"token": {token[1]}, "digest": {digest}, "choice": {"approve"}}); status != 200 || !strings.Contains(text, "ann@example.com") {
		t.Errorf("%d %s", status, text)
	}
	var audit strings.Builder
	if _, err := s.store.Export(t.Context(), &audit, []string{"t"}, nil); err != nil || !strings.Contains(audit.String(), `\"event\":\"sign-in\"`) || !strings.Contains(audit.String(), `\"event\":\"decide\"`) || !strings.Contains(audit.String(), `\"by\":\"ann@example.com\"`) {
		t.Errorf("%v %s", err, audit.String())
	}
	address, _ := url.Parse(s.URL)
	cookies := b.Jar.Cookies(address)
	if status, text := b.post("/logout", nil); status != 200 || !strings.Contains(text, p.URL+"/leave?client_id=the-gate") || b.signedIn() {
		t.Errorf("signed out: %d %s", status, text)
	}
	b.Jar.SetCookies(address, cookies)
	if b.signedIn() {
		t.Error("a copy of the cookie works after signing out")
	}
}

// hold proposes a call, and returns its id and digest.
func (s *site) hold() (id, digest string) {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.URL+"/v1/proposals", strings.NewReader(`{"tool":"refund","arguments":{}}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	var a struct{ ID, Digest string }
	json.NewDecoder(w.Body).Decode(&a)
	return a.ID, a.Digest
}

// TestSignInRefused lets the provider, or somebody beside it, misbehave in each known way.
// Nobody is signed in, and each refusal has a line in the log. In between, the same person
// signs in.
func TestSignInRefused(t *testing.T) {
	p := newProvider(t)
	s := newSite(t, fmt.Sprintf(words, p.URL), filepath.Join(t.TempDir(), "gate.db"))
	var earlier string
	b := s.newBrowser()
	p.sign = func(head, body []byte) string { earlier = signRSA(p.key, head, body); return earlier }
	b.open(s.URL + "/sign-in")
	p.sign = nil
	if !b.signedIn() {
		t.Fatal("nobody is signed in")
	}
	public, _ := x509.MarshalPKIXPublicKey(&firstKey().PublicKey)
	claim := func(name string, value any) func() {
		return func() { p.change = func(c map[string]any) { c[name] = value } }
	}
	person := func(name string, value any) func() { return func() { p.claims[name] = value } }
	sign := func(fn func(head, body []byte) string) func() { return func() { p.sign = fn } }
	back := func(fn func(url.Values)) func() { return func() { p.answer = fn } }
	seconds := time.Now().Unix()
	for _, c := range []struct {
		name, want string
		bad        func()
	}{
		{"forged", "failed to verify", sign(func(head, body []byte) string { return signRSA(secondKey(), head, body) })},
		{"unsigned", "alg", sign(func(_, body []byte) string { return encode([]byte(`{"alg":"none"}`)) + "." + encode(body) + "." })},
		{"signed by a public key as a secret", "alg", sign(func(_, body []byte) string {
			text := encode([]byte(`{"alg":"HS256","kid":"one"}`)) + "." + encode(body)
			m := hmac.New(sha256.New, public)
			m.Write([]byte(text))
			return text + "." + encode(m.Sum(nil))
		})},
		{"changed after signing", "failed to verify", sign(func(head, body []byte) string {
			part := strings.Split(signRSA(p.key, head, body), ".")
			return part[0] + "." + encode([]byte(strings.Replace(string(body), "staff", "board", 1))) + "." + part[2]
		})},
		{"an earlier token", "another sign-in", sign(func(_, _ []byte) string { return earlier })},
		{"no token", "malformed", sign(func(_, _ []byte) string { return "" })},
		{"expired", "expired", claim("exp", seconds-600)},
		{"made long ago", "the gate's clock says", claim("iat", seconds-3600)},
		{"made in the future", "the gate's clock says", claim("iat", seconds+3600)},
		{"not valid yet", "nbf", claim("nbf", seconds+3600)},
		{"for another client", "audience", claim("aud", "another")},
		{"for several clients", "made for", claim("aud", []string{"another", "the-gate"})},
		{"for another party", "made for", func() {
			p.change = func(c map[string]any) { c["aud"], c["azp"] = []string{"another", "the-gate"}, "another" }
		}},
		{"from another issuer", "issue", claim("iss", "https://evil.example")},
		{"another nonce", "another sign-in", claim("nonce", "n")},
		{"without a nonce", "another sign-in", claim("nonce", "")},
		{"another access token", "hash", claim("at_hash", "AAAA")},
		{"no group", "no group whose members decide", person("groups", []string{"staff"})},
		{"a group with a longer name", "no group whose members decide", person("groups", []string{"payments-readers", "payment", "Payments"})},
		{"groups that are no list", "no group whose members decide", person("groups", map[string]any{"payments": true})},
		{"an address that nobody checked", "has not verified", person("email_verified", false)},
		{"an address that may be checked", "has not verified", person("email_verified", nil)},
		{"no name", "no claim", person("email", "")},
		{"a name of two words", "cannot be an approver's", person("email", "ann b@example.com")},
		{"a name with a line feed", "cannot be an approver's", person("email", "ann\n@example.com")},
		{"another state", "the state is not", back(func(v url.Values) { v.Set("state", "x") })},
		{"two states", "the state is not", back(func(v url.Values) { v.Add("state", v.Get("state")) })},
		{"no state", "the state is not", back(func(v url.Values) { v.Del("state") })},
		{"another code", "was not accepted", back(func(v url.Values) { v.Set("code", "x") })},
		{"no code", "has no code", back(func(v url.Values) { v.Del("code") })},
		{"another provider's answer", "from the issuer", back(func(v url.Values) { v.Set("iss", "https://evil.example") })},
		{"the person said no", "access_denied", back(func(v url.Values) { v.Set("error", "access_denied") })},
		{"told of another person", "another person", func() {
			delete(p.claims, "groups")
			p.info = map[string]any{"sub": "u-8", "groups": []string{"payments"}}
		}},
	} {
		p.mu.Lock()
		before := map[string]any{}
		for k, v := range p.claims {
			before[k] = v
		}
		c.bad()
		p.mu.Unlock()
		s.assertRefused(c.name, c.want)
		p.mu.Lock()
		p.claims, p.info, p.change, p.sign, p.answer = before, nil, nil, nil, nil
		p.mu.Unlock()
		if b := s.newBrowser(); true {
			if b.open(s.URL + "/sign-in"); !b.signedIn() {
				t.Fatalf("after %q nobody signs in: %s", c.name, s.lastCause())
			}
		}
	}
}

// TestKeysRotate changes the provider's key: the new one is accepted at once, and the old
// one no longer.
func TestKeysRotate(t *testing.T) {
	p := newProvider(t)
	s := newSite(t, fmt.Sprintf(words, p.URL), filepath.Join(t.TempDir(), "gate.db"))
	if b := s.newBrowser(); true {
		if b.open(s.URL + "/sign-in"); !b.signedIn() {
			t.Fatal(s.lastCause())
		}
	}
	p.mu.Lock()
	p.key, p.kid = secondKey(), "two"
	p.mu.Unlock()
	b := s.newBrowser()
	if b.open(s.URL + "/sign-in"); !b.signedIn() {
		t.Errorf("the new key: %s", s.lastCause())
	}
	p.sign = func(_, body []byte) string {
		head, _ := json.Marshal(map[string]any{"alg": "RS256", "kid": "one"})
		return signRSA(firstKey(), head, body)
	}
	s.assertRefused("the old key", "failed to verify")
}

// TestTrips checks the way to the provider and back: it belongs to one browser, works once,
// and ends after ten minutes.
func TestTrips(t *testing.T) {
	p := newProvider(t)
	s := newSite(t, fmt.Sprintf(words, p.URL), filepath.Join(t.TempDir(), "gate.db"))
	stop := func(b *browser) (back string) { // the browser stops before the gate's own page
		b.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(r.URL.Path, "/sign-in/back") {
				back = r.URL.String()
				return http.ErrUseLastResponse
			}
			return nil
		}
		b.open(s.URL + "/sign-in")
		b.CheckRedirect = nil
		return back
	}
	victim, attacker := s.newBrowser(), s.newBrowser()
	link := stop(attacker)
	if status, _, _ := victim.open(link); status != 403 || victim.signedIn() {
		t.Error("an attacker's link signs another browser in")
	}
	if status, _, _ := attacker.open(link); status != 200 || !attacker.signedIn() {
		t.Errorf("the browser itself: %d %s", status, s.lastCause())
	}
	late := s.newBrowser()
	link = stop(late)
	address, _ := url.Parse(s.URL)
	cookies := late.Jar.Cookies(address)
	s.mu.Lock()
	s.now += 11 * 60_000
	s.mu.Unlock()
	if status, _, _ := late.open(link); status != 403 || !strings.Contains(s.lastCause(), "ten minutes") {
		t.Errorf("after eleven minutes: %d %s", status, s.lastCause())
	}
	s.mu.Lock()
	s.now -= 11 * 60_000
	s.mu.Unlock()
	for i, want := range []int{200, 403} { // the same cookie and the same address again
		late.Jar.SetCookies(address, cookies)
		if status, _, _ := late.open(link); status != want {
			t.Errorf("try %d: %d, want %d: %s", i, status, want, s.lastCause())
		}
	}
	if cause := s.lastCause(); !strings.Contains(cause, "used before") {
		t.Error(cause)
	}
	forged := s.newBrowser()
	link = stop(forged)
	for _, c := range forged.Jar.Cookies(address) {
		c.Value = "x" + c.Value
		c.Path = "/"
		forged.Jar.SetCookies(address, []*http.Cookie{c})
	}
	if status, _, _ := forged.open(link); status != 403 || !strings.Contains(s.lastCause(), "is not the gate's") {
		t.Errorf("a changed cookie: %d %s", status, s.lastCause())
	}
}

// TestSessionsAreBound checks when a session that began at the provider ends: after its time,
// when the operator takes the group or the provider away, and never before.
func TestSessionsAreBound(t *testing.T) {
	p := newProvider(t)
	file := filepath.Join(t.TempDir(), "gate.db")
	first := newSite(t, fmt.Sprintf(words, p.URL), file)
	b := first.newBrowser()
	b.open(first.URL + "/sign-in")
	address, _ := url.Parse(first.URL)
	cookies := b.Jar.Cookies(address)
	check := func(name, words string, want bool) {
		t.Helper()
		s := newSite(t, words, file)
		other := s.newBrowser()
		at, _ := url.Parse(s.URL)
		other.Jar.SetCookies(at, cookies)
		if got := other.signedIn(); got != want {
			t.Errorf("%s: signed in %v", name, got)
		}
	}
	check("the same settings", fmt.Sprintf(words, p.URL), true)
	check("another tenant's group changed", fmt.Sprintf("issuer=%s client=the-gate approvers=t:payments approvers=u:others", p.URL), true)
	check("the group was taken away", fmt.Sprintf("issuer=%s client=the-gate approvers=u:board", p.URL), false)
	check("another group", fmt.Sprintf("issuer=%s client=the-gate approvers=t:others", p.URL), false)
	check("another client", fmt.Sprintf("issuer=%s client=other approvers=t:payments", p.URL), false)
	check("another provider", "issuer=https://other.example client=the-gate approvers=t:payments", false)
	check("no provider", "", false)
	first.mu.Lock()
	first.now += 61 * 60_000
	first.mu.Unlock()
	if b.signedIn() {
		t.Error("a session lasts longer than an hour")
	}
	p.claims["groups"] = []string{"staff"}
	first.now = time.Now().UnixMilli()
	first.assertRefused("the group was removed", "no group whose members decide")
	key := first.newBrowser()
	if status, _ := key.post("/login", url.Values{"key": {aliceKey}}); status != 200 || !key.signedIn() {
		t.Errorf("an approver's key: %d", status)
	}
}

// TestProviderAway checks that people are told when the provider does not answer, that keys
// work then, and that the gate asks again. Without a provider, its paths are unknown.
func TestProviderAway(t *testing.T) {
	p := newProvider(t)
	s := newSite(t, fmt.Sprintf(words, p.URL), filepath.Join(t.TempDir(), "gate.db"))
	p.down = true
	b := s.newBrowser()
	if status, text, _ := b.open(s.URL + "/sign-in"); status != 503 || !strings.Contains(text, "does not answer") || s.lastCause() == "" {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := b.post("/login", url.Values{"key": {aliceKey}}); status != 200 || !b.signedIn() {
		t.Errorf("a key: %d", status)
	}
	p.down = false
	p.meta = func(m map[string]any) { m["issuer"] = "https://evil.example" }
	if status, _, _ := s.newBrowser().open(s.URL + "/sign-in"); status != 503 || !strings.Contains(s.lastCause(), "issuer") {
		t.Errorf("another issuer in the provider's own description: %d %s", status, s.lastCause())
	}
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		for _, address := range []string{"http://id.example/x", "file:///etc/passwd", "/x", "https://a:b@id.example/"} {
			p.meta = func(m map[string]any) { m[name] = address }
			if status, _, to := s.newBrowser().open(s.URL + "/sign-in"); status != 503 || !strings.Contains(s.lastCause(), "invalid address") {
				t.Errorf("%s at %s: %d %v %s", name, address, status, to, s.lastCause())
			}
		}
	}
	p.meta = func(m map[string]any) { m["authorization_response_iss_parameter_supported"] = true }
	s.assertRefused("no issuer in the answer", "from the issuer")
	plain := newSite(t, "", filepath.Join(t.TempDir(), "plain.db"))
	for _, path := range []string{"/sign-in", "/sign-in/back?state=x&code=y"} {
		if status, _, _ := plain.newBrowser().open(plain.URL + path); status != 404 {
			t.Errorf("without a provider %s: %d", path, status)
		}
	}
	if _, text, _ := plain.newBrowser().open(plain.URL + "/login"); strings.Contains(text, "/sign-in") {
		t.Error("without a provider, the page links to one")
	}
}

// TestRead checks that mistakes in the settings are errors.
func TestRead(t *testing.T) {
	const good = "issuer=https://id.example client=c approvers=t:g"
	if p, err := oidc.Read(good+" name=sub groups=roles session=30m", ""); err != nil || p.Host() != "id.example" || p.Mark("t") == "" || p.Mark("u") != "" {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"", "issuer=https://id.example client=c", "issuer=http://id.example client=c approvers=t:g", "issuer=id.example client=c approvers=t:g", "client=c approvers=t:g",
		good + " approvers=g", good + " approvers=:g", good + " session=13h", good + " session=0", good + " x=y", good + " word", "issuer=https://a@id.example client=c approvers=t:g", "issuer=https://id.example?x client=c approvers=t:g"} {
		if _, err := oidc.Read(bad, ""); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if !errors.Is(fmt.Errorf("%w: x", gate.ErrNotApprover), gate.ErrNotApprover) {
		t.Error("the reason is lost")
	}
}
