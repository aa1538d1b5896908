package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/internal/yamljson"
	"go.yaml.in/yaml/v3"
)

// edit replaces the bytes from start to end of a text.
type edit struct {
	start, end int
	text       string
}

// apply makes the edits in the text of an outline. It is an error if an edit removes a
// byte that a person wrote.
func (o *outline) apply(edits []edit) (string, error) {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	person := o.protected()
	var b strings.Builder
	at := 0
	for _, e := range edits {
		for _, p := range person {
			if e.start < p[1] && e.end > p[0] && e.end > e.start {
				return "", fmt.Errorf("line %d: the update would remove what you wrote; edit this line by hand", o.line(p[0]))
			}
		}
		if e.start < at {
			return "", fmt.Errorf("line %d: two changes of this line conflict; edit this line by hand", o.line(e.start))
		}
		b.WriteString(o.text[at:e.start] + e.text)
		at = e.end
	}
	return b.String() + o.text[at:], nil
}

// protected returns the bytes that an update keeps: all bytes of a file that boundcheck did
// not make, all bytes outside the list of steps, each entry that a person wrote or wrote
// about, and each comment of a person.
func (o *outline) protected() (spans [][2]int) {
	if !o.made {
		return [][2]int{{0, len(o.text)}}
	}
	if o.steps != nil {
		from, to := o.steps.start, o.steps.end
		if !o.steps.flow {
			from, to = o.lineStart(from), o.lineEnd(max(to-1, from))
		}
		spans = append(spans, [2]int{0, from}, [2]int{to, len(o.text)})
	}
	var visit func(list []*entry)
	visit = func(list []*entry) {
		for _, e := range list {
			if e.kept.name != "" {
				from, to := o.span(e)
				spans = append(spans, [2]int{from, to})
			}
			visit(e.children)
		}
	}
	visit(o.list)
	for _, c := range o.comments {
		if !ownNote(o.text[c[0]:c[1]]) {
			spans = append(spans, c)
		}
	}
	return spans
}

// changes are the changes of one list of steps.
type changes struct {
	removed  map[*entry]bool
	replaced map[*entry]Step
	behind   map[*entry][]Step // new steps behind an outermost entry, or at the beginning
}

// editsOf returns the edits for the changes of a list, and of the lists in it.
func (o *outline) editsOf(list []*entry, c *changes) (edits []edit, err error) {
	for _, e := range list {
		if s, ok := c.replaced[e]; ok {
			text, err := o.stepText(&s, s.yamlNode(), e)
			if err != nil {
				return nil, err
			}
			start, end := o.span(e)
			edits = append(edits, edit{start, end, text})
		}
		if !c.removed[e] {
			inner, err := o.editsOf(e.children, c)
			if err != nil {
				return nil, err
			}
			edits = append(edits, inner...)
		}
	}
	if len(list) > 0 && list[0].item && !list[0].block {
		return append(edits, removeFlow(list, c)...), nil
	}
	for _, e := range list {
		if c.removed[e] {
			start, end := o.span(e)
			edits = append(edits, edit{start, end, ""})
		}
	}
	return edits, nil
}

// removeFlow removes elements of a list in brackets, each with one comma.
func removeFlow(list []*entry, c *changes) (edits []edit) {
	for i := 0; i < len(list); i++ {
		if !c.removed[list[i]] {
			continue
		}
		j := i
		for j+1 < len(list) && c.removed[list[j+1]] {
			j++
		}
		x := edit{start: list[i].start, end: list[j].end}
		if j+1 < len(list) {
			x.end = list[j+1].start
		} else if i > 0 {
			x.start = list[i-1].end
		}
		edits = append(edits, x)
		i = j
	}
	return edits
}

// insertions returns the edits that add steps to the outermost list.
func (o *outline) insertions(c *changes) (edits []edit, err error) {
	for i, e := range slices.Concat([]*entry{nil}, o.list) {
		steps := c.behind[e]
		if len(steps) == 0 {
			continue
		}
		texts, err := o.stepTexts(steps)
		if err != nil {
			return nil, err
		}
		if o.plain || !o.steps.flow {
			edits = append(edits, o.insertLines(e, strings.Join(texts, "")))
		} else {
			edits = append(edits, o.insertFlow(i-1, c, texts))
		}
	}
	if len(edits) == 0 && !o.plain && !o.steps.flow && gone(o.list, c) {
		edits = append(edits, edit{o.empty.at, o.empty.at, o.empty.name})
	}
	return edits, nil
}

