package equivalence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// Kin returns the language rule by which the names of two actions may mean the same. It
// does not compare arguments (see Agree). The result is:
//
//   - "spelling" for the same words, such as cancelOrder and order_cancel;
//   - "lexicon" for verbs of one class with the same object, such as delete_item and remove_from_cart;
//   - "" if there is no such rule.
func Kin(obs, ref *boundary.Action) string {
	if obs.Text != "" || ref.Text != "" || obs.Mutation.Counts() != ref.Mutation.Counts() || obs.Mutation.Control != ref.Mutation.Control {
		return ""
	}
	if len(obs.Words()) == 0 || len(ref.Words()) == 0 {
		return ""
	}
	if sameName(obs, ref) {
		return "spelling"
	}
	d, e := obs.Deed(), ref.Deed()
	if d.Class == "" || d.Class != e.Class || len(d.Object) == 0 || !mutation.SameWords(d.Object, e.Object) {
		return ""
	}
	if len(d.Place) > 0 && len(e.Place) > 0 && !mutation.SameWords(d.Place, e.Place) {
		return ""
	}
	return "lexicon"
}

// sameName reports whether the names of two actions are the same apart from the number,
// order and spelling of their words.
func sameName(a, b *boundary.Action) bool {
	return a.Name == b.Name || len(a.Words()) == len(b.Words()) && mutation.SameName(a.Name, b.Name)
}

// Agree reports whether two calls with different names have the same arguments. An
// argument that identifies something may have different names in the two calls. A value
// that only one call has is allowed if its argument is named after the place in the
// tool's name. For example, remove_from_cart names the place cart, so the argument
// cart_id is allowed.
func Agree(obs, ref *boundary.Action) bool {
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	if d.Equal() {
		return true
	}
	if len(d.Changed) > 0 || d.Same == 0 && len(d.Missing) == 0 {
		return false
	}
	left := map[string]int{}
	for _, l := range d.Extra {
		left[l.Value]++
	}
	for _, l := range d.Missing {
		switch {
		case left[l.Value] > 0 && boundary.Identifies(l.Key, l.Value):
			left[l.Value]--
		case !nameHasWord(l.Key, ref.Deed().Place):
			return false
		}
	}
	for _, l := range d.Extra {
		if left[l.Value] == 0 {
			continue
		}
		if left[l.Value]--; !nameHasWord(l.Key, obs.Deed().Place) {
			return false
		}
	}
	return true
}

// nameHasWord reports whether an argument's name contains one of the given words.
func nameHasWord(key string, words []string) bool {
	return slices.ContainsFunc(mutation.NameWords(key), func(w string) bool { return slices.Contains(words, w) })
}

// judgeAlias judges two aligned actions with different names. The row is excused if the
// observed name means the same as the reference name, and the arguments agree. Otherwise
// the row is wrong.
func (j *judge) judgeAlias(row int, obs, ref *boundary.Action) {
	rule := ""
	if j.Alias != nil {
		rule = j.Alias(obs, ref)
	}
	if rule == "" || !Agree(obs, ref) {
		j.markWrong(row, obs, ref)
		return
	}
	how := "the alias table lists both names"
	switch rule {
	case "spelling":
		how = "both names have the same words"
	case "lexicon":
		how = fmt.Sprintf("both %s %s", ref.Deed().Class, strings.Join(ref.Deed().Object, " "))
	case "encoder":
		how = "the encoder says that the names mean the same"
	case "plugin":
		how = "a plugin says so"
	}
	j.excuseRow(row, fmt.Sprintf("the name %s means the same as the name %s (alias by %s: %s)", obs.Name, ref.Name, rule, how))
}
