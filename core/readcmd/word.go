package readcmd

import "strings"

// scanned is a word that is being read.
type scanned struct {
	text   strings.Builder
	kind   Kind
	quoted bool // a part of it was quoted or escaped
	frozen bool // the rest is not part of the known beginning
	value  bool // it is exactly one unquoted expansion
}

func (w *scanned) add(s string) {
	if !w.frozen {
		w.text.WriteString(s)
	}
	w.value = false
}

// open records that the word's end is not known, because only a shell can determine it. k
// is the kind of the unknown part.
func (w *scanned) open(k Kind) {
	w.kind = max(w.kind, k)
	w.frozen = true
}

func (w *scanned) word() Word {
	if w.kind == Any {
		return Word{Kind: Any}
	}
	return Word{w.text.String(), w.kind}
}

const delimiters = " \t\n;&|()<>"

// blanks skips spaces, tabs and continuations of a line between words. A backslash may
// continue a line only after a space or tab. Elsewhere shells join the characters before
// and after it, for example $ and (.
func (p *parser) blanks() {
	blank := p.blankBefore()
	for p.at < len(p.text) {
		switch {
		case p.text[p.at] == ' ' || p.text[p.at] == '\t':
			p.at++
			blank = true
		case blank && strings.HasPrefix(p.text[p.at:], "\\\n"):
			p.at += 2
		default:
			return
		}
	}
}

func (p *parser) blankBefore() bool {
	return p.at > 0 && (p.text[p.at-1] == ' ' || p.text[p.at-1] == '\t')
}

// peek returns the character at the given distance after the current character, or 0 at
// the end.
func (p *parser) peek(ahead int) byte {
	if p.at+ahead < len(p.text) {
		return p.text[p.at+ahead]
	}
	return 0
}

// word reads one word, which begins at the current character.
func (p *parser) word() (w scanned, why string) {
	start := p.at
	for p.at < len(p.text) && why == "" {
		c := p.text[p.at]
		if strings.IndexByte(delimiters, c) >= 0 {
			if c == '(' || (c == '<' || c == '>') && p.peek(1) == '(' {
				return w, "a command with the shell character ("
			}
			break
		}
		switch c {
		case '\'':
			why = p.single(&w)
		case '"':
			why = p.double(&w)
		case '\\':
			why = p.escaped(&w)
		case '$':
			why = p.dollar(&w, false)
		default:
			why = p.plain(&w, p.at == start)
		}
	}
	return w, why
}

// plain reads one unquoted character.
func (p *parser) plain(w *scanned, first bool) string {
	c := p.text[p.at]
	switch c {
	case '`':
		return "a command with the shell character `"
	case '!':
		if !p.inertBang() {
			return "a command with the shell character !"
		}
	case '~':
		if !first {
			w.open(Names) // a pattern in zsh with EXTENDED_GLOB
			break
		}
		if next := p.peek(1); next != '/' && next != 0 && strings.IndexByte(delimiters, next) < 0 {
			return "a command with the shell character ~"
		}
		w.add("/") // a home directory is absolute
		w.open(Begins)
	case '=':
		if raw := p.raw(); first && raw != "=" && raw != "==" {
			return "a word that begins with =, which zsh looks up as a command" // =ls
		}
	case '#':
		if first {
			return "a comment after a command"
		}
		w.open(Any) // zsh with EXTENDED_GLOB repeats the text before it
	case '[', ']':
		if raw := p.raw(); !first || raw != "[" && raw != "[[" && raw != "]" && raw != "]]" {
			w.open(Names)
			break
		}
		w.add(p.raw())
		p.at += len(p.raw())
		return ""
	case '*', '?', '^':
		w.open(Names)
	case '{':
		return p.brace(w)
	case '}':
		return "a command with the shell character }"
	}
	w.add(p.text[p.at : p.at+1])
	p.at++
	return ""
}

// raw returns the text from the current character to the next delimiter.
func (p *parser) raw() string {
	n := p.at
	for n < len(p.text) && strings.IndexByte(delimiters, p.text[n]) < 0 {
		n++
	}
	return p.text[p.at:n]
}

// inertBang reports whether the current character, which is a !, cannot begin history
// expansion.
func (p *parser) inertBang() bool {
	switch p.peek(1) {
	case 0, ' ', '\t', '\n', '=':
		return true
	}
	return false
}

// brace reads braces: {} is a literal, and {a,b} expands to several words with the same
// beginning.
func (p *parser) brace(w *scanned) string {
	inside, _, closed := strings.Cut(p.text[p.at+1:], "}")
	if !closed || strings.Trim(inside, wordChars+"*?") != "" {
		return "a command with the shell character {"
	}
	p.at += len(inside) + 2
	if inside == "" {
		w.add("{}")
		return ""
	}
	w.open(Names)
	w.value = false
	return ""
}

const (
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
	wordChars = letters + digits + "_./,@%+-"
)

