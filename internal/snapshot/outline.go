package snapshot

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/yamljson"
	"go.yaml.in/yaml/v3"
)

// outline is the steps of one reference in the text of its file.
type outline struct {
	*source
	plain   bool     // one call on each line
	made    bool     // boundcheck made the file
	list    []*entry // the outermost list
	steps   *part    // that list; nil in plain text
	says    mark     // the member says; its name is "" if there is none
	only    mark     // the member only, likewise
	empty   mark     // the text that makes the outermost list empty when all its lines are gone, and its offset
	byPlace map[string]*entry
}

// entry is a call or a group in a list of steps.
type entry struct {
	kind       reference.Kind
	start, end int    // its bytes, without the dash of a list
	block      bool   // it is an element of a list and has lines of its own
	item       bool   // it is an element of a list
	call       *part  // a call's value; nil in plain text
	parent     *entry // nil in the outermost list
	children   []*entry

	// demand is the mark that makes a run wrong if the run does not do the step as it is
	// written. kept is the first mark or comment of a person, or yours if a person wrote the
	// step without one. The name of an absent mark is "".
	demand, kept mark
}

// mark is a word in a file that a person wrote, and its offset.
type mark struct {
	name string
	at   int
}

// top returns the element of the outermost list that contains e.
func (e *entry) top() *entry {
	for e.parent != nil {
		e = e.parent
	}
	return e
}

// outlineOf reads the steps of a reference in its file. In a suite, task selects the
// reference.
func outlineOf(name, text, task string) (*outline, error) {
	var root *part
	var err error
	o := &outline{byPlace: map[string]*entry{}}
	first := strings.TrimSpace(text)
	switch {
	case yamljson.Is(name, text):
		o.source, root, err = readYAML(text)
	case first != "" && (first[0] == '[' || first[0] == '{'):
		o.source, root, err = readJSON(text)
	default:
		o.source, o.plain = newSource(text), true
		o.readLines()
		o.keepSteps(o.list)
		return o, nil
	}
	if err != nil {
		return nil, err
	}
	o.made = o.hasHeader(root)
	if tasks, _ := root.member("tasks"); tasks != nil {
		if root = taskOf(tasks, task); root == nil {
			return nil, fmt.Errorf("task %q is not in this suite; add it with \"boundcheck reference new\"", task)
		}
	}
	o.empty = mark{"[]" + o.lineBreak(), root.start}
	if o.steps = root; root.kind == yaml.MappingNode {
		var key *part
		if o.steps, key = root.member("steps"); key != nil {
			o.empty = mark{" []", key.end + 1}
		}
		if _, key := root.member("says"); key != nil {
			o.says = mark{"says", key.start}
		}
		if _, key := root.member("only"); key != nil {
			o.only = mark{"only", key.start}
		}
	}
	if o.steps == nil || o.steps.kind != yaml.SequenceNode {
		return nil, errors.New(`an update needs a list of steps under "steps"; edit this file by hand`)
	}
	o.list = o.readList(o.steps, nil, "", "step")
	o.keepSteps(o.list)
	return o, nil
}

func taskOf(tasks *part, id string) *part {
	for _, t := range tasks.parts {
		if v, _ := t.member("id"); v != nil && v.value == id {
			return t
		}
	}
	return nil
}

// readList reads the elements of a list. The places are those that package reference
// gives to the same elements.
func (o *outline) readList(p *part, parent *entry, place, word string) (list []*entry) {
	for i, e := range p.parts {
		at := fmt.Sprintf("%s %d", word, i+1)
		if place != "" {
			at = place + " > " + at
		}
		n := o.readEntry(e, parent, at)
		n.item = true
		n.block = !p.flow && dashed().MatchString(o.text[o.lineStart(e.start):e.start])
		if n.kept.name == "" && !p.flow && !n.block {
			n.kept = mark{"list in a list", e.start}
		}
		list = append(list, n)
	}
	for _, n := range list { // the lines are known now
		o.keepComments(n)
	}
	return list
}

