package similarity

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// pluralIdentifiers lists the endings of the names of lists that contain entities.
var pluralIdentifiers = [...]string{"ids", "keys", "emails", "numbers", "usernames", "uuids", "slugs", "names", "users", "members", "labels", "tags",
	"recipients", "attendees", "participants", "guests", "invitees", "staff", "people", "persons", "players", "roles", "permissions", "categories"}

// orders lists words of the names of lists whose order has a meaning.
var orders = [...]string{"order", "sequence", "route", "path", "step", "stop", "leg", "waypoint", "rank", "priorit", "queue", "playlist", "program", "itinerary", "schedule", "track", "move", "history", "chain", "position", "coordinate"}

// namesEntities reports whether a list with this name contains entities. The order of
// such a list has no meaning.
func namesEntities(key string) bool {
	k := strings.ToLower(key)
	for _, end := range pluralIdentifiers {
		if strings.HasSuffix(k, end) {
			return true
		}
	}
	return false
}

// areEntities reports whether the elements of a list look like entities. Either all
// elements are email addresses, or all are codes of letters and digits such as B3. It
// returns false if the list's name says that the order matters.
func areEntities(key string, cells []cell) bool {
	k := strings.ToLower(key)
	for _, word := range orders {
		if strings.Contains(k, word) {
			return false
		}
	}
	mails, codes := true, true
	for _, c := range cells {
		text := strings.Trim(c.value, `"`)
		isString := len(text) < len(c.value)
		mails = mails && isString && isMailAddress(text)
		codes = codes && isString && len(text) <= 32 && !strings.ContainsAny(text, " \t/\\:") && strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, unicode.IsLetter)
	}
	return mails || codes
}

// sortSets returns the leaves of an object's members, and sorts lists of entities. Lists
// of equal length, such as items and their replacements, may belong together. So they are
// sorted together, like the columns of one table. A row that replaces an entity by itself
// is left out.
// tool is the name of the called tool.
func sortSets(tool string, object jsonval.Value) []Leaf {
	var tables [][]list // most calls have none
	sequence := 0       // 1 if an argument says that the lists have an order, and -1 if none does; 0 if not asked
	object.Each(func(key string, v jsonval.Value) bool {
		if v.Kind() != jsonval.Array {
			return true
		}
		cells := scalarCells(v)
		if len(cells) < 2 {
			return true
		}
		if sequence == 0 {
			if sequence = -1; saysSequence(object) {
				sequence = 1
			}
		}
		if sequence > 0 {
			return false
		}
		at := slices.IndexFunc(tables, func(t []list) bool {
			return len(t[0].cells) == len(cells) && !hasOwnRows(t[0].key)
		})
		if at < 0 || hasOwnRows(key) {
			at, tables = len(tables), append(tables, nil)
		}
		tables[at] = append(tables[at], list{key, cells})
		return true
	})
	out := leavesOf(object)
	for _, table := range tables {
		if mayBeSorted(tool, table) {
			out = placeRows(out, withoutIdentities(table), len(table[0].cells))
		}
	}
	return out
}

// hasOwnRows reports whether a list is no column of a table of parallel lists: it belongs to no other one, or has an order of
// its own, as steps has.
func hasOwnRows(key string) bool { return standsAlone(key) || speaksOfOrder("", key) }

// mayBeSorted reports whether the order of the rows of parallel lists means nothing: one of them is a set, or one has labels and
// none may have an order. A list without others is sorted only if it is a set.
func mayBeSorted(tool string, table []list) bool {
	labels := false
	for _, l := range table {
		if isSet(tool, l.key, l.cells) {
			return true
		}
		labels = labels || areLabels(l.cells)
	}
	return labels && len(table) > 1 && !slices.ContainsFunc(table, func(l list) bool { return MayHaveOrder(tool, l.key) })
}

// list is one list of entities.
type list struct {
	key   string
	cells []cell
}

// cell is one element of a list: its canonical value and its text in the call.
type cell struct{ value, raw string }

func scalarCells(v jsonval.Value) []cell {
	var out []cell
	for _, e := range v.Elements() {
		if k := e.Kind(); k == jsonval.Array || k == jsonval.Object || k == jsonval.Null {
			return nil
		}
		out = append(out, cell{NormalText(e), e.Raw()})
	}
	return out
}

// withoutIdentities removes the rows in which an element is replaced by itself. It
// changes only tables of two lists such as ids and new_ids (see isRenewal). If no row
// would remain, it returns the table unchanged.
func withoutIdentities(table []list) []list {
	if len(table) != 2 || !isRenewal(table[0].key, table[1].key) && !isRenewal(table[1].key, table[0].key) {
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

var nameMarks = strings.NewReplacer("_", "", "-", "")

// isRenewal reports whether the list renewed has the replacements for the list old,
// judging by their names. Examples of such names are ids and new_ids, oldIds and newIds,
// ids and ids_new.
func isRenewal(old, renewed string) bool {
	o, n := nameMarks.Replace(strings.ToLower(old)), nameMarks.Replace(strings.ToLower(renewed))
	o = strings.TrimPrefix(o, "old")
	return n == "new"+o || n == o+"new"
}

// placeRows sorts the rows of parallel lists and writes the rows back to the leaves. n is
// the number of rows before withoutIdentities removed some of them. The leaves of removed
// rows are deleted.
func placeRows(out []Leaf, table []list, n int) []Leaf {
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

// SplitLists returns the arguments of a call in two parts. fixed is the text of all
// arguments outside lists. elements has one text for each element of an outermost list,
// and this text begins with the path of the list. leaves must be sorted by path. O(n).
func SplitLists(leaves []Leaf) (fixed string, elements []string) {
	var b strings.Builder
	last := ""
	for _, l := range leaves {
		list, rest, ok := strings.Cut(l.Path, "[")
		if !ok {
			b.WriteString(l.Path)
			b.WriteByte(1)
			b.WriteString(l.Value)
			b.WriteByte(0)
			continue
		}
		index, member, _ := strings.Cut(rest, "]")
		if element := list + "[" + index; element != last {
			elements, last = append(elements, list), element
		}
		elements[len(elements)-1] += "\x00" + member + "\x01" + l.Value
	}
	return b.String(), elements
}

// WithoutElements returns a copy of all in which one copy of each element of some is
// removed. contains is false if all does not contain some. O(n + m).
func WithoutElements(all, some []string) (rest []string, contains bool) {
	left := make(map[string]int, len(some))
	for _, e := range some {
		left[e]++
	}
	rest = make([]string, 0, max(0, len(all)-len(some)))
	for _, e := range all {
		if left[e] > 0 {
			left[e]--
		} else {
			rest = append(rest, e)
		}
	}
	if len(rest)+len(some) > len(all) {
		return nil, false
	}
	return rest, true
}
