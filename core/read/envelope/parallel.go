package envelope

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A table may have the names of the calls of a run in one cell and their arguments in another one, such as
// find|pay and [{"id": 1}, {"id": 1, "n": 2}]. The law of this file: the arguments in a place belong to the name in
// that place; columns of which one row has other numbers of both are not joined.

// joinParallel makes one column of calls from the only two such columns of a side.
func (t *table) joinParallel() {
	for at := range t.names {
		if !isArgumentsColumn(t.names[at]) {
			continue
		}
		names := -1
		for i := range t.names {
			if i != at && shape.IsExpected(t.names[i]) == shape.IsExpected(t.names[at]) && isNamesColumn(t.names[i]) && t.areParallel(i, at) {
				if names >= 0 {
					return
				}
				names = i
			}
		}
		if names < 0 {
			continue
		}
		expected := shape.IsExpected(t.names[at])
		for n := range t.rows {
			t.rows[n] = slices.Clone(t.rows[n])
			t.rows[n][names], t.rows[n][at] = joinedCalls(t.rows[n][names], t.rows[n][at], expected), ""
		}
		t.names[names] = shape.IfElse(expected, "expected_calls", "actual_calls")
	}
}

func isArgumentsColumn(name string) bool {
	return slices.ContainsFunc(shape.SplitWords(name), func(w string) bool {
		return shape.OneOf(w, "arg args argument arguments param params parameter parameters kwargs")
	})
}

func isNamesColumn(name string) bool {
	words := shape.SplitWords(name)
	return slices.ContainsFunc(words, func(w string) bool {
		return shape.OneOf(w, "tool tools call calls function functions action actions called")
	}) && !slices.ContainsFunc(words, func(w string) bool {
		return shape.OneOf(w, "available result results output outputs definition definitions schema count id")
	})
}

// areParallel reports whether each row has as many names in one column as objects in the list of the other one, and
// some row has any.
func (t *table) areParallel(names, arguments int) bool {
	some := false
	for _, cells := range t.rows {
		list, ok := namesIn(cells[names])
		objects := argumentObjects(cells[arguments])
		if !ok || len(list) != len(objects) {
			return false
		}
		some = some || len(list) > 0
	}
	return some
}

// namesIn returns the names in a cell, and reports whether it has nothing else.
func namesIn(cell string) (names []string, ok bool) {
	cell = strings.TrimSpace(cell)
	if isNoCall(cell) {
		return nil, true
	}
	if v := writtenValue(cell); v != "" {
		list, err := jsonval.Parse(v)
		if err != nil || list.Kind() != jsonval.Array {
			return nil, false
		}
		for _, e := range list.Elements() {
			names = append(names, e.Text())
		}
	} else {
		for _, part := range splitCalls(cell) {
			names = append(names, strings.TrimSpace(part))
		}
	}
	return names, !slices.ContainsFunc(names, func(name string) bool { return !shape.IsName(name) })
}

// argumentObjects returns the objects of the list in a cell, or nil.
func argumentObjects(cell string) (objects []string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return nil
	}
	list, err := jsonval.Parse(writtenValue(cell))
	if err != nil || list.Kind() != jsonval.Array {
		return nil
	}
	for _, e := range list.Elements() {
		if e = shape.OpenText(e); e.Kind() != jsonval.Object {
			return nil
		}
		objects = append(objects, e.Raw())
	}
	return objects
}

// joinedCalls returns the calls in two cells as a list. An empty cell of expected calls says nothing.
func joinedCalls(names, arguments string, expected bool) string {
	list, _ := namesIn(names)
	if expected && len(list) == 0 && strings.TrimSpace(names) == "" {
		return ""
	}
	calls := make([]string, len(list))
	for i, object := range argumentObjects(arguments) {
		calls[i] = `{"name":` + literal.Quote(list[i]) + `,"arguments":` + object + "}"
	}
	return "[" + strings.Join(calls, ",") + "]"
}
