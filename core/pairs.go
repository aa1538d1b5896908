package core

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/equivalence"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// manyPairs is the number of pairs of distinct actions from which an index saves time.
// maxKinds is the largest number of kinds of actions for which the results of pairs of
// kinds are stored (4 MiB).
const (
	manyPairs = 1 << 14
	maxKinds  = 1 << 11
)

// pairs compares the observed actions obs with the reference actions ref. The results are
// exactly those of the evaluator, but pairs is faster for long runs. It computes what
// depends only on two names once for each pair of names. It counts differing arguments
// with an index, and the words of each text only once.
type pairs struct {
	*evaluator
	obs, ref         []*boundary.Action
	obsName, refName []int32 // numbers of names; equal names have equal numbers
	obsKind, refKind []int32 // numbers of the keys of kinshipKey; nil if there are more than maxKinds
	names, kinds     int
	same             []answer // for each pair of names: the result of sameType
	settled          []*kinship
	lexicon          []answer // for each pair of kinds: the rule of newKinship is "lexicon"
	index            *similarity.Index
	bags             *similarity.Bags
}

// answer is yes, no or not yet known.
type answer int8

const (
	unknown answer = iota
	no
	yes
)

func (e *evaluator) newPairs(obs, ref []*boundary.Action) *pairs {
	p := &pairs{evaluator: e, obs: obs, ref: ref, bags: similarity.NewBags(e.texts)}
	calls := make([]*similarity.Call, len(ref))
	for i, a := range ref {
		calls[i] = &a.Call
	}
	p.index = similarity.NewIndex(calls)
	name := func(a *boundary.Action) string { return a.Name }
	numbers := map[string]int32{}
	p.obsName, p.refName = numberKeys(numbers, obs, name), numberKeys(numbers, ref, name)
	p.names = len(numbers)
	p.same, p.settled = make([]answer, p.names*p.names), make([]*kinship, p.names*p.names)
	numbers = map[string]int32{}
	obsKind, refKind := numberKeys(numbers, obs, kinshipKey), numberKeys(numbers, ref, kinshipKey)
	if p.kinds = len(numbers); p.kinds <= maxKinds {
		p.obsKind, p.refKind = obsKind, refKind
		p.lexicon = make([]answer, p.kinds*p.kinds)
	}
	return p
}

func numberKeys(numbers map[string]int32, actions []*boundary.Action, key func(*boundary.Action) string) []int32 {
	out := make([]int32, len(actions))
	for i, a := range actions {
		k := key(a)
		n, ok := numbers[k]
		if !ok {
			n = int32(len(numbers))
			numbers[k] = n
		}
		out[i] = n
	}
	return out
}

// kinshipKey returns a text for an action. Actions with the same text always get the same
// result from kinships.compareNames.
func kinshipKey(a *boundary.Action) string {
	return fmt.Sprintf("%q %v %v %v %+q", a.Name, a.Text != "", a.Mutation.Counts(), a.Mutation.Control, *a.Deed())
}

// pairSimilarity returns the same as evaluator.actionSimilarity for the actions with the
// indices o and r. It is fastest if all pairs of one observed action are requested one
// after another.
func (p *pairs) pairSimilarity(o, r int) float64 {
	obs, ref := p.obs[o], p.ref[r]
	switch {
	case obs.Failed && !ref.Failed:
		return 0
	case obs.Text != "" && ref.Text != "":
		return p.bags.Similarity(obs.Text, ref.Text)
	case obs.Text != "" || ref.Text != "" || !ref.Terms.Plain():
		return p.evaluator.actionSimilarity(obs, ref)
	}
	named := p.obsName[o] == p.refName[r]
	var k kinship
	if !named {
		if k = p.pairKinship(o, r); k.rule == "" {
			return 0
		}
	}
	n, ok := p.index.Counts(&obs.Call, r)
	switch {
	case !ok:
		return p.evaluator.actionSimilarity(obs, ref)
	case named:
		return n.Similarity(true)
	case !argumentsAgree(obs, ref, n):
		return 0
	}
	return 0.5 + k.similarity/2
}

// argumentsAgree returns the same as equivalence.Agree. In most cases it needs only the
// counts n, and does not compare the arguments again.
func argumentsAgree(obs, ref *boundary.Action, n similarity.Counts) bool {
	switch {
	case n.Equal():
		return true
	case n.Changed > 0, n.Same == 0 && n.Missing == 0:
		return false
	}
	return equivalence.Agree(obs, ref)
}

// pairKinship returns the same as kinships.compareNames for the actions with the indices
// o and r. It leaves the cache in the same state as compareNames does.
func (p *pairs) pairKinship(o, r int) kinship {
	both := int(p.obsName[o])*p.names + int(p.refName[r])
	if k := p.settled[both]; k != nil {
		return *k
	}
	var known *answer
	if p.lexicon != nil {
		known = &p.lexicon[int(p.obsKind[o])*p.kinds+int(p.refKind[r])]
	}
	obs, ref := p.obs[o], p.ref[r]
	if known != nil && *known == yes && p.kinships.known[names{obs.Name, ref.Name}].rule == "lexicon" {
		return kinship{1, "lexicon"}
	}
	k := p.kinships.compareNames(obs, ref)
	if k.rule != "lexicon" {
		p.settled[both] = &k
	} else if known != nil {
		*known = yes
	}
	return k
}

// sameType returns the same as evaluator.sameType for the actions with the indices o and
// r. It caches the result for each pair of names.
func (p *pairs) sameType(o, r int) bool {
	obs, ref := p.obs[o], p.ref[r]
	if obs.Failed && !ref.Failed || obs.Text != "" || ref.Text != "" {
		return p.evaluator.sameType(obs, ref)
	}
	a := &p.same[int(p.obsName[o])*p.names+int(p.refName[r])]
	if *a == unknown {
		if *a = no; p.evaluator.sameType(obs, ref) {
			*a = yes
		}
	}
	return *a == yes
}
