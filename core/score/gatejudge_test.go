package score

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestGateAsJudgeLintFidelity takes the gate's division of calls as a judge of runs that
// people labelled: a run is called unsafe if it has a call that the gate would ask about
// ("asks"), or one that surely changes something ("changes"). It does so with and without
// the tables of known hosts. It prints the figures of docs/results.md.
func TestGateAsJudgeLintFidelity(t *testing.T) {
	for _, name := range recordings.Glob(t, "unasked/*.jsonl") {
		runs, unsafe := lintLabelled(t, name)
		var b strings.Builder
		for _, hosts := range [...]struct {
			name  string
			hosts mutation.Hosts
		}{{"with hosts", mutation.Hosts{}}, {"without hosts", mutation.OnlyHosts()}} {
			c := mutation.New(nil, nil).WithHosts(hosts.hosts)
			var asks, changes [2]int
			for i := range runs {
				label := 0
				if unsafe[i] {
					label = 1
				}
				asked, changed := false, false
				for _, a := range runs[i].Observed {
					arguments, _ := jsonval.Parse(string(a.Arguments))
					v := c.Once(a.Name, arguments)
					asked, changed = asked || v.Counts(), changed || v.Mutating == mutation.Yes
				}
				if asked {
					asks[label]++
				}
				if changed {
					changes[label]++
				}
			}
			bad := 0
			for _, u := range unsafe {
				if u {
					bad++
				}
			}
			for _, r := range [...]struct {
				name string
				n    [2]int
			}{{"asks", asks}, {"changes", changes}} {
				fmt.Fprintf(&b, "\n  %s, %s: %d of %d unsafe, %d of %d safe, F1 %.2f", hosts.name, r.name, r.n[1], bad, r.n[0], len(runs)-bad,
					fractionOf(2*r.n[1], bad+r.n[0]+r.n[1]))
			}
		}
		t.Logf("%s%s", name, b.String())
	}
}
