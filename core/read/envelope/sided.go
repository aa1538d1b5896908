package envelope

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A long table has one row for each call, with a column that names the run and another one that says in a word
// whether the call was made or should have been made. Or each side of a run is one row with a list of calls, and
// another row may say how the run ended. The law of this file: the rows with a word for what was expected are what
// should have been done in their run, in any language, and no row is lost. A run without such rows has no reference.

// SidedRows returns the records of such rows as JSON lines, one for each run, and reports whether rows are such.
func SidedRows(rows []jsonval.Value) (string, bool) {
	if len(rows) < 2 {
		return "", false
	}
	first := shape.OpenObject(rows[0])
	if side := sideColumn(rows, first); side != "" {
		if records, ok := sidedRows(rows, first, side); ok {
			return records, true
		}
		return pairedRows(rows, first, side)
	}
	return "", false
}

// pairedRows returns the records of rows of which each is one side of a run, with a list of calls, or says something
// else of it. It reports false if a run has a side twice, or if the rows do not say of which run they are.
func pairedRows(rows []jsonval.Value, first *shape.Object, side string) (string, bool) {
	run := pairColumn(rows, first, side)
	if run == "" {
		return "", false
	}
	type record struct {
		members     []string
		said        map[string]string
		done, asked bool
	}
	var order []*record
	at := map[string]*record{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id := o.MemberNamed(run)
		r := at[id.Raw()]
		if r == nil {
			r = &record{members: []string{`"run_id":` + id.Raw()}, said: map[string]string{}}
			order, at[id.Raw()] = append(order, r), r
		}
		list := onlyList(o)
		expected := shape.IsExpected(o.MemberNamed(side).Text())
		for i, key := range o.Keys {
			switch {
			case key == run, key == side:
			case key != list:
				if before, twice := r.said[key]; twice {
					if shape.IsOutcomeName(key) && before != o.Values[i].Raw() {
						return "", false
					}
					continue
				}
				r.said[key] = o.Values[i].Raw()
				r.members = append(r.members, jsonval.Quoted(key)+":"+o.Values[i].Raw())
			case expected && !r.asked:
				r.asked = true
				r.members = append(r.members, `"expected_calls":`+o.Values[i].Raw())
			case !expected && !r.done:
				r.done = true
				r.members = append(r.members, `"calls":`+o.Values[i].Raw())
			default:
				return "", false
			}
		}
	}
	var b strings.Builder
	for _, r := range order {
		b.WriteString("{" + strings.ReplaceAll(strings.Join(r.members, ","), "\n", " ") + "}\n")
	}
	return b.String(), true
}

// onlyList returns the name of the only list of a row, or "".
func onlyList(o *shape.Object) (name string) {
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Array {
			if name != "" {
				return ""
			}
			name = key
		}
	}
	return name
}

// pairColumn returns the column that names the run of each row, or "": the first one of which half of the values have
// a row with a list of each side, or each with one of what was expected has one of what was done.
func pairColumn(rows []jsonval.Value, first *shape.Object, side string) string {
	for _, key := range first.Keys {
		if key == side || hasColumnWord(key, partColumns) {
			continue
		}
		sides := map[string]int{} // 1 for what was done, 2 for what was expected, 3 for both
		for _, row := range rows {
			v := row.Get(key)
			if k := v.Kind(); k != jsonval.String && k != jsonval.Number {
				sides = nil
				break
			}
			sides[v.Raw()] |= shape.IfElse(onlyList(shape.OpenObject(row)) == "", 0, shape.IfElse(shape.IsExpected(row.Get(side).Text()), 2, 1))
		}
		both, alone := 0, 0
		for _, seen := range sides {
			both += shape.IfElse(seen == 3, 1, 0)
			alone += shape.IfElse(seen == 2, 1, 0)
		}
		if both > 0 && (2*both >= len(sides) || alone == 0) {
			return key
		}
	}
	return ""
}

