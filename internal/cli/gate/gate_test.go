package gate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// gateRun is a gate in this process or in a child process.
type gateRun struct {
	t     *testing.T
	ready ready
	stop  func()
	said  string // text on standard error before it was ready
}

// startGate runs a gate in this process until the test ends.
func startGate(t *testing.T, args ...string) *gateRun {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- gateUntil(ctx, args, in, &errs)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("not ready: %v %s", err, errs.String())
	}
	g := &gateRun{t: t, stop: cancel, said: errs.String()}
	if err := json.Unmarshal([]byte(line), &g.ready); err != nil {
		t.Fatal(line)
	}
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != cmd.ExitOK || strings.Contains(errs.String(), `"level":"WARN"`) || strings.Contains(errs.String(), `"level":"ERROR"`) {
			t.Errorf("ended with %d: %s", code, errs.String())
		}
	})
	return g
}

func (g *gateRun) sendRequest(method, path, key, body string) (int, map[string]any) {
	g.t.Helper()
	r, _ := http.NewRequest(method, g.ready.URL+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer w.Body.Close()
	var out map[string]any
	json.NewDecoder(w.Body).Decode(&out)
	return w.StatusCode, out
}

func (g *gateRun) wantStatus(status int, method, path, key, body string) map[string]any {
	g.t.Helper()
	got, out := g.sendRequest(method, path, key, body)
	if got != status {
		g.t.Fatalf("%s %s: %d, want %d: %v", method, path, got, status, out)
	}
	return out
}

func TestGateDev(t *testing.T) {
	g := startGate(t, "--dev")
	if !strings.HasPrefix(g.ready.URL, "http://127.0.0.1:") || len(g.ready.AgentKey) < 40 || len(g.ready.ApproverKey) < 40 || g.ready.AgentKey == g.ready.ApproverKey {
		t.Fatalf("%+v", g.ready)
	}
	p := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{"id":1}}`)
	id := p["id"].(string)
	g.wantStatus(200, "POST", "/v1/proposals/"+id+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
	c := g.wantStatus(200, "POST", "/v1/proposals/"+id+"/claim", g.ready.AgentKey, ``)
	g.wantStatus(200, "POST", "/v1/proposals/"+id+"/outcome", g.ready.AgentKey, `{"grant":"`+c["grant"].(string)+`","status":"executed"}`)
}

// TestGateSignInLink checks that --dev prints a link and its QR code. The link must open
// a page with a button, and only the button must sign a person in. The button must work
// only once.
func TestGateSignInLink(t *testing.T) {
	before := readByPeople
	defer func() { readByPeople = before }()
	readByPeople = func(io.Writer) bool { return true }
	g := startGate(t, "--dev")
	if !strings.HasPrefix(g.ready.SignIn, g.ready.URL+"/once/") || !strings.Contains(g.said, g.ready.SignIn) || !strings.Contains(g.said, "▀") || strings.Contains(g.said, "everybody") {
		t.Fatalf("%+v: %s", g.ready, g.said)
	}
	for range 3 {
		if status, text, cookie := browsePage(t, "GET", g.ready.SignIn, g.ready.URL); status != 200 || cookie != "" || !strings.Contains(text, "Sign in as approver") {
			t.Errorf("%d %q %s", status, cookie, text)
		}
	}
	if status, _, cookie := browsePage(t, "POST", g.ready.SignIn, "http://elsewhere.example"); status != 403 || cookie != "" {
		t.Errorf("from elsewhere: %d %q", status, cookie)
	}
	if status, _, cookie := browsePage(t, "POST", g.ready.SignIn[:len(g.ready.SignIn)-1]+"x", g.ready.URL); status != 403 || cookie != "" {
		t.Errorf("bent: %d %q", status, cookie)
	}
	if status, _, cookie := browsePage(t, "POST", g.ready.SignIn, g.ready.URL); status != 303 || cookie == "" {
		t.Errorf("%d %q", status, cookie)
	}
	if status, text, cookie := browsePage(t, "POST", g.ready.SignIn, g.ready.URL); status != 403 || cookie != "" || !strings.Contains(text, "was already used") {
		t.Errorf("twice: %d %q %s", status, cookie, text)
	}
}

// TestGateLAN checks that with --lan other machines in the network can open the gate's
// pages but not its API. Requests whose Host header names a foreign machine are refused.
func TestGateLAN(t *testing.T) {
	addresses := localAddresses
	defer func() { localAddresses = addresses }()
	localAddresses = func() ([]net.Addr, error) { // the addresses of a machine in a home network
		return []net.Addr{&net.IPNet{IP: net.IPv4(127, 0, 0, 1)}, &net.IPNet{IP: net.IPv4(192, 0, 2, 7)}}, nil
	}
	if l, err := listenLAN(); err == nil {
		t.Errorf("listens on %s", l.Addr())
	}
	private = func(ip net.IP) bool { return ip.String() == "127.0.0.2" }
	defer func() { private = net.IP.IsPrivate }()
	localAddresses = func() ([]net.Addr, error) { return []net.Addr{&net.IPNet{IP: net.IPv4(127, 0, 0, 2)}}, nil }
	g := startGate(t, "--dev", "--lan")
	if !strings.HasPrefix(g.ready.SignIn, g.ready.Pages+"/once/") || !strings.HasPrefix(g.ready.URL, "http://127.0.0.1:") || !strings.HasPrefix(g.ready.ApproverKey, "bck_lan_") ||
		!strings.Contains(g.said, "everybody in this network can open the approver's pages") || !strings.Contains(g.said, g.ready.Pages) {
		t.Fatalf("%+v: %s", g.ready, g.said)
	}
	p := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{"id":1}}`)
	if url := p["url"].(string); !strings.HasPrefix(url, g.ready.Pages+"/p/") {
		t.Errorf("the question is at %s", url)
	}
	for _, path := range []string{"/v1/proposals", "/openapi.json", "/healthz", "/metrics", "/v1/chat/completions"} {
		if status, _, _ := browsePage(t, "GET", g.ready.Pages+path, ""); status != 404 {
			t.Errorf("%s in the network: %d", path, status)
		}
	}
	if status, _, cookie := browsePage(t, "POST", g.ready.SignIn, g.ready.Pages); status != 303 || cookie == "" {
		t.Errorf("%d %q", status, cookie)
	}
	for _, where := range []string{g.ready.URL, g.ready.Pages} {
		r, _ := http.NewRequest("GET", where+"/pending", nil)
		r.Host = "evil.example"
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if w.StatusCode != 404 && w.StatusCode != 421 {
			t.Errorf("%s answers for evil.example: %d", where, w.StatusCode)
		}
	}
}

