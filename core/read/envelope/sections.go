package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// People write down their tests in Markdown: a heading for each run, its calls as a list below a word for what they
// are, and what was expected below another one. The law of this file: a line of a list that names a call is a call of
// the side above it, in the run of the heading above it, or the text is no such document.

// section is a run of such a document. The lists are written as JSON.
type section struct {
	line           int
	head, asked    string
	done, expected []string
	made, told     bool // a list says what was done, and what was expected
	members        []string
	named          map[string]bool
}

// sections reads a document.
type sections struct {
	list   []*section
	side   *[]string // the list that is open
	none   *bool     // whether it was said
	calls  int
	failed bool
}

// sectionRows returns the runs of such a document as lines of JSON, and reports whether the text is one: a heading,
// and a list of calls below a word for a side. O(n).
func sectionRows(text string) (string, bool) {
	if !strings.Contains(text, "#") || strings.Contains(text, "```") {
		return "", false
	}
	var s sections
	n := 0
	for raw := range strings.Lines(text) {
		n++
		if s.readLine(n, strings.TrimSpace(raw)); s.failed {
			return "", false
		}
	}
	if s.calls == 0 {
		return "", false
	}
	var b strings.Builder
	shown := 1
	for _, c := range s.list {
		if !c.made && !c.told {
			continue // the title, or a chapter around the runs
		}
		for ; shown < c.line; shown++ {
			b.WriteByte('\n')
		}
		b.WriteString(`{"id":` + literal.Quote(c.head))
		if c.asked != "" {
			b.WriteString(`,"prompt":` + literal.Quote(c.asked))
		}
		if c.made {
			b.WriteString(`,"actual_calls":[` + strings.Join(c.done, ",") + "]")
		}
		if c.told {
			b.WriteString(`,"expected_calls":[` + strings.Join(c.expected, ",") + "]")
		}
		b.WriteString(strings.Join(c.members, "") + "}")
	}
	return b.String() + "\n", true
}

// readLine reads the line with number n.
func (s *sections) readLine(n int, line string) {
	switch {
	case line == "":
		return
	case line[0] == '#':
		head := strings.Trim(line, "# ")
		if s.openSide(strings.Trim(head, "*_: ")) {
			return
		}
		s.list = append(s.list, &section{line: n, head: head, named: map[string]bool{}})
		s.side, s.none = nil, nil
		return
	case len(s.list) == 0:
		s.failed = isWrittenCalls(listItem(line))
		return
	}
	c := s.list[len(s.list)-1]
	if quote, ok := strings.CutPrefix(line, ">"); ok {
		c.asked = strings.TrimSpace(c.asked + " " + strings.TrimSpace(quote))
		return
	}
	item := listItem(line)
	switch called := isWrittenCalls(item); {
	case s.side != nil && isNoCall(item):
		*s.none = true
	case s.side != nil && (called || item != line && shape.IsName(item)):
		*s.none = true
		*s.side = append(*s.side, literal.Quote(item))
		s.calls++
	case called:
		s.failed = true // of which side it is, is not known
	default:
		s.readPair(c, line)
	}
}

// openSide opens the side that a word names, and reports whether it names one.
func (s *sections) openSide(word string) bool {
	if len(s.list) == 0 || len(word) > 40 {
		return false
	}
	name := memberWord(word)
	c := s.list[len(s.list)-1]
	switch {
	case shape.IsExpected(name):
		s.side, s.none = &c.expected, &c.told
	case shape.IsRunSide(name), shape.IsCallList(name), shape.OneOf(name, "calls tools steps actions trajectory actual did made"):
		s.side, s.none = &c.done, &c.made
	default:
		return false
	}
	return true
}

// readPair reads a line with a word and a value: the end of the run, what was asked, or the name of a side, perhaps
// with its calls in the same line. Other lines are the words of people, and close the side.
func (s *sections) readPair(c *section, line string) {
	name, value, found := strings.Cut(strings.TrimLeft(line, "-*+_ "), ":")
	if name = strings.Trim(name, "*_ "); !found && !strings.HasPrefix(line, "*") && !strings.HasPrefix(line, "_") {
		s.side, s.none = nil, nil
		return
	}
	value = strings.Trim(value, "*_` ")
	if s.openSide(name) {
		if value != "" && isNoCall(value) {
			*s.none = true
		} else if list := calledNames(value, false); list != "" {
			*s.none = true
			*s.side = append(*s.side, list[1:len(list)-1])
			s.calls++
		} else if value != "" {
			s.failed = strings.Contains(value, "(")
		}
		return
	}
	s.side, s.none = nil, nil
	word := memberWord(name)
	switch {
	case value == "" || c.named[word]:
	case shape.OneOf(word, askWords) && c.asked == "":
		c.asked = value
	case shape.IsOutcomeName(word), word == "result", word == "status":
		c.named[word] = true
		v := shape.CellOutcome(word, value)
		if v == "" {
			v = literal.Quote(value)
		}
		c.members = append(c.members, ","+literal.Quote(word)+":"+v)
	}
}

// memberWord returns words as the name of a member in English.
func memberWord(words string) string {
	if english := tongues.Member(words); english != "" {
		return english
	}
	return strings.ReplaceAll(strings.ToLower(words), " ", "_")
}

// listItem returns the text of an element of a list, without its mark and the marks of code.
func listItem(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		line = rest[2:]
	} else if len(line) > 2 && line[1] == ' ' && strings.IndexByte("-*+", line[0]) >= 0 {
		line = line[2:]
	}
	return strings.Trim(strings.TrimSpace(line), "`")
}
