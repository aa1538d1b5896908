//go:build unix

package gate

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// claimer claims calls at whichever process serves the database.
type claimer struct {
	url     atomic.Pointer[string]
	key     string
	answers atomic.Int64 // 200 or 409
	mu      sync.Mutex
	handed  map[string]map[string]bool // tool → ids of calls whose bytes were handed out
}

// claimUntilAnswered claims a call again until it gets an answer: the process may be dead
// or about to hand over.
func (c *claimer) claimUntilAnswered(tool, id string) error {
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		r, _ := http.NewRequest("POST", *c.url.Load()+"/v1/proposals/"+id+"/claim", nil)
		r.Header.Set("Authorization", "Bearer "+c.key)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			continue
		}
		var body struct{ Grant string }
		err = json.NewDecoder(w.Body).Decode(&body)
		w.Body.Close()
		switch {
		case err == nil && w.StatusCode == 200 && body.Grant != "":
			c.mu.Lock()
			twice := c.handed[tool][id]
			c.handed[tool][id] = true
			c.mu.Unlock()
			if twice {
				return fmt.Errorf("%s was handed out twice", id)
			}
			c.answers.Add(1)
			return nil
		case w.StatusCode == 409:
			c.answers.Add(1)
			return nil
		}
	}
	return fmt.Errorf("no answer about %s", id)
}

// TestCountsSurviveKills claims many calls at once under a limit of their number and a
// limit of their sum, while the gate is killed, started again, and asked to hand the
// database over. Exactly as many calls are handed out as the limits allow. It takes some
// seconds, because each call is proposed by a request of its own.
func TestCountsSurviveKills(t *testing.T) {
	calls := 240
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		calls = 2000
	}
	dir := t.TempDir()
	policy := filepath.Join(dir, "p.yaml")
	writeTo(t, policy, `rules:
  - {name: count, tool: refund, atMost: {n: 50, per: 1d}, effect: deny}
  - {name: sum, tool: pay, atMost: {sum: amount, max: 100, per: 1d, by: [agent]}, effect: deny}
  - {name: a, tool: refund, when: {n: {any: true}}, until: 2100-01-01T00:00:00Z, effect: allow}
  - {name: b, tool: pay, when: {n: {any: true}, amount: {any: true}}, until: 2100-01-01T00:00:00Z, effect: allow, destructive: true}
`)
	db := filepath.Join(dir, "gate.db")
	args := []string{"--policy", policy, "--lease", "500ms", "--rate", "100000"}
	g, child := childGate(t, db, args...)
	c := claimer{key: g.ready.AgentKey, handed: map[string]map[string]bool{"refund": {}, "pay": {}}}
	c.url.Store(&g.ready.URL)
	type work struct{ tool, id string }
	todo := make(chan work, calls)
	for n := range calls {
		w := work{tool: "refund"}
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		if n%2 == 1 {
			w.tool, arguments = "pay", fmt.Sprintf(`{"n":%d,"amount":2.5}`, n)
		}
		p := g.wantStatus(202, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+w.tool+`","arguments":`+arguments+`}`)
		w.id, _ = p["id"].(string)
		todo <- w
	}
	close(todo)
	var wait sync.WaitGroup
	for range 32 {
		wait.Go(func() {
			for w := range todo {
				if err := c.claimUntilAnswered(w.tool, w.id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	waitFor := func(n int64) {
		for c.answers.Load() < n {
			time.Sleep(time.Millisecond)
		}
	}
	restart := func(more ...string) *exec.Cmd {
		g, child := childGate(t, db, append(args, more...)...)
		c.url.Store(&g.ready.URL)
		return child
	}
	waitFor(20)
	child.Process.Kill() // kill -9 in the middle of claims
	child.Wait()
	restart()
	waitFor(60)
	child = restart("--take-over")
	wait.Wait()
	child.Process.Kill()
	child.Wait()
	checkCounted(t, db, &c)
}

// checkCounted compares the rows of the limits with what was handed out. A claim may be
// stored without an answer only where a process died.
func checkCounted(t *testing.T, db string, c *claimer) {
	t.Helper()
	d, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for tool, want := range map[string]struct {
		rule string
		rows int
	}{"refund": {"rule count", 50}, "pay": {"rule sum", 40}} {
		var rows int
		if err := d.QueryRow(`SELECT count(*) FROM marks WHERE rule = ?`, want.rule).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		handed := len(c.handed[tool])
		if rows != want.rows || handed > want.rows || handed < want.rows-32 {
			t.Errorf("%s: %d claims are counted and %d were answered; want %d", tool, rows, handed, want.rows)
		}
		t.Logf("%s: %d claims are counted, %d were answered", tool, rows, handed)
	}
	if n := c.answers.Load(); n == 0 {
		t.Error("no answer")
	}
}
