package envelope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/literal"
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

// stepPart is what a column with a number in its name has of the call with that number.
type stepPart struct {
	number                  int
	tool, arguments, result int // indices of columns, or -1
}

// The words of the columns of calls with numbers. Each word of such a name, in the singular, is in
// one of the lists.
const (
	stepWords     = "step turn call action tool function actual agent made used"
	stepTools     = "tool function action call name"
	stepArguments = "arg args argument param params parameter input kwarg kwargs"
	stepResults   = "result output response observation return returned"
	stepExpected  = "expected gold reference golden"
)

// joinSteps joins the columns that have the parts of calls with numbers, such as step1_tool and step1_args, or
// tool_1 and arguments_1: together they are one list, in the order of the numbers, wherever the number stands in
// the names. A table in which a cell of a tool names none, or has arguments beside no tool, stays as it is.
// O(cells).
func (t *table) joinSteps() {
	for _, expected := range [...]bool{false, true} {
		parts := t.stepParts(expected)
		name := shape.IfElse(expected, "expected_calls", "actual_calls")
		if len(parts) < 2 || slices.Contains(t.names, name) || !t.areSteps(parts) {
			continue
		}
		recorded := false
		for _, p := range parts {
			recorded = recorded || p.arguments >= 0
		}
		first, gone := parts[0].tool, map[int]bool{}
		for _, p := range parts {
			gone[p.tool], gone[p.arguments], gone[p.result] = true, true, true
		}
		delete(gone, first)
		for _, cells := range t.rows {
			cells[first] = stepsOf(parts, cells, recorded)
		}
		t.names[first], t.heads[first] = name, name
		t.names, t.heads = withoutIndices(t.names, gone), withoutIndices(t.heads, gone)
		for n := range t.rows {
			t.rows[n] = withoutIndices(t.rows[n], gone)
		}
	}
}

// stepParts returns the columns of calls with numbers, of what was done or of what was expected, in the order of
// the numbers, or nil if one of them has no tool, or two say the same, or none has arguments or a result.
func (t *table) stepParts(expected bool) (parts []stepPart) {
	more := false
	for i, name := range t.names {
		number, role, side := stepColumn(name)
		if role == "" || side != expected {
			continue
		}
		at := slices.IndexFunc(parts, func(p stepPart) bool { return p.number == number })
		if at < 0 {
			at = len(parts)
			parts = append(parts, stepPart{number, -1, -1, -1})
		}
		column := &parts[at].tool
		switch role {
		case "arguments":
			column = &parts[at].arguments
		case "result":
			column = &parts[at].result
		}
		if *column >= 0 {
			return nil
		}
		*column = i
		more = more || role != "tool" || name[len(name)-1] < '0' || name[len(name)-1] > '9'
	}
	if !more || slices.ContainsFunc(parts, func(p stepPart) bool { return p.tool < 0 }) {
		return nil // joinNumbered joins those with a number at the end and no arguments
	}
	slices.SortFunc(parts, func(a, b stepPart) int { return a.number - b.number })
	return parts
}

// stepColumn returns the number in the name of a column, what the column has of the call with that number: a tool,
// arguments or a result, and whether the call was expected. The role is "" for any other column.
func stepColumn(name string) (number int, role string, expected bool) {
	from := strings.IndexAny(name, "0123456789")
	if from < 0 || len(name) > 40 {
		return 0, "", false
	}
	to := from
	for to < len(name) && name[to] >= '0' && name[to] <= '9' {
		to++
	}
	number, err := strconv.Atoi(name[from:to])
	if err != nil || strings.ContainsAny(name[to:], "0123456789") {
		return 0, "", false
	}
	for _, word := range append(shape.SplitWords(name[:from]), shape.SplitWords(name[to:])...) {
		switch {
		case shape.OneOf(word, stepArguments):
			role = "arguments"
		case shape.OneOf(word, stepResults):
			role = "result"
		case shape.OneOf(word, stepTools):
			role = shape.IfElse(role == "", "tool", role)
		case shape.OneOf(word, stepExpected):
			expected = true
		case !shape.OneOf(word, stepWords):
			return 0, "", false
		}
	}
	return number, role, expected
}

// areSteps reports whether each cell of a tool names one or is empty, with nothing in the cells beside it then.
func (t *table) areSteps(parts []stepPart) bool {
	for _, cells := range t.rows {
		for _, p := range parts {
			tool := strings.TrimSpace(cells[p.tool])
			if !isNoCall(tool) {
				if !shape.IsName(tool) {
					return false
				}
				continue
			}
			for _, i := range [...]int{p.arguments, p.result} {
				if i >= 0 && !isNoCall(strings.TrimSpace(cells[i])) && strings.TrimSpace(cells[i]) != "{}" {
					return false
				}
			}
		}
	}
	return true
}

// stepsOf returns the calls of a row as a list in JSON. recorded says that the table has arguments, so that an
// empty cell is a call without one.
func stepsOf(parts []stepPart, cells []string, recorded bool) string {
	var list []string
	for _, p := range parts {
		tool := strings.TrimSpace(cells[p.tool])
		if isNoCall(tool) {
			continue
		}
		call := `{"name":` + literal.Quote(tool)
		if recorded {
			call += `,"arguments":` + argumentsCell(shape.IfElse(p.arguments < 0, "", cells[max(p.arguments, 0)]))
		}
		if p.result >= 0 && strings.TrimSpace(cells[p.result]) != "" {
			call += `,"result":` + literal.Quote(cells[p.result])
		}
		list = append(list, call+"}")
	}
	return "[" + strings.Join(list, ",") + "]"
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
