package cli

import (
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// configAdvice holds the verdicts of boundcheck.yaml on tools, for a gate or a hook.
// The file is in the folder where the agent works and may write, so it can only make a
// verdict stricter. Milder verdicts belong in a policy.
type configAdvice struct {
	changes map[string]bool  // tools that change something by the file
	next    mutation.Advisor // nil for none
}

// adviseByConfig puts the file's verdicts before another advisor's. If the file has
// none, it returns the other advisor.
func adviseByConfig(c *configFile, next mutation.Advisor) mutation.Advisor {
	a := configAdvice{changes: map[string]bool{}, next: next}
	for name, word := range c.Table {
		a.changes[name] = word.Mutating == mutation.Yes
	}
	if len(a.changes) == 0 {
		return next
	}
	return a
}

// Advise implements mutation.Advisor.
func (a configAdvice) Advise(t mutation.Tool) (word mutation.Tri, reason string, ok bool) {
	if a.changes[t.Name] {
		return mutation.Yes, config.Name + " says that it changes something", true
	}
	if a.next == nil {
		return mutation.Unknown, "", false
	}
	return a.next.Advise(t)
}