// browsePage requests a page as a browser does, or posts its form.
func browsePage(t *testing.T, method, url, origin string) (status int, text, cookie string) {
	t.Helper()
	r, _ := http.NewRequest(method, url, nil)
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", origin)
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	body, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(body), w.Header.Get("Set-Cookie")
}

func TestGateFlags(t *testing.T) {
	t.Setenv("BOUNDCHECK_AGENT_KEY", "")
	dir := t.TempDir()
	check := func(code int, part string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Gate(args, nil, &out, &errs); got != code || !strings.Contains(out.String()+errs.String(), part) {
			t.Errorf("%q: %d %s%s", args, got, out.String(), errs.String())
		}
	}
	check(cmd.ExitOK, "usage: boundcheck gate", "--help")
	check(cmd.ExitOK, "bck_", "key")
	check(cmd.ExitUsage, "missing --db")
	check(cmd.ExitUsage, "unexpected argument", "--dev", "x")
	check(cmd.ExitUsage, "want a network such as", "--dev", "--trusted-proxy", "nowhere")
	check(cmd.ExitUsage, "needs --trusted-proxy", "--dev", "--client-header", "X-Real-IP")
	check(cmd.ExitUsage, "want a number of 1 or more", "--dev", "--waits", "-1")
	check(cmd.ExitUsage, "want a number of 1 or more", "--dev", "--agent-pending", "0")
	check(cmd.ExitUsage, "want a number of 1 or more", "--dev", "--tenant-pending", "many")
	check(cmd.ExitUsage, "--keys cannot be used with --dev", "--dev", "--keys", "x")
	check(cmd.ExitUsage, "--lan works only with --dev", "--lan", "--db", "x")
	check(cmd.ExitUsage, "--lan works only with --dev", "--dev", "--lan", "--url", "https://x.example")
	check(cmd.ExitUsage, "must be a loopback address", "--dev", "--addr", "0.0.0.0:0")
	check(cmd.ExitInput, "missing keys", "--db", filepath.Join(dir, "a.db"))
	check(cmd.ExitInput, "no such file", "--dev", "--policy", "nowhere.yaml")
	check(cmd.ExitInput, "cannot use the keys", "--db", filepath.Join(dir, "a.db"), "--keys", "nowhere")
	check(cmd.ExitInput, "invalid webhook", "--dev", "--webhook", "dev=http://elsewhere.example")
	check(cmd.ExitInput, "invalid url", "--dev", "--url", "http://elsewhere.example")
	broken := filepath.Join(dir, "broken.db")
	os.WriteFile(broken, []byte("this is no database, whatever it is named"), 0o600)
	check(cmd.ExitInput, "cannot use", "--dev", "--db", broken)
}

