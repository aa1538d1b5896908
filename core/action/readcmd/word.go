package readcmd

import (
	"slices"
	"strings"
)

// scanned is a word that is being read.
type scanned struct {
	text   strings.Builder
	kind   Kind
	quoted bool // a part of it was quoted or escaped
	frozen bool // the rest is not part of the known beginning
	value  bool // it is exactly one unquoted expansion
}

func (w *scanned) addText(s string) {
	if !w.frozen {
		w.text.WriteString(s)
	}
	w.value = false
}

// markOpen records that only a shell knows how the word continues. k is the kind of the
// unknown part.
func (w *scanned) markOpen(k Kind) {
	w.kind = max(w.kind, k)
	w.frozen = true
}

func (w *scanned) toWord() Word {
	if w.kind == Any {
		return Word{Kind: Any}
	}
	return Word{w.text.String(), w.kind}
}

const delimiters = " \t\n;&|()<>"

// skipBlanks skips spaces, tabs and line continuations between words. It skips a line
// continuation only after a space or tab, because shells otherwise join the characters
// around the continuation.
func (p *parser) skipBlanks() {
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

// peek returns the byte at the current offset plus ahead. It returns 0 after the end of
// the text.
func (p *parser) peek(ahead int) byte {
	if p.at+ahead < len(p.text) {
		return p.text[p.at+ahead]
	}
	return 0
}

// readWord reads one word, which begins at the current character.
func (p *parser) readWord() (w scanned, why string) {
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
			why = p.readSingleQuoted(&w)
		case '"':
			why = p.readDoubleQuoted(&w)
		case '\\':
			why = p.readEscaped(&w)
		case '$':
			why = p.readExpansion(&w, false)
		default:
			why = p.readPlain(&w, p.at == start)
		}
	}
	return w, why
}

// readPlain reads one unquoted character of the word w. The parameter first is true if it
// is the first character of the word.
func (p *parser) readPlain(w *scanned, first bool) string {
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
			w.markOpen(Names) // a pattern in zsh with EXTENDED_GLOB
			break
		}
		if next := p.peek(1); next != '/' && next != 0 && strings.IndexByte(delimiters, next) < 0 {
			return "a command with the shell character ~"
		}
		w.addText("/") // a home directory is absolute
		w.markOpen(Begins)
	case '=':
		if first && !p.isRaw("=", "==") {
			return "a word that begins with =, which zsh looks up as a command" // =ls
		}
	case '#':
		if first {
			return "a comment after a command"
		}
		w.markOpen(Any) // zsh with EXTENDED_GLOB repeats the text before it
	case '[', ']':
		if !first || !p.isRaw("[", "[[", "]", "]]") {
			w.markOpen(Names)
			break
		}
		w.addText(p.rawText())
		p.at += len(p.rawText())
		return ""
	case '*', '?', '^':
		w.markOpen(Names)
	case '{':
		return p.readBrace(w)
	case '}':
		return "a command with the shell character }"
	}
	w.addText(p.text[p.at : p.at+1])
	p.at++
	return ""
}

// rawText returns the text from the current character to the next delimiter.
func (p *parser) rawText() string {
	n := p.at
	for n < len(p.text) && strings.IndexByte(delimiters, p.text[n]) < 0 {
		n++
	}
	return p.text[p.at:n]
}

// isRaw reports whether the text up to the next delimiter is one of some texts. It reads no more than it must: a word may
// have very many of these characters.
func (p *parser) isRaw(texts ...string) bool { return slices.Contains(texts, p.rawText()) }

// inertBang reports whether the ! at the current offset has no special meaning. In some
// shells, a ! may begin a history expansion.
func (p *parser) inertBang() bool {
	switch p.peek(1) {
	case 0, ' ', '\t', '\n', '=':
		return true
	}
	return false
}

// readBrace reads a text in braces. {} is a literal, and {a,b} expands to several words
// with the same beginning.
func (p *parser) readBrace(w *scanned) string {
	inside, _, closed := strings.Cut(p.text[p.at+1:], "}")
	if !closed || strings.Trim(inside, wordChars+"*?") != "" {
		return "a command with the shell character {"
	}
	p.at += len(inside) + 2
	if inside == "" {
		w.addText("{}")
		return ""
	}
	w.markOpen(Names)
	w.value = false
	return ""
}

const (
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
	wordChars = letters + digits + "_./,@%+-"
)

func (p *parser) readSingleQuoted(w *scanned) string {
	inside, _, closed := strings.Cut(p.text[p.at+1:], "'")
	if !closed {
		return "a command with a quote that is not closed"
	}
	if strings.Contains(inside, "\n") && strings.ContainsAny(inside, "!^") {
		return "quoted text of several lines with the history character ! or ^"
	}
	w.addText(inside)
	w.quoted = true
	p.at += len(inside) + 2
	return ""
}