// stepTexts writes steps for the outermost list. Calls of the same turn become a group.
func (o *outline) stepTexts(steps []Step) (texts []string, err error) {
	nodes := stepNodes(steps).Content
	if o.plain {
		nodes = make([]*yaml.Node, len(steps))
	}
	for i, n := range nodes {
		text, err := o.stepText(&steps[min(i, len(steps)-1)], n, nil)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// insertLines adds lines behind an entry, or before the first entry and its comments.
func (o *outline) insertLines(e *entry, text string) edit {
	at := len(o.text)
	if e != nil {
		_, at = o.span(e)
	} else if len(o.list) > 0 {
		start, _ := o.span(o.list[0])
		at = o.above(start)
	}
	if at > 0 && o.text[at-1] != '\n' {
		text = o.lineBreak() + text
	}
	return edit{at, at, text}
}

func (o *outline) lineBreak() string {
	if strings.Contains(o.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// insertFlow adds elements to the outermost list in brackets, behind the last remaining
// element up to index i.
func (o *outline) insertFlow(i int, c *changes, texts []string) edit {
	comma := ", "
	if len(o.list) > 0 {
		if blank := o.text[o.steps.start+1 : o.list[0].start]; blank != "" && strings.TrimSpace(blank) == "" {
			comma = "," + blank
		}
	}
	for ; i >= 0; i-- {
		if e := o.list[i]; !c.removed[e] {
			return edit{e.end, e.end, comma + strings.Join(texts, comma)}
		}
	}
	at, behind := o.steps.start+1, ""
	for _, e := range o.list {
		if !c.removed[e] {
			at, behind = e.start, comma
			break
		}
		at = e.end
	}
	return edit{at, at, strings.Join(texts, comma) + behind}
}

// stepText writes a node for the place of an entry, or else for the outermost list. In a
// list without brackets the result is whole lines. In plain text it writes the step s as
// a new line.
func (o *outline) stepText(s *Step, n *yaml.Node, at *entry) (string, error) {
	if o.plain {
		return o.plainText(s), nil
	}
	if o.json {
		commentsToTitles(n)
		return yamljson.OfNode(n)
	}
	if flow := o.steps.flow && at == nil || at != nil && !at.block; flow {
		return flowText(n)
	}
	text, err := encodeYAML(sequenceNode(n))
	column := o.steps.start - o.lineStart(o.steps.start)
	if at != nil {
		column = strings.IndexByte(o.text[o.lineStart(at.start):], '-')
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		b.WriteString(strings.TrimRight(strings.Repeat(" ", column)+line, " ") + o.lineBreak())
	}
	return b.String(), err
}

// flowText writes a YAML value on one line, without comments.
func flowText(n *yaml.Node) (string, error) {
	setFlow(n)
	text, err := encodeYAML(sequenceNode(n))
	out := strings.TrimSpace(strings.TrimPrefix(string(text), "-"))
	if strings.Contains(out, "\n") {
		return "", errors.New("a new value has several lines; edit the file by hand")
	}
	return out, err
}

func setFlow(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	switch {
	case n.Kind != yaml.ScalarNode:
		n.Style = yaml.FlowStyle
	case n.Style == yaml.LiteralStyle:
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		setFlow(c)
	}
}

// holds reports whether the form of the file can hold a step. A call on one line can
// neither accept nor ignore values, and its name has no special characters.
func (o *outline) holds(s *Step) bool {
	return !o.plain || len(s.Accept) == 0 && !strings.ContainsAny(s.Name+s.Text, "\r\n#(:\"'")
}

// plainText writes a step as a call on a line of its own.
func (o *outline) plainText(s *Step) string {
	call := s.onOneLine()
	if s.Optional != "" {
		call = "optional: " + call
	}
	before := ""
	if len(o.list) > 0 {
		start := o.lineStart(o.list[0].start)
		line := o.text[start:o.list[0].start]
		before = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for _, dash := range []string{"- ", "* "} {
			if strings.HasPrefix(line[len(before):], dash) {
				before += dash
				break
			}
		}
	}
	return before + call + o.lineBreak()
}

// onOneLine returns the text or the call of a step on one line.
func (s *Step) onOneLine() string {
	if s.Text != "" {
		return s.Text
	}
	return s.Name + "(" + plainArguments(s.Arguments) + ")"
}

// plainArguments writes arguments as name=value, or as a JSON object if a name needs
// quotes.
func plainArguments(v jsonval.Value) string {
	var parts []string
	for _, name := range v.Keys() {
		if path.Escape(name) != name || strings.ContainsAny(name, "=, \t\"'#()[]{}") {
			return oneLine(v.Raw())
		}
		parts = append(parts, name+"="+oneLine(v.Get(name).Raw()))
	}
	return strings.Join(parts, ", ")
}

// oneLine removes the white space between the values of a JSON text.
func oneLine(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return text
	}
	return b.String()
}
