package repair

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// reader reads a text from left to right and records the necessary changes.
type reader struct {
	text  string
	i     int // current offset
	end   int // end of the text, without a closing fence
	edits []edit
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = jsonval.ErrorAt(r.text, r.i, fmt.Sprintf(format, args...))
	}
}

func (r *reader) change(kind Kind, from, to int, now string) {
	r.edits = append(r.edits, edit{kind, from, to, now})
}

// fences removes the lines ```json and ``` around the text. It does nothing if the text
// does not begin with a fence.
func (r *reader) fences() {
	from := len(r.text) - len(strings.TrimLeft(r.text, " \t\r\n"))
	n := strings.IndexByte(r.text[from:], '\n')
	if n < 0 || !strings.HasPrefix(r.text[from:], "```") {
		return
	}
	r.i = from + n
	r.change(Fence, from, r.i, "")
	body := strings.TrimRight(r.text, " \t\r\n")
	if len(body)-3 > r.i && strings.HasSuffix(body, "```") {
		r.end = len(body) - 3
		r.change(Fence, r.end, len(body), "")
	}
}

// rest returns the unread text.
func (r *reader) rest() string { return r.text[r.i:r.end] }

func (r *reader) peek() byte {
	if r.i < r.end {
		return r.text[r.i]
	}
	return 0
}

// space skips white space and comments.
func (r *reader) space() {
	for r.err == nil && r.i < r.end {
		rest := r.rest()
		n := 0
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			r.i++
			continue
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			r.change(Comment, r.i, r.i+n, "")
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest, "*/") + 2; n < 4 {
				r.fail("the comment has no end")
				return
			}
			r.change(Comment, r.i, r.i+n, " ")
		default:
			c, size := utf8.DecodeRuneInString(rest)
			if c != '\ufeff' && !unicode.IsSpace(c) {
				return
			}
			n = size
			r.change(Blank, r.i, r.i+n, " ")
		}
		r.i += n
	}
}

func (r *reader) value(depth int) {
	switch c := r.peek(); {
	case depth > jsonval.MaxDepth:
		r.fail("nested more than %d levels deep", jsonval.MaxDepth)
	case r.i >= r.end:
		r.fail("the text ends inside a value (cut off?)")
	case c == '{':
		r.object(depth)
	case c == '[':
		r.list(depth)
	case c == '(':
		r.tuple(depth)
	case c == '"' || c == '\'':
		r.quoted()
	case strings.IndexByte("+-.0123456789", c) >= 0:
		r.number()
	default:
		r.word()
	}
}

func (r *reader) object(depth int) {
	r.sequence('}', func() {
		r.name()
		if r.space(); r.err == nil && r.peek() != ':' {
			r.fail("want a colon after the name, saw %s", r.here())
		}
		if r.err == nil {
			r.i++
			r.space()
			r.value(depth + 1)
		}
	})
}

func (r *reader) list(depth int) { r.sequence(']', func() { r.value(depth + 1) }) }

// tuple reads (1, 2) as a list, and (1) as 1, as Python does.
func (r *reader) tuple(depth int) {
	begun := r.i
	items, commas := r.sequence(')', func() { r.value(depth + 1) })
	opener, closer := "[", "]"
	if items == 1 && commas == 0 {
		opener, closer = "", ""
	}
	r.change(Tuple, begun, begun+1, opener)
	r.change(Tuple, r.i-1, r.i, closer)
}

// sequence reads the text between two brackets: items with commas between them, and
// perhaps one comma after the last item. It returns the numbers of items and commas.
func (r *reader) sequence(closer byte, item func()) (items, commas int) {
	r.i++
	for comma := -1; ; items++ {
		switch r.space(); {
		case r.err != nil:
			return
		case r.i >= r.end:
			r.fail("the text ends inside a value (cut off?)")
			return
		case r.peek() == closer:
			if comma >= 0 {
				r.change(Comma, comma, comma+1, "")
			}
			r.i++
			return
		case items > 0 && comma < 0:
			r.fail("want a comma or %c, saw %s", closer, r.here())
			return
		}
		item()
		if r.space(); r.err != nil {
			return
		}
		if comma = -1; r.peek() == ',' {
			comma = r.i
			r.i++
			commas++
		}
	}
}

// here returns the beginning of the unread text in quotes, for an error.
func (r *reader) here() string {
	rest := r.rest()
	if len(rest) > 20 {
		return strconv.Quote(strings.ToValidUTF8(rest[:20], "")) + "…"
	}
	return strconv.Quote(rest)
}

