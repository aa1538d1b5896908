package score

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
)

const (
	// manyPairs is the number of pairs of distinct actions from which an index saves time.
	manyPairs = 1 << 14
	// mostPairs is the number of pairs of distinct actions up to which each pair is compared
	// that may be similar. With more, each action is compared with those that are most alike.
	mostPairs = 1 << 20
	// manyNames is the number of names from which comparing names costs more than comparing
	// arguments. Then a quarter of mostPairs are compared.
	manyNames = 1 << 9
	// fewestNear is the number of actions with which each action is compared at least.
	fewestNear = 16
	// gridCells is the largest size of a table of all pairs of names or kinds.
	gridCells = 1 << 20
)

// pairs compares the observed actions obs with the reference actions ref. The results are
// exactly those of the evaluator, but pairs is faster for long runs. It computes what
// depends only on two names once for each pair of names. It counts differing arguments
// with an index, and the words of each text only once. The method listNear lists the pairs that
// may be similar, so that most pairs are never looked at.
type pairs struct {
	*evaluator
	obs, ref         []*boundary.Action
	obsName, refName []int32 // numbers of names; equal names have equal numbers
	names            int
	obsKind, refKind []int32              // numbers of the keys of kinshipKey
	same             grid[bool]           // for each pair of names: the result of sameTool
	settled          grid[kinship]        // for each pair of names
	kinds            map[kinship]*kinship // see shareKinship
	lexicon          grid[bool]           // for each pair of kinds: the rule of newKinship is "lexicon"
	index            *similarity.Index
	bags             *similarity.Bags

	obsGroups, refGroups [][]int32          // the numbers of groupKeys
	members              [][]int32          // by group: its reference actions
	texts                []int32            // the reference actions that are texts
	failing              bool               // a reference action has to fail
	most                 int                // the largest number of actions that listNear returns; 0: all
	equal                map[string][]int32 // the reference actions of each key; nil until findNearest
	cut                  int                // the number of actions for which listNear left out others
	found                []int32
}

// grid caches a value for each pair of numbers: in a table if it is small, and else in a
// map.
type grid[T any] struct {
	width int
	cells []*T
	rest  map[uint64]*T
}

func newGrid[T any](width int) grid[T] {
	if width*width <= gridCells {
		return grid[T]{width: width, cells: make([]*T, width*width)}
	}
	return grid[T]{rest: map[uint64]*T{}}
}

func (g *grid[T]) cellOf(o, r int32) *T {
	if g.rest != nil {
		return g.rest[uint64(o)<<32|uint64(r)]
	}
	return g.cells[int(o)*g.width+int(r)]
}

func (g *grid[T]) setCell(o, r int32, v *T) {
	if g.rest != nil {
		g.rest[uint64(o)<<32|uint64(r)] = v
		return
	}
	g.cells[int(o)*g.width+int(r)] = v
}

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
	p.same, p.settled = newGrid[bool](len(numbers)), newGrid[kinship](len(numbers))
	numbers = map[string]int32{}
	p.obsKind, p.refKind = numberKeys(numbers, obs, kinshipKey), numberKeys(numbers, ref, kinshipKey)
	p.lexicon = newGrid[bool](len(numbers))
	p.groupActions()
	return p
}

func numberKeys(numbers map[string]int32, actions []*boundary.Action, key func(*boundary.Action) string) []int32 {
	out := make([]int32, len(actions))
	for i, a := range actions {
		out[i] = numberOf(numbers, key(a))
	}
	return out
}

