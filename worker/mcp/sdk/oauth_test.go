package sdk

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// signIn is an authorization server of OAuth 2.1, in which the person u-7 agrees to everything:
// with metadata, dynamic registration, PKCE, resource indicators, and tokens signed by Ed25519.
type signIn struct {
	*httptest.Server
	key ed25519.PrivateKey

	mu      sync.Mutex
	clients map[string]string     // client → redirection
	codes   map[string]url.Values // code → the request that it answers
	steps   []string
}

func newSignIn(t *testing.T) *signIn {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &signIn{key: key, clients: map[string]string{"preset": "http://127.0.0.1:9/back"}, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"issuer": a.URL, "authorization_endpoint": a.URL + "/authorize", "token_endpoint": a.URL + "/token", "registration_endpoint": a.URL + "/register",
			"jwks_uri": a.URL + "/keys", "response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"}, "scopes_supported": []string{"tools"}})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"keys": []any{map[string]any{"kty": "OKP", "crv": "Ed25519", "kid": "k", "alg": "EdDSA", "x": encodePart(key.Public().(ed25519.PublicKey))}}})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		json.NewDecoder(r.Body).Decode(&m)
		m["client_id"] = rand.Text()
		a.clients[m["client_id"].(string)] = m["redirect_uris"].([]any)[0].(string)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(201)
		json.NewEncoder(w).Encode(m)
	})
	mux.HandleFunc("/authorize", a.handleAuthorize)
	mux.HandleFunc("/token", a.handleToken)
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.steps = append(a.steps, strings.TrimPrefix(r.URL.Path, "/"))
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(a.Close)
	return a
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func encodePart(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// takeSteps returns the paths that were asked for since the last call.
func (a *signIn) takeSteps() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := strings.Join(a.steps, " ")
	a.steps = nil
	return all
}

// handleAuthorize sends the person back with a code.
func (a *signIn) handleAuthorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if back := a.clients[q.Get("client_id")]; back == "" || back != q.Get("redirect_uri") || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") == "" {
		http.Error(w, "bad request "+r.URL.RawQuery, 400)
		return
	}
	code := rand.Text()
	a.codes[code] = q
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

// handleToken gives a token for the resource that the client has named.
func (a *signIn) handleToken(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	q, known := a.codes[r.Form.Get("code")]
	delete(a.codes, r.Form.Get("code"))
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	client, _, basic := r.BasicAuth()
	if !basic {
		client = r.Form.Get("client_id")
	}
	if !known || client != q.Get("client_id") || encodePart(sum[:]) != q.Get("code_challenge") || r.Form.Get("resource") != q.Get("resource") {
		http.Error(w, `{"error":"invalid_grant"}`, 400)
		return
	}
	now := time.Now().Unix()
	body, _ := json.Marshal(map[string]any{"iss": a.URL, "aud": q.Get("resource"), "sub": "u-7", "client_id": q.Get("client_id"), "scope": q.Get("scope"), "iat": now, "exp": now + 300, "jti": rand.Text()})
	text := encodePart([]byte(`{"alg":"EdDSA","kid":"k","typ":"at+jwt"}`)) + "." + encodePart(body)
	writeJSON(w, map[string]any{"access_token": text + "." + encodePart(ed25519.Sign(a.key, []byte(text))), "token_type": "Bearer", "expires_in": 300, "scope": q.Get("scope")})
}

// startGate starts the command's gate in front of a server, with keys and with tokens.
func startGate(t *testing.T, a *signIn, server string) *proxied {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys.txt")
	if err := os.WriteFile(keys, []byte("t agent bot "+agentKey+"\nt approver alice "+aliceKey+"\nt agent ann oauth:sub=u-7 alice\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file, "gate", "--db", filepath.Join(dir, "gate.db"), "--keys", keys, "--addr", "127.0.0.1:0", "--mcp", "up="+server, "--mcp-oauth", "issuer="+a.URL+" scope=tools")
	out, err := cmd.StdoutPipe()
	var log bytes.Buffer
	cmd.Stderr = &log
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			t.Logf("the gate's log: %s", log.String())
		}
	})
	var ready struct{ URL string }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &ready) != nil {
		t.Fatalf("%s %v %s", line, err, log.String())
	}
	return &proxied{t: t, url: ready.URL}
}

