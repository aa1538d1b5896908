package webarena

import (
	"strconv"
	"strings"
)

// verb is the kind of an action, in any grammar.
type verb uint8

const (
	noop verb = iota
	click
	doubleClick
	fill // type text into a field
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
	answer // stop, or send a message to the user
)

var verbNames = [...]string{"wait", "click", "double click", "type", "clear", "check", "uncheck", "select", "press", "type", "hover", "focus", "scroll", "drag",
	"upload", "go to", "go back", "go forward", "reload", "open a tab", "close the tab", "switch to tab", "answer"}

// isViewOnly reports whether a verb changes only which page, or which part of a page, is
// shown. Opening a page by its address counts as such a verb.
func (v verb) isViewOnly() bool {
	switch v {
	case noop, hover, focus, scroll, goTo, back, forward, reload, newTab, closeTab, focusTab:
		return true
	}
	return false
}

// writesField reports whether a verb sets the value of a field.
func (v verb) writesField() bool {
	switch v {
	case fill, clear, check, uncheck, choose, upload:
		return true
	}
	return false
}

// target is the element of an action, in the agent's terms. An id, a selector or a
// place has no meaning on another page.
type target struct {
	role, name string // as in the accessibility tree
	id         string // in the observation that the agent saw
	selector   string // normal form; with >> between steps
	place      string // "x,y"
}

func (t *target) isEmpty() bool { return *t == target{} }

// String returns the element in normal form. Equal elements have equal texts.
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

// action is one action in the browser.
type action struct {
	verb   verb
	target target
	text   string // the text that is typed, pressed, visited or said; options on separate lines
	to     target // of drag
	enter  bool   // Enter is pressed after the text
}

// String returns the action in normal form. Two actions that do the same have equal
// texts.
func (a *action) String() string {
	parts := []string{verbNames[a.verb]}
	if !a.target.isEmpty() {
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
	if !a.to.isEmpty() {
		parts = append(parts, "to", a.to.String())
	}
	if a.enter {
		parts = append(parts, "and Enter")
	}
	return strings.Join(parts, " ")
}

// parseActions parses an agent's text. The text is one action in square brackets, or one
// or more Python calls.
func parseActions(text string) ([]action, error) {
	text = strings.TrimSpace(text)
	if a, ok := parseBrackets(text); ok {
		return []action{a}, nil
	}
	return parseCalls(text)
}
