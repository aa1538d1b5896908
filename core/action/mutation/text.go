package mutation

import (
	"strings"
	"unicode"
)

// ClassifyText judges an action that is free text. Several lines are several actions, and
// the strictest verdict counts. Moving about, looking and scrolling change nothing. A
// line that is not clearly one known action is unknown. O(n).
//
// The text may be one of these:
//
//   - a household command, such as "take apple 1 from table 1"
//   - a GUI action, such as "click [12]" or "pyautogui.click(1, 2)"
//   - a shell command
func ClassifyText(command string) Verdict {
	var all Verdict
	seen := false
	for line := range strings.SplitSeq(strings.ReplaceAll(command, "\r\n", "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		v := textLine(line)
		if !seen {
			all, seen = v, true
			continue
		}
		if all.Control && !v.Control && v.Mutating == No {
			all = v
		}
		all = stricterVerdict(all, v)
	}
	if !seen {
		return newVerdict(Unknown, LayerNone, "no words")
	}
	return all
}

func textLine(line string) Verdict {
	for _, r := range line {
		if r != '\t' && !unicode.IsPrint(r) {
			return newVerdict(Unknown, LayerName, "control or invisible characters")
		}
	}
	head, rest := textHead(line)
	parts := splitSegments(head)
	if len(parts) == 0 {
		return newVerdict(Unknown, LayerNone, "the text does not begin with a word")
	}
	t := parts[len(parts)-1]
	bracketed := rest != "" && (rest[0] == '(' || rest[0] == '[')
	if bracketed && !isBracketed(rest) {
		return stricterVerdict(newVerdict(Unknown, LayerName, "more than one action"), textWrites(t))
	}
	spoken := rest != "" && rest[0] == ':' && len(t) == 1 && (t[0] == "think" || t[0] == "thought")
	if spoken {
		return controlVerdict(LayerName, "thinking changes nothing")
	}
	if !bracketed {
		if v := textWrites(t); v.Mutating == Yes {
			return v
		}
		if strings.ContainsAny(rest, ";&|<>`$\\") {
			return newVerdict(Unknown, LayerShell, "a command with shell characters")
		}
		if m, why := shellKind(line, session{}); m == No {
			return newVerdict(No, LayerShell, why)
		}
		t = append(t, verbParticle(rest)...)
	}
	return textVerb(t)
}

// textHead splits off the name at the beginning, which may contain dots and underscores.
func textHead(line string) (head, rest string) {
	n := 0
	for n < len(line) && (isIdentifier(line[n:n+1]) || line[n] >= 0x80) {
		n++
	}
	return line[:n], strings.TrimSpace(line[n:])
}

// verbParticle returns the word after a verb if it changes the verb's meaning.
func verbParticle(rest string) []string {
	first, _, _ := strings.Cut(rest, " ")
	switch first {
	case "to", "on", "off", "up", "down", "in", "out", "for", "at", "back", "task":
		return []string{first}
	}
	return nil
}

// isBracketed reports whether a text consists only of complete groups in brackets, such
// as [12] or (1, 2).
func isBracketed(s string) bool {
	var open []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			call := len(open) > 0 && open[len(open)-1] == ')'
			end := quoteEnd(s, i)
			if call && end == 0 || !call && strings.Contains(s[i:max(i, end)], "\\") {
				return false // escapes have a meaning only in calls
			}
			i = max(i, end) // without a second quote it is an apostrophe
		case '(', '[':
			if len(open) == 0 && i > 0 && c == '(' {
				return false
			}
			open = append(open, closingBracket(c))
		case ')', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		case ' ':
		default:
			if len(open) == 0 {
				return false
			}
		}
	}
	return len(open) == 0
}

// quoteEnd returns the offset of the quote that closes the quote at i, or 0 if there is
// none. A backslash escapes the character after it.
func quoteEnd(s string, i int) int {
	for k := i + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case s[i]:
			return k
		}
	}
	return 0
}

func closingBracket(c byte) byte {
	if c == '(' {
		return ')'
	}
	return ']'
}

// textWrites returns the verdict yes if the first word is a verb for an action of a hand
// or a pointer, such as take or click. For any other word, textWrites returns the zero
// Verdict.
func textWrites(t []string) Verdict {
	switch verbStem(t[0]) {
	case "take", "put", "open", "close", "clean", "heat", "cool", "use", "slice", "toggle",
		"pick", "drop", "place", "insert", "pour", "give", "turn", "push", "pull", "throw",
		"eat", "drink", "cook", "chop", "wash", "fill", "empty", "lock", "unlock", "break",
		"cut", "hit", "attack", "wear", "remove", "feed", "move",
		"click", "dblclick", "doubleclick", "rightclick", "tripleclick", "tap", "type",
		"typewrite", "press", "hotkey", "keydown", "keyup", "keyboard", "check", "uncheck",
		"select", "drag", "upload", "paste", "submit", "write", "clear", "mousedown", "mouseup", "double", "triple", "left", "right", "middle":
		if t[0] == "move" && len(t) > 1 && (t[1] == "to" || t[1] == "rel") {
			break
		}
		return newVerdict(Yes, LayerName, quote(t[0])+" changes the element that it acts on")
	}
	return Verdict{}
}

// textVerb judges the words of a line that is known to be a single action.
func textVerb(t []string) Verdict {
	if v := textWrites(t); v.Mutating == Yes {
		return v
	}
	if v, ok := controlName(t); ok {
		return v
	}
	switch t[0] {
	case "go", "goto", "walk", "scroll", "hover", "move", "mouse", "navigate", "back", "forward",
		"zoom", "focus", "look", "examine", "inventory", "help", "screenshot", "tab", "page", "new", "l", "x", "i":
		if v := judgeRest(t); v.Mutating == Yes {
			return v
		}
		return newVerdict(No, LayerName, quote(t[0])+" only moves the pointer or looks")
	}
	v, _ := judgeNameWords(t)
	return v
}

// judgeRest returns the verdict yes if any word after the first is a writing verb, as in
// tab_close. For any other text, it returns the zero Verdict.
func judgeRest(t []string) Verdict {
	for _, w := range t[1:] {
		if c := wordClass(w); c.has(write) && w != "forward" {
			return newVerdict(Yes, LayerName, quote(w)+" changes state")
		}
	}
	return Verdict{}
}
