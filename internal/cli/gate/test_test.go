//go:build !js

package gate

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestReplayIsTheGate is the law of replays: under the policy that was in force, the audit of
// a gate has no difference, whatever happened: turns, denials of people, freezes, allowed
// and stopped claims, and calls that were never claimed.
func TestReplayIsTheGate(t *testing.T) {
	const text = `{"audit":{"arguments":"full"},"edit":[{"name":"all","arguments":["*"],"counts":true}],"tools":{"read_x":"no"},"readings":{"secret":{"tool":"read_x","when":{"path":{"under":"/secrets"}},"within":"20m"}},"rules":[
		{"name":"no send","tool":"send_*","afterReading":"secret","effect":"deny"},{"name":"two","tool":"pay","atMost":{"n":2,"per":"30m","by":["agent"]},"effect":"hold","people":2},
		{"name":"few","tool":"frob","atMost":{"n":2,"per":"1h"},"effect":"deny"},{"name":"one turn","tool":"get_x","atMost":{"n":3,"per":"10m"},"effect":"deny"}]}`
	p, err := machine.ReadPolicy(text)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(47, 16))
	happened := map[string]int{}
	for range drawn.Cases(24) {
		g := newPlayedGate(t, p)
		for range 60 {
			g.playOne(r, happened)
		}
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := os.WriteFile(file, g.exportAudit(), 0o600); err != nil {
			t.Fatal(err)
		}
		test := policyTest{out: io.Discard, file: file, policy: p}
		var out bytes.Buffer
		test.out = &out
		if err := test.run(); err != nil {
			t.Fatal(err)
		}
		if test.wrong > 0 || test.compared != test.calls {
			t.Fatalf("%d of %d calls are decided otherwise, %d compared, %d claims\n%s", test.wrong, test.calls, test.compared, test.claims, &out)
		}
		stops, total := stopsOf(t, file), 0
		for _, c := range test.tenants["t"].now.Coverage() {
			if total += c.Stopped; c.Stopped != stops[c.Name] {
				t.Fatalf("the rule %s stopped %d claims, the coverage says %d\n%s", c.Name, stops[c.Name], c.Stopped, &out)
			}
		}
		happened["covered"] += total
	}
	for _, what := range []string{"deny", "hold", "allow", "turn", "no", "frozen", "stopped", "claimed", "cool", "late", "covered", "edit"} {
		if happened[what] == 0 {
			t.Errorf("%s never happened: %v", what, happened)
		}
	}
}

// stopsOf returns how many claims each rule stopped, as an audit says.
func stopsOf(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var row struct{ Entry string }
		var e machine.Entry
		if json.Unmarshal([]byte(line), &row) == nil && json.Unmarshal([]byte(row.Entry), &e) == nil && e.Event == "stopped" {
			out[e.Rule]++
		}
	}
	return out
}

// runGateTest runs "gate test" and checks its exit code and parts of its output.
func runGateTest(t *testing.T, code int, args []string, parts ...string) {
	t.Helper()
	var out bytes.Buffer
	if got := gateTest(args, &out, &out); got != code {
		t.Errorf("%q: exit code %d, want %d: %s", args, got, code, &out)
	}
	for _, p := range parts {
		if !strings.Contains(out.String(), p) {
			t.Errorf("%q: no %q in %s", args, p, &out)
		}
	}
}

