package sdk

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/resource"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// signing lets the example's clients have access tokens that are JSON web tokens.
type signing struct{ *storage.Storage }

func (s signing) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	c, err := s.Storage.GetClientByClientID(ctx, id)
	return signingClient{c}, err
}

type signingClient struct{ op.Client }

func (signingClient) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }

// TestRealAccessToken gets access tokens at the OpenID Provider of Zitadel's library, whose tokens
// have the client's id as their audience. Only the one whose audience is the server is admitted,
// as the agent of its line, until the line is removed; the identity token beside it never is.
func TestRealAccessToken(t *testing.T) {
	var handler, provider http.Handler
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer site.Close()
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { provider.ServeHTTP(w, r) }))
	defer issuer.Close()
	address := strings.Replace(issuer.URL, "127.0.0.1", "localhost", 1)
	const back = "http://localhost:9/back"
	storage.RegisterClients(storage.WebClient(site.URL+"/mcp/shop", "hush", back), storage.WebClient("another", "hush", back))
	provider = exampleop.SetupServer(address, signing{storage.NewStorage(storage.NewUserStore(address))}, slog.New(slog.NewTextHandler(io.Discard, nil)), false)

	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const others = "t agent bot agent-key-0123456789abcdef\nt approver alice alice-key-0123456789abcdef\n"
	keys, err := gate.ReadKeys(others + "t agent ann oauth:sub=id1\n")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{Store: store, Keys: keys, URL: site.URL, Rate: -1})
	if err != nil {
		t.Fatal(err)
	}
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("the server got %v", r.Header)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
	defer behind.Close()
	h, err := mcp.New(g, http.DefaultTransport, mcp.Server{Name: "shop", URL: behind.URL})
	if err != nil {
		t.Fatal(err)
	}
	if h.Door, err = resource.New("issuer="+address, g, h.HasServer); err != nil {
		t.Fatal(err)
	}
	who, cause := "", ""
	handler = g.Logged(h, func(_ context.Context, l gate.Line) {
		if who, cause = l.Name, ""; l.Cause != nil {
			cause = l.Cause.Error()
		}
	})
	expect := func(name, token string, want int, agent, part string) {
		t.Helper()
		r, _ := http.NewRequest("POST", site.URL+"/mcp/shop", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if w.StatusCode != want || who != agent || !strings.Contains(cause, part) {
			t.Errorf("%s: %d as %q, want %d as %q: %s", name, w.StatusCode, who, want, agent, cause)
		}
	}
	access, identity := tokensAt(t, address, site.URL+"/mcp/shop", back)
	expect("the token", access, 200, "ann", "")
	expect("the identity token", identity, 401, "", "identity token")
	other, _ := tokensAt(t, address, "another", back)
	expect("a token for another client", other, 401, "", "audience")
	if _, err := g.ReloadKeys(t.Context(), keys[:2]); err != nil {
		t.Fatal(err)
	}
	expect("after its line was removed", access, 403, "", "no line of the keys")
}

// tokensAt signs a person in at the provider with a client, and returns the tokens.
func tokensAt(t *testing.T, address, client, back string) (access, identity string) {
	t.Helper()
	var ends struct {
		Authorize string `json:"authorization_endpoint"`
		Token     string `json:"token_endpoint"`
	}
	w, err := http.Get(address + "/.well-known/openid-configuration")
	if err != nil || json.NewDecoder(w.Body).Decode(&ends) != nil {
		t.Fatal(w, err)
	}
	w.Body.Close()
	jar, _ := cookiejar.New(nil)
	at := ""
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if at = r.URL.String(); strings.HasPrefix(at, back) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	w, err = browser.Get(ends.Authorize + "?" + url.Values{"client_id": {client}, "redirect_uri": {back}, "response_type": {"code"}, "scope": {"openid"}, "state": {"s"}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(w.Body)
	w.Body.Close()
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(string(page))
	if id == nil {
		t.Fatalf("%s %s", w.Status, page)
	}
	if w, err = browser.PostForm(address+"/login/username", url.Values{"username": {"test-user@localhost"}, "password": {"verysecure"}, "id": {id[1]}}); err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	to, err := url.Parse(at)
	if err != nil || to.Query().Get("code") == "" {
		t.Fatal(at, err)
	}
	r, _ := http.NewRequest("POST", ends.Token, strings.NewReader(url.Values{"grant_type": {"authorization_code"}, "code": {to.Query().Get("code")}, "redirect_uri": {back}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(url.QueryEscape(client), "hush")
	if w, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	var got struct {
		Access   string `json:"access_token"`
		Identity string `json:"id_token"`
	}
	text, _ := io.ReadAll(w.Body)
	if json.Unmarshal(text, &got); got.Access == "" {
		t.Fatalf("%s %s", w.Status, text)
	}
	return got.Access, got.Identity
}
