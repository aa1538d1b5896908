package readcmd

import "strings"

// readPowerShell splits a line into the commands that PowerShell starts. It returns the
// reason to hold the line, or "".
//
// In PowerShell, a backtick escapes, and a backslash does not. Double quotes expand
// variables and $( ). The operators are ; | || && & and the end of the line. Parentheses
// and braces hold expressions and scripts, so a line with one is held. Typographic quotes
// and dashes, which quote too, do not reach this lexer.
func readPowerShell(text string) (all []started, why string) {
	found := false
	for line := range strings.SplitSeq(text, "\n") {
		p := powerLine{text: line}
		if why := p.readCommands(); why != "" {
			return nil, why
		}
		all, found = append(all, p.commands...), found || p.refused || len(p.commands) > 0
	}
	if !found {
		return nil, "an empty command"
	}
	return all, ""
}

// powerLine is one line while PowerShell's grammar is applied to it.
type powerLine struct {
	text     string
	at       int
	words    []Word
	ended    bool // the current command has the word --
	listed   bool // the word before ends in a comma, so the next one belongs to the same array
	fed      bool // the input of the current command is a pipe or a file
	joined   bool // an operator comes before the current command
	refused  bool // PowerShell refuses the whole line
	commands []started
}

func (p *powerLine) readCommands() string {
	for {
		p.at += spanLength(p.text[p.at:], " ")
		if p.at == len(p.text) {
			return p.endCommand(p.joined)
		}
		if why := p.readToken(); why != "" {
			return why
		}
	}
}

// peek returns the byte at the current offset plus ahead, or 0 after the end.
func (p *powerLine) peek(ahead int) byte {
	if p.at+ahead < len(p.text) {
		return p.text[p.at+ahead]
	}
	return 0
}

// readToken reads an operator, a redirection or a word.
func (p *powerLine) readToken() string {
	c, next := p.peek(0), p.peek(1)
	switch {
	case c == ';', c == '|', c == '&' && next == '&':
		return p.readOperator(c, next == c && c != ';')
	case c == '>', c == '<', isDigit(c) && next == '>':
		return p.readRedirect()
	case strings.IndexByte("&(){}@#,`", c) >= 0:
		return "a command with the character " + p.text[p.at:p.at+1] + ", which is special in PowerShell"
	}
	if len(p.words) == 0 {
		return p.readName()
	}
	w, why := p.readWord()
	if why != "" {
		return why
	}
	return p.addWord(w)
}

func (p *powerLine) readOperator(c byte, double bool) string {
	if why := p.endCommand(c != ';' || p.joined); why != "" {
		return why
	}
	p.joined, p.fed = c != ';', c == '|' && !double
	if p.at++; double {
		p.at++
	}
	return ""
}

// endCommand adds the current command. An empty one is held if it is required.
func (p *powerLine) endCommand(required bool) string {
	if len(p.words) == 0 && required {
		return "an empty command"
	}
	if len(p.words) > 0 && !p.refused {
		p.commands = append(p.commands, started{readings: [][]Word{p.words}, fed: p.fed})
	}
	p.words, p.ended, p.listed = nil, false, false
	return ""
}

// readRedirect reads a redirection, which is not part of the command's words.
func (p *powerLine) readRedirect() string {
	if isDigit(p.peek(0)) {
		p.at++
	}
	rest, input := p.text[p.at:], p.peek(0) == '<'
	if len(p.words) == 0 {
		return "a redirection without a command"
	}
	n := 3
	if !strings.HasPrefix(rest, ">&1") && !strings.HasPrefix(rest, ">&2") {
		target := strings.TrimLeft(strings.TrimPrefix(rest[1:], ">"), " ")
		n = spanLength(target, letters+digits+"_./-")
		if n == 0 || !input && target[:n] != "/dev/null" {
			return "output goes to " + clipText(target)
		}
		n += len(rest) - len(target)
	}
	p.at, p.fed = p.at+n, p.fed || input
	if c := p.peek(0); c != 0 && strings.IndexByte(" ;&|", c) < 0 {
		return "a redirection that is not analysed"
	}
	return ""
}

// powerKeywords are the words that begin a statement.
const powerKeywords = " begin break catch class clean configuration continue data define do dynamicparam else elseif end enum exit filter finally for foreach from function hidden if in inlinescript parallel param process return sequence static switch throw trap try until using var while workflow "

// readName reads the name of a command. [ and [[ begin the name of a type, which starts
// nothing.
func (p *powerLine) readName() string {
	n := spanLength(p.text[p.at:], letters+digits+"_./+-")
	if word, _, _ := strings.Cut(p.text[p.at:], " "); word == "[" || word == "[[" {
		n = len(word)
	}
	name := p.text[p.at : p.at+n]
	p.at += n
	if c := p.peek(0); name == "" || strings.IndexByte(".+-", name[0]) >= 0 || c != 0 && strings.IndexByte(" ;|&", c) < 0 {
		return "a command whose program is unknown"
	}
	if !p.refused && strings.Contains(powerKeywords, " "+strings.ToLower(name)+" ") {
		if next := strings.TrimLeft(p.text[p.at:], " "); name != "for" || next == "" || !isLetter(next[0]) {
			return "a command with the keyword " + name + " of PowerShell"
		}
		p.refused = true // for without a parenthesis
	}
	p.words = append(p.words, Word{Text: name})
	return ""
}

