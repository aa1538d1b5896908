//go:build unix

package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/pgserver"
)

// tryRequest sends a request to a gate that may be dead. The status is then 0.
func (g *gateRun) tryRequest(method, path, key, body string) (status int, answer map[string]any) {
	r, err := http.NewRequest(method, g.ready.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Error(err)
		return 0, nil
	}
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return 0, nil
	}
	json.Unmarshal(text, &answer)
	return w.StatusCode, answer
}

// TestGatesKilled runs two gates on one PostgreSQL database, and kills one or the other while
// calls are held at one, decided at the other and claimed at both. Takes several seconds,
// because programs start again. It checks these facts:
//
//   - no call is claimed twice
//   - a claim that was answered stays valid, and its outcome can be told to any gate
//   - the other gate goes on
//   - the audit is complete
//
// With BOUNDCHECK_LONG=1, it kills 40 gates.
func TestGatesKilled(t *testing.T) {
	address := pgserver.Shared(t).Address(t)
	t.Setenv("BOUNDCHECK_SECRET", strings.Repeat("5e", 32))
	var mu sync.Mutex
	var gates [2]*gateRun
	var programs [2]*exec.Cmd
	for i := range gates {
		gates[i], programs[i] = childGate(t, address)
	}
	gateAt := func(i int) *gateRun {
		mu.Lock()
		defer mu.Unlock()
		return gates[i%2]
	}
	grants, statuses := map[string][]string{}, map[int]int{}
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				status, p := gateAt(n).tryRequest("POST", "/v1/proposals", gates[0].ready.AgentKey, fmt.Sprintf(`{"tool":"cancel_order","arguments":{"n":%d,"i":%d}}`, n, i))
				if status != 202 {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				path := "/v1/proposals/" + p["id"].(string)
				for try := 0; try < 50; try++ {
					if status, _ := gateAt(n+1+try).tryRequest("POST", path+"/decision", gates[0].ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`); status == 200 || status == 409 {
						break
					}
				}
				for k := range 4 {
					status, c := gateAt(n+k).tryRequest("POST", path+"/claim", gates[0].ready.AgentKey, "")
					mu.Lock()
					if statuses[status]++; status == 200 {
						grants[path] = append(grants[path], c["grant"].(string))
					}
					mu.Unlock()
				}
			}
		})
	}
	kills := 4
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		kills = 40
	}
	for k := range kills {
		time.Sleep(200 * time.Millisecond)
		programs[k%2].Process.Kill()
		programs[k%2].Wait()
		if status, _ := gateAt(k+1).tryRequest("GET", "/healthz", "", ""); status != 200 {
			t.Errorf("the other gate is not healthy: %d", status)
		}
		g, program := childGate(t, address)
		mu.Lock()
		gates[k%2], programs[k%2] = g, program
		mu.Unlock()
	}
	time.Sleep(200 * time.Millisecond)
	close(stop)
	wait.Wait()
	for path, all := range grants {
		if len(all) != 1 {
			t.Errorf("%s was claimed %d times", path, len(all))
			continue
		}
		gates[len(path)%2].wantStatus(200, "POST", path+"/outcome", gates[0].ready.AgentKey, `{"grant":"`+all[0]+`","status":"executed"}`)
	}
	if len(grants) < 10 || statuses[409] == 0 {
		t.Errorf("%d calls were claimed, answers %v", len(grants), statuses)
	}
	t.Logf("%d kills, %d calls claimed, answers of claims %v", kills, len(grants), statuses)
	var out, errs bytes.Buffer
	time.Sleep(1500 * time.Millisecond) // until the last rows are sealed
	if code := Audit([]string{"verify", "--strict", address}, nil, &out, &errs); code != cmd.ExitOK || !strings.Contains(out.String(), "audit chain intact") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
	out.Reset()
	if code := Audit([]string{"export", address}, nil, &out, &errs); code != cmd.ExitOK || strings.Count(out.String(), `\"event\":\"claim\"`) < len(grants) {
		t.Errorf("%d %s", code, errs.String())
	}
}

// TestGateProvider checks that --oidc offers a sign-in at a provider, also beside Cloudflare
// Access and messengers that do not answer, and that a mistake in each is an error.
func TestGateProvider(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Gate([]string{"--dev", "--oidc", "issuer=http://id.example client=c approvers=t:g"}, nil, &out, &errs); code == cmd.ExitOK || !strings.Contains(errs.String(), "invalid issuer") {
		t.Errorf("%d %s", code, errs.String())
	}
	for flag, bad := range map[string]string{"--access": "team=https://acme.cloudflareaccess.com audience=x", "--slack": "tenant=t", "--mail": "server=smtp://mail.example"} {
		errs.Reset()
		if code := Gate([]string{"--dev", flag, bad}, nil, &out, &errs); code == cmd.ExitOK || !strings.Contains(errs.String(), flag+": want ") {
			t.Errorf("%s: %d %s", flag, code, errs.String())
		}
	}
	t.Setenv("BOUNDCHECK_SLACK_TOKEN", "xoxb-not-a-token")
	t.Setenv("BOUNDCHECK_SLACK_SECRET", "8f742231b10e8888abcd99yyyzzz85a5")
	g, _ := startLogged(t, "--dev", "--access", "team=http://127.0.0.1:1 audience=x approvers=dev:g", "--slack", "tenant=dev team=T1 channel=C1 approver=approver:U1 api=http://127.0.0.1:1",
		"--mail", "server=smtp://127.0.0.1:1 from=g@example.com tenant=dev approver=approver:a@example.com", "--oidc", "issuer=http://127.0.0.1:1 client=c approvers=dev:g")
	for path, want := range map[string]int{"/login": 200, "/sign-in": 503} {
		w, err := http.Get(g.ready.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(w.Body)
		w.Body.Close()
		if w.StatusCode != want || !strings.Contains(string(text), "Sign in with 127.0.0.1:1") {
			t.Errorf("%s: %d %s", path, w.StatusCode, text)
		}
	}
}

// TestGatePostgresFlags checks what the command says of an address: several gates need the
// same secret, there is no lease to take over, and migrations go back by name.
func TestGatePostgresFlags(t *testing.T) {
	address := pgserver.Shared(t).Address(t)
	t.Setenv("BOUNDCHECK_AGENT_KEY", "agent-key-for-the-child-process")
	t.Setenv("BOUNDCHECK_APPROVER_KEY", "approver-key-for-the-child")
	check := func(want string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Gate(args, nil, &out, &errs); code == cmd.ExitOK || !strings.Contains(errs.String(), want) {
			t.Errorf("%q: %d %s, want %q", args, code, errs.String(), want)
		}
	}
	check("missing $BOUNDCHECK_SECRET", "--db", address, "--addr", "127.0.0.1:0")
	check("--take-over is for a file", "--db", address, "--take-over")
	check("cannot reach the gate's database", "--db", "postgres://gate@127.0.0.1:1/x")
	check("want --db postgres://", "migrate")
	check("only a PostgreSQL database", "migrate", "--db", "gate.db")
	check(`unknown migration "x"`, "migrate", "--db", address, "--to", "x")
	var errs bytes.Buffer
	for _, to := range []string{"0001_gate", "0003_remember"} {
		if code := Gate([]string{"migrate", "--db", address, "--to", to}, nil, &errs, &errs); code != cmd.ExitOK {
			t.Errorf("%s: %s", to, errs.String())
		}
	}
}
