//go:build !js

package gate_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// TestSignInNotLockedOut checks that an approver with a valid key can sign in after any
// number of attempts with wrong keys.
func TestSignInNotLockedOut(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Rate, o.Burst = 50, 20 })
	tooMany := 0
	for i := range 100 {
		b := &browser{s: s}
		if status, _, _ := b.doRequest("POST", "/login", url.Values{"key": {fmt.Sprintf("junk-key-of-the-right-length-%d", i)}}); status == 429 {
			tooMany++
		}
	}
	if tooMany < 70 {
		t.Errorf("%d of 100 wrong keys were told to wait", tooMany)
	}
	for range 10 {
		s.signIn(aliceKey)
		s.signIn(bobKey)
	}
	status := 0
	for range 100 { // a right key has a bucket of its own
		b := &browser{s: s}
		status, _, _ = b.doRequest("POST", "/login", url.Values{"key": {aliceKey}})
	}
	if status != 429 {
		t.Errorf("the same approver signed in without end: %d", status)
	}
	s.signIn(bobKey)
}

// TestClientAddress checks that attempts to sign in are counted by the client's address.
// The header with the address must count only if a trusted proxy sends it.
func TestClientAddress(t *testing.T) {
	knock := func(s *service, forwarded string, times int) (status int) {
		for range times {
			b := &browser{s: s}
			header := []string{}
			if forwarded != "" {
				header = []string{"X-Forwarded-For", forwarded}
			}
			status, _, _ = b.doRequest("POST", "/login", url.Values{"key": {"junk-key-of-the-right-length"}}, header...)
		}
		return status
	}
	direct := newTestService(t, "", func(o *gate.Options) { o.Rate = 50 })
	if knock(direct, "198.51.100.1", 30); knock(direct, "198.51.100.2", 1) != 429 {
		t.Error("a header from anybody was believed")
	}
	behind := newTestService(t, "", func(o *gate.Options) {
		o.Rate, o.AddressHeader = 50, "X-Forwarded-For"
		o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	})
	if knock(behind, "198.51.100.1", 30) != 429 {
		t.Error("one address knocked without end")
	}
	for name, x := range map[string]struct {
		forwarded string
		want      int
	}{
		"another address":                {"198.51.100.2", 403},
		"the same behind an inner proxy": {"198.51.100.1, 10.1.2.3", 429},
		"a forged first entry":           {"203.0.113.9, 198.51.100.1", 429},
		"another network of IPv6":        {"2001:db8:1::1", 403},
	} {
		if got := knock(behind, x.forwarded, 1); got != x.want {
			t.Errorf("%s: %d, want %d", name, got, x.want)
		}
	}
	if knock(behind, "2001:db8::1", 30); knock(behind, "2001:db8::2", 1) != 429 {
		t.Error("addresses of one IPv6 network count apart")
	}
}

// TestSignedOut checks that a copy of a cookie is useless after the session has been
// signed out.
func TestSignedOut(t *testing.T) {
	s := newTestService(t, "")
	b, other := s.signIn(aliceKey), s.signIn(aliceKey)
	kept := b.cookie
	if status, _, _ := b.doRequest("GET", "/pending", nil); status != 200 {
		t.Fatalf("signed in: %d", status)
	}
	if status, _, _ := b.doRequest("POST", "/logout", nil); status != 303 {
		t.Fatalf("sign out: %d", status)
	}
	b.cookie = kept
	if status, _, _ := b.doRequest("GET", "/pending", nil); status != 401 {
		t.Errorf("the cookie still works after signing out: %d", status)
	}
	if status, _, _ := other.doRequest("GET", "/pending", nil); status != 200 {
		t.Errorf("another session of the same person has ended too: %d", status)
	}
	s.store.Close()
	if status, _, _ := other.doRequest("GET", "/pending", nil); status != 503 {
		t.Errorf("without the store: %d, want 503", status)
	}
}

// TestQuota checks that one agent cannot take all places for waiting proposals, not even
// with many simultaneous requests.
func TestQuota(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Pending, o.Waiting = 10, 15 })
	var held, full atomic.Int64
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			switch a := s.sendProposal(fmt.Sprintf(`{"tool":"cancel_order","arguments":{"n":%d}}`, i)); a.status {
			case 202:
				held.Add(1)
			case 429:
				full.Add(1)
			default:
				t.Errorf("%d %s", a.status, a.text)
			}
		})
	}
	wait.Wait()
	if held.Load() != 10 || full.Load() != 50 {
		t.Errorf("%d held, %d refused, want 10 and 50", held.Load(), full.Load())
	}
	one := `{"tool":"cancel_order","arguments":{}}`
	s.sendProposal(one).assertStatus(t, 429, "of this agent are waiting")
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 200)
	other := func(body string) answer { return s.callAPI("POST", "/v1/proposals", otherKey, body) }
	for range 5 {
		other(one).assertStatus(t, 202)
	}
	other(one).assertStatus(t, 429, "too many proposals are waiting")
	s.callAPI("POST", "/v1/proposals", spyKey, one).assertStatus(t, 202) // another tenant
}

// TestQuotaForgetsKey checks that a request that was refused because of the quota may
// be sent again with the same Idempotency-Key.
func TestQuotaForgetsKey(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Pending = 1 })
	id, digest := s.proposeHeld("cancel_order", `{}`)
	post := func() answer {
		return s.callAPI("POST", "/v1/proposals", agentKey, `{"tool":"cancel_order","arguments":{"n":1}}`, "Idempotency-Key", "k")
	}
	post().assertStatus(t, 429)
	s.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200)
	post().assertStatus(t, 202)
}

