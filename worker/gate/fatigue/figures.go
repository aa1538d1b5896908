package fatigue

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Figures holds the meter's figures for one tool, or for all tools.
type Figures struct {
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
func (f *Figures) WornOut() bool {
	return f.Approved+f.Denied >= wornOutFrom && f.ApprovalRate >= wornOutRate
}

func (f *Figures) addFigures(n map[string]int64) {
	f.Asked += n[countAsked]
	f.Calls += n[countAsked] + n[Allowed] + n[countRefused]
	f.Approved += n[countApproved]
	f.Denied += n[countDenied]
	f.Expired += n[countExpired]
	f.Cancelled += n[countCancelled]
	f.seconds += n[countSeconds]
	for i := range f.times {
		f.times[i] += n[countTime(i)]
	}
}

func (f *Figures) setRates() {
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

// Sum returns the figures of counts by tool. The first result is for all tools together. The
// others are for one tool each, and the tool with the most questions comes first.
func Sum(counts map[string]map[string]int64) []Figures {
	out := []Figures{{Tool: ""}}
	for tool, n := range counts {
		f := Figures{Tool: tool}
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
	return out
}

// quoteLabel returns the value of a label in the Prometheus text format.
func quoteLabel(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// Prometheus returns the figures in the Prometheus text format.
func Prometheus(all []Figures) string {
	var b strings.Builder
	family := func(name, help string, line func(f *Figures)) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s counter\n", name, help, name)
		for i := range all[1:] {
			line(&all[1+i])
		}
	}
	const calls, ends = "boundcheck_gate_calls_total", "boundcheck_gate_decisions_total"
	family(calls, `Calls sent to the gate. The label "asked" says whether people were asked.`, func(f *Figures) {
		fmt.Fprintf(&b, "%s{tool=%s,asked=\"true\"} %d\n%s{tool=%s,asked=\"false\"} %d\n", calls, quoteLabel(f.Tool), f.Asked, calls, quoteLabel(f.Tool), f.Calls-f.Asked)
	})
	family(ends, `Settled questions. The label "decision" says how each question was settled.`, func(f *Figures) {
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
