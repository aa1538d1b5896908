package several

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A tree of groups has records at several depths: a group of tests has tests of its own beside further
// groups. The law of this file: each record of such a tree is one run, whatever its lists are called, in the
// order of the text; and a tree of which an element is neither a record nor a group is not read so.

// grouper collects the records of a tree.
type grouper struct {
	out    []engine.Unit
	depths map[int]bool // at which records stand
}

// groupedRows returns the runs of a tree of groups in which records stand at several depths. Others are read
// by their shape. O(size).
func groupedRows(rows []jsonval.Value) (out engine.Units, ok bool) {
	if !slices.ContainsFunc(rows, func(v jsonval.Value) bool { return mayBeGrouped(shape.OpenObject(v), 0) }) {
		return out, false
	}
	g := grouper{depths: map[int]bool{}}
	if !g.addList(rows, 0) || len(g.depths) < 2 {
		return out, false
	}
	return engine.Units{List: g.out}, true
}

// mayBeGrouped reports whether an object may have a list of records beside one of groups, so that other texts
// cost little. It looks at the first element of each list.
func mayBeGrouped(o *shape.Object, depth int) bool {
	records, groups := false, false
	for i, key := range o.Keys {
		first := shape.FirstElement(o.Values[i])
		if o.Values[i].Kind() != jsonval.Array || first.Kind() != jsonval.Object || shape.IsPartList(key) || shape.IsExpected(key) {
			continue
		}
		switch {
		case isRecord(first):
			records = true
		case depth < engine.MaxUnits && slices.ContainsFunc(o.Values[i].Elements()[:min(o.Values[i].Len(), 4)], func(e jsonval.Value) bool { return mayBeGrouped(shape.OpenObject(e), depth+1) }):
			return true
		default:
			groups = true
		}
	}
	return records && groups || groups && depth < engine.MaxUnits && hasUneven(o)
}

// hasUneven reports whether some elements of a list of groups have groups and others have records.
func hasUneven(o *shape.Object) bool {
	for _, v := range o.Values {
		records, groups := false, false
		if v.Kind() != jsonval.Array || v.Len() < 2 {
			continue
		}
		for _, e := range v.Elements()[:min(v.Len(), 8)] {
			for _, list := range shape.OpenObject(e).Values {
				if first := shape.FirstElement(list); list.Kind() == jsonval.Array && first.Kind() == jsonval.Object {
					record := isRecord(first)
					records, groups = records || record, groups || !record
				}
			}
		}
		if records && groups {
			return true
		}
	}
	return false
}

// isRecord reports whether a value is the record of one run, with an id, a name, what was expected or how it ended.
func isRecord(v jsonval.Value) bool {
	o := shape.OpenObject(v)
	if len(o.Keys) < 2 || !isWhole(v) || engine.RecordID(o) == "" && o.FirstText("name title") == "" {
		return false
	}
	return (holdsSide(o) || shape.OwnsOutcome(o) || shape.HasRunSide(o)) && !slices.ContainsFunc(o.Keys, func(key string) bool {
		m := o.MemberNamed(key)
		return m.Kind() == jsonval.Array && !shape.IsExpected(key) && slices.ContainsFunc(m.Elements(), isWhole)
	})
}

// addList adds the records of a list, and those inside the groups of it. It reports whether the list has only
// records and groups.
func (g *grouper) addList(list []jsonval.Value, depth int) bool {
	for _, e := range list {
		switch {
		case e.Kind() != jsonval.Object || depth > engine.MaxUnits:
			return false
		case isRecord(e):
			g.depths[depth] = true
			g.out = append(g.out, engine.Unit{Rows: []jsonval.Value{e}, At: e})
		case !g.addGroup(shape.OpenObject(e), depth):
			return false
		}
	}
	return true
}

// addGroup adds the records of a group, and reports whether it has lists of records and groups alone.
func (g *grouper) addGroup(o *shape.Object, depth int) bool {
	found := false
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Array && v.Kind() != jsonval.Object {
			continue
		}
		if v.Kind() == jsonval.Array && (v.Len() == 0 || shape.FirstElement(v).Kind() == jsonval.Object) && !shape.IsPartList(key) && !shape.IsExpected(key) {
			if found = true; !g.addList(v.Elements(), depth+1) {
				return false
			}
		} else if engine.MayHoldCall(v) {
			return false
		}
	}
	return found
}
