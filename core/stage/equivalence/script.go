package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// move is one motion of a free-text action. It is a typed text, a pressed key or
// combination of keys, or another motion, which has no value.
type move struct{ kind, value string }

// mostMoves is the largest number of motions that scriptMotions accepts in one text.
const mostMoves = 16

// scriptMotions returns the motions of a free-text action. Copying and pasting a text
// counts as typing it. The result is nil if the text has none of these forms:
//
//   - calls on separate lines, such as write('a') and press('enter');
//   - one word in capitals with its object, such as PRESS enter or TYPING 'a'.
func scriptMotions(a *boundary.Action) []move {
	if a.Text == "" || len(a.Text) > 1<<12 {
		return nil
	}
	if m, ok := parseCommand(a.Text); ok {
		return []move{m}
	}
	var out []move
	for line := range strings.SplitSeq(a.Text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m, ok := parseCall(line)
		if !ok || len(out) == mostMoves {
			return nil
		}
		if n := len(out); m.kind == "keys" && (m.value == "ctrl+v" || m.value == "command+v") && n > 0 && out[n-1].kind == "copy" {
			out[n-1].kind = "type"
			continue
		}
		out = append(out, m)
		if n := len(out); m.kind == "type" && strings.HasSuffix(m.value, "\n") {
			out[n-1].value = strings.TrimRight(m.value, "\n")
			out = append(out, move{"keys", "enter"})
		}
	}
	return out
}

// parseCall returns the motion of a line that consists of one call, such as
// press('enter'). It returns false for any other line.
func parseCall(line string) (move, bool) {
	name, rest, ok := strings.Cut(line, "(")
	if !ok || !strings.HasSuffix(rest, ")") || strings.ContainsAny(name, " \t'\"=") {
		return move{}, false
	}
	arguments, ok := quotedStrings(strings.TrimSuffix(rest, ")"))
	if !ok {
		return move{}, false
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	switch strings.ToLower(name) {
	case "write", "typewrite", "type", "type_text", "typetext":
		if len(arguments) > 0 {
			return move{"type", arguments[0]}, true
		}
	case "press", "hotkey", "press_key", "key":
		return move{"keys", keyCombination(arguments)}, len(arguments) > 0
	case "copy":
		if len(arguments) == 1 {
			return move{"copy", arguments[0]}, true
		}
	default:
		if words := mutation.NameWords(name); len(words) > 0 {
			return move{strings.Join(words, " "), ""}, true
		}
	}
	return move{}, false
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
func parseCommand(text string) (move, bool) {
	text = strings.TrimSpace(text)
	verb, rest, _ := strings.Cut(strings.TrimPrefix(text, "`"), " ")
	if strings.HasPrefix(text, "`") {
		verb, rest, _ = strings.Cut(text[1:], "`")
	}
	verb, rest = strings.TrimSpace(verb), strings.TrimSpace(rest)
	if verb == "" || strings.ToUpper(verb) != verb || strings.ContainsAny(rest, "\n") {
		return move{}, false
	}
	quoted, ok := quotedStrings(rest)
	switch verb {
	case "TYPING", "TYPE", "WRITE":
		if ok && len(quoted) == 1 && (rest[0] == '\'' || rest[0] == '"') {
			return move{"type", quoted[0]}, true
		}
		if !strings.ContainsAny(rest, " '\"") && rest != "" {
			return move{"type", rest}, true
		}
	case "PRESS", "HOTKEY", "KEY":
		if ok && len(quoted) > 0 {
			return move{"keys", keyCombination(quoted)}, true
		}
		if len(rest) <= 24 && rest != "" {
			return move{"keys", keyCombination([]string{rest})}, true
		}
	}
	return move{}, false
}

// findScripts finds a free-text action whose motions are the motions of several adjacent
// steps on the other side.
func (c *composer) findScripts() {
	obs, ref := c.motionsByAction(c.Obs, c.obs), c.motionsByAction(c.Ref, c.ref)
	if len(obs) == 0 || len(ref) == 0 {
		return
	}
	for _, o := range c.obs {
		if parts := inARow(obs[o], ref, c.ref, c.openRef); parts != nil && c.isOpen[o] {
			c.addGroup(Group{Obs: []int{o}, Ref: parts, Rule: "gesture", Same: true})
		}
	}
	for _, r := range c.ref {
		if parts := inARow(ref[r], obs, c.obs, c.isOpen); parts != nil && c.openRef[r] {
			c.addGroup(Group{Split: true, Obs: parts, Ref: []int{r}, Rule: "gesture", Same: true})
		}
	}
}

func (c *composer) motionsByAction(side []boundary.Action, open []int) map[int][]move {
	var out map[int][]move
	for _, i := range open {
		if m := scriptMotions(&side[i]); len(m) > 0 {
			if out == nil {
				out = map[int][]move{}
			}
			out[i] = m
		}
	}
	return out
}

// inARow looks for adjacent open actions with one motion each. Together they must have
// exactly the given motions, in the same order. It returns the indices of the first such
// actions, or nil.
func inARow(whole []move, of map[int][]move, open []int, isOpen map[int]bool) []int {
	if len(whole) < 2 || !slices.ContainsFunc(whole, func(m move) bool { return m.kind == "type" && m.value != "" }) {
		return nil
	}
	for at := range open {
		if at+len(whole) > len(open) {
			return nil
		}
		for k, m := range whole {
			i := open[at+k]
			if i != open[at]+k || !isOpen[i] || len(of[i]) != 1 || of[i][0] != m {
				break
			}
			if k == len(whole)-1 {
				return slices.Clone(open[at : at+len(whole)])
			}
		}
	}
	return nil
}
