package readcmd

import (
	"slices"
	"strings"
	"sync"
)

// A row of the table says with which arguments a command only reads:
//
//	NAME[,NAME…]: TOKEN…
//
//	*        any words, also unknown ones: every option only reads
//	-abc     these one-letter options; -k: has a value, -U? may have one attached
//	-#       a number
//	--long   a long option; --long= has a value, --long? may have one after "="
//	^long    an option of one dash and several letters; ^long= has a value
//	=-l      as -l, and one of the options marked with = is required
//	@2       at most two operands
//	+        operands that begin with + or with @
//	|        options are not written together
//	!        every word after the first operand is an operand
//	/        the value of a one-letter option is a word of its own, unless it is a number
//	:NAME    also the check of that name in checks
//	>        a command follows, which has its own row; with @0 it may be missing
//
// If a row has * and options, a known word that looks like an option must be one of them.
// Options without a token, abbreviated ones included, are held.
type row struct {
	name   string
	tokens []string
	all    bool // *
	sub    bool // >
	plus   bool // +
	stops  bool // !
	apart  bool // /
	most   int  // operands; -1 for any number
	check  string
}

// specs holds the tokens of every row by the row's name.
var specs = sync.OnceValue(func() map[string]string {
	all := make(map[string]string, 1000)
	for _, g := range table() {
		for line := range strings.SplitSeq(g.rows, "\n") {
			names, spec, _ := strings.Cut(line, ": ")
			for name := range strings.SplitSeq(strings.TrimSuffix(names, ":"), ",") {
				all[name] = spec
			}
		}
	}
	return all
})

// findRow returns the row of a command.
func findRow(name string) (r row, found bool) {
	spec, found := specs()[name]
	if !found {
		return r, false
	}
	return parseRow(name, spec), true
}

// Known reports whether the table has a program with that name.
func Known(name string) bool {
	_, found := findRow(name)
	return found
}

func parseRow(name, spec string) row {
	r := row{name: name, tokens: strings.Fields(spec), most: -1}
	for _, t := range r.tokens {
		switch t[0] {
		case '*':
			r.all = true
		case '>':
			r.sub = true
		case '+':
			r.plus = true
		case '!':
			r.stops = true
		case '/':
			r.apart = true
		case '@':
			r.most = int(t[1] - '0')
		case ':':
			r.check = t[1:]
		}
	}
	return r
}

// scan is a command's arguments while they are compared with a row.
type scan struct {
	row      row
	operands []Word
	options  []option
	values   []optionValue
	required bool // an option marked = was given
	pending  bool // the next word may be the value of the last option
	doubtful bool // the current word may be only the value of the option before it
	optional bool // the word before was an option
	ended    bool // the options may have ended, so each further word may also be an operand
	usage    *usage
}

// optionValue is the value of an option, as far as it is known.
type optionValue struct {
	option   string
	doubtful bool // the option may be only the value of the option before it
	Word
}

// addOption records an option.
func (s *scan) addOption(name, token string) {
	s.options = append(s.options, option{name, s.doubtful})
	s.required = s.required || strings.HasPrefix(token, "=") && !s.doubtful
}

// addValue records a value of the last option.
func (s *scan) addValue(w Word) {
	last := s.options[len(s.options)-1]
	s.values = append(s.values, optionValue{last.name, last.doubtful, w})
}

// option is an option as typed: a long option, or a single letter.
type option struct {
	name     string
	doubtful bool // it may be only the value of the option before it
}

// judgeCommand judges a simple command by its words. It returns the reason to refuse the
// command, or "".
func (u *usage) judgeCommand(words []Word) string {
	name := ""
	if len(words) > 0 && words[0].Kind == Literal {
		name = programName(words[0].Text)
	}
	if name == "" || strings.ContainsAny(name, " /,=\n") {
		return "a command whose program is unknown"
	}
	switch name {
	case "cd":
		u.moved = true
	case "git", "gh":
		u.git = true
	case "go":
		for _, w := range words {
			u.git = u.git || strings.HasPrefix(w.Text, "-json") // it asks git for the state
		}
	}
	u.inserts = u.inserts || u.nested > 0 && !statesOnly(words) || name == "read"
	u.sends = u.sends || sendsWords(name, words)
	if judge := specialJudge(name); judge != nil {
		return u.holdCommand(name, judge(u, name, words[1:]))
	}
	return u.holdCommand(name, u.judgeByRow(name, words[1:]))
}

// statesOnly reports whether a command prints only a fact about the machine, the time or
// the repository, and no content of files.
func statesOnly(words []Word) bool {
	switch words[0].Text {
	case "date", "pwd", "uname", "hostname", "whoami", "id", "nproc", "basename", "dirname":
		return true
	case "git":
		return len(words) > 1 && (words[1].equalsText("rev-parse") || words[1].equalsText("branch") || words[1].equalsText("describe"))
	}
	return false
}

