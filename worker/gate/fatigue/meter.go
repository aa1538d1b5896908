// Package fatigue measures how often people are asked and how they decide.
package fatigue

import (
	"strconv"
	"sync"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Kinds of counts of the fatigue meter.
const (
	Allowed        = "allowed"   // nobody had to decide
	countRefused   = "refused"   // by the policy
	countAsked     = "asked"     // people had to decide
	countApproved  = "approved"  // and the results of these
	countDenied    = "denied"    //
	countExpired   = "expired"   //
	countCancelled = "cancelled" //
	countSeconds   = "seconds"   // total time of the decisions
)

// quick holds the upper bounds of the decision times, in seconds. Longer times fall
// into a last bucket.
var quick = [...]int64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600}

func countTime(i int) string { return "t" + strconv.Itoa(i) }

// maxMetered is the largest number of tools that are counted separately for a tenant,
// because agents choose the names.
const maxMetered = 500

// otherTools is the name under which all other tools are counted.
const otherTools = "(other tools)"

// Meter counts calls until the counts are stored. Its zero value is ready. A crash
// loses the counts that were not stored yet, of about a second.
type Meter struct {
	mu    sync.Mutex
	n     map[store.Count]int64
	tools map[string]map[string]bool // tenant → names that are counted separately
}

// Day is the length of a day in milliseconds.
const Day = 24 * 60 * 60 * 1000

// Add adds n to a count of a tool. now is in Unix milliseconds.
func (m *Meter) Add(tenant, tool, what string, n, now int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n == nil {
		m.n, m.tools = map[store.Count]int64{}, map[string]map[string]bool{}
	}
	names := m.tools[tenant]
	if names == nil {
		names = map[string]bool{}
		m.tools[tenant] = names
	}
	if !names[tool] {
		if len(names) >= maxMetered {
			tool = otherTools
		} else {
			names[tool] = true
		}
	}
	m.n[store.Count{Tenant: tenant, Tool: tool, What: what, Day: now / Day}] += n
}

// Proposed counts for each proposed call whether it was allowed, refused by the
// policy, or held for a person.
func (m *Meter) Proposed(a *machine.Ask, plan machine.Plan, now int64) {
	what := map[string]string{proposal.Allow: Allowed, proposal.Confirm: countAsked, machine.Denial: countRefused}
	for i, c := range a.Calls {
		word := what[plan.Members[i].Verdict]
		if i < len(plan.Records) && plan.Records[i].Why.Recalled != nil {
			word = Allowed // nobody is asked
		}
		m.Add(a.By.Tenant, c.Tool, word, 1, now)
	}
}

// Settled counts how a question ended: approved, denied, expired or cancelled. For a
// person's decision it also counts the time of the decision. If the change does not end a
// question, nothing is counted.
func (m *Meter) Settled(before, after *machine.Record, now int64) {
	if before.State != machine.Pending || after.State == machine.Pending {
		return
	}
	what := map[machine.State]string{machine.Approved: countApproved, machine.Denied: countDenied, machine.Expired: countExpired, machine.Cancelled: countCancelled}[after.State]
	if what == "" { // edited or answered: neither yes nor no
		return
	}
	m.Add(after.Tenant, after.Tool, what, 1, now)
	if what != countApproved && what != countDenied {
		return
	}
	took, i := max(0, now-after.Created)/1000, 0
	for i < len(quick) && took >= quick[i] {
		i++
	}
	m.Add(after.Tenant, after.Tool, countTime(i), 1, now)
	m.Add(after.Tenant, after.Tool, countSeconds, took, now)
}

// Take returns all counts and resets the meter.
func (m *Meter) Take() map[store.Count]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.n
	m.n = nil
	if out != nil {
		m.n = map[store.Count]int64{}
	}
	return out
}

// GiveBack adds the counts in n to the meter again, because they could not be stored.
func (m *Meter) GiveBack(n map[store.Count]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, v := range n {
		m.n[k] += v
	}
}
