package machine

import (
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// fitsTool answers whether a name or pattern of the policy is about a tool. Unknown is a
// name that an agent's program may take for that of another tool: in other letter case,
// with blanks, with letters that look alike, or behind a namespace such as functions.
func fitsTool(pattern, tool string) match.Answer {
	if match.Name(pattern, tool) {
		return match.Yes
	}
	want := spellName(pattern)
	name := spellName(tool)
	for {
		if looksLike(want, name) || !isPattern(pattern) && match.FoldName(string(want)) == match.FoldName(string(name)) {
			return match.Unknown
		}
		_, after, found := mutation.CutNamespace(string(name))
		if !found || after == "" {
			return match.No
		}
		name = []rune(after)
	}
}

// spellName returns a name in lower case, with _ between its words and without what does not
// show. A name in capital letters is one word.
func spellName(name string) []rune {
	var out []rune
	before := rune(0)
	for _, r := range strings.TrimSpace(foldTool(name)) {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			out = append(out, '_')
		}
		before = r
		if r == '-' || r == ' ' {
			r = '_'
		}
		out = append(out, unicode.ToLower(r))
	}
	return out
}

// foldTool returns a name without what does not show, and with ordinary letters for those
// of full width.
func foldTool(name string) string {
	text, _ := match.Plain(name)
	return text
}

// looksLike reports whether a name matches a pattern if a letter of another script may be
// any letter. This holds only for names that consist mostly of ASCII.
func looksLike(pattern, name []rune) bool {
	strange := 0
	for _, r := range name {
		if r > unicode.MaxASCII {
			strange++
		}
	}
	mixed := 2*strange < len(name)
	return match.Glob(pattern, name, func(p, n rune) bool { return p == '?' || p == n || mixed && n > unicode.MaxASCII })
}