// sendsWords reports whether a command sends an unknown argument to another machine. name
// is the name of the command, and words are all its words.
func sendsWords(name string, words []Word) bool {
	switch name {
	case "curl", "dig", "host", "nslookup", "whois", "ping", "ping6", "traceroute", "getent", "psql", "mysql", "mariadb", "redis-cli", "gh", "npm":
	case "git":
		if len(words) < 2 || !words[1].equalsText("ls-remote") {
			return false
		}
	default:
		return false
	}
	return slices.ContainsFunc(words[1:], func(w Word) bool { return w.Kind != Literal })
}

// holdCommand returns why unchanged. The parameter why is the reason to refuse a command,
// or "". holdCommand records the name of the first command that is refused.
func (u *usage) holdCommand(name, why string) string {
	if why != "" && u.held == "" {
		u.held = name
	}
	return why
}

// programName returns the name of a program without the directory /usr/bin or /bin, in
// which the system keeps its own commands.
func programName(s string) string {
	for _, dir := range [...]string{"/usr/bin/", "/bin/"} {
		if rest, found := strings.CutPrefix(s, dir); found {
			return rest
		}
	}
	return s
}

// judgeByRow judges the arguments of a command by the command's row in the table. It
// returns the reason to refuse the command, or "".
func (u *usage) judgeByRow(name string, args []Word) string {
	r, found := findRow(name)
	if !found {
		return clipText(name) + " is not a known read-only command"
	}
	if r.all && len(r.tokens) == 1 {
		return ""
	}
	s := scan{row: r, usage: u}
	for i := 0; i < len(args); i++ {
		if r.sub && !args[i].mayBeOption() {
			if args[i].Kind != Literal || strings.ContainsAny(args[i].Text, " ,") {
				return clipText(name) + " with a command that depends on a shell expansion"
			}
			return u.judgeByRow(name+" "+args[i].Text, args[i+1:])
		}
		used, why := s.readWord(args[i:])
		if why != "" {
			return clipText(name) + " with " + why
		}
		i += used - 1
	}
	return s.judgeArguments()
}

// judgeArguments judges all scanned arguments together: the number of operands, required
// options, and the check of the row. It returns the reason to refuse the command, or "".
func (s *scan) judgeArguments() string {
	r := s.row
	switch {
	case !s.required && (r.sub && r.most != 0 || r.hasRequiredToken()):
		return clipText(r.name) + " without an option that makes the command read-only"
	case r.most >= 0 && len(s.operands) > r.most:
		return clipText(r.name) + " with too many operands"
	case r.check != "":
		if why := runCheck(r.check, s); why != "" {
			return clipText(r.name) + " with " + why
		}
	}
	return ""
}

func (r *row) hasRequiredToken() bool {
	for _, t := range r.tokens {
		if t[0] == '=' {
			return true
		}
	}
	return false
}

// readWord reads the next word of args. It returns the number of words read, and the
// reason to refuse the command, or "".
//
// The word after an option may be the value of this option. If the row does not limit the
// number of operands, such a word is read in two ways: as the value, and as an ordinary
// word. So an error in the table cannot hide an option. An option in such a word is
// doubtful. It may be a reason to refuse the command, but it is never a reason to accept
// the command.
func (s *scan) readWord(args []Word) (used int, why string) {
	w := args[0]
	pending, optional := s.pending, s.optional
	s.pending, s.optional = false, w.mayBeOption()
	s.doubtful = pending || s.ended || s.row.stops && len(s.operands) > 0
	if pending {
		s.addValue(w)
	}
	if s.ended && s.optional {
		s.operands = append(s.operands, w)
	}
	switch {
	case w.equalsText("--") && optional && s.row.most < 0 && !s.row.all && !s.row.sub:
		s.ended = true // or it is the value of the option before it, and options may follow
		return 1, ""
	case w.equalsText("--") && !s.row.sub && !pending:
		if s.row.most >= 0 {
			s.operands = append(s.operands, w) // some programs, such as xxd, read it as a file
		}
		for _, operand := range args[1:] {
			if why := s.readOperand(operand); why != "" {
				return 0, why
			}
		}
		return len(args), ""
	case !w.mayBeOption() || w.equalsText("-") || s.row.all && w.Kind != Literal:
		return 1, s.readOperand(w)
	case s.row.most >= 0 && len(s.operands) > 0:
		return 0, "an option after an operand" // POSIX reads it as an operand
	case w.Kind == Any || w.Text == "":
		return 0, "a word that the shell may expand to an option"
	}
	return s.readOption(args)
}

