//go:build !js

package gate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// browsers stands for package push: it notes what each browser got. Its subscriptions are
// their addresses.
type browsers struct {
	mu    sync.Mutex
	posts []string // "ENDPOINT ID"
	fails map[string]error
	gone  map[string]bool
}

func (b *browsers) Read(text string) (endpoint, keys string, err error) {
	if !strings.HasPrefix(text, "https://") {
		return "", "", errors.New("the browser gave no subscription")
	}
	return text, "{}", nil
}

func (b *browsers) Public([]byte) (string, error) { return "the-key", nil }

func (b *browsers) Messenger(_ []byte, p store.Push, ended func(context.Context, string) error) notify.Messenger {
	return &fakeMessenger{b, p, ended}
}

type fakeMessenger struct {
	*browsers
	store.Push
	ended func(context.Context, string) error
}

func (m *fakeMessenger) Key() string    { return m.Push.Cursor() }
func (m *fakeMessenger) Tenant() string { return m.Push.Tenant }
func (m *fakeMessenger) Post(ctx context.Context, q notify.Question) error {
	if !q.Call.MayDecide(m.Push.Name, q.Now) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails[m.Endpoint]; err != nil {
		return err
	}
	if m.gone[m.Endpoint] {
		return m.ended(ctx, "the service answered 410")
	}
	m.posts = append(m.posts, m.Endpoint+" "+q.Call.ID)
	return nil
}

// takePosts returns the addresses that got a message about a call, sorted, and forgets them.
func (b *browsers) takePosts(id string) (to []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.posts {
		if at, about, _ := strings.Cut(p, " "); about == id {
			to = append(to, at)
		}
	}
	b.posts = nil
	slices.Sort(to)
	return to
}

func newBrowserService(t *testing.T) (*service, *browsers) {
	b := &browsers{fails: map[string]error{}, gone: map[string]bool{}}
	return newTestService(t, "", func(o *gate.Options) {
		o.Pushes, o.Transport = b, &receiver{}
	}), b
}

func (b *browser) addBrowser(endpoint string) (int, string) {
	b.s.t.Helper()
	status, text, _ := b.doRequest("POST", "/browsers", withFields(b.hiddenFields("/browsers"), "do", "add", "label", "my phone", "subscription", endpoint))
	return status, text
}

