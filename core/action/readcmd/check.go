package readcmd

import (
	"slices"
	"strings"
)

// runCheck runs the check with the given name on the arguments of a command. It returns
// the reason to refuse the command, or "". A row of the table may name a check.
func runCheck(name string, s *scan) string {
	switch name {
	case "date": // any other operand sets the clock
		for _, w := range s.operands {
			if !strings.HasPrefix(w.Text, "+") {
				return "an operand that sets the clock"
			}
		}
	case "number":
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Trim(w.Text, digits+".smhd") != "" {
				return "an operand that is not a number"
			}
		}
	case "plain": // NAME=VALUE sets a variable
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Contains(w.Text, "=") {
				return "an operand that may set a value"
			}
		}
	case "page": // a name with a slash is a file, which may name preprocessors
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Contains(w.Text, "/") {
				return "an operand that may be a file"
			}
		}
	case "local": // a remote shell fetches HOST:FILE
		for _, w := range s.allWords() {
			if strings.Contains(w.Text, ":") {
				return "an archive on another machine"
			}
			if w.Kind != Literal && !strings.Contains(w.Text, "/") { // a colon after a slash is part of a file's name
				return "an archive that may be on another machine"
			}
		}
	case "registry": // the git program that a project may name fetches anything else
		for _, w := range s.operands {
			scope, name, scoped := strings.Cut(w.Text, "/")
			if w.Kind != Literal || strings.Contains(w.Text, ":") || scoped && (scope[:min(1, len(scope))] != "@" || strings.Contains(name, "/")) {
				return "a package from outside the registry"
			}
		}
	case "ip":
		return ipShows(s.operands)
	case "format":
		return s.checkFormats()
	case "branch":
		if len(s.operands) > 0 && !s.surely("--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at") && !(s.row.name == "git tag" && s.surely("-l")) {
			return "the name of something that the command would create"
		}
		return s.checkFormats()
	case "config":
		if len(s.operands) == 2 && s.operands[0].equalsText("get") { // in older versions a name has no dot
			return ""
		}
		for _, w := range s.operands {
			if w.Kind >= Names {
				return "a word that the shell may split into several words"
			}
		}
		if len(s.operands) == 1 && !strings.Contains(s.operands[0].Text, ".") && !s.operands[0].equalsText("list") {
			return "a command that is not known to be read-only"
		}
		if len(s.operands) > 1 && !s.surely("--get", "--get-all", "--get-regexp", "--get-urlmatch") {
			return "a value that the command would set"
		}
	case "ghapi":
		return s.ghGets()
	case "remote": // another address may run a program, and a path may be another repository
		if len(s.operands) > 0 && !s.operands[0].equalsText("origin") && !s.operands[0].equalsText("upstream") && !strings.HasPrefix(s.operands[0].Text, "https://") {
			return "a remote repository that may run a program"
		}
	case "stdout":
		if s.option1("-d", "--decompress") && !s.surely("-c", "--stdout", "--to-stdout") {
			return "a file that the command would write"
		}
	case "sql":
		return s.recordQueries()
	}
	return ""
}

// option1 reports whether at least one of the named options was given.
func (s *scan) option1(names ...string) bool {
	return slices.ContainsFunc(s.options, func(o option) bool { return slices.Contains(names, o.name) })
}

// surely reports whether at least one of the named options was certainly given. Unlike
// option1, it ignores an option that may be only the value of another option.
func (s *scan) surely(names ...string) bool {
	return slices.ContainsFunc(s.options, func(o option) bool { return !o.doubtful && slices.Contains(names, o.name) })
}

// allWords returns the values of all options, and then all operands.
func (s *scan) allWords() []Word {
	words := make([]Word, 0, len(s.values)+len(s.operands))
	for _, v := range s.values {
		words = append(words, v.Word)
	}
	return append(words, s.operands...)
}

// checkFormats returns the reason to refuse the output format of a git command, or "". It
// refuses formats and sort keys that show a signature, because git runs a program to
// verify a signature. It also refuses a format that only the shell knows.
func (s *scan) checkFormats() string {
	for _, w := range s.allWords() {
		if formatsSignature(w.Text) {
			return "a format that runs a program"
		}
	}
	for _, v := range s.values {
		switch v.option {
		case "--format", "--pretty", "--sort":
			if v.Kind != Literal {
				return "a format that depends on a shell expansion"
			}
			if v.option == "--sort" && strings.Contains(v.Text, "signature") {
				return "a sort key that runs a program"
			}
		}
	}
	return ""
}

