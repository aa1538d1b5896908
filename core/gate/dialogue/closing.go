package dialogue

import (
	"strings"
)

// mostOpen is the largest number of elements that Closing closes. For a text that opens
// more, Closing returns sure as false.
const mostOpen = 64

// Closing returns the text that ends everything that a model's text may have left open,
// such as code fences, comments and tags. It serves viewers of Markdown, of HTML and
// terminals. The result is "" if nothing can be open, and otherwise ends with a blank
// line. sure is false if the model's text may still restyle or cover the following text.
// Deterministic; O(len(above)).
func Closing(above string) (text string, sure bool) {
	var b strings.Builder
	sure = !mayContainTeX(above) && !customBlock(above)
	if hasControls(above) {
		sure = false
		b.WriteString("\x1b\\\x1b[0m\n\n") // ends a terminal's string and its styles
	}
	if longest := max(longestRun(above, '`'), longestRun(above, '~')); longest >= 3 {
		// A fence with a word after it opens a block. If a block is already open, this line
		// is only text in it. In both cases the next line, a fence alone, closes the block.
		for _, mark := range []string{"`", "~"} {
			fence := strings.Repeat(mark, longest+1)
			b.WriteString(fence + "text\n" + fence + "\n\n")
		}
	}
	if strings.Contains(above, "<") {
		tags, plain := closingTags(above)
		// Markdown treats this whole line as HTML. It ends every kind of comment, a
		// quoted attribute and a tag, and then closes the elements.
		b.WriteString("<!-- ?> ]]> \"'> -->" + tags + "\n\n")
		sure = sure && plain
	}
	return b.String(), sure
}

// closingTags returns the tags that close the elements of a text, in reverse order. plain
// reports whether all elements are closable and have no attributes, and there are at most
// mostOpen of them.
func closingTags(above string) (tags string, plain bool) {
	plain = true
	var opened []string
	for {
		_, rest, found := strings.Cut(above, "<")
		if above = rest; !found {
			break
		}
		name := above[:len(above)-len(strings.TrimLeft(above, nameBytes))]
		if name == "" || name[0] == '-' || '0' <= name[0] && name[0] <= '9' {
			continue
		}
		after := strings.TrimPrefix(strings.TrimLeft(above[len(name):], " \t\r\n"), "/")
		plain = plain && strings.HasPrefix(after, ">") && isClosable(strings.ToLower(name))
		opened = append(opened, name)
	}
	plain = plain && len(opened) <= mostOpen
	var b strings.Builder
	for i := len(opened) - 1; i >= max(0, len(opened)-mostOpen); i-- {
		b.WriteString("</" + opened[i] + ">")
	}
	return b.String(), plain
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// isClosable reports whether an element without attributes can only hide its own
// contents. Closing such an element makes the following text visible again. Other
// elements draw over other text, restyle it, or run code.
func isClosable(name string) bool {
	switch name {
	case "a", "abbr", "b", "blockquote", "br", "cite", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6",
		"hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary", "sup",
		"table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "u", "ul", "var", "div":
		return true
	}
	return false
}

// mayContainTeX reports whether a text may contain TeX, which can draw over other text.
func mayContainTeX(text string) bool {
	if strings.Contains(text, "$$") {
		return true
	}
	for _, mark := range []string{"$", `\(`, `\[`, `\begin`} {
		if strings.Contains(text, `\`) && strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// customBlock reports whether a line of a text begins a block that is not standard
// Markdown but that some viewers support: a directive (:::) or a comment (%%).
func customBlock(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t>")
		if strings.HasPrefix(line, ":::") || strings.HasPrefix(line, "%%") {
			return true
		}
	}
	return false
}

// hasControls reports whether a text contains characters that control a terminal.
func hasControls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || 0x7f <= r && r <= 0x9f
	})
}

// longestRun returns the length of the longest sequence of the character mark in a text.
func longestRun(text string, mark byte) (longest int) {
	run := 0
	for i := range len(text) {
		if run++; text[i] != mark {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// fenceText puts a text into a fenced block. The argument above has the model's words
// before the question. The fence is longer than every fence in text and in above, so no
// text can end the block.
func fenceText(text, above string) string {
	fence := strings.Repeat("`", max(2, longestRun(above, '`'), longestRun(text, '`'))+1)
	return fence + "text\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