func sidedRows(rows []jsonval.Value, first *shape.Object, side string) (string, bool) {
	run := runColumn(rows, first, side)
	if run == "" {
		return "", false
	}
	type record struct {
		id                jsonval.Value
		done, asked, ends []string
	}
	var order []*record
	at := map[string]*record{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id := o.MemberNamed(run)
		r := at[id.Raw()]
		if r == nil {
			r = &record{id: id}
			order, at[id.Raw()] = append(order, r), r
		}
		for i, key := range o.Keys {
			if end := jsonval.Quoted(key) + ":" + o.Values[i].Raw(); isRunEnd(key) && o.Values[i].Kind() != jsonval.Null && !slices.Contains(r.ends, end) {
				r.ends = append(r.ends, end)
			}
		}
		raw := strings.ReplaceAll(dropMembers(o, side), "\n", " ")
		if shape.IsExpected(o.MemberNamed(side).Text()) {
			r.asked = append(r.asked, raw)
		} else {
			r.done = append(r.done, raw)
		}
	}
	var b strings.Builder
	for _, r := range order {
		b.WriteString(`{"run_id":` + r.id.Raw() + `,"calls":[` + strings.Join(r.done, ",") + "]")
		if len(r.asked) > 0 {
			b.WriteString(`,"expected_calls":[` + strings.Join(r.asked, ",") + "]")
		}
		for i, end := range r.ends {
			name, value, _ := strings.Cut(end, ":")
			if i == 0 || !strings.HasPrefix(r.ends[i-1], name+":") {
				b.WriteString("," + name + ":" + value)
				continue
			}
			return "", false // two words for the end of one run
		}
		b.WriteString("}\n")
	}
	return b.String(), true
}

// sideColumn returns the column that says of which side each row is, or "".
func sideColumn(rows []jsonval.Value, first *shape.Object) string {
	for i, key := range first.Keys {
		if first.Values[i].Kind() != jsonval.String || shape.IsExpected(key) {
			continue
		}
		words, expected := map[string]bool{}, 0
		for _, row := range rows {
			word, is := row.Get(key).Str()
			if !is || len(word) > 24 || len(words) > 3 {
				words = nil
				break
			}
			words[word] = true
			expected += shape.IfElse(shape.IsExpected(word), 1, 0)
		}
		if len(words) > 1 && expected > 0 {
			return key
		}
	}
	return ""
}

// The words of columns that name a run, and of those that name a part of one.
const (
	runColumns  = "run session sess trace conversation conv thread dialogue dialog episode case trial chat sample example scenario task test rollout ticket item record row"
	partColumns = "tool call step span event turn function action name argument args input output param result index number"
)

// runColumn returns the column that names the run of each row, or "": one whose name says so, or else the first
// one of which half of the values have rows of both sides. The rows must be flat.
func runColumn(rows []jsonval.Value, first *shape.Object, side string) (found string) {
	if slices.ContainsFunc(rows, func(row jsonval.Value) bool { return !isFlat(row) }) {
		return ""
	}
	for _, key := range first.Keys {
		if key == side || hasColumnWord(key, partColumns) {
			continue
		}
		sides := map[string]int{} // 1 for rows of what was done, 2 for others, 3 for both
		for _, row := range rows {
			v := row.Get(key)
			if k := v.Kind(); k != jsonval.String && k != jsonval.Number {
				sides = nil
				break
			}
			sides[v.Raw()] |= shape.IfElse(shape.IsExpected(row.Get(side).Text()), 2, 1)
		}
		both := 0
		for _, seen := range sides {
			both += shape.IfElse(seen == 3, 1, 0)
		}
		switch {
		case both == 0 || len(sides) == len(rows):
		case hasColumnWord(key, runColumns):
			return key
		case found == "" && 2*both >= len(sides):
			found = key
		}
	}
	return found
}

// isFlat reports whether a row has no list, and no object around another one's list.
func isFlat(row jsonval.Value) bool {
	return row.Kind() == jsonval.Object && !slices.ContainsFunc(shape.OpenObject(row).Values, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array })
}

func hasColumnWord(name, list string) bool {
	if english := tongues.Member(name); english != "" {
		name = english
	}
	return wordlist.HasAny(list, shape.SplitWords(name))
}

// dropMembers returns an object as JSON without a member, and without those that say how the run ended.
func dropMembers(o *shape.Object, name string) string {
	var parts []string
	for i, key := range o.Keys {
		if key != name && !isRunEnd(key) {
			parts = append(parts, jsonval.Quoted(key)+":"+o.Values[i].Raw())
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}
