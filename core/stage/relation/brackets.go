package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/verbs"
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
