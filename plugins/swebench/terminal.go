package swebench

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/internal/effect"
	"github.com/boundcheck/boundcheck/plugins/internal/shell"
)

// terminal is the shell of the benchmark's agents. It has its own commands besides those
// of the shell, and at most one open file.
type terminal struct {
	*effect.Session
	open string // the name of the open file in the world; "" for none
}

// looks holds the terminal's own commands that change nothing.
var looks = map[string]bool{"goto": true, "scroll_up": true, "scroll_down": true, "search_file": true, "search_dir": true, "find_file": true,
	"submit": true, "set_cursors": true, "state": true, "exit_cost": true, "exit_context": true, "exit_format": true, "exit_error": true,
	"exit_api": true, "exit_forfeit": true, "skip": true, "filemap": true}

// ownEffects returns the effects of a command that only this terminal has, such as open
// or create. The bool is false for any other command.
func (t *terminal) ownEffects(c *shell.Command) ([]effect.Effect, bool) {
	name := c.Name()
	switch {
	case looks[name]:
		return nil, true
	case name == "open" && len(c.Words) > 1:
		if p, ok := t.Path(c.Words[1].Text); ok && c.Words[1].Known {
			t.open = p
		}
		return nil, true
	case name == "create" && len(c.Words) == 2 && c.Words[1].Known:
		p, ok := t.Path(c.Words[1].Text)
		t.open = p
		return []effect.Effect{effect.OnFile(p, effect.Op{Verb: effect.Write, New: "\n", Created: true})}, ok
	}
	return nil, false
}

// typedEffects returns the effects of a text that the agent typed. answer is the
// terminal's answer, or nil if the answer is not recorded. read is false if the text is
// not a command.
func (t *terminal) typedEffects(text string, answer *string) (effects []effect.Effect, read bool) {
	said := ""
	if answer != nil {
		said = *answer
	}
	shown, isShown := shownPath(said)
	if effects, ok := t.readEdit(text, answer != nil, said); ok {
		return effects, true
	}
	effects, read = t.Shell(text)
	if isShown {
		t.open = t.Name(shown)
	}
	if isRefused(text, said) {
		return nil, read
	}
	return effects, read
}

// readEdit returns the effects of the commands edit and insert of the terminal. After
// "edit FROM:TO" come the new lines and the line end_of_edit. After "insert LINE" come
// the new lines and the line end_of_insert. said is the terminal's answer, and answered
// is false if this answer is not recorded. ok is false for any other text.
func (t *terminal) readEdit(text string, answered bool, said string) (effects []effect.Effect, ok bool) {
	first, body, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	verb, place, _ := strings.Cut(strings.TrimSpace(first), " ")
	if verb != "edit" && verb != "insert" {
		return nil, false
	}
	body, rest, closed := splitAtEnd(body, verb)
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ") // the terminal ignores further words
	op, placed := parsePlace(verb, place)
	op.New = body
	shown, isShown := shownPath(said)
	switch {
	case answered && (!isShown || strings.Contains(said, "proposed edit has introduced") || strings.Contains(said, "NOT been applied")):
		return nil, true // it was refused
	case !placed && !answered:
		return nil, true // the terminal accepts no other form
	case closed && strings.TrimSpace(rest) != "":
		return []effect.Effect{effect.Opaque(text)}, true
	case !placed:
		op = effect.Op{Verb: effect.Unread} // it was carried out, but nobody knows where
	}
	name := t.open
	if isShown {
		name = t.Name(shown)
		t.open = name
	}
	if name == "" {
		return []effect.Effect{effect.Opaque(text)}, true
	}
	return []effect.Effect{effect.OnFile(name, op)}, true
}

// splitAtEnd splits body at the line "end_of_" + verb. lines is the text before this
// line, and rest is the text after it. If there is no such line, lines is the whole body,
// and closed is false.
func splitAtEnd(body, verb string) (lines, rest string, closed bool) {
	at := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) == "end_of_"+verb {
			return body[:at], body[at+len(line):], true
		}
		at += len(line)
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return body, "", false
}

// parsePlace parses the place of an edit. The place is a line number for the verb insert,
// and FROM:TO for the verb edit. The bool is false if the place is invalid.
func parsePlace(verb, place string) (effect.Op, bool) {
	if verb == "insert" {
		n, err := strconv.Atoi(place)
		return effect.Op{Verb: effect.Insert, From: n}, err == nil && n >= 0
	}
	a, b, ok := strings.Cut(place, ":")
	from, err := strconv.Atoi(strings.TrimSpace(a))
	to, err2 := strconv.Atoi(strings.TrimSpace(b))
	return effect.Op{Verb: effect.Lines, From: from, To: to}, ok && err == nil && err2 == nil && from >= 1 && to >= from-1
}

// shownPath returns the path of the file that the terminal shows. In said, the terminal's
// answer, the path is in a line such as "[File: /path (12 lines total)]". ok is false if
// said has no such line.
func shownPath(said string) (path string, ok bool) {
	_, rest, ok := strings.Cut(said, "[File: ")
	if !ok {
		return "", false
	}
	line, _, _ := strings.Cut(rest, "\n")
	i := strings.LastIndex(line, " (")
	if i < 0 || !strings.HasSuffix(strings.TrimSpace(line), " lines total)]") {
		return "", false
	}
	return line[:i], true
}

// isRefused reports whether the terminal's answer shows that a command did nothing. It
// knows the usual messages of shells and of this terminal. The result is false for a
// text with several commands.
func isRefused(text, said string) bool {
	said = strings.TrimSpace(said)
	if said == "" || strings.ContainsAny(strings.TrimSpace(text), "\n;|&") {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	first, _, _ := strings.Cut(said, "\n")
	if word == "create" && !strings.HasPrefix(first, "[File: ") {
		return true
	}
	return strings.HasPrefix(first, word+": ") || strings.HasPrefix(first, "bash: ") || strings.HasPrefix(first, "/bin/bash: ") ||
		strings.HasPrefix(first, "sh: ") || strings.HasPrefix(first, "Error: File '") || strings.HasPrefix(first, "Usage: "+word)
}
