package relation

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// MayMove reports whether one action takes a thing from where a move takes it, and the other puts it where the move does. The
// one that takes has not the new place alone, and the one that puts, or copies, not the old one; its other values are those of
// the move.
func MayMove(whole, takes, puts *boundary.Action, copies bool) bool {
	from, to := placesOf(whole)
	if holdsAny(takes, to) && !holdsAny(takes, from) {
		return false
	}
	if copies {
		source, _ := placesOf(puts)
		return !slices.ContainsFunc(source, func(v string) bool { return slices.Contains(to, v) && !slices.Contains(from, v) })
	}
	if holdsAny(puts, from) && !holdsAny(puts, to) {
		return false
	}
	return !slices.ContainsFunc(puts.Leaves, func(l similarity.Leaf) bool {
		return slices.ContainsFunc(whole.Leaves, func(w similarity.Leaf) bool { return w.Path == l.Path && w.Value != l.Value })
	})
}

// placesOf returns the values that say from where and to where an action moves something.
func placesOf(a *boundary.Action) (from, to []string) {
	for i := range a.Leaves {
		words := mutation.NameWords(a.Leaves[i].Key)
		switch {
		case wordlist.HasAny(" from source src origin old ", words):
			from = append(from, a.Leaves[i].Value)
		case wordlist.HasAny(" to target dst dest destination new ", words):
			to = append(to, a.Leaves[i].Value)
		}
	}
	return from, to
}

func holdsAny(a *boundary.Action, values []string) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return slices.Contains(values, l.Value) })
}

// ActsOnOther reports whether the last of some actions names a thing by an id that none of those before it has or brought,
// although the result of one of them names an id: it sends another draft than the one that was made.
func (j *Run) ActsOnOther(parts []int) bool {
	if j.Refusal == nil || len(parts) < 2 {
		return false
	}
	last := &j.Obs[parts[len(parts)-1]]
	return slices.ContainsFunc(last.Leaves, func(l similarity.Leaf) bool {
		if !boundary.Identifies(l.Key, "") || IsPerson(NounOf(last, l.Key)) {
			return false
		}
		brought := false
		for _, o := range parts[:len(parts)-1] {
			result := j.Refusal(o)
			result = result[:min(len(result), mostAnswer)]
			if hasValue(&j.Obs[o], l.Value) || holdsWord(result, similarity.Plain(l.Raw)) {
				return false
			}
			brought = brought || namesID(result)
		}
		return brought
	})
}

// namesID reports whether a result is an object with a member that holds an id.
func namesID(result string) bool {
	v, err := jsonval.Parse(result)
	return err == nil && slices.ContainsFunc(v.Leaves(), func(l jsonval.Leaf) bool { return boundary.Identifies(l.Key, "") })
}
