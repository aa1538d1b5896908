//go:build !js

package gate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// writeDay writes the audit of a day with four rows for each call: it was proposed,
// approved, claimed and reported. It returns how many of the calls come after three others
// of the agent in the hour before that did not fail.
func writeDay(t testing.TB, file string, calls int) (beyond int) {
	t.Helper()
	g := rand.New(rand.NewPCG(47, 5))
	var b strings.Builder
	b.WriteString(`{"schema":"boundcheck.audit/1","tenant":"t"}` + "\n")
	row := func(e machine.Entry) {
		e.Version, e.Tenant = 1, "t"
		line, _ := json.Marshal(map[string]string{"n": "1", "entry": e.Bytes(), "hash": "x"})
		b.Write(append(line, '\n'))
	}
	at := int64(1_790_000_000_000)
	ran := map[string][]int64{}
	for n := range calls {
		at += g.Int64N(2 * 86_400_000 / int64(calls))
		agent, id := fmt.Sprint("bot-", g.IntN(1+calls/60)), fmt.Sprint("p", n)
		recent := 0
		for i := len(ran[agent]) - 1; i >= 0 && ran[agent][i] > at-3_600_000; i-- {
			recent++
		}
		if recent >= 3 {
			beyond++
		}
		outcome := []machine.State{machine.Executed, machine.Executed, machine.Failed, machine.Ambiguous}[g.IntN(4)]
		arguments := fmt.Sprintf(`{"order_id":"W-%d","amount":%d,"note":"the customer asked for it"}`, n, g.IntN(100))
		row(machine.Entry{ID: id, Event: "propose", To: machine.Pending, At: at, By: agent, Tool: "refund", Needs: 1, Arguments: arguments})
		row(machine.Entry{ID: id, Event: "decide", From: machine.Pending, To: machine.Approved, At: at, By: "ann"})
		row(machine.Entry{ID: id, Event: "claim", From: machine.Approved, To: machine.Claimed, At: at, By: agent})
		row(machine.Entry{ID: id, Event: "outcome", From: machine.Claimed, To: outcome, At: at, By: agent})
		if outcome != machine.Failed && recent < 3 { // a call that the limit denies does not run
			ran[agent] = append(ran[agent], at)
		}
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return beyond
}

const dayPolicy = `rules:
  - {name: three an hour, tool: refund, atMost: {n: 3, per: 1h, by: [agent]}, effect: deny}
  - {name: hidden, tool: refund, atMost: {n: 3, per: 1h, by: [agent]}, effect: hold}
  - {name: idle, tool: pay, effect: deny}
`

// TestGateTestDay replays a day's audit of 100,000 rows under a new limit, and compares how
// many calls it would have denied with a plain count. It takes some seconds for the rows,
// and fails if the time grows with their square.
func TestGateTestDay(t *testing.T) {
	dir := t.TempDir()
	audit, policy := filepath.Join(dir, "day.jsonl"), filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(policy, []byte(dayPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	const calls = 25_000
	beyond := writeDay(t, audit, calls)
	if beyond < calls/10 || beyond > calls*9/10 {
		t.Fatalf("%d of %d calls are beyond the limit", beyond, calls)
	}
	begun := time.Now()
	defer func() {
		if took := time.Since(begun); took > pace.Within(40*time.Second) {
			t.Errorf("100,000 rows took %v", took)
		}
	}()
	runGateTest(t, cmd.ExitFailed, []string{policy, audit}, fmt.Sprintf("%d calls, %d compared, %d decided otherwise", calls, calls, beyond),
		fmt.Sprintf("three an hour: applied to %d calls, decided %d", beyond, beyond), fmt.Sprintf("hidden: applied to %d calls, but another rule always decided", beyond), "idle: never applied")
}

// BenchmarkGateTest replays a day of 100,000 rows.
func BenchmarkGateTest(b *testing.B) {
	dir := b.TempDir()
	audit, policy := filepath.Join(dir, "day.jsonl"), filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(policy, []byte(dayPolicy), 0o600); err != nil {
		b.Fatal(err)
	}
	writeDay(b, audit, 25_000)
	for b.Loop() {
		var out strings.Builder
		if code := gateTest([]string{policy, audit}, &out, &out); code != cmd.ExitFailed {
			b.Fatal(code, out.String())
		}
	}
}
