package pairing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// settleObjects compares lists of objects: each one with the object of the other list that is the
// same or the most like it, whatever their positions are. Lists of equal objects in another order
// are equal only if the order means nothing.
func (s *settler) settleObjects(d similarity.Difference) similarity.Difference {
	for _, list := range changedObjects(&d) {
		s.compared = map[[2]*similarity.Leaf]bool{}
		o, r := objectsOf(s.obs.Leaves, list), objectsOf(s.ref.Leaves, list)
		if len(o) == 0 || len(r) == 0 || max(len(o), len(r)) < 2 || len(o)*len(r) > mostCompared {
			continue
		}
		switch isSet := similarity.IsSetOfObjects(s.obs, s.ref, list); {
		case isSet && len(o) == len(r) && s.haveSameObjects(o, r):
			s.addExcuse(list, kind.List)
		case !s.pairObjects(o, r, isSet):
			continue
		}
		d = withoutObjects(d, list)
	}
	return d
}

// settleLongObjects excuses long lists of the same objects in another order, if the order means nothing. O(lists · leaves), at
// most mostListed.
func (s *settler) settleLongObjects(d similarity.Difference) similarity.Difference {
	lists := changedObjects(&d)
	if len(lists)*(len(s.obs.Leaves)+len(s.ref.Leaves)) > mostListed {
		return d
	}
	for _, list := range lists {
		o, r := objectsOf(s.obs.Leaves, list), objectsOf(s.ref.Leaves, list)
		if len(o) < longList || len(o) != len(r) || !similarity.IsSetOfObjects(s.obs, s.ref, list) {
			continue
		}
		if more, _ := withoutCommon(textsOf(o), textsOf(r)); len(more) == 0 {
			s.addExcuse(list, kind.List)
			d = withoutObjects(d, list)
		}
	}
	return d
}

// textsOf returns a leaf for each object, with all its members and their values.
func textsOf(objects [][]similarity.Leaf) (out []similarity.Leaf) {
	for _, o := range objects {
		var b strings.Builder
		for i := range o {
			b.WriteString(memberOf(o[i].Path))
			b.WriteByte(1)
			b.WriteString(o[i].Value)
			b.WriteByte(0)
		}
		out = append(out, similarity.Leaf{Value: b.String()})
	}
	return out
}

// withoutObjects removes the differences in a list of objects.
func withoutObjects(d similarity.Difference, list string) similarity.Difference {
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool { return isBelow(p.Path, list) })
	below := func(l similarity.Leaf) bool { return isBelow(l.Path, list) }
	d.Extra, d.Missing = slices.DeleteFunc(slices.Clone(d.Extra), below), slices.DeleteFunc(slices.Clone(d.Missing), below)
	return d
}

// pairObjects compares each object of one list with its partner in the other list. It returns false,
// and compares nothing, if all partners have one position: then the members are compared where they
// stand. It also does so if partners cross each other in a list whose order means something.
func (s *settler) pairObjects(o, r [][]similarity.Leaf, isSet bool) bool {
	partner := s.partners(o, r)
	moved, last := false, -1
	for i, k := range partner {
		if k < 0 {
			continue
		}
		if k < last && !isSet {
			return false
		}
		moved, last = moved || k != i, k
	}
	if !moved {
		return false
	}
	taken := make([]bool, len(r))
	for i, k := range partner {
		if k < 0 {
			for _, l := range o[i] {
				s.addExtra(l)
			}
			continue
		}
		taken[k] = true
		s.compareObjects(o[i], r[k])
	}
	for k := range r {
		if !taken[k] {
			for _, l := range r[k] {
				s.addMissing(l)
			}
		}
	}
	return true
}

// partners returns for each object of o the index of its partner in r, or -1. Equal objects are
// partners first, then those with an equal member that names a thing, then those that are equal in other
// notations, and then those that are left in both, in their order.
func (s *settler) partners(o, r [][]similarity.Leaf) []int {
	partner, taken := make([]int, len(o)), make([]bool, len(r))
	for i := range partner {
		partner[i] = -1
	}
	pair := func(fits func(x, y []similarity.Leaf) bool) {
		for i := range o {
			for k := 0; k < len(r) && partner[i] < 0; k++ {
				if !taken[k] && fits(o[i], r[k]) {
					partner[i], taken[k] = k, true
				}
			}
		}
	}
	pair(func(x, y []similarity.Leaf) bool {
		return slices.EqualFunc(x, y, func(a, b similarity.Leaf) bool { return a.Value == b.Value && memberOf(a.Path) == memberOf(b.Path) })
	})
	pair(haveSameName)
	pair(s.sameObject)
	pair(func(_, _ []similarity.Leaf) bool { return true })
	return partner
}

