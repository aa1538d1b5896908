// Package pairing pairs the arguments of two calls of one tool, and says what is left of their
// differences: which arguments are two notations of one value, which lists and objects belong to each
// other, and which values one call has in one argument and the other call in several. The kinds of
// core/action/kind decide about each pair.
package pairing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Ruling is what the kinds say about the differences between two calls of one tool.
type Ruling struct {
	Rest      similarity.Difference // the differences that no kind excuses
	Same      []Excuse              // the arguments that have the same value in another notation
	AsWritten bool                  // there were too many differences to apply the kinds
	Certainty kind.Outcome          // the greatest of the outcomes in Rest: Unsure if only a judge can say whether the calls differ
	Kinds     map[string]kind.Name  // of each path in Rest that a kind has decided

	changed kind.Outcome // the greatest of the outcomes of Rest.Changed
}

// Excuse names an argument whose two notations mean the same.
type Excuse struct {
	Path string
	Kind kind.Name
}

// Equal reports whether the calls have the same arguments.
func (r *Ruling) Equal() bool { return r.Rest.Equal() }

// Recount sets the certainty again, from the outcomes of the values that differ, after some arguments that only one call has were
// removed.
func (r *Ruling) Recount() {
	r.Certainty = r.changed
	if len(r.Rest.Extra)+len(r.Rest.Missing) > 0 {
		r.Certainty = kind.Differs
	}
}

// mostWork is the largest product of the arguments of two calls and their differences up to
// which kinds are applied.
const mostWork = 1 << 14

// Settle applies the kinds to the differences d between two calls. If these are very many,
// the arguments are compared as they are written. O(leaves · differences), at most
// mostWork.
func Settle(obs, ref *similarity.Call, terms *similarity.Terms, d *similarity.Difference) Ruling {
	s := newSettler(obs, ref)
	s.rest.Same = d.Same
	left := s.settleSets(terms, *d)
	if exceedsWork(obs, ref, &left) {
		s.rest.Extra, s.rest.Missing = append(s.rest.Extra, left.Extra...), append(s.rest.Missing, left.Missing...)
		s.rest.Changed = append(s.rest.Changed, left.Changed...)
		return Ruling{Rest: s.rest, Same: s.same, AsWritten: true, Certainty: kind.Differs}
	}
	left = s.settleGroups(terms, left)
	for _, p := range left.Changed {
		s.settleChanged(p)
	}
	for _, l := range slices.Concat(left.Extra, left.Missing) {
		if l.Raw == "null" {
			s.nulls++
		}
	}
	for _, l := range left.Extra {
		s.addExtra(l)
	}
	for _, l := range left.Missing {
		s.addMissing(l)
	}
	return Ruling{Rest: s.rest, Same: s.same, Certainty: s.certainty, Kinds: s.kinds, changed: s.changed}
}

// AreEqual reports whether Settle excuses all differences between two calls. It stops at
// the first one that no kind excuses.
func AreEqual(obs, ref *similarity.Call, terms *similarity.Terms, d *similarity.Difference) bool {
	if d.Equal() {
		return true
	}
	s := newSettler(obs, ref)
	left := s.settleSets(terms, *d)
	if !s.rest.Equal() || left.Equal() || exceedsWork(obs, ref, &left) {
		return s.rest.Equal() && left.Equal()
	}
	left = s.settleGroups(terms, left)
	if len(left.Extra) > 0 || len(left.Missing) > 0 {
		return false
	}
	for i := 0; i < len(left.Changed) && s.rest.Equal(); i++ {
		s.settleChanged(left.Changed[i])
	}
	return s.rest.Equal()
}

// exceedsWork reports whether two calls have too many differences for the kinds.
func exceedsWork(obs, ref *similarity.Call, d *similarity.Difference) bool {
	differ := len(d.Changed) + len(d.Extra) + len(d.Missing)
	return differ*(len(obs.Leaves)+len(ref.Leaves)) > mostWork
}

func newSettler(obs, ref *similarity.Call) *settler {
	return &settler{tool: kind.NewTool(ref.Name), obs: obs, ref: ref}
}

