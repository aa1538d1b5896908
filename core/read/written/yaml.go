package written

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// People keep test cases in YAML. This reads the part of YAML 1.2 that they write by hand: maps and lists
// in blocks and in brackets, texts in quotation marks and after | and >, comments, several documents, and values that
// stand again by their name. Its law: what it does not know, such as a tag or a merged map, makes the text YAML that must be converted, and
// never a value that is almost right. Each token of the JSON stands in the line that it has in the YAML.

// maxYAMLDepth limits the maps and lists around a value.
const maxYAMLDepth = 100

// YAML returns a text in YAML as JSON, and reports whether it is YAML that can be read. O(n).
func YAML(text string) (string, bool) {
	if !IsYAML(text) {
		return "", false
	}
	rows, fault := readYAML(text)
	return rows, fault == 0
}

// YAMLFault returns the error of a text in YAML that is not read.
func YAMLFault(text string) error {
	_, line := readYAML(text)
	if line == 0 {
		return errors.New("the input is YAML, not JSON; " + toJSON)
	}
	shown := strings.TrimSpace(strings.Split(text, "\n")[line-1])
	return fmt.Errorf("the input is YAML, and line %d is written in a way that is not read here%s: %s; %s", line, yamlForm(shown), shape.QuoteExcerpt(shown, 0, 60), toJSON)
}

const toJSON = `convert it to JSON first: python3 -c "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin)), default=str))" < FILE`

// yamlForm names the form of YAML in a line, for an error, or returns "".
func yamlForm(line string) string {
	for _, word := range strings.Fields(line) {
		switch {
		case strings.HasPrefix(word, "<<"), len(word) > 1 && (word[0] == '&' || word[0] == '*'):
			return " (an anchor)"
		case word[0] == '!':
			return " (a tag)"
		}
	}
	return ""
}

// readYAML returns a text in YAML as JSON, and the line that cannot be read, or 0.
func readYAML(text string) (rows string, fault int) {
	y := yamlReader{lines: strings.Split(text, "\n"), size: len(text), shown: 1}
	for open := true; y.nextLine() && !y.failed; {
		if y.text == "---" || y.text == "..." {
			y.at++
			y.text, open = "", true
			continue
		}
		if !open {
			return "", y.at + 1 // two documents need a line between them
		}
		open, y.named = false, nil
		y.readNode(y.indent, 0)
		y.out.WriteByte('\n')
		y.shown++
	}
	if y.failed {
		return "", max(1, min(y.fault, len(y.lines)))
	}
	return y.out.String(), 0
}

// yamlReader reads lines. The current line without its indentation is text; "" if it was read. It has failed if
// it met a form of YAML that it does not know.
type yamlReader struct {
	lines  []string
	size   int // of the text
	at     int // the current line
	begun  int // the last line with content that was begun
	indent int
	text   string
	shown  int // the line of the output
	out    strings.Builder
	failed bool
	fault  int               // the line where it failed
	named  map[string]string // the values with a name, in one line of JSON
	again  int               // the bytes of values that stood again
}

// nextLine makes the next line with content the current one, unless a part of the current one is left.
func (y *yamlReader) nextLine() bool {
	for y.text == "" && y.at < len(y.lines) {
		line := strings.TrimRight(y.lines[y.at], " \t\r")
		inner := strings.TrimLeft(line, " ")
		if inner == "" || inner[0] == '#' {
			y.at++
			continue
		}
		y.indent, y.text, y.begun = len(line)-len(inner), cutComment(inner), y.at
		if inner[0] == '\t' {
			y.failed, y.fault = true, y.at+1
		}
	}
	return y.text != ""
}

// endLine ends the current line.
func (y *yamlReader) endLine() { y.at, y.text = y.at+1, "" }

// cutComment returns a line without the comment at its end. A text in quotation marks may go on in the
// next line.
func cutComment(line string) string {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [{,:", line[i-1]) >= 0):
			end := quoteEnd(line[i:])
			if end < 0 {
				return line
			}
			i += end - 1
		case c == '#' && i > 0 && line[i-1] == ' ':
			return strings.TrimRight(line[:i], " ")
		}
	}
	return line
}

