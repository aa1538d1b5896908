package readcmd

import "strings"

// readCmdExe splits a line into the commands that cmd.exe starts. It returns the reason
// to hold the line, or "".
//
// In cmd.exe, only double quotes quote, until the next one or the end of the line. A caret
// escapes the next character outside of quotes. The operators are & && | || < > ( ) and
// the end of the line. Variables between percent signs are replaced before all of this, in
// quotes too, and so are variables between exclamation marks in some configurations.
func readCmdExe(text string) (all []started, why string) {
	found := false
	for line := range strings.SplitSeq(text, "\n") {
		c := cmdLine{text: line}
		if why = c.checkVariables(); why == "" {
			why = c.readCommands()
		}
		if why != "" {
			return nil, why
		}
		all, found = append(all, c.commands...), found || c.found
	}
	if !found {
		return nil, "an empty command"
	}
	return all, ""
}

// cmdLine is one line while cmd.exe's grammar is applied to it.
type cmdLine struct {
	text     string
	at       int
	quoted   bool
	segment  []byte // the current command without its redirections and carets
	fed      bool   // the input of the current command is a pipe or a file
	joined   bool   // an operator comes before the current command
	found    bool   // there is a command, or something that cmd.exe refuses
	commands []started
}

// checkVariables holds a line in which cmd.exe may replace a variable. One percent sign
// alone replaces nothing, unless it names an argument of a batch file.
func (c *cmdLine) checkVariables() string {
	_, after, found := strings.Cut(c.text, "%")
	if found && (strings.Contains(after, "%") || after != "" && strings.IndexByte(digits+"*~", after[0]) >= 0) || strings.Contains(c.text, "!") {
		return "a variable that cmd.exe replaces"
	}
	return ""
}

func (c *cmdLine) readCommands() string {
	for c.at < len(c.text) {
		if why := c.readCharacter(); why != "" {
			return why
		}
	}
	if c.quoted {
		return "a command with a quote that is not closed"
	}
	return c.endCommand(c.joined)
}

// peek returns the character after the current one, or 0 at the end.
func (c *cmdLine) peek() byte {
	if c.at+1 < len(c.text) {
		return c.text[c.at+1]
	}
	return 0
}

// readCharacter reads one character, operator or redirection.
func (c *cmdLine) readCharacter() string {
	b := c.text[c.at]
	switch {
	case b == '"':
		// Programs take \" and "" for a quote that is part of a word.
		if c.peek() == '"' || c.at > 0 && c.text[c.at-1] == '\\' {
			return "a quote in a quoted word"
		}
		c.quoted = !c.quoted
	case c.quoted:
	case b == '^':
		if next := c.peek(); next <= ' ' || strings.IndexByte("&|<>()^\"%!", next) >= 0 {
			return "an escaped character"
		}
		c.at++
		b = c.text[c.at]
	case b == '&', b == '|':
		double := c.peek() == b
		if why := c.endCommand(true); why != "" {
			return why
		}
		c.joined, c.fed = true, b == '|' && !double
		if c.at++; double {
			c.at++
		}
		return ""
	case b == '<', b == '>':
		return c.readRedirect()
	case b == '(' && strings.Trim(string(c.segment), cmdBlanks) == "":
		return "a command with the shell character ("
	}
	c.segment = append(c.segment, b)
	c.at++
	return ""
}

// cmdBlanks are the characters that cmd.exe skips before a command.
const cmdBlanks = " \t,;="

// readRedirect reads a redirection, which is not part of the command's words.
func (c *cmdLine) readRedirect() string {
	if n := len(c.segment); n > 0 && isDigit(c.segment[n-1]) {
		if n > 1 && c.segment[n-2] != ' ' {
			return "a redirection that is not analysed"
		}
		c.segment = c.segment[:n-1]
	}
	rest, input := c.text[c.at:], c.text[c.at] == '<'
	c.segment = append(c.segment, ' ')
	if strings.HasPrefix(rest, ">&1") || strings.HasPrefix(rest, ">&2") {
		c.at += 3
		return c.endTarget()
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest[1:], ">"), " ")
	n := spanLength(rest, letters+digits+"_./-")
	c.at = len(c.text) - len(rest) + n
	c.fed = c.fed || input
	if n == 0 || !input && rest[:n] != "/dev/null" {
		return "output goes to " + clipText(rest)
	}
	return c.endTarget()
}

