package cmd

import (
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/config"
)

// configAdvice holds the verdicts of boundcheck.yaml on tools, for a gate or a hook.
// These verdicts can only make others stricter, because the agent may be able to write
// this file. Milder verdicts must be in a policy.
type configAdvice struct {
	words map[string]mutation.Tri // yes or unknown, by the file; a milder word is left out
	next  mutation.Advisor        // nil for none
}

// AdviseByConfig returns an advisor that marks a tool as changing something if the
// configuration file says so, and as unknown if it says that the tool runs command lines in
// a shell of Windows. For any other tool, this advisor asks the advisor in the
// parameter next. If the file has no verdicts on tools, the result is next itself.
func AdviseByConfig(c *ConfigFile, next mutation.Advisor) mutation.Advisor {
	a := configAdvice{words: map[string]mutation.Tri{}, next: next}
	for name, word := range c.Table {
		if word.Mutating == mutation.Yes || word.Runs && word.Shell == mutation.WindowsShell {
			a.words[name] = word.Mutating
		}
	}
	if len(a.words) == 0 {
		return next
	}
	return a
}

// Advise implements mutation.Advisor.
func (a configAdvice) Advise(t mutation.Tool) (word mutation.Tri, reason string, ok bool) {
	if word, ok := a.words[t.Name]; ok && word == mutation.Yes {
		return word, config.Name + " says that this tool changes something", true
	} else if ok {
		return word, config.Name + " says that this tool runs a shell of Windows", true
	}
	if a.next == nil {
		return mutation.Unknown, "", false
	}
	return a.next.Advise(t)
}