// haveSameName reports whether two objects have an equal member that names a thing.
func haveSameName(x, y []similarity.Leaf) bool {
	return slices.ContainsFunc(x, func(a similarity.Leaf) bool {
		return isNaming(&a) && slices.ContainsFunc(y, func(b similarity.Leaf) bool {
			return a.Value == b.Value && memberOf(a.Path) == memberOf(b.Path)
		})
	})
}

// isNaming reports whether a member of an object says which one it is.
func isNaming(l *similarity.Leaf) bool {
	key := strings.ToLower(l.Key)
	for _, end := range [...]string{"id", "name", "number", "key", "sku", "code", "email", "uuid", "slug", "title"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// compareObjects compares the members of two objects. A difference has the path of the reference.
func (s *settler) compareObjects(x, y []similarity.Leaf) {
	left := slices.Clone(y)
	for _, a := range x {
		k := slices.IndexFunc(left, func(b similarity.Leaf) bool { return memberOf(a.Path) == memberOf(b.Path) })
		if k < 0 {
			s.addExtra(a)
			continue
		}
		b := left[k]
		left = slices.Delete(left, k, k+1)
		if a.Value == b.Value {
			s.rest.Same++
			continue
		}
		name, o := s.compareAt(a.Path, b.Path, a.Key, a.Raw, b.Raw)
		s.addChanged(similarity.Pair{Path: b.Path, Key: b.Key, Observed: a.Raw, Reference: b.Raw}, name, o)
	}
	for _, b := range left {
		s.addMissing(b)
	}
}

// haveSameObjects reports whether each object of one list equals another one of the other.
func (s *settler) haveSameObjects(o, r [][]similarity.Leaf) bool {
	left := slices.Clone(r)
	for _, x := range o {
		i := slices.IndexFunc(left, func(y []similarity.Leaf) bool { return s.sameObject(x, y) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// sameObject reports whether two objects of the current list are equal. It compares each two once.
func (s *settler) sameObject(x, y []similarity.Leaf) bool {
	if len(x) != len(y) || differInID(x, y) {
		return false
	}
	two := [2]*similarity.Leaf{&x[0], &y[0]}
	if _, known := s.compared[two]; !known {
		s.compared[two] = slices.EqualFunc(x, y, s.sameMember)
	}
	return s.compared[two]
}

// differInID reports whether two objects have two ids in one place. An id has no other notation, so nothing
// else needs to be compared.
func differInID(x, y []similarity.Leaf) bool {
	for i := range x {
		if a, b := &x[i], &y[i]; a.Value != b.Value && isNaming(a) && kind.IsCode(similarity.Plain(a.Raw)) && kind.IsCode(similarity.Plain(b.Raw)) && memberOf(a.Path) == memberOf(b.Path) {
			return true
		}
	}
	return false
}

// sameMember reports whether two members of elements of a list have one name and one value.
func (s *settler) sameMember(a, b similarity.Leaf) bool {
	if memberOf(a.Path) != memberOf(b.Path) {
		return false
	}
	if a.Value == b.Value {
		return true
	}
	_, o := s.compareAt(a.Path, b.Path, a.Key, a.Raw, b.Raw)
	return o == kind.Same
}

// memberOf returns the part of a path behind its first index.
func memberOf(path string) string { return path[strings.IndexByte(path, ']')+1:] }

// changedObjects returns the paths of the lists at the top that differ inside an object.
func changedObjects(d *similarity.Difference) (out []string) {
	add := func(path string) {
		if list, rest, ok := strings.Cut(path, "["); ok && strings.Contains(rest, "].") && !slices.Contains(out, list) {
			out = append(out, list)
		}
	}
	for _, p := range d.Changed {
		add(p.Path)
	}
	for _, l := range slices.Concat(d.Extra, d.Missing) {
		add(l.Path)
	}
	return out
}

// objectsOf returns the leaves of each object in a list. Leaves are sorted by path.
func objectsOf(leaves []similarity.Leaf, list string) (out [][]similarity.Leaf) {
	last, opened := "", list+"["
	for _, l := range leaves {
		rest, ok := strings.CutPrefix(l.Path, opened)
		index, _, isObject := strings.Cut(rest, "].")
		if !ok || !isObject {
			continue
		}
		if len(out) == 0 || index != last {
			out = append(out, nil)
			last = index
		}
		out[len(out)-1] = append(out[len(out)-1], l)
	}
	return out
}
