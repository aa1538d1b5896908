package osworld

import "strings"

// verbs holds the verbs of the references that people wrote, reduced to their letters.
var verbs = map[string]gesture{
	"CLICK": {kind: click, button: "left", count: 1}, "DOUBLECLICK": {kind: click, button: "left", count: 2}, "TRIPLECLICK": {kind: click, button: "left", count: 3},
	"RIGHTCLICK": {kind: click, button: "right", count: 1}, "MOVETO": {kind: move}, "DRAGTO": {kind: drag, button: "left"}, "SCROLL": {kind: scroll},
	"MOUSEDOWN": {kind: down, button: "left"}, "MOUSEUP": {kind: up, button: "left"}, "TYPING": {kind: typing}, "PRESS": {kind: chord}, "HOTKEY": {kind: chord},
	"KEYDOWN": {kind: keyDown}, "KEYUP": {kind: keyUp}, "WAIT": {kind: pause}, "FAIL": {kind: fail}, "DONE": {kind: done},
}

// parseHuman reads an action such as "`CLICK` the row". The action begins with a verb in
// capitals between backquotes, and the other words give a key, a text or a place. ok is
// false for any other text.
func parseHuman(text string) ([]gesture, bool) {
	text = strings.TrimSpace(text)
	word, rest, ok := strings.Cut(strings.TrimPrefix(text, "`"), "`")
	if !ok || !strings.HasPrefix(text, "`") || strings.HasPrefix(text, "``") {
		return nil, false
	}
	g, ok := verbs[strings.NewReplacer("_", "", " ", "").Replace(strings.TrimSpace(word))]
	if !ok {
		return nil, false
	}
	rest = strings.TrimSpace(rest)
	switch g.kind {
	case typing:
		g.text = quotedText(rest)
	case chord:
		g.text = keysTogether(splitKeys(quotedText(rest)))
	case keyDown, keyUp:
		g.text = keyName(quotedText(rest))
	case click, move, drag, scroll, down, up:
		if g.at = pointFromText(rest); !g.at.known {
			g.at = point{words: strings.ToLower(strings.Join(strings.Fields(rest), " "))}
		}
	}
	return []gesture{g}, true
}

// quotedText returns the text between the quotes of s. If s does not begin with a quote,
// the result is s.
func quotedText(s string) string {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return s
	}
	if end := strings.LastIndexByte(s[1:], s[0]); end > 0 {
		return s[1 : 1+end]
	}
	return s
}
