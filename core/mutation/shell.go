package mutation

import (
	"strings"
	"unicode"
)

// ShellReader takes apart command lines that are more than one plain command.
// The core has none of its own: a whole grammar weighs more than everything else
// in it, and a line that is not read counts as mutating, which is safe.
type ShellReader interface {
	// Commands gives every simple command that a shell may run for the line, in any
	// number of runs or not at all, those within substitutions and loops included.
	// An error means that nobody can tell.
	Commands(line string) ([]Command, error)
}

// Command is one simple command.
type Command struct {
	Words   []Word // name and arguments
	Writes  string // a file that its output goes to; "" for none
	Problem string // why it may do more than its words say; "" when nothing does
}

// Word is one word of a command without its quotes. Where it is not Known, only a
// shell could tell what it stands for, and how many words.
type Word struct {
	Text  string
	Known bool
}

// shellKind tells what a command line does. Without a reader only one plain
// command can be judged: quotes apart, any character that a shell might interpret
// ends the question with Unknown. Characters that parsers and shells read
// differently (a lone carriage return) end it with every reader. O(n) beside the
// reader.
func shellKind(line string, reader ShellReader) (Tri, string) {
	for _, r := range line {
		if r != '\t' && r != '\n' && !unicode.IsPrint(r) {
			return Unknown, "a command with control or invisible characters"
		}
	}
	args, problem := shellWords(strings.TrimSpace(line))
	switch {
	case problem != "" && reader != nil:
		return scriptKind(line, reader)
	case problem != "":
		return Unknown, problem
	case len(args) == 0:
		return Unknown, "an empty command"
	}
	return plainKind(args)
}

// plainKind judges one command whose words are all known.
func plainKind(args []string) (Tri, string) {
	name := commandName(args[0])
	if shellReads(name, args[1:]) {
		return No, clip(name) + " with these arguments only reads"
	}
	return otherKind(name)
}

func otherKind(name string) (Tri, string) {
	if word(name).has(write) {
		return Yes, clip(name) + " changes state"
	}
	return Unknown, clip(name) + " is not a command that is known to only read"
}

func commandName(s string) string {
	for _, dir := range [...]string{"/bin/", "/usr/bin/"} {
		s = strings.TrimPrefix(s, dir)
	}
	return s
}

// scriptKind judges all commands of a line; the strictest verdict counts, the
// first of equal ones.
func scriptKind(line string, reader ShellReader) (Tri, string) {
	all, err := reader.Commands(line)
	if err != nil {
		return Unknown, "a command line that cannot be read: " + clip(err.Error())
	}
	if len(all) == 0 {
		return Unknown, "an empty command"
	}
	worst, reason := No, ""
	for i := range all {
		m, why := all[i].kind()
		if reason == "" || m == Yes && worst != Yes || m == Unknown && worst == No {
			worst, reason = m, why
		}
	}
	if worst == No {
		reason = "all commands of the line only read"
	}
	return worst, reason
}

func (c *Command) kind() (Tri, string) {
	switch {
	case c.Writes != "":
		return Yes, "output goes to " + clip(c.Writes)
	case c.Problem != "":
		return Unknown, c.Problem
	case len(c.Words) == 0 || !c.Words[0].Known || c.Words[0].Text == "":
		return Unknown, "a command whose name only a shell could tell"
	}
	args := make([]string, len(c.Words))
	for i, w := range c.Words {
		if !w.Known { // it may stand for any option
			name := commandName(c.Words[0].Text)
			if alwaysReads(name) {
				return No, clip(name) + " only reads"
			}
			return otherKind(name)
		}
		args[i] = w.Text
	}
	return plainKind(args)
}

// shellWords cuts a line into words the way every shell does, as long as it
// holds nothing but plain characters and quotes without expansions.
func shellWords(line string) (args []string, problem string) {
	const special = ";&|<>()$`\\\n{}*?[]!#~^%"
	var b strings.Builder
	inWord := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t':
			if inWord {
				args = append(args, b.String())
				b.Reset()
			}
			inWord = false
			continue
		case c == '\'' || c == '"':
			inside, _, closed := strings.Cut(line[i+1:], string(c))
			if !closed {
				return nil, "a command with an open quote"
			}
			if strings.Contains(inside, "\n") || c == '"' && strings.ContainsAny(inside, "$`\\!") {
				return nil, "a command with expansions"
			}
			b.WriteString(inside)
			i += len(inside) + 1
		case strings.IndexByte(special, c) >= 0:
			return nil, "a command with the shell character " + string(c)
		case c == '=' && len(args) == 0:
			return nil, "a command with an assignment"
		default:
			b.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		args = append(args, b.String())
	}
	return args, ""
}

