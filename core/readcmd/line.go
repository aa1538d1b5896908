package readcmd

import "strings"

// parser reads a line by recursive descent. A word that closes a compound is left for the
// function that opened it.
type parser struct {
	*usage
	text string
	at   int
}

// closing holds the reserved words that end a list.
const closing = " then elif else fi do done } "

// list reads commands up to the end of the text, to a closing word such as "done", or to
// a closing bracket. There must be at least one command.
func (p *parser) list() string {
	if p.depth++; p.depth > maxDepth {
		return "a command line that is nested too deep"
	}
	defer func() { p.depth-- }()
	for found := false; ; found = true {
		if why := p.gap(); why != "" {
			return why
		}
		if c := p.peek(0); c == 0 || c == ')' || p.reserved(closing) != "" {
			if !found {
				return "an empty command"
			}
			return ""
		}
		if why := p.pipeline(); why != "" {
			return why
		}
		if !p.separator() {
			return ""
		}
	}
}

// gap skips newlines and comments before a command. An interactive zsh reads a comment as
// an ordinary command, so a comment may contain only plain characters.
func (p *parser) gap() string {
	for {
		p.blanks()
		switch {
		case p.peek(0) == '\n':
			p.at++
		case p.peek(0) == '#':
			comment, _, _ := strings.Cut(p.text[p.at:], "\n")
			if strings.ContainsAny(comment, "'\"`\\$;&|<>(){}!") {
				return "a comment that an interactive shell may run"
			}
			p.at += len(comment)
		default:
			return ""
		}
	}
}

// separator reads the separator between two pipelines, and reports whether there was one.
func (p *parser) separator() bool {
	p.blanks()
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		p.at += 2
	case strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, ";") && !strings.HasPrefix(rest, ";;"):
		p.at++
	default:
		return false
	}
	return true
}

func (p *parser) pipeline() string {
	if why := p.prefix(); why != "" {
		return why
	}
	for {
		if why := p.gap(); why != "" {
			return why
		}
		if why := p.one(); why != "" {
			return why
		}
		p.blanks()
		rest := p.text[p.at:]
		if !strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "||") {
			return ""
		}
		p.at++
		if p.peek(0) == '&' {
			p.at++
		}
	}
}

// prefix reads the words "!" and "time", which may come before a pipeline. It accepts
// "time" only once in a line, because zsh reads a second "time" as the name of a program,
// even inside a timed pipeline.
func (p *parser) prefix() string {
	switch {
	case p.keyword("!"):
	case p.keyword("time"):
		p.blanks()
		if p.timed || p.peek(0) == '(' || p.reserved(" { if while until for ") != "" {
			return "shell syntax that is not analysed"
		}
		p.timed = true
	}
	p.blanks()
	return ""
}

// reserved returns the next word of the line if it is one of the words in the string
// list, and "" otherwise. In this string, each word has a space before and after it.
func (p *parser) reserved(list string) string {
	if word := p.raw(); word != "" && strings.Contains(list, " "+word+" ") {
		return word
	}
	return ""
}

// keyword skips a reserved word, and reports whether it was there.
func (p *parser) keyword(word string) bool {
	if p.reserved(" "+word+" ") == "" {
		return false
	}
	p.at += len(word)
	return true
}

// enclosed reads a list and the word or bracket that closes it.
func (p *parser) enclosed(end string) string {
	if why := p.list(); why != "" {
		return why
	}
	if !strings.HasPrefix(p.text[p.at:], end) || end != ")" && !p.keyword(end) {
		return "shell syntax that is not analysed"
	}
	if end == ")" {
		p.at++
	}
	return ""
}

// one reads a simple or compound command.
func (p *parser) one() (why string) {
	switch {
	case p.peek(0) == '(':
		if p.at++; p.peek(0) == '(' {
			return "shell arithmetic, which may run commands"
		}
		why = p.enclosed(")")
	case p.keyword("{"):
		why = p.enclosed("}")
	case p.keyword("if"):
		why = p.branches()
	case p.keyword("while"), p.keyword("until"):
		if why = p.enclosed("do"); why == "" {
			why = p.enclosed("done")
		}
	case p.keyword("for"):
		why = p.loop()
	default:
		return p.simple()
	}
	if why == "" {
		why = p.redirects()
	}
	return why
}

// branches reads the rest of an if command, after the word "if".
func (p *parser) branches() string {
	for {
		if why := p.enclosed("then"); why != "" {
			return why
		}
		if why := p.list(); why != "" {
			return why
		}
		switch {
		case p.keyword("elif"):
			continue
		case p.keyword("else"):
			return p.enclosed("fi")
		case p.keyword("fi"):
			return ""
		}
		return "shell syntax that is not analysed"
	}
}