func (s *scan) readOperand(w Word) string {
	switch {
	case strings.Contains(w.Text, "\n") && !s.row.all:
		return "an operand that contains a line break" // scripts such as zgrep read them differently
	case s.row.most >= 0 && w.Kind >= Names:
		return "a word that the shell may split into several words"
	case !s.row.plus && !s.row.all && (strings.HasPrefix(w.Text, "+") || strings.HasPrefix(w.Text, "@")):
		return "an operand that begins with + or @"
	}
	s.operands = append(s.operands, w)
	return ""
}

// readOption reads a word that begins with a dash. It returns the number of words read,
// and the reason to refuse the command, or "".
func (s *scan) readOption(args []Word) (used int, why string) {
	w := args[0]
	name, value, attached := strings.Cut(w.Text, "=")
	token := s.row.findToken(name)
	if token == "" && !strings.HasPrefix(name, "--") {
		return s.readCluster(args)
	}
	s.addOption(name, token)
	s.addValue(Word{value, w.Kind})
	switch end := token[max(0, len(token)-1):]; {
	case token == "", w.Kind != Literal && !attached:
	case end == "?", end == "=" && attached, end != "=" && end != ":" && !attached:
		return 1, ""
	case end == "=" && !attached:
		return s.readValue(args)
	}
	return 0, "the option " + clipText(w.Text)
}

// readValue reads an option whose value is the next word. It returns the number of words
// read, and the reason to refuse the command, or "".
func (s *scan) readValue(args []Word) (used int, why string) {
	if s.row.most < 0 && !s.row.sub {
		s.pending = true
		return 1, ""
	}
	if len(args) < 2 || args[1].Kind >= Names {
		return 0, "a value that depends on a shell expansion"
	}
	s.addValue(args[1])
	return 2, ""
}

// findToken returns the token of the row that allows an option of several letters, such
// as --all or -name. It returns "" if the row has no such token.
func (r *row) findToken(name string) string {
	for _, t := range r.tokens {
		body := strings.TrimRight(strings.TrimPrefix(t, "="), "=?")
		if body == name && strings.HasPrefix(body, "--") || strings.HasPrefix(body, "^") && body[1:] == name[1:] {
			return t
		}
	}
	return ""
}

// readCluster reads one-letter options written together, such as -la. It returns the
// number of words read, and the reason to refuse the command, or "".
func (s *scan) readCluster(args []Word) (used int, why string) {
	w := args[0]
	letters := w.Text[1:]
	if s.row.hasToken("-#") && w.Kind == Literal && strings.Trim(letters, digits) == "" {
		return 1, ""
	}
	for i := range len(letters) {
		if i > 0 && s.row.hasToken("|") {
			return 0, "one-letter options that are written together, as in -ab"
		}
		token := s.row.letterToken(letters[i])
		s.addOption("-"+letters[i:i+1], token)
		switch rest := letters[i+1:]; {
		case token == "":
			return 0, "the option " + clipText(w.Text)
		case strings.HasSuffix(token, "?"):
			return 1, ""
		case rest != "" && s.row.isAmbiguous(letters[i]):
			return 0, "the option " + clipText(w.Text)
		case strings.HasSuffix(token, ":") && rest == "" && w.Kind == Literal:
			return s.readValue(args)
		case strings.HasSuffix(token, ":"):
			if s.row.apart && strings.Trim(rest, digits) != "" {
				return 0, "an option whose value is not a separate word"
			}
			s.addValue(Word{rest, w.Kind})
			if w.Kind == Names {
				return 0, "a word that the shell may split into several words"
			}
			return 1, ""
		}
	}
	if w.Kind != Literal {
		return 0, "a word that the shell may expand to an option"
	}
	return 1, ""
}

func (r *row) hasToken(token string) bool {
	for _, t := range r.tokens {
		if t == token {
			return true
		}
	}
	return false
}

// isAmbiguous reports whether the row allows the one-letter option c both with a value
// and without a value.
func (r *row) isAmbiguous(c byte) bool {
	with, without := false, false
	for _, t := range r.tokens {
		if allowsLetter(t, c) {
			with, without = with || strings.HasSuffix(t, ":"), without || !strings.HasSuffix(t, ":")
		}
	}
	return with && without
}

// letterToken returns the token of the row that allows the one-letter option c, or "" if
// there is none. A token with a value takes precedence over one without a value.
func (r *row) letterToken(c byte) (found string) {
	for _, t := range r.tokens {
		if allowsLetter(t, c) && (found == "" || strings.HasSuffix(t, ":")) {
			found = t
		}
	}
	return found
}

// allowsLetter reports whether a token allows a one-letter option.
func allowsLetter(token string, c byte) bool {
	body := strings.TrimPrefix(token, "=")
	return len(body) > 1 && body[0] == '-' && body[1] != '-' && body[1] != '#' && strings.IndexByte(strings.TrimRight(body[1:], ":?"), c) >= 0
}
