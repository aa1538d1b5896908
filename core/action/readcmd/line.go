package readcmd

import "strings"

// parser reads a line by recursive descent. A closing word, such as "done", is left for
// the function that read the opening word.
type parser struct {
	*usage
	text string
	at   int
}

// closing holds the reserved words that end a list.
const closing = " then elif else fi do done } "

// readList reads a list of one or more commands. The list ends at the end of the text, at
// a closing word such as "done", or at a closing bracket. Like most methods of a parser,
// readList returns the reason to refuse the line, or "".
func (p *parser) readList() string {
	if p.depth++; p.depth > maxDepth {
		return "a command line that is nested too deep"
	}
	defer func() { p.depth-- }()
	for found := false; ; found = true {
		if why := p.skipGap(); why != "" {
			return why
		}
		if c := p.peek(0); c == 0 || c == ')' || p.reservedWord(closing) != "" {
			if !found {
				return "an empty command"
			}
			return ""
		}
		if why := p.readPipeline(); why != "" {
			return why
		}
		if !p.readSeparator() {
			return ""
		}
	}
}

// skipGap skips newlines and comments before a command. It refuses a comment with special
// characters, because an interactive zsh runs a comment as a command.
func (p *parser) skipGap() string {
	for {
		p.skipBlanks()
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

// readSeparator reads the separator between two pipelines, and reports whether there was
// one.
func (p *parser) readSeparator() bool {
	p.skipBlanks()
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

func (p *parser) readPipeline() string {
	if why := p.readPrefix(); why != "" {
		return why
	}
	for {
		if why := p.skipGap(); why != "" {
			return why
		}
		if why := p.readCommand(); why != "" {
			return why
		}
		p.skipBlanks()
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

// readPrefix reads the word "!" or "time" before a pipeline, if there is one. It refuses
// a second "time" in a line, because zsh reads the second "time" as the name of a
// program.
func (p *parser) readPrefix() string {
	switch {
	case p.skipKeyword("!"):
	case p.skipKeyword("time"):
		p.skipBlanks()
		if p.timed || p.peek(0) == '(' || p.reservedWord(" { if while until for ") != "" {
			return "shell syntax that is not analysed"
		}
		p.timed = true
	}
	p.skipBlanks()
	return ""
}

// reservedWord returns the next word of the line if list contains this word. Otherwise it
// returns "". In list, each word has a space on both sides.
func (p *parser) reservedWord(list string) string {
	if word := p.rawText(); word != "" && strings.Contains(list, " "+word+" ") {
		return word
	}
	return ""
}

// skipKeyword skips a reserved word, and reports whether it was there.
func (p *parser) skipKeyword(word string) bool {
	if p.reservedWord(" "+word+" ") == "" {
		return false
	}
	p.at += len(word)
	return true
}

// readEnclosed reads a list of commands, and then the closing word or bracket, which is
// given as the parameter end.
func (p *parser) readEnclosed(end string) string {
	if why := p.readList(); why != "" {
		return why
	}
	if !strings.HasPrefix(p.text[p.at:], end) || end != ")" && !p.skipKeyword(end) {
		return "shell syntax that is not analysed"
	}
	if end == ")" {
		p.at++
	}
	return ""
}

// readCommand reads a simple or compound command.
func (p *parser) readCommand() (why string) {
	switch {
	case p.peek(0) == '(':
		if p.at++; p.peek(0) == '(' {
			return "shell arithmetic, which may run commands"
		}
		why = p.readEnclosed(")")
	case p.skipKeyword("{"):
		why = p.readEnclosed("}")
	case p.skipKeyword("if"):
		why = p.readBranches()
	case p.skipKeyword("while"), p.skipKeyword("until"):
		if why = p.readEnclosed("do"); why == "" {
			why = p.readEnclosed("done")
		}
	case p.skipKeyword("for"):
		why = p.readLoop()
	default:
		return p.readSimple()
	}
	if why == "" {
		why = p.readRedirects()
	}
	return why
}

// readBranches reads the rest of an if command, after the word "if".
func (p *parser) readBranches() string {
	for {
		if why := p.readEnclosed("then"); why != "" {
			return why
		}
		if why := p.readList(); why != "" {
			return why
		}
		switch {
		case p.skipKeyword("elif"):
			continue
		case p.skipKeyword("else"):
			return p.readEnclosed("fi")
		case p.skipKeyword("fi"):
			return ""
		}
		return "shell syntax that is not analysed"
	}
}

// readLoop reads the rest of a for command, after the word "for".
func (p *parser) readLoop() string {
	p.skipBlanks()
	name := p.text[p.at : p.at+spanLength(p.text[p.at:], letters)]
	if !isAssignable(name) {
		return "a variable that may have a special meaning in some shells"
	}
	p.at += len(name)
	p.skipBlanks()
	if !p.skipKeyword("in") {
		return "shell syntax that is not analysed"
	}
	for p.skipBlanks(); p.at < len(p.text) && strings.IndexByte(delimiters, p.text[p.at]) < 0; p.skipBlanks() {
		if _, why := p.readWord(); why != "" {
			return why
		}
	}
	if !p.readSeparator() {
		return "shell syntax that is not analysed"
	}
	if why := p.skipGap(); why != "" {
		return why
	}
	if !p.skipKeyword("do") {
		return "shell syntax that is not analysed"
	}
	return p.readEnclosed("done")
}

// isAssignable reports whether name is a variable that has no meaning for a shell or
// program. It accepts one lower-case letter, and some common words such as file.
func isAssignable(name string) bool {
	return len(name) == 1 && name[0] >= 'a' || name != "" && strings.Contains(" file files dir line name item id num word ext pkg repo url host user key val value arg svc pod branch commit test ", " "+name+" ")
}

// readRedirects reads redirections after a compound command.
func (p *parser) readRedirects() string {
	for {
		p.skipBlanks()
		if isDigit(p.peek(0)) && (p.peek(1) == '>' || p.peek(1) == '<') {
			p.at++
		}
		if c := p.peek(0); c != '<' && c != '>' && !(c == '&' && p.peek(1) == '>') {
			return ""
		}
		if why := p.readRedirect(); why != "" {
			return why
		}
	}
}

// readSimple reads a simple command and judges it.
func (p *parser) readSimple() string {
	var words []Word
	values := true  // every expansion is a word of its own
	before := false // an assignment came before
	for {
		p.skipBlanks()
		c := p.peek(0)
		if c == '<' && p.peek(1) == '(' && len(words) > 0 {
			if why := p.readSubstitution(); why != "" {
				return why
			}
			if c := p.peek(0); c != 0 && strings.IndexByte(delimiters, c) < 0 {
				return "shell syntax that is not analysed"
			}
			words = append(words, Literals([]string{"/dev/fd/63"})...)
			continue
		}
		if c == '<' || c == '>' || c == '&' && p.peek(1) == '>' || isDigit(c) && (p.peek(1) == '<' || p.peek(1) == '>') {
			if why := p.readRedirects(); why != "" {
				return why
			}
			continue
		}
		if c == 0 || strings.IndexByte(delimiters, c) >= 0 && c != '(' {
			break
		}
		start := p.at
		w, why := p.readWord()
		if why != "" {
			return why
		}
		if len(words) == 0 && !w.quoted && isAssignment(p.text[start:p.at]) {
			if !isHarmless(w.toWord()) {
				return "a command with a variable assignment"
			}
			before = true
			continue
		}
		values = values && (w.kind != Any || w.value)
		words = append(words, w.toWord())
	}
	if len(words) == 0 {
		return "an empty command"
	}
	if before && (words[0].Kind != Literal || strings.Contains(" [[ time ! { } if then elif else fi for while until do done case esac select function coproc ", " "+words[0].Text+" ")) {
		return "a command with a variable assignment"
	}
	if words[0].equalsText("[[") {
		return p.judgeCondition(words, values)
	}
	return p.judgeCommand(words)
}

// judgeCondition judges a condition in [[ ]], where a shell does not split an expansion
// into several words. It refuses the condition if values is false. The parameter values
// is true if each unknown word is exactly one expansion.
func (p *parser) judgeCondition(words []Word, values bool) string {
	if !values {
		return "a condition that is not analysed"
	}
	for i := range words {
		if words[i].Kind == Any {
			words[i].Kind = Begins
		}
	}
	return judgeTest(words[1:], "]]")
}

func isAssignment(raw string) bool {
	n := spanLength(raw, letters+digits+"_")
	return n > 0 && n < len(raw) && (raw[n] == '=' || raw[n] == '+' || raw[n] == '[')
}

// readRedirect reads one redirection without its number. It returns the reason to refuse
// the line, or "". It accepts:
//
//   - input from a file or a text, and from a here-document that nothing expands;
//   - output to /dev/null;
//   - output to the other stream (2>&1).
func (p *parser) readRedirect() string {
	rest := p.text[p.at:]
	for _, op := range [...]string{">&1", ">&2"} {
		if strings.HasPrefix(rest, op) && (len(rest) == 3 || strings.IndexByte(delimiters, rest[3]) >= 0) {
			p.at += 3
			return ""
		}
	}
	if strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<") {
		return p.readHereDocument()
	}
	op := ""
	for _, known := range [...]string{"&>>", "&>", ">>", ">", "<<<", "<"} {
		if strings.HasPrefix(rest, known) {
			op = known
			break
		}
	}
	p.at += len(op)
	if c := p.peek(0); op == "<" && (isDigit(c) || c == '-') || c == '&' || c == '|' || c == '<' || c == '>' || c == '(' || c == '!' {
		return "a redirection that is not analysed"
	}
	p.skipBlanks()
	if c := p.peek(0); c == 0 || strings.IndexByte(delimiters, c) >= 0 {
		return "a redirection that is not analysed"
	}
	w, why := p.readWord()
	target := w.toWord()
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
	case op[0] != '<' && target.equalsText("/dev/null"):
		return ""
	case op[0] != '<' && target.Kind == Literal:
		return "output goes to " + clipText(target.Text)
	}
	return "a redirection whose target depends on a shell expansion"
}

// readHereDocument reads <<'WORD', with the lines after the current one up to WORD, and
// takes these lines out of the text. WORD must be in quotes, so that the shell expands
// nothing. A line in which the document may begin elsewhere is refused.
func (p *parser) readHereDocument() string {
	const why = "a here-document that is not analysed"
	p.at += 2
	p.skipBlanks()
	quote := p.peek(0)
	if quote != '\'' && quote != '"' || p.nested > 0 {
		return why
	}
	word := p.text[p.at+1 : p.at+1+spanLength(p.text[p.at+1:], letters+digits+"_")]
	p.at += len(word) + 2
	if word == "" || p.at > len(p.text) || p.text[p.at-1] != quote {
		return why
	}
	line, document, more := strings.Cut(p.text[p.at:], "\n")
	if !more || strings.ContainsAny(line, "'\"\\`$(){}#<") || line != "" && strings.IndexByte(" ;|&", line[0]) < 0 {
		return why
	}
	body, after, closed := strings.Cut("\n"+document+"\n", "\n"+word+"\n")
	if !closed || strings.Contains(body, "!") || strings.Contains(body, "\n^") {
		return why
	}
	if after = strings.TrimSuffix(after, "\n"); after != "" {
		after = "\n" + after
	}
	p.text = p.text[:p.at+len(line)] + after
	return ""
}

// clipText shortens a text that is quoted in a reason.
func clipText(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
