// Package envelope finds the records of a text: it removes compression, archives, Markdown and
// prose around them, and splits lines, streams, tables in CSV and tables by columns. It knows no
// format and builds no run.
package envelope

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/concurrent"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
)

// Source is the content of a text: one JSON value, or a stream of several.
type Source struct {
	Values []jsonval.Value
	stream bool // the values come from JSONL or a similar sequence, not from one document
}

// Rows returns the rows of a text: the elements if the text is one list, or all its
// values.
func (s *Source) Rows() []jsonval.Value {
	if len(s.Values) == 1 && s.Values[0].Kind() == jsonval.Array {
		return s.Values[0].Elements()
	}
	return s.Values
}

// Split splits a text into JSON values, with at most the given number of goroutines. It
// calls warn for each part that is not read, with the code and the message of a warning and
// the offset in the text. If the text has no values, the error describes the first invalid
// position. O(n).
func Split(text string, cores int, warn func(code, message string, offset int)) (Source, error) {
	s := splitter{text: text, cores: cores, warn: warn, budget: 8*len(text) + 1<<16}
	if first := SkipSpace(text, 0); s.isFirstLine(first) { // so the text is not one value
		return s.readLines(first, nil)
	}
	parse := jsonval.Parse
	if concurrent.Possible && cores > 1 {
		parse = jsonval.ParseHalves
	}
	v, err := parse(text)
	if err == nil {
		return Source{Values: []jsonval.Value{v}}, nil
	}
	if first := SkipSpace(text, 0); first < len(text) && (text[first] == '{' || text[first] == '[') {
		return s.readBroken(first, err)
	}
	if out := s.readStream(); len(out.Values) > 0 {
		return out, nil
	}
	if written.IsYAML(text) {
		return Source{}, written.YAMLFault(text)
	}
	if strings.Contains(text, "```") {
		if out, fault := s.readFenced(); fault != nil || len(out.Values) > 0 {
			return out, fault
		}
	}
	return s.readProse(err)
}

// splitter finds JSON values in a text that is not one JSON value. budget limits the
// number of bytes that are read more than once. So the time is linear for any text.
type splitter struct {
	text   string
	cores  int
	warn   func(code, message string, offset int)
	budget int
}

// parseValue parses the JSON value that begins at offset i, and returns the offset of its
// end. end is 0 if the text ends inside the value.
func (s *splitter) parseValue(i int) (v jsonval.Value, end int, err error) {
	end = valueEnd(s.text, i)
	s.budget -= max(end, i) - i
	if end == 0 {
		s.budget -= len(s.text) - i
		return v, 0, jsonval.ErrorAt(s.text, len(s.text), "the text ends inside a value (cut off?)")
	}
	v, err = jsonval.Parse(s.text[i:end])
	return v, end, err
}

// readBroken reads a text that begins like JSON but is not one value. It may be JSONL, a
// sequence of values, or a document that was cut off.
func (s *splitter) readBroken(first int, err error) (Source, error) {
	end := valueEnd(s.text, first)
	line := lineEnd(s.text, first)
	_, lineErr := jsonval.Parse(s.text[first:line])
	switch {
	case lineErr == nil, end > 0 && s.isWholeValue(first, end):
		return s.readLines(first, err)
	case end == 0 && s.text[first] == '[':
		return s.salvageList(first, err)
	case s.nextLine(line):
		return s.readLines(first, err)
	}
	return Source{}, err
}

// isFirstLine reports whether the line at an offset is an object or a list, and another line
// follows.
func (s *splitter) isFirstLine(first int) bool {
	if first == len(s.text) || s.text[first] != '{' && s.text[first] != '[' {
		return false
	}
	end := lineEnd(s.text, first)
	return SkipSpace(s.text, end) < len(s.text) && jsonval.Valid(s.text[first:end])
}

func (s *splitter) isWholeValue(from, to int) bool {
	_, err := jsonval.Parse(s.text[from:to])
	return err == nil && to < len(s.text)
}