func (p *parser) single(w *scanned) string {
	inside, _, closed := strings.Cut(p.text[p.at+1:], "'")
	if !closed {
		return "a command with a quote that is not closed"
	}
	if strings.Contains(inside, "\n") && strings.ContainsAny(inside, "!^") {
		return "quoted text of several lines with the history character ! or ^"
	}
	w.add(inside)
	w.quoted = true
	p.at += len(inside) + 2
	return ""
}

func (p *parser) escaped(w *scanned) string {
	next := p.peek(1)
	if next == 0 {
		return "a command that ends in a backslash"
	}
	if next == '\n' {
		return "a backslash that continues the line inside a word"
	}
	w.add(p.text[p.at+1 : p.at+2])
	w.quoted = true
	p.at += 2
	return ""
}

// double reads a text in double quotes.
func (p *parser) double(w *scanned) (why string) {
	w.quoted = true
	w.add("")
	for p.at++; p.at < len(p.text) && why == ""; {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return ""
		case c == '`':
			return "a command with the shell character `"
		case c == '!' && !p.inertBang():
			return "a command with the shell character !"
		case c == '^' && p.text[p.at-1] == '\n':
			return "quoted text of several lines with the history character ! or ^"
		case c == '$':
			why = p.dollar(w, true)
		case c == '\\' && strings.IndexByte("$`\"\\\n", p.peek(1)) >= 0 && p.peek(1) != 0:
			switch {
			case p.peek(1) != '\n':
				w.add(p.text[p.at+1 : p.at+2])
			case !p.blankBefore():
				return "a backslash that continues the line inside a word"
			}
			p.at += 2
		default:
			w.add(p.text[p.at : p.at+1])
			p.at++
		}
	}
	if why == "" {
		why = "a command with a quote that is not closed"
	}
	return why
}

// dollar reads an expansion, which begins with $. It accepts only plain parameters,
// ${NAME:-words}, and $( ) with a list that only reads. Other forms may run the value of
// a variable as code, because they evaluate arithmetic, or because one parameter contains
// the name of another.
func (p *parser) dollar(w *scanned, quoted bool) string {
	next := p.peek(1)
	alone := p.at == 0 || strings.IndexByte(delimiters, p.text[p.at-1]) >= 0
	switch {
	case next == '_' || letter(next):
		p.at++
		p.at += span(p.text[p.at:], letters+digits+"_")
	case next == '{':
		inside, _, closed := strings.Cut(p.text[p.at+2:], "}")
		if !closed || !parameter(inside) {
			return "a shell expansion that may run commands"
		}
		p.at += len(inside) + 3
	case next == '(':
		if why := p.substitution(); why != "" {
			return why
		}
	case next == '@', next == '*', next == '?', next == '$', next == '#', digit(next):
		quoted = quoted && next != '@'
		p.at += 2
	case next == '\'' && !quoted:
		return p.ansi(w)
	case next == 0, strings.IndexByte(" \t\n|)/.,;\\]%", next) >= 0, quoted && (next == '"' || next == '\''):
		w.add("$")
		p.at++
		return ""
	default:
		return "a shell expansion that may run commands"
	}
	if c := p.peek(0); c == '[' || c == ':' && (letter(p.peek(1)) || p.peek(1) == '&') {
		return "a subscript or a modifier after a variable, which zsh evaluates"
	}
	if quoted {
		w.open(Begins)
		return ""
	}
	w.value = alone && w.text.Len() == 0 && (p.at == len(p.text) || strings.IndexByte(delimiters, p.peek(0)) >= 0)
	w.open(Any)
	return ""
}

// parameter reports whether the text inside ${ } is NAME or NAME:-WORD.
func parameter(inside string) bool {
	name := span(inside, letters+digits+"_")
	rest := inside[name:]
	return name > 0 && !digit(inside[0]) && (rest == "" || strings.HasPrefix(rest, ":-") && strings.Trim(rest[2:], wordChars) == "")
}

// substitution reads $( ) with a list that only reads.
func (p *parser) substitution() string {
	if p.peek(2) == '(' {
		return "shell arithmetic, which may run commands"
	}
	p.at += 2
	return p.enclosed(")")
}

// ansi reads $'...' with the escapes that all shells know.
func (p *parser) ansi(w *scanned) string {
	for p.at += 2; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c == '\'' {
			p.at++
			w.quoted = true
			return ""
		}
		if c == '\\' {
			p.at++
			i := strings.IndexByte(`tn\`, p.peek(0))
			if i < 0 || p.peek(0) == 0 {
				return "an escape in $''"
			}
			w.add("\t\n\\"[i : i+1])
			continue
		}
		w.add(p.text[p.at : p.at+1])
	}
	return "a command with a quote that is not closed"
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// span returns the number of characters at the beginning of s that are in set.
func span(s, set string) int {
	n := 0
	for n < len(s) && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return n
}
