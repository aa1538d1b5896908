package cli

import (
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// configAdvice holds the verdicts of boundcheck.yaml on tools, for a gate or a hook.
// These verdicts can only make others stricter, because the agent may be able to write
// this file. Milder verdicts must be in a policy.
type configAdvice struct {
	changes map[string]bool  // tools that change something by the file
	next    mutation.Advisor // nil for none
}

// adviseByConfig returns an advisor that marks a tool as changing something if the
// configuration file says so. For any other tool, this advisor asks the advisor in the
// parameter next. If the file has no verdicts on tools, the result is next itself.
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
		return mutation.Yes, config.Name + " says that this tool changes something", true
	}
	if a.next == nil {
		return mutation.Unknown, "", false
	}
	return a.next.Advise(t)
}