func numberOf(numbers map[string]int32, key string) int32 {
	n, ok := numbers[key]
	if !ok {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}

// kinshipKey returns a text for an action. Actions with the same text always get the same
// result from kinships.compareNames.
func kinshipKey(a *boundary.Action) string {
	return fmt.Sprintf("%q %v %v %v %+q", a.Name, a.Text != "", a.Mutation.Counts(), a.Mutation.Control, *a.Deed())
}

// groupActions puts the actions into groups, such that two actions of no common group
// have similarity 0 and different types, unless one is a text. It also decides how many
// actions listNear may return.
func (p *pairs) groupActions() {
	aliases := map[string][]string{}
	if v := p.vocabulary; v != nil {
		for i, group := range v.Aliases {
			for _, name := range group {
				aliases[name] = append(aliases[name], fmt.Sprint("alias ", i))
			}
		}
	}
	numbers := map[string]int32{}
	groups := func(actions []*boundary.Action) [][]int32 {
		out := make([][]int32, len(actions))
		for i, a := range actions {
			for _, key := range p.groupKeys(a, aliases[a.Name]) {
				out[i] = append(out[i], numberOf(numbers, key))
			}
		}
		return out
	}
	p.obsGroups, p.refGroups = groups(p.obs), groups(p.ref)
	p.members = make([][]int32, len(numbers))
	for r, own := range p.refGroups {
		for _, g := range own {
			p.members[g] = append(p.members[g], int32(r))
		}
		p.failing = p.failing || p.ref[r].Failed
		if p.ref[r].Text != "" {
			p.texts = append(p.texts, int32(r))
		}
	}
	total := 0
	for o := range p.obs {
		total += p.countNear(o)
	}
	limit := mostPairs
	if p.names > manyNames {
		limit /= 4
	}
	if total > limit {
		p.most = max(fewestNear, limit/len(p.obs))
	}
}

// groupKeys returns the groups of an action: its groups of aliases, and for a call what
// relates names for equivalence.Kin. With an encoder, all names are related.
func (p *pairs) groupKeys(a *boundary.Action, aliases []string) []string {
	if p.kinships.encoded {
		return []string{""}
	}
	if a.Text != "" {
		return aliases
	}
	return append(equivalence.KinKeys(a), aliases...)
}

// countNear returns the number of actions that listNear returns for an observed action at
// least, if none is left out: those of its largest group.
func (p *pairs) countNear(o int) int {
	switch {
	case p.obs[o].Failed && !p.failing:
		return 0
	case p.obs[o].Text != "":
		return len(p.ref)
	}
	n := 0
	for _, g := range p.obsGroups[o] {
		n = max(n, len(p.members[g]))
	}
	return n + len(p.texts)
}

// listNear returns the reference actions that may be similar to an observed action or have
// its type, ascending. If these are too many, it returns the equal ones, then those that
// share most arguments, and then those at the nearest places in the reference. The result
// is valid until the next call.
func (p *pairs) listNear(o int) []int32 {
	p.found = p.found[:0]
	if p.obs[o].Failed && !p.failing {
		return nil
	}
	if p.most > 0 && p.countNear(o) > p.most {
		p.cut++
		return p.findNearest(o)
	}
	if p.obs[o].Text != "" {
		for r := range p.ref {
			p.found = append(p.found, int32(r))
		}
		return p.found
	}
	p.found = append(p.found, p.texts...)
	for _, g := range p.obsGroups[o] {
		p.found = append(p.found, p.members[g]...)
	}
	return p.sortFound()
}

func (p *pairs) sortFound() []int32 {
	slices.Sort(p.found)
	p.found = slices.Compact(p.found)
	return p.found
}

// findNearest returns at most p.most reference actions for an observed action.
func (p *pairs) findNearest(o int) []int32 {
	if p.equal == nil {
		p.equal = map[string][]int32{}
		for r, a := range p.ref {
			p.equal[a.Key] = append(p.equal[a.Key], int32(r))
		}
	}
	equal := p.equal[p.obs[o].Key]
	p.found = append(p.found, equal[:min(len(equal), p.most/4)]...)
	for _, r := range p.index.Alike(&p.obs[o].Call) {
		if len(p.found) >= p.most/2 {
			break
		}
		if p.haveGroup(o, int(r)) {
			p.found = append(p.found, r)
		}
	}
	lists := make([][]int32, 0, 4)
	for _, g := range p.obsGroups[o] {
		if len(p.members[g]) > 0 {
			lists = append(lists, p.members[g])
		}
	}
	if len(p.texts) > 0 && p.obs[o].Text != "" {
		lists = append(lists, p.texts)
	}
	for i, list := range lists {
		share := (p.most - len(p.found)) / (len(lists) - i)
		p.found = append(p.found, takeAround(list, int32(o*len(p.ref)/len(p.obs)), share)...)
	}
	return p.sortFound()
}

// takeAround returns the n elements of an ascending list that are nearest to a place.
func takeAround(list []int32, place int32, n int) []int32 {
	at, _ := slices.BinarySearch(list, place)
	from := max(0, min(at-n/2, len(list)-n))
	return list[from:min(len(list), from+n)]
}

func (p *pairs) haveGroup(o, r int) bool {
	return slices.ContainsFunc(p.obsGroups[o], func(g int32) bool { return slices.Contains(p.refGroups[r], g) })
}

// leftOut describes what listNear left out, or returns "".
func (p *pairs) leftOut() string {
	if p.cut == 0 {
		return ""
	}
	return fmt.Sprintf("%d distinct actions and %d distinct steps are too many to compare each pair. Each action was compared only with the %d steps of its sort that are most like it",
		len(p.obs), len(p.ref), p.most)
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
	if k := p.settled.cellOf(p.obsName[o], p.refName[r]); k != nil {
		return *k
	}
	obs, ref := p.obs[o], p.ref[r]
	known := p.lexicon.cellOf(p.obsKind[o], p.refKind[r])
	if known != nil && p.kinships.known[p.kinships.pairOf(obs, ref)].rule == "lexicon" {
		return kinship{1, "lexicon"}
	}
	k := p.kinships.compareNames(obs, ref)
	if k.rule != "lexicon" {
		p.settled.setCell(p.obsName[o], p.refName[r], p.shareKinship(k))
	} else if known == nil {
		p.lexicon.setCell(p.obsKind[o], p.refKind[r], new(bool))
	}
	return k
}

// shareKinship returns one pointer for all equal kinships: there are few.
func (p *pairs) shareKinship(k kinship) *kinship {
	if p.kinds == nil {
		p.kinds = map[kinship]*kinship{}
	}
	shared := p.kinds[k]
	if shared == nil && len(p.kinds) < manyNames {
		shared = &k
		p.kinds[k] = shared
	}
	if shared == nil { // from an encoder
		return &k
	}
	return shared
}

var isType, isNoType = true, false

// sameType returns the same as evaluator.sameType for the actions with the indices o and
// r. It caches what depends on the names for each pair of names.
func (p *pairs) sameType(o, r int) bool {
	return p.sameTool(o, r) && p.obs[o].MayReplace(p.ref[r])
}

// sameTool returns the same as evaluator.sameTool.
func (p *pairs) sameTool(o, r int) bool {
	obs, ref := p.obs[o], p.ref[r]
	if p.obsName[o] == p.refName[r] || obs.Text != "" || ref.Text != "" {
		return p.evaluator.sameTool(obs, ref)
	}
	if known := p.same.cellOf(p.obsName[o], p.refName[r]); known != nil {
		return *known
	}
	cell := &isNoType
	if p.evaluator.sameTool(obs, ref) {
		cell = &isType
	}
	p.same.setCell(p.obsName[o], p.refName[r], cell)
	return *cell
}