// TestSignInGo checks that the official Go client signs in by itself, with a client that it
// registers and with one that it knows: from a 401 to a token, a held call, a decision, and the
// call that runs once.
func TestSignInGo(t *testing.T) {
	server, deleted := shop(t, false)
	a := newSignIn(t)
	p := startGate(t, a, server)
	const back = "http://127.0.0.1:9/back"
	for name, config := range map[string]auth.AuthorizationCodeHandlerConfig{
		"registers": {DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{ClientName: "test", RedirectURIs: []string{back}, TokenEndpointAuthMethod: "none"}}},
		"is known":  {PreregisteredClient: &oauthex.ClientCredentials{ClientID: "preset"}, RedirectURL: back},
	} {
		deleted.Store(0)
		a.takeSteps()
		config.AuthorizationCodeFetcher = openPage
		handler, err := auth.NewAuthorizationCodeHandler(&config)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: p.url + "/mcp/up", OAuthHandler: handler}, nil)
		if err != nil {
			t.Fatalf("%s: %v after %v", name, err, a.takeSteps())
		}
		if text, wrong := call(t, s, "get_order", "1"); wrong || text != "an order" {
			t.Errorf("%s: %v %s", name, wrong, text)
		}
		if text, wrong := call(t, s, "delete_order", name); !wrong || !strings.Contains(text, p.url+"/p/") || deleted.Load() != 0 {
			t.Errorf("%s: %v %s, deleted %d", name, wrong, text, deleted.Load())
		}
		id := p.decide(true)
		if text, wrong := call(t, s, "delete_order", name); wrong || text != "deleted "+name || deleted.Load() != 1 {
			t.Errorf("%s: %v %s, deleted %d", name, wrong, text, deleted.Load())
		}
		if _, text := p.api("GET", "/v1/history?agent=ann&state=executed", aliceKey, ""); !strings.Contains(text, id) {
			t.Errorf("%s: %s", name, text)
		}
		s.Close()
		if steps := a.takeSteps(); strings.Contains(steps, "register") != (name == "registers") || !strings.Contains(steps, "token") {
			t.Errorf("%s: %s", name, steps)
		}
	}
}

// openPage opens the provider's page, on which the person agrees.
func openPage(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", args.URL, nil)
	if err != nil {
		return nil, err
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.Body.Close()
	to, err := w.Location()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Status, err)
	}
	return &auth.AuthorizationResult{Code: to.Query().Get("code"), State: to.Query().Get("state")}, nil
}

// TestSignInTypeScript checks the same with the official TypeScript client, over both of its
// transports.
func TestSignInTypeScript(t *testing.T) {
	if _, err := os.Stat("node_modules/@modelcontextprotocol/sdk"); err != nil {
		t.Skip("SKIPPED: run `npm ci --ignore-scripts` in worker/mcp/sdk")
	}
	for _, args := range [][]string{{"http", "register"}, {"http", "preset"}, {"sse", "register"}, {"sse", "preset"}} {
		server, deleted := shop(t, false)
		a := newSignIn(t)
		p := startGate(t, a, server)
		run := exec.CommandContext(t.Context(), "node", append([]string{"oauth.mjs", p.url, aliceKey}, args...)...)
		if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "sent to sign in, an order, held, deleted 1" || deleted.Load() != 1 {
			t.Errorf("%v: %v %s, deleted %d, after %v", args, err, out, deleted.Load(), a.takeSteps())
		}
		if _, text := p.api("GET", "/v1/history?agent=ann&state=executed", aliceKey, ""); !strings.Contains(text, "delete_order") {
			t.Errorf("%v: %s", args, text)
		}
		if steps := a.takeSteps(); strings.Contains(steps, "register") != (args[1] == "register") {
			t.Errorf("%v: %s", args, steps)
		}
	}
}
