package mutation

import (
	"path"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
)

// This file finds values that break out of their place: options and second commands in a
// command line that a tool puts together, and other addresses in the path of a request.

// holdsOptions reports whether a member, such as args or extra_flags, contains a further
// part of the command line that a tool runs.
func holdsOptions(name string) bool {
	return oneOf(lastWord(name), "args arguments options opts flags switches argv extra") || containsString(memberWords(name), "args")
}

// asksByOption reports whether a part of a command line has an option, or begins with a
// writing verb.
func asksByOption(s string) bool {
	t := splitWords(s)
	return strings.HasPrefix(s, "-") || strings.Contains(s, " -") || strings.Contains(s, " ") && len(t) > 0 && wordClass(t[0]).has(write)
}

// addsOption reports whether a value may become an option of the program that a tool
// runs. An example is --output=/x. In sort orders and searches, a minus before a word has
// another meaning, so most of these values do not count.
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

// cutDashes returns the name of an option without its dashes. The result long reports
// whether there are two dashes. The name is "" if w is not an option, for example if w is
// -5 or --Any--.
func cutDashes(w string) (option string, long bool) {
	option = strings.TrimLeft(w, "-")
	if n := len(w) - len(option); n < 1 || n > 2 || option == "" || !isLetter(option[0]) || strings.HasSuffix(w, "-") {
		return "", false
	}
	return option, strings.HasPrefix(w, "--")
}

// startsShell reports whether a text begins like a command of an interpreter, such as
// bash -c or python /tmp/x. An option or a path must follow the name of the interpreter.
// After sudo, any text counts.
func startsShell(s string) bool {
	first, rest, more := strings.Cut(strings.TrimSpace(s), " ")
	if !more {
		return false
	}
	return isListed(path.Base(first), interpreterList) && (strings.HasPrefix(strings.TrimSpace(rest), "-") || strings.HasPrefix(strings.TrimSpace(rest), "/") || first == "sudo")
}

// injectsCommand reports whether a value contains a shell separator and the name of a
// program after it. An example is "prod; kubectl delete ns prod". A tool that puts the
// value into a command line would run that program. If the search takes too long, the
// result is true.
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

// substitutesCommand reports whether a text contains a command substitution, such as
// $(rm -rf ~). A known program or an option must follow the parenthesis. In searches, "$("
// has other meanings too, such as $(document), and backquotes mark code. If the search
// takes too long, the result is true.
func substitutesCommand(s string) bool {
	work := 4 << 20 // bytes to look at; only a text made for it needs more
	for {
		_, rest, found := strings.Cut(s, "$(")
		if !found {
			return false
		}
		inside, _, _ := strings.Cut(rest, ")")
		if work -= len(inside); work < 0 || strings.Contains(inside, " -") || injectsCommand("$("+inside) {
			return true
		}
		s = rest
	}
}

// splitsCommandLine reports whether a value contains a shell separator that a path, a
// host or a branch does not contain. Examples are "x; ./y", "x > /etc/y" and "| y".
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

// startsProgram reports whether a value would start a program in a shell. Examples are
// the substitution "$(./payload)" and the path after a separator in "x; ./payload".
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

// afterQuote returns the rest of a text from the first shell separator that follows a
// quote. For the text "x'; rm -rf ~; '", the result is "; rm -rf ~; '". If there is no
// such separator, the result is "".
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
// line. Examples are a path, a host and a branch.
func joinsCommandLine(name string) bool {
	return oneOf(lastWord(name), "path paths file files filename filepath dir directory directories folder cwd workdir host hostname domain ip branch ref rev revision commit remote target repo repository url uri")
}

// isHostName reports whether a member's value should be the name of a host. The name of a
// host contains no shell separators.
func isHostName(name string) bool {
	return oneOf(lastWord(name), "host hostname domain ip")
}

// namesThing reports whether a member's value is the name of a thing, which a tool may put
// into a command line.
func namesThing(name string) bool {
	return oneOf(lastWord(name), "name container pod namespace service node cluster image bucket id tag user")
}

// leavesPath reports whether the value of an id or an index would lead a request to
// another address. This happens if a tool puts the value into the path of the request.
// Examples are "5/cancel" and "5?_method=DELETE".
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
