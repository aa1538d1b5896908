package envelope

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A program may log its events as pairs: run=a event=tool tool=pay args={"n":1} status=ok. The law of this
// file: each line is one event in its place, and each pair of it is one member; or the text is no such log.

// keyedRows returns a log of pairs as lines of JSON, and reports whether it is one: each line that is not
// empty has only pairs after its time and level, one of them names its run in each line, and one names a tool. O(n).
func keyedRows(text string) (string, bool) {
	var b strings.Builder
	run, tool := "", false
	lines := 0
	for raw := range strings.Lines(text) {
		line := strings.TrimSpace(cutStamp(strings.TrimSpace(raw)))
		if line == "" {
			b.WriteByte('\n')
			continue
		}
		names, values := pairsIn(line)
		if run == "" {
			if at := slices.IndexFunc(names, shape.NamesRun); at >= 0 {
				run = names[at]
			}
		}
		if len(names) < 2 || !slices.Contains(names, run) {
			return "", false
		}
		lines++
		for i, name := range names {
			tool = tool || shape.OneOf(name, "tool tool_name call function")
			b.WriteString(shape.IfElse(i == 0, "{", ",") + literal.Quote(name) + ":" + values[i])
		}
		b.WriteString("}\n")
	}
	return b.String(), tool && lines > 2
}

// pairsIn returns the names and the values, in JSON, of the pairs in a line; none if it has anything else,
// or a name twice.
func pairsIn(line string) (names, values []string) {
	seen := map[string]bool{}
	for line != "" {
		name, rest, found := strings.Cut(line, "=")
		if !found || !shape.IsName(name) || seen[name] {
			return nil, nil
		}
		value, after, ok := cutValue(rest)
		if !ok {
			return nil, nil
		}
		seen[name] = true
		names, values, line = append(names, name), append(values, value), strings.TrimLeft(after, " \t")
	}
	return names, values
}

// cutValue returns the value with which a text begins, in JSON, and the text after it: JSON, or a word.
func cutValue(text string) (value, rest string, ok bool) {
	if text == "" || text[0] == ' ' {
		return "null", text, true
	}
	if strings.IndexByte(`{["`, text[0]) >= 0 {
		for end := 1; end <= len(text); end++ {
			if end < len(text) && text[end] != ' ' || strings.IndexByte(`}]"`, text[end-1]) < 0 {
				continue
			}
			if v, err := jsonval.Parse(text[:end]); err == nil {
				return v.Raw(), text[end:], true
			}
		}
		return "", "", false
	}
	value, rest, _ = strings.Cut(text, " ")
	if v, err := jsonval.Parse(value); err == nil && v.Kind() != jsonval.String {
		return value, rest, true
	}
	return literal.Quote(value), rest, true
}
