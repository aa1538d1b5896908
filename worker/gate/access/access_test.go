//go:build !js

package access_test

import (
	"bytes"
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
	"maps"
	"math/big"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/access"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

var firstKey, secondKey = sync.OnceValue(newKey), sync.OnceValue(newKey)

func newKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

func encodeBase64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// publicKeyOf returns a public key as a team publishes it.
func publicKeyOf(id string, key *rsa.PrivateKey) string {
	return fmt.Sprintf(`{"kid":%q,"kty":"RSA","alg":"RS256","use":"sig","e":%q,"n":%q}`, id, encodeBase64(big.NewInt(int64(key.E)).Bytes()), encodeBase64(key.N.Bytes()))
}

// team is a team of Cloudflare Access that publishes its keys. A test lets it misbehave.
type team struct {
	*httptest.Server
	keys    atomic.Value // the text that it publishes
	fetched atomic.Int32
	answer  atomic.Value // func(http.ResponseWriter, *http.Request)
}

func newTeam(t *testing.T) *team {
	p := &team{}
	p.keys.Store(`{"keys":[` + publicKeyOf("one", firstKey()) + `],"public_cert":{"kid":"one"}}`)
	p.answer.Store(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/cdn-cgi/access/certs" {
			w.WriteHeader(404)
		}
		io.WriteString(w, p.keys.Load().(string))
	}))
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.fetched.Add(1)
		p.answer.Load().(http.HandlerFunc)(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// newClaims returns what a token of the team says of a person who may decide.
func (p *team) newClaims(now int64) map[string]any {
	return map[string]any{"aud": []string{"tag-1"}, "email": "Ann@Example.com", "exp": now/1000 + 3600, "iat": now / 1000, "nbf": now / 1000, "iss": p.URL, "type": "app",
		"identity_nonce": "6ei69kawdKzMIAPF", "sub": "u-7", "country": "DE", "custom": map[string]any{"groups": []string{"staff", "payments"}}}
}

func signToken(key *rsa.PrivateKey, head, body string) string {
	text := encodeBase64([]byte(head)) + "." + encodeBase64([]byte(body))
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + encodeBase64(signature)
}

const goodHead = `{"alg":"RS256","kid":"one","typ":"JWT"}`

func newToken(claims map[string]any) string {
	body, _ := json.Marshal(claims)
	return signToken(firstKey(), goodHead, string(body))
}

const aliceKey, agentKey = "alice-key-0123456789abcdef", "agent-key-0123456789abcdef"

// site is a gate behind Access.
type site struct {
	*httptest.Server
	t     *testing.T
	store *store.Store
	now   atomic.Int64
	mu    sync.Mutex
	lines []gate.Line
}

func newSite(t *testing.T, words string) *site {
	t.Helper()
	s := &site{t: t}
	s.now.Store(time.Now().UnixMilli())
	var err error
	if s.store, err = sqlite.Open(t.Context(), gatefile.New(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	keys, err := gate.ReadKeys("t agent bot " + agentKey + "\nt approver alice " + aliceKey + "\n")
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(s.Close)
	o := gate.Options{Store: s.store, Keys: keys, URL: s.URL, Secret: make([]byte, 32), Rate: -1, Now: s.now.Load}
	if o.Front, err = access.Read(words, http.DefaultTransport); err != nil {
		t.Fatal(err)
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

const words = "team=%s audience=tag-0 audience=tag-1 approvers=t:payments person=t:Zoe@example.com"

// sendRequest sends a request to a page, with the given tokens in its headers.
func (s *site) sendRequest(method, path string, form url.Values, client *http.Client, tokens ...string) (status int, text string) {
	s.t.Helper()
	r, _ := http.NewRequest(method, s.URL+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.URL)
	for _, text := range tokens {
		r.Header.Add(access.Header, text)
	}
	w, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	body, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(body)
}

// openList opens the list of what waits with a token.
func (s *site) openList(token string) (status int, text string) {
	s.t.Helper()
	return s.sendRequest("GET", "/pending", nil, http.DefaultClient, token)
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

// callAPI sends a request of the API.
func (s *site) callAPI(method, path, key, body string, header ...string) (status int, m map[string]any) {
	s.t.Helper()
	r, _ := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	json.NewDecoder(w.Body).Decode(&m)
	return w.StatusCode, m
}

// holdCall proposes a call, and returns its id and digest.
func (s *site) holdCall() (id, digest string) {
	s.t.Helper()
	_, m := s.callAPI("POST", "/v1/proposals", agentKey, `{"tool":"refund","arguments":{"x":"`+rand.Text()+`"}}`)
	return m["id"].(string), m["digest"].(string)
}

func (s *site) stateOf(id string) string {
	_, m := s.callAPI("GET", "/v1/proposals/"+id, agentKey, "")
	return fmt.Sprint(m["state"])
}

var formToken = regexp.MustCompile(`name="token" value="([^"]+)"`)

// approveCall presses the button of a call's page.
func (s *site) approveCall(id, digest, bearer string) (status int, text string) {
	s.t.Helper()
	status, page := s.sendRequest("GET", "/p/"+id, nil, http.DefaultClient, bearer)
	m := formToken.FindStringSubmatch(page)
	if m == nil {
		return status, page
	}
	return s.sendRequest("POST", "/p/"+id, url.Values{"token": {m[1]}, "digest": {digest}, "choice": {"approve"}}, http.DefaultClient, bearer)
}

// TestDecide lets a person decide a call through Access. The audit has the person, and one
// row for the token. After the person has signed out, the token signs nobody in.
func TestDecide(t *testing.T) {
	p := newTeam(t)
	s := newSite(t, fmt.Sprintf(words, p.URL))
	bearer := newToken(p.newClaims(s.now.Load()))
	if status, text := s.openList(bearer); status != 200 || !strings.Contains(text, "What waits") || !strings.Contains(text, "Signed in as ann@example.com with 127.0.0.1:") {
		t.Fatalf("%d %s", status, text)
	}
	id, digest := s.holdCall()
	if status, text := s.approveCall(id, digest, bearer); status != 200 || s.stateOf(id) != "approved" {
		t.Fatalf("%d %s", status, text)
	}
	var audit strings.Builder
	if _, err := s.store.Export(t.Context(), &audit, []string{"t"}, nil); err != nil || strings.Count(audit.String(), `\"event\":\"sign-in\"`) != 1 || !strings.Contains(audit.String(), `\"event\":\"decide\"`) || strings.Count(audit.String(), `\"by\":\"ann@example.com\"`) != 2 {
		t.Errorf("%v %s", err, audit.String())
	}
	claims := p.newClaims(s.now.Load())
	claims["email"], claims["custom"] = "zoe@EXAMPLE.com", nil
	if status, text := s.openList(newToken(claims)); status != 200 || !strings.Contains(text, "zoe@example.com") {
		t.Errorf("a person of the roster: %d %s", status, text)
	}
	later, late := s.holdCall()
	_, page := s.sendRequest("GET", "/p/"+later, nil, http.DefaultClient, bearer)
	form := url.Values{"token": {formToken.FindStringSubmatch(page)[1]}, "digest": {late}, "choice": {"approve"}}
	if status, _ := s.sendRequest("POST", "/p/"+later, form, http.DefaultClient, newToken(claims)); status != 403 || s.stateOf(later) != "pending" {
		t.Errorf("another person posts the form: %d %s", status, s.stateOf(later))
	}
	if status, text := s.sendRequest("POST", "/logout", nil, http.DefaultClient, bearer); status != 200 || !strings.Contains(text, p.URL+"/cdn-cgi/access/logout") {
		t.Errorf("signing out: %d %s", status, text)
	}
	if status, text := s.openList(bearer); status != 403 || !strings.Contains(text, "You have signed out here") {
		t.Errorf("the token after signing out: %d %s", status, text)
	}
	if status, _ := s.sendRequest("POST", "/p/"+later, form, http.DefaultClient, bearer); status != 403 || s.stateOf(later) != "pending" {
		t.Errorf("a form after signing out: %d %s", status, s.stateOf(later))
	}
	claims = p.newClaims(s.now.Load())
	claims["iat"] = s.now.Load()/1000 - 1
	if status, _ := s.openList(newToken(claims)); status != 200 {
		t.Error("another token of the person is refused")
	}
}

// TestRefused sends every known sort of bad token. None signs anybody in, also not beside a
// session that began with a key, and each refusal is a line in the log. In between, the same
// person signs in.
func TestRefused(t *testing.T) {
	p := newTeam(t)
	s := newSite(t, fmt.Sprintf(words, p.URL))
	now := s.now.Load()
	good := newToken(p.newClaims(now))
	jar, _ := cookiejar.New(nil)
	keyed := &http.Client{Jar: jar}
	if status, _ := s.sendRequest("POST", "/login", url.Values{"key": {aliceKey}}, keyed); status != 200 {
		t.Fatal(status)
	}
	if status, text := s.sendRequest("GET", "/pending", nil, keyed); status != 200 || strings.Contains(text, "with 127.0.0.1") {
		t.Fatalf("a key without a token: %d", status)
	}
	if status, text := s.sendRequest("GET", "/pending", nil, keyed, good); status != 200 || !strings.Contains(text, "ann@example.com") {
		t.Fatalf("the token names who it is: %d %s", status, text)
	}
	with := func(name string, value any) string {
		claims := p.newClaims(now)
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
		return newToken(claims)
	}
	body, _ := json.Marshal(p.newClaims(now))
	public, _ := x509.MarshalPKIXPublicKey(&firstKey().PublicKey)
	part := strings.Split(good, ".")
	seconds := now / 1000
	for _, c := range []struct{ name, token, want string }{
		{"nothing", "", "three parts"},
		{"forged", signToken(secondKey(), goodHead, string(body)), "is not that of the key"},
		{"forged with a key of its own", signToken(secondKey(), `{"alg":"RS256","kid":"one","jwk":`+publicKeyOf("one", secondKey())+`}`, string(body)), "is not that of the key"},
		{"from another key", signToken(firstKey(), `{"alg":"RS256","kid":"two"}`, string(body)), "has no key"},
		{"without a key", signToken(firstKey(), `{"alg":"RS256"}`, string(body)), "names no key"},
		{"unsigned", encodeBase64([]byte(`{"alg":"none","kid":"one"}`)) + "." + part[1] + ".", "want RS256"},
		{"another algorithm", signToken(firstKey(), `{"alg":"RS512","kid":"one"}`, string(body)), "want RS256"},
		{"two algorithms", signToken(firstKey(), `{"alg":"none","alg":"RS256","kid":"one"}`, string(body)), "twice"},
		{"with demands", signToken(firstKey(), `{"alg":"RS256","kid":"one","crit":["x"],"x":1}`, string(body)), "demands more"},
		{"signed by the public key as a secret", func() string {
			text := encodeBase64([]byte(`{"alg":"HS256","kid":"one"}`)) + "." + part[1]
			m := hmac.New(sha256.New, public)
			m.Write([]byte(text))
			return text + "." + encodeBase64(m.Sum(nil))
		}(), "want RS256"},
		{"changed after signing", part[0] + "." + encodeBase64(bytes.Replace(body, []byte("Ann@"), []byte("Bob@"), 1)) + "." + part[2], "is not that of the key"},
		{"another name twice", signToken(firstKey(), goodHead, strings.Replace(string(body), `{`, `{"email":"zoe@example.com",`, 1)), "twice"},
		{"no JSON", signToken(firstKey(), goodHead, string(body)+"x"), "the claims"},
		{"padded", good + "=", "cannot be read"},
		{"four parts", good + ".x", "three parts"},
		{"too long", signToken(firstKey(), goodHead, strings.Replace(string(body), `{`, `{"x":"`+strings.Repeat("x", 20000)+`",`, 1)), "bytes"},
		{"another issuer", with("iss", "https://evil.cloudflareaccess.com"), "from the issuer"},
		{"an issuer with more", with("iss", p.URL+"/"), "from the issuer"},
		{"another application", with("aud", []string{"tag-2", "tag-11"}), "for the audience"},
		{"no application", with("aud", nil), "for the audience"},
		{"an application in an object", with("aud", map[string]any{"tag-1": true}), "for the audience"},
		{"the token of the whole team", with("type", "org"), "of the type"},
		{"no type", with("type", nil), "of the type"},
		{"expired", with("exp", seconds-31), "has expired"},
		{"without an end", with("exp", nil), `no time "exp"`},
		{"an end in words", with("exp", "2099"), `no time "exp"`},
		{"an end that overflows", with("exp", json.RawMessage("9223372036854775807")), `no time "exp"`},
		{"made in the future", with("iat", seconds+31), "in the future"},
		{"without a beginning", with("iat", nil), `no time "iat"`},
		{"not valid yet", with("nbf", seconds+31), "in the future"},
		{"not valid in words", with("nbf", "now"), `no time "nbf"`},
		{"made long ago", with("iat", seconds-24*3600-31), "longer ago than"},
		{"the token of a service", func() string {
			claims := p.newClaims(now)
			delete(claims, "email")
			claims["common_name"], claims["sub"] = "e367826f93b8d71185e03fe518aff3b4.access", ""
			return newToken(claims)
		}(), "names no person"},
		{"without a subject", with("sub", ""), "names no person"},
		{"a name that is no text", with("email", []string{"ann@example.com"}), "names no person"},
		{"a name of two words", with("email", "ann b@example.com"), "cannot be an approver's"},
		{"a name with a line feed", with("email", "ann\n@example.com"), "cannot be an approver's"},
		{"the group was removed", with("custom", map[string]any{"groups": []string{"staff"}}), "no group whose members decide"},
		{"no groups", with("custom", nil), "no group whose members decide"},
		{"like a group", with("custom", map[string]any{"groups": []string{"payments-readers", "Payments", "payment"}}), "no group whose members decide"},
		{"groups in an object", with("custom", map[string]any{"groups": map[string]any{"payments": true}}), "no group whose members decide"},
		{"groups outside", func() string {
			claims := p.newClaims(now)
			claims["custom"], claims["groups"] = nil, []string{"payments"}
			return newToken(claims)
		}(), "no group whose members decide"},
		{"a person of another spelling", func() string {
			claims := p.newClaims(now)
			claims["custom"], claims["email"] = nil, "zoe@example.com.evil.example"
			return newToken(claims)
		}(), "no group whose members decide"},
	} {
		id, digest := s.holdCall()
		status, text := s.sendRequest("GET", "/pending", nil, keyed, c.token)
		if cause := s.lastCause(); status != 403 || strings.Contains(text, "What waits") || !strings.Contains(cause, c.want) || !strings.Contains(cause, "refused") || c.token != "" && strings.Contains(cause, c.token) {
			t.Errorf("%s: %d; the log says %q, want %q", c.name, status, cause, c.want)
		}
		_, page := s.sendRequest("GET", "/p/"+id, nil, keyed) // a form that the key's session got
		form := url.Values{"token": {formToken.FindStringSubmatch(page)[1]}, "digest": {digest}, "choice": {"approve"}}
		if status, _ := s.sendRequest("POST", "/p/"+id, form, keyed, c.token); status != 403 || s.lastCause() == "" || s.stateOf(id) != "pending" {
			t.Errorf("%s: decided: %d %s", c.name, status, s.stateOf(id))
		}
		if status, text := s.openList(good); status != 200 {
			t.Fatalf("after %q nobody signs in: %d %s", c.name, status, text)
		}
	}
	if status, _ := s.sendRequest("GET", "/pending", nil, http.DefaultClient, good, good); status != 403 || !strings.Contains(s.lastCause(), "2 tokens") {
		t.Errorf("two tokens: %d %s", status, s.lastCause())
	}
	id, digest := s.holdCall()
	if status, _ := s.callAPI("POST", "/v1/proposals/"+id+"/decision", "", `{"approve":true,"digest":"`+digest+`"}`, access.Header, good); status != 401 {
		t.Errorf("the API takes a token for a key: %d", status)
	}
	if status, m := s.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"digest":"`+digest+`"}`, access.Header, "x"); status != 200 {
		t.Errorf("the API looks at the token: %d %v", status, m)
	}
	if other := newSite(t, strings.Replace(fmt.Sprintf(words, p.URL), "t:payments", "t:others", 1)); true {
		if status, _ := other.openList(good); status != 403 {
			t.Error("the operator took the group away, and the token still counts")
		}
	}
}

// TestEveryByte changes each character of a token in several ways.
func TestEveryByte(t *testing.T) {
	p := newTeam(t)
	f, err := access.Read(fmt.Sprintf(words, p.URL), http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixMilli()
	good := newToken(p.newClaims(now))
	for i := range good {
		for _, b := range []byte{good[i] ^ 1, good[i] ^ 4, 'A', '-', '.', '\n', 0} {
			bad := good[:i] + string(b) + good[i+1:]
			if bad == good {
				continue
			}
			if who, err := f.Identify(t.Context(), http.Header{access.Header: {bad}}, now); err == nil {
				t.Fatalf("byte %d as %q signs in %v", i, b, who)
			}
		}
	}
	if n := p.fetched.Load(); n > 10 {
		t.Errorf("tokens with unknown keys made the gate ask %d times", n)
	}
}

// TestAgreesWithLibrary draws tokens and clocks. Whatever is accepted, a library for OpenID
// Connect accepts too, and a token that a plain reading of the claims allows is accepted.
func TestAgreesWithLibrary(t *testing.T) {
	p := newTeam(t)
	f, err := access.Read(fmt.Sprintf(words, p.URL)+" session=2h", http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	random := mathrand.New(mathrand.NewPCG(7, 49))
	pick := func(all ...any) any { return all[random.IntN(len(all))] }
	now := time.Now().Truncate(time.Second)
	accepted := 0
	for range 1500 {
		claims := p.newClaims(now.UnixMilli())
		at := now.Add(time.Duration(random.IntN(40)-20) * 10 * time.Second)
		claims["iat"] = now.Unix() + int64(pick(0, 0, 10, -10, -7300, 100).(int))
		claims["exp"] = now.Unix() + int64(pick(3600, 3600, 10, 0, -100, 60).(int))
		claims["nbf"] = pick(nil, now.Unix(), now.Unix(), now.Unix()+50)
		claims["aud"] = pick([]string{"tag-1"}, []string{"tag-1"}, "tag-0", []string{"x", "tag-1"}, []string{"x"}, []string{}, 1)
		claims["iss"] = pick(p.URL, p.URL, p.URL, "https://evil.example")
		claims["type"] = pick("app", "app", "app", "org")
		maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
		key, head := firstKey(), goodHead
		switch random.IntN(8) {
		case 0:
			key = secondKey()
		case 1:
			head = pick(`{"alg":"RS384","kid":"one"}`, `{"alg":"none"}`, `{"alg":"RS256","kid":"x"}`).(string)
		}
		body, _ := json.Marshal(claims)
		text := signToken(key, head, string(body))
		who, err := f.Identify(t.Context(), http.Header{access.Header: {text}}, at.UnixMilli())
		seconds := func(name string) int64 { n, _ := claims[name].(int64); return n }
		aud, _ := json.Marshal(claims["aud"])
		plain := key == firstKey() && head == goodHead && claims["iss"] == p.URL && claims["type"] == "app" && strings.Contains(string(aud), `"tag-`) &&
			at.Unix() < seconds("exp")+30 && at.Unix()+30 >= seconds("iat") && at.Unix()+30 >= seconds("nbf") && at.Unix() < seconds("iat")+7230
		if plain != (err == nil) {
			t.Fatalf("%s at %d: accepted %v (%v), want %v", body, at.Unix(), err == nil, err, plain)
		}
		if err != nil {
			continue
		}
		accepted++
		if who.Name != "ann@example.com" || who.Tenant != "t" || who.Until <= at.UnixMilli() {
			t.Fatalf("%+v at %v", who, at)
		}
		earlier := func() time.Time { return at.Add(-30 * time.Second) } // the library has no leeway at the end
		v := oidc.NewVerifier(p.URL, &oidc.StaticKeySet{PublicKeys: []crypto.PublicKey{&firstKey().PublicKey}}, &oidc.Config{SkipClientIDCheck: true, Now: earlier})
		if _, err := v.Verify(t.Context(), text); err != nil {
			t.Fatalf("the library refuses %s: %v", body, err)
		}
	}
	if accepted < 50 {
		t.Errorf("only %d tokens were accepted", accepted)
	}
}

// TestKeysRotate changes the team's keys. The new one counts at once, and the old one until
// the team withdraws it, and at most ten minutes more.
func TestKeysRotate(t *testing.T) {
	p := newTeam(t)
	s := newSite(t, fmt.Sprintf(words, p.URL))
	old := newToken(p.newClaims(s.now.Load()))
	body, _ := json.Marshal(p.newClaims(s.now.Load()))
	fresh := signToken(secondKey(), `{"alg":"RS256","kid":"two"}`, string(body))
	check := func(name, token string, want int) {
		t.Helper()
		if status, _ := s.openList(token); status != want {
			t.Errorf("%s: %d, want %d: %s", name, status, want, s.lastCause())
		}
	}
	check("the key", old, 200)
	check("a key that is not published yet", fresh, 403)
	p.keys.Store(`{"keys":[` + publicKeyOf("two", secondKey()) + `,` + publicKeyOf("one", firstKey()) + `]}`)
	check("the new key", fresh, 200)
	check("the key before", old, 200)
	p.keys.Store(`{"keys":[` + publicKeyOf("two", secondKey()) + `]}`)
	s.now.Add(11 * 60_000)
	check("the key that was withdrawn", old, 403)
	if !strings.Contains(s.lastCause(), "has no key") {
		t.Error(s.lastCause())
	}
	check("the key that stays", fresh, 200)
	n := p.fetched.Load()
	for i := range 50 {
		check("made up", signToken(secondKey(), fmt.Sprintf(`{"alg":"RS256","kid":"x%d"}`, i), string(body)), 403)
	}
	if n = p.fetched.Load() - n; n > 6 {
		t.Errorf("50 made-up keys made the gate ask %d times", n)
	}
	check("the key that stays", fresh, 200)
}

// TestTeamMisbehaves lets the server of the keys fail in each known way: nobody is signed in,
// the status says that it is no refusal, and once it works again, the person signs in.
func TestTeamMisbehaves(t *testing.T) {
	p := newTeam(t)
	right := p.answer.Load()
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text) }
	}
	small, _ := rsa.GenerateKey(rand.Reader, 1024)
	released := make(chan struct{})
	defer close(released)
	for name, answer := range map[string]http.HandlerFunc{
		"fails": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, p.keys.Load().(string))
		},
		"leads away": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, p.URL+"/cdn-cgi/access/certs?x", http.StatusFound)
		},
		"is cut off": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, p.keys.Load().(string)[:80])
			panic(http.ErrAbortHandler)
		},
		"says no JSON": say("<html>"),
		"says nothing": say(""),
		"has no keys":  say(`{"keys":[]}`),
		"no list":      say(`{"keys":{}}`),
		"other keys":   say(`{"keys":[{"kty":"EC","kid":"one"},{"kty":"RSA","kid":"one","alg":"RS512","n":"AQAB","e":"AQAB"}]}`),
		"small keys":   say(`{"keys":[` + publicKeyOf("one", small) + `]}`),
		"one name":     say(`{"keys":[` + publicKeyOf("one", firstKey()) + `,` + publicKeyOf("one", secondKey()) + `]}`),
		"many keys":    say(`{"keys":[` + strings.Repeat(publicKeyOf("x", firstKey())+`,`, 20) + publicKeyOf("one", firstKey()) + `]}`),
		"is long":      say(`{"keys":[` + publicKeyOf("one", firstKey()) + `],"x":"` + strings.Repeat("x", 300<<10) + `"}`),
		"is slow": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-released:
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newTeam(t)
			q.answer.Store(answer)
			s := newSite(t, fmt.Sprintf(words, q.URL))
			bearer := newToken(q.newClaims(s.now.Load()))
			begun := time.Now()
			if status, text := s.openList(bearer); status != 503 || !strings.Contains(text, "does not answer") || s.lastCause() == "" || time.Since(begun) > pace.Within(9*time.Second) {
				t.Errorf("%d %s after %v", status, text, time.Since(begun))
			}
			jar, _ := cookiejar.New(nil)
			if status, _ := s.sendRequest("POST", "/login", url.Values{"key": {aliceKey}}, &http.Client{Jar: jar}); status != 200 {
				t.Errorf("a key: %d", status)
			}
			q.answer.Store(right)
			if status, _ := s.openList(bearer); status != 200 {
				t.Errorf("when it works again: %d %s", status, s.lastCause())
			}
		})
	}
}