// TestKeyLimits checks that a key's line in the key file can set its own limits.
func TestKeyLimits(t *testing.T) {
	limited := "limited-agent-0123456789abcdef"
	keys, err := gate.ReadKeys(keyFile + "t agent slow " + limited + " alice rate=0.1 pending=3\n")
	if err != nil || keys[len(keys)-1].For != "alice" {
		t.Fatal(err)
	}
	s := newTestService(t, "", func(o *gate.Options) { o.Keys, o.Rate = keys, 1000 })
	for range 2 {
		s.callAPI("GET", "/v1/proposals", limited, "").assertStatus(t, 200)
	}
	s.callAPI("GET", "/v1/proposals", limited, "").assertStatus(t, 429)
	s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 200)
	s.now.Add(time.Minute.Milliseconds())
	s.callAPI("POST", "/v1/proposals", limited, `[{"tool":"cancel_a","arguments":{}},{"tool":"cancel_b","arguments":{}}]`).assertStatus(t, 202)
	s.callAPI("POST", "/v1/proposals", limited, `[{"tool":"cancel_a","arguments":{}},{"tool":"cancel_b","arguments":{}}]`).assertStatus(t, 429)
	for _, line := range []string{"rate=0", "rate=x", "pending=0", "pending=x", "burst=3"} {
		if _, err := gate.ReadKeys("t agent a " + agentKey + " " + line); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
	if _, err := gate.ReadKeys("t approver a " + agentKey + " pending=3"); err == nil {
		t.Error("an approver has a quota of proposals")
	}
}

// TestBatchStrict checks that a batch with a wrong member beside "calls" is refused. A
// member is wrong if it appears twice, is unknown, or belongs to a single call.
func TestBatchStrict(t *testing.T) {
	s := newTestService(t, "")
	for body, part := range map[string]string{
		`{"calls":[{"tool":"get_x","arguments":{}}],"tool":"delete_x","arguments":{}}`:                                    `unknown member "tool"`,
		`{"calls":[{"tool":"get_x","arguments":{}}],"arguments":{}}`:                                                      `unknown member "arguments"`,
		`{"calls":[{"tool":"get_x","arguments":{}}],"calls":[{"tool":"delete_x","arguments":{}}]}`:                        `"calls" appears twice`,
		`{"calls":[{"tool":"get_x","arguments":{}}],"\u0063alls":[{"tool":"delete_x","arguments":{}}]}`:                   `"calls" appears twice`,
		`{"session":"a","calls":[{"tool":"get_x","arguments":{}}],"session":"b"}`:                                         `"session" appears twice`,
		`{"calls":[{"tool":"get_x","arguments":{}}],"function":{"name":"delete_x"}}`:                                      `unknown member "function"`,
		`{"calls":[{"tool":"get_x","arguments":{}}],"Calls":[{"tool":"delete_x","arguments":{}}],"session":"everything"}`: `unknown member "Calls"`,
	} {
		quoted := strconv.Quote(part) // as it appears in the error's JSON
		s.sendProposal(body).assertStatus(t, 400, quoted[1:len(quoted)-1])
	}
	s.sendProposal(`{"calls":[{"tool":"get_x","arguments":{}}],"session":"s","tools":[],"policy":"p"}`).assertStatus(t, 200)
}

// TestBelievedSchemasOfKey checks that the gate trusts the lists of values in an agent's
// tool definitions if and only if the agent's line in the key file has schemas=believed.
// In an approver's line this word must be an error.
func TestBelievedSchemasOfKey(t *testing.T) {
	trusted := "trusted-agent-0123456789abcdef"
	keys, err := gate.ReadKeys(keyFile + "t agent lister " + trusted + " schemas=believed\n")
	if err != nil {
		t.Fatal(err)
	}
	s := newTestService(t, "", func(o *gate.Options) { o.Keys = keys })
	body := `{"tool":"frobnicate","arguments":{"operation":"list"},"tools":[{"name":"frobnicate","parameters":{"properties":{"operation":{"enum":["list","delete"]}}}}]}`
	s.callAPI("POST", "/v1/proposals", trusted, body).assertStatus(t, 200, "tool list of the agent's program")
	s.callAPI("POST", "/v1/proposals", agentKey, body).assertStatus(t, 202)
	s.callAPI("POST", "/v1/proposals", trusted, strings.Replace(body, `"operation":"list"}`, `"operation":"delete"}`, 1)).assertStatus(t, 202)
	for _, line := range []string{"t agent x " + trusted + " schemas=yes", "t approver x " + trusted + " schemas=believed"} {
		if _, err := gate.ReadKeys(line + "\n"); err == nil || !strings.Contains(err.Error(), "schemas=believed") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestHostOfKey checks that the rows of a host's table count for an agent whose line in
// the key file names the host, and that only a known host may be named.
func TestHostOfKey(t *testing.T) {
	coding := "coding-agent-0123456789abcdef"
	keys, err := gate.ReadKeys(keyFile + "t agent coder " + coding + " host=claude-code\n")
	if err != nil {
		t.Fatal(err)
	}
	s := newTestService(t, "", func(o *gate.Options) { o.Keys = keys })
	const body = `{"tool":"TaskUpdate","arguments":{"taskId":"7","status":"completed"}}`
	s.callAPI("POST", "/v1/proposals", coding, body).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals", agentKey, body).assertStatus(t, 202)
	for _, line := range []string{"t agent x " + coding + " host=claude", "t approver x " + coding + " host=claude-code"} {
		if _, err := gate.ReadKeys(line + "\n"); err == nil || !strings.Contains(err.Error(), "invalid value") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
