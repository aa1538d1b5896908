// Package relation says how two actions of one side bear on each other: whether their order matters,
// because one uses or ends what the other one makes or changes, whether one takes back or sets again what the
// other one did, and whether one only tries or prepares it. It rules on no row: package equivalence does.
package relation

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Run asks for the relations between the actions of one run, and between the steps of its reference. It caches what it
// reads of the steps.
type Run struct {
	*boundary.Case
	values    [][]string      // of reference steps, see Values
	uses      []named         // of reference steps, see usesOf
	filled    map[place][]int // see indexFilled
	tried     int             // pairs of actions that were compared for a trial
	asked     int             // pairs of steps that were asked for their dependence
	endedBy   []int           // of reference steps: 1 + the step that ends what it opens, or 0; see StandsBetween
	endsOf    []int           // of reference steps: 1 + the step that opens what it ends, or 0
	ends      []string        // what the user says of the end, see IsToldAsEnd
	knowsEnds bool
	reasons   int     // pairs of steps for whose order a reason was looked for
	wishes    *string // see userWords
	told      *string // see instructions
}

// New returns the relations of a run.
func New(c *boundary.Case) *Run { return &Run{Case: c} }

// MostNear is the largest number of actions before or behind an action that are compared with it.
const MostNear = 64

// HaveCommonEntity reports whether two sorted scopes have a common entity.
func HaveCommonEntity(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// HaveSamePaths reports whether two actions have arguments at the same places.
func HaveSamePaths(a, b *boundary.Action) bool {
	return slices.EqualFunc(a.Leaves, b.Leaves, func(x, y similarity.Leaf) bool { return x.Path == y.Path })
}

// AreRelated reports whether two objects have a word in common, or one of them has none.
func AreRelated(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// IsField reports whether an argument that may identify a person is also one of the fields
// that an update sets.
func IsField(key string) bool {
	words := mutation.NameWords(key)
	return len(words) > 0 && wordlist.Contains(" email phone mobile telephone fax address url website username login zip iban ", lastOf(words))
}

// ThingWords returns the words of an object without words for facts about a thing, such
// as status and details.
func ThingWords(object []string) []string {
	var out []string
	for _, w := range object {
		switch w {
		case "detail", "info", "information", "content", "status", "text", "data", "state":
		default:
			out = append(out, w)
		}
	}
	return out
}

func lastOf(words []string) string { return words[len(words)-1] }