// powerPrograms are commands that are no batch files on Windows: cmdlets, and programs that
// are built for it. PowerShell passes on a word without spaces unquoted, so that cmd.exe
// finds operators in it when it runs a batch file such as npm.cmd or az.cmd.
const powerPrograms = " cat cd curl cut date diff dir echo egrep fgrep file find grep head history jq ls nl ping ps pwd rg sed sleep sort stat tail tr tree type uniq wc whoami [ [[ "

// addWord adds a word to the current command. It holds words that PowerShell does not
// pass on to a program exactly as they are.
func (p *powerLine) addWord(w Word) string {
	switch {
	case p.refused: // nothing starts
	case strings.Contains(w.Text, `"`), strings.HasSuffix(w.Text, `\`), w.Text == "" && w.Kind == Literal:
		return "a word that PowerShell may pass on as several words"
	case !strings.Contains(powerPrograms, " "+p.words[0].Text+" ") && (w.Kind == Begins || w.Kind == Any || !strings.Contains(w.Text, " ") && strings.ContainsAny(w.Text, "&|<>")):
		return "a word in which a batch file may find an operator"
	case w.equalsText("--%"):
		return "a word after which PowerShell passes on the text unread"
	case p.ended && w.mayBeOption():
		return "a word after --, which PowerShell may take away"
	case w.equalsText("--"):
		p.ended = true
	}
	p.words = append(p.words, w)
	return ""
}

// readWord reads one argument. A quote at its begin also ends it. A comma makes an array,
// whose text some versions split at its spaces, even in quotes.
func (p *powerLine) readWord() (Word, string) {
	var w scanned
	start := p.at
	option := p.peek(0) == '-' && isLetter(p.peek(1)) // until a quote, . and [ end the name of a parameter
	array := p.listed
	p.listed = false
	for p.at < len(p.text) && strings.IndexByte(" ;|&", p.text[p.at]) < 0 {
		c := p.text[p.at]
		first := p.at == start
		array, p.listed = array || c == ',', c == ','
		switch {
		case array && (w.quoted || c == '\'' || c == '"'):
			return Word{}, "a list with a quoted text"
		case c == '\'' || c == '"':
			option, w.quoted = false, true
			if why := p.readQuoted(&w, c, first); why != "" {
				return Word{}, why
			}
			if next := p.peek(0); first && next != 0 && strings.IndexByte(" ;|&", next) < 0 {
				return Word{}, "a quoted word that continues after its quote"
			}
			continue
		case c == '$':
			if why := p.readVariable(&w, false); why != "" {
				return Word{}, why
			}
			continue
		case strings.IndexByte("(){}`<>", c) >= 0, option && (c == '.' || c == '['):
			return Word{}, "a command with the character " + string(rune(c)) + ", which is special in PowerShell"
		case c == '~' && first && (p.peek(1) == '/' || p.peek(1) == ' ' || p.peek(1) == 0):
			w.addText("/")
			w.markOpen(Begins)
		case c == '*', c == '?', c == '[':
			w.markOpen(Names)
		}
		w.addText(p.text[p.at : p.at+1])
		p.at++
	}
	return w.toWord(), ""
}

// readQuoted reads a quoted text. A quote that is doubled is part of the text, so a line
// with two quotes in a row is held. On Unix, a pattern in quotes is expanded if the quotes
// do not begin the word. whole says that they do.
func (p *powerLine) readQuoted(w *scanned, quote byte, whole bool) string {
	for p.at++; p.at < len(p.text) && p.text[p.at] != quote; {
		switch c := p.text[p.at]; {
		case quote == '"' && c == '`':
			return "a command with the character `, which is special in PowerShell"
		case quote == '"' && c == '$':
			if why := p.readVariable(w, true); why != "" {
				return why
			}
		default:
			if !whole && strings.IndexByte("*?[", c) >= 0 {
				w.markOpen(Names)
			}
			w.addText(p.text[p.at : p.at+1])
			p.at++
		}
	}
	if p.at == len(p.text) {
		return "a command with a quote that is not closed"
	}
	if p.at++; p.peek(0) == quote {
		return "a quote in a quoted word"
	}
	return ""
}

// readVariable reads a $ with the name of a variable. It holds all other expansions, and
// members and elements of variables. A $ before another character is only text.
func (p *powerLine) readVariable(w *scanned, quoted bool) string {
	n := 1 + spanLength(p.text[p.at+1:], letters+digits+"_")
	next := p.peek(n)
	open := Any
	if quoted {
		open = Begins
	}
	switch {
	case next == '(', next == '{', next == ':', next >= 0x80, !quoted && (next == '.' || next == '['):
		return "an expression of PowerShell"
	case n == 1 && next != 0 && strings.IndexByte("$?^", next) >= 0:
		n++
		w.markOpen(open)
	case n == 1 && quoted:
		w.addText("$")
	default:
		w.markOpen(open)
	}
	p.at += n
	return ""
}
