// Package naming compares the names of tools in a policy with those of calls. An agent's
// program may write a tool's name in other letters, with signs around it, or behind a
// namespace, such as the server of an MCP tool.
package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Name is a tool's name, with the names that a program may read in it. Read makes it.
type Name struct {
	text          string
	names, folded [][]rune // folded as match.FoldName does
}

// Read reads a tool's name. O(length).
func Read(text string) *Name {
	n := &Name{text: text, names: namesIn(text)}
	for i, name := range n.names {
		n.names[i] = joinWords(name)
		n.folded = append(n.folded, []rune(match.FoldName(string(name))))
	}
	return n
}

// Fits answers whether a name or pattern of the policy is about the tool. Unknown is a
// name that an agent's program may take for that of another tool; see namesIn.
func (n *Name) Fits(pattern string) match.Answer {
	if match.Name(pattern, n.text) {
		return match.Yes
	}
	want := joinWords(spellName(pattern))
	folded := []rune(match.FoldName(string(want)))
	for i, name := range n.names {
		if looksLike(want, name) || !IsPattern(pattern) && looksLike(folded, n.folded[i]) {
			return match.Unknown
		}
	}
	return match.No
}

// IsPattern reports whether a name in a policy is a pattern.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?") }

// namesIn returns the names that a program may read in a tool's name, each spelt as
// spellName does: the whole name, what stands between signs that belong to no name, as in
// "refund()" and "shop|refund", and of each of these what stands behind a namespace and
// before a number or version, as in "functions.refund:0". Some hosts write the server of
// a tool before it with a single underscore, as in mcp_shop_refund; there the name may be
// any of its ends. A letter of another script may also stand for the one that it looks like.
func namesIn(tool string) [][]rune {
	out := appendNames(nil, spellName(tool))
	if looks := proposal.Skeleton(tool); looks != tool {
		out = appendNames(out, spellName(looks))
	}
	return out
}

func appendNames(out [][]rune, spelt []rune) [][]rune {
	out = append(out, spelt)
	for _, piece := range strings.FieldsFunc(string(spelt), isSign) {
		for piece = cutVersion(piece); piece != ""; {
			out = append(out, []rune(piece))
			before, after, _ := mutation.CutNamespace(piece)
			if first, rest, cut := strings.Cut(piece, "_"); cut && (first == "mcp" || first == "functions") {
				before, after = first, strings.TrimLeft(rest, "_")
				for _, end, more := strings.Cut(after, "_"); more; _, end, more = strings.Cut(end, "_") {
					out = append(out, []rune(end))
				}
			}
			if piece = after; before == "" && after == "" {
				break
			}
		}
	}
	return out
}

// isSign reports whether a character of a spelt name belongs to no name.
func isSign(r rune) bool {
	return r <= unicode.MaxASCII && r != '*' && r != '?' && !isNameMark(r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.Is(unicode.Sm, r) || 0x2190 <= r && r <= 0x21FF
}

// isNameMark reports whether a character stands between the parts of a name.
func isNameMark(r rune) bool { return strings.ContainsRune("_./:#", r) }

// cutVersion returns a name without numbers and versions behind it.
func cutVersion(name string) string {
	for {
		name = strings.TrimRightFunc(name, isNameMark)
		cut := strings.LastIndexAny(name, "./:#")
		if cut < 0 || strings.Trim(strings.TrimPrefix(name[cut+1:], "v"), "0123456789") != "" {
			return name
		}
		name = name[:cut]
	}
}

// joinWords returns a name with one underscore for each row of signs between its words.
func joinWords(name []rune) []rune {
	out := name[:0:0]
	for _, r := range name {
		if isNameMark(r) {
			if len(out) > 0 && out[len(out)-1] == '_' {
				continue
			}
			r = '_'
		}
		out = append(out, r)
	}
	return out
}

// NamespaceOf returns what stands before the name in a tool's name, such as mcp__shop__;
// "" if the name or pattern surely matches the whole, or none of its ends.
func NamespaceOf(pattern, tool string) string {
	if pattern == "" || match.Name(pattern, tool) {
		return ""
	}
	for rest := tool; ; {
		_, after, found := mutation.CutNamespace(rest)
		if !found || after == "" {
			return ""
		}
		if rest = after; match.Name(pattern, rest) {
			return tool[:len(tool)-len(rest)]
		}
	}
}

// SpelledNamespace returns the namespace that a name or pattern of a policy writes out, such
// as mcp__shop__; "" if it writes none, or leaves it open.
func SpelledNamespace(pattern string) string {
	out := ""
	for rest := pattern; ; {
		before, after, found := mutation.CutNamespace(rest)
		if !found || IsPattern(before) || after == "" {
			break
		}
		rest = after
		out = pattern[:len(pattern)-len(rest)]
	}
	if out == mcpMark {
		return ""
	}
	return out
}

// mcpMark begins the names of the tools of MCP servers at agents' hosts: mcp__SERVER__TOOL.
const mcpMark = "mcp__"

// ServerOf returns mcp__SERVER__ of such a name; "" for any other one.
func ServerOf(tool string) string {
	rest, is := strings.CutPrefix(tool, mcpMark)
	if server, _, found := strings.Cut(rest, "__"); is && found {
		return mcpMark + server + "__"
	}
	return ""
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

// foldTool returns a name without what does not show, and with ordinary letters for other
// forms of them.
func foldTool(name string) string {
	text, _ := match.Plain(name)
	return strings.Map(plainLetter, text)
}

// plainLetter returns the letter of which a character is another form that the table of
// lookalikes does not have: a small capital, or one in brackets, a circle or a square.
func plainLetter(r rune) rune {
	for _, first := range [...]rune{'⒜', 'Ⓐ', 'ⓐ', '🄐', '🄰', '🅐', '🅰', '🇦'} {
		if first <= r && r < first+26 {
			return 'a' + r - first
		}
	}
	const capitals = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ"
	if i := strings.IndexRune(capitals, unicode.ToLower(r)); r > unicode.MaxASCII && i >= 0 {
		return 'a' + rune(utf8.RuneCountInString(capitals[:i]))
	}
	return r
}

// looksLike reports whether a name matches a pattern if a letter of another script may be
// any letter. This holds only for names that consist mostly of ASCII, and for other forms of
// Latin letters, such as small capitals and letters in squares.
func looksLike(pattern, name []rune) bool {
	strange := 0
	for _, r := range name {
		if r > unicode.MaxASCII {
			strange++
		}
	}
	mixed := 2*strange < len(name)
	return match.Glob(pattern, name, func(p, n rune) bool {
		return p == '?' || p == n || n > unicode.MaxASCII && (mixed || unicode.Is(unicode.Latin, n) || !unicode.IsLetter(n))
	})
}
