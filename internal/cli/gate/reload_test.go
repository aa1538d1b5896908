//go:build unix

package gate

import (
	"bufio"
	"context"
	"encoding/json"
	"github.com/boundcheck/boundcheck/internal/pace"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The keys in the key files of the tests.
const (
	childAgent = "agent-key-for-the-child-process"
	childOther = "other-agent-for-the-child-process"
	childAlice = "approver-key-for-the-child"
	childBob   = "second-approver-for-the-child"
	childKeys  = "t agent bot " + childAgent + "\nt agent bot2 " + childOther + "\nt approver alice " + childAlice + "\nt approver bob " + childBob + "\n"
)

// After a hangup, everything of a removed key must have ended within a second, and after a
// change of the file within two.
var hangupLimit, watchLimit = pace.Within(time.Second), pace.Within(2 * time.Second)

// startLoggedChild runs a gate in a process of its own and stores its log.
func startLoggedChild(t *testing.T, args ...string) (*gateRun, *exec.Cmd, *logged) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestGateChild$")
	child.Env = append(os.Environ(), "BOUNDCHECK_TEST_GATE="+strings.Join(append([]string{"--addr", "127.0.0.1:0"}, args...), "\n"),
		"BOUNDCHECK_AGENT_KEY="+childAgent, "BOUNDCHECK_APPROVER_KEY="+childAlice)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	child.Stderr = log
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	g := &gateRun{t: t}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := json.Unmarshal([]byte(line), &g.ready); err != nil {
		t.Fatalf("not ready: %q %s", line, log.b.String())
	}
	if g.ready.AgentKey == "" {
		g.ready.AgentKey, g.ready.ApproverKey = childAgent, childAlice
	}
	return g, child, log
}