// writeToken writes a token in the line in which it stands.
func (y *yamlReader) writeToken(token string) {
	for ; y.shown < y.at+1; y.shown++ {
		y.out.WriteByte('\n')
	}
	y.out.WriteString(token)
}

func (y *yamlReader) failForm() {
	if !y.failed {
		y.fault = y.begun + 1
	}
	y.failed, y.text, y.at = true, "", len(y.lines)
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// readNode reads the value that begins at the current line and is indented by at least indent.
func (y *yamlReader) readNode(indent, depth int) {
	if !y.nextLine() || y.indent < indent || depth > maxYAMLDepth {
		y.failForm()
		return
	}
	switch _, _, isKey := yamlKey(y.text); {
	case isItem(y.text):
		y.readList(y.indent, depth)
	case isKey:
		y.readObject(y.indent, depth)
	default:
		y.readScalar(y.indent-1, depth)
	}
}

func (y *yamlReader) readList(indent, depth int) {
	y.writeToken("[")
	for n := 0; y.nextLine() && y.indent == indent && isItem(y.text) && !y.failed; n++ {
		if n > 0 {
			y.writeToken(",")
		}
		rest := strings.TrimLeft(y.text[1:], " ")
		if rest == "" {
			y.endLine()
			if y.nextLine() && y.indent > indent {
				y.readNode(indent+1, depth+1)
			} else {
				y.writeToken("null")
			}
			continue
		}
		y.indent, y.text = indent+len(y.text)-len(rest), rest
		if _, _, isKey := yamlKey(rest); isKey || isItem(rest) {
			y.readNode(y.indent, depth+1)
		} else if rest[0] == '&' {
			y.readNamed(indent, depth+1, true)
		} else {
			y.readScalar(indent, depth+1)
		}
	}
	if y.nextLine() && y.indent > indent {
		y.failForm()
	}
	y.out.WriteString("]")
}

func (y *yamlReader) readObject(indent, depth int) {
	y.writeToken("{")
	seen := map[string]bool{}
	for n := 0; y.nextLine() && y.indent == indent && !y.failed; n++ {
		key, rest, ok := yamlKey(y.text)
		if !ok {
			if isItem(y.text) || y.text == "---" || y.text == "..." {
				break
			}
			y.failForm()
			return
		}
		if seen[key] {
			y.failForm() // a name that stands twice
			return
		}
		seen[key] = true
		y.writeToken(shape.IfElse(n > 0, ",", "") + literal.Quote(key) + ":")
		if rest != "" {
			if y.text = rest; rest[0] == '&' {
				y.readNamed(indent, depth+1, false)
			} else {
				y.readScalar(indent, depth+1)
			}
			continue
		}
		y.endLine()
		switch {
		case !y.nextLine(), y.indent < indent, y.indent == indent && !isItem(y.text):
			y.writeToken("null")
		default:
			y.readNode(y.indent, depth+1)
		}
	}
	if y.nextLine() && y.indent > indent {
		y.failForm()
	}
	y.out.WriteString("}")
}

// yamlKey returns the key with which a line begins, and what follows it.
func yamlKey(text string) (key, rest string, ok bool) {
	if text == "" || strings.IndexByte("{[&*!|>%@`?", text[0]) >= 0 {
		return "", "", false
	}
	if text[0] == '"' || text[0] == '\'' {
		end := strings.IndexByte(text[1:], text[0]) + 1
		if end < 1 || strings.Contains(text[:end], `\`) || end+1 >= len(text) || text[end+1] != ':' || end+2 < len(text) && text[end+2] != ' ' {
			return "", "", false
		}
		return text[1:end], strings.TrimLeft(text[end+2:], " "), true
	}
	if key, ok = strings.CutSuffix(text, ":"); !ok || strings.Contains(key, ": ") {
		key, rest, ok = strings.Cut(text, ": ")
	}
	key = strings.TrimRight(key, " ")
	return key, strings.TrimLeft(rest, " "), ok && isPlain(key)
}

// isPlain reports whether a text without quotation marks means itself for every reader of YAML: it has no mark
// of the notation where one would count.
func isPlain(text string) bool {
	if text == "" || text == "<<" || text == "=" || strings.IndexByte("?:,[]{}#&*!|>'\"%@`", text[0]) >= 0 || text[0] == '-' && (len(text) == 1 || strings.IndexByte("- ", text[1]) >= 0) {
		return false
	}
	return !strings.ContainsAny(text, "\t\u0085\u00a0\u2028\u2029\ufeff") && !strings.Contains(text, ": ") && !strings.Contains(text, " #") && text[len(text)-1] != ':'
}

// readScalar reads the value in the rest of the current line. What is indented by more than indent goes on
// with it.
func (y *yamlReader) readScalar(indent, depth int) {
	switch c := y.text[0]; {
	case c == '*':
		y.repeatNamed()
	case strings.IndexByte("&!%@`", c) >= 0, strings.HasPrefix(y.text, "<<:"):
		y.failForm()
	case c == '|' || c == '>':
		y.readBlock(indent)
	case c == '{' || c == '[':
		y.readFlow(indent, depth)
	case c == '"' || c == '\'':
		y.readQuoted(indent)
	default:
		lines := []string{y.text}
		plain := isPlain(y.text) // plainScalar looks at the other lines
		first, last := y.at, y.at
		cut := y.hasComment()
		y.endLine()
		for y.nextLine() && y.indent > indent {
			if cut || y.at != last+1 || !plain || strings.Contains(y.text, ":") || strings.ContainsAny(y.text[:1], "#-?") {
				y.failForm() // only a whole reader knows what an empty line, a remark or a mark means there
				return
			}
			lines = append(lines, y.text)
			last, cut = y.at, y.hasComment()
			y.endLine()
		}
		token, ok := plainScalar(strings.Join(lines, " "))
		if !ok {
			y.failForm()
			return
		}
		y.writeAt(first, token)
	}
}

// maxYAMLAgain limits the bytes of the values that stand again, beside eight times those of the text.
const maxYAMLAgain = 1 << 16

// readNamed reads a value with a name, such as &a, in the rest of the current line and below. A map or a list begins
// in the line below the name.
func (y *yamlReader) readNamed(indent, depth int, inList bool) {
	name, rest, _ := strings.Cut(y.text[1:], " ")
	if rest = strings.TrimLeft(rest, " "); !isYAMLAnchor(name) || rest != "" && strings.IndexByte("&*!", rest[0]) >= 0 {
		y.failForm()
		return
	}
	y.writeToken("")
	from := y.out.Len()
	_, _, isKey := yamlKey(rest)
	switch {
	case rest == "":
		y.endLine()
		if !y.nextLine() || y.indent < indent || y.indent == indent && (inList || !isItem(y.text)) {
			y.writeToken("null")
		} else {
			y.readNode(y.indent, depth)
		}
	case isKey || isItem(rest):
		y.failForm()
		return
	default:
		y.text = rest
		y.readScalar(indent, depth)
	}
	if y.named == nil {
		y.named = map[string]string{}
	}
	y.named[name] = strings.TrimSpace(strings.ReplaceAll(y.out.String()[from:], "\n", " "))
}

// repeatNamed writes the value whose name stands in the current line, such as *a.
func (y *yamlReader) repeatNamed() {
	value, known := y.named[y.text[1:]]
	if y.again += len(value); !known || y.again > 8*y.size+maxYAMLAgain || y.hasComment() {
		y.failForm()
		return
	}
	y.writeToken(value)
	y.endLine()
}

// isYAMLAnchor reports whether a text is the name of a value: letters, digits, - and _.
func isYAMLAnchor(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// writeAt writes a token in a line before the current one.
func (y *yamlReader) writeAt(line int, token string) {
	at := y.at
	y.at = line
	y.writeToken(token)
	y.at = at
}

// hasComment reports whether a remark was cut from the current line.
func (y *yamlReader) hasComment() bool {
	return !strings.HasSuffix(strings.TrimRight(y.lines[y.at], " \t\r"), y.text)
}

// plainScalar returns a text without quotation marks as JSON. ok is false for a text that readers take for
// something else, such as 010 or 1_000.
func plainScalar(text string) (token string, ok bool) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "null", true
	case "true", "True", "TRUE":
		return "true", true
	case "false", "False", "FALSE":
		return "false", true
	}
	if c := text[0]; (c == '-' || c >= '0' && c <= '9') && jsonval.Valid(text) {
		return text, true
	}
	return literal.Quote(text), isPlain(text) && !isOtherNumber(text)
}

// isOtherNumber reports whether a text that is not a number in JSON may be one in YAML.
func isOtherNumber(text string) bool {
	s := strings.ToLower(strings.TrimLeft(text, "+-"))
	if s == ".inf" || s == ".nan" || strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o") || strings.HasPrefix(s, "0b") {
		return true
	}
	digits := strings.TrimLeft(s, "0123456789_")
	fraction := strings.TrimLeft(strings.TrimPrefix(digits, "."), "0123456789_")
	if strings.HasPrefix(fraction, "e") && fraction != s { // e10 is a word
		fraction = strings.TrimLeft(strings.TrimLeft(fraction[1:], "+-"), "0123456789_")
	}
	return fraction == "" && strings.ContainsAny(s, "0123456789")
}

