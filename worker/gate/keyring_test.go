//go:build !js

package gate_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// soon is the time within which everything of a removed key must end.
const soon = time.Second

// keysWithout returns the keys of keyFile without the line that has the given key.
func keysWithout(t *testing.T, removed string) []gate.Key {
	t.Helper()
	keys, err := gate.ReadKeys(strings.Join(slices.DeleteFunc(strings.Split(keyFile, "\n"), func(line string) bool { return strings.Contains(line, removed) }), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// ended checks that a request ends soon, and returns its answer.
func ended(t *testing.T, what string, got <-chan answer) answer {
	t.Helper()
	select {
	case a := <-got:
		return a
	case <-time.After(soon):
		t.Fatalf("%s did not end within %v", what, soon)
		return answer{}
	}
}

// TestRemovedAgent checks that an agent's long poll, hook and later requests end within a
// second after the agent's key was removed. Those of another agent must go on.
func TestRemovedAgent(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Poll = time.Minute })
	id, digest := s.proposeHeld("cancel_order", `{}`)
	otherID := s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 202).textField("id")
	wait := func(path, key, body string) <-chan answer {
		got, method := make(chan answer, 1), "GET"
		if body != "" {
			method = "POST"
		}
		go func() { got <- s.callAPI(method, path, key, body) }()
		return got
	}
	poll := wait("/v1/proposals/"+id+"?wait=50", agentKey, "")
	hook := wait("/v1/hooks/claude-code?wait=50", agentKey, `{"hook_event_name":"PreToolUse","tool_name":"cancel_other","tool_input":{},"session_id":"s"}`)
	stays := wait("/v1/proposals/"+otherID+"?wait=50", otherKey, "")
	time.Sleep(100 * time.Millisecond)
	changes, err := s.gate.ReloadKeys(t.Context(), keysWithout(t, agentKey))
	if err != nil || !strings.HasPrefix(changes["t"], "removed agent bot (sha256:") || len(changes) != 1 {
		t.Fatalf("%v %v", changes, err)
	}
	ended(t, "the long poll", poll).assertStatus(t, 401, "was removed")
	ended(t, "the hook", hook).assertStatus(t, 200, `"permissionDecision":"deny"`, "was removed")
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 401)
	s.sendProposal(`{"tool":"get_x","arguments":{}}`).assertStatus(t, 401)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 401)
	select {
	case a := <-stays:
		t.Errorf("another agent's request has ended: %s", a.text)
	default:
	}
	s.callAPI("POST", "/v1/proposals/"+otherID+"/cancel", otherKey, "").assertStatus(t, 200)
	(<-stays).assertStatus(t, 200, `"cancelled"`)
	s.callAPI("GET", "/v1/audit/head", aliceKey, "").assertStatus(t, 200) // it seals the last rows
	audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text
	if !strings.Contains(audit, `"event":"keys"`) || !strings.Contains(audit, "removed agent bot (sha256:") || strings.Contains(audit, agentKey) {
		t.Errorf("the audit: %s", audit)
	}
}

