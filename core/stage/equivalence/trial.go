package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// didAfter returns the next action that does what an action only tries, or -1: a command or a statement
// with --dry-run or EXPLAIN comes before the same one without it. An action that only tries, and that
// nothing follows, is not read here: then the step is missing.
func (j *judge) didAfter(obs int) int {
	a := &j.Obs[obs]
	for o := obs + 1; o < min(len(j.Obs), obs+mostNear); o++ {
		if b := &j.Obs[o]; b.Name == a.Name && !b.Failed && (len(a.Leaves) == len(b.Leaves) && isTrial(a, b) || isSwitchedTrial(a, b)) {
			return o
		}
	}
	return -1
}

// isTrial reports whether two calls differ in one text, in which the first one only tries.
func isTrial(a, b *boundary.Action) bool {
	found := false
	for i := range a.Leaves {
		x, y := &a.Leaves[i], &b.Leaves[i]
		switch {
		case x.Path != y.Path:
			return false
		case x.Value == y.Value:
		case found || !notation.IsTrial(similarity.Plain(x.Raw), similarity.Plain(y.Raw)):
			return false
		default:
			found = true
		}
	}
	return found
}

// isSwitchedTrial reports whether two calls have the same arguments but for one switch, which is on in the first
// one, such as dry_run, and off or absent in the second one.
func isSwitchedTrial(a, b *boundary.Action) bool {
	on := 0
	left := func(c *boundary.Action) (out []similarity.Leaf) {
		for _, l := range c.Leaves {
			if !notation.IsTrialSwitch(l.Key) {
				out = append(out, l)
			} else if l.Raw != "false" {
				on++
			}
		}
		return out
	}
	if len(a.Leaves) < len(b.Leaves) || len(a.Leaves) > len(b.Leaves)+1 {
		return false
	}
	x := left(a)
	if len(x) != len(a.Leaves)-1 || on != 1 || !slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return l.Raw == "true" && notation.IsTrialSwitch(l.Key) }) {
		return false
	}
	y := left(b)
	return on == 1 && slices.EqualFunc(x, y, func(l, m similarity.Leaf) bool { return l.Path == m.Path && l.Value == m.Value })
}

// scratchOf returns the action that removes the file that an action writes, or the other way round, if
// the file is in a folder for temporary files. It returns -1 if there is none. Only the profile outcome asks
// for it: nothing of the file is left in the end.
func (j *judge) scratchOf(obs int) int {
	path := scratchPath(&j.Obs[obs])
	if path == "" || j.Profile != boundary.Outcome {
		return -1
	}
	removes := isRemoval(&j.Obs[obs])
	for o := max(0, obs-mostNear); o < min(len(j.Obs), obs+mostNear); o++ {
		if b := &j.Obs[o]; !b.Failed && o != obs && o < obs == removes && isRemoval(b) != removes && scratchPath(b) == path {
			return o
		}
	}
	return -1
}

// scratchPath returns the only path of a call, if it is in a folder for temporary files, or "".
func scratchPath(a *boundary.Action) (path string) {
	for i := range a.Leaves {
		text := similarity.Plain(a.Leaves[i].Raw)
		if !strings.HasPrefix(text, "/tmp/") && !strings.HasPrefix(text, "/var/tmp/") {
			continue
		}
		if path != "" || strings.ContainsAny(text, " *?\n") || strings.Contains(text, "..") {
			return ""
		}
		path = text
	}
	return path
}

func isRemoval(a *boundary.Action) bool {
	return wordlist.Contains(" delete remove unlink ", a.Deed().Verb)
}

// isSession reports whether an action only begins, renews or ends the agent's own session: its name says
// nothing else, and no argument names a thing.
func isSession(a *boundary.Action) bool {
	if !wordlist.Contains(" login log_in sign_in signin logon logout log_out sign_out logoff authenticate refresh_token refresh_session renew_token renew_session refresh_access_token ", strings.ToLower(a.Name)) {
		return false
	}
	for i := range a.Leaves {
		if !wordlist.Contains(" user username login email password passphrase token refresh_token otp code pin api_key secret ", strings.ToLower(a.Leaves[i].Key)) {
			return false
		}
	}
	return true
}

// areOneRecord reports whether a result before an action has one record with both values of the only
// argument that differs, such as an id and a mail address. Only a judge can say that the tool takes both.
func (j *judge) areOneRecord(obs int, d *similarity.Difference) bool {
	if j.Seen == nil || len(d.Changed) != 1 || len(d.Extra)+len(d.Missing) > 0 || d.Changed[0].Wanted {
		return false
	}
	a, b := d.Changed[0].Observed, d.Changed[0].Reference
	if a[0] != '"' || b[0] != '"' || len(a) > 200 || len(b) > 200 || strings.Contains(a, "@") == strings.Contains(b, "@") && strings.ContainsAny(a, "0123456789") == strings.ContainsAny(b, "0123456789") {
		return false // two values of one sort are no two names of one thing
	}
	return pairing.OneRecord(j.Seen(obs), a, b)
}
