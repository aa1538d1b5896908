package relation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// This file finds arguments that a call left out and that the tool took anyway, as its result shows. Its law: what
// was left out counts as given only if a member of the call's own result has the argument's name and exactly its value.

// mostTaken is the length in bytes of the longest result in which such a member is looked for.
const mostTaken = 1 << 14

// TookAnyway returns the leaves of a step that the result of an action does not show, and the names of the others. O(result).
func (j *Run) TookAnyway(obs int, missing []similarity.Leaf) (left []similarity.Leaf, taken []string) {
	if j.Refusal == nil || len(missing) == 0 {
		return missing, nil
	}
	text := strings.TrimSpace(j.Refusal(obs))
	if len(text) > mostTaken || !strings.HasPrefix(text, "{") {
		return missing, nil
	}
	result, err := jsonval.Parse(text)
	if err != nil {
		return missing, nil
	}
	shown := similarity.Leaves(result.Leaves())
	for _, l := range missing {
		if !strings.ContainsAny(l.Path, "[") && countShown(shown, l) == 1 {
			taken = append(taken, l.Path)
		} else {
			left = append(left, l)
		}
	}
	return left, taken
}

// countShown returns 1 if the only member of the argument's name has its value.
func countShown(shown []similarity.Leaf, l similarity.Leaf) int {
	named, same := 0, 0
	for i := range shown {
		if SameKey(shown[i].Key, l.Key) {
			named++
			if shown[i].Value == l.Value {
				same++
			}
		}
	}
	return same - (named - same)
}
