package snapshot

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

var (
	groupLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\s*(?:[-*]\s+|\d+[.)]\s+)?)(any order|one of|optional):\s*(#.*)?$`)
	})
	callLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\s*(?:[-*]\s+|\d+[.)]\s+)?)(?:(required|must not|optional):\s*)?`)
	})
)

// readLines reads a text with one call on each line. A line with # counts as a line with a
// comment, although the # may be part of a value. Everything in a group belongs to the
// person who wrote the group.
func (o *outline) readLines() {
	var group *entry
	indent := 0
	for n, start := range o.lines {
		line := strings.TrimRight(o.text[start:o.lineEnd(start)], " \t\r\n")
		text := strings.TrimLeft(line, " \t")
		if text == "" || text[0] == '#' {
			if text != "" {
				o.comments = append(o.comments, [2]int{start + len(line) - len(text), start + len(line)})
			}
			continue
		}
		if m := groupLine().FindStringSubmatchIndex(line); m != nil {
			group, indent = &entry{kind: reference.AnyOrder, start: start + m[4], end: start + len(line), block: true, item: true}, len(line)-len(text)
			word := line[m[4]:m[5]] + ":"
			group.keep(word, group.start)
			if strings.EqualFold(word, "one of:") {
				group.demand = group.kept
			}
			o.list = append(o.list, group)
			continue
		}
		e := &entry{block: true, item: true}
		if group != nil && len(line)-len(text) > indent {
			e.parent, e.kept, e.demand = group, group.kept, group.demand
			group.children = append(group.children, e)
			group.end = start + len(line)
		} else {
			group = nil
			o.list = append(o.list, e)
		}
		o.readCallLine(e, start, line)
		o.byPlace[fmt.Sprintf("line %d", n+1)] = e
	}
	for _, e := range o.byPlace {
		o.keepComments(e)
	}
}

func (o *outline) readCallLine(e *entry, start int, line string) {
	m := callLine().FindStringSubmatchIndex(line)
	e.start, e.end = start+m[1], start+len(line)
	if m[4] >= 0 {
		word := mark{line[m[4]:m[5]] + ":", start + m[4]}
		e.keep(word.name, word.at)
		if e.demand.name == "" && !strings.EqualFold(word.name, "optional:") {
			e.demand = word
		}
	}
	if i := strings.IndexByte(line, '#'); i >= 0 {
		e.keep("comment", start+i)
	}
}
