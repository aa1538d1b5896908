package repair

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// reader reads a text from left to right and records the necessary changes.
type reader struct {
	text  string
	i     int // current offset
	end   int // end of the text, without a closing fence
	edits []edit
	err   error
}

func (r *reader) setError(format string, args ...any) {
	if r.err == nil {
		r.err = jsonval.ErrorAt(r.text, r.i, fmt.Sprintf(format, args...))
	}
}

func (r *reader) addEdit(kind Kind, from, to int, now string) {
	r.edits = append(r.edits, edit{kind, from, to, now})
}

// removeFences removes the lines ```json and ``` around the text. It does nothing if the
// text does not begin with a fence.
func (r *reader) removeFences() {
	from := len(r.text) - len(strings.TrimLeft(r.text, " \t\r\n"))
	n := strings.IndexByte(r.text[from:], '\n')
	if n < 0 || !strings.HasPrefix(r.text[from:], "```") {
		return
	}
	r.i = from + n
	r.addEdit(Fence, from, r.i, "")
	body := strings.TrimRight(r.text, " \t\r\n")
	if len(body)-3 > r.i && strings.HasSuffix(body, "```") {
		r.end = len(body) - 3
		r.addEdit(Fence, r.end, len(body), "")
	}
}

// unreadText returns the unread text.
func (r *reader) unreadText() string { return r.text[r.i:r.end] }

func (r *reader) peek() byte {
	if r.i < r.end {
		return r.text[r.i]
	}
	return 0
}

// skipSpace skips white space and comments.
func (r *reader) skipSpace() {
	for r.err == nil && r.i < r.end {
		rest := r.unreadText()
		n := 0
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			r.i++
			continue
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			r.addEdit(Comment, r.i, r.i+n, "")
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest, "*/") + 2; n < 4 {
				r.setError("the comment has no end")
				return
			}
			r.addEdit(Comment, r.i, r.i+n, " ")
		default:
			c, size := utf8.DecodeRuneInString(rest)
			if c != '\ufeff' && !unicode.IsSpace(c) {
				return
			}
			n = size
			r.addEdit(Blank, r.i, r.i+n, " ")
		}
		r.i += n
	}
}

func (r *reader) readValue(depth int) {
	switch c := r.peek(); {
	case depth > jsonval.MaxDepth:
		r.setError("nested more than %d levels deep", jsonval.MaxDepth)
	case r.i >= r.end:
		r.setError("the text ends inside a value (cut off?)")
	case c == '{':
		r.readObject(depth)
	case c == '[':
		r.readList(depth)
	case c == '(':
		r.readTuple(depth)
	case c == '"' || c == '\'':
		r.readString()
	case strings.IndexByte("+-.0123456789", c) >= 0:
		r.readNumber()
	default:
		r.readWord()
	}
}

func (r *reader) readObject(depth int) {
	r.readSequence('}', func() {
		r.readName()
		if r.skipSpace(); r.err == nil && r.peek() != ':' {
			r.setError("want a colon after the name, saw %s", r.unreadExcerpt())
		}
		if r.err == nil {
			r.i++
			r.skipSpace()
			r.readValue(depth + 1)
		}
	})
}

func (r *reader) readList(depth int) { r.readSequence(']', func() { r.readValue(depth + 1) }) }

// readTuple reads (1, 2) as a list, and (1) as 1, as Python does.
func (r *reader) readTuple(depth int) {
	begun := r.i
	items, commas := r.readSequence(')', func() { r.readValue(depth + 1) })
	opener, closer := "[", "]"
	if items == 1 && commas == 0 {
		opener, closer = "", ""
	}
	r.addEdit(Tuple, begun, begun+1, opener)
	r.addEdit(Tuple, r.i-1, r.i, closer)
}

// readSequence reads the text between two brackets: items with commas between them, and
// perhaps one comma after the last item. It returns the numbers of items and commas.
func (r *reader) readSequence(closer byte, item func()) (items, commas int) {
	r.i++
	for comma := -1; ; items++ {
		switch r.skipSpace(); {
		case r.err != nil:
			return
		case r.i >= r.end:
			r.setError("the text ends inside a value (cut off?)")
			return
		case r.peek() == closer:
			if comma >= 0 {
				r.addEdit(Comma, comma, comma+1, "")
			}
			r.i++
			return
		case items > 0 && comma < 0:
			r.setError("want a comma or %c, saw %s", closer, r.unreadExcerpt())
			return
		}
		item()
		if r.skipSpace(); r.err != nil {
			return
		}
		if comma = -1; r.peek() == ',' {
			comma = r.i
			r.i++
			commas++
		}
	}
}

// unreadExcerpt returns the beginning of the unread text in quotes, for an error.
func (r *reader) unreadExcerpt() string {
	rest := r.unreadText()
	if len(rest) > 20 {
		return strconv.Quote(strings.ToValidUTF8(rest[:20], "")) + "…"
	}
	return strconv.Quote(rest)
}

// peekIdentifier returns the letters, digits, underscores, dollar signs and dots at the
// current offset.
func (r *reader) peekIdentifier() string {
	rest := r.unreadText()
	for n, c := range rest {
		if c != '_' && c != '$' && !unicode.IsLetter(c) && (n == 0 || c != '.' && !unicode.IsDigit(c)) {
			return rest[:n]
		}
	}
	return rest
}

// readName reads the name of a member. It puts quotes around a name that is a number, as
// Python's json.dumps does.
func (r *reader) readName() {
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		r.readString()
		return
	case c >= '0' && c <= '9':
		r.quoteName(len(r.unreadText()) - len(strings.TrimLeft(r.unreadText(), "0123456789")))
		return
	}
	if word := r.peekIdentifier(); word != "" {
		r.quoteName(len(word))
		return
	}
	r.setError("want the name of a member, saw %s", r.unreadExcerpt())
}