func (y *yamlReader) readQuoted(indent int) {
	text, line := y.text, y.at
	if quoteEnd(text) < 0 {
		text = y.foldQuoted(indent)
	}
	if quoteEnd(text) != len(text) {
		y.failForm() // something stands after it
		return
	}
	y.endLine()
	token, ok := unquoteYAML(text)
	if !ok {
		y.failForm()
		return
	}
	y.writeAt(line, token)
}

// foldQuoted returns a text in quotation marks that goes on in the next lines, in one line: the current one is its last.
// The end of a line is a space, and an empty line is a line break. Without an end, it returns "".
func (y *yamlReader) foldQuoted(indent int) string {
	raw := strings.TrimRight(y.lines[y.at], " \t\r")
	at := strings.LastIndex(raw, y.text)
	if at < 0 {
		return "" // a remark, or what looks like one, was cut
	}
	out, empty, quote := []byte(raw[at:]), 0, y.text[:1]
	for y.at++; y.at < len(y.lines); y.at++ {
		line := strings.TrimRight(y.lines[y.at], " \t\r")
		inner := strings.TrimLeft(line, " ")
		if inner == "" {
			empty++
			continue
		}
		if len(line)-len(inner) <= indent || inner[0] == '\t' || inner == "---" {
			return ""
		}
		switch cut := quote == `"` && out[len(out)-1] == '\\'; {
		case cut && (empty > 0 || len(out) > 1 && out[len(out)-2] == '\\'):
			return "" // seldom, and readers differ
		case cut:
			out = out[:len(out)-1]
			if strings.HasPrefix(inner, `\ `) {
				inner = inner[1:]
			}
		case empty == 0:
			out = append(out, ' ')
		default:
			out = append(out, strings.Repeat(shape.IfElse(quote == `"`, `\n`, "\n"), empty)...)
		}
		empty = 0
		end := quoteEnd(quote + inner)
		if end >= 0 {
			if rest := strings.TrimLeft(inner[end-1:], " "); strings.HasPrefix(rest, "#") && len(rest) < len(inner)-end+1 {
				inner = inner[:end-1] // a remark
			}
			return string(out) + inner
		}
		out = append(out, inner...)
	}
	return ""
}