func TestGateCheckPolicy(t *testing.T) {
	dir := t.TempDir()
	check := func(name, text string, code int, part string) {
		t.Helper()
		file := filepath.Join(dir, name)
		os.WriteFile(file, []byte(text), 0o600)
		var out, errs bytes.Buffer
		if got := Gate([]string{"check", file}, nil, &out, &errs); got != code || !strings.Contains(out.String()+errs.String(), part) {
			t.Errorf("%s: %d %s%s, want %q", text, got, out.String(), errs.String(), part)
		}
	}
	check("a.yaml", "mode: strict\n# why\ntools:\n  get_x: no\n  'post': \"yes\"\n  wipe: {deny: never}\nfourEyes: [pay]\nallow:\n  - name: small\n    tool: refund\n    until: 2030-01-01T00:00:00Z\n    when:\n      amount: {max: 50}\n", cmd.ExitOK, "valid, mode strict, 4 tools, 1 allow rules")
	check("a.json", `{"allow":[{"name":"old","tool":"x","until":"2001-01-01T00:00:00Z","destructive":true,"when":{}}]}`, cmd.ExitOK, "expired at 2001-01-01")
	check("b.yaml", "mode: strict\n\ntools:\n  a: no\n  b:\n    deni: x\n", cmd.ExitInput, "line 6: unknown member \"deni\" of tool b; did you mean \"deny\". The known members are deny, expiry, mutating")
	check("b.json", "{\n\"mode\": 7}", cmd.ExitInput, "line 2: invalid mode: want strict or faithful")
	check("c.yaml", "tools:\n  a: no\n  a: yes\n", cmd.ExitInput, "line 3: ")
	check("d.yaml", "expiry: &x 5m\n", cmd.ExitInput, "line 1: anchors")
	check("e.yaml", "tools:\n  a: *x\n", cmd.ExitInput, "unknown anchor")
	check("f.yaml", "allow:\n  - {name: a, tool: b, until: 2030-01-01, when: {x: {max: 0x10}}}\n", cmd.ExitInput, "line 2: cannot read the value 0x10")
	check("g.yaml", "mode: strict\n---\nmode: strict\n", cmd.ExitInput, "second YAML document")
	check("h.yaml", "", cmd.ExitInput, "empty")
	check("i.yaml", "mode: [\n", cmd.ExitInput, "line ")
	check("j.yaml", "mode: !!binary aGk=\n", cmd.ExitInput, "unknown tag")
	check("k.yaml", "guidance: |\n  line one\n  line two\nexpiry: 5\n", cmd.ExitInput, "line 4: invalid expiry")
	check("l.toml", "", cmd.ExitInput, "unknown extension of policy file")
	check("m.yaml", "mode: strikt\nrules:\n  - {name: a, tool: x, effect: denny}\n", cmd.ExitInput, "m.yaml: line 1: ")
	check("m.yaml", "mode: strikt\nrules:\n  - {name: a, tool: x, effect: denny}\n", cmd.ExitInput, "m.yaml: line 3: invalid effect: want deny or hold or allow, saw \"denny\"; did you mean \"deny\"")
	check("n.yaml", "rules:\n  - {name: f, effect: deny}\n", cmd.ExitOK, "note: the rule \"f\" (line 2) has neither a tool nor a condition, so it denies every call")
	check("n.yaml", "rules:\n  - {name: f, tool: \"*\", effect: hold, mode: log}\n", cmd.ExitOK, "so it logs every call")
	check("n.yaml", "rules:\n  - {name: s, tool: pay, atMost: {sum: amount, max: 5, currency: eur, per: 1d}, effect: deny}\n", cmd.ExitOK, "note: the rule \"s\" (line 2) counts only calls whose currency is \"eur\" letter by letter")
	plain := filepath.Join(dir, "n.yaml")
	os.WriteFile(plain, []byte("rules:\n  - {name: f, changes: true, effect: hold, people: 2}\n  - {name: s, tool: pay, atMost: {sum: amount, max: 5, currency: EUR, per: 1d}, effect: deny}\n  - {name: n, atMost: {n: 9, per: 1h}, effect: deny}\n"), 0o600)
	var out bytes.Buffer
	if Gate([]string{"check", plain}, nil, &out, &out) != cmd.ExitOK || strings.Contains(out.String(), "note:") {
		t.Errorf("a note about a plain policy: %s", &out)
	}
}

