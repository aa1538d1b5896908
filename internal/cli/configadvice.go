package cli

import (
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// configAdvice is the word of boundcheck.yaml on tools, for a gate or a hook. The file
// lies where the agent works and may write, so that it makes a verdict stricter or does
// nothing: what makes it milder stands in a policy.
type configAdvice struct {
	changes map[string]bool  // tools that the file says change something
	next    mutation.Advisor // nil for none
}

// adviseByConfig puts the file's word before another advisor's. Without a word of it, the
// other one stays as it is.
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

// Advise is part of mutation.Advisor.
func (a configAdvice) Advise(t mutation.Tool) (word mutation.Tri, reason string, ok bool) {
	if a.changes[t.Name] {
		return mutation.Yes, config.Name + " says that it changes something", true
	}
	if a.next == nil {
		return mutation.Unknown, "", false
	}
	return a.next.Advise(t)
}
