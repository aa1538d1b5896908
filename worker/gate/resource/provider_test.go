//go:build !js

package resource_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/resource"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

// provider is an authorization server that publishes keys. A test signs tokens with them.
type provider struct {
	*httptest.Server
	mu   sync.Mutex
	keys map[string]crypto.Signer // by their names; all are published
	down bool
	meta string // the path of its metadata
	says func(map[string]any)
	asks int // for keys
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
	p := &provider{keys: map[string]crypto.Signer{"one": firstKey()}, meta: "/.well-known/oauth-authorization-server"}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.down:
			w.WriteHeader(500)
		case r.URL.Path == p.meta:
			meta := map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys"}
			if p.says != nil {
				p.says(meta)
			}
			json.NewEncoder(w).Encode(meta)
		case r.URL.Path == "/keys":
			p.asks++
			list := []any{map[string]any{"kty": "oct", "kid": "secret", "k": "AAAA"}}
			for name, key := range p.keys {
				list = append(list, publicKey(name, key))
			}
			json.NewEncoder(w).Encode(map[string]any{"keys": list})
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) withLock(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func publicKey(name string, key crypto.Signer) map[string]any {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return map[string]any{"kty": "RSA", "use": "sig", "kid": name, "n": encodePart(k.N.Bytes()), "e": encodePart(big.NewInt(int64(k.E)).Bytes())}
	case *ecdsa.PrivateKey:
		return map[string]any{"kty": "EC", "crv": "P-256", "kid": name, "x": encodePart(k.X.FillBytes(make([]byte, 32))), "y": encodePart(k.Y.FillBytes(make([]byte, 32)))}
	}
	panic("unknown key")
}

func encodePart(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func signWith(key crypto.Signer, head, body string) string {
	text := encodePart([]byte(head)) + "." + encodePart([]byte(body))
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		signature, err = rsa.SignPKCS1v15(rand.Reader, k, crypto.SHA256, sum[:])
	case *ecdsa.PrivateKey:
		var r, s *big.Int
		r, s, err = ecdsa.Sign(rand.Reader, k, sum[:])
		signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	}
	if err != nil {
		panic(err)
	}
	return text + "." + encodePart(signature)
}

func newCurveKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

const (
	agentKey = "agent-key-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	keyFile  = "t agent bot " + agentKey + "\nt approver alice " + aliceKey +
		"\nt agent ann oauth:sub=u-7 alice\nt agent staff oauth:groups=the%20staff\nu agent other oauth:client_id=app-9\n"
)

// site is a gate with two MCP servers and a door.
type site struct {
	*httptest.Server
	t     *testing.T
	gate  *gate.Gate
	store *store.Store
	issue *provider
	mu    sync.Mutex
	now   int64
	lines []gate.Line
	ran   []string // what the servers got
}

func newSite(t *testing.T, words string) *site {
	t.Helper()
	s := &site{t: t, now: time.Now().Unix() * 1000, issue: newProvider(t)}
	var err error
	if s.store, err = sqlite.Open(t.Context(), gatefile.New(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	keys, err := gate.ReadKeys(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	behind := httptest.NewServer(http.HandlerFunc(s.serveBehind))
	t.Cleanup(behind.Close)
	var handler http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	if s.gate, err = gate.New(gate.Options{Store: s.store, Keys: keys, URL: s.URL, Rate: -1, Now: func() int64 { s.mu.Lock(); defer s.mu.Unlock(); return s.now }}); err != nil {
		t.Fatal(err)
	}
	head := http.Header{"Authorization": {"Bearer the-operator"}}
	h, err := mcp.New(s.gate, http.DefaultTransport, mcp.Server{Name: "shop", URL: behind.URL, Header: head}, mcp.Server{Name: "files", URL: behind.URL, Header: head})
	if err != nil {
		t.Fatal(err)
	}
	door, err := resource.New("issuer="+s.issue.URL+" "+words, s.gate, h.HasServer)
	if err != nil {
		t.Fatal(err)
	}
	h.Door = door
	front := sse.NewFront(h)
	handler = s.gate.Logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/mcp/"):
			front.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, resource.WellKnown):
			door.ServeHTTP(w, r)
		default:
			s.gate.ServeHTTP(w, r)
		}
	}), func(_ context.Context, l gate.Line) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lines = append(s.lines, l)
	})
	return s
}

// serveBehind answers as an MCP server of the older revisions. No token may come here.
func (s *site) serveBehind(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	all := fmt.Sprint(r.Header, r.URL) + string(body)
	if r.Header.Get("Authorization") != "Bearer the-operator" || strings.Contains(all, "eyJ") {
		s.t.Errorf("the server got %s", all)
	}
	var m struct {
		ID     json.RawMessage
		Method string
	}
	json.Unmarshal(body, &m)
	s.mu.Lock()
	s.ran = append(s.ran, m.Method)
	s.mu.Unlock()
	result := map[string]string{"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"delete_order","inputSchema":{"type":"object"}}]}`,
		"ping":       `{}`, "tools/call": `{"content":[{"type":"text","text":"done"}]}`}[m.Method]
	if result == "" {
		w.WriteHeader(405)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// countMessages returns how many messages the servers got.
func (s *site) countMessages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ran)
}

// lastLine returns the log's last line.
func (s *site) lastLine() (l gate.Line, cause string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l = s.lines[len(s.lines)-1]; l.Cause != nil {
		cause = l.Cause.Error()
	}
	return l, cause
}

// goodClaims returns the claims of a good token for the server shop.
func (s *site) goodClaims() map[string]any {
	seconds := s.gate.Now() / 1000
	return map[string]any{"iss": s.issue.URL, "aud": s.URL + "/mcp/shop", "sub": "u-7", "client_id": "app-1", "iat": seconds, "exp": seconds + 300, "scope": "tools read"}
}

const rightHead = `{"alg":"RS256","kid":"one","typ":"at+jwt"}`

// signToken signs claims with the first key.
func (s *site) signToken(claims map[string]any) string {
	body, _ := json.Marshal(claims)
	return signWith(firstKey(), rightHead, string(body))
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// sendPing sends a ping to a path below the gate.
func (s *site) sendPing(path string, authorization ...string) (status int, head http.Header, text string) {
	s.t.Helper()
	r, _ := http.NewRequestWithContext(s.t.Context(), "POST", s.URL+path, strings.NewReader(ping))
	r.Header["Authorization"] = authorization
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	body, _ := io.ReadAll(w.Body)
	return w.StatusCode, w.Header, string(body)
}