// settleGroups settles the differences that belong together, and returns the others.
func (s *settler) settleGroups(terms *similarity.Terms, d similarity.Difference) similarity.Difference {
	left := s.settleWanted(d)
	if terms.Plain() { // other terms are about single places of a list or an object
		left = s.settleLists(left)
		left = s.settleObjects(s.settleHeaders(left))
		left = s.settleSingles(left)
		left = s.settleTexts(left)
	}
	left = s.settleNothing(left)
	left = s.settleUnits(s.settleParts(s.settleBeside(left)))
	if terms.Plain() {
		left = s.settleForms(left)
	}
	return left
}

type settler struct {
	tool      *kind.Tool
	obs, ref  *similarity.Call
	rest      similarity.Difference
	same      []Excuse
	certainty kind.Outcome
	changed   kind.Outcome // that of changed values
	nulls     int          // arguments that only one call has, and that are null
	kinds     map[string]kind.Name
	compared  map[[2]*similarity.Leaf]bool // whether two objects are equal, by their first members
}

func (s *settler) addExcuse(path string, name kind.Name) {
	s.same = append(s.same, Excuse{path, name})
	s.rest.Same++
}

// isBlank reports whether a value may mean the same as no value: an empty text, or null for a
// tool that changes fields, which some clients write for each argument that is not given.
func isBlank(raw string) bool { return raw == `""` || raw == "null" || raw == `"null"` }

// offKeys has words of the names of switches that are off if nobody turns them on.
const offKeys = " dry force recursive verbose debug quiet "

// isOff reports whether an argument says that such a switch is off.
func isOff(l *similarity.Leaf) bool {
	return l.Raw == "false" && wordlist.HasAny(offKeys, mutation.NameWords(l.Key))
}

func (s *settler) addExtra(l similarity.Leaf) {
	s.rest.Extra = append(s.rest.Extra, l)
	if wordlist.HasLast(" currency ", mutation.NameWords(l.Key)) {
		s.certainty = max(s.certainty, kind.Unsure) // it may be the one that the tool takes anyway
		return
	}
	s.addCertainty(l, s.ref)
}

func (s *settler) addMissing(l similarity.Leaf) {
	s.rest.Missing = append(s.rest.Missing, l)
	s.addCertainty(l, s.obs)
}

// addCertainty counts an argument that only one call has. An item that the list of the other
// call has, too, may stand twice by a slip, and false may be what the tool takes anyway.
func (s *settler) addCertainty(l similarity.Leaf, other *similarity.Call) {
	o := kind.Differs
	switch {
	case l.Raw == "null" && s.nulls == 1 && mutation.ChangesFields(s.ref.Name): // a client that writes null for what is not given has several
		o = kind.Likely
	case isBlank(l.Raw), isOff(&l), isOfRequest(&l), isUsual(&l):
		o = kind.Unsure
	case isRepeated(l, other), l.Raw == "false":
		o = kind.Likely
	}
	s.certainty = max(s.certainty, o)
}

// isOfRequest reports whether an argument is about the request, not about the deed: a key against doing it twice,
// or the answer to a tool that asks whether it is meant.
func isOfRequest(l *similarity.Leaf) bool {
	words := mutation.NameWords(l.Key)
	return wordlist.HasAny(" idempotency ", words) || l.Raw == "true" && wordlist.HasLast(" confirm confirmed confirmation ", words) ||
		len(words) > 1 && words[0] == "confirmation" && wordlist.HasLast(" token code id key ", words)
}

// isUsual reports whether an argument says that a thing is meant once, which most tools take if nobody says it.
func isUsual(l *similarity.Leaf) bool {
	return l.Raw == "1" && wordlist.HasLast(" quantity qty copies page ", mutation.NameWords(l.Key))
}

// isRepeated reports whether an item of a list is in that list of the other call.
func isRepeated(l similarity.Leaf, other *similarity.Call) bool {
	list, rest, ok := strings.Cut(l.Path, "[")
	return ok && strings.HasSuffix(rest, "]") && !strings.Contains(rest, "[") && slices.ContainsFunc(other.Leaves, func(x similarity.Leaf) bool {
		return x.Value == l.Value && strings.HasPrefix(x.Path, list+"[") && strings.HasSuffix(x.Path, "]")
	})
}