// TestGateTest checks expected decisions, coverage, and the errors of files.
func TestGateTest(t *testing.T) {
	files, _ := filepath.Glob("../../../worker/gate/testdata/policies/*.yaml")
	if len(files) < 10 {
		t.Fatalf("%d policies", len(files))
	}
	for _, f := range files {
		history := strings.TrimSuffix(filepath.Base(f), "yaml") + "jsonl"
		runGateTest(t, cmd.ExitOK, []string{f, filepath.Join(filepath.Dir(f), history)}, " 0 decided otherwise", "line ")
		runGateTest(t, cmd.ExitOK, []string{f, filepath.Join(filepath.Dir(f), "more", history)}, " 0 decided otherwise", "line ")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	policy := write("p.yaml", "rules:\n  - {name: all, tool: refund, effect: deny}\n  - {name: hidden, tool: refund, effect: hold}\n  - {name: idle, tool: pay, effect: deny}\n")
	calls := write("c.jsonl", `{"tool":"refund","expect":"hold"}`+"\n# a comment\n"+`{"tool":"refund","expect":"deny","rule":"all"}`+"\n")
	runGateTest(t, cmd.ExitFailed, []string{policy, calls}, "c.jsonl:1", "want hold, got deny (all, line 2)", "2 calls, 2 compared, 1 decided otherwise",
		"line 2  all: applied to 2 calls, decided 2", "line 3  hidden: applied to 2 calls, but another rule always decided", "line 4  idle: never applied")
	quiet := write("quiet.yaml", "rules:\n  - {name: quiet, tool: refund, effect: deny, mode: log}\n  - {name: soft, tool: refund, when: {n: {min: 5}}, effect: hold}\n")
	runGateTest(t, cmd.ExitFailed, []string{quiet, write("quiet.jsonl", `{"tool":"refund","arguments":{"n":1},"expect":"deny","rule":"quiet"}
		{"tool":"refund","arguments":{"n":6},"expect":"hold","rule":"soft"}`)}, "want deny by quiet, got hold (", "; only logged by quiet)", "2 calls, 2 compared, 1 decided otherwise",
		"line 2  quiet: would have applied to 2 calls (mode: log)", "line 3  soft: applied to 1 call, decided 1")
	same := write("same.yaml", "tools: {get_order: \"no\"}\nrules:\n  - {name: other amount, tool: refund, when: {amount: {not: {sameAs: get_order.total}}}, effect: deny}\n")
	runGateTest(t, cmd.ExitOK, []string{same, write("same.jsonl", `{"tool":"get_order","arguments":{"id":"W-1"},"outcome":"executed","result":{"total":42.5}}
		{"tool":"refund","arguments":{"amount":42.5},"expect":"hold"}
		{"tool":"refund","arguments":{"amount":43},"expect":"deny","rule":"other amount"}`)}, "2 compared, 0 decided otherwise")
	asked := write("asked.yaml", "rules:\n  - {name: no mails, asked: data, effect: deny}\n  - {name: unasked, asked: nobody, effect: hold, people: 2}\n")
	runGateTest(t, cmd.ExitOK, []string{asked, write("asked.jsonl", `{"tool":"pay","asked":"user","expect":"hold","people":1}
		{"tool":"pay","asked":"nobody","people":2,"expect":"hold","rule":"unasked"}
		{"tool":"pay","asked":"data","expect":"deny","rule":"no mails"}
		{"tool":"pay","expect":"deny"}`)}, "4 calls, 4 compared, 0 decided otherwise")
	runGateTest(t, cmd.ExitInput, []string{policy, write("f.jsonl", `{"tool":"refund","asked":"me"}`)}, "invalid asked")
	runGateTest(t, cmd.ExitInput, []string{policy, write("d.jsonl", `{"tol":"refund"}`)}, "line 1", `did you mean "tool"`)
	runGateTest(t, cmd.ExitInput, []string{policy, write("e.jsonl", `{"tool":"refund","expect":"ask"}`)}, "want allow, hold or deny")
	runGateTest(t, cmd.ExitInput, []string{write("q.yaml", "rules:\n  - {name: a, tool: b, efect: deny}\n"), calls}, "q.yaml: line 2", `did you mean "effect"`)
	runGateTest(t, cmd.ExitInput, []string{write("z.yaml", "rules:\n  - {name: a, time: {inside: \"08:00-09:00 Mars/Olympus\"}, effect: deny}\n"), calls}, "unknown time zone Mars/Olympus")
	runGateTest(t, cmd.ExitUsage, []string{policy}, "usage")
	runGateTest(t, cmd.ExitFailed, []string{"--prove", policy}, "p.yaml:3  hidden: always hidden", "all (line 2)", "3 rules, 1 finding")
	for _, f := range files {
		runGateTest(t, cmd.ExitOK, []string{"--prove", f}, " 0 findings")
	}
	runGateTest(t, cmd.ExitUsage, []string{"--prove", policy, calls}, "usage")
}

// TestGateTestAudit replays an audit under a changed policy: the outcomes and claims are
// those of the audit, the decisions are new.
func TestGateTestAudit(t *testing.T) {
	var b strings.Builder
	row := func(e machine.Entry) {
		e.Version, e.Tenant = 1, "t"
		line, _ := json.Marshal(map[string]string{"n": "1", "entry": e.Bytes(), "hash": "x"})
		b.Write(append(line, '\n'))
	}
	b.WriteString(`{"schema":"boundcheck.audit/1","tenant":"t"}` + "\n")
	at := int64(1_790_000_000_000)
	refund := func(id string, outcome machine.State) {
		at += 60_000
		row(machine.Entry{ID: id, Event: "propose", To: machine.Pending, At: at, By: "bot", Tool: "refund", Needs: 1, Arguments: `{"order_id":"W-1"}`})
		row(machine.Entry{ID: id, Event: "decide", From: machine.Pending, To: machine.Approved, At: at, By: "ann"})
		row(machine.Entry{ID: id, Event: "claim", From: machine.Approved, To: machine.Claimed, At: at, By: "bot"})
		row(machine.Entry{ID: id, Event: "outcome", From: machine.Claimed, To: outcome, At: at, By: "bot"})
	}
	refund("p1", machine.Failed)
	refund("p2", machine.Executed)
	refund("p3", machine.Executed)
	row(machine.Entry{Event: "propose", To: machine.Allowed, At: at, By: "bot", Tool: "get_order", Arguments: "{}"})
	row(machine.Entry{Event: "propose", To: machine.Allowed, At: at, By: "bot", Tool: "get_order"})
	dir := t.TempDir()
	audit, once, twice := filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "once.yaml"), filepath.Join(dir, "twice.yaml")
	for file, text := range map[string]string{audit: b.String(), once: "rules:\n  - {name: once, tool: refund, atMost: {n: 1, per: 1d, by: [order_id]}, effect: deny}\n",
		twice: "rules:\n  - {name: once, tool: refund, atMost: {n: 2, per: 1d, by: [order_id]}, effect: deny}\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runGateTest(t, cmd.ExitFailed, []string{once, audit}, "audit.jsonl:10", "was hold, got deny (once, line 2)", "5 calls, 4 compared, 1 decided otherwise", "1 call of the audit without arguments")
	runGateTest(t, cmd.ExitOK, []string{twice, audit}, " 0 decided otherwise", "never applied")
	runGateTest(t, cmd.ExitFailed, []string{"--was", twice, once, audit}, "was hold, got deny")
	runGateTest(t, cmd.ExitOK, []string{"--was", once, once, audit}, " 0 decided otherwise")

	replayOf := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	logged := replayOf("log.yaml", "rules:\n  - {name: once, tool: refund, atMost: {n: 1, per: 1d, by: [order_id]}, effect: deny, mode: log}\n")
	runGateTest(t, cmd.ExitOK, []string{logged, audit}, "would have applied to 1 call, stopped 1 claim (mode: log)")

	bare := filepath.Join(dir, "bare.jsonl")
	if err := os.WriteFile(bare, []byte(strings.ReplaceAll(b.String(), "arguments", "digest")), 0o600); err != nil {
		t.Fatal(err)
	}
	runGateTest(t, cmd.ExitInput, []string{once, bare}, "no call of the audit has arguments")
}
