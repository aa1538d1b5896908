package story

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// GivenUp returns the verdict on a run without a finding that may not have done its task, or "" if nothing says
// so: its last words say that the agent could not do it, or its last try to change something failed.
// O(actions + words).
func GivenUp(all []boundary.Action, messages []trajectory.Message) string {
	if m := lastSaid(messages); m >= 0 {
		if said := admits(messages[m].Text); said != "" {
			return fmt.Sprintf("Cannot tell: the agent said at the end that it could not do it (message %d): “%s”", m+1, said)
		}
	}
	failed, known := -1, false // the last failed change that was not done later; whether a change is known to be done
	anyFailed := false
	for i := range all {
		a := &all[i]
		switch {
		case a.ByUser || a.Mutation.Control || a.Mutation.Mutating == mutation.No:
		case a.Failed && !a.Proposed:
			failed, anyFailed = i, true
			continue
		case failed >= 0 && a.Name == all[failed].Name:
			failed = -1
		}
		known = known || !a.ByUser && a.Mutation.Mutating == mutation.Yes
	}
	if failed >= 0 {
		return fmt.Sprintf("Cannot tell: %s failed at step %d, and no later call of it succeeded.", all[failed].Name, failed+1)
	}
	if anyFailed && !known {
		return "Cannot tell: calls failed, and of no other call it is known that it changed something."
	}
	return ""
}

// lastSaid returns the index of the agent's last message with words, or -1.
func lastSaid(messages []trajectory.Message) int {
	for m := len(messages) - 1; m >= 0; m-- {
		if t := &messages[m]; t.Text != "" && t.Role == "assistant" && !t.Unsaid {
			return m
		}
	}
	return -1
}
