package mutation

import (
	"strings"
	"unicode"
)

// shellKind tells whether a command line is one plain command that only reads.
// There is no parser here, on purpose: quotes apart, any character that a shell
// might interpret ends the question with Unknown, and so does any character that
// parsers and shells read differently (a lone carriage return). O(n).
func shellKind(line string) (Tri, string) {
	for _, r := range line {
		if r != '\t' && r != '\n' && !unicode.IsPrint(r) {
			return Unknown, "a command with control or invisible characters"
		}
	}
	args, problem := shellWords(strings.TrimSpace(line))
	if problem != "" {
		return Unknown, problem
	}
	if len(args) == 0 {
		return Unknown, "an empty command"
	}
	name := args[0]
	for _, dir := range [...]string{"/bin/", "/usr/bin/"} {
		name = strings.TrimPrefix(name, dir)
	}
	if shellReads(name, args[1:]) {
		return No, clip(name) + " with these arguments only reads"
	}
	if word(name).has(write) {
		return Yes, clip(name) + " changes state"
	}
	return Unknown, clip(name) + " is not a command that is known to only read"
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

// shellReads holds the short list of commands that only read, each with the
// arguments that break the promise.
func shellReads(name string, args []string) bool {
	switch name {
	case "ls", "pwd", "cd", "whoami", "id", "groups", "cat", "head", "tail", "wc", "grep",
		"egrep", "fgrep", "cut", "tr", "nl", "tac", "rev", "fold", "od", "strings", "cmp",
		"comm", "diff", "stat", "du", "df", "which", "whereis", "type", "echo", "true",
		"false", "test", "uname", "uptime", "free", "ps", "printenv", "basename", "dirname",
		"realpath", "readlink", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum",
		"seq", "expr", "jq", "nproc", "lscpu", "lsblk", "arch", "who", "w", "locale":
		return true
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
