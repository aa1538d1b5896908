package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// objectOf returns the argument that names the thing on which an action acts, such as the
// reservation or the order. It prefers an argument whose noun stands in the action's name,
// then anything but a person. It returns nil if no argument names a thing.
func objectOf(a *boundary.Action) *similarity.Leaf {
	var best *similarity.Leaf
	rank := 0
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if l.Path != l.Key || l.Raw == "" || !boundary.Identifies(l.Key, "") {
			continue
		}
		words := mutation.NameWords(l.Key)
		if holdsWord(words, "payment", "method") {
			continue
		}
		now := 2
		if holdsWord(words, personWords...) {
			now = 1
		} else if holdsWord(words, a.Words()...) {
			now = 3
		}
		if now > rank {
			best, rank = l, now
		}
	}
	return best
}

// isPerson reports whether an argument names the person for whom the agent works, so that
// it is the same in many calls.
func isPerson(key string) bool {
	return holdsWord(mutation.NameWords(key), personWords...)
}

var personWords = []string{"user", "customer", "account", "client", "member"}

func holdsWord(words []string, some ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(some, w) })
}

// differencesOf returns the arguments in which an action differs from a reference step:
// those with two values first, because the others often add nothing, and each in the order
// of their paths. A list of scalars is one argument, and so is an element of
// a list that has no value in common on the two sides. It returns nil if nothing differs.
func differencesOf(obs, ref *boundary.Action) []Difference {
	if obs.Text != "" || ref.Text != "" {
		return []Difference{{"", obs.Text, ref.Text}}
	}
	d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
	var out []Difference
	for _, p := range d.Changed {
		out = append(out, Difference{p.Path, p.Observed, p.Reference})
	}
	for _, l := range d.Extra {
		out = append(out, Difference{Path: l.Path, Observed: l.Raw})
	}
	for _, l := range d.Missing {
		out = append(out, Difference{Path: l.Path, Observed: nullAt(obs, l.Path), Reference: l.Raw})
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	out = joinElements(out, obs, ref)
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(a.oneSided(), b.oneSided()) })
	return out
}

// nullAt returns "null" if an action's arguments have null at a path, and else "". A missing value is told otherwise
// than one that is null.
func nullAt(a *boundary.Action, place string) string {
	if strings.Contains(a.Raw, "null") && rawAt(a, place) == "null" {
		return "null"
	}
	return ""
}

// oneSided returns 1 if only one side has the argument, and else 0.
func (d *Difference) oneSided() int {
	if d.Observed == "" || d.Reference == "" {
		return 1
	}
	return 0
}

// joinElements replaces the differences inside an element by one difference about the
// element, where containerOf says so.
func joinElements(all []Difference, obs, ref *boundary.Action) (out []Difference) {
	done := map[string]bool{}
	for _, d := range all {
		whole := containerOf(d.Path, all, obs, ref)
		switch {
		case whole == d.Path:
			out = append(out, d)
		case !done[whole]:
			done[whole] = true
			if o, r := rawAt(obs, whole), rawAt(ref, whole); o != r { // lists that belong together are compared as one table
				out = append(out, Difference{whole, o, r})
			}
		}
	}
	return out
}

// containerOf returns the path of the value that is told for a difference: the list of an
// element without members, the element whose values all differ, or the path itself. With
// more than mostTold differences, it looks for no such element.
func containerOf(place string, all []Difference, obs, ref *boundary.Action) string {
	end := strings.LastIndexByte(place, ']')
	if end < 0 {
		return place
	}
	begin := strings.LastIndexByte(place[:end], '[')
	if begin < 1 || place[begin+1] == '"' { // a member whose name has dots
		return place
	}
	if end == len(place)-1 {
		return place[:begin]
	}
	if len(all) > mostTold {
		return place
	}
	element := place[:end+1]
	leaves := countBelow(obs.Leaves, element) + countBelow(ref.Leaves, element)
	for _, d := range all {
		if isBelow(d.Path, element) {
			if d.Observed != "" {
				leaves--
			}
			if d.Reference != "" {
				leaves--
			}
		}
	}
	if leaves == 0 {
		return element
	}
	return place
}