func (s *settler) addChanged(p similarity.Pair, name kind.Name, o kind.Outcome) {
	if o == kind.Same {
		s.addExcuse(p.Path, name)
		return
	}
	s.rest.Changed = append(s.rest.Changed, p)
	s.certainty, s.changed = max(s.certainty, o), max(s.changed, o)
	if name == "" {
		return
	}
	if s.kinds == nil {
		s.kinds = map[string]kind.Name{}
	}
	s.kinds[p.Path] = name
}

// settleWanted leaves the values that a person's matcher refuses: no notation excuses them.
func (s *settler) settleWanted(d similarity.Difference) similarity.Difference {
	if !slices.ContainsFunc(d.Changed, func(p similarity.Pair) bool { return p.Wanted }) {
		return d
	}
	var values []similarity.Pair
	for _, p := range d.Changed {
		if p.Wanted {
			s.addChanged(p, "", kind.Differs)
		} else {
			values = append(values, p)
		}
	}
	d.Changed = values
	return d
}

// settleHeaders pairs the headers of HTTP whose names differ only in letter case (RFC 9110, section
// 5.1).
func (s *settler) settleHeaders(d similarity.Difference) similarity.Difference {
	if len(d.Extra) == 0 || len(d.Missing) == 0 {
		return d
	}
	var left []similarity.Leaf
	for _, l := range d.Extra {
		k := -1
		if at := strings.LastIndexByte(l.Path, '.'); at > 0 && wordlist.HasLast(" header ", mutation.NameWords(topOf(l.Path))) {
			k = slices.IndexFunc(d.Missing, func(m similarity.Leaf) bool { return strings.EqualFold(m.Path, l.Path) })
		}
		if k < 0 {
			left = append(left, l)
			continue
		}
		m := d.Missing[k]
		d.Missing = slices.Delete(slices.Clone(d.Missing), k, k+1)
		if m.Value == l.Value {
			s.addExcuse(l.Path, kind.Code)
		} else {
			s.settleChanged(similarity.Pair{Path: l.Path, Key: l.Key, Observed: l.Raw, Reference: m.Raw})
		}
	}
	d.Extra = left
	return d
}

// settleChanged compares the two values of an argument.
func (s *settler) settleChanged(p similarity.Pair) {
	name, o := s.compareAt(p.Path, p.Path, p.Key, p.Observed, p.Reference)
	s.addChanged(p, name, o)
}

func sideOf(c *similarity.Call, path, raw string) kind.Side {
	return kind.Side{Raw: raw, Path: path, Leaves: c.Leaves}
}

// compareAt compares two values of an argument, which may stand at two paths.
func (s *settler) compareAt(path, refPath, key, obs, ref string) (kind.Name, kind.Outcome) {
	return kind.Compare(s.tool, key, sideOf(s.obs, path, obs), sideOf(s.ref, refPath, ref))
}

// settleSingles pairs a value on one side with a list of this one value on the other side.
func (s *settler) settleSingles(d similarity.Difference) similarity.Difference {
	d.Extra, d.Missing = s.pairSingles(d.Extra, d.Missing, false)
	d.Missing, d.Extra = s.pairSingles(d.Missing, d.Extra, true)
	d.Extra, d.Missing = s.pairMembers(d.Extra, d.Missing, false)
	d.Missing, d.Extra = s.pairMembers(d.Missing, d.Extra, true)
	return d
}

// pairMembers pairs the members of an object on one side with those of the only element of a
// list on the other side. reversed says that the list is the agent's.
func (s *settler) pairMembers(members, lists []similarity.Leaf, reversed bool) (left, leftLists []similarity.Leaf) {
	leaves := s.ref.Leaves
	if reversed {
		leaves = s.obs.Leaves
	}
	for _, m := range members {
		i := slices.IndexFunc(lists, func(l similarity.Leaf) bool {
			list, member, ok := strings.Cut(l.Path, "[0].")
			return ok && list+"."+member == m.Path && len(leavesBelow(leaves, list+"[1]")) == 0
		})
		if i < 0 {
			left = append(left, m)
			continue
		}
		s.pairElement(m, lists[i], reversed)
		lists = slices.Delete(slices.Clone(lists), i, i+1)
	}
	return left, lists
}

