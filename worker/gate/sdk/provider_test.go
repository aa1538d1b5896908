package sdk

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/oidc"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// TestRealProvider signs a person in at the OpenID Provider of Zitadel's library, which is
// certified: with discovery, PKCE, its login page, a signed token and the user info. A wrong
// password and a person whom the operator does not name sign nobody in, and neither does an
// answer that is used again.
func TestRealProvider(t *testing.T) {
	for _, c := range []struct {
		name, words, password string
		signedIn              bool
	}{
		{"the person", "approvers=t:test-user@zitadel.ch groups=email", "verysecure", true},
		{"another person", "approvers=t:somebody@zitadel.ch groups=email", "verysecure", false},
		{"no group in the token", "approvers=t:payments", "verysecure", false},
		{"a wrong password", "approvers=t:test-user@zitadel.ch groups=email", "wrong", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var handler http.Handler
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
			defer site.Close()
			var provider http.Handler
			issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { provider.ServeHTTP(w, r) }))
			defer issuer.Close()
			address := strings.Replace(issuer.URL, "127.0.0.1", "localhost", 1)
			storage.RegisterClients(storage.WebClient("the-gate", "hush", site.URL+"/sign-in/back"))
			provider = exampleop.SetupServer(address, storage.NewStorage(storage.NewUserStore(address)), slog.New(slog.NewTextHandler(io.Discard, nil)), false)

			store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			keys, err := gate.ReadKeys("t agent bot agent-key-0123456789abcdef\nt approver alice alice-key-0123456789abcdef\n")
			if err != nil {
				t.Fatal(err)
			}
			o := gate.Options{Store: store, Keys: keys, URL: site.URL, Secret: make([]byte, 32), Rate: -1}
			if o.Provider, err = oidc.Read("issuer="+address+" client=the-gate "+c.words, "hush"); err != nil {
				t.Fatal(err)
			}
			g, err := gate.New(o)
			if err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			causes := ""
			handler = g.Logged(g, func(_ context.Context, l gate.Line) {
				mu.Lock()
				defer mu.Unlock()
				if l.Cause != nil {
					causes += l.Cause.Error() + "\n"
				}
			})

			jar, _ := cookiejar.New(nil)
			browser := &http.Client{Jar: jar}
			open := func(address string, form url.Values) (status int, text, at string) {
				t.Helper()
				w, err := browser.Get(address)
				if form != nil {
					w, err = browser.PostForm(address, form)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer w.Body.Close()
				body, _ := io.ReadAll(w.Body)
				return w.StatusCode, string(body), w.Request.URL.String()
			}
			status, page, at := open(site.URL+"/sign-in?next=/freeze", nil)
			id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)
			if status != 200 || id == nil {
				t.Fatalf("%d %s at %s: %s", status, page, at, causes)
			}
			_, page, at = open(address+"/login/username", url.Values{"username": {"test-user@localhost"}, "password": {c.password}, "id": {id[1]}})
			_, list, _ := open(site.URL+"/pending", nil)
			if got := strings.Contains(list, "Signed in as test-user@zitadel.ch with localhost:"); got != c.signedIn {
				t.Errorf("signed in %v at %s: %s\n%s", got, at, causes, page)
			}
			if c.signedIn {
				if status, _, _ := open(at, nil); status != 403 || !strings.Contains(causes, "refused") {
					t.Errorf("the same answer again: %d %s", status, causes)
				}
			} else if c.password == "verysecure" && !strings.Contains(causes, "no group whose members decide") {
				t.Errorf("the log says %q", causes)
			}
		})
	}
}
