//go:build unix

package gate

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// logged collects a log that may be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// readLines returns the log's lines so far.
func (l *logged) readLines(t *testing.T) (out []map[string]any) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, text := range strings.Split(strings.TrimSpace(l.b.String()), "\n") {
		if text == "" {
			continue
		}
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("the log is not JSON lines: %s", text)
		}
		out = append(out, line)
	}
	return out
}

// waitForLine waits for a log line in which the given member contains the given text, and
// returns the line.
func (l *logged) waitForLine(t *testing.T, member, part string) map[string]any {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		for _, line := range l.readLines(t) {
			if text, _ := line[member].(string); strings.Contains(text, part) {
				return line
			}
		}
		if time.Now().After(end) {
			t.Fatalf("no line with %s %q in %s", member, part, l.b.String())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// startLogged runs a gate in this process and stores its log.
func startLogged(t *testing.T, args ...string) (*gateRun, *logged) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	log := &logged{}
	ended := make(chan int, 1)
	go func() { ended <- gateUntil(ctx, args, in, log); in.Close() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("not ready: %v %s", err, log.b.String())
	}
	g := &gateRun{t: t, stop: cancel}
	json.Unmarshal([]byte(line), &g.ready)
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != cmd.ExitOK {
			t.Errorf("ended with %d: %s", code, log.b.String())
		}
	})
	return g, log
}

// claimCall proposes, approves and claims a call, and reports no outcome. It returns the
// path of the proposal and the grant of the claim.
func (g *gateRun) claimCall() (path, grant string) {
	g.t.Helper()
	p := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{}}`)
	path = "/v1/proposals/" + p["id"].(string)
	g.wantStatus(200, "POST", path+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
	return path, g.wantStatus(200, "POST", path+"/claim", g.ready.AgentKey, ``)["grant"].(string)
}

// TestGateSecond checks that a second gate on one database does not start, says why,
// and does not change the claims of the first.
func TestGateSecond(t *testing.T) {
	db := filepath.Join(t.TempDir(), "gate.db")
	first, _ := childGate(t, db)
	path, grant := first.claimCall()
	t.Setenv("BOUNDCHECK_AGENT_KEY", first.ready.AgentKey)
	t.Setenv("BOUNDCHECK_APPROVER_KEY", first.ready.ApproverKey)
	var out, errs bytes.Buffer
	begun := time.Now()
	if code := gateUntil(t.Context(), []string{"--db", db, "--addr", "127.0.0.1:0"}, &out, &errs); code != cmd.ExitInput ||
		!strings.Contains(errs.String(), "is served by another gate (host ") || !strings.Contains(errs.String(), "--take-over") || out.Len() > 0 {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
	if d := time.Since(begun); d > pace.Within(15*time.Second) {
		t.Errorf("it said so after %v", d)
	}
	first.wantStatus(200, "POST", path+"/outcome", first.ready.AgentKey, `{"grant":"`+grant+`","status":"executed"}`)
}

// TestGateHandOver checks that a second gate can continue on the database of a first
// gate. The first gate ends by itself, or the second gate asks for the database. The
// second gate must accept the outcome of a call that was claimed at the first gate.
func TestGateHandOver(t *testing.T) {
	for name, asked := range map[string]bool{"asked": true, "stopped": false} {
		db := filepath.Join(t.TempDir(), "gate.db")
		first, child := childGate(t, db)
		path, grant := first.claimCall()
		waits := first.wantStatus(202, "POST", "/v1/proposals", first.ready.AgentKey, `{"tool":"refund","arguments":{}}`)["id"].(string)
		polled := make(chan int, 1)
		go func() {
			status, _ := first.sendRequest("GET", "/v1/proposals/"+waits+"?wait=50", first.ready.AgentKey, "")
			polled <- status
		}()
		time.Sleep(200 * time.Millisecond)
		more := []string{}
		if asked {
			more = append(more, "--take-over")
		} else if err := child.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		second, _ := childGate(t, db, more...)
		if d := time.Since(begun); d > pace.Within(20*time.Second) {
			t.Errorf("%s: taken over after %v", name, d)
		}
		if err := child.Wait(); err != nil {
			t.Errorf("%s: the first gate ended with %v", name, err)
		}
		if status := <-polled; status != 200 {
			t.Errorf("%s: who waited was answered %d", name, status)
		}
		if s := second.wantStatus(200, "GET", path, second.ready.AgentKey, "")["state"]; s != "claimed" {
			t.Errorf("%s: the claim is %v", name, s)
		}
		second.wantStatus(200, "POST", path+"/outcome", second.ready.AgentKey, `{"grant":"`+grant+`","status":"executed"}`)
	}
}

// TestGateReload checks that the gate uses a changed policy without a restart. An invalid
// policy is refused, with the line of the error in the log.
func TestGateReload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("tools:\n  frobnicate: no\n")
	g, log := startLogged(t, "--dev", "--policy", file)
	propose := func(want int) {
		t.Helper()
		g.wantStatus(want, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"frobnicate","arguments":{}}`)
	}
	propose(200)
	write("tools:\n  frobnicate:\n    deny: not now\n")
	log.waitForLine(t, "msg", "the gate now uses the new policy")
	propose(403)
	write("tools:\n  frobnicate: no\n  other: {deni: x}\n")
	if line := log.waitForLine(t, "msg", "the new policy was refused; the gate still uses the previous policy"); !strings.Contains(line["cause"].(string), "line 3: unknown member") {
		t.Errorf("%v", line)
	}
	propose(403)
	os.Remove(file)
	log.waitForLine(t, "cause", "no such file")
	propose(403)
	write("tools:\n  frobnicate: no\n")
	for end := time.Now().Add(20 * time.Second); ; {
		if status, _ := g.sendRequest("POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"frobnicate","arguments":{}}`); status == 200 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the file's policy is not in force")
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(os.Getpid(), syscall.SIGHUP)
	log.waitForLine(t, "msg", "policy unchanged")
	events := g.wantStatus(200, "GET", "/v1/audit", g.ready.ApproverKey, "")["events"].([]any)
	n := 0
	for _, e := range events {
		if e.(map[string]any)["event"] == "policy" {
			n++
		}
	}
	if n < 1 {
		t.Errorf("%d changes of the policy in the audit: %v", n, events)
	}
}

