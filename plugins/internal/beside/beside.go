// Package beside explains rows of an alignment by rows near them: rows that do the same
// only as a whole, and calls that the other side makes some rows away.
package beside

import (
	"github.com/boundcheck/boundcheck/plugins/internal/lcs"
)

// MaxTogether is how many rows are tried as one composite.
const MaxTogether = 8

// MaxApart is how many rows apart two equal actions are paired. Further apart they have
// different purposes, because the same few texts and keys are typed again and again.
const MaxApart = 16

// Together finds groups of neighbouring rows that do the same only as a group, the
// shortest first, and returns the effect of the group for each row. composite returns
// the common effect of the rows from ≤ i < to on both sides, "" for none; taken are the
// rows that are already in a group.
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

// Kind classifies a row for Apart.
type Kind int

// A row that is explained already, a call of one side alone, and one that both sides make
// and that may change something: what is done on the other side of it is done in another order.
const (
	Explained Kind = iota
	Observed
	Reference
	Between
)

// Apart pairs calls of only one side with equal calls of only the other side, in order,
// if no row in between is made by both. effect returns what a row's call does, "" for a
// call that pairs with nothing; near rejects pairs that only look alike.
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

// KindOf returns the Kind of a row. same means that both sides do the same, changes
// that this may change something.
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
