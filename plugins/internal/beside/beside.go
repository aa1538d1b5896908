// Package beside explains rows of an alignment by rows near them: rows that do the same
// only as a whole, and calls that the other side makes some rows away.
package beside

import (
	"github.com/boundcheck/boundcheck/plugins/internal/lcs"
)

// MaxTogether is how many rows are tried as one composite.
const MaxTogether = 8

// MaxApart is how many rows away the same may be done: further off it has another
// purpose, since few texts and keys are all that is ever typed.
const MaxApart = 16

// Together finds rows beside each other that do the same only as a whole, the shortest
// first, and gives what that is by row. composite is what rows from ≤ i < to come to on
// both sides, "" for nothing; taken are the rows that are part of one already.
func Together(rows int, composite func(from, to int, taken map[int]string) string) map[int]string {
	joined := map[int]string{}
	for n := 2; n <= MaxTogether; n++ {
		for from := 0; from+n <= rows; from++ {
			if effect := composite(from, from+n, joined); effect != "" {
				for i := from; i < from+n; i++ {
					joined[i] = effect
				}
			}
		}
	}
	return joined
}

// Kind is what a row is for Apart.
type Kind int

// A row that is explained already, a call of one side alone, and one that both sides make
// and that may change something: what is done on the other side of it is done in another order.
const (
	Explained Kind = iota
	Observed
	Reference
	Between
)

// Apart pairs calls of one side alone with the same of the other side, in order, with no
// row in between that both make. effect is what a row's call does, "" for what pairs with
// nothing; near tells pairs apart that only look alike.
func Apart(kinds []Kind, effect func(row int) string, near func(obs, ref int) bool) map[int]int {
	away := map[int]int{}
	var obs, ref []int
	effects := func(rows []int) []string {
		out := make([]string, len(rows))
		for k, i := range rows {
			out[k] = effect(i)
		}
		return out
	}
	flush := func() {
		for _, pair := range lcs.Common(effects(obs), effects(ref)) {
			if i, j := obs[pair[0]], ref[pair[1]]; max(i-j, j-i) <= MaxApart && near(i, j) {
				away[i], away[j] = j, i
			}
		}
		obs, ref = obs[:0], ref[:0]
	}
	for i, kind := range kinds {
		switch kind {
		case Between:
			flush()
		case Observed:
			obs = append(obs, i)
		case Reference:
			ref = append(ref, i)
		}
	}
	flush()
	return away
}

// KindOf is the Kind of a row: same where both sides do the same, changes where that may
// change something.
func KindOf(obs, ref int, same, changes, joined bool) Kind {
	switch {
	case same && changes:
		return Between
	case same || joined:
		return Explained
	case ref < 0:
		return Observed
	case obs < 0:
		return Reference
	}
	return Explained
}
