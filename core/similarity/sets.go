package similarity

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// pluralIdentifiers end the names of lists whose elements name entities.
var pluralIdentifiers = [...]string{"ids", "keys", "emails", "numbers", "usernames", "uuids", "slugs", "names", "users", "members", "labels", "tags"}

// namesEntities tells whether a list's name says that it lists entities. A
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
// and gives the object's leaves. Lists of equal length may run in parallel
// (items and what each is exchanged for), so they are sorted as rows of one
// table: two calls stay different unless every row of the one is a row of the
// other.
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
		place(out, tables[n])
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

// place sorts the rows of parallel lists and writes them back to their leaves.
func place(out []Leaf, table []list) {
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
	for _, l := range table {
		for to, from := range order {
			byPath[jsonval.Path(l.key, to)] = l.cells[from]
		}
	}
	for i := range out {
		if c, ok := byPath[out[i].Path]; ok {
			out[i].Value, out[i].Raw = c.value, c.raw
		}
	}
}
