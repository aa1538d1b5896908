package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/internal/yamljson"
	"go.yaml.in/yaml/v3"
)

// part is one value in the text of a file, with the place of its bytes.
type part struct {
	kind       yaml.Kind  // MappingNode, SequenceNode or ScalarNode
	start, end int        // its bytes in the text
	flow       bool       // a list or mapping in brackets
	value      string     // of a scalar
	names      []*part    // of the members of a mapping
	parts      []*part    // the members of a mapping, or the elements of a list
	node       *yaml.Node // of YAML; nil in JSON
}

// member returns the member of a mapping with that name, and the part with the name. Both
// are nil if there is none.
func (p *part) member(name string) (value, key *part) {
	if p == nil || p.kind != yaml.MappingNode {
		return nil, nil
	}
	for i, k := range p.names {
		if k.value == name {
			return p.parts[i], k
		}
	}
	return nil, nil
}

// source is the text of a file in YAML or JSON, and the places of its values.
type source struct {
	text     string
	json     bool
	comments [][2]int // of YAML, in order: from # to the end of the line
	scalars  [][2]int
	lines    []int // the offset of each line
}

func newSource(text string) *source {
	s := &source{text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// line returns the number of the line with an offset, from 1.
func (s *source) line(at int) int {
	i, found := slices.BinarySearch(s.lines, at)
	if found {
		i++
	}
	return i
}

// lineStart returns the offset of the first byte of the line with an offset.
func (s *source) lineStart(at int) int { return s.lines[s.line(at)-1] }

// lineEnd returns the offset behind the line with an offset and its line break.
func (s *source) lineEnd(at int) int {
	if n := s.line(at); n < len(s.lines) {
		return s.lines[n]
	}
	return len(s.text)
}

// notPlaced is the error for a value whose bytes are not found.
func (s *source) notPlaced(n *yaml.Node, what string) error {
	return fmt.Errorf("line %d: cannot edit a file with %s", n.Line, what)
}

// readYAML finds the places of all values in a YAML text. A text with anchors, aliases,
// tags or several documents is an error, and so is a text without them whose values are
// not found where they should be.
func readYAML(text string) (*source, *part, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, nil, fmt.Errorf("invalid YAML: %w", err)
	}
	s := newSource(text)
	if d.Decode(&more) == nil {
		return nil, nil, s.notPlaced(&more, "several documents")
	}
	root, err := s.place(doc.Content[0], 0)
	if err == nil {
		s.findComments()
	}
	return s, root, err
}

// place finds the bytes of a node. The parameter indent is the number of columns before
// the collection that contains the node.
func (s *source) place(n *yaml.Node, indent int) (*part, error) {
	if n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 {
		return nil, s.notPlaced(n, "anchors, aliases or tags")
	}
	start, ok := s.offset(n)
	if !ok {
		return nil, s.notPlaced(n, "such characters")
	}
	p := &part{kind: n.Kind, start: start, value: n.Value, flow: n.Style&yaml.FlowStyle != 0, node: n}
	if n.Kind == yaml.ScalarNode {
		if p.end = s.scalarEnd(n, start, indent); p.end < 0 {
			return nil, s.notPlaced(n, "a text of several lines in this form")
		}
		s.scalars = append(s.scalars, [2]int{start, p.end})
		return p, nil
	}
	p.end = start
	for i, c := range n.Content {
		q, err := s.place(c, n.Column-1)
		if err != nil {
			return nil, err
		}
		if q.start < p.end {
			return nil, s.notPlaced(c, "an empty value here")
		}
		p.end = q.end
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			p.names = append(p.names, q)
		} else {
			p.parts = append(p.parts, q)
		}
	}
	if p.flow {
		if p.end = s.closingBracket(start, max(p.end, start+1)); p.end < 0 {
			return nil, s.notPlaced(n, "brackets in this form")
		}
	}
	return p, nil
}

// offset returns the offset of a node's first byte. The column of a node counts
// characters.
func (s *source) offset(n *yaml.Node) (at int, ok bool) {
	if n.Line < 1 || n.Line > len(s.lines) {
		return 0, false
	}
	at = s.lines[n.Line-1]
	for range n.Column - 1 {
		if at >= len(s.text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(s.text[at:])
		at += size
	}
	return at, true
}

// scalarEnd returns the offset behind a scalar, or -1 if the scalar is not found.
func (s *source) scalarEnd(n *yaml.Node, start, indent int) int {
	rest := s.text[start:]
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return s.blockEnd(start, indent)
	case n.Style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `"`):
		return start + quotedSize(rest)
	case n.Style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "'"):
		return start + quotedSize(rest)
	case n.Style == 0 && strings.HasPrefix(rest, n.Value):
		return start + len(n.Value)
	}
	return -1
}

// quotedSize returns the number of bytes of the quoted scalar with which a text begins.
func quotedSize(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// blockEnd returns the offset behind a scalar that begins with | or >. Its lines are
// empty or indented deeper than the collection that contains it.
func (s *source) blockEnd(start, indent int) int {
	end := len(strings.TrimRight(s.text[:s.lineEnd(start)], "\r\n"))
	for n := s.line(start); n < len(s.lines); n++ {
		line := strings.TrimRight(s.text[s.lines[n]:s.lineEnd(s.lines[n])], " \t\r\n")
		if line == "" {
			continue
		}
		if len(line)-len(strings.TrimLeft(line, " ")) <= indent {
			break
		}
		end = s.lines[n] + len(line)
	}
	return end
}

// closingBracket returns the offset behind the bracket that closes the collection at
// start. The parameter at is the end of its last value. The result is -1 if there is no
// such bracket.
func (s *source) closingBracket(start, at int) int {
	want := map[byte]byte{'[': ']', '{': '}'}[s.text[start]]
	for ; at < len(s.text); at++ {
		switch c := s.text[at]; {
		case c == want && want != 0:
			return at + 1
		case c == '#':
			at = len(strings.TrimRight(s.text[:s.lineEnd(at)], "\n")) - 1
		case !strings.ContainsRune(" \t\r\n,:", rune(c)):
			return -1
		}
	}
	return -1
}

// findComments collects the comments: each # outside a scalar that begins a line or
// follows a blank, up to the end of its line.
func (s *source) findComments() {
	k := 0
	for i := 0; i < len(s.text); i++ {
		for k < len(s.scalars) && s.scalars[k][1] <= i {
			k++
		}
		if k < len(s.scalars) && s.scalars[k][0] <= i {
			i = s.scalars[k][1] - 1
			continue
		}
		if s.text[i] == '#' {
			end := len(strings.TrimRight(s.text[:s.lineEnd(i)], "\r\n"))
			s.comments = append(s.comments, [2]int{i, end})
			i = end
		}
	}
}

// commentsIn returns the comments that begin from offset start up to offset end.
func (s *source) commentsIn(start, end int) (in [][2]int) {
	for _, c := range s.comments {
		if c[0] >= start && c[0] < end {
			in = append(in, c)
		}
	}
	return in
}

// jsonOf returns the value of a part as JSON.
func (s *source) jsonOf(p *part) (string, error) {
	if p.node == nil {
		return s.text[p.start:p.end], nil
	}
	return yamljson.OfNode(p.node)
}