// TestRead checks that mistakes in the settings are errors.
func TestRead(t *testing.T) {
	const good = "team=https://acme.cloudflareaccess.com audience=a approvers=t:g"
	f, err := access.Read(good+" groups=roles session=30m person=t:a@b", nil)
	if err != nil || f.Host() != "acme.cloudflareaccess.com" || f.Leave() != "https://acme.cloudflareaccess.com/cdn-cgi/access/logout" {
		t.Errorf("%v", err)
	}
	if _, err := f.Identify(t.Context(), http.Header{"Cookie": {"CF_Authorization=x"}}, 0); !errors.Is(err, gate.ErrNoToken) {
		t.Errorf("without a token: %v", err)
	}
	for _, bad := range []string{"", "team=https://acme.cloudflareaccess.com audience=a", "team=http://acme.cloudflareaccess.com audience=a approvers=t:g", "team=acme audience=a approvers=t:g", "audience=a approvers=t:g",
		"team=https://acme.cloudflareaccess.com approvers=t:g", "team=https://acme.cloudflareaccess.com/x audience=a approvers=t:g", "team=https://x@acme.cloudflareaccess.com audience=a approvers=t:g",
		good + " approvers=g", good + " approvers=:g", good + " person=t:", good + " session=745h", good + " session=0", good + " x=y", good + " word", good + " audience="} {
		if _, err := access.Read(bad, nil); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
