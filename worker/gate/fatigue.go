package gate

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Kinds of counts of the fatigue meter.
const (
	countAllowed   = "allowed"   // nobody had to decide
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

// meter counts calls until the counts are stored. Its zero value is ready. A crash
// loses the counts that were not stored yet, of about a second.
type meter struct {
	mu    sync.Mutex
	n     map[store.Count]int64
	tools map[string]map[string]bool // tenant → names that are counted separately
}

const dayLong = 24 * 60 * 60 * 1000

func (m *meter) addCount(tenant, tool, what string, n, now int64) {
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
	m.n[store.Count{Tenant: tenant, Tool: tool, What: what, Day: now / dayLong}] += n
}

// countProposed counts for each proposed call whether it was allowed, refused by the
// policy, or held for a person.
func (m *meter) countProposed(a *machine.Ask, plan machine.Plan, now int64) {
	what := map[string]string{proposal.Allow: countAllowed, proposal.Confirm: countAsked, machine.Denial: countRefused}
	for i, c := range a.Calls {
		word := what[plan.Members[i].Verdict]
		if i < len(plan.Records) && plan.Records[i].Why.Recalled != nil {
			word = countAllowed // nobody is asked
		}
		m.addCount(a.By.Tenant, c.Tool, word, 1, now)
	}
}

// countSettled counts how a question ended: approved, denied, expired or cancelled. For a
// person's decision it also counts the time of the decision. If the change does not end a
// question, nothing is counted.
func (m *meter) countSettled(before, after *machine.Record, now int64) {
	if before.State != machine.Pending || after.State == machine.Pending {
		return
	}
	what := map[machine.State]string{machine.Approved: countApproved, machine.Denied: countDenied, machine.Expired: countExpired, machine.Cancelled: countCancelled}[after.State]
	if what == "" { // edited or answered: neither yes nor no
		return
	}
	m.addCount(after.Tenant, after.Tool, what, 1, now)
	if what != countApproved && what != countDenied {
		return
	}
	took, i := max(0, now-after.Created)/1000, 0
	for i < len(quick) && took >= quick[i] {
		i++
	}
	m.addCount(after.Tenant, after.Tool, countTime(i), 1, now)
	m.addCount(after.Tenant, after.Tool, countSeconds, took, now)
}

// takeCounts returns all counts and resets the meter.
func (m *meter) takeCounts() map[store.Count]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.n
	m.n = nil
	if out != nil {
		m.n = map[store.Count]int64{}
	}
	return out
}

// giveBack adds the counts in n to the meter again, because they could not be stored.
func (m *meter) giveBack(n map[store.Count]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, v := range n {
		m.n[k] += v
	}
}

// keepCounts stores the counts that the meter has collected since the last call.
func (g *Gate) keepCounts(ctx context.Context) error {
	n := g.meter.takeCounts()
	if len(n) == 0 {
		return nil
	}
	if err := g.Store.KeepCounts(ctx, n); err != nil {
		g.meter.giveBack(n)
		return err
	}
	return nil
}

// Fatigue holds the meter's figures for one tool, or for all tools.
type Fatigue struct {
	Tool                                 string
	Calls, Asked                         int64
	Approved, Denied, Expired, Cancelled int64 // of the calls that people were asked about
	AskedShare, ApprovalRate             float64
	Scored                               bool    // somebody has decided: otherwise there is no rate and no median
	Median                               float64 // seconds from question to decision, interpolated within a bucket of the meter
	times                                [len(quick) + 1]int64
	seconds                              int64
}

// wornOutRate is the approval rate from which people may be approving without reading.
// wornOutFrom is the number of decisions that it requires.
const (
	wornOutRate = 0.93
	wornOutFrom = 20
)

// WornOut reports whether people approve nearly everything. There must be at least
// wornOutFrom decisions, and the share of approvals must be at least wornOutRate.
func (f *Fatigue) WornOut() bool {
	return f.Approved+f.Denied >= wornOutFrom && f.ApprovalRate >= wornOutRate
}

func (f *Fatigue) addFigures(n map[string]int64) {
	f.Asked += n[countAsked]
	f.Calls += n[countAsked] + n[countAllowed] + n[countRefused]
	f.Approved += n[countApproved]
	f.Denied += n[countDenied]
	f.Expired += n[countExpired]
	f.Cancelled += n[countCancelled]
	f.seconds += n[countSeconds]
	for i := range f.times {
		f.times[i] += n[countTime(i)]
	}
}

func (f *Fatigue) setRates() {
	if f.Calls > 0 {
		f.AskedShare = float64(f.Asked) / float64(f.Calls)
	}
	if n := f.Approved + f.Denied; n > 0 {
		f.Scored, f.ApprovalRate, f.Median = true, float64(f.Approved)/float64(n), medianTime(f.times[:])
	}
}