// TestGateChild is not a test. It is the gate that TestGateKilled kills.
func TestGateChild(t *testing.T) {
	args := os.Getenv("BOUNDCHECK_TEST_GATE")
	if args == "" {
		return // this is not the child process
	}
	os.Exit(Gate(strings.Split(args, "\n"), nil, os.Stdout, os.Stderr))
}

// childGate starts a gate in a process of its own.
func childGate(t *testing.T, db string, more ...string) (*gateRun, *exec.Cmd) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestGateChild$")
	child.Env = append(os.Environ(), "BOUNDCHECK_TEST_GATE="+strings.Join(append([]string{"--db", db, "--addr", "127.0.0.1:0"}, more...), "\n"),
		"BOUNDCHECK_AGENT_KEY=agent-key-for-the-child-process", "BOUNDCHECK_APPROVER_KEY=approver-key-for-the-child")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	g := &gateRun{t: t}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := json.Unmarshal([]byte(line), &g.ready); err != nil {
		t.Fatalf("not ready: %q", line)
	}
	g.ready.AgentKey, g.ready.ApproverKey = "agent-key-for-the-child-process", "approver-key-for-the-child"
	return g, child
}

// TestGateKilled kills the gate after each transition, and restarts it on the same
// database. It checks these facts:
//
//   - no proposal is lost
//   - no call runs twice
//   - a claim without an outcome is ambiguous
//   - the audit is complete
func TestGateKilled(t *testing.T) {
	db := filepath.Join(t.TempDir(), "gate.db")
	steps := []struct {
		name, after string
		claim       int // status of a claim afterwards
	}{{"proposed", "pending", 409}, {"approved", "approved", 200}, {"claimed", "ambiguous", 409}, {"reported", "executed", 409}}
	for n, x := range steps {
		g, child := childGate(t, db, "--lease", "500ms")
		p := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"cancel_order","arguments":{"step":"`+x.name+`"}}`)
		path := "/v1/proposals/" + p["id"].(string)
		grant := ""
		if n > 0 {
			g.wantStatus(200, "POST", path+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
		}
		if n > 1 {
			grant = g.wantStatus(200, "POST", path+"/claim", g.ready.AgentKey, ``)["grant"].(string)
		}
		if n > 2 {
			g.wantStatus(200, "POST", path+"/outcome", g.ready.AgentKey, `{"grant":"`+grant+`","status":"executed"}`)
		}
		child.Process.Kill() // kill -9
		child.Wait()
		g, child = childGate(t, db, "--lease", "500ms")
		if s := g.wantStatus(200, "GET", path, g.ready.AgentKey, "")["state"]; s != x.after {
			t.Errorf("killed when %s: %v, want %s", x.name, s, x.after)
		}
		g.wantStatus(x.claim, "POST", path+"/claim", g.ready.AgentKey, ``)
		if x.after == "ambiguous" {
			g.wantStatus(409, "POST", path+"/outcome", g.ready.AgentKey, `{"grant":"`+grant+`","status":"executed"}`)
		}
		child.Process.Kill()
		child.Wait()
	}
	g, child := childGate(t, db, "--lease", "500ms") // seals the rows that the last kill left open
	time.Sleep(200 * time.Millisecond)
	child.Process.Signal(os.Interrupt)
	child.Wait()
	_ = g
	code, out := runAudit("verify", db)
	if code != cmd.ExitOK || !strings.Contains(out, "audit chain intact") {
		t.Errorf("%d %s", code, out)
	}
	if _, text := runAudit("export", db); !strings.Contains(text, "late-outcome") {
		t.Error("the late outcome is not in the audit")
	}
}

// TestPolicyDocs checks that the program can read each policy in docs/policies.md, and that
// the calls of the first one are decided as the page says.
func TestPolicyDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")[1:]
	for _, block := range blocks {
		example, _, _ := strings.Cut(block, "```")
		file := filepath.Join(t.TempDir(), "policy.yaml")
		os.WriteFile(file, []byte(example), 0o600)
		if _, err := readPolicyFile(file); err != nil {
			t.Errorf("%v:\n%s", err, example)
		}
	}
	if len(blocks) < 5 {
		t.Fatalf("only %d policies", len(blocks))
	}
	_, rest, _ := strings.Cut(string(text), "```json\n")
	calls, _, _ := strings.Cut(rest, "```")
	first, _, _ := strings.Cut(blocks[0], "```")
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "p.yaml"), []byte(first), 0o600)
	os.WriteFile(filepath.Join(dir, "c.jsonl"), []byte(calls), 0o600)
	runGateTest(t, cmd.ExitOK, []string{filepath.Join(dir, "p.yaml"), filepath.Join(dir, "c.jsonl")}, "4 calls, 4 compared, 0 decided otherwise")
}

