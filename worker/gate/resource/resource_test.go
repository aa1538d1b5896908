//go:build !js

package resource_test

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/resource"
)

// TestMetadata checks how a client without a token learns where to get one.
func TestMetadata(t *testing.T) {
	s := newSite(t, "scope=tools")
	get := func(path string) (int, string) {
		w, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return w.StatusCode, strings.TrimSpace(string(text))
	}
	for _, path := range []string{"", "/mcp/shop", "/mcp/files", "/mcp/shop/sse"} {
		want := fmt.Sprintf(`{"resource":"%s","authorization_servers":["%s"],"bearer_methods_supported":["header"],"scopes_supported":["tools"]}`, s.URL+path, s.issue.URL)
		if status, text := get(resource.WellKnown + path); status != 200 || text != want {
			t.Errorf("%s: %d %s, want %s", path, status, text, want)
		}
	}
	for _, path := range []string{"/mcp/none", "/mcp", "/mcp/shop/messages", "/v1/proposals", "/mcp/shop/"} {
		if status, text := get(resource.WellKnown + path); status != 404 {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	for path, of := range map[string]string{"/mcp/shop": "/mcp/shop", "/mcp/shop/messages": "/mcp/shop/sse"} {
		status, head, _ := s.sendPing(path)
		want := `Bearer realm="boundcheck gate", resource_metadata="` + s.URL + resource.WellKnown + of + `", scope="tools"`
		if _, cause := s.lastLine(); status != 401 || head.Get("WWW-Authenticate") != want || cause != "" {
			t.Errorf("%s: %d %s %s", path, status, head.Get("WWW-Authenticate"), cause)
		}
	}
	if status, head, _ := s.sendPing("/v1/proposals"); status != 401 || head.Get("WWW-Authenticate") != gate.Realm {
		t.Errorf("the API: %d %v", status, head)
	}
}

// TestTokens checks who is admitted where, side by side with keys, and that the audit has each
// token once.
func TestTokens(t *testing.T) {
	s := newSite(t, "scope=tools")
	curve := newCurveKey()
	s.issue.withLock(func() { s.issue.keys["curve"] = curve })
	with := func(name string, value any) string {
		c := s.goodClaims()
		c[name] = value
		return s.signToken(c)
	}
	body, _ := json.Marshal(s.goodClaims())
	for _, c := range []struct{ name, path, token, agent string }{
		{"a key", "/mcp/shop", agentKey, "t bot"},
		{"a token", "/mcp/shop", s.signToken(s.goodClaims()), "t ann"},
		{"signed on a curve", "/mcp/shop", signWith(curve, `{"alg":"ES256","kid":"curve"}`, string(body)), "t ann"},
		{"for the gate", "/mcp/files", with("aud", s.URL), "t ann"},
		{"for the gate, with a slash", "/mcp/files", with("aud", []string{"x", s.URL + "/"}), "t ann"},
		{"for the old transport of the server", "/mcp/shop", with("aud", s.URL+"/mcp/shop/sse"), "t ann"},
		{"of a group", "/mcp/shop", func() string {
			c := s.goodClaims()
			c["sub"], c["groups"] = "u-8", []any{"a", "the staff"}
			return s.signToken(c)
		}(), "t staff"},
		{"of a program", "/mcp/shop", func() string {
			c := s.goodClaims()
			c["sub"], c["client_id"], c["scope"], c["scp"] = "app-9", "app-9", nil, []any{"tools"}
			delete(c, "scope")
			return s.signToken(c)
		}(), "u other"},
	} {
		status, _, text := s.sendPing(c.path, "Bearer "+c.token)
		l, cause := s.lastLine()
		if status != 200 || l.Tenant+" "+l.Name != c.agent || l.Role != "agent" || cause != "" {
			t.Errorf("%s: %d %s as %s %s (%s)", c.name, status, text, l.Tenant, l.Name, cause)
		}
	}
	token := s.signToken(s.goodClaims())
	for _, path := range []string{"/v1/proposals", "/v1/audit", "/v1/freezes", "/pending"} {
		r, _ := http.NewRequest("GET", s.URL+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		if w, err := http.DefaultClient.Do(r); err != nil || w.StatusCode != 401 {
			t.Errorf("%s: %v %v", path, w.StatusCode, err)
		}
	}
	for _, line := range []string{"oauth:sub=u-7", "sub=u-7"} {
		if status, _, _ := s.sendPing("/mcp/shop", "Bearer "+line); status != 401 {
			t.Errorf("the text %s is a key: %d", line, status)
		}
	}
	s.sendPing("/mcp/shop", "Bearer "+token)
	s.sendPing("/mcp/shop", "bearer "+token)
	var audit strings.Builder
	if _, err := s.store.Export(t.Context(), &audit, []string{"t"}, nil); err != nil || strings.Count(audit.String(), `\"event\":\"sign-in\"`) != 6 || !strings.Contains(audit.String(), `u-7`) || strings.Contains(audit.String(), token[:40]) {
		t.Errorf("%v, %d rows: %s", err, strings.Count(audit.String(), `\"event\":\"sign-in\"`), audit.String())
	}
}

// TestTokensRefused bends a token, or what is beside it, in each known way. Nothing comes to a
// server, and each refusal has a line in the log. In between, the good token works.
func TestTokensRefused(t *testing.T) {
	s := newSite(t, "scope=tools")
	good := s.signToken(s.goodClaims())
	seconds := s.gate.Now() / 1000
	body, _ := json.Marshal(s.goodClaims())
	public, _ := x509.MarshalPKIXPublicKey(&firstKey().PublicKey)
	hush := func(secret []byte) string {
		text := encodePart([]byte(`{"alg":"HS256","kid":"one"}`)) + "." + encodePart(body)
		m := hmac.New(sha256.New, secret)
		m.Write([]byte(text))
		return text + "." + encodePart(m.Sum(nil))
	}
	claim := func(name string, value any) string {
		c := s.goodClaims()
		if c[name] = value; value == nil {
			delete(c, name)
		}
		return s.signToken(c)
	}
	part := strings.Split(good, ".")
	head := func(text string) string { return signWith(firstKey(), text, string(body)) }
	for _, c := range []struct {
		name, token, want string
		status            int
	}{
		{"forged", signWith(secondKey(), rightHead, string(body)), "failed to verify", 401},
		{"unsigned", encodePart([]byte(`{"alg":"none"}`)) + "." + part[1] + ".", "proves nothing", 401},
		{"unsigned, with a signature", encodePart([]byte(`{"alg":"none"}`)) + "." + part[1] + "." + part[2], "proves nothing", 401},
		{"signed by a public key as a secret", hush(public), "proves nothing", 401},
		{"signed by a published secret", hush([]byte{0, 0, 0}), "proves nothing", 401},
		{"another algorithm than that of the key", head(`{"alg":"ES256","kid":"one"}`), "failed to verify", 401},
		{"with its own key", head(`{"alg":"RS256","kid":"mine","jwk":{"kty":"RSA","e":"AQAB","n":"` + encodePart(secondKey().N.Bytes()) + `"}}`), "failed to verify", 401},
		{"changed after signing", part[0] + "." + encodePart([]byte(strings.Replace(string(body), "app-1", "app-9", 1))) + "." + part[2], "failed to verify", 401},
		{"of a key that nobody publishes", signWith(secondKey(), `{"alg":"RS256","kid":"two"}`, string(body)), "failed to verify", 401},
		{"no token", "abc", "three parts", 401},
		{"encrypted", good + "." + part[0] + "." + part[1], "three parts", 401},
		{"long", good + strings.Repeat("A", 20<<10), "three parts", 401},
		{"critical", head(`{"alg":"RS256","kid":"one","crit":["exp"]}`), "more than its claims", 401},
		{"a token of a sign-out", head(`{"alg":"RS256","kid":"one","typ":"logout+jwt"}`), "type", 401},
		{"two algorithms", head(`{"alg":"RS256","alg":"none","kid":"one"}`), "twice", 401},
		{"two audiences by two claims", signWith(firstKey(), rightHead, strings.Replace(string(body), `"aud":`, `"aud":"x","aud":`, 1)), "twice", 401},
		{"expired", claim("exp", seconds), "expired", 401},
		{"without an end", claim("exp", nil), "no time", 401},
		{"an end that is a text", claim("exp", fmt.Sprint(seconds+300)), "no time", 401},
		{"not valid yet", claim("nbf", seconds+90), "future", 401},
		{"made in the future", claim("iat", seconds+90), "future", 401},
		{"for another server of the gate", claim("aud", s.URL+"/mcp/files"), "audience", 401},
		{"for another gate", claim("aud", "https://evil.example/mcp/shop"), "audience", 401},
		{"for the client, as an identity token", claim("aud", "app-1"), "audience", 401},
		{"for a longer address", claim("aud", s.URL+"/mcp/shop2"), "audience", 401},
		{"for another writing of the address", claim("aud", s.URL+"/mcp/shop/"), "audience", 401},
		{"for nobody", claim("aud", nil), "audience", 401},
		{"for an object", claim("aud", map[string]any{"x": s.URL + "/mcp/shop"}), "audience", 401},
		{"the claim in another case", func() string { c := s.goodClaims(); c["AUD"] = c["aud"]; delete(c, "aud"); return s.signToken(c) }(), "audience", 401},
		{"from another issuer", claim("iss", "https://evil.example"), "issuer", 401},
		{"from a longer issuer", claim("iss", s.issue.URL+"/"), "issuer", 401},
		{"an identity token for a client with the address of the server", claim("at_hash", "x"), "identity token", 401},
		{"an identity token with its nonce", func() string {
			c := s.goodClaims()
			c["nonce"] = "n-1"
			text, _ := json.Marshal(c)
			return signWith(firstKey(), `{"alg":"RS256","kid":"one","typ":"JWT"}`, string(text))
		}(), "identity token", 401},
		{"a token that calls itself an identity token", claim("typ", "ID"), "identity token", 401},
		{"a token to renew", claim("typ", "Refresh"), "identity token", 401},
		{"a token whose use is another", claim("token_use", "id"), "identity token", 401},
		{"an identity token without a hash, for a client with the address of the server", func() string {
			c := s.goodClaims()
			for _, name := range []string{"client_id", "scope"} {
				delete(c, name)
			}
			c["azp"], c["email"], c["auth_time"] = s.URL+"/mcp/shop", "ann@a.example", c["iat"]
			text, _ := json.Marshal(c)
			return signWith(firstKey(), `{"alg":"RS256","kid":"one","typ":"JWT"}`, string(text))
		}(), "identity token", 401},
		{"bound to a key of the client", claim("cnf", map[string]any{"jkt": "x"}), "bound", 401},
		{"without the scope", claim("scope", "read"), "scope", 403},
		{"a longer scope", claim("scope", "tools2 atools"), "scope", 403},
		{"of nobody here", claim("sub", "u-99"), "no line of the keys", 403},
		{"a group with a longer name", func() string {
			c := s.goodClaims()
			c["sub"], c["groups"] = "x", []any{"the staff2", "staff", "the", "The Staff"}
			return s.signToken(c)
		}(), "no line of the keys", 403},
		{"a number as a name", claim("sub", 7), "", 401},
	} {
		before := s.countMessages()
		status, h, text := s.sendPing("/mcp/shop", "Bearer "+c.token)
		_, cause := s.lastLine()
		if status != c.status || s.countMessages() != before || strings.Contains(text, part[1]) {
			t.Errorf("%s: %d %s, want %d", c.name, status, text, c.status)
		}
		if !strings.Contains(cause, c.want) || !strings.Contains(cause, "refused") || strings.Contains(cause, part[2]) {
			t.Errorf("%s: the log says %q, want %q", c.name, cause, c.want)
		}
		trouble := map[string]bool{"invalid_token": status == 401, "insufficient_scope": c.want == "scope"}
		for word, want := range trouble {
			if got := strings.Contains(h.Get("WWW-Authenticate"), `error="`+word+`"`); got != want {
				t.Errorf("%s: the challenge is %s", c.name, h.Get("WWW-Authenticate"))
			}
		}
		if status, _, text := s.sendPing("/mcp/shop", "Bearer "+good); status != 200 {
			t.Fatalf("after %s: %d %s", c.name, status, text)
		}
	}
	for _, values := range [][]string{{"Bearer " + good, "Bearer " + good}, {"Basic " + good}, {good}, {"Bearer"}, {"DPoP " + good}} {
		if status, _, _ := s.sendPing("/mcp/shop", values...); status != 401 {
			t.Errorf("%.30q: %d", values, status)
		}
	}
	right := s.gate.Now()
	for hours, want := range map[int64]string{-1: "future", 1: "expired"} {
		s.setClock(right + hours*3600_000)
		status, _, _ := s.sendPing("/mcp/shop", "Bearer "+good)
		if _, cause := s.lastLine(); status != 401 || !strings.Contains(cause, want) {
			t.Errorf("with a clock that is off by %d h: %d %s", hours, status, cause)
		}
	}
}

func (s *site) setClock(now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
}

// TestBentTokens draws bends of a good token. None passes.
func TestBentTokens(t *testing.T) {
	s := newSite(t, "")
	good := s.signToken(s.goodClaims())
	if status, _, text := s.sendPing("/mcp/shop", "Bearer "+good); status != 200 {
		t.Fatal(status, text)
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \t"
	draw := rand.New(rand.NewPCG(49, 9728))
	before := s.countMessages()
	for range drawn.Cases(600) {
		b := []byte(good)
		for n := 1 + draw.IntN(2); n > 0; n-- {
			i := draw.IntN(len(b))
			if draw.IntN(4) == 0 {
				i = len(b) - 1 // whose last bits say nothing
			}
			switch l := letters[draw.IntN(len(letters))]; draw.IntN(4) {
			case 0:
				b = slices.Insert(b, i, l)
			case 1:
				b = slices.Delete(b, i, i+1)
			case 2:
				j := draw.IntN(len(b))
				b[i], b[j] = b[j], b[i]
			default:
				b[i] = l
			}
		}
		if strings.TrimSpace(string(b)) == good {
			continue
		}
		if status, _, _ := s.sendPing("/mcp/shop", "Bearer "+string(b)); status != 401 && status != 503 || s.countMessages() != before {
			t.Errorf("%d for %q in place of %q", status, b, good)
		}
	}
	for i := range letters { // each last letter
		if bent := good[:len(good)-1] + letters[i:i+1]; bent != good && strings.TrimSpace(bent) != good {
			if status, _, _ := s.sendPing("/mcp/shop", "Bearer "+bent); status != 401 && status != 503 {
				t.Errorf("%d for the last letter %q", status, letters[i])
			}
		}
	}
}

// TestTokenLaw draws what tokens say and what the operator demands. An independent judgement says
// who is admitted.
func TestTokenLaw(t *testing.T) {
	sites := map[string]*site{"": newSite(t, ""), "tools": newSite(t, "scope=tools"), "tools read": newSite(t, "scope=tools scope=read")}
	draw := rand.New(rand.NewPCG(49, 8707))
	pick := func(of ...any) any { return of[draw.IntN(len(of))] }
	admitted := 0
	for range drawn.Cases(700) {
		demanded := []string{"", "tools", "tools read"}[draw.IntN(3)]
		s := sites[demanded]
		now, c := s.gate.Now()/1000, s.goodClaims()
		audiences := []any{s.URL + "/mcp/shop", s.URL + "/mcp/files", s.URL, "app-1", "https://evil.example"}
		aud := []any{pick(audiences...)}
		for draw.IntN(2) == 0 {
			aud = append(aud, pick(audiences...))
		}
		c["aud"] = aud
		end, made, scope := now+int64(draw.IntN(5))-2, now+int64(draw.IntN(5))-2, pick("tools", "read", "tools read", "read tools x", "").(string)
		if draw.IntN(2) == 0 {
			end = now + 100
		}
		if draw.IntN(4) == 0 {
			made = now + 59 + int64(draw.IntN(4))
		}
		groups := []any{pick("a", "the staff"), pick("b", "the staff")}
		c["exp"], c["iat"], c["scope"], c["groups"] = end, made, scope, groups
		c["iss"], c["sub"], c["client_id"] = pick(s.issue.URL, s.issue.URL, s.issue.URL, "https://evil.example"), pick("u-7", "u-8"), pick("app-1", "app-9")
		server := pick("shop", "files").(string)

		agent, want := "", 200
		switch {
		case c["sub"] == "u-7":
			agent = "ann"
		case slices.Contains(groups, any("the staff")):
			agent = "staff"
		case c["client_id"] == "app-9":
			agent = "other"
		default:
			want = 403
		}
		for _, word := range strings.Fields(demanded) {
			if !slices.Contains(strings.Fields(scope), word) {
				want = 403
			}
		}
		ms := s.gate.Now()
		if c["iss"] != s.issue.URL || ms >= end*1000 || made*1000 > ms+60_000 || !slices.Contains(aud, any(s.URL+"/mcp/"+server)) && !slices.Contains(aud, any(s.URL)) {
			want = 401
		}
		status, _, text := s.sendPing("/mcp/"+server, "Bearer "+s.signToken(c))
		if l, _ := s.lastLine(); status != want || want == 200 && l.Name != agent {
			t.Fatalf("%d as %q, want %d as %q: %v at %s, demanded %q\n%s", status, l.Name, want, agent, c, server, demanded, text)
		}
		if want == 200 {
			admitted++
		}
	}
	if admitted < 20 {
		t.Errorf("only %d were admitted", admitted)
	}
}

// TestKeysRotate checks that a new key of the provider is found at once, that one which it has
// withdrawn proves nothing, and that nobody is admitted while the keys cannot be had.
func TestKeysRotate(t *testing.T) {
	s := newSite(t, "")
	body, _ := json.Marshal(s.goodClaims())
	first, second := s.signToken(s.goodClaims()), signWith(secondKey(), `{"alg":"RS256","kid":"two"}`, string(body))
	expect := func(name, token string, want int) {
		t.Helper()
		status, h, text := s.sendPing("/mcp/shop", "Bearer "+token)
		if _, cause := s.lastLine(); status != want || want != 200 && !strings.Contains(cause, "refused") || want == 503 && (h.Get("Retry-After") == "" || !strings.Contains(cause, "cannot be checked")) {
			t.Errorf("%s: %d %s, want %d: the log says %q", name, status, text, want, cause)
		}
	}
	s.issue.withLock(func() { s.issue.down = true })
	expect("the provider is down", first, 503)
	expect("still", first, 503)
	s.issue.withLock(func() { s.issue.down = false })
	time.Sleep(2100 * time.Millisecond)
	expect("it is there again", first, 200)
	expect("a key that is not published yet", second, 401)
	s.issue.withLock(func() { s.issue.down = true })
	expect("its keys are known", first, 200)
	expect("an unknown key, while it is down", second, 503)
	s.issue.withLock(func() { s.issue.down, s.issue.keys["two"] = false, secondKey(); delete(s.issue.keys, "one") })
	expect("rotated", second, 200)
	expect("withdrawn", first, 401)
	s.issue.withLock(func() { s.issue.asks = 0 })
	for range 40 {
		s.sendPing("/mcp/shop", "Bearer "+first)
	}
	if s.issue.asks > 12 {
		t.Errorf("forged tokens led to %d questions to the provider", s.issue.asks)
	}
	expect("while others forge", second, 200)
}

// TestProviderMisbehaves checks metadata of another issuer, without keys, or with keys at an
// address that others can listen to; and that metadata of OpenID Connect is found, too.
func TestProviderMisbehaves(t *testing.T) {
	for name, says := range map[string]func(map[string]any){
		"another issuer": func(m map[string]any) { m["issuer"] = "https://evil.example" },
		"no issuer":      func(m map[string]any) { delete(m, "issuer") },
		"no keys":        func(m map[string]any) { delete(m, "jwks_uri") },
		"open keys":      func(m map[string]any) { m["jwks_uri"] = "http://evil.example/keys" },
	} {
		s := newSite(t, "")
		s.issue.says = says
		if status, _, text := s.sendPing("/mcp/shop", "Bearer "+s.signToken(s.goodClaims())); status != 503 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	s := newSite(t, "")
	s.issue.meta = "/.well-known/openid-configuration"
	if status, _, text := s.sendPing("/mcp/shop", "Bearer "+s.signToken(s.goodClaims())); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	for _, words := range []string{"", "issuer=http://id.example", "issuer=https://a:b@id.example", "issuer=https://id.example scope=", `issuer=https://id.example scope=a"b`, "issuer=https://id.example?x", "issuer=https://id.example what=x", "scope=x"} {
		if _, err := resource.New(words, s.gate, nil); err == nil {
			t.Errorf("%q is accepted", words)
		}
	}
	for _, line := range []string{"t approver eve oauth:sub=u-7", "t agent x oauth:sub", "t agent x oauth:=y", "t agent x oauth:sub=%zz", "t agent x oauth:sub=u\nt agent y oauth:sub=u"} {
		if _, err := gate.ReadKeys(line); err == nil {
			t.Errorf("the line %q is accepted", line)
		}
	}
}

// TestRemovedClaim checks that a token is refused from the next request on when its line leaves
// the key file, or its group the next token, and that its stream ends within a second.
func TestRemovedClaim(t *testing.T) {
	s := newSite(t, "")
	c := s.goodClaims()
	c["sub"], c["groups"] = "u-8", []any{"the staff"}
	token := s.signToken(c)
	if status, _, text := s.sendPing("/mcp/shop", "Bearer "+token); status != 200 {
		t.Fatal(status, text)
	}
	c["groups"] = []any{"others"}
	if status, _, _ := s.sendPing("/mcp/shop", "Bearer "+s.signToken(c)); status != 403 {
		t.Errorf("without the group: %d", status)
	}
	stream := s.openStream("/mcp/shop/sse", token)
	keys, err := gate.ReadKeys(strings.Replace(keyFile, "t agent staff oauth:groups=the%20staff\n", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := s.gate.ReloadKeys(t.Context(), keys)
	if err != nil || changes["t"] != "removed agent staff (oauth:groups=the staff)" {
		t.Fatal(changes, err)
	}
	if status, _, text := s.sendPing("/mcp/shop", "Bearer "+token); status != 403 {
		t.Errorf("after the line was removed: %d %s", status, text)
	}
	if took := stream(); took > pace.Within(time.Second) {
		t.Errorf("the stream went on for %v", took)
	}
	if status, _, _ := s.sendPing("/mcp/shop", "Bearer "+s.signToken(s.goodClaims())); status != 200 {
		t.Errorf("another agent: %d", status)
	}
}

// TestStreamEndsWithToken checks that a stream ends when its token expires.
func TestStreamEndsWithToken(t *testing.T) {
	s := newSite(t, "")
	c := s.goodClaims()
	c["exp"] = float64(s.gate.Now())/1000 + 0.7
	if took := s.openStream("/mcp/shop/sse", s.signToken(c))(); took < 300*time.Millisecond || took > pace.Within(2*time.Second) {
		t.Errorf("the stream went on for %v", took)
	}
}

// openStream opens a stream, and returns a function that reads it to its end and returns how long
// that took.
func (s *site) openStream(path, token string) func() time.Duration {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), pace.Within(10*time.Second))
	s.t.Cleanup(cancel)
	r, _ := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "text/event-stream")
	w, err := http.DefaultClient.Do(r)
	if err != nil || w.StatusCode != 200 {
		s.t.Fatal(w, err)
	}
	in := bufio.NewReader(w.Body)
	if line, err := in.ReadString('\n'); err != nil || line != "event: endpoint\n" {
		s.t.Fatal(line, err)
	}
	return func() time.Duration {
		begun := time.Now()
		io.Copy(io.Discard, in)
		w.Body.Close()
		return time.Since(begun)
	}
}