// quoteEnd returns the offset after the text in quotation marks with which a text begins, or -1.
func quoteEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[0] == '"' && text[i] == '\\':
			i++
		case text[i] == text[0] && text[0] == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return -1
}

// unquoteYAML returns a text in quotation marks as JSON.
func unquoteYAML(text string) (string, bool) {
	if text[0] == '\'' {
		return literal.Quote(strings.ReplaceAll(text[1:len(text)-1], "''", "'")), true
	}
	if jsonval.Valid(text) {
		return text, true
	}
	return "", false
}

// readFlow reads a list or an object in brackets, which may go on in the lines after the current one.
func (y *yamlReader) readFlow(indent, depth int) {
	line := y.at
	var b strings.Builder
	b.WriteString(y.text)
	var s flowScan
	for end := s.findEnd(b.String()); end != b.Len(); end = s.findEnd(b.String()) {
		if end != -1 {
			y.failForm() // something after the value
			return
		}
		y.endLine()
		if !y.nextLine() || y.indent <= indent || b.Len() > 1<<20 {
			y.failForm()
			return
		}
		b.WriteString(" " + y.text)
	}
	y.endLine()
	f := flowReader{text: b.String()}
	token := f.readValue(depth)
	if f.failed || f.skipSpace() < len(f.text) {
		y.failForm()
		return
	}
	y.writeAt(line, token)
}