// TestGateDocs checks that the program can read the policy in docs/gate-policy.md and the
// hooks in docs/gate-agents.md.
func TestGateDocs(t *testing.T) {
	policy, err := os.ReadFile("../../../docs/gate-policy.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../docs/gate-agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(policy), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("no policy in docs/gate-policy.md")
	}
	file := filepath.Join(t.TempDir(), "policy.yaml")
	os.WriteFile(file, []byte(example), 0o600)
	if p, err := readPolicyFile(file); err != nil || len(p.Tools) != 5 || len(p.Patterns) != 3 || len(p.Allow) != 1 || len(p.Definitions) != 1 {
		t.Errorf("%v %+v", err, p)
	}
	hooks := 0
	for _, block := range strings.Split(string(text), "```json\n")[1:] {
		block, _, _ := strings.Cut(block, "```")
		var v struct {
			Hooks map[string][]struct {
				Hooks []struct {
					Type, Command, URL, OnFailure string
					Timeout                       int
				}
			}
		}
		if err := json.Unmarshal([]byte(block), &v); err != nil {
			t.Fatalf("%v: %s", err, block)
		}
		h := v.Hooks["PreToolUse"][0].Hooks[0]
		hooks++
		if h.Type == "http" { // it must answer before the host's time limit, and block if it cannot
			u, err := url.Parse(h.URL)
			wait, bad := strconv.Atoi(u.Query().Get("wait"))
			if err != nil || bad != nil || u.Path != "/v1/hooks/claude-code" || wait >= h.Timeout || h.OnFailure != "block" {
				t.Errorf("%+v", h)
			}
			continue
		}
		f, _, err := readHookFlags(strings.Fields(h.Command)[2:])
		if err != nil || f.Deadline >= time.Duration(h.Timeout)*time.Second {
			t.Errorf("%s: %v, deadline %v", h.Command, err, f.Deadline)
		}
	}
	if hooks != 3 {
		t.Errorf("%d hook snippets", hooks)
	}
}
