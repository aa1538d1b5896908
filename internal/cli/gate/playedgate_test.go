//go:build !js

package gate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// playedGate is a gate with a history that a test draws.
type playedGate struct {
	t     testing.TB
	gate  *gate.Gate
	store *store.Store
	now   int64
	open  []machine.Record
}

// newPlayedGate returns a gate with a policy, two agents and two approvers.
func newPlayedGate(t testing.TB, p *machine.Policy) *playedGate {
	t.Helper()
	g := &playedGate{t: t, now: 1_790_000_000_000}
	var err error
	if g.store, err = sqlite.Open(t.Context(), gatefile.New(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.store.Close() })
	keys, err := gate.ReadKeys("t agent a a-key-0123456789abcdef01\nt agent b b-key-0123456789abcdef01\nt approver ann ann-key-0123456789abcdef01\nt approver ben ben-key-0123456789abcdef01\n")
	if err != nil {
		t.Fatal(err)
	}
	if g.gate, err = gate.New(gate.Options{Store: g.store, Keys: keys, Policy: p, URL: "http://localhost", Now: func() int64 { return g.now }, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	return g
}

// playOne lets one thing happen, and counts it.
func (g *playedGate) playOne(r *rand.Rand, happened map[string]int) {
	g.now += r.Int64N(80_000)
	agent := machine.Principal{Tenant: "t", Name: []string{"a", "b"}[r.IntN(2)], Role: machine.Agent}
	switch n := r.IntN(10); {
	case n < 3 || len(g.open) == 0:
		a := machine.Ask{By: agent, Session: "s"}
		for range 1 + r.IntN(3)*r.IntN(2) {
			tool := []string{"read_x", "send_mail", "pay", "frob", "get_x", "get_y"}[r.IntN(6)]
			a.Calls = append(a.Calls, proposal.Proposal{Tool: tool, Arguments: fmt.Sprintf(`{"path":"/%s/x","n":%d}`, []string{"secrets", "public"}[r.IntN(2)], r.IntN(2))})
		}
		plan, err := g.gate.Propose(g.t.Context(), a)
		if err != nil {
			g.t.Fatal(err)
		}
		happened[map[string]string{machine.Denial: "deny", proposal.Confirm: "hold", proposal.Allow: "allow"}[plan.Verdict]]++
		for _, m := range plan.Members {
			if strings.Contains(m.Reason, "nobody is asked about this call again") {
				happened["cool"]++
			}
			if strings.Contains(m.Reason, "frozen") {
				happened["frozen"]++
			}
		}
		if len(a.Calls) > 1 {
			happened["turn"]++
		}
		g.open = append(g.open, plan.Records...)
	case n == 3 && r.IntN(3) == 0:
		if err := g.gate.Freeze(g.t.Context(), machine.Principal{Tenant: "t", Name: "ann", Role: machine.Approver}, agent.Name, r.IntN(3) == 0, "", "api"); err != nil {
			g.t.Fatal(err)
		}
	default:
		g.carryOn(r, happened)
	}
}

// carryOn lets people decide an open call, or its agent claim and report it.
func (g *playedGate) carryOn(r *rand.Rand, happened map[string]int) {
	at := r.IntN(len(g.open))
	record, err := g.store.Load(g.t.Context(), "t", g.open[at].ID)
	if err != nil {
		g.t.Fatal(err)
	}
	apply := func(e machine.Event) machine.Answer {
		_, a, err := g.gate.Apply(g.t.Context(), "t", record.ID, e)
		if err != nil {
			g.t.Fatal(err)
		}
		return a
	}
	agent := machine.Principal{Tenant: "t", Name: record.Principal, Role: machine.Agent}
	switch record.State {
	case machine.Pending:
		if r.IntN(8) == 0 {
			happened["edit"] += g.editCall(r, &record)
			return
		}
		yes := r.IntN(4) > 0
		for _, name := range []string{"ann", "ben"} {
			apply(machine.Event{Kind: machine.Decide, By: machine.Principal{Tenant: "t", Name: name, Role: machine.Approver}, Channel: "api", Approve: yes, Digest: record.Digest})
		}
		if !yes {
			happened["no"]++
		}
	case machine.Approved:
		a := apply(machine.Event{Kind: machine.Claim, By: agent, Nonce: strings.Repeat("n", 32)})
		switch {
		case a.Code == machine.OK:
			happened["claimed"]++
		case strings.Contains(a.Text, "the rule"):
			happened["stopped"]++
		}
	case machine.Claimed:
		apply(machine.Event{Kind: machine.Report, By: agent, Nonce: strings.Repeat("n", 32), Status: []machine.State{machine.Executed, machine.Failed, machine.Ambiguous}[r.IntN(3)]})
	default:
		if a := apply(machine.Event{Kind: machine.Report, By: agent, Nonce: strings.Repeat("n", 32), Status: []machine.State{machine.Executed, machine.Failed, machine.Ambiguous}[r.IntN(3)]}); strings.Contains(a.Text, "was reported as failed before") {
			happened["late"]++
		}
		g.open = append(g.open[:at], g.open[at+1:]...)
	}
}

// editCall lets an approver change a number of an open call. It returns 1 if the policy
// lets the edited call wait.
func (g *playedGate) editCall(r *rand.Rand, record *machine.Record) int {
	e := machine.Event{By: machine.Principal{Tenant: "t", Name: []string{"ann", "ben"}[r.IntN(2)], Role: machine.Approver}, Channel: "api", Digest: record.Digest,
		Arguments: strings.Replace(record.Arguments, `"n":`, fmt.Sprintf(`"n":%d`, 1+r.IntN(3)), 1)}
	_, next, _, err := g.gate.Edit(g.t.Context(), "t", record.ID, e)
	if err != nil {
		g.t.Fatal(err)
	}
	if next == nil {
		return 0
	}
	for i := range g.open {
		if g.open[i].ID == record.ID {
			g.open[i] = *next
		}
	}
	return 1
}

// exportAudit returns the audit.
func (g *playedGate) exportAudit() []byte {
	var out bytes.Buffer
	if err := g.gate.Housekeep(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
	if _, err := g.store.Export(g.t.Context(), &out, []string{"t"}, nil); err != nil {
		g.t.Fatal(err)
	}
	return out.Bytes()
}
