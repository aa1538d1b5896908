package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds steps that end what others open, what stands between the two, and calls that may only look.

// closings has pairs of words. A step with the second word closes what a step with the
// first word began.
var closings = [...][2]string{
	{"begin", "commit"}, {"begin", "end"}, {"start", "commit"}, {"start", "stop"}, {"start", "end"}, {"start", "finish"}, {"start", "complete"}, {"start", "close"},
	{"open", "close"}, {"lock", "unlock"}, {"lock", "release"}, {"acquire", "release"}, {"enter", "exit"}, {"enter", "leave"},
	{"mount", "unmount"}, {"mount", "umount"}, {"connect", "disconnect"}, {"login", "logout"}, {"pause", "resume"}, {"suspend", "resume"},
	{"draft", "publish"}, {"draft", "send"}, {"draft", "submit"}, {"checkout", "checkin"}, {"checkout", "return"}, {"borrow", "return"}, {"take", "return"}, {"take", "release"},
	{"disable", "enable"}, {"freeze", "unfreeze"}, {"mute", "unmute"}, {"engage", "disengage"}, {"arm", "disarm"},
}

// MayClose reports whether a name has a word for closing something.
func MayClose(name string) bool {
	words := mutation.NameWords(name)
	return slices.ContainsFunc(closings[:], func(pair [2]string) bool { return slices.Contains(words, pair[1]) })
}

// Closes reports whether the second name closes what the first name begins, for
// example lock_file and unlock_file. The names must contain the two words of a pair in
// closings. Their other words must be equal, or one name must have no other word.
func Closes(first, last string) bool {
	a, b := mutation.NameWords(first), mutation.NameWords(last)
	for _, pair := range closings {
		i, j := slices.Index(a, pair[0]), slices.Index(b, pair[1])
		if i < 0 || j < 0 {
			continue
		}
		restA, restB := slices.Delete(slices.Clone(a), i, i+1), slices.Delete(slices.Clone(b), j, j+1)
		if len(restA) == 0 || len(restB) == 0 || slices.Equal(restA, restB) {
			return true
		}
	}
	return false
}

// StandsBetween reports whether one of two steps, the first of which comes earlier in the reference, stands between what
// the other one opens and the step that ends it with the same arguments, as replace_part stands between ground_rack and
// remove_ground. Steps that name different things of one sort do not.
func (j *Run) StandsBetween(r, r2 int) bool {
	if j.endedBy == nil {
		j.pairEnds()
	}
	opens, ends := j.endedBy[r] > 1+r2, j.endsOf[r2] > 0 && j.endsOf[r2] < 1+r
	return (opens || ends) && !nameOthers(&j.Ref[r], &j.Ref[r2])
}

// pairEnds finds the steps that open something and end it with the same arguments. O(arguments).
func (j *Run) pairEnds() {
	j.endedBy, j.endsOf = make([]int, len(j.Ref)), make([]int, len(j.Ref))
	last := map[string]int{} // by arguments: the last step
	for r := range j.Ref {
		step := &j.Ref[r]
		if !step.Writes() || step.Text != "" || len(step.Leaves) == 0 {
			continue
		}
		var key strings.Builder
		for i := range step.Leaves {
			key.WriteString(step.Leaves[i].Path + "\x00" + step.Leaves[i].Value + "\x00")
		}
		if o, ok := last[key.String()]; ok && endsStep(&j.Ref[o], step) {
			j.endedBy[o], j.endsOf[r] = 1+r, 1+o
		}
		last[key.String()] = r
	}
}

// endsStep reports whether a step ends what an earlier one with the same arguments began: by its name, or because it takes
// away what the first word of the other one is.
func endsStep(first, last *boundary.Action) bool {
	return first.Name != last.Name && (Closes(first.Name, last.Name) ||
		len(last.Words()) > 1 && DoesOneOf(last, DestroyVerbs+"release lift ") && slices.Contains(last.Words()[1:], FirstWord(first)))
}

// EndsState reports whether a step takes back what another one did to the same things, such as
// lock_vault after unlock_vault.
func EndsState(first, last *boundary.Action) bool {
	d, e := first.Deed(), last.Deed()
	if len(d.Object) > 1 && len(e.Object) == 1 && d.Object[len(d.Object)-1] == e.Object[0] && !HaveCommonEntity(first.Scope(), last.Scope()) {
		_, ok := verbs.TakesBack(d.Verb, e.Verb)
		return ok // close_permit after open_work_permit, with the id that the permit got
	}
	if reached := first.Scope(); !slices.Equal(d.Object, e.Object) || slices.ContainsFunc(last.Scope(), func(e string) bool { return !slices.Contains(reached, e) }) {
		return false
	}
	_, ok := verbs.TakesBack(d.Verb, e.Verb)
	return ok
}

// Finishes reports whether a step brings to its end what another one made, or the work on a thing
// that another one changed: send_letter after create_letter, close_ticket after take_ticket. What was changed, placed or
// approved takes effect, or ends, by its release: publish_page after update_page, release_hold after place_hold.
func Finishes(first, last *boundary.Action) bool {
	a, b := first.Words(), last.Words()
	if len(b) > 1 && b[len(b)-1] == "draft" && wordlist.Contains("send submit publish post issue", b[0]) {
		return first.Writes() // whatever the draft is of
	}
	if len(a) < 2 || len(b) < 2 || a[0] == b[0] || !slices.Equal(ThingWords(a[1:]), ThingWords(b[1:])) {
		return false
	}
	made := a[0] == "create" || first.Deed().Class == "create"
	begun := made || a[0] == "start" || a[0] == "begin" || a[0] == "open"
	switch b[0] {
	case "close", "complete", "finish", "finalize", "finalise", "end", "conclude":
		return made || HaveCommonEntity(first.Scope(), last.Scope())
	case "submit", "seal", "sign":
		return begun
	case "publish", "release", "lift", "deploy", "apply", "activate":
		return made || first.Writes() && !nameOthers(first, last)
	case "send", "execute", "post", "issue":
		return made
	}
	return false
}

// SwitchesBack reports whether a step is a call of the same tool as another one, and differs from it
// only in one argument with the opposite value, such as false after true.
func SwitchesBack(first, last *boundary.Action) bool {
	if first.Name != last.Name || !HaveSamePaths(first, last) {
		return false
	}
	differing := 0
	for i := range first.Leaves {
		a, b := first.Leaves[i].Value, last.Leaves[i].Value
		if a == b {
			continue
		}
		differing++
		if flips := a == "true" && b == "false" || a == "false" && b == "true"; !flips && !verbs.AreOpposite(similarity.Plain(a), similarity.Plain(b)) {
			return false
		}
	}
	return differing == 1
}

// NamesNew reports whether a step names the thing of its object by an argument that an earlier one with the same object
// lacks: the earlier one made it, as open_transfer made the transfer of close_transfer(transfer).
func NamesNew(first, last *boundary.Action) bool {
	object := last.Deed().Object
	if len(object) == 0 || !slices.Equal(object, first.Deed().Object) {
		return false
	}
	names := func(l similarity.Leaf) bool { return NounOf(last, l.Key) == object[len(object)-1] }
	return slices.ContainsFunc(last.Leaves, names) && !slices.ContainsFunc(first.Leaves, names)
}