// TestRemovedApprover checks that an approver's stream of events and page session end
// within a second after the approver's key was removed. Those of another approver, and a
// session with the approver's second key, must go on.
func TestRemovedApprover(t *testing.T) {
	const second = "bob-second-key-0123456789abcdef"
	s := newTestService(t, "", func(o *gate.Options) { o.Poll = time.Minute })
	both := keyFile + "t approver bob " + second + "\n"
	keys, err := gate.ReadKeys(both)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	bob, again, alice := s.signIn(bobKey), s.signIn(second), s.signIn(aliceKey)
	link, err := s.gate.SignInLink(keys[3].Principal, start+60_000)
	if err != nil {
		t.Fatal(err)
	}
	gone, stays := s.openStream(bobKey), s.openStream(aliceKey)
	if keys, err = gate.ReadKeys(strings.Replace(both, bobKey, "carol-two-key-0123456789abcdef", 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
	case <-time.After(soon):
		t.Error("the stream of events goes on")
	}
	for name, b := range map[string]*browser{"bob": bob, "bob with the second key": again, "alice": alice} {
		want := 200
		if name == "bob" {
			want = 401
		}
		if status, text, _ := b.doRequest("GET", "/pending", nil); status != want {
			t.Errorf("the session of %s: %d, want %d: %.200s", name, status, want, text)
		}
	}
	if status, _, _ := (&browser{s: s}).doRequest("GET", strings.TrimPrefix(link, s.url), nil); status != 403 {
		t.Errorf("a sign-in link of the removed key: %d", status)
	}
	select {
	case <-stays:
		t.Error("another approver's stream has ended")
	default:
	}
	s.gate.Drain()
}

// TestReloadKeysStoreDown checks that a removed key stops working although the audit
// cannot be written, and that an added key does not work before the audit says so.
func TestReloadKeysStoreDown(t *testing.T) {
	const fresh = "fresh-key-0123456789abcdef0"
	s := newTestService(t, "")
	db := openRaw(t, s.file)
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END`); err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadKeys(strings.Replace(keyFile, agentKey, fresh, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err == nil {
		t.Fatal("no error")
	}
	s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/proposals", fresh, "").assertStatus(t, 401)
	s.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200)
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	changes, err := s.gate.ReloadKeys(t.Context(), keys)
	if err != nil || !strings.Contains(changes["t"], "removed agent bot") || !strings.Contains(changes["t"], "added agent bot") {
		t.Errorf("%v %v", changes, err)
	}
	s.callAPI("GET", "/v1/proposals", fresh, "").assertStatus(t, 200)
	for _, wrong := range [][]gate.Key{nil, append(slices.Clone(keys), keys[0])} {
		if _, err := s.gate.ReloadKeys(t.Context(), wrong); err == nil {
			t.Error("wrong keys are in force")
		}
	}
	s.callAPI("GET", "/v1/proposals", fresh, "").assertStatus(t, 200)
}

// TestReloadKeysRandom replaces the keys by random sets. After each change exactly the
// keys of the set must work, also with other names, roles and limits. Only requests whose
// key and principal both stayed may still wait.
func TestReloadKeysRandom(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Poll = time.Minute; o.Rate = -1 })
	r := rand.New(rand.NewPCG(4, 2))
	texts := make([]string, 12)
	for i := range texts {
		texts[i] = fmt.Sprintf("key-number-%02d-0123456789abcdef", i)
	}
	set := func() (lines map[string]string) {
		lines = map[string]string{"always-approver-0123456789abcdef": "t approver head "}
		for _, text := range texts {
			if r.IntN(3) > 0 {
				lines[text] = fmt.Sprintf("t %s name%d ", []string{"agent", "approver"}[r.IntN(2)], r.IntN(3))
			}
		}
		return lines
	}
	type waiting struct {
		line string
		end  chan struct{}
	}
	open := map[string]waiting{}
	kept, cut := 0, 0
	for range drawn.Cases(25) {
		lines, file := set(), ""
		for text, line := range lines {
			file += line + text
			if r.IntN(4) == 0 {
				file += " rate=1000"
			}
			file += "\n"
		}
		keys, err := gate.ReadKeys(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		for text, w := range open {
			if lines[text] == w.line {
				select {
				case <-w.end:
					t.Fatalf("the stream of %s%s has ended", w.line, text)
				default:
					kept++
				}
				continue
			}
			select {
			case <-w.end:
				cut++
			case <-time.After(soon):
				t.Fatalf("the stream of %s%s goes on", w.line, text)
			}
			delete(open, text)
		}
		for _, text := range texts {
			want, line := 401, lines[text]
			if line != "" {
				want = 200
			}
			if a := s.callAPI("GET", "/v1/proposals", text, ""); a.status != want {
				t.Fatalf("%q%s: %d, want %d", line, text, a.status, want)
			}
			if _, running := open[text]; !running && strings.Contains(line, "approver") {
				open[text] = waiting{line, s.openStream(text)}
			}
		}
	}
	if kept < 10 || cut < 10 {
		t.Errorf("%d streams went on and %d ended", kept, cut)
	}
	s.gate.Drain()
}

// openStream opens a stream of events. The channel is closed at the end of the stream.
func (s *service) openStream(key string) chan struct{} {
	s.t.Helper()
	r, _ := http.NewRequest("GET", s.url+"/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || w.StatusCode != 200 {
		s.t.Fatal(err, w)
	}
	end := make(chan struct{})
	go func() { io.Copy(io.Discard, w.Body); w.Body.Close(); close(end) }()
	return end
}

// TestOnlyTheRingKnows checks that no code of the gate looks at the keys of the start,
// which may have been removed.
func TestOnlyTheRingKnows(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(text), "g.Keys") {
			t.Errorf("%s uses the keys of the start", file)
		}
	}
}
