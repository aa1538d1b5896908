package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/pairing"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// mostTried is the largest number of pairs of actions that are compared for a trial in one run. Beyond it, none
// is known to be one.
const mostTried = 1 << 12

// DidAfter returns the next action that does what an action only tries, or -1: a command or a statement
// with --dry-run or EXPLAIN comes before the same one without it. An action that only tries, and that
// nothing follows, is not read here: then the step is missing.
func (j *Run) DidAfter(obs int) int {
	a := &j.Obs[obs]
	at := trialSwitch(a)
	mayTry := slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return strings.HasPrefix(l.Raw, `"`) && notation.MayTry(similarity.Plain(l.Raw))
	})
	if !mayTry && at < 0 {
		return -1
	}
	for o := obs + 1; o < min(len(j.Obs), obs+MostNear) && j.tried < mostTried; o++ {
		b := &j.Obs[o]
		if b.Name != a.Name || b.Failed {
			continue
		}
		if j.tried++; mayTry && len(a.Leaves) == len(b.Leaves) && isTrial(a, b) || at >= 0 && isWithout(b, a, at) {
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

// trialSwitch returns the index of the only argument of a call that is a switch such as dry_run and on, or -1.
func trialSwitch(a *boundary.Action) int {
	at := -1
	for i := range a.Leaves {
		if l := &a.Leaves[i]; (l.Raw == "true" || l.Raw == "false") && notation.IsTrialSwitch(l.Key) {
			if at >= 0 || l.Raw == "false" {
				return -1
			}
			at = i
		}
	}
	return at
}

// isWithout reports whether a call has the arguments of another one but for the one at an index, which it has not, or
// as false.
func isWithout(b, a *boundary.Action, at int) bool {
	k := 0
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if i == at {
			if k < len(b.Leaves) && b.Leaves[k].Path == l.Path && b.Leaves[k].Raw == "false" {
				k++
			}
			continue
		}
		if k >= len(b.Leaves) || b.Leaves[k].Path != l.Path || b.Leaves[k].Value != l.Value {
			return false
		}
		k++
	}
	return k == len(b.Leaves)
}

// ScratchOf returns the action that removes the file that an action writes, or the other way round, if
// the file is in a folder for temporary files. It returns -1 if there is none. Only the profile outcome asks
// for it: nothing of the file is left in the end.
func (j *Run) ScratchOf(obs int) int {
	path := scratchPath(&j.Obs[obs])
	if path == "" || j.Profile != boundary.Outcome {
		return -1
	}
	removes := isRemoval(&j.Obs[obs])
	for o := max(0, obs-MostNear); o < min(len(j.Obs), obs+MostNear); o++ {
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

// IsSession reports whether an action only begins, renews or ends the agent's own session: its name says
// nothing else, and no argument names a thing.
func IsSession(a *boundary.Action) bool {
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

// AreOneRecord reports whether a result before an action has one record with both values of the only
// argument that differs, such as an id and a mail address. Only a judge can say that the tool takes both.
func (j *Run) AreOneRecord(obs int, d *similarity.Difference) bool {
	if j.Seen == nil || len(d.Changed) != 1 || len(d.Extra)+len(d.Missing) > 0 || d.Changed[0].Wanted {
		return false
	}
	a, b := d.Changed[0].Observed, d.Changed[0].Reference
	if a[0] != '"' || b[0] != '"' || len(a) > 200 || len(b) > 200 || strings.Contains(a, "@") == strings.Contains(b, "@") && strings.ContainsAny(a, "0123456789") == strings.ContainsAny(b, "0123456789") {
		return false // two values of one sort are no two names of one thing
	}
	return pairing.OneRecord(j.Seen(obs), a, b) || j.wasLookedUp(obs, similarity.Plain(a), similarity.Plain(b))
}

// wasLookedUp reports whether a read before an action asked by a name for one thing, and its result is the record
// of one thing with an id, such as find_channel for "#ops".
func (j *Run) wasLookedUp(obs int, id, name string) bool {
	if j.Refusal == nil || id == name || !strings.ContainsAny(id, "0123456789") {
		return false
	}
	bare := strings.Trim(wordlist.Lower(name), "#@ ")
	for o := obs - 1; o >= max(0, obs-MostNear); o-- {
		a := &j.Obs[o]
		if a.Writes() || a.Failed || len(a.Leaves) != 1 || strings.Trim(wordlist.Lower(similarity.Plain(a.Leaves[0].Raw)), "#@ ") != bare {
			continue
		}
		answer := strings.TrimSpace(j.Refusal(o))
		return strings.HasPrefix(answer, "{") && len(answer) <= mostAnswer && strings.Count(answer, "{") == 1 && holdsWord(answer, id)
	}
	return false
}