// identifier returns the letters, digits, underscores, dollar signs and dots at the
// current offset.
func (r *reader) identifier() string {
	rest := r.rest()
	for n, c := range rest {
		if c != '_' && c != '$' && !unicode.IsLetter(c) && (n == 0 || c != '.' && !unicode.IsDigit(c)) {
			return rest[:n]
		}
	}
	return rest
}

// name reads the name of a member. It puts quotes around a name that is a number, as
// Python's json.dumps does.
func (r *reader) name() {
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		r.quoted()
		return
	case c >= '0' && c <= '9':
		r.renamed(len(r.rest()) - len(strings.TrimLeft(r.rest(), "0123456789")))
		return
	}
	if word := r.identifier(); word != "" {
		r.renamed(len(word))
		return
	}
	r.fail("want the name of a member, saw %s", r.here())
}

func (r *reader) renamed(n int) {
	r.change(Name, r.i, r.i+n, `"`+r.text[r.i:r.i+n]+`"`)
	r.i += n
}

// number reads a number. As in Python and JavaScript, the number may have a plus sign,
// underscores, and no digit on one side of the point. Leading zeros are an error, because
// the number may be an id.
func (r *reader) number() {
	rest := r.rest()
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
		r.change(Word, r.i, r.i+n, "null")
		r.i += n
		return
	case strings.HasPrefix(now, "."):
		now = "0" + now
	case strings.HasSuffix(now, "."):
		now += "0"
	}
	if now = sign + now; !jsonval.Valid(now) || now == "" {
		r.fail("%s is not a valid number", r.here())
		return
	}
	if now != was {
		r.change(Number, r.i, r.i+n, now)
	}
	r.i += n
}

// words maps the words that Python and JavaScript use for values to JSON.
var words = map[string]string{
	"true": "true", "false": "false", "null": "null", "True": "true", "False": "false",
	"None": "null", "undefined": "null", "NaN": "null", "nan": "null", "Infinity": "null", "inf": "null",
}

func (r *reader) word() {
	word := r.identifier()
	after := r.text[r.i+len(word) : r.end]
	now, known := words[word]
	switch {
	case (word == "u" || word == "U") && after != "" && (after[0] == '"' || after[0] == '\''):
		r.change(Word, r.i, r.i+1, "")
		r.i++
		r.quoted()
	case known:
		if now != word {
			r.change(Word, r.i, r.i+len(word), now)
		}
		r.i += len(word)
	case word != "" && strings.HasPrefix(after, "("), r.peek() == '<':
		r.fail("%s is a printed object without its content: write the object with json.dumps, model_dump_json or JSON.stringify", r.here())
	default:
		r.fail("want a value, saw %s", r.here())
	}
}

// quoted reads a string in single or double quotes, with the escapes of JSON and of
// Python.
func (r *reader) quoted() {
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
				r.change(kind, begun, r.i, string(append(b, '"')))
			}
			return
		case c == '\\':
			if b = r.escape(b, &kind); r.err != nil {
				return
			}
		case c == '"':
			b = append(b, `\"`...)
			r.i++
		case c < ' ':
			if kind == "" {
				kind = Control
			}
			b = control(b, rune(c))
			r.i++
		default:
			b = append(b, c)
			r.i++
		}
	}
	r.i = begun
	r.fail("the string has no closing quote (cut off?)")
}

// control appends a control character as JSON escapes it.
func control(b []byte, c rune) []byte {
	if at := strings.IndexRune("\b\f\n\r\t", c); at >= 0 {
		return append(b, '\\', "bfnrt"[at])
	}
	return fmt.Appendf(b, `\u%04x`, c)
}

// plain maps the characters of short escapes that JSON does not have to their values.
var plain = map[byte]rune{'0': 0, 'a': 7, 'v': 11, '\'': '\''}

// escape reads one escape and appends its character to b, in the form that JSON requires.
// If JSON has no such escape as the one that was read, it sets *kind to Escape, unless
// *kind is already set.
func (r *reader) escape(b []byte, kind *Kind) []byte {
	rest := r.rest()
	if len(rest) < 2 {
		r.fail("the string has no closing quote (cut off?)")
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
		r.fail("%s is not a valid escape", r.here())
		return b
	case c == 'u':
		b = append(b, rest[:6]...)
	default:
		if *kind == "" {
			*kind = Escape
		}
		switch {
		case code < ' ' || code == 0x7f:
			b = control(b, code)
		case code >= 0xd800 && code < 0xe000:
			b = fmt.Appendf(b, `\u%04x`, code)
		default:
			b = utf8.AppendRune(b, code)
		}
	}
	r.i += 2 + digits
	return b
}