func (p *parser) readEscaped(w *scanned) string {
	next := p.peek(1)
	if next == 0 {
		return "a command that ends in a backslash"
	}
	if next == '\n' {
		return "a backslash that continues the line inside a word"
	}
	w.addText(p.text[p.at+1 : p.at+2])
	w.quoted = true
	p.at += 2
	return ""
}

// readDoubleQuoted reads a text in double quotes.
func (p *parser) readDoubleQuoted(w *scanned) (why string) {
	w.quoted = true
	w.addText("")
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
			why = p.readExpansion(w, true)
		case c == '\\' && strings.IndexByte("$`\"\\\n", p.peek(1)) >= 0 && p.peek(1) != 0:
			switch {
			case p.peek(1) != '\n':
				w.addText(p.text[p.at+1 : p.at+2])
			case !p.blankBefore():
				return "a backslash that continues the line inside a word"
			}
			p.at += 2
		default:
			w.addText(p.text[p.at : p.at+1])
			p.at++
		}
	}
	if why == "" {
		why = "a command with a quote that is not closed"
	}
	return why
}

// readExpansion reads an expansion, which begins with $. It accepts plain parameters,
// ${NAME:-words}, and $( ) with a list that only reads. It refuses forms that may run the
// value of a variable as code.
func (p *parser) readExpansion(w *scanned, quoted bool) string {
	next := p.peek(1)
	alone := p.at == 0 || strings.IndexByte(delimiters, p.text[p.at-1]) >= 0
	switch {
	case next == '_' || isLetter(next):
		p.at++
		name := p.text[p.at : p.at+spanLength(p.text[p.at:], letters+digits+"_")]
		p.at += len(name)
		p.noteVariable(name, w)
	case next == '{':
		inside, _, closed := strings.Cut(p.text[p.at+2:], "}")
		if !closed || !isParameter(inside) {
			return "a shell expansion that may run commands"
		}
		p.at += len(inside) + 3
		p.noteVariable(inside[:spanLength(inside, letters+digits+"_")], w)
	case next == '(':
		if why := p.readSubstitution(); why != "" {
			return why
		}
	case next == '@', next == '*', next == '?', next == '$', next == '#', isDigit(next):
		quoted = quoted && next != '@'
		p.at += 2
	case next == '\'' && !quoted:
		return p.readANSIQuoted(w)
	case next == 0, strings.IndexByte(" \t\n|)/.,;\\]%", next) >= 0, quoted && (next == '"' || next == '\''):
		w.addText("$")
		p.at++
		return ""
	default:
		return "a shell expansion that may run commands"
	}
	if c := p.peek(0); c == '[' || c == ':' && (isLetter(p.peek(1)) || p.peek(1) == '&') {
		return "a subscript or a modifier after a variable, which zsh evaluates"
	}
	if quoted {
		w.markOpen(Begins)
		return ""
	}
	w.value = alone && w.text.Len() == 0 && (p.at == len(p.text) || strings.IndexByte(delimiters, p.peek(0)) >= 0)
	w.markOpen(Any)
	return ""
}

// noteVariable records that the word w contains a variable, if the variable's name looks
// like that of a secret. It ignores a variable in a header that authorizes a request,
// because a secret is expected there.
func (p *parser) noteVariable(name string, w *scanned) {
	upper := strings.ToUpper(name)
	if !slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(upper, part) }) {
		return
	}
	if header, _, _ := strings.Cut(w.text.String(), ":"); !slices.Contains(authorizing, strings.ToLower(header)) {
		p.secret = true
	}
}

// secretParts are parts of the names of variables that usually hold secrets.
var secretParts = []string{"SECRET", "TOKEN", "PASSW", "_KEY", "CREDENTIAL", "PRIVATE"}

// authorizing holds the headers that authorize a request.
var authorizing = []string{"authorization", "proxy-authorization", "private-token", "x-api-key", "api-key", "apikey", "x-auth-token", "job-token"}

// isParameter reports whether the text inside ${ } is NAME or NAME:-WORD.
func isParameter(inside string) bool {
	name := spanLength(inside, letters+digits+"_")
	rest := inside[name:]
	return name > 0 && !isDigit(inside[0]) && (rest == "" || strings.HasPrefix(rest, ":-") && strings.Trim(rest[2:], wordChars) == "")
}

// readSubstitution reads $( ) with a list that only reads.
func (p *parser) readSubstitution() string {
	if p.peek(2) == '(' {
		return "shell arithmetic, which may run commands"
	}
	p.at += 2
	p.nested++
	defer func() { p.nested-- }()
	return p.readEnclosed(")")
}

// readANSIQuoted reads $'...' with the escapes that all shells know.
func (p *parser) readANSIQuoted(w *scanned) string {
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
			w.addText("\t\n\\"[i : i+1])
			continue
		}
		w.addText(p.text[p.at : p.at+1])
	}
	return "a command with a quote that is not closed"
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// spanLength returns the number of characters at the beginning of s that are in set.
func spanLength(s, set string) int {
	n := 0
	for n < len(s) && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return n
}