// endTarget holds a redirection whose target continues.
func (c *cmdLine) endTarget() string {
	if c.at < len(c.text) && strings.IndexByte(" ;&|)", c.text[c.at]) < 0 {
		return "a redirection that is not analysed"
	}
	return ""
}

// endCommand adds the current command. An empty one is held if it is required.
func (c *cmdLine) endCommand(required bool) string {
	text := strings.Trim(string(c.segment), cmdBlanks)
	c.segment = c.segment[:0]
	if text == "" {
		if required || strings.ContainsAny(c.text, "<>") {
			return "an empty command"
		}
		return ""
	}
	c.found = true
	name := text[:spanLength(text, letters+digits+"_.+-[")]
	rest := text[len(name):]
	if name == "" || rest != "" && strings.IndexByte(cmdBlanks, rest[0]) < 0 {
		return "a command whose program is unknown"
	}
	if next := strings.TrimLeft(rest, cmdBlanks); name == "for" && next != "" && isLetter(next[0]) {
		return "" // without a variable such as %x, cmd.exe refuses the line
	}
	s := started{fed: c.fed}
	for _, quotes := range programQuotes {
		words, ok := splitQuoted(rest, quotes)
		if !ok {
			return "a command with a quote that is not closed"
		}
		s.readings = append(s.readings, append([]Word{{Text: name}}, words...))
		if !strings.ContainsAny(rest, `'"`) {
			break
		}
	}
	c.commands = append(c.commands, s)
	return ""
}

// programQuotes are the characters that quote in a command line on Windows, by the
// program that reads the line: most programs, those of Cygwin and MSYS, and those that
// get an escaped quote, because a tool escaped the line for cmd.exe as if it were a word.
var programQuotes = [...]string{`"`, `"'`, ""}

// splitQuoted splits a text into words at spaces outside of quotes. quotes holds the
// characters that quote. ok is false if a quote is not closed.
func splitQuoted(text, quotes string) (words []Word, ok bool) {
	var w scanned
	var quote byte
	inside := false
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ' ' && quote == 0:
			if inside {
				words = append(words, w.toWord())
			}
			w, inside = scanned{}, false
		case quote != 0 && text[i] == quote:
			quote = 0
		case quote == 0 && strings.IndexByte(quotes, text[i]) >= 0:
			quote, inside = text[i], true
		case quote == 0 && !inside && quotedName(text[i:]) > 0:
			n := quotedName(text[i:])
			for k := range n {
				w.addProgramText(text, i+1+k, text[i] == '"', k == 0)
			}
			i, inside = i+n+1, true
		default:
			w.addProgramText(text, i, quote != 0, !inside)
			inside = true
		}
	}
	return words, quote == 0
}

// quotedName returns the length of the name in quotes with which a text begins, or 0. A
// program that takes the quotes for a part of the name reads another name, or fails. This
// is not so for an option, so a text that may begin one is no name. File names on Windows
// have no double quotes, so a pattern in double quotes is only text.
func quotedName(text string) int {
	if text[0] != '\'' && text[0] != '"' {
		return 0
	}
	name, after, closed := strings.Cut(text[1:], text[:1])
	if !closed || after != "" && after[0] != ' ' || name == "" || strings.IndexByte("-+@/", name[0]) >= 0 || strings.ContainsAny(name, ` '"`) {
		return 0
	}
	return len(name)
}

// addProgramText adds one character of a text to a word, as the program reads it that
// cmd.exe starts. Some programs expand patterns, and read words from a file (@file).
func (w *scanned) addProgramText(text string, at int, quoted, first bool) {
	switch c := text[at]; {
	case c == '@' && first:
		w.markOpen(Any)
	case quoted:
	case c == '*', c == '?', c == '[', c == '{' && !strings.HasPrefix(text[at:], "{}"):
		w.markOpen(Names)
	}
	w.addText(text[at : at+1])
}
