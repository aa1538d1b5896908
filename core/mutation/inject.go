package mutation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/readcmd"
)

// This file finds values that break out of their place: options and second commands in a
// command line that a tool puts together, and other addresses in the path of a request.

// holdsOptions reports whether a member, such as args or extra_flags, contains a further
// part of the command line that a tool runs.
func holdsOptions(name string) bool {
	return oneOf(lastWord(name), "args arguments options opts flags switches argv extra") || containsString(splitWords(name), "args")
}

// asksByOption reports whether a part of a command line has an option, or begins with a
// writing verb.
func asksByOption(s string) bool {
	t := splitWords(s)
	return strings.HasPrefix(s, "-") || strings.Contains(s, " -") || strings.Contains(s, " ") && len(t) > 0 && wordClass(t[0]).has(write)
}

// addsOption reports whether a value may become an option of the program that a tool
// runs: --output=/x, -f 8.8.8.8, main --exec=x. In sort orders and searches, a minus
// before a word has another meaning (-created, -draft). A tool that is named after a program
// that searches may give the words to it as an option.
func (e *evidence) addsOption(name string, k kind, s string) bool {
	if strings.IndexByte(s, '-') < 0 {
		return false
	}
	line := strings.Fields(s)
	if len(line) == 0 {
		return false
	}
	option, long := cutDashes(line[0])
	switch k {
	case readerMember, pathMember, otherMember, carrierMember:
		if slices.ContainsFunc(line[1:], func(w string) bool { return oneOf(w, "-delete -exec -execdir -ok -okdir") }) {
			return true // *.log' -delete
		}
		if long || !joinsCommandLine(name) {
			return long
		}
		for _, w := range line[1:] {
			_, later := cutDashes(w)
			long = long || later
		}
		return long || option != ""
	case wordsMember:
		word, _, set := strings.Cut(option, "=")
		if long && set && len(line) == 1 && e.members.named("grep ripgrep rg git") {
			return true
		}
		return oneOf(lastWord(name), "pattern patterns regex regexp") && (set && isIdentifier(word) || oneOf(word, "delete exec execdir ok okdir"))
	}
	return false
}

// cutDashes returns the name of an option without the one or two dashes before it, and
// whether there are two. It returns "" if w is no option, as -5 and --Any--.
func cutDashes(w string) (option string, long bool) {
	option = strings.TrimLeft(w, "-")
	if n := len(w) - len(option); n < 1 || n > 2 || option == "" || !isLetter(option[0]) || strings.HasSuffix(w, "-") {
		return "", false
	}
	return option, strings.HasPrefix(w, "--")
}

// startsShell reports whether a text begins with the name of an interpreter and an option
// or a path (bash -c, python /tmp/x), or with sudo.
func startsShell(s string) bool {
	first, rest, more := strings.Cut(strings.TrimSpace(s), " ")
	if !more {
		return false
	}
	return isListed(path.Base(first), interpreterList) && (strings.HasPrefix(strings.TrimSpace(rest), "-") || strings.HasPrefix(strings.TrimSpace(rest), "/") || first == "sudo")
}

// injectsCommand reports whether a value contains a separator of a shell with a program's
// name after it ("prod; kubectl delete ns prod"). A tool that puts the value into a
// command line would run that program. A text in which the search would take too long is
// such a value, too.
func injectsCommand(s string) bool {
	work := 4 << 20 // bytes to look at; only a text made for it needs more
	for i := 0; i+1 < len(s); i++ {
		switch c := s[i]; {
		case c == '`', c == ';', c == '|', c == '&', c == '\n', c == '$' && s[i+1] == '(':
			rest := strings.TrimLeft(s[i+1:], "(|& \t")
			first, _, _ := strings.Cut(rest, " ")
			if work -= len(s) - i - len(rest) + len(first); work < 0 {
				return true
			}
			first = path.Base(strings.TrimRight(first, "`)"))
			if readcmd.Known(first) || readcmd.IsShell(first) || wordClass(first).isDeed() && first != "" {
				return true
			}
		}
	}
	return false
}

// splitsCommandLine reports whether a path, a host or a branch has a separator of a shell
// that such a name does not have: "x; ./y", "x > /etc/y", "| y".
func splitsCommandLine(s string) bool {
	if strings.Contains(s, "://") {
		return false
	}
	for i := range len(s) {
		switch s[i] {
		case '`', '\n':
			return true
		case '$':
			if strings.HasPrefix(s[i+1:], "(") {
				return true
			}
		case ';', '|', '&', '>':
			rest := strings.TrimLeft(s[i+1:], " ")
			start := rest == "" || rest[0] == '/' || rest[0] == '.' || rest[0] == '~'
			if start || s[i] == ';' && rest != s[i+1:] || s[i] == '|' && i == 0 || s[i] == '&' && rest[0] == '&' {
				return true
			}
		}
	}
	return false
}

// startsProgram reports whether a value has a substitution of a shell, or a separator with
// the path of a program after it: "x; ./payload", "$(./payload)".
func startsProgram(s string) bool {
	if strings.Contains(s, "$(") || strings.Contains(s, "`") {
		return true
	}
	for i := range len(s) {
		if strings.IndexByte(";|&", s[i]) >= 0 {
			if rest := strings.TrimLeft(s[i+1:], " |&"); strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../") || strings.HasPrefix(rest, "~/") {
				return true
			}
		}
	}
	return false
}

// afterQuote returns the part of a text from the first separator of a shell on that follows
// a quote: "; rm -rf ~; '" for "x'; rm -rf ~; '". It returns "" if there is none.
func afterQuote(s string) string {
	for i := range len(s) {
		if s[i] == '\'' || s[i] == '"' {
			if rest := strings.TrimLeft(s[i+1:], " "); rest != "" && strings.IndexByte(";|&", rest[0]) >= 0 {
				return rest
			}
		}
	}
	return ""
}

// joinsCommandLine reports whether a tool may put the value of a member into a command
// line: a path, a host, a branch.
func joinsCommandLine(name string) bool {
	return oneOf(lastWord(name), "path paths file files filename filepath dir directory directories folder cwd workdir host hostname domain ip branch ref rev revision commit remote target repo repository url uri")
}

// isHostName reports whether a member's value is a host, which has no signs of a shell.
func isHostName(name string) bool {
	return oneOf(lastWord(name), "host hostname domain ip")
}

// namesThing reports whether a member's value is the name of a thing, which a tool may put
// into a command line.
func namesThing(name string) bool {
	return oneOf(lastWord(name), "name container pod namespace service node cluster image bucket id tag user")
}

// leavesPath reports whether the value of an id or an index, which a tool puts into the
// path of a request, leads that request to another address: "5/cancel", "5?_method=DELETE",
// "logs/_delete_by_query".
func leavesPath(name, s string) bool {
	if !strings.ContainsAny(s, "/?_%") || !oneOf(lastWord(name), "id ids number index uuid") {
		return false
	}
	s = decodePercent(s)
	before, after, more := strings.Cut(s, "/")
	t := splitWords(after)
	return strings.Contains(s, "?") && strings.Contains(s, "=") || strings.Contains(s, "../") || apiDeed(s) ||
		more && strings.ContainsAny(before, "0123456789") && len(t) == 1 && wordClass(t[0]).has(write)
}
