package webarena

import (
	"strconv"
	"strings"
)

// verb is what an action does, whatever grammar it was written in.
type verb uint8

const (
	noop verb = iota
	click
	doubleClick
	fill // type into a field; text is what
	clear
	check
	uncheck
	choose // select options
	press
	keys // type without naming a field
	hover
	focus
	scroll
	drag
	upload
	goTo
	back
	forward
	reload
	newTab
	closeTab
	focusTab
	answer // stop, or a message to the user
)

var verbNames = [...]string{"wait", "click", "double click", "type", "clear", "check", "uncheck", "select", "press", "type", "hover", "focus", "scroll", "drag",
	"upload", "go to", "go back", "go forward", "reload", "open a tab", "close the tab", "switch to tab", "answer"}

// views tells a verb that only changes what is shown: which page, which part of it.
// A page that is asked for by its address is read, not changed.
func (v verb) views() bool {
	switch v {
	case noop, hover, focus, scroll, goTo, back, forward, reload, newTab, closeTab, focusTab:
		return true
	}
	return false
}

// writesField tells a verb that sets what a field of the page holds.
func (v verb) writesField() bool {
	switch v {
	case fill, clear, check, uncheck, choose, upload:
		return true
	}
	return false
}

// target is what an action is done to, by whatever the agent named it with. Of id,
// selector and place nothing holds on another page.
type target struct {
	role, name string // as the accessibility tree has them
	id         string // of the observation that the agent saw
	selector   string // normal form; with >> between steps
	place      string // "x,y"
}

func (t *target) empty() bool { return *t == target{} }

// String returns the same spelling for equal things.
func (t *target) String() string {
	switch {
	case t.role != "" || t.name != "":
		return strings.TrimSpace(t.role + " " + strconv.Quote(t.name))
	case t.selector != "":
		return t.selector
	case t.id != "":
		return "[" + t.id + "]"
	case t.place != "":
		return "(" + t.place + ")"
	}
	return ""
}

// action is one thing done in the browser.
type action struct {
	verb   verb
	target target
	text   string // what is typed, pressed, visited, said; options, one a line
	to     target // of drag
	enter  bool   // Enter follows what is typed
}

// String returns the effect in normal form, which is equal for two actions that do the
// same.
func (a *action) String() string {
	parts := []string{verbNames[a.verb]}
	if !a.target.empty() {
		parts = append(parts, a.target.String())
	}
	switch {
	case a.verb == goTo:
		parts = append(parts, normalURL(a.text))
	case a.verb == answer:
		parts = append(parts, strconv.Quote(cleanAnswer(a.text)))
	case a.text != "" || a.verb == fill:
		parts = append(parts, strconv.Quote(a.text))
	}
	if !a.to.empty() {
		parts = append(parts, "to", a.to.String())
	}
	if a.enter {
		parts = append(parts, "and Enter")
	}
	return strings.Join(parts, " ")
}

// parseActions reads what an agent wrote: one action in square brackets, or Python
// calls, of which there may be several.
func parseActions(text string) ([]action, error) {
	text = strings.TrimSpace(text)
	if a, ok := parseBrackets(text); ok {
		return []action{a}, nil
	}
	return parseCalls(text)
}
