package machine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// isDestructive reports whether the effect of a call may be permanent. This is so in
// three cases:
//
//   - the tool's definition says that the tool is destructive;
//   - the verdict is about a command line or an SQL statement;
//   - the tool's name contains a verb such as "delete".
func isDestructive(tool string, d proposal.Decision, lists ...[]mutation.Tool) bool {
	if d.Layer == mutation.LayerShell || d.Layer == mutation.LayerSQL {
		return true
	}
	for _, list := range lists {
		for _, t := range list {
			if t.Name == tool && t.Annotations.Destructive != nil && *t.Annotations.Destructive {
				return true
			}
		}
	}
	for _, w := range splitWords(tool) {
		if isFinalVerb(w) {
			return true
		}
	}
	return false
}

// openWorld reports whether a definition states explicitly that the tool reaches outside
// its own system, for example to mail, the web or other people.
func openWorld(tool string, lists ...[]mutation.Tool) bool {
	for _, list := range lists {
		for _, t := range list {
			if t.Name == tool && t.Annotations.OpenWorld != nil && *t.Annotations.OpenWorld {
				return true
			}
		}
	}
	return false
}

// isFinalVerb reports whether a word is a verb with an effect that cannot be undone.
func isFinalVerb(w string) bool {
	switch w {
	case "delete", "remove", "drop", "destroy", "purge", "erase", "wipe", "truncate", "kill", "terminate",
		"shutdown", "format", "revoke", "reset", "uninstall", "overwrite", "cancel", "send", "pay", "transfer",
		"withdraw", "wire", "publish", "deploy", "execute", "exec", "eval", "run", "rm", "unlink", "expunge", "burn":
		return true
	}
	return false
}

// splitWords splits a name at everything that is not a letter, and before capitals.
func splitWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter || lower && 'A' <= r && r <= 'Z' {
			b.WriteByte(' ')
		}
		if letter {
			b.WriteRune(r)
		}
		lower = 'a' <= r && r <= 'z'
	}
	return strings.Fields(strings.ToLower(b.String()))
}
