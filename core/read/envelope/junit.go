package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
)

// A test runner reports its cases in XML, each with its properties and what it printed. The law of this file: each
// case is one record, with its properties, the values of its output and the outcome that the report says. If an object
// stands elsewhere, or the report is written in a way that is not known, it is not read as cases.

// junitRows returns the cases of such a report as lines of JSON, and reports whether the text is one in which some
// case printed JSON or has it in a property. Each record stands in the line where its case begins. O(n).
func junitRows(text string) (string, bool) {
	head := strings.TrimSpace(text[:min(len(text), 512)])
	if !strings.HasPrefix(head, "<?xml") && !strings.HasPrefix(head, "<testsuite") || strings.Contains(text, "<!--") || strings.Contains(text, "<!DOCTYPE") {
		return "", false
	}
	var b strings.Builder
	printed, shown, done, told := 0, 1, 0, false
	for {
		at := strings.Index(text[done:], "<testcase ")
		if at < 0 {
			break
		}
		at += done
		size := written.TagEnd(text[at:])
		done = at + size
		if size <= 0 {
			return "", false
		}
		body, tag := "", strings.TrimSuffix(text[at:done], ">")
		if !strings.HasSuffix(tag, "/") {
			end := strings.Index(text[done:], "</testcase>")
			if end < 0 {
				return "", false
			}
			body, done = text[done:done+end], done+end
		}
		lines, rest, ok := printedIn(body)
		if !ok {
			return "", false
		}
		printed += len(lines)
		properties, some := propertiesOf(rest)
		told = told || some
		for line := strings.Count(text[:at], "\n") + 1; shown < line; shown++ {
			b.WriteByte('\n')
		}
		passed := shape.IfElse(strings.Contains(rest, "<failure") || strings.Contains(rest, "<error"), "false", shape.IfElse(strings.Contains(rest, "<skipped"), "null", "true"))
		id := strings.TrimPrefix(attributeOf(tag, "classname")+"."+attributeOf(tag, "name"), ".")
		b.WriteString(`{"id":` + literal.Quote(id) + `,"passed":` + passed + properties)
		if len(lines) > 0 || !some {
			b.WriteString(`,"steps":[` + strings.Join(lines, ",") + "]")
		}
		b.WriteByte('}')
	}
	for line := range strings.Lines(text) {
		printed -= shape.IfElse(strings.HasPrefix(cutXML(line), "{"), 1, 0)
	}
	return b.String() + "\n", printed == 0 && (told || strings.Contains(b.String(), `"steps":[{`))
}

// propertiesOf returns the properties of a case as members of an object, each with a comma before it, and
// reports whether one holds a list or an object in JSON. A value that is not JSON is a text.
func propertiesOf(body string) (members string, some bool) {
	var b strings.Builder
	for {
		at := strings.Index(body, "<property ")
		if at < 0 {
			return b.String(), some
		}
		body = body[at:]
		size := written.TagEnd(body)
		if size <= 0 {
			return b.String(), some
		}
		tag := strings.TrimSuffix(body[:size], ">")
		name, value := attributeOf(tag, "name"), attributeOf(tag, "value")
		if body = body[size:]; value == "" && !strings.HasSuffix(tag, "/") {
			inner, _, _ := strings.Cut(body, "</property>")
			value = written.FromXML(cutXML(inner))
		}
		if v, err := jsonval.Parse(value); err != nil {
			value = literal.Quote(value)
		} else {
			some = some || v.Kind() >= jsonval.Array
		}
		if name != "" && !shape.OneOf(name, "id passed steps") {
			b.WriteString("," + literal.Quote(name) + ":" + value)
		}
	}
}

// attributeOf returns the value of an attribute in a tag, or "".
func attributeOf(tag, name string) string {
	_, rest, ok := strings.Cut(tag, " "+name+"=")
	if !ok || rest == "" {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return written.FromXML(value)
}

// printedIn returns the objects that a case printed, and its body without the output. ok is false if a line of the
// output begins like an object and is none.
func printedIn(body string) (lines []string, rest string, ok bool) {
	for {
		before, after, some := strings.Cut(body, "<system-out>")
		rest += before
		if !some {
			return lines, rest, true
		}
		out, more, closed := strings.Cut(after, "</system-out>")
		if !closed {
			return nil, "", false
		}
		data := strings.Contains(out, "<![CDATA[")
		for line := range strings.Lines(out) {
			if line = cutXML(line); !strings.HasPrefix(line, "{") {
				continue
			}
			if !data {
				line = written.FromXML(line)
			}
			if !jsonval.Valid(line) {
				return nil, "", false
			}
			lines = append(lines, line)
		}
		body = more
	}
}

// cutXML returns a line of an output without the marks around it.
func cutXML(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(strings.TrimPrefix(line, "<system-out>"), "<![CDATA[")
	return strings.TrimSuffix(strings.TrimSuffix(line, "</system-out>"), "]]>")
}