// nextLine reports whether the line after the offset end is a complete JSON object. If
// so, the text is JSONL with a broken first line.
func (s *splitter) nextLine(end int) bool {
	next := SkipSpace(s.text, end)
	if next >= len(s.text) || next == end || s.text[next] != '{' {
		return false
	}
	_, err := jsonval.Parse(s.text[next:lineEnd(s.text, next)])
	return err == nil
}

// readLines reads a sequence of JSON values, usually one on each line. A line that is not
// JSON is skipped with a warning. If there are no values, readLines returns the given
// error.
func (s *splitter) readLines(i int, whole error) (Source, error) {
	out := Source{stream: true}
	for i = SkipSpace(s.text, i); i < len(s.text); i = SkipSpace(s.text, i) {
		end := lineEnd(s.text, i)
		v, err := jsonval.Parse(s.text[i:end])
		if err != nil && (s.text[i] == '{' || s.text[i] == '[') && s.budget > 0 {
			if w, stop, e := s.parseValue(i); e == nil {
				v, end, err = w, stop, nil
			}
		}
		if err != nil && len(out.Values) > 0 && s.text[i] != '{' && s.text[i] != '[' {
			v, err = recordAfter(s.text[i:end], out.Values[0])
		}
		if err != nil {
			end = s.skipLine(i, end)
		} else if k := v.Kind(); k == jsonval.Object || k == jsonval.Array {
			out.Values = append(out.Values, v)
		} else {
			s.warn("line-not-read", "a line has the kind "+k.String()+" instead of object; the line was skipped", i)
		}
		i = end
	}
	if len(out.Values) == 0 {
		return Source{}, whole
	}
	return out, nil
}

// recordAfter returns the object after a mark of time or level on a line of a log, if it looks like the
// first one.
func recordAfter(line string, first jsonval.Value) (jsonval.Value, error) {
	at := strings.IndexByte(line, '{')
	if at < 0 || first.Kind() != jsonval.Object {
		return jsonval.Value{}, errors.New("no object")
	}
	v, err := jsonval.Parse(line[at:])
	if a, b := shape.OpenObject(first), shape.OpenObject(v); err == nil && (!shape.LooksLike(a, b) || !shape.LooksLike(b, a)) {
		err = errors.New("another object")
	}
	return v, err
}

// skipLine adds a warning about a line that cannot be read, and returns end. The line
// begins at offset i and ends at offset end.
func (s *splitter) skipLine(i, end int) int {
	what := s.text[i:end]
	switch {
	case SkipSpace(s.text, end) >= len(s.text) && (what[0] == '{' || what[0] == '[') && valueEnd(s.text, i) == 0:
		s.warn("cut-last-line", "the last line is incomplete; it was not read", i)
	case what[0] == '{' || what[0] == '[':
		s.warn("invalid-line", "a line was skipped because it is not JSON: "+shape.QuoteExcerpt(what, 0, 40), i)
	default:
		s.warn("line-not-read", "a line was skipped because it is not JSON: "+shape.QuoteExcerpt(what, 0, 40), i)
	}
	return end
}

// salvageList reads the complete elements of a list that was cut off. If no element is
// complete, it returns the given error.
func (s *splitter) salvageList(first int, whole error) (Source, error) {
	out := Source{stream: true}
	i := SkipSpace(s.text, first+1)
	for i < len(s.text) && s.text[i] != ']' {
		end := valueEnd(s.text, i)
		if end == 0 {
			break
		}
		v, err := jsonval.Parse(s.text[i:end])
		if err != nil {
			break
		}
		out.Values = append(out.Values, v)
		if i = SkipSpace(s.text, end); i >= len(s.text) || s.text[i] != ',' {
			break
		}
		i = SkipSpace(s.text, i+1)
	}
	if len(out.Values) == 0 {
		return Source{}, whole
	}
	s.warn("cut-off", fmt.Sprintf("the list element that begins here is incomplete; the %d complete elements before it were read", len(out.Values)), i)
	return out, nil
}