// loop reads the rest of a for command, after the word "for".
func (p *parser) loop() string {
	p.blanks()
	name := p.text[p.at : p.at+span(p.text[p.at:], letters)]
	if !assignable(name) {
		return "a variable with a special meaning in some shells"
	}
	p.at += len(name)
	p.blanks()
	if !p.keyword("in") {
		return "shell syntax that is not analysed"
	}
	for p.blanks(); p.at < len(p.text) && strings.IndexByte(delimiters, p.text[p.at]) < 0; p.blanks() {
		if _, why := p.word(); why != "" {
			return why
		}
	}
	if !p.separator() {
		return "shell syntax that is not analysed"
	}
	if why := p.gap(); why != "" {
		return why
	}
	if !p.keyword("do") {
		return "shell syntax that is not analysed"
	}
	return p.enclosed("done")
}

// assignable accepts names of variables that have no meaning for a shell or program: one
// lower-case letter, or a common word.
func assignable(name string) bool {
	return len(name) == 1 && name[0] >= 'a' || name != "" && strings.Contains(" file files dir line name item id num word ext pkg repo url host user key val value arg svc pod branch commit test ", " "+name+" ")
}

// redirects reads redirections after a compound command.
func (p *parser) redirects() string {
	for {
		p.blanks()
		if digit(p.peek(0)) && (p.peek(1) == '>' || p.peek(1) == '<') {
			p.at++
		}
		if c := p.peek(0); c != '<' && c != '>' && !(c == '&' && p.peek(1) == '>') {
			return ""
		}
		if why := p.redirect(); why != "" {
			return why
		}
	}
}

// simple reads a simple command and judges it.
func (p *parser) simple() string {
	var words []Word
	values := true  // every expansion is a word of its own
	before := false // an assignment came before
	for {
		p.blanks()
		c := p.peek(0)
		if c == '<' || c == '>' || c == '&' && p.peek(1) == '>' || digit(c) && (p.peek(1) == '<' || p.peek(1) == '>') {
			if why := p.redirects(); why != "" {
				return why
			}
			continue
		}
		if c == 0 || strings.IndexByte(delimiters, c) >= 0 && c != '(' {
			break
		}
		start := p.at
		w, why := p.word()
		if why != "" {
			return why
		}
		if len(words) == 0 && !w.quoted && assigns(p.text[start:p.at]) {
			if !harmless(w.word()) {
				return "a command with a variable assignment"
			}
			before = true
			continue
		}
		values = values && (w.kind != Any || w.value)
		words = append(words, w.word())
	}
	if len(words) == 0 {
		return "an empty command"
	}
	if before && (words[0].Kind != Literal || strings.Contains(" [[ time ! { } if then elif else fi for while until do done case esac select function coproc ", " "+words[0].Text+" ")) {
		return "a command with a variable assignment"
	}
	if words[0].is("[[") {
		return p.condition(words, values)
	}
	return p.command(words)
}

// condition judges a condition in [[ ]]. There, a shell does not split an expansion into
// several words.
func (p *parser) condition(words []Word, values bool) string {
	if !values {
		return "a condition that is not analysed"
	}
	for i := range words {
		if words[i].Kind == Any {
			words[i].Kind = Begins
		}
	}
	return tests(words[1:], "]]")
}

func assigns(raw string) bool {
	n := span(raw, letters+digits+"_")
	return n > 0 && n < len(raw) && (raw[n] == '=' || raw[n] == '+' || raw[n] == '[')
}

// redirect reads one redirection without the number before it. It accepts input from a
// file or a text, output to /dev/null, and output to the other stream (2>&1).
func (p *parser) redirect() string {
	rest := p.text[p.at:]
	for _, op := range [...]string{">&1", ">&2"} {
		if strings.HasPrefix(rest, op) && (len(rest) == 3 || strings.IndexByte(delimiters, rest[3]) >= 0) {
			p.at += 3
			return ""
		}
	}
	op := ""
	for _, known := range [...]string{"&>>", "&>", ">>", ">", "<<<", "<"} {
		if strings.HasPrefix(rest, known) {
			op = known
			break
		}
	}
	p.at += len(op)
	if c := p.peek(0); op == "<" && (digit(c) || c == '-') || c == '&' || c == '|' || c == '<' || c == '>' || c == '(' || c == '!' {
		return "a redirection that is not analysed"
	}
	p.blanks()
	if c := p.peek(0); c == 0 || strings.IndexByte(delimiters, c) >= 0 {
		return "a redirection that is not analysed"
	}
	w, why := p.word()
	target := w.word()
	switch {
	case why != "":
		return why
	case op == "<<<" && target.Kind < Names:
		return ""
	case op == "<" && (target.Kind == Literal || target.Kind == Begins && target.Text == "/" && !w.quoted):
		if strings.HasPrefix(target.Text, "/dev/") && target.Text != "/dev/null" {
			return "a redirection from a device"
		}
		return ""
	case op[0] != '<' && target.is("/dev/null"):
		return ""
	case op[0] != '<' && target.Kind == Literal:
		return "output goes to " + clip(target.Text)
	}
	return "a redirection whose target is not known before the shell expands it"
}

// clip shortens a text that is quoted in a reason.
func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