// TestStrangersAtReload checks that the log names an approver without a key also if a policy or
// a key file that is read later makes one.
func TestStrangersAtReload(t *testing.T) {
	dir := t.TempDir()
	policy, keys := filepath.Join(dir, "policy.json"), filepath.Join(dir, "keys")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const ann, ben = "t approver ann ann-key-0123456789abcdef\n", "t approver ben ben-key-0123456789abcdef\n"
	t.Setenv("BOUNDCHECK_SECRET", strings.Repeat("ab", 32))
	write(keys, "t agent bot bot-key-0123456789abcdef\n"+ann+ben)
	write(policy, `{}`)
	_, log := startLogged(t, "--db", filepath.Join(dir, "gate.db"), "--keys", keys, "--policy", policy)
	write(policy, `{"rules":[{"name":"money","tool":"send_*","effect":"hold","from":["ann","cem"]}]}`)
	log.waitForLine(t, "cause", "cem")
	write(policy, `{"rules":[{"name":"money","tool":"send_*","effect":"hold","from":["ann","ben"]}]}`)
	write(keys, "t agent bot bot-key-0123456789abcdef\n"+ann)
	if line := log.waitForLine(t, "cause", "ben"); line["msg"] != "the policy names somebody who cannot decide" || line["line"] != 1.0 {
		t.Errorf("%v", line)
	}
}