// pairSingles looks in lists for the lists of one value whose value is in values. reversed
// says that values are the reference's.
func (s *settler) pairSingles(values, lists []similarity.Leaf, reversed bool) (left, leftLists []similarity.Leaf) {
	for _, v := range values {
		i := slices.IndexFunc(lists, func(l similarity.Leaf) bool { return l.Path == v.Path+"[0]" })
		if left2, ok := s.pairListing(v, lists); ok {
			lists = left2
			continue
		}
		longer := slices.ContainsFunc(lists, func(l similarity.Leaf) bool { return strings.HasPrefix(l.Path, v.Path+"[1]") })
		if i < 0 || longer {
			left = append(left, v)
			continue
		}
		s.pairElement(v, lists[i], reversed)
		lists = slices.Delete(slices.Clone(lists), i, i+1)
	}
	return left, lists
}

// pairElement compares a value with one in the only element of a list. reversed says that the
// value is the reference's.
func (s *settler) pairElement(v, element similarity.Leaf, reversed bool) {
	a, b := v, element
	if reversed {
		a, b = b, a
	}
	name, o := kind.List, kind.Same
	if a.Value != b.Value {
		name, o = s.compareAt(a.Path, b.Path, v.Key, a.Raw, b.Raw)
	}
	if o == kind.Same {
		name = kind.List
	}
	s.addChanged(similarity.Pair{Path: v.Path, Key: v.Key, Observed: a.Raw, Reference: b.Raw}, name, o)
}

// pairListing excuses a text such as "a, b" beside the list of its elements, and removes the
// elements from lists.
func (s *settler) pairListing(v similarity.Leaf, lists []similarity.Leaf) (left []similarity.Leaf, ok bool) {
	parts := kind.SplitListing(similarity.Plain(v.Raw))
	var own []string
	for _, l := range lists {
		if isElement(l.Path, v.Path) {
			own = append(own, strings.TrimSpace(similarity.Plain(l.Raw)))
		}
	}
	if len(parts) < 2 || !slices.Equal(parts, own) {
		return lists, false
	}
	s.addExcuse(v.Path, kind.List)
	return slices.DeleteFunc(slices.Clone(lists), func(l similarity.Leaf) bool { return isElement(l.Path, v.Path) }), true
}

// settleTexts compares an object or a list on one side with its JSON text on the other.
func (s *settler) settleTexts(d similarity.Difference) similarity.Difference {
	d.Extra, d.Missing = s.unfoldTexts(d.Extra, d.Missing, s.ref)
	d.Missing, d.Extra = s.unfoldTexts(d.Missing, d.Extra, s.obs)
	return d
}

// unfoldTexts removes the texts that are the JSON of the leaves below their path in the other
// call, and these leaves.
func (s *settler) unfoldTexts(texts, leaves []similarity.Leaf, other *similarity.Call) (left, leftLeaves []similarity.Leaf) {
	for _, t := range texts {
		inside := leavesBelow(other.Leaves, t.Path)
		v, ok := kind.ContainerIn(similarity.Plain(t.Raw))
		if len(inside) == 0 || !ok || !sameLeaves(t.Path, v.Leaves(), inside) {
			left = append(left, t)
			continue
		}
		leaves = slices.DeleteFunc(slices.Clone(leaves), func(l similarity.Leaf) bool { return isBelow(l.Path, t.Path) })
		s.addExcuse(t.Path, kind.JSON)
	}
	return left, leaves
}

// sameLeaves reports whether the leaves of a value, and those of another one at a path, are the same in any order of the
// members of objects.
func sameLeaves(at string, all []jsonval.Leaf, inside []similarity.Leaf) bool {
	inside, leaves := slices.Clone(inside), similarity.Leaves(all)
	if slices.ContainsFunc(inside, func(l similarity.Leaf) bool { return l.Raw == "null" }) { // for a tool that changes fields, null is a value
		for _, l := range all {
			if l.Value.Kind() == jsonval.Null {
				leaves = append(leaves, similarity.Leaf{Path: l.Path, Key: l.Key, Value: "null", Raw: "null"})
			}
		}
	}
	byPath := func(x, y similarity.Leaf) int { return strings.Compare(x.Path, y.Path) }
	for i := range leaves {
		leaves[i].Path = pathBelow(at, leaves[i].Path)
	}
	slices.SortStableFunc(leaves, byPath)
	slices.SortStableFunc(inside, byPath)
	return slices.EqualFunc(leaves, inside, func(x, y similarity.Leaf) bool { return x.Path == y.Path && x.Value == y.Value })
}

