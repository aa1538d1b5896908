package readcmd

import "strings"

// judgeSed judges a sed command. It accepts sed without -i, if the scripts neither write
// a file nor run a command. Sources: GNU sed 4.9 manual; FreeBSD sed(1).
func judgeSed(_ *usage, name string, args []Word) string {
	if len(args) == 1 && args[0].equalsText("--version") {
		return ""
	}
	script, given := "", false
	ended := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case ended || !w.mayBeOption() || w.equalsText("-"):
			if !given {
				if w.Kind != Literal {
					return "sed with a script that depends on a shell expansion"
				}
				script, given = w.Text, true
			}
		case w.Kind != Literal:
			return "sed with a word that the shell may expand to an option"
		case w.equalsText("--"):
			ended = true
		case w.equalsText("-e") || w.equalsText("--expression") || len(w.Text) > 1 && w.Text[1] != '-' && strings.HasSuffix(w.Text, "e") && strings.Trim(w.Text[1:len(w.Text)-1], "nErsuz") == "":
			if i++; i == len(args) || args[i].Kind != Literal {
				return "sed with a script that depends on a shell expansion"
			}
			script, given = script+"\n"+args[i].Text, true
		case strings.HasPrefix(w.Text, "--expression="):
			script, given = script+"\n"+w.Text[len("--expression="):], true
		case w.equalsText("--quiet"), w.equalsText("--silent"), w.equalsText("--regexp-extended"), w.equalsText("--separate"), w.equalsText("--null-data"), w.equalsText("--unbuffered"), w.equalsText("--posix"):
		case strings.Trim(w.Text[1:], "nErsuz") == "":
		default:
			return "sed with the option " + clipText(w.Text)
		}
	}
	if !given {
		return "sed without a script"
	}
	s := sedScript(script)
	return s.readCommands()
}

// sedScript is the unread part of a script.
type sedScript string

func (s *sedScript) peek() byte {
	if *s == "" {
		return 0
	}
	return (*s)[0]
}

func (s *sedScript) skip(set string) int {
	n := spanLength(string(*s), set)
	*s = (*s)[n:]
	return n
}

func (s *sedScript) takeByte(c byte) bool {
	if s.peek() != c {
		return false
	}
	*s = (*s)[1:]
	return true
}

func (s *sedScript) readCommands() string {
	for {
		s.skip(" \t\n;}")
		if s.peek() == 0 {
			return ""
		}
		if !s.skipAddress() || !s.readCommand() {
			return "sed with a script that may write or run something"
		}
	}
}

// skipAddress skips the addresses before a command. It returns false for an address of an
// unknown form.
func (s *sedScript) skipAddress() bool {
	for n := 0; n < 2; n++ {
		switch c := s.peek(); {
		case isDigit(c):
			s.skip(digits)
			if s.takeByte('~') && s.skip(digits) == 0 {
				return false
			}
		case n > 0 && (c == '+' || c == '~'):
			s.takeByte(c)
			if s.skip(digits) == 0 {
				return false
			}
		case s.takeByte('$'):
		case c == '/':
			s.takeByte('/')
			if !s.skipDelimited('/', true) {
				return false
			}
			s.skip("IM")
		case n > 0:
			return false
		default:
			n = 2 // there is no address
		}
		s.skip(" \t")
		if n >= 2 || !s.takeByte(',') {
			break
		}
		s.skip(" \t")
		if n == 1 {
			return false
		}
	}
	for s.takeByte('!') {
		s.skip(" \t")
	}
	return true
}

// readCommand reads one command with its arguments. It returns false if the command may
// do more than read and print.
func (s *sedScript) readCommand() bool {
	c := s.peek()
	if c == 0 {
		return false
	}
	*s = (*s)[1:]
	switch c {
	case '{':
		return true
	case 'p', 'P', 'd', 'D', 'n', 'N', '=', 'h', 'H', 'g', 'G', 'x', 'z', 'F':
	case 'q', 'Q', 'l':
		s.skip(" \t")
		s.skip(digits)
	case 'b', 't', 'T', ':':
		s.skip(" \t")
		if s.skip(letters+digits+"_") == 0 && c == ':' {
			return false
		}
		s.skip(" \t")
		return s.peek() == 0 || s.peek() == '\n' || s.peek() == ';'
	case 'a', 'i', 'c':
		line, _, _ := strings.Cut(string(*s), "\n")
		if strings.Contains(line, "\\") || strings.Trim(line, " \t") == "" {
			return false
		}
		*s = (*s)[len(line):]
		return true
	case 'y', 's':
		if !s.readSubstitute(c == 's') {
			return false
		}
	default:
		return false
	}
	s.skip(" \t")
	end := s.peek()
	return end == 0 || end == '\n' || end == ';' || end == '}'
}

// readSubstitute reads the two arguments of the sed command s or y, such as /old/new/.
// The parameter flags is true for the command s, which also has flags and a regular
// expression. readSubstitute returns false if the delimiter is unusual, or if versions of
// sed may read an argument differently.
func (s *sedScript) readSubstitute(flags bool) bool {
	mark := s.peek()
	if mark <= ' ' || mark == '\\' || mark >= 0x7f || isLetter(mark) || isDigit(mark) || mark == ';' || mark == '}' {
		return false
	}
	*s = (*s)[1:]
	if !s.skipDelimited(mark, flags) || !s.skipDelimited(mark, false) {
		return false
	}
	if flags {
		s.skip("gpiIMm" + digits)
	}
	return true
}

// skipDelimited skips the text up to the next delimiter, and the delimiter itself. The
// parameter mark is the delimiter, such as the / in s/old/new/. The parameter pattern is
// true if the text is a regular expression. skipDelimited returns false if the text does
// not end on the same line, or if versions of sed may read the text differently.
func (s *sedScript) skipDelimited(mark byte, pattern bool) bool {
	brackets := false
	for i := 0; i < len(*s); i++ {
		switch c := (*s)[i]; {
		case c == '\n':
			return false
		case c == '\\' && !brackets:
			i++
			if i < len(*s) && (*s)[i] == '\n' {
				return false
			}
		case c == '\\':
			return false // some versions read an escape, others a backslash
		case c == mark:
			if brackets {
				return false
			}
			*s = (*s)[i+1:]
			return true
		case c == '[' && pattern && !brackets:
			brackets = true
			for _, lead := range [...]string{"^", "]"} {
				if strings.HasPrefix(string((*s)[i+1:]), lead) && lead[0] != mark {
					i++
				}
			}
		case c == '[' && brackets && i+1 < len(*s) && strings.IndexByte(":.=", (*s)[i+1]) >= 0:
			end := strings.Index(string((*s)[i+2:]), string((*s)[i+1])+"]")
			if end < 0 || strings.IndexByte(string((*s)[i:i+2+end+2]), mark) >= 0 {
				return false
			}
			i += end + 3
		case c == ']' && brackets:
			brackets = false
		}
	}
	return false
}