// writeTo writes a file, without a moment at which it is half written.
func writeTo(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// TestGateHangup checks that a gate survives hangup signals, whatever files it was
// started with, and also while it starts and while it ends.
func TestGateHangup(t *testing.T) {
	dir := t.TempDir()
	policy, keys := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "keys")
	writeTo(t, policy, "tools:\n  frobnicate: no\n")
	writeTo(t, keys, childKeys)
	for name, c := range map[string]struct {
		args  []string
		lines []string // of the log, after a hangup
	}{
		"no file":         {nil, []string{"nothing to read again"}},
		"a policy":        {[]string{"--policy", policy}, []string{"policy unchanged"}},
		"keys":            {[]string{"--keys", keys}, []string{"keys unchanged"}},
		"both":            {[]string{"--policy", policy, "--keys", keys}, []string{"policy unchanged", "keys unchanged"}},
		"for development": {[]string{"--dev"}, []string{"nothing to read again"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := c.args
			if name != "for development" {
				args = append(args, "--db", filepath.Join(t.TempDir(), "gate.db"))
			}
			g, child, log := startLoggedChild(t, args...)
			for range 3 {
				child.Process.Signal(syscall.SIGHUP)
				time.Sleep(20 * time.Millisecond)
			}
			for _, line := range c.lines {
				log.waitForLine(t, "msg", line)
			}
			g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{}}`)
			child.Process.Signal(syscall.SIGTERM)
			for range 20 {
				child.Process.Signal(syscall.SIGHUP)
				time.Sleep(time.Millisecond)
			}
			if err := child.Wait(); err != nil {
				t.Errorf("the gate ended with %v: %s", err, log.b.String())
			}
		})
	}
}

// sent is the answer to a request that waits.
type sent struct {
	status int
	text   string
	after  time.Duration // since the request was sent
}

// wait sends a request and returns at once.
func (g *gateRun) wait(path, key, cookie string) <-chan sent {
	got, begun := make(chan sent, 1), time.Now()
	go func() {
		r, _ := http.NewRequest("GET", g.ready.URL+path, nil)
		r.Header.Set("Authorization", "Bearer "+key)
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			got <- sent{0, err.Error(), time.Since(begun)}
			return
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		got <- sent{w.StatusCode, string(text), time.Since(begun)}
	}()
	return got
}

// signIn signs in with a key and returns the cookie of the session.
func (g *gateRun) signIn(key string) string {
	g.t.Helper()
	r, _ := http.NewRequest("POST", g.ready.URL+"/login", strings.NewReader("key="+key))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", g.ready.URL)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || len(w.Cookies()) != 1 {
		g.t.Fatal(err, w)
	}
	w.Body.Close()
	return w.Cookies()[0].Name + "=" + w.Cookies()[0].Value
}

// TestGateRemovedKeys checks that everything of a removed key ends within a second after
// a hangup, or after the gate has noticed the changed file: the long poll of an agent, an
// approver's stream of events, and an approver's page session. What belongs to the other
// keys must go on, and added keys must work.
func TestGateRemovedKeys(t *testing.T) {
	for name, limit := range map[string]time.Duration{"by signal": hangupLimit, "by the file alone": watchLimit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			keys, policy, db := filepath.Join(dir, "keys"), filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "gate.db")
			writeTo(t, keys, childKeys)
			writeTo(t, policy, "tools:\n  frobnicate: no\n")
			args := []string{"--keys", keys, "--db", db}
			if limit == hangupLimit {
				args = append(args, "--policy", policy)
			}
			g, child, log := startLoggedChild(t, args...)
			id := g.wantStatus(202, "POST", "/v1/proposals", childAgent, `{"tool":"cancel_order","arguments":{}}`)["id"].(string)
			other := g.wantStatus(202, "POST", "/v1/proposals", childOther, `{"tool":"cancel_order","arguments":{}}`)["id"].(string)
			bob, alice := g.signIn(childBob), g.signIn(childAlice)
			for _, cookie := range []string{bob, alice} {
				if got := <-g.wait("/pending", "", cookie); got.status != 200 {
					t.Fatalf("signed in: %+v", got)
				}
			}
			poll, stream := g.wait("/v1/proposals/"+id+"?wait=50", childAgent, ""), g.wait("/v1/events", childBob, "")
			stays := g.wait("/v1/proposals/"+other+"?wait=50", childOther, "")
			time.Sleep(200 * time.Millisecond)

			const added = "fresh-agent-for-the-child-process"
			writeTo(t, keys, "t agent bot2 "+childOther+" rate=1000\nt approver alice "+childAlice+"\nt agent bot3 "+added+"\n")
			begun := time.Now()
			if limit == hangupLimit {
				child.Process.Signal(syscall.SIGHUP)
			}
			late := time.After(limit)
			for what, got := range map[string]<-chan sent{"the long poll": poll, "the stream": stream} {
				select {
				case a := <-got:
					if what == "the long poll" && (a.status != 401 || !strings.Contains(a.text, "was removed")) {
						t.Errorf("%s: %+v", what, a)
					}
				case <-late:
					t.Fatalf("%s goes on after %v", what, time.Since(begun))
				}
			}
			if a := <-g.wait("/pending", "", bob); a.status != 401 {
				t.Errorf("the page session goes on: %+v", a)
			}
			if a := <-g.wait("/pending", "", alice); a.status != 200 {
				t.Errorf("the session of another approver has ended: %+v", a)
			}
			if d := time.Since(begun); d > 2*limit {
				t.Errorf("it took %v", d)
			}
			for _, key := range []string{childAgent, childBob} {
				g.wantStatus(401, "GET", "/v1/proposals", key, "")
			}
			line := log.waitForLine(t, "msg", "the gate now uses the new keys")
			for _, part := range []string{"removed agent bot (sha256:", "removed approver bob (sha256:", "added agent bot3 (sha256:", "new limits for agent bot2 (sha256:"} {
				if !strings.Contains(line["changes"].(string), part) {
					t.Errorf("no %q in %v", part, line)
				}
			}
			g.wantStatus(200, "GET", "/v1/proposals", added, "")
			g.wantStatus(200, "GET", "/v1/audit/head", childAlice, "") // it seals the last rows
			events, _ := json.Marshal(g.wantStatus(200, "GET", "/v1/audit", childAlice, ""))
			if !strings.Contains(string(events), `"event":"keys"`) || !strings.Contains(string(events), "removed agent bot (sha256:") {
				t.Errorf("the audit: %s", events)
			}
			select {
			case a := <-stays:
				t.Errorf("another agent's request has ended: %+v", a)
			default:
			}
			child.Process.Signal(syscall.SIGTERM)
			<-stays
			child.Wait()
			log.mu.Lock()
			defer log.mu.Unlock()
			for _, secret := range []string{childAgent, childOther, childAlice, childBob, added} {
				if strings.Contains(log.b.String()+string(events), secret) {
					t.Errorf("the log or the audit holds the key %q", secret)
				}
			}
		})
	}
}

// TestGateBrokenKeys checks that a key file with an error changes nothing, that the log
// and the health say so, and that the gate follows the file as soon as it is correct.
func TestGateBrokenKeys(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	writeTo(t, keys, childKeys)
	g, child, log := startLoggedChild(t, "--keys", keys, "--db", filepath.Join(dir, "gate.db"))
	warned := func() bool {
		w, _ := g.wantStatus(200, "GET", "/healthz", "", "")["warnings"].([]any)
		return len(w) == 1 && strings.Contains(w[0].(string), "the key file was refused")
	}
	if warned() {
		t.Error("a warning about correct keys")
	}
	bound := strings.Replace(childKeys, childAgent, childAgent+" bob", 1)
	for text, cause := range map[string]string{
		"t agent bot " + childAgent + "\nt aprover alice " + childAlice + "\n": "unknown role",
		"":           "at least one key",
		"# nobody\n": "at least one key",
		strings.Replace(bound, "t approver bob "+childBob+"\n", "", 1): `approver "bob" of the agent bot does not exist`,
	} {
		writeTo(t, keys, text)
		child.Process.Signal(syscall.SIGHUP)
		log.waitForLine(t, "cause", cause)
		if !warned() {
			t.Errorf("%q: no warning in the health", text)
		}
		g.wantStatus(200, "GET", "/v1/proposals", childAgent, "")
		g.wantStatus(200, "GET", "/v1/proposals", childBob, "")
	}
	os.Remove(keys)
	log.waitForLine(t, "cause", "no such file")
	g.wantStatus(200, "GET", "/v1/proposals", childAgent, "")
	writeTo(t, keys, strings.Replace(childKeys, "t agent bot "+childAgent+"\n", "", 1))
	log.waitForLine(t, "msg", "the gate now uses the new keys")
	g.wantStatus(401, "GET", "/v1/proposals", childAgent, "")
	if warned() {
		t.Error("the warning stays")
	}
}

// TestFileWatch checks when a file is read again: at the first look, after a change, when
// it is asked for, and repeatedly while the file is refused.
func TestFileWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	writeTo(t, file, "1")
	read, fine := 0, true
	w := &fileWatch{file: file, reload: func(context.Context, bool) bool { read++; return fine }}
	look := func(want int, what string, first, asked bool) {
		t.Helper()
		w.look(t.Context(), first, asked)
		if read != want {
			t.Errorf("%s: read %d times, want %d", what, read, want)
		}
	}
	look(1, "at first", true, false)
	look(1, "unchanged", false, false)
	look(2, "asked", false, true)
	writeTo(t, file, "2")
	fine = false
	look(3, "changed", false, false)
	look(3, "refused a moment ago", false, false)
	w.refused = w.refused.Add(-sayEvery)
	look(4, "refused long ago", false, false)
	w.refused, fine = w.refused.Add(-sayEvery), true
	look(5, "refused again", false, false)
	w.refused = time.Time{}
	look(5, "in force", false, false)
	os.Remove(file)
	look(6, "missing", false, false)
	look(6, "still missing", false, false)
}