// pathBelow returns the path of a value inside the value at another path.
func pathBelow(at, inside string) string {
	if strings.HasPrefix(inside, "[") {
		return at + inside
	}
	return at + "." + inside
}

func isBelow(path, at string) bool {
	rest, ok := strings.CutPrefix(path, at)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

func leavesBelow(leaves []similarity.Leaf, at string) (out []similarity.Leaf) {
	for _, l := range leaves {
		if isBelow(l.Path, at) {
			out = append(out, l)
		}
	}
	return out
}

// settleNothing excuses an empty list or object that only one side has. An empty list
// beside a list with elements stays.
func (s *settler) settleNothing(d similarity.Difference) similarity.Difference {
	if mutation.ChangesFields(s.ref.Name) {
		return s.settleCleared(d)
	}
	isNothing := func(other *similarity.Call) func(l similarity.Leaf) bool {
		return func(l similarity.Leaf) bool {
			if l.Raw != "[]" && l.Raw != "{}" && !(l.Raw == `""` && (isPlaceInList(mutation.NameWords(l.Key)) || wordlist.HasLast(" description note comment remark cc bcc summary detail memo ", mutation.NameWords(l.Key)))) || len(leavesBelow(other.Leaves, l.Path)) > 0 {
				return false
			}
			s.addExcuse(l.Path, kind.Nothing)
			return true
		}
	}
	d.Extra = slices.DeleteFunc(slices.Clone(d.Extra), isNothing(s.ref))
	d.Missing = slices.DeleteFunc(slices.Clone(d.Missing), isNothing(s.obs))
	return d
}

// isPlaceInList reports whether an argument says from where a list goes on, such as page_token.
func isPlaceInList(words []string) bool {
	return wordlist.HasLast(" cursor offset page ", words) || wordlist.HasLast(" token ", words) && wordlist.HasAny(" page next continuation ", words)
}

// settleCleared leaves null, [] and {} in one field to a judge: each of them may clear it, and a
// tool may tell an empty list from none.
func (s *settler) settleCleared(d similarity.Difference) similarity.Difference {
	clears := func(l similarity.Leaf) bool { return l.Raw == "null" || l.Raw == "[]" || l.Raw == "{}" }
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool {
		both := clears(similarity.Leaf{Raw: p.Observed}) && clears(similarity.Leaf{Raw: p.Reference})
		if both {
			s.addChanged(p, kind.Nothing, kind.Unsure)
		}
		return both
	})
	return d
}

// settleBeside joins a unit, a currency or a time zone with the value that it belongs to. A
// currency that only one side has as an argument is excused if the other side has it in the
// value.
func (s *settler) settleBeside(d similarity.Difference) similarity.Difference {
	settled := map[string]bool{}
	joins := func(l similarity.Leaf) bool {
		words := kind.ArgumentWords(l.Key)
		if !wordlist.HasLast(kind.BesideWords, words) {
			return false
		}
		if s.hasOther(l, words[len(words)-1]) {
			return false // such as from_currency beside to_currency
		}
		path, o := s.valueBeside(l, words[len(words)-1])
		if o == kind.Same {
			settled[path] = true
		}
		return path != ""
	}
	d.Extra = slices.DeleteFunc(slices.Clone(d.Extra), joins)
	d.Missing = slices.DeleteFunc(slices.Clone(d.Missing), joins)
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool {
		return joins(similarity.Leaf{Path: p.Path, Key: p.Key})
	})
	d.Changed = slices.DeleteFunc(d.Changed, func(p similarity.Pair) bool { return settled[p.Path] })
	return d
}

