package match

import (
	"slices"
	"strings"
)

// This file looks for names of hosts inside texts: in headers, in options of a command, and in
// parameters. Elsewhere a name between other words is prose.

// optionWords end the names of members whose texts are options or headers.
var optionWords = []string{"arg", "args", "argv", "arguments", "opt", "opts", "option", "options", "flag", "flags", "switches", "header", "headers", "env", "environment"}

// targetWords end the names of parameters that may say where a server goes next.
var targetWords = []string{"to", "u", "r", "next", "dest", "destination", "target", "goto", "go", "link", "links", "site", "server", "continue", "src", "source", "redirect", "return", "origin", "referer", "referrer", "forwarded", "authority", "location",
	"via", "upstream", "backend", "mirror", "remote", "peer", "gateway", "resolve", "connect"}

// namesTarget reports whether a name says that its value may have a host in it.
func namesTarget(name string) bool {
	return namesHost(name) || slices.Contains(targetWords, FoldName(name)) || slices.Contains(targetWords, lastWord(name))
}

// namesInside reports whether a text of a member may name another host as a header, as an
// option or as a parameter.
func (w *hostWalk) namesInside(member, text string) bool {
	options := slices.Contains(optionWords, FoldName(member)) || slices.Contains(optionWords, lastWord(member))
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(foldAddress(line)); options || len(line) > 1 && line[0] == '-' && line[1] != ' ' {
			if w.hasName(line) || w.hasTarget(strings.TrimLeft(line, "-"), "=: ") {
				return true
			}
			continue
		}
		if key, value, found := strings.Cut(strings.TrimLeft(line, ":"), ":"); found && isKey(strings.TrimSpace(key)) {
			value = strings.TrimSpace(value)
			if namesTarget(key) && w.hasName(value) || line == strings.TrimSpace(text) && !endsAsCode(value) && !strings.ContainsAny(value, " /") && w.isOther(value) {
				return true
			}
		}
		if !strings.Contains(line, " ") && w.hasParameter(line) {
			return true
		}
	}
	return false
}

// hasTarget reports whether a text gives an option or a header that names a host another value
// than one of the hosts. The name ends at one of the marks.
func (w *hostWalk) hasTarget(text, marks string) bool {
	at := strings.IndexAny(text, marks)
	if at <= 0 || !namesHost(text[:at]) {
		return false
	}
	value := strings.Trim(text[at:], " =:\"'")
	return value != "" && !w.isBare(value) && !w.isOurs(value)
}

// hasParameter reports whether a parameter in a text such as a=1&b=2 may name another host.
func (w *hostWalk) hasParameter(query string) bool {
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' || r == '#' || r == '?' }) {
		name, value, found := strings.Cut(pair, "=")
		if found && (namesTarget(name) && w.hasName(value) || isDotted(value) && !w.isBare(value)) {
			return true
		}
	}
	return false
}

// hasName reports whether a word in a text may be the name or the number of another host.
func (w *hostWalk) hasName(text string) bool {
	coarse := func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;=\"'`<>(){}|&", r) }
	for word := range strings.FieldsFuncSeq(text, coarse) {
		if strings.HasPrefix(word, "-") {
			word = strings.TrimLeft(word, "-")
		}
		if w.isOther(word) || strings.Contains(word, "[") && strings.Count(word, ":") > 1 {
			return true
		}
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return strings.ContainsRune(":[]@", r) }) {
			if w.isOther(part) && !isMailIn(word) {
				return true
			}
		}
	}
	return false
}

// isMailIn reports whether a word is an address of e-mail and nothing more.
func isMailIn(word string) bool {
	return strings.Count(word, "@") == 1 && !strings.ContainsAny(word, ":/[")
}

// isOther reports whether a word may be the name or the number of another host.
func (w *hostWalk) isOther(word string) bool {
	if !isHostLike(word) {
		return false
	}
	if end := strings.IndexAny(word, "/?#"); end >= 0 {
		word = word[:end]
	}
	return !w.isBare(word)
}

// endsAsCode reports whether a text ends as the name of a file whose ending is a domain, too.
func endsAsCode(text string) bool {
	ending := strings.ToLower(text[strings.LastIndexByte(text, '.')+1:])
	return slices.Contains([]string{"cc", "md", "mk", "ml", "mm", "pl", "pm", "ps", "py", "rs", "sh", "so", "zip"}, ending)
}

// isKey reports whether a text can be the name of a header.
func isKey(text string) bool {
	return text != "" && len(text) < 64 && !strings.ContainsFunc(text, func(r rune) bool { return r != '-' && r != '_' && !isWord(r) })
}

// isDotted reports whether a text is a number of a computer: four numbers with points.
func isDotted(text string) bool {
	return strings.Count(text, ".") == 3 && strings.Trim(text, "0123456789.") == "" && text[0] != '.'
}