var dashed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *- +$`) })

// readEntry reads a call, a group, or a list, which is a sequence.
func (o *outline) readEntry(p *part, parent *entry, place string) *entry {
	e := &entry{start: p.start, end: p.end, call: p, parent: parent}
	if parent != nil {
		e.demand, e.kept = parent.demand, parent.kept
	}
	if p.kind == yaml.SequenceNode {
		e.kind = reference.Sequence
		e.keep("list in a list", p.start)
		e.children = o.readList(p, e, place, "step")
		return e
	}
	for i, key := range p.names {
		if kind := slices.Index(groupWords, key.value); kind >= 0 {
			o.readGroup(e, p, key, p.parts[i], reference.Kind(kind), place)
			return e
		}
	}
	o.readMarks(e, p)
	o.byPlace[place] = e
	return e
}

// groupWords lists the names of groups by their kind.
var groupWords = []string{0: "\x00", reference.Sequence: "sequence", reference.AnyOrder: "anyOrder", reference.OneOf: "oneOf", reference.Optional: "optional"}

// readGroup reads a group. A group is ours if it has the comment, or in JSON the title,
// that a proposal gives it.
func (o *outline) readGroup(e *entry, p, key, value *part, kind reference.Kind, place string) {
	e.kind = kind
	if kind == reference.OneOf && e.demand.name == "" {
		e.demand = mark{key.value, key.start}
	}
	title, _ := p.member("title")
	notes := o.commentsIn(key.start, o.lineEnd(key.start))
	ours := len(notes) == 1 && ownNote(o.text[notes[0][0]:notes[0][1]]) || o.json && title != nil && ownNote(title.value)
	if !ours || kind == reference.OneOf || kind == reference.Sequence {
		e.keep(key.value, key.start)
	}
	if title != nil && !o.json {
		e.keep("title", title.start)
	}
	if kind == reference.Optional {
		e.children = []*entry{o.readEntry(value, e, place+" > optional")}
		return
	}
	e.children = o.readList(value, e, place, key.value)
}

func (e *entry) keep(name string, at int) {
	if e.kept.name == "" {
		e.kept = mark{name, at}
	}
}

// readMarks reads the members of a call.
func (o *outline) readMarks(e *entry, p *part) {
	title, _ := p.member("title")
	proposed := o.json && title != nil && ownNote(title.value)
	for i, key := range p.names {
		value := p.parts[i]
		switch key.value {
		case "name", "tool", "arguments", "kwargs", "args", "parameters", "input":
			continue
		case "title":
			if proposed {
				continue
			}
		case "ignore":
			if proposed || o.allNoted(value) {
				continue
			}
		case "accept":
			if notes := o.commentsIn(key.start, o.lineEnd(key.start)); len(notes) == 1 && ownNote(o.text[notes[0][0]:notes[0][1]]) {
				continue
			}
		case "required", "mustNot", "compare", "compare_args", "expect", "times", "fails", "pre", "eff", "scope", "gran":
			if e.demand.name == "" && value.value != "false" {
				e.demand = mark{key.value, key.start}
			}
		}
		e.keep(key.value, key.start)
	}
}

// allNoted reports whether each path of an ignore list has the comment of a proposal.
func (o *outline) allNoted(list *part) bool {
	for _, p := range list.parts {
		notes := o.commentsIn(p.end, o.lineEnd(p.end))
		if len(notes) != 1 || !ownNote(o.text[notes[0][0]:notes[0][1]]) {
			return false
		}
	}
	return len(list.parts) > 0
}

// keepComments records the first comment of a person on the lines of an entry or directly
// above them. The comments of a group's children belong to the children.
func (o *outline) keepComments(e *entry) {
	from, to := o.span(e)
	if e.block {
		from, to = o.above(from), o.below(from, to)
	}
	for _, c := range o.commentsIn(from, to) {
		if !ownNote(o.text[c[0]:c[1]]) && !o.childHas(e, c[0]) {
			e.keepAll("comment", c[0])
			return
		}
	}
}

func (o *outline) childHas(e *entry, at int) bool {
	for _, c := range e.children {
		from, to := o.span(c)
		if c.block {
			from, to = o.above(from), o.below(from, to)
		}
		if at >= from && at < to {
			return c.item
		}
	}
	return false
}

// keepAll records a person's mark for an entry and everything in it.
func (e *entry) keepAll(name string, at int) {
	e.keep(name, at)
	for _, c := range e.children {
		c.keepAll(name, at)
	}
}

// span returns the bytes of an entry: whole lines, if it has lines of its own.
func (o *outline) span(e *entry) (start, end int) {
	if e.block {
		return o.lineStart(e.start), o.lineEnd(max(e.end-1, e.start))
	}
	return e.start, e.end
}

// above returns the start of the comment lines directly above the line at start. It
// returns start if there are none. A comment that is indented deeper than the line belongs
// to what is above it.
func (o *outline) above(start int) int {
	column := o.indent(start)
	for start > 0 && o.lineStart(start) == start {
		line := o.lineStart(start - 1)
		if o.text[line+o.indent(line)] != '#' || o.indent(line) > column {
			break
		}
		start = line
	}
	return start
}

// below returns the end of the comment lines directly below the lines of an entry that are
// indented deeper than its first line. It returns end, the end of the entry's lines, if
// there are none.
func (o *outline) below(start, end int) int {
	for end < len(o.text) && o.lineStart(end) == end && o.indent(end) > o.indent(start) && o.text[end+o.indent(end)] == '#' {
		end = o.lineEnd(end)
	}
	return end
}

// indent returns the number of blanks at the beginning of the line at start. A line of
// blanks counts without its last one.
func (o *outline) indent(start int) int {
	n := start
	for n < len(o.text)-1 && (o.text[n] == ' ' || o.text[n] == '\t') {
		n++
	}
	return n - start
}

var proposedNote = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(parallel calls|new in each run|free text|only some good runs have this argument|the good runs differ|other good runs had these values|the good runs made this call|good run \d+ did not make this call|only good run \d+ made this call)$`)
})

// ownNote reports whether a comment or title is one that a proposal writes.
func ownNote(text string) bool {
	for _, note := range strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "#")), "; ") {
		if _, after, ok := strings.Cut(note, ": "); ok {
			note = after
		}
		if !proposedNote().MatchString(note) {
			return false
		}
	}
	return true
}