func (r *reader) quoteName(n int) {
	r.addEdit(Name, r.i, r.i+n, `"`+r.text[r.i:r.i+n]+`"`)
	r.i += n
}

// readNumber reads a number in the notation of JSON, Python or JavaScript. For example,
// it accepts +1, 1_000, .5 and 5. as numbers. Leading zeros are an error, because the
// text may be an id.
func (r *reader) readNumber() {
	rest := r.unreadText()
	n := strings.IndexFunc(rest, func(c rune) bool {
		return c > unicode.MaxASCII || c != '+' && c != '-' && c != '.' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if n < 0 {
		n = len(rest)
	}
	was := rest[:n]
	now := strings.ReplaceAll(strings.TrimPrefix(was, "+"), "_", "")
	sign := ""
	if strings.HasPrefix(now, "-") {
		sign, now = "-", now[1:]
	}
	switch {
	case now == "Infinity" || now == "inf":
		r.addEdit(Word, r.i, r.i+n, "null")
		r.i += n
		return
	case strings.HasPrefix(now, "."):
		now = "0" + now
	case strings.HasSuffix(now, "."):
		now += "0"
	}
	if now = sign + now; !jsonval.Valid(now) || now == "" {
		r.setError("%s is not a valid number", r.unreadExcerpt())
		return
	}
	if now != was {
		r.addEdit(Number, r.i, r.i+n, now)
	}
	r.i += n
}

// words maps the words that Python and JavaScript use for values to JSON.
var words = map[string]string{
	"true": "true", "false": "false", "null": "null", "True": "true", "False": "false",
	"None": "null", "undefined": "null", "NaN": "null", "nan": "null", "Infinity": "null", "inf": "null",
}

func (r *reader) readWord() {
	word := r.peekIdentifier()
	after := r.text[r.i+len(word) : r.end]
	now, known := words[word]
	switch {
	case (word == "u" || word == "U") && after != "" && (after[0] == '"' || after[0] == '\''):
		r.addEdit(Word, r.i, r.i+1, "")
		r.i++
		r.readString()
	case known:
		if now != word {
			r.addEdit(Word, r.i, r.i+len(word), now)
		}
		r.i += len(word)
	case word != "" && strings.HasPrefix(after, "("), r.peek() == '<':
		r.setError("%s is a printed object without its content. Write the object with json.dumps, model_dump_json or JSON.stringify", r.unreadExcerpt())
	default:
		r.setError("want a value, saw %s", r.unreadExcerpt())
	}
}

// readString reads a string in single or double quotes, with the escapes of JSON and of
// Python.
func (r *reader) readString() {
	begun, quote := r.i, r.text[r.i]
	var kind Kind
	if quote == '\'' {
		kind = Quotes
	}
	b := []byte{'"'}
	for r.i++; r.i < r.end; {
		switch c := r.text[r.i]; {
		case c == quote:
			r.i++
			if kind != "" {
				r.addEdit(kind, begun, r.i, string(append(b, '"')))
			}
			return
		case c == '\\':
			if b = r.readEscape(b, &kind); r.err != nil {
				return
			}
		case c == '"':
			b = append(b, `\"`...)
			r.i++
		case c < ' ':
			if kind == "" {
				kind = Control
			}
			b = appendControl(b, rune(c))
			r.i++
		default:
			b = append(b, c)
			r.i++
		}
	}
	r.i = begun
	r.setError("the string has no closing quote (cut off?)")
}

// appendControl appends a control character as JSON escapes it.
func appendControl(b []byte, c rune) []byte {
	if at := strings.IndexRune("\b\f\n\r\t", c); at >= 0 {
		return append(b, '\\', "bfnrt"[at])
	}
	return fmt.Appendf(b, `\u%04x`, c)
}

// plain maps the characters of short escapes that JSON does not have to their values.
var plain = map[byte]rune{'0': 0, 'a': 7, 'v': 11, '\'': '\''}

// readEscape reads one escape and appends its character to b, in the form that JSON
// requires. If JSON does not have this escape and *kind is "", readEscape sets *kind to
// Escape.
func (r *reader) readEscape(b []byte, kind *Kind) []byte {
	rest := r.unreadText()
	if len(rest) < 2 {
		r.setError("the string has no closing quote (cut off?)")
		return b
	}
	c, digits := rest[1], map[byte]int{'u': 4, 'x': 2, 'U': 8}[rest[1]]
	if strings.IndexByte(`"\/bfnrt`, c) >= 0 {
		r.i += 2
		return append(b, '\\', c)
	}
	code, known := plain[c]
	switch {
	case digits > 0 && len(rest) >= 2+digits:
		n, err := strconv.ParseUint(rest[2:2+digits], 16, 32)
		code, known = rune(n), err == nil && n <= unicode.MaxRune
	case c == '0' && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9': // an octal number
		known = false
	}
	switch {
	case !known:
		r.setError("%s is not a valid escape", r.unreadExcerpt())
		return b
	case c == 'u':
		b = append(b, rest[:6]...)
	default:
		if *kind == "" {
			*kind = Escape
		}
		switch {
		case code < ' ' || code == 0x7f:
			b = appendControl(b, code)
		case code >= 0xd800 && code < 0xe000:
			b = fmt.Appendf(b, `\u%04x`, code)
		default:
			b = utf8.AppendRune(b, code)
		}
	}
	r.i += 2 + digits
	return b
}