func isBelow(place, container string) bool {
	rest, ok := strings.CutPrefix(place, container)
	return ok && rest != "" && rest[0] == '.'
}

func countBelow(leaves []similarity.Leaf, container string) (n int) {
	for i := range leaves {
		if isBelow(leaves[i].Path, container) {
			n++
		}
	}
	return n
}

// rawAt returns the JSON text at a path of an action's arguments as it is written; "" if
// there is none. A text of several lines becomes one line.
func rawAt(a *boundary.Action, place string) string {
	v, err := jsonval.Parse(a.Raw)
	if err != nil {
		return ""
	}
	p, err := path.CompilePlaces(place)
	if err != nil {
		return ""
	}
	if at := p.Get(v); at.Exists() {
		if raw := at.Raw(); !strings.Contains(raw, "\n") {
			return raw
		}
		return jsonval.Compact(at.Raw())
	}
	return ""
}

// scalarsIn returns the texts of all scalars in a JSON text. A text that is not JSON is
// itself one scalar.
func scalarsIn(raw string) (out []string) {
	v, err := jsonval.Parse(raw)
	switch {
	case raw == "":
	case err != nil:
		out = []string{raw}
	case v.Kind() == jsonval.Array || v.Kind() == jsonval.Object:
		for _, l := range v.Leaves() {
			out = append(out, l.Value.Text())
		}
	default:
		out = []string{v.Text()}
	}
	return out
}

// wantedValues returns the values of missing calls by which a request for them can be
// recognised: those that name things, then words such as business. Names of persons and
// codes stand in many sentences that ask for nothing. A value that the agent used, too,
// asks for nothing else.
func (t *teller) wantedValues(s *Story) (out []string) {
	used := map[string]bool{}
	for _, c := range s.Did {
		for i := range t.Obs[c.Index].Leaves {
			used[t.Obs[c.Index].Leaves[i].Value] = true
		}
	}
	var words []string
	for _, c := range s.Should {
		a := &t.Ref[c.Index]
		if o := t.knownObject(a); o != nil && !used[o.Value] {
			out = append(out, similarity.Plain(o.Raw))
		}
		for i := range a.Leaves {
			l := &a.Leaves[i]
			if len(words) == mostWanted || used[l.Value] || holdsWord(mutation.NameWords(l.Key), "name", "city", "country", "state") {
				continue
			}
			if value := similarity.Plain(l.Raw); !strings.ContainsAny(value, "0123456789@") {
				words = append(words, value)
			}
		}
	}
	return append(out, words...)
}

// mostWanted is the largest number of words for which a sentence is sought.
const mostWanted = 24

// otherValues returns the values with which a sentence does not decide a story: the
// agent's values where they differ, and the things on which the run acted and that the
// story is not about.
func (t *teller) otherValues(s *Story) (out []string) {
	for _, d := range s.Differs {
		out = append(out, scalarsIn(d.Observed)...)
	}
	about := map[string]bool{}
	for _, calls := range [...][]Call{s.Did, s.Should} {
		for _, c := range calls {
			for _, o := range c.Object {
				about[o.Value] = true
			}
		}
	}
	for i := range t.Obs {
		if o := t.knownObject(&t.Obs[i]); o != nil && !about[o.Raw] {
			out = append(out, scalarsIn(o.Raw)...)
		}
	}
	return out
}

// thingsOfOthers returns the things of the agent's changes that a story is not about.
func (t *teller) thingsOfOthers(s *Story) (things []string) {
	for i := range t.Obs {
		a := &t.Obs[i]
		if o := t.knownObject(a); o != nil && a.Writes() && !slices.ContainsFunc(s.Did, func(c Call) bool { return c.Index == i }) {
			things = append(things, similarity.Plain(o.Raw))
		}
	}
	return things
}