// readFenced reads the markdown code blocks of a text. It returns no values if none of
// the blocks is JSON.
func (s *splitter) readFenced() (Source, error) {
	var out Source
	outside, unclosed := false, -1
	for i := 0; i < len(s.text); {
		start := strings.Index(s.text[i:], "```")
		if start < 0 {
			outside = outside || strings.TrimSpace(s.text[i:]) != ""
			break
		}
		outside = outside || strings.TrimSpace(s.text[i:i+start]) != ""
		body := lineEnd(s.text, i+start)
		stop := strings.Index(s.text[body:], "\n```")
		if stop < 0 {
			stop, unclosed = len(s.text)-body, i+start
		}
		block, err := s.readCodeBlock(body, body+stop)
		if err != nil {
			return Source{}, err
		}
		out.Values, out.stream = append(out.Values, block.Values...), out.stream || block.stream || len(out.Values) > 0
		i = min(lineEnd(s.text, min(body+stop+1, len(s.text))), len(s.text))
	}
	if len(out.Values) > 0 && unclosed >= 0 {
		s.warn("fence-not-closed", "the markdown code block is not closed; the trace may be cut off", unclosed)
	}
	if len(out.Values) > 0 && outside {
		s.warn("text-around", "text outside the markdown code block was not read", 0)
	}
	return out, nil
}

// readCodeBlock reads one code block. It returns no values if the block does not begin
// like JSON.
func (s *splitter) readCodeBlock(from, to int) (Source, error) {
	inner := strings.TrimSpace(s.text[from:to])
	if inner == "" || (inner[0] != '{' && inner[0] != '[') {
		return Source{}, nil
	}
	list, err := Split(inner, s.cores, s.warn)
	if err != nil {
		return Source{}, jsonval.ErrorAt(s.text, from, "the code block is not JSON: "+err.Error())
	}
	return list, nil
}

// readProse looks for JSON that begins inside other text. If there is none, it returns
// the given error.
func (s *splitter) readProse(whole error) (Source, error) {
	for i := 0; i < len(s.text) && s.budget > 0; i++ {
		next := strings.IndexAny(s.text[i:], "{[")
		if next < 0 {
			break
		}
		i += next
		v, _, err := s.parseValue(i)
		if err != nil || v.Len() == 0 || (v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() != jsonval.Object) {
			continue
		}
		out, err := s.readLines(i, whole)
		if err == nil && strings.TrimSpace(s.text[:i]) != "" {
			s.warn("text-around", "text before the trace was not read: "+shape.QuoteExcerpt(strings.TrimSpace(s.text), 0, 40), 0)
		}
		return out, err
	}
	return Source{}, whole
}

// readStream reads a recorded stream: server-sent events ("data: {…}"), or the data
// stream of the AI SDK ("9:{…}"). It returns no values if the first line is neither.
func (s *splitter) readStream() Source {
	out := Source{stream: true}
	i := SkipSpace(s.text, 0)
	if _, ok := eventData(s.text[i:lineEnd(s.text, i)]); !ok {
		return out
	}
	for ; i < len(s.text); i = SkipSpace(s.text, lineEnd(s.text, i)) {
		data, ok := eventData(s.text[i:lineEnd(s.text, i)])
		switch {
		case !ok:
			s.warn("line-not-read", "a line of the stream was skipped because it is not an event: "+shape.QuoteExcerpt(s.text, i, 40), i)
		case data != "" && (data[0] == '{' || data[0] == '['):
			if v, err := jsonval.Parse(data); err == nil {
				out.Values = append(out.Values, v)
			} else if data != "[DONE]" {
				s.warn("invalid-line", "an event of a stream was skipped because it is not JSON: "+shape.QuoteExcerpt(data, 0, 40), i)
			}
		}
	}
	return out
}

// eventData returns the data in a line of a stream, and reports whether the line can be
// part of a stream. The data is "" for lines such as "event: …".
func eventData(line string) (string, bool) {
	line = strings.TrimRight(line, "\r")
	for _, field := range [...]string{"data:", "event:", "id:", "retry:", ":"} {
		if rest, ok := strings.CutPrefix(line, field); ok {
			return shape.IfElse(field == "data:", strings.TrimSpace(rest), ""), true
		}
	}
	if len(line) > 2 && line[1] == ':' && strings.IndexByte("0123456789abcdefghijk", line[0]) >= 0 && strings.IndexByte("{[\"", line[2]) >= 0 {
		return line[2:], true
	}
	return "", false
}
