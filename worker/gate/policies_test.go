//go:build !js

package gate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/yamljson"
	"github.com/boundcheck/boundcheck/plugins/shellread"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/zone"
)

// policyCall is one call of a history, with the decision that it must get.
type policyCall struct {
	At        time.Time       `json:"at"`
	Agent     string          `json:"agent"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Expect    string          `json:"expect"`
	People    int             `json:"people"`
	Rule      string          `json:"rule"`
	Approve   int             `json:"approve"`
	Outcome   string          `json:"outcome"`
	Detail    string          `json:"detail"`
}

// readPolicyCase reads a policy and the calls of a history.
func readPolicyCase(t testing.TB, file, history string) (*machine.Policy, []policyCall) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(strings.TrimSpace(string(text)), "\n") + 1; lines > 6 {
		t.Errorf("%s has %d lines, want at most 6", file, lines)
	}
	asJSON, err := yamljson.ToJSON(string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := machine.ReadPolicy(asJSON)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if err := p.SetZone(zone.Offset); err != nil {
		t.Fatal(err)
	}
	p.Shell = shellread.Reader{}
	rows, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	var calls []policyCall
	for lines := bufio.NewScanner(bytes.NewReader(rows)); lines.Scan(); {
		var c policyCall
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		calls = append(calls, c)
	}
	return p, calls
}

var policyFiles = func() []string {
	all, _ := filepath.Glob("testdata/policies/*.yaml")
	members, _ := filepath.Glob("testdata/members/*.yaml")
	return append(all, members...)
}()

// historiesOf returns the histories of a policy. Those in the folders more and members were
// written from the documentation alone, before the rules that decide them were read. A call
// without an expected decision only belongs to the history.
func historiesOf(file string) []string {
	name := strings.TrimSuffix(filepath.Base(file), ".yaml") + ".jsonl"
	all := []string{filepath.Join(filepath.Dir(file), name)}
	if filepath.Base(filepath.Dir(file)) == "policies" {
		all = append(all, filepath.Join(filepath.Dir(file), "more", name))
	}
	return all
}

// TestPolicies decides the histories of the wished policies through the API, with the
// rows of the store. Every approval, claim and outcome is one of the API.
func TestPolicies(t *testing.T) {
	if len(policyFiles) < 16 {
		t.Fatalf("%d policies", len(policyFiles))
	}
	n := 0
	for _, file := range policyFiles {
		for _, history := range historiesOf(file) {
			p, calls := readPolicyCase(t, file, history)
			s := newTestService(t, "", func(o *gate.Options) { o.Policy, o.Keys = p, policyKeys(t, calls) })
			for i, c := range calls {
				s.now.Store(c.At.UnixMilli())
				s.checkPolicyCall(fmt.Sprintf("%s, call %d", history, i+1), c)
				if c.Expect != "" {
					n++
				}
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d decisions are compared", n)
	}
}

// policyKeys returns a key for each agent of a history, and those of two approvers.
func policyKeys(t testing.TB, calls []policyCall) []gate.Key {
	t.Helper()
	text := "t approver ann ann-key-0123456789abcdef01\nt approver ben ben-key-0123456789abcdef01\n"
	seen := map[string]bool{}
	for _, c := range calls {
		if !seen[c.Agent] {
			text += fmt.Sprintf("t agent %s %s-key-0123456789abcdef01\n", c.Agent, c.Agent)
			seen[c.Agent] = true
		}
	}
	keys, err := gate.ReadKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// checkPolicyCall proposes a call, compares the decision, and carries the call on.
func (s *service) checkPolicyCall(name string, c policyCall) {
	s.t.Helper()
	key := c.Agent + "-key-0123456789abcdef01"
	a := s.callAPI("POST", "/v1/proposals", key, `{"tool":"`+c.Tool+`","arguments":`+string(c.Arguments)+`}`)
	got, people := a.textField("decision"), 0
	if n, ok := a.body["approvals"].(json.Number); ok {
		v, _ := n.Int64()
		people = int(v)
	}
	if got == proposal.Confirm {
		if got = "hold"; people == 0 {
			got = "allow"
		}
	}
	if c.Expect != "" && got != c.Expect || c.People > 0 && people != c.People || c.Rule != "" && !strings.Contains(a.text+s.callAPI("GET", "/v1/proposals/"+a.textField("id"), key, "").text, strings.ReplaceAll(c.Rule, `"`, `\"`)) {
		s.t.Errorf("%s (%s %s at %s): %s, people %d; want %s, %d, rule %q: %s", name, c.Tool, c.Arguments, c.At.Format(time.RFC3339), got, people, c.Expect, c.People, c.Rule, a.text)
		return
	}
	id := a.textField("id")
	for _, who := range []string{"ann", "ben"}[:c.Approve] {
		s.sendDecision(who+"-key-0123456789abcdef01", id, a.textField("digest"), true).assertStatus(s.t, 200)
	}
	if c.Outcome == "" || id == "" {
		return
	}
	claim := s.callAPI("POST", "/v1/proposals/"+id+"/claim", key, "").assertStatus(s.t, 200)
	if c.Outcome != "none" {
		body, _ := json.Marshal(map[string]string{"grant": claim.textField("grant"), "status": c.Outcome, "detail": c.Detail})
		s.callAPI("POST", "/v1/proposals/"+id+"/outcome", key, string(body)).assertStatus(s.t, 200)
		s.callAPI("POST", "/v1/proposals/"+id+"/outcome", key, string(body)).assertStatus(s.t, 409) // reported twice
	}
}

// TestPoliciesReplay decides the same histories without a store.
func TestPoliciesReplay(t *testing.T) {
	for _, file := range policyFiles {
		applied := map[string]int{}
		for _, history := range historiesOf(file) {
			p, calls := readPolicyCase(t, file, history)
			x := machine.Replay{Policy: p}
			for i, c := range calls {
				replayCall(t, &x, fmt.Sprintf("%s, call %d", history, i+1), &c)
			}
			for _, r := range x.Coverage() {
				applied[r.Name] += r.Applied
			}
		}
		for name, n := range applied {
			if n == 0 {
				t.Errorf("%s: the rule %q never applied", filepath.Base(file), name)
			}
		}
	}
}

// replayCall decides a call of a history, compares the decision, and carries the call on.
func replayCall(t *testing.T, x *machine.Replay, name string, c *policyCall) {
	t.Helper()
	now := c.At.UnixMilli()
	d := x.Decide(name, machine.Principal{Tenant: "t", Name: c.Agent, Role: machine.Agent}, proposal.Proposal{Tool: c.Tool, Arguments: string(c.Arguments)}, now)
	got := map[string]string{proposal.Allow: "allow", proposal.Confirm: "hold", machine.Denial: "deny"}[d.Verdict]
	if c.Expect != "" && got != c.Expect || c.People > 0 && d.People != c.People || c.Rule != "" && d.Rule != c.Rule {
		t.Errorf("%s: %s, people %d, rule %q; want %s, %d, %q", name, got, d.People, d.Rule, c.Expect, c.People, c.Rule)
	}
	if c.Outcome == "" {
		return
	}
	if why := x.Claim(&d, now).Text; why != "" {
		t.Errorf("%s: not handed out: %s", name, why)
	}
	if c.Outcome != "none" {
		x.Settle(&d, machine.State(c.Outcome), c.Detail)
	}
}

// zoneCase is one row of testdata/zones.json.
type zoneCase struct {
	Zone, At string
	Offset   int
	Unknown  bool
}

func readZones(t testing.TB) (all []zoneCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/zones.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all) < 10 {
		t.Fatalf("%d zones: %v", len(all), err)
	}
	return all
}
