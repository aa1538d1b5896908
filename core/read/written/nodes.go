// Package written reads what people write by hand or print in another notation than JSON: YAML, TOML, XML, and JSON
// with comments or in the notation of Python. It returns JSON, in which each value stands in the line that it had. It
// knows no format and no record; what it does not know it does not read.
package written

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
)

// node is a value that a reader of another notation builds: a scalar in JSON, a list or an object. The members of an
// object keep their order.
type node struct {
	line   int    // where it begins; 0 if it is not known
	scalar string // in JSON; "" for a list or an object
	list   bool
	keys   []string
	values []*node
}

// memberNamed returns the value of a member, or nil.
func (n *node) memberNamed(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.values[i]
		}
	}
	return nil
}

func (n *node) addMember(key string, v *node) {
	n.keys, n.values = append(n.keys, key), append(n.values, v)
}

// jsonText returns a value as JSON. Each value stands in its line, if those before it do not end behind it.
func (n *node) jsonText() string {
	var b strings.Builder
	line := 1
	n.writeTo(&b, &line)
	return b.String() + "\n"
}

func (n *node) writeTo(b *strings.Builder, line *int) {
	for ; *line < n.line; *line++ {
		b.WriteByte('\n')
	}
	if n.scalar != "" {
		b.WriteString(n.scalar)
		return
	}
	opening, closing := "{", "}"
	if n.list {
		opening, closing = "[", "]"
	}
	b.WriteString(opening)
	for i, v := range n.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if !n.list {
			b.WriteString(literal.Quote(n.keys[i]) + ":")
		}
		v.writeTo(b, line)
	}
	b.WriteString(closing)
}

// plainNode returns a text as a scalar, or as the object or the list that it is in JSON. A number that JSON writes
// otherwise stays a text.
func plainNode(text string, line int) *node {
	trimmed := strings.TrimSpace(text)
	if trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[' || trimmed == "true" || trimmed == "false" || trimmed[0] == '-' || trimmed[0] >= '0' && trimmed[0] <= '9') && jsonval.Valid(trimmed) {
		return &node{line: line, scalar: strings.ReplaceAll(trimmed, "\n", " ")}
	}
	return &node{line: line, scalar: literal.Quote(text)}
}
