package readcmd

import "strings"

// judgeAwk judges an awk command. It accepts a command whose awk program only prints.
// Sources: POSIX.1-2024 awk; gawk 5.3 manual; mawk(1).
func judgeAwk(_ *usage, name string, args []Word) string {
	if len(args) == 1 && args[0].equalsText("--version") {
		return ""
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.Kind == Literal && (!strings.HasPrefix(w.Text, "-") || w.Text == "-"):
			return awkProgram(w.Text) // the words after it are files and assignments
		case w.Kind > Begins:
			return "awk with a word that the shell may expand to an option"
		case w.equalsText("--"):
			if i+1 < len(args) && args[i+1].Kind == Literal {
				return awkProgram(args[i+1].Text)
			}
			return "awk with a program that depends on a shell expansion"
		case w.equalsText("-F"), w.equalsText("-v"):
			if i++; i == len(args) || args[i].Kind >= Names {
				return "awk with a value that depends on a shell expansion"
			}
			if w.equalsText("-v") && !awkAssigns(args[i].Text) {
				return "awk with a variable that is not analysed"
			}
		case strings.HasPrefix(w.Text, "-F"):
		case strings.HasPrefix(w.Text, "-v") && awkAssigns(w.Text[2:]):
		default:
			return "awk with the option " + clipText(w.Text)
		}
	}
	return "awk without a program"
}

func awkAssigns(text string) bool {
	n := spanLength(text, letters+digits+"_")
	return n > 0 && n < len(text) && text[n] == '=' && !isDigit(text[0])
}

// awkProgram returns the reason to refuse an awk program, or "". It accepts a program
// that can neither run a command nor write a file. So it refuses pipes, output
// redirection, and functions that are not known to be harmless.
func awkProgram(text string) string {
	const held = "awk with a program that may write or run something"
	if strings.ContainsAny(text, "@`") || strings.Contains(text, "system") || strings.Contains(text, "getline") {
		return held
	}
	a := awk{text: text}
	for a.at < len(a.text) {
		if !a.readToken() {
			return held
		}
	}
	return ""
}

// awk is the state of the scanner between two tokens.
type awk struct {
	text     string
	at       int
	operand  bool   // the last token ended an operand, so that / divides
	printing bool   // the statement contains a print, so that > redirects
	controls []bool // for each open parenthesis: whether it belongs to if, while or for
	control  bool   // the last word was if, while or for
}

func (a *awk) readToken() bool {
	c := a.text[a.at]
	control := a.control
	a.control = false
	switch {
	case c == ' ' || c == '\t' || c == '\n':
		a.operand = a.operand && c != '\n'
		a.control = control
	case isLetter(c) || c == '_':
		return a.readWord()
	case isDigit(c):
		a.at += spanLength(a.text[a.at:], digits+letters+".")
		a.operand = true
		return true
	case c == '"':
		return a.skipQuoted('"')
	case c == '/' && !a.operand:
		return a.skipQuoted('/')
	case c == '/' || c == '#' || c == '\\':
		if c != '/' {
			return false
		}
		a.operand = false
	case c == '(':
		a.controls = append(a.controls, control)
		a.operand = false
	case c == ')':
		return a.readClosing()
	case c == ']' || c == '$':
		a.operand = c == ']'
	case c == '>':
		a.operand = false
		return !a.printing && a.advance(1)
	case c == '|':
		if !strings.HasPrefix(a.text[a.at:], "||") {
			return false
		}
		a.at++
		a.operand = false
	case c == '{' || c == '}' || c == ';':
		a.printing, a.operand = false, false
	case c == '+' || c == '-':
		if strings.HasPrefix(a.text[a.at+1:], string(c)) { // the operand before ++ stays an operand
			a.at++
			if strings.HasPrefix(strings.TrimLeft(a.text[a.at+1:], " \t"), "/") {
				return false
			}
		} else {
			a.operand = false
		}
	case strings.IndexByte("[,!~<=&*%^?:.", c) >= 0:
		a.operand = false
	default:
		return false
	}
	return a.advance(1)
}

func (a *awk) advance(n int) bool {
	a.at += n
	return true
}

// readClosing reads a closing parenthesis. It returns false if no parenthesis is open. It
// also returns false if a / follows the condition of an if, while or for, because
// versions of awk read this / differently.
func (a *awk) readClosing() bool {
	n := len(a.controls)
	if n == 0 {
		return false
	}
	control := a.controls[n-1]
	a.controls = a.controls[:n-1]
	a.operand = true
	a.at++
	return !control || !strings.HasPrefix(strings.TrimLeft(a.text[a.at:], " \t\n"), "/")
}

// skipQuoted skips a string or a regular expression that ends with mark. It returns false
// if the text does not end on the same line, or if versions of awk read it differently.
func (a *awk) skipQuoted(mark byte) bool {
	brackets := false
	for a.at++; a.at < len(a.text); a.at++ {
		switch c := a.text[a.at]; {
		case c == '\n':
			return false
		case c == '\\':
			a.at++
		case mark == '/' && c == '[' && !brackets:
			if rest := a.text[a.at+1:]; strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, "^]") {
				return false
			}
			brackets = true
		case brackets && c == '[' && a.at+1 < len(a.text) && strings.IndexByte(":.=", a.text[a.at+1]) >= 0: // [:alpha:]
			end := strings.Index(a.text[a.at+2:], a.text[a.at+1:a.at+2]+"]")
			if end < 0 || strings.ContainsAny(a.text[a.at+2:a.at+2+end], "/\n\\") {
				return false
			}
			a.at += end + 3
		case c == ']':
			brackets = false
		case c == mark:
			if brackets {
				return false // some versions end the expression here
			}
			a.at++
			a.operand = true
			return true
		}
	}
	return false
}

// readWord reads a keyword, a variable or the name of a function. It returns false if the
// program may then write or run something. It also returns false if versions of awk may
// read the program differently.
func (a *awk) readWord() bool {
	n := spanLength(a.text[a.at:], letters+digits+"_")
	word := a.text[a.at : a.at+n]
	a.at += n
	a.operand = true
	switch word {
	case "if", "while", "for":
		a.control, a.operand = true, false
		return true
	case "print", "printf":
		a.printing, a.operand = true, false
		return true
	case "BEGIN", "END", "else", "do", "in", "next", "exit", "return", "break", "continue", "delete", "nextfile":
		a.operand = false
		return true
	case "system", "getline", "close", "fflush", "function", "func", "SYMTAB", "FUNCTAB", "PROCINFO", "ENVIRON", "ARGV", "ARGC", "switch", "case", "default", "BEGINFILE", "ENDFILE":
		return false
	case "length", "substr", "index", "split", "sub", "gsub", "gensub", "match", "sprintf", "sin", "cos", "atan2", "exp", "log", "sqrt", "int", "rand", "srand",
		"tolower", "toupper", "strftime", "systime", "mktime", "asort", "asorti", "strtonum", "and", "or", "xor", "lshift", "rshift", "compl", "typeof", "isarray":
		return !strings.HasPrefix(strings.TrimLeft(a.text[a.at:], " \t"), "/") // length /x/
	}
	return !strings.HasPrefix(a.text[a.at:], "(") // a function with another name
}
