package violation

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/boundary"
)

// Lint is stage three without a reference: what a run shows about itself. A
// finding here is a reason to look, with a lower confidence. O(n²) in the run's
// actions at the worst.
func Lint(c *boundary.Case) []Finding {
	var found []Finding
	seen := map[string]int{} // entities that an earlier action named
	for i := range c.Obs {
		a := &c.Obs[i]
		if a.Writes() {
			found = append(found, lintWrite(c, i, seen)...)
		}
		for _, entity := range a.Scope() {
			seen[entity]++
		}
	}
	if n := len(c.Obs); n > 0 && c.Obs[n-1].Failed {
		found = append(found, Finding{Type: EndBoundary, Pattern: PrematureTermination, Rule: "stops-after-error", Row: -1, Obs: n - 1, Ref: -1,
			Confidence: 0.6, Reason: "the run's last action failed, and nothing was done about it"})
	}
	return append(found, cutOff(c)...)
}

func lintWrite(c *boundary.Case, i int, seen map[string]int) []Finding {
	a := &c.Obs[i]
	at := func(t Type, p Pattern, rule string, confidence float64, reason string) Finding {
		return Finding{Type: t, Pattern: p, Rule: rule, Row: -1, Obs: i, Ref: -1, Confidence: confidence, Reason: reason}
	}
	k := classifier{Case: c}
	var found []Finding
	if quantified(a) {
		found = append(found, at(OverAction, ScopeOvergeneralisation, "all-quantified", 0.6, a.Name+" reaches for everything, not for named entities"))
	}
	if k.repeats(i) {
		found = append(found, at(OverAction, UnnecessaryDecomposition, "repeated-write", 0.6, a.Name+" was done again with the same arguments"))
	}
	if k.afterError(i) {
		found = append(found, at(StartBoundary, PreconditionIgnorance, "write-after-error", 0.6,
			fmt.Sprintf("%s went ahead although %s had just failed on the same entity", a.Name, c.Obs[i-1].Name)))
	}
	if scope := a.Scope(); len(scope) > 0 && !anySeen(scope, seen) {
		found = append(found, at(StartBoundary, MissingVerification, "unread-before-write", 0.5,
			fmt.Sprintf("%s changes %s, and no earlier action looked at any of it", a.Name, showAll(scope))))
	}
	return found
}

func anySeen(scope []string, seen map[string]int) bool {
	for _, entity := range scope {
		if seen[entity] > 0 {
			return true
		}
	}
	return false
}
