package webarena

import "strings"

// bracketed lists the actions that are written with square brackets, with the least and
// the largest number of their arguments.
var bracketed = map[string]struct {
	verb     verb
	min, max int
}{
	"click": {click, 1, 1}, "hover": {hover, 1, 1}, "type": {fill, 2, 3}, "press": {press, 1, 1}, "scroll": {scroll, 1, 1},
	"tab_focus": {focusTab, 1, 1}, "page_focus": {focusTab, 1, 1}, "new_tab": {newTab, 0, 0}, "close_tab": {closeTab, 0, 0}, "page_close": {closeTab, 0, 0},
	"goto": {goTo, 1, 1}, "go_back": {back, 0, 0}, "go_forward": {forward, 0, 0}, "stop": {answer, 0, 1}, "select": {choose, 2, 2},
	"select_option": {choose, 2, 2}, "check": {check, 1, 1}, "uncheck": {uncheck, 1, 1}, "clear": {clear, 1, 1}, "none": {noop, 0, 0}, "wait": {noop, 0, 1},
}

// parseBrackets parses an action of the form VERB [argument] [argument]. The last
// argument may itself contain brackets. The result ok is false if the form, the verb or
// the number of arguments is wrong.
func parseBrackets(text string) (a action, ok bool) {
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t\n["); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	g, known := bracketed[strings.ToLower(word)]
	if !known || rest != "" && rest[0] != '[' {
		return a, false
	}
	a.verb = g.verb
	args, ok := splitBrackets(rest, g.max, g.verb == fill)
	if !ok || len(args) < g.min {
		return a, false
	}
	return a, a.assignArguments(args)
}

// splitBrackets splits a text such as "[a] [b]" into its arguments. The result ok is
// false if the text has another form, or more arguments than the number most. If typed is
// true, the second argument may contain brackets, and a third argument must be 0 or 1. If
// typed is false, only the argument with number most may contain brackets.
func splitBrackets(rest string, most int, typed bool) (args []string, ok bool) {
	for rest != "" {
		if rest[0] != '[' || len(args) == most {
			return nil, false
		}
		last := len(args)+1 == most || typed && len(args) == 1
		end := strings.IndexByte(rest, ']')
		if last {
			end = strings.LastIndexByte(rest, ']')
		}
		if end < 0 || last && strings.TrimSpace(rest[end+1:]) != "" {
			return nil, false
		}
		args, rest = append(args, rest[1:end]), strings.TrimSpace(rest[end+1:])
		if typed && len(args) == 2 {
			return splitEnter(args), true
		}
	}
	return args, true
}

// splitEnter splits the second of two arguments if it has the form "text] [1". The text
// becomes the second argument, and the flag 0 or 1 becomes the third. Other arguments
// stay unchanged.
func splitEnter(args []string) []string {
	at := strings.LastIndexByte(args[1], '[')
	if at < 0 {
		return args
	}
	text, closed := strings.CutSuffix(strings.TrimSpace(args[1][:at]), "]")
	flag := strings.TrimPrefix(args[1][at+1:], "press_enter_after=")
	if !closed || flag != "0" && flag != "1" {
		return args
	}
	return []string{args[0], text, flag}
}

// assignArguments stores the arguments in the action's fields. It returns false if the
// action needs an element and the arguments do not name one.
func (a *action) assignArguments(args []string) bool {
	switch a.verb {
	case press, scroll, focusTab, goTo, answer, noop:
		if len(args) > 0 {
			a.text = args[0]
		}
	default:
		if len(args) > 0 {
			a.target.id = strings.TrimSpace(args[0])
		}
		if len(args) > 1 {
			a.text = args[1]
		}
	}
	switch a.verb {
	case fill:
		a.enter = len(args) < 3 || args[2] == "1" // Enter is pressed unless the third argument forbids it
		a.lineEnd()
	case press:
		a.text = normalChord(a.text)
	case scroll:
		a.text = scrollDirection(a.text)
	case click, hover, choose, check, uncheck, clear:
		return a.target.id != ""
	}
	return true
}

// lineEnd converts a line end after the typed text to the Enter key.
func (a *action) lineEnd() {
	if text, ok := strings.CutSuffix(a.text, "\n"); ok {
		a.text, a.enter = text, true
	}
}

// normalChord returns the normal spelling of a key or a combination of keys.
func normalChord(text string) string {
	var out []string
	for part := range strings.SplitSeq(strings.ToLower(strings.TrimSpace(text)), "+") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "key")
		if long, ok := keyNames[part]; ok {
			part = long
		}
		out = append(out, part)
	}
	if strings.TrimSpace(text) == "+" {
		return "+"
	}
	return strings.Join(out, "+")
}

var keyNames = map[string]string{"ctrl": "control", "controlormeta": "control", "cmd": "meta", "command": "meta", "return": "enter", "esc": "escape", "del": "delete",
	"left": "arrowleft", "right": "arrowright", "up": "arrowup", "down": "arrowdown", "spacebar": "space", "pgup": "pageup", "pgdn": "pagedown"}

func scrollDirection(text string) string {
	text = strings.ToLower(text)
	for _, d := range [...]string{"up", "down", "left", "right"} {
		if strings.Contains(text, d) {
			return d
		}
	}
	return text
}
