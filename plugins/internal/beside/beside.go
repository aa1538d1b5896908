// Package beside explains rows of an alignment by rows near them: rows that have the
// same effect only as a group, and calls that the other side makes some rows away.
package beside

import (
	"github.com/boundcheck/boundcheck/plugins/internal/lcs"
)

// MaxTogether is the largest number of rows that are tried as one composite.
const MaxTogether = 8

// MaxApart is the largest distance in rows at which two equal actions are paired.
// Actions further apart have different purposes, because the same few texts and keys
// are typed again and again.
const MaxApart = 16

// Together finds groups of neighbouring rows that have the same effect on both sides only
// if the rows of the group are taken together. It tries the shortest groups first. The
// result maps each row in a group to the effect of the group.
//
// The function composite returns the effect of the rows [from, to). It returns "" if the
// two sides have different effects. The parameter taken contains the rows that are
// already in a group.
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

// Explained is a row that needs no pairing. Observed is a call that only the observed
// run makes, and Reference is a call that only the reference makes. Between is a call
// of both that may change something. A call before such a row does not pair with a call
// after it, because the order of the changes differs.
const (
	Explained Kind = iota
	Observed
	Reference
	Between
)

// Apart finds pairs of equal calls. One call of a pair occurs only in the observed run,
// and the other call only in the reference. The result maps each row of a pair to the
// other row of the pair. The pairs fulfil these conditions:
//
//   - The pairs keep the order of the calls.
//   - The two rows of a pair are at most MaxApart rows apart.
//   - No row between the two rows is of kind Between.
//
// The function effect returns what the call of a row does, or "" if the call must not be
// paired. The function near must return false for two calls that only seem to have the
// same effect.
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

// KindOf returns the Kind of a row. obs and ref are the indices of the row's two calls. A
// negative index means that the row has no call on that side. The other parameters are:
//
//   - same: both calls do the same.
//   - changes: the two equal calls may change something.
//   - joined: the row is already explained in another way.
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
