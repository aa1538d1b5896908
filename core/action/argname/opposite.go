package argname

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// oppositeNames has pairs of names for a choice of yes or no of which one is yes exactly if the other one is no.
var oppositeNames = [...][2]string{{"hidden", "visible"}, {"hidden", "shown"}, {"hide", "show"}, {"enabled", "disabled"}, {"enable", "disable"}, {"active", "inactive"}, {"muted", "unmuted"},
	{"public", "private"}, {"locked", "unlocked"}, {"online", "offline"}, {"read", "unread"}, {"paid", "unpaid"}, {"on", "off"}, {"allowed", "forbidden"}, {"allow", "deny"}, {"collapsed", "expanded"},
	{"opened", "closed"}, {"required", "optional"}, {"included", "excluded"}, {"include", "exclude"}, {"valid", "invalid"}, {"available", "unavailable"}, {"sensitive", "insensitive"}, {"ascending", "descending"}}

// AreOppositeNames reports whether the names of two arguments are the same but for one word, and these are opposites, such
// as is_hidden and is_visible.
func AreOppositeNames(a, b string) bool {
	x, y := mutation.NameWords(a), mutation.NameWords(b)
	if len(x) != len(y) {
		return false
	}
	found := false
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if found || !slices.Contains(oppositeNames[:], [2]string{x[i], y[i]}) && !slices.Contains(oppositeNames[:], [2]string{y[i], x[i]}) {
			return false
		}
		found = true
	}
	return found
}