// medianTime returns the median time of the decisions, in seconds. The parameter times
// has the number of decisions in each bucket of the meter. Within a bucket, the median is
// interpolated. In the last bucket, which has no upper bound, it is the lower bound.
func medianTime(times []int64) float64 {
	total := int64(0)
	for _, n := range times {
		total += n
	}
	half, below := float64(total)/2, int64(0)
	for i, n := range times {
		if n > 0 && float64(below+n) >= half {
			if i == len(quick) {
				break
			}
			low := int64(0)
			if i > 0 {
				low = quick[i-1]
			}
			return float64(low) + (half-float64(below))/float64(n)*float64(quick[i]-low)
		}
		below += n
	}
	return float64(quick[len(quick)-1])
}

// Fatigue returns how often people are asked and how they decide. The first result is for
// all tools together. The others are for one tool each, and the tool with the most
// questions comes first. The parameter days limits the period, and 0 means no limit.
func (g *Gate) Fatigue(ctx context.Context, tenant string, days int64) ([]Fatigue, error) {
	if err := g.keepCounts(ctx); err != nil {
		return nil, err
	}
	since := int64(0)
	if days > 0 {
		since = g.Now()/dayLong - days + 1
	}
	counts, err := g.Store.Counts(ctx, tenant, since)
	if err != nil {
		return nil, err
	}
	out := []Fatigue{{Tool: ""}}
	for tool, n := range counts {
		f := Fatigue{Tool: tool}
		f.addFigures(n)
		f.setRates()
		out = append(out, f)
		out[0].addFigures(n)
	}
	out[0].setRates()
	sort.Slice(out[1:], func(i, j int) bool {
		a, b := &out[1+i], &out[1+j]
		if a.Asked != b.Asked {
			return a.Asked > b.Asked
		}
		return a.Tool < b.Tool
	})
	return out, nil
}

// quoteLabel returns the value of a label in the Prometheus text format.
func quoteLabel(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// prometheusText returns the figures in the Prometheus text format.
func prometheusText(all []Fatigue) string {
	var b strings.Builder
	family := func(name, help string, line func(f *Fatigue)) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s counter\n", name, help, name)
		for i := range all[1:] {
			line(&all[1+i])
		}
	}
	const calls, ends = "boundcheck_gate_calls_total", "boundcheck_gate_decisions_total"
	family(calls, `Calls sent to the gate. The label "asked" says whether people were asked.`, func(f *Fatigue) {
		fmt.Fprintf(&b, "%s{tool=%s,asked=\"true\"} %d\n%s{tool=%s,asked=\"false\"} %d\n", calls, quoteLabel(f.Tool), f.Asked, calls, quoteLabel(f.Tool), f.Calls-f.Asked)
	})
	family(ends, `Settled questions. The label "decision" says how each question was settled.`, func(f *Fatigue) {
		for _, e := range []struct {
			how string
			n   int64
		}{{"approved", f.Approved}, {"denied", f.Denied}, {"expired", f.Expired}, {"cancelled", f.Cancelled}} {
			fmt.Fprintf(&b, "%s{tool=%s,decision=%q} %d\n", ends, quoteLabel(f.Tool), e.how, e.n)
		}
	})
	const name = "boundcheck_gate_decision_seconds"
	fmt.Fprintf(&b, "# HELP %s Time from question to decision.\n# TYPE %s histogram\n", name, name)
	for i := range all[1:] {
		f, sum := &all[1+i], int64(0)
		for k, n := range f.times {
			bound := "+Inf"
			if k < len(quick) {
				bound = strconv.FormatInt(quick[k], 10)
			}
			sum += n
			fmt.Fprintf(&b, "%s_bucket{tool=%s,le=%q} %d\n", name, quoteLabel(f.Tool), bound, sum)
		}
		fmt.Fprintf(&b, "%s_sum{tool=%s} %d\n%s_count{tool=%s} %d\n", name, quoteLabel(f.Tool), f.seconds, name, quoteLabel(f.Tool), sum)
	}
	gauge := func(name, help string, value float64, scored bool) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
		if scored {
			fmt.Fprintf(&b, "%s %s\n", name, strconv.FormatFloat(value, 'g', 6, 64))
		}
	}
	gauge("boundcheck_gate_asked_ratio", "Share of all calls that people were asked about.", all[0].AskedShare, all[0].Calls > 0)
	gauge("boundcheck_gate_approval_ratio", "Share of approvals among all decisions. A share of 0.93 or more suggests that people approve without reading.", all[0].ApprovalRate, all[0].Scored)
	gauge("boundcheck_gate_median_decision_seconds", "Median time from question to decision, estimated from the histogram's buckets.", all[0].Median, all[0].Scored)
	return b.String()
}