// TestGateLog waits for two time-outs of five seconds, beside other tests. It checks that
// the log contains each request that could not be served, with the cause. With --log
// requests, the log contains all other requests, too. It never contains keys, arguments or
// queries.
func TestGateLog(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED: takes two time-outs of five seconds")
	}
	db := filepath.Join(t.TempDir(), "gate.db")
	g, log := startLogged(t, "--dev", "--db", db, "--log", "requests")
	g.wantStatus(400, "GET", "/v1/freezes?x=hidden-query", g.ready.ApproverKey, "")
	g.wantStatus(200, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"get_order","arguments":{"hidden":"hidden-argument"}}`)
	line := log.waitForLine(t, "path", "/v1/proposals")
	if line["level"] != "INFO" || line["status"] != 200.0 || line["name"] != "agent" || line["tenant"] != "dev" || line["address"] != "127.0.0.1" || line["id"] == "" {
		t.Errorf("%v", line)
	}
	other, err := sql.Open("sqlite", "file:"+db+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	g.wantStatus(503, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{}}`)
	g.wantStatus(503, "GET", "/healthz", "", "")
	tx.Rollback()
	log.waitForLine(t, "level", "ERROR")
	failed := 0
	for _, line := range log.readLines(t) {
		if line["status"] == 503.0 {
			failed++
			if cause, _ := line["cause"].(string); !strings.Contains(cause, "locked") {
				t.Errorf("no cause: %v", line)
			}
		}
	}
	if failed != 2 {
		t.Errorf("%d lines of requests that failed, want 2", failed)
	}
	g.wantStatus(200, "GET", "/healthz", "", "")
	log.mu.Lock()
	defer log.mu.Unlock()
	for _, secret := range []string{g.ready.AgentKey, "hidden-query", "hidden-argument"} {
		if strings.Contains(log.b.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// TestGateHeads checks that signed heads are appended to a file and are valid.
func TestGateHeads(t *testing.T) {
	key, public := drawnKey(t)
	heads, db := filepath.Join(t.TempDir(), "heads.jsonl"), filepath.Join(t.TempDir(), "gate.db")
	child := exec.Command(os.Args[0], "-test.run=^TestGateChild$")
	child.Env = append(os.Environ(), "BOUNDCHECK_AGENT_KEY=agent-key-for-the-child-process", "BOUNDCHECK_APPROVER_KEY=approver-key-for-the-child",
		"BOUNDCHECK_TEST_GATE="+strings.Join([]string{"--db", db, "--addr", "127.0.0.1:0", "--audit-key", key, "--audit-heads", heads}, "\n"))
	out, _ := child.StdoutPipe()
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	g := &gateRun{t: t}
	line, _ := bufio.NewReader(out).ReadString('\n')
	json.Unmarshal([]byte(line), &g.ready)
	g.ready.AgentKey, g.ready.ApproverKey = "agent-key-for-the-child-process", "approver-key-for-the-child"
	g.claimCall()
	if head := g.wantStatus(200, "GET", "/v1/audit/head", g.ready.ApproverKey, ""); head["rows"] != 3.0 || head["key"] != public {
		t.Errorf("%v", head)
	}
	child.Process.Signal(os.Interrupt)
	child.Wait()
	if code, text := runAudit("verify", "--public", public, "--heads", heads, db); code != cmd.ExitOK || !strings.Contains(text, "signed, audit chain intact") {
		t.Errorf("%d %s", code, text)
	}
}

// TestGateSealsAtEnd checks that a gate that ends in order has sealed every row, also
// those of its last requests.
func TestGateSealsAtEnd(t *testing.T) {
	db := filepath.Join(t.TempDir(), "gate.db")
	for range 3 {
		g, child, _ := startLoggedChild(t, "--db", db)
		path, grant := g.claimCall()
		g.wantStatus(200, "POST", path+"/outcome", g.ready.AgentKey, `{"grant":"`+grant+`","status":"executed"}`)
		child.Process.Signal(os.Interrupt)
		if err := child.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if code, text := runAudit("verify", "--strict", db); code != cmd.ExitOK || !strings.Contains(text, ": 12 rows, audit chain intact") {
		t.Errorf("%d %s", code, text)
	}
}

// TestGateNewerDatabase checks that a gate does not serve a database that a newer version
// has written, and that it changes nothing in it, unless the operator insists.
func TestGateNewerDatabase(t *testing.T) {
	db := auditDatabase(t)
	raw, err := sql.Open("sqlite", "file:"+db)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`INSERT INTO migrations (name) VALUES ('migrations/9999_future.sql'); DELETE FROM migrations WHERE name LIKE '%freeze%'`); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BOUNDCHECK_AGENT_KEY", childAgent)
	t.Setenv("BOUNDCHECK_APPROVER_KEY", childAlice)
	var out, errs bytes.Buffer
	code := gateUntil(t.Context(), []string{"--db", db, "--addr", "127.0.0.1:0"}, &out, &errs)
	for _, part := range []string{"newer version", "migrations/9999_future.sql", "--force-downgrade"} {
		if code != cmd.ExitInput || !strings.Contains(errs.String(), part) {
			t.Errorf("%d: no %q in %s", code, part, errs.String())
		}
	}
	n := 0
	if raw.QueryRow(`SELECT count(*) FROM migrations WHERE name LIKE '%freeze%'`).Scan(&n); n != 0 {
		t.Error("the database was changed")
	}
	if _, err := raw.Exec(`INSERT INTO migrations (name) VALUES ('migrations/0008_freeze.sql')`); err != nil {
		t.Fatal(err)
	}
	g, _ := startLogged(t, "--db", db, "--addr", "127.0.0.1:0", "--force-downgrade")
	g.wantStatus(200, "GET", "/v1/proposals", childAgent, "")
}
