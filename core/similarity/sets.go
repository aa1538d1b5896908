package similarity

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// pluralIdentifiers end the names of lists whose elements name entities.
var pluralIdentifiers = [...]string{"ids", "keys", "emails", "numbers", "usernames", "uuids", "slugs", "names", "users", "members", "labels", "tags"}

// namesEntities reports whether a list's name says that it lists entities. A
// scope is a set, so the order of such a list means nothing.
func namesEntities(key string) bool {
	k := strings.ToLower(key)
	for _, end := range pluralIdentifiers {
		if strings.HasSuffix(k, end) {
			return true
		}
	}
	return false
}

// sortSets puts the lists of entities among an object's members in one order,
// and returns the object's leaves. Lists of equal length may run in parallel
// (items and what each is exchanged for), so they are sorted as rows of one
// table: two calls stay different unless every row of the one is a row of the
// other. A row that puts a thing in its own place asks for nothing, and is left out.
func sortSets(object jsonval.Value) []Leaf {
	var tables map[int][]list // most calls have none
	var lengths []int
	object.Each(func(key string, v jsonval.Value) bool {
		if v.Kind() != jsonval.Array || !namesEntities(key) {
			return true
		}
		if cells := scalars(v); len(cells) > 1 {
			if tables == nil {
				tables = map[int][]list{}
			}
			if len(tables[len(cells)]) == 0 {
				lengths = append(lengths, len(cells))
			}
			tables[len(cells)] = append(tables[len(cells)], list{key, cells})
		}
		return true
	})
	out := leaves(object)
	for _, n := range lengths {
		out = place(out, withoutIdentities(tables[n]), n)
	}
	return out
}

// list is one list of entities.
type list struct {
	key   string
	cells []cell
}

// cell is one element: canonical and as it stands.
type cell struct{ value, raw string }

func scalars(v jsonval.Value) []cell {
	var out []cell
	for _, e := range v.Elements() {
		if k := e.Kind(); k == jsonval.Array || k == jsonval.Object || k == jsonval.Null {
			return nil
		}
		out = append(out, cell{normal(e), e.Raw()})
	}
	return out
}

// withoutIdentities takes out the rows of a table of two lists, one of which holds
// what takes the place of the other's elements, where both hold the same. Something
// must be left: a call that changes nothing at all is another question.
func withoutIdentities(table []list) []list {
	if len(table) != 2 || !renews(table[0].key, table[1].key) && !renews(table[1].key, table[0].key) {
		return table
	}
	kept := []list{{key: table[0].key}, {key: table[1].key}}
	for i, c := range table[0].cells {
		if d := table[1].cells[i]; c.value != d.value {
			kept[0].cells, kept[1].cells = append(kept[0].cells, c), append(kept[1].cells, d)
		}
	}
	if len(kept[0].cells) == 0 {
		return table
	}
	return kept
}

// renews tells by their names whether one list holds what replaces another's
// elements: ids and new_ids, oldIds and newIds, ids_new.
func renews(old, renewed string) bool {
	plain := strings.NewReplacer("_", "", "-", "")
	o, n := plain.Replace(strings.ToLower(old)), plain.Replace(strings.ToLower(renewed))
	o = strings.TrimPrefix(o, "old")
	return n == "new"+o || n == o+"new"
}

// place sorts the rows of parallel lists and writes them back to the leaves of
// lists that had n rows; leaves of rows that are gone go, too.
func place(out []Leaf, table []list, n int) []Leaf {
	sort.Slice(table, func(i, j int) bool { return table[i].key < table[j].key })
	order := make([]int, len(table[0].cells))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		for _, l := range table {
			if x, y := l.cells[order[a]].value, l.cells[order[b]].value; x != y {
				return x < y
			}
		}
		return false
	})
	byPath := map[string]cell{}
	gone := map[string]bool{}
	for _, l := range table {
		for to := range n {
			if path := jsonval.Path(l.key, to); to < len(order) {
				byPath[path] = l.cells[order[to]]
			} else {
				gone[path] = true
			}
		}
	}
	kept := out[:0]
	for _, leaf := range out {
		if gone[leaf.Path] {
			continue
		}
		if c, ok := byPath[leaf.Path]; ok {
			leaf.Value, leaf.Raw = c.value, c.raw
		}
		kept = append(kept, leaf)
	}
	return kept
}
