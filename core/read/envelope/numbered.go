package envelope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
)

// joinNumbered joins the columns of a table that differ only in a number, such as called_tool_1 and
// called_tool_2, if each of their cells names a call or is empty: together they are one list. A table that has
// arguments in such columns stays as it is. O(cells).
func (t *table) joinNumbered() {
	groups, order := map[string][]int{}, []string{}
	for i, name := range t.names {
		base := strings.TrimRight(name, "0123456789")
		if number, err := strconv.Atoi(name[len(base):]); err == nil && number <= len(t.names) {
			if groups[base] == nil {
				order = append(order, base)
			}
			groups[base] = append(groups[base], i)
		}
	}
	gone := map[int]bool{}
	for _, base := range order {
		columns := groups[base]
		for _, cells := range t.rows {
			for _, i := range columns {
				cell := strings.TrimSpace(cells[i])
				if strings.HasPrefix(cell, "{") {
					return
				}
				if !isNoCall(cell) && !shape.IsName(cell) && !isWrittenCalls(cell) {
					columns = nil
					break
				}
			}
		}
		name := joinedName(base, order)
		if len(columns) < 2 || !shape.SpeaksOfCalls(name) || slices.Contains(t.names, name) {
			continue
		}
		t.names[columns[0]], t.heads[columns[0]] = name, name
		for _, cells := range t.rows {
			var calls []string
			for _, i := range columns {
				if cell := strings.TrimSpace(cells[i]); !isNoCall(cell) {
					calls = append(calls, cell)
				}
			}
			cells[columns[0]] = strings.Join(calls, ", ")
		}
		for _, i := range columns[1:] {
			gone[i] = true
		}
	}
	t.names, t.heads = withoutIndices(t.names, gone), withoutIndices(t.heads, gone)
	for n := range t.rows {
		t.rows[n] = withoutIndices(t.rows[n], gone)
	}
}

// joinedName returns the name of the column that numbered columns become: the plural, or for a bare word such as
// tool, which may be a tool that is offered, and for a bare word for what was expected beside calls, the side.
func joinedName(base string, all []string) string {
	name := strings.TrimRight(base, "_-. ")
	switch {
	case shape.OneOf(strings.ToLower(name), "tool call action step function"):
		return "actual_calls"
	case shape.IsExpected(name) && !shape.SpeaksOfCalls(name) && slices.ContainsFunc(all, shape.SpeaksOfCalls):
		return "expected_calls"
	}
	return pluralMember(name, true)
}

// withoutIndices returns the elements of a list whose indices are not in a set.
func withoutIndices(list []string, gone map[int]bool) []string {
	if len(gone) == 0 {
		return list
	}
	var kept []string
	for i, one := range list {
		if !gone[i] {
			kept = append(kept, one)
		}
	}
	return kept
}