// flowScan looks for the end of brackets in a text that grows by lines, and looks at each line once.
type flowScan struct {
	i     int // how much of the text was looked at
	depth int // the brackets that are open there
}

// findEnd returns the offset after the brackets with which a text begins, -1 if they are open, or -2 if a text in
// them is. The text begins with that of the last call.
func (s *flowScan) findEnd(text string) int {
	for ; s.i < len(text); s.i++ {
		switch c := text[s.i]; {
		case (c == '"' || c == '\'') && strings.IndexByte(" [{,:", text[max(s.i-1, 0)]) >= 0:
			end := quoteEnd(text[s.i:])
			if end < 0 {
				return -2 // a text that goes on in the next line
			}
			s.i += end - 1
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return s.i + 1
			}
		}
	}
	return -1
}

// flowReader reads the values in brackets.
type flowReader struct {
	text   string
	i      int
	failed bool
}

func (f *flowReader) skipSpace() int {
	for f.i < len(f.text) && f.text[f.i] == ' ' {
		f.i++
	}
	return f.i
}

// takeByte reports whether the next character is c, and reads it.
func (f *flowReader) takeByte(c byte) bool {
	if f.skipSpace() < len(f.text) && f.text[f.i] == c {
		f.i++
		return true
	}
	return false
}

func (f *flowReader) readValue(depth int) string {
	if f.skipSpace() >= len(f.text) || depth > maxYAMLDepth || f.failed {
		f.failed = true
		return ""
	}
	switch c := f.text[f.i]; {
	case c == '[' || c == '{':
		return f.readMembers(c, depth)
	case c == '"' || c == '\'':
		return f.readQuoted()
	case strings.IndexByte("&*!%@`", c) >= 0:
		f.failed = true
		return ""
	}
	token, ok := plainScalar(f.readPlain())
	f.failed = f.failed || !ok
	return token
}

// readMembers reads a list or an object.
func (f *flowReader) readMembers(open byte, depth int) string {
	f.i++
	closing := open + 2 // of [ and {
	var parts []string
	seen := map[string]bool{}
	for !f.takeByte(closing) {
		if f.failed || f.skipSpace() >= len(f.text) || len(parts) > 0 && !f.takeByte(',') {
			f.failed = true
			return ""
		}
		if f.takeByte(closing) {
			break
		}
		key := ""
		if open == '{' {
			if key = f.readKey(); !f.takeByte(':') {
				f.failed = true
				return ""
			}
			if seen[key] {
				f.failed = true
			}
			seen[key] = true
			key += ":"
		}
		parts = append(parts, key+f.readValue(depth+1))
	}
	return string(open) + strings.Join(parts, ",") + string(closing)
}

func (f *flowReader) readKey() string {
	if f.skipSpace() < len(f.text) && strings.IndexByte(`"'`, f.text[f.i]) >= 0 {
		return f.readQuoted()
	}
	key := f.readPlain()
	f.failed = f.failed || !isPlain(key)
	return literal.Quote(key)
}

