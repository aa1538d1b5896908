// Package motion reads free-text actions of agents that use a screen: the texts that they type and the keys that they press.
package motion

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// Move is one motion of a free-text action. It is a typed text, a pressed key or
// combination of keys, or another motion, which has no value.
type Move struct{ Kind, Value string }

// mostMoves is the largest number of motions that Of accepts in one text.
const mostMoves = 16

// Of returns the motions of a free-text action. Copying and pasting a text
// counts as typing it. The result is nil if the text has none of these forms:
//
//   - calls on separate lines, such as write('a') and press('enter');
//   - one word in capitals with its object, such as PRESS enter or TYPING 'a'.
func Of(a *boundary.Action) []Move {
	if a.Text == "" || len(a.Text) > 1<<12 {
		return nil
	}
	if m, ok := parseCommand(a.Text); ok {
		return []Move{m}
	}
	var out []Move
	for line := range strings.SplitSeq(a.Text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m, ok := parseCall(line)
		if !ok || len(out) == mostMoves {
			return nil
		}
		if n := len(out); m.Kind == "keys" && (m.Value == "ctrl+v" || m.Value == "command+v") && n > 0 && out[n-1].Kind == "copy" {
			out[n-1].Kind = "type"
			continue
		}
		out = append(out, m)
		if n := len(out); m.Kind == "type" && strings.HasSuffix(m.Value, "\n") {
			out[n-1].Value = strings.TrimRight(m.Value, "\n")
			out = append(out, Move{"keys", "enter"})
		}
	}
	return out
}

// parseCall returns the motion of a line that consists of one call, such as
// press('enter'). It returns false for any other line.
func parseCall(line string) (Move, bool) {
	name, rest, ok := strings.Cut(line, "(")
	if !ok || !strings.HasSuffix(rest, ")") || strings.ContainsAny(name, " \t'\"=") {
		return Move{}, false
	}
	arguments, ok := quotedStrings(strings.TrimSuffix(rest, ")"))
	if !ok {
		return Move{}, false
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	switch strings.ToLower(name) {
	case "write", "typewrite", "type", "type_text", "typetext":
		if len(arguments) > 0 {
			return Move{"type", arguments[0]}, true
		}
	case "press", "hotkey", "press_key", "key":
		return Move{"keys", keyCombination(arguments)}, len(arguments) > 0
	case "copy":
		if len(arguments) == 1 {
			return Move{"copy", arguments[0]}, true
		}
	default:
		if words := mutation.NameWords(name); len(words) > 0 {
			return Move{strings.Join(words, " "), ""}, true
		}
	}
	return Move{}, false
}

// quotedStrings returns the quoted strings among arguments and skips all other arguments.
// ok is false if a quote is not closed.
func quotedStrings(s string) (out []string, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\'' && s[i] != '"' {
			continue
		}
		var b strings.Builder
		quote := s[i]
		for i++; i < len(s) && s[i] != quote; i++ {
			if s[i] == '\\' && i+1 < len(s) {
				i++
				switch s[i] {
				case 'n':
					b.WriteByte('\n')
				case 't':
					b.WriteByte('\t')
				default:
					b.WriteByte(s[i])
				}
				continue
			}
			b.WriteByte(s[i])
		}
		if i == len(s) {
			return nil, false
		}
		out = append(out, b.String())
	}
	return out, true
}

// keyCombination returns a combination of keys in canonical form, such as ctrl+c.
func keyCombination(names []string) string {
	var out []string
	for _, n := range names {
		for k := range strings.FieldsFuncSeq(strings.ToLower(n), func(r rune) bool { return r == '+' || r == '-' || r == ' ' || r == ',' }) {
			switch k {
			case "return", "enter/return":
				k = "enter"
			case "control":
				k = "ctrl"
			case "key", "the", "button":
				continue
			}
			out = append(out, k)
		}
	}
	return strings.Join(out, "+")
}

// parseCommand returns the motion of a text that is a word in capitals, perhaps in
// backquotes, followed by the object, such as PRESS enter. It returns false for any other
// text.
func parseCommand(text string) (Move, bool) {
	text = strings.TrimSpace(text)
	verb, rest, _ := strings.Cut(strings.TrimPrefix(text, "`"), " ")
	if strings.HasPrefix(text, "`") {
		verb, rest, _ = strings.Cut(text[1:], "`")
	}
	verb, rest = strings.TrimSpace(verb), strings.TrimSpace(rest)
	if verb == "" || strings.ToUpper(verb) != verb || strings.ContainsAny(rest, "\n") {
		return Move{}, false
	}
	quoted, ok := quotedStrings(rest)
	switch verb {
	case "TYPING", "TYPE", "WRITE":
		if ok && len(quoted) == 1 && (rest[0] == '\'' || rest[0] == '"') {
			return Move{"type", quoted[0]}, true
		}
		if !strings.ContainsAny(rest, " '\"") && rest != "" {
			return Move{"type", rest}, true
		}
	case "PRESS", "HOTKEY", "KEY":
		if ok && len(quoted) > 0 {
			return Move{"keys", keyCombination(quoted)}, true
		}
		if len(rest) <= 24 && rest != "" {
			return Move{"keys", keyCombination([]string{rest})}, true
		}
	}
	return Move{}, false
}