// TestBrowsersPage checks the page on which an approver adds and removes browsers, and that its
// form works in its session only.
func TestBrowsersPage(t *testing.T) {
	s, pushes := newBrowserService(t)
	alice, bob := s.signIn(aliceKey), s.signIn(bobKey)
	_, page, head := alice.doRequest("GET", "/browsers", nil)
	if policy := head.Get("Content-Security-Policy"); !strings.Contains(page, `data-push="the-key"`) || !strings.Contains(policy, hashOfScript(page)+"; worker-src 'self'") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("%s\n%s", policy, page)
	}
	if status, _, _ := (&browser{s: s}).doRequest("GET", "/browsers", nil); status != 401 {
		t.Errorf("a stranger: %d", status)
	}
	if status, script, head := (&browser{s: s}).doRequest("GET", "/browsers/worker", nil); status != 200 || !strings.Contains(script, "notificationclick") || head.Get("Content-Type") != "text/javascript; charset=utf-8" || head.Get("Content-Security-Policy") != "default-src 'none'" {
		t.Errorf("the worker: %d %v", status, head)
	}
	if status, text := alice.addBrowser("nothing"); status != 400 || !strings.Contains(text, "gave no subscription") {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := bob.doRequest("POST", "/browsers", withFields(alice.hiddenFields("/browsers"), "do", "add", "label", "x", "subscription", "https://a")); status != 403 {
		t.Errorf("bob sent alice's form: %d", status)
	}
	if status, _, _ := alice.doRequest("POST", "/browsers", withFields(alice.hiddenFields("/browsers"), "do", "add", "label", " ", "subscription", "https://a")); status != 400 {
		t.Errorf("no name: %d", status)
	}
	if status, text := alice.addBrowser("https://a"); status != 303 {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := bob.addBrowser("https://a"); status != 409 || !strings.Contains(text, "gets messages already") {
		t.Errorf("the same browser again: %d", status)
	}
	for i := range 11 {
		if status, _ := alice.addBrowser(fmt.Sprintf("https://b%d", i)); (status == 303) != (i < 9) {
			t.Errorf("browser %d of alice: %d", i+2, status)
		}
	}
	own, err := s.store.Pushes(t.Context(), "t", "alice")
	if err != nil || len(own) != 10 {
		t.Fatal(len(own), err)
	}
	remove := func(b *browser, id, token string) int {
		status, _, _ := b.doRequest("POST", "/browsers", url.Values{"do": {"remove"}, "id": {id}, "token": {token}})
		return status
	}
	_, page, _ = alice.doRequest("GET", "/browsers", nil)
	_, token, _ := strings.Cut(page, own[0].ID+`"><input type="hidden" name="token" value="`)
	token, _, _ = strings.Cut(token, `"`)
	if status := remove(bob, own[0].ID, token); status != 403 {
		t.Errorf("bob removes alice's: %d", status)
	}
	if status := remove(alice, own[0].ID, token); status != 303 {
		t.Errorf("alice removes her own: %d", status)
	}
	id, _ := s.proposeHeld("cancel_order", `{}`)
	if err := s.gate.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if to := pushes.takePosts(id); len(to) != 9 || slices.Contains(to, own[0].Endpoint) {
		t.Errorf("told %v", to)
	}
	left := 0
	raw := openRaw(t, s.file)
	if err := raw.QueryRow(`SELECT count(*) FROM pushes WHERE removed = 1 AND (endpoint <> '' OR keys <> '')`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d ended subscriptions have an address (%v)", left, err)
	}
	for _, q := range []string{`DELETE FROM pushes`, `UPDATE pushes SET removed = 0, entry = 'x'`, `UPDATE pushes SET name = 'bob', entry = 'x'`, `UPDATE pushes SET endpoint = 'https://z', entry = 'x'`} {
		if _, err := raw.Exec(q); err == nil {
			t.Errorf("the database takes %s", q)
		}
	}
	without := newTestService(t, "")
	if status, _, _ := without.signIn(aliceKey).doRequest("GET", "/browsers", nil); status != 404 {
		t.Errorf("a gate without messages: %d", status)
	}
}

// TestPushWaits checks that a browser whose push service fails is told again, later, that it
// does not delay another browser, and that one that is gone is told nothing again.
func TestPushWaits(t *testing.T) {
	s, pushes := newBrowserService(t)
	alice := s.signIn(aliceKey)
	for _, at := range []string{"https://busy", "https://good", "https://gone"} {
		if status, text := alice.addBrowser(at); status != 303 {
			t.Fatal(status, text)
		}
	}
	pushes.fails["https://busy"] = &notify.Later{Err: errors.New("429"), After: 2 * time.Minute}
	pushes.gone["https://gone"] = true
	id, _ := s.proposeHeld("cancel_order", `{}`)
	if err := s.gate.Deliver(t.Context()); err == nil || !strings.Contains(err.Error(), "429") {
		t.Error("the failure is not reported:", err)
	}
	if to := pushes.takePosts(id); !slices.Equal(to, []string{"https://good"}) {
		t.Errorf("told %v", to)
	}
	delete(pushes.fails, "https://busy")
	delete(pushes.gone, "https://gone")
	for _, c := range []struct {
		after int64
		want  []string
	}{{119_000, nil}, {2_000, []string{"https://busy"}}, {60_000, nil}} {
		s.now.Add(c.after)
		if err := s.gate.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if to := pushes.takePosts(id); !slices.Equal(to, c.want) {
			t.Errorf("told %v, want %v", to, c.want)
		}
	}
	assertNoError(t, s.store.Seal(t.Context()))
	if text := s.callAPI("GET", "/v1/audit", aliceKey, "").text; strings.Count(text, `"event":"push"`) != 4 || !strings.Contains(text, "ended because the service answered 410") || strings.Contains(text, "https://g") {
		t.Errorf("audit: %s", text)
	}
}

// TestMessagesEnd draws approvers who add browsers and lose their keys, and calls. The judge
// keeps its own list: each call is told to exactly the browsers of approvers who may decide
// it, whose key has worked all the time since.
func TestMessagesEnd(t *testing.T) {
	for seed := range uint64(6) {
		draw := rand.New(rand.NewPCG(seed, 8030))
		s, pushes := newBrowserService(t)
		type subscription struct{ at, tenant, name string }
		keyOf := map[string]string{"alice": aliceKey, "bob": bobKey, "carol": carolKey}
		tenantOf := map[string]string{"alice": "t", "bob": "t", "carol": "u"}
		away := map[string]bool{}
		var live []subscription
		for step := range 50 {
			name := []string{"alice", "bob", "carol"}[draw.IntN(3)]
			switch draw.IntN(4) {
			case 0:
				if at := fmt.Sprintf("https://%d", step); !away[name] {
					if status, _ := s.signIn(keyOf[name]).addBrowser(at); status == 303 {
						live = append(live, subscription{at, tenantOf[name], name})
					}
				}
			case 1:
				if name == "alice" && draw.IntN(2) == 0 || name == "carol" {
					break // bot2 is alice's alone, and a tenant needs an approver
				}
				away[name] = !away[name]
				text := keyFile
				for gone := range away {
					if away[gone] {
						text = strings.Replace(text, keyOf[gone], "other-"+keyOf[gone], 1) // the person has another key
					}
				}
				keys, err := gate.ReadKeys(text)
				assertNoError(t, err)
				_, err = s.gate.ReloadKeys(t.Context(), keys)
				assertNoError(t, err)
				if away[name] {
					live = slices.DeleteFunc(live, func(p subscription) bool { return p.name == name })
				}
			}
			agent := []string{agentKey, otherKey, spyKey}[draw.IntN(3)]
			for _, agent := range []string{agent, agentKey} { // each removal is noticed at the next news
				id := s.callAPI("POST", "/v1/proposals", agent, fmt.Sprintf(`{"tool":"cancel_order","arguments":{"n":%d}}`, draw.Uint32())).assertStatus(t, 202).textField("id")
				assertNoError(t, s.gate.Deliver(t.Context()))
				var want []string
				for _, p := range live {
					if p.tenant == map[bool]string{true: "u", false: "t"}[agent == spyKey] && (agent != otherKey || p.name == "alice") {
						want = append(want, p.at)
					}
				}
				slices.Sort(want)
				if to := pushes.takePosts(id); !slices.Equal(to, want) {
					t.Fatalf("seed %d, step %d: told %v, want %v", seed, step, to, want)
				}
			}
			s.now.Add(1000)
		}
	}
}