func (f *flowReader) readQuoted() string {
	end := quoteEnd(f.text[f.i:])
	if end < 0 {
		f.failed = true
		return ""
	}
	token, ok := unquoteYAML(f.text[f.i : f.i+end])
	f.i += end
	f.failed = f.failed || !ok
	return token
}

// readPlain reads a text without quotation marks: up to a comma, a bracket, or a colon before a space.
func (f *flowReader) readPlain() string {
	from := f.i
	for f.i < len(f.text) && strings.IndexByte(",[]{}", f.text[f.i]) < 0 && !(f.text[f.i] == ':' && (f.i+1 == len(f.text) || f.text[f.i+1] == ' ')) {
		f.i++
	}
	return strings.TrimSpace(f.text[from:f.i])
}

// foldLines joins lines by spaces. Empty lines are line breaks, and so are the ends of lines around those that are
// indented further.
func foldLines(lines []string) string {
	var b strings.Builder
	last, begun, empty := "", false, 0
	for _, line := range lines {
		switch deeper := strings.HasPrefix(line, " ") || strings.HasPrefix(last, " "); {
		case line == "":
			empty++
			continue
		case !begun:
			b.WriteString(strings.Repeat("\n", empty))
		case deeper:
			b.WriteString(strings.Repeat("\n", empty+1))
		case empty == 0:
			b.WriteByte(' ')
		default:
			b.WriteString(strings.Repeat("\n", empty))
		}
		b.WriteString(line)
		last, begun, empty = line, true, 0
	}
	return b.String()
}

// readBlock reads a text after | or >.
func (y *yamlReader) readBlock(indent int) {
	head, line := y.text, y.at
	if head != "|" && head != "|-" && head != ">" && head != ">-" || y.hasComment() {
		y.failForm()
		return
	}
	y.endLine()
	var lines []string
	inside := -1
	for ; y.at < len(y.lines); y.at++ {
		text := strings.TrimRight(y.lines[y.at], "\r")
		inner := strings.TrimLeft(text, " ")
		if inner == "" {
			lines = append(lines, "")
			continue
		}
		if inside < 0 {
			inside = len(text) - len(inner)
		}
		if inside <= indent || len(text)-len(inner) < inside {
			break
		}
		if strings.Contains(text, "\t") {
			y.failForm() // only a whole reader knows what a tab means there
			return
		}
		lines = append(lines, text[inside:])
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	text := strings.Join(lines, "\n")
	if head[0] == '>' {
		text = foldLines(lines)
	}
	if !strings.Contains(head, "-") && text != "" {
		text += "\n"
	}
	y.writeAt(line, literal.Quote(text))
}

// IsYAML reports whether the first lines of a text look like YAML. A key without a value,
// such as "requests:", must be followed by a list item with a key, or by an indented key.
func IsYAML(text string) bool {
	parent, n := false, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		inner := strings.TrimLeft(line, " ")
		if inner == "" || inner[0] == '#' || inner == "---" {
			continue
		}
		rest, isItem := strings.CutPrefix(inner, "- ")
		if _, after, marked := strings.Cut(rest, " "); marked && rest[0] == '&' {
			rest = after
		}
		if isItem && strings.HasPrefix(rest, "&") && !strings.Contains(rest, ":") {
			parent = true
			continue
		}
		key, value, found := strings.Cut(rest, ":")
		if n++; n > 8 || !found || !isYAMLName(key) || value != "" && value[0] != ' ' {
			return false
		}
		if parent && (isItem || len(inner) < len(line)) {
			return true
		}
		parent = value == "" || strings.HasPrefix(value, " &") || strings.HasPrefix(value, " !")
	}
	return false
}

// isYAMLName reports whether a text may be the key of a map that a person writes: at most four words.
func isYAMLName(key string) bool {
	if n := len(key); n > 2 && (key[0] == '"' || key[0] == '\'') && key[n-1] == key[0] {
		key = key[1 : n-1]
	}
	return key != "" && len(key) < 64 && strings.Count(key, " ") < 4 && !strings.ContainsAny(key, "{}[]<>\"'`=()*#|")
}
