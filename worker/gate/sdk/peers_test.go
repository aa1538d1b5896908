package sdk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/yamljson"
	"github.com/boundcheck/boundcheck/plugins/shellread"
	"github.com/boundcheck/boundcheck/worker/gate/zone"
)

const policies = "../testdata/policies"

// call is one call of a history, with the decision that it must get. The members from age
// on are what a host with a memory tells a language that has none.
type call struct {
	At        time.Time      `json:"at"`
	Agent     string         `json:"agent"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Expect    string         `json:"expect"`
	People    int            `json:"people"`
	Outcome   string         `json:"outcome"`
	Detail    string         `json:"detail"`
	raw       string
}

// answer is a decision: 0 people for none, and deny.
type answer struct {
	deny   bool
	people int
}

func (c *call) isRight(a answer) bool {
	switch c.Expect {
	case "deny":
		return a.deny
	case "allow":
		return !a.deny && a.people == 0
	}
	return !a.deny && a.people > 0 && (c.People == 0 || a.people == c.People)
}

// engine decides the calls of one policy. history has the calls that were handed out
// before, in order.
type engine interface {
	decideCall(c *call, history []*call) answer
}

// sqlCalls are further queries for the policy that lets only reads pass.
func sqlCalls() (all []*call) {
	for _, line := range strings.Split(strings.TrimSpace(`
allow SELECT $$drop table x$$
allow SELECT "update" FROM t WHERE "set" = 1
allow SELECT count(*), max(a) FROM t -- ; delete
allow WITH x AS (SELECT 1) SELECT * FROM x
allow SELECT /* a /* nested */ drop */ 1
deny SELECT lo_unlink(1)
deny SELECT my_function(1)
deny SELECT 'a'; DROP TABLE t
deny DO $$ BEGIN DELETE FROM t; END $$
deny SELECT query_to_xml('DELETE FROM t RETURNING 1', true, true, '')`), "\n") {
		expect, query, _ := strings.Cut(line, " ")
		c := &call{At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), Agent: "a", Tool: "run_sql", Arguments: map[string]any{"query": query}, Expect: expect}
		text, _ := json.Marshal(c.Arguments)
		c.raw = string(text)
		all = append(all, c)
	}
	return all
}

func readHistory(t testing.TB, file string) (all []*call) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		c := &call{}
		var raw struct {
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			t.Fatal(err)
		}
		json.Unmarshal(lines.Bytes(), &raw)
		c.raw = string(raw.Arguments)
		all = append(all, c)
	}
	return all
}

// mayChange is the host's own table of tools that only read, which the other languages need.
// What it does not know may change something.
func (c *call) mayChange() bool {
	return !regexp.MustCompile(`^(get|list|read|fetch|search)(_|$)`).MatchString(c.Tool)
}

// ours decides with the gate's rules, and keeps its own rows.
type ours struct {
	policy *machine.Policy
	replay machine.Replay
	done   int // calls of the history that are in the rows
	n      int
}

func newOurs(t testing.TB, name string) *ours {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(policies, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yamljson.ToJSON(string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.ReadPolicy(asJSON)
	if err == nil {
		err = p.SetZone(zone.Offset)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Shell = shellread.Reader{}
	return &ours{policy: p, replay: machine.Replay{Policy: p}}
}

func (o *ours) decideAt(c *call) machine.Decided {
	o.n++
	return o.replay.Decide(fmt.Sprint(o.n), machine.Principal{Tenant: "t", Name: c.Agent, Role: machine.Agent}, proposal.Proposal{Tool: c.Tool, Arguments: c.raw}, c.At.UnixMilli())
}

func (o *ours) decideCall(c *call, history []*call) answer {
	for ; o.done < len(history); o.done++ {
		h := history[o.done]
		d := o.decideAt(h)
		o.replay.Claim(&d, h.At.UnixMilli())
		if h.Outcome != "none" {
			o.replay.Settle(&d, machine.State(h.Outcome), h.Detail)
		}
	}
	d := o.decideAt(c)
	return answer{d.Verdict == machine.Denial, d.People}
}

// result is a row of the table for one language.
type result struct {
	right, all, lines int
	passed            int // wrong decisions that let too much through
	each              time.Duration
}

// decideHistories decides the histories of a policy and measures a decision.
func decideHistories(t testing.TB, make func(testing.TB, string) engine, name string) (r result) {
	t.Helper()
	histories := [][]*call{readHistory(t, filepath.Join(policies, name+".jsonl")), readHistory(t, filepath.Join(policies, "more", name+".jsonl"))}
	if strings.Contains(name, "sql") {
		histories = append(histories, sqlCalls())
	}
	var spent time.Duration
	decisions := 0
	for _, calls := range histories {
		e := make(t, name)
		var done []*call
		for _, c := range calls {
			if c.Expect != "" {
				r.all++
				got := e.decideCall(c, done)
				if c.isRight(got) {
					r.right++
				} else {
					if c.Expect != "allow" && !got.deny && got.people == 0 || c.Expect == "deny" && !got.deny {
						r.passed++
					}
					t.Logf("%s: %s %s: %+v, want %s %d", name, c.Tool, c.raw, got, c.Expect, c.People)
				}
				begun := time.Now()
				for range 20 {
					e.decideCall(c, done)
				}
				spent += time.Since(begun)
				decisions += 20
			}
			if c.Outcome != "" {
				done = append(done, c)
			}
		}
	}
	r.each = spent / time.Duration(decisions)
	return r
}

// countLines counts the lines of a policy, without empty ones, comments and the heading
// that each file of the language has.
func countLines(t testing.TB, file, heading string) (n int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, heading) {
			n++
		}
	}
	return n
}

// TestPeers decides the histories of the ten policies with three engines. The table in
// docs/policies.md has its figures.
func TestPeers(t *testing.T) {
	files, _ := filepath.Glob(policies + "/*.yaml")
	if len(files) < 10 {
		t.Fatalf("%d policies", len(files))
	}
	docs, err := os.ReadFile("../../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	full := map[string]int{}
	sums := map[string]*result{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		row := "| " + strings.ReplaceAll(name[3:], "-", " ")
		for _, l := range []struct {
			name, file, heading string
			make                func(testing.TB, string) engine
		}{
			{"boundcheck", file, "rules:", func(t testing.TB, n string) engine { return newOurs(t, n) }},
			{"rego", "rego/" + name + ".rego", "package", newRego},
			{"cedar", "cedar/" + name + ".cedar", "//", newCedar},
		} {
			r := decideHistories(t, l.make, name)
			r.lines = countLines(t, l.file, l.heading)
			row += fmt.Sprintf(" | %d of %d, %d", r.right, r.all, r.lines)
			if r.right == r.all {
				full[l.name]++
			}
			if sums[l.name] == nil {
				sums[l.name] = &result{}
			}
			s := sums[l.name]
			s.right, s.all, s.lines, s.each = s.right+r.right, s.all+r.all, s.lines+r.lines, s.each+r.each/time.Duration(len(files))
			if l.name == "boundcheck" && r.passed > 0 {
				t.Errorf("%s: %d calls pass that must be denied or held", name, r.passed)
			}
		}
		fmt.Fprintln(&table, row+" |")
	}
	for _, l := range []string{"boundcheck", "rego", "cedar"} {
		t.Logf("%s: %d of %d policies full, %d of %d calls, %d lines, %v a decision", l, full[l], len(files), sums[l].right, sums[l].all, sums[l].lines, sums[l].each)
	}
	if !strings.Contains(string(docs), table.String()) {
		t.Errorf("docs/policies.md has another table; these are the figures:\n%s", &table)
	}
}