// hasOther reports whether a call has another argument beside one whose name ends in the same word.
func (s *settler) hasOther(unit similarity.Leaf, word string) bool {
	folder := unit.Path[:strings.LastIndexByte(unit.Path, '.')+1]
	other := func(l similarity.Leaf) bool {
		name, beside := strings.CutPrefix(l.Path, folder)
		words := kind.ArgumentWords(l.Key)
		return beside && l.Path != unit.Path && !strings.ContainsAny(name, ".[") && len(words) > 0 && words[len(words)-1] == word
	}
	return slices.ContainsFunc(s.obs.Leaves, other) || slices.ContainsFunc(s.ref.Leaves, other)
}

// valueBeside finds the argument beside a currency, a unit or a time zone for which the unit decides,
// and returns its path and the outcome. It excuses one that is the same value in both calls.
func (s *settler) valueBeside(unit similarity.Leaf, word string) (path string, o kind.Outcome) {
	prefix := unit.Path[:strings.LastIndexByte(unit.Path, '.')+1]
	for i := range s.obs.Leaves {
		l := &s.obs.Leaves[i]
		name, beside := strings.CutPrefix(l.Path, prefix)
		j := slices.IndexFunc(s.ref.Leaves, func(r similarity.Leaf) bool { return r.Path == l.Path })
		if !beside || strings.ContainsAny(name, ".[") || l.Path == unit.Path || j < 0 {
			continue
		}
		of, o, decided := kind.CompareBeside(s.tool, l.Key, sideOf(s.obs, l.Path, l.Raw), sideOf(s.ref, l.Path, s.ref.Leaves[j].Raw), word, unit.Raw)
		if o == kind.Same {
			s.addExcuse(l.Path, of)
		}
		if decided {
			return l.Path, o
		}
	}
	return "", kind.Open
}

// mostCompared is the largest number of pairs of elements that are compared for two lists.
// Longer lists are compared by position.
const mostCompared = 1 << 12

// settleLists compares lists of single values. It says which elements are left out and which
// are extra, whatever their positions are. Lists in another order are equal only if they are
// sets.
func (s *settler) settleLists(d similarity.Difference) similarity.Difference {
	for _, list := range changedLists(&d) {
		o, r := elementsOf(s.obs.Leaves, list), elementsOf(s.ref.Leaves, list)
		if len(o) == 0 || len(r) == 0 {
			continue
		}
		d = s.settleList(d, list, o, r)
	}
	return d
}

// settleList compares the elements o and r of a list of single values. It does nothing if too many of them differ, or if only the
// order of a list that is no set does.
func (s *settler) settleList(d similarity.Difference, list string, o, r []similarity.Leaf) similarity.Difference {
	more, fewer := withoutCommon(o, r)
	if len(more)*len(fewer) > mostCompared {
		return d
	}
	more, fewer = s.matchElements(more, fewer)
	if len(more)+len(fewer) > 0 && similarity.CountsOnce(s.obs, s.ref, list) {
		more, fewer = withoutRepeats(more, r), withoutRepeats(fewer, o) // twice is the same as once
	}
	switch same := len(more) == 0 && len(fewer) == 0; {
	case same && !similarity.IsSet(s.obs, s.ref, list):
		return d // only the order differs
	case same:
		s.addExcuse(list, kind.List)
	}
	d = withoutList(d, list)
	placeAsWritten(more, s.obs, list)
	placeAsWritten(fewer, s.ref, list)
	if len(more) == 1 && len(fewer) == 1 { // one element in the place of another
		s.settleChanged(similarity.Pair{Path: fewer[0].Path, Key: fewer[0].Key, Observed: more[0].Raw, Reference: fewer[0].Raw})
		return d
	}
	for _, l := range more {
		s.addExtra(l)
	}
	for _, l := range fewer {
		s.addMissing(l)
	}
	return d
}

// longList is the number of elements from which on a list in another order is compared by the values alone.
const longList = 32

// mostListed is the largest product of the long lists that differ and the arguments of two calls up to which they are compared.
const mostListed = 1 << 21