// formatsSignature reports whether a format of git shows a signature. Such a format
// contains %G with an optional sign, (signature) or (*signature).
func formatsSignature(format string) bool {
	for rest := format; ; {
		_, after, found := strings.Cut(rest, "%")
		if !found {
			break
		}
		rest = after
		if after != "" && strings.IndexByte("+- ", after[0]) >= 0 {
			after = after[1:]
		}
		if strings.HasPrefix(after, "G") {
			return true
		}
	}
	return strings.Contains(format, "(signature") || strings.Contains(format, "(*signature")
}

// ipShows returns "" if a command such as "ip addr show" only shows an object. Otherwise
// it returns the reason to refuse the command. The words are the arguments of ip.
func ipShows(words []Word) string {
	for i, w := range words {
		if w.Kind != Literal {
			return "a word that depends on a shell expansion"
		}
		switch i {
		case 0:
			switch w.Text {
			case "a", "addr", "address", "l", "link", "r", "route", "ro", "n", "neigh", "neighbour", "rule", "maddr", "tunnel":
				continue
			}
			return "the object " + clipText(w.Text)
		case 1:
			switch w.Text {
			case "sh", "show", "list", "ls", "l":
				continue
			case "s": // "set" for a link
				if o := words[0].Text; o != "l" && o != "link" && o != "maddr" && o != "tunnel" {
					continue
				}
			}
			return "the command " + clipText(w.Text)
		}
	}
	if len(words) == 0 {
		return "no object"
	}
	return ""
}

// ghGets returns the reason to refuse a gh api command, or "". It accepts a command that
// only sends a GET request to GitHub's REST interface.
func (s *scan) ghGets() string {
	if len(s.operands) == 0 {
		return "no path"
	}
	for _, w := range s.operands { // the path is one of them; values are among them too
		if strings.HasPrefix(w.Text, "graphql") || w.Kind != Literal && strings.HasPrefix("graphql", w.Text) {
			return "a query that may change something"
		}
	}
	get := false
	for _, v := range s.values {
		if v.option == "-X" || v.option == "--method" {
			if !v.equalsText("GET") && (v.Kind != Literal || v.Text != "") {
				return "a method other than GET"
			}
			get = get || v.equalsText("GET") && !v.doubtful
		}
	}
	if !get && s.option1("-f", "-F", "--field", "--raw-field", "-X", "--method") {
		return "fields that the command sends with POST"
	}
	return ""
}

// recordQueries records the statements of psql -c or mysql -e, which the caller must
// judge. It returns the reason to refuse the command, or "". It accepts commands of psql
// that describe a table, such as \d users, and refuses any other statement with a
// backslash.
func (s *scan) recordQueries() string {
	found := s.surely("-l", "--list", "--version", "--help")
	for _, v := range s.values {
		switch v.option {
		case "-c", "--command", "-e", "--execute":
		default:
			continue
		}
		describes := s.row.name == "psql" && strings.HasPrefix(v.Text, `\d`) && strings.Trim(v.Text[2:], letters+digits+" +._*") == ""
		switch {
		case v.Kind != Literal || !describes && strings.ContainsAny(v.Text, "\\\n"):
			return "a statement that is not analysed"
		case v.Text == "":
			continue
		case !describes:
			s.usage.queries = append(s.usage.queries, Query{Text: v.Text})
		}
		found = found || !v.doubtful
	}
	if !found {
		return "statements from the standard input"
	}
	return ""
}

// redisReads judges a redis-cli command. It accepts options for the connection and the
// output, and records the Redis command, which the caller must judge.
func redisReads(u *usage, name string, args []Word) string {
	if len(args) == 1 && args[0].equalsText("--version") {
		return ""
	}
	for _, w := range args {
		if w.Kind != Literal || w.Text == "" || strings.ContainsAny(w.Text, " \t\n'\"\\;") {
			return clipText(name) + " with a word that is not analysed"
		}
	}
	i := 0
	for ; i < len(args) && args[i].mayBeOption(); i++ {
		switch args[i].Text {
		case "-h", "-p", "-n", "-a", "-u", "--user":
			i++
		case "--raw", "--no-raw", "--json", "--csv", "--no-auth-warning", "-2", "-3":
		default:
			return clipText(name) + " with the option " + clipText(args[i].Text)
		}
	}
	if i >= len(args) {
		return clipText(name) + " without a command"
	}
	text := ""
	for _, w := range args[i:] {
		text += w.Text + " "
	}
	u.queries = append(u.queries, Query{Language: Redis, Text: text[:len(text)-1]})
	return ""
}