// alwaysReads holds the commands that only read, whatever their arguments.
func alwaysReads(name string) bool {
	switch name {
	case "ls", "pwd", "cd", "whoami", "id", "groups", "cat", "head", "tail", "wc", "grep",
		"egrep", "fgrep", "cut", "tr", "nl", "tac", "rev", "fold", "od", "strings", "cmp",
		"comm", "diff", "stat", "du", "df", "which", "whereis", "type", "echo", "true",
		"false", "test", "uname", "uptime", "free", "ps", "printenv", "basename", "dirname",
		"realpath", "readlink", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum",
		"seq", "expr", "jq", "nproc", "lscpu", "lsblk", "arch", "who", "w", "locale":
		return true
	}
	return false
}

// shellReads adds those that only read but for some arguments.
func shellReads(name string, args []string) bool {
	if alwaysReads(name) {
		return true
	}
	switch name {
	case "env":
		return len(args) == 0
	case "hostname":
		return none(args, func(a string) bool { return a != "-f" && a != "-i" && a != "-I" && a != "-s" })
	case "date":
		return none(args, func(a string) bool {
			return a[:min(1, len(a))] != "+" && a != "-u" && a != "--utc" && a != "-R" && a != "-I"
		})
	case "find":
		return none(args, findWrites)
	case "sort":
		return none(args, func(a string) bool {
			return short(a, "oT") || strings.HasPrefix(a, "--o") || strings.HasPrefix(a, "--co")
		})
	case "uniq":
		return operands(args) <= 1
	case "tree":
		return none(args, func(a string) bool { return short(a, "oR") || strings.HasPrefix(a, "--o") })
	case "file":
		return none(args, func(a string) bool { return short(a, "C") || strings.HasPrefix(a, "--c") })
	case "rg":
		return none(args, func(a string) bool { return strings.HasPrefix(a, "--pre") || strings.HasPrefix(a, "--hostname") })
	case "sed":
		return sedPrints(args)
	case "git":
		return gitReads(args)
	case "python", "python3", "node", "npm", "go", "java", "gcc", "make", "cargo", "rustc", "ruby", "bash":
		return len(args) == 1 && (args[0] == "--version" || name == "go" && args[0] == "version")
	}
	return false
}

func none(args []string, bad func(string) bool) bool {
	for _, a := range args {
		if bad(a) {
			return false
		}
	}
	return true
}

// short tells whether a cluster of one-letter options holds one of these.
func short(arg, letters string) bool {
	return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.ContainsAny(arg[1:], letters)
}

func operands(args []string) (n int) {
	for _, a := range args {
		if a == "-" || !strings.HasPrefix(a, "-") {
			n++
		}
	}
	return n
}

func findWrites(a string) bool {
	for _, p := range [...]string{"-delete", "-exec", "-ok", "-fprint", "-fls", "-files0"} {
		if strings.HasPrefix(a, p) {
			return true
		}
	}
	return false
}

// sedPrints allows sed -n with one printing address, the way files are paged.
func sedPrints(args []string) bool {
	return len(args) >= 2 && args[0] == "-n" && strings.HasSuffix(args[1], "p") &&
		strings.Trim(args[1][:len(args[1])-1], "0123456789,$") == "" &&
		none(args[2:], func(a string) bool { return strings.HasPrefix(a, "-") })
}

// gitReads knows git's reading subcommands. Options before the subcommand can
// name programs to run, and some behind it write files or start programs.
func gitReads(args []string) bool {
	if len(args) > 0 && args[0] == "--no-pager" {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	rest := args[1:]
	switch args[0] {
	case "status", "log", "show", "diff", "blame", "shortlog", "rev-parse", "rev-list",
		"ls-files", "ls-tree", "describe":
		return none(rest, func(a string) bool {
			return strings.HasPrefix(a, "--o") && a != "--oneline" || strings.HasPrefix(a, "--ext") || strings.HasPrefix(a, "--textconv")
		})
	case "branch":
		return none(rest, func(a string) bool {
			return a != "-a" && a != "-r" && a != "-v" && a != "-vv" && a != "--all" && a != "--show-current"
		})
	case "remote":
		return len(rest) == 0 || len(rest) == 1 && rest[0] == "-v"
	case "tag":
		return len(rest) == 0 || len(rest) == 1 && rest[0] == "-l"
	case "stash":
		return len(rest) == 1 && rest[0] == "list"
	}
	return false
}