// settleSets compares the elements of long sets, however many of them have another position: the limit of the work is for
// what is left then. O(lists · leaves), at most mostListed.
func (s *settler) settleSets(terms *similarity.Terms, d similarity.Difference) similarity.Difference {
	if len(d.Changed) < longList || !terms.Plain() || slices.ContainsFunc(d.Changed, func(p similarity.Pair) bool { return p.Wanted }) {
		return d
	}
	lists := changedLists(&d)
	if len(lists)*(len(s.obs.Leaves)+len(s.ref.Leaves)) > mostListed {
		return d
	}
	for _, list := range lists {
		o, r := elementsOf(s.obs.Leaves, list), elementsOf(s.ref.Leaves, list)
		if min(len(o), len(r)) >= longList && similarity.IsSet(s.obs, s.ref, list) {
			d = s.settleList(d, list, o, r)
		}
	}
	return s.settleLongObjects(d)
}

// withoutCommon removes the elements that two lists have in common, each once. O(elements).
func withoutCommon(o, r []similarity.Leaf) (more, fewer []similarity.Leaf) {
	count := make(map[string]int, len(r))
	for i := range r {
		count[r[i].Value]++
	}
	for _, l := range o {
		if count[l.Value] > 0 {
			count[l.Value]--
		} else {
			more = append(more, l)
		}
	}
	for i := len(r) - 1; i >= 0; i-- { // the last ones of equal elements are left, as the first ones are taken
		if count[r[i].Value] > 0 {
			count[r[i].Value]--
			fewer = append(fewer, r[i])
		}
	}
	slices.Reverse(fewer)
	return more, fewer
}

// placeAsWritten gives elements of a list the paths that they have in the call, which may have
// them in another order than its leaves.
func placeAsWritten(elements []similarity.Leaf, c *similarity.Call, list string) {
	v, err := jsonval.Parse(c.Raw)
	if err != nil || len(elements) == 0 {
		return
	}
	written := elementsOf(similarity.Leaves(v.Leaves()), list)
	for i := range elements {
		k := slices.IndexFunc(written, func(l similarity.Leaf) bool { return l.Raw == elements[i].Raw })
		if k >= 0 {
			elements[i].Path = written[k].Path
			written = slices.Delete(written, k, k+1)
		}
	}
}

// withoutRepeats returns the elements that another list does not have.
func withoutRepeats(list, other []similarity.Leaf) []similarity.Leaf {
	return slices.DeleteFunc(list, func(l similarity.Leaf) bool {
		return slices.ContainsFunc(other, func(x similarity.Leaf) bool { return x.Value == l.Value })
	})
}

// matchElements removes the elements that both lists have in other notations.
func (s *settler) matchElements(o, r []similarity.Leaf) (more, fewer []similarity.Leaf) {
	fewer = slices.Clone(r)
	for _, l := range o {
		i := slices.IndexFunc(fewer, func(x similarity.Leaf) bool {
			_, o := s.compareAt(l.Path, x.Path, l.Key, l.Raw, x.Raw)
			return o == kind.Same
		})
		if i < 0 {
			more = append(more, l)
			continue
		}
		fewer = slices.Delete(fewer, i, i+1)
	}
	return more, fewer
}

// changedLists returns the paths of the lists of single values that differ.
func changedLists(d *similarity.Difference) (out []string) {
	add := func(path string) {
		if i := strings.LastIndexByte(path, '['); i > 0 && strings.HasSuffix(path, "]") && !slices.Contains(out, path[:i]) {
			out = append(out, path[:i])
		}
	}
	for _, p := range d.Changed {
		add(p.Path)
	}
	for _, l := range d.Extra {
		add(l.Path)
	}
	for _, l := range d.Missing {
		add(l.Path)
	}
	return out
}

func elementsOf(leaves []similarity.Leaf, list string) (out []similarity.Leaf) {
	for _, l := range leaves {
		if isElement(l.Path, list) {
			out = append(out, l)
		}
	}
	return out
}

func isElement(path, list string) bool {
	rest, ok := strings.CutPrefix(path, list)
	return ok && rest != "" && rest[0] == '[' && strings.IndexByte(rest, ']') == len(rest)-1
}

func withoutList(d similarity.Difference, list string) similarity.Difference {
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool { return isElement(p.Path, list) })
	d.Extra = slices.DeleteFunc(slices.Clone(d.Extra), func(l similarity.Leaf) bool { return isElement(l.Path, list) })
	d.Missing = slices.DeleteFunc(slices.Clone(d.Missing), func(l similarity.Leaf) bool { return isElement(l.Path, list) })
	return d
}
