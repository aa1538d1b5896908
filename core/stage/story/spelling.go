package story

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/literal"
)

// This file says when a thing stands somewhere, and when a call was made again. A story says
// that no action has a thing only if no spelling of it stands in any action, address or result
// after the request. It says that a call did not succeed later only if no later call of the
// tool that succeeded is nearly the same, and none directly after it tries it again.

// spelled is a text in which a thing is found in any spelling: the letters and digits of all
// its decodings, in lower case.
type spelled string

// mostNested is how often a text may be written in another: a page in JSON in JSON.
const mostNested = 4

// spellText reads a text as it stands, and without its escapes of JSON, HTML and addresses.
func spellText(text string) spelled {
	var all strings.Builder
	for range mostNested {
		all.WriteString(lettersOf(text))
		all.WriteByte(' ')
		next := unescapeAll(text)
		if next == text {
			break
		}
		text = next
	}
	return spelled(all.String())
}

func unescapeAll(text string) string {
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescapeJSON(text)
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = unescapeHTML(text)
	}
	if strings.IndexByte(text, '%') >= 0 {
		text = unescapePercent(text)
	}
	return text
}

// unescapeJSON reads the escapes of JSON, which are also those of most languages.
func unescapeJSON(text string) string {
	var b strings.Builder
	for text != "" {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:at])
		rest := text[at+1:]
		if r, _, tail, err := strconv.UnquoteChar(text[at:], 0); err == nil {
			b.WriteRune(r)
			text = tail
			continue
		}
		b.WriteByte(rest[0]) // \" and \/
		text = rest[1:]
	}
	return b.String()
}

// unescapeHTML reads the escapes of HTML. Those with a name other than amp are read as a space:
// they are marks or letters with an accent, which are sought in no text. O(length).
func unescapeHTML(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = rest
		name, char, after, ok := literal.CharacterReference(rest)
		if !ok || name == "" || len(name) > 10 || strings.Trim(name[1:], "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			b.WriteByte('&')
			continue
		}
		text = after
		switch {
		case name == "amp", name[0] == '#' && char != 0:
			b.WriteRune(char)
		default:
			b.WriteByte(' ')
		}
	}
}

// unescapePercent reads the codes of an address. A text may have a percent sign that is none.
func unescapePercent(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// mayHave reports whether the text may have a thing. A thing with an accent, which addresses write
// without, may stand anywhere.
func (s spelled) mayHave(thing string) bool {
	return strings.ContainsFunc(thing, func(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.Latin, r) }) ||
		strings.Contains(string(s), lettersOf(thing)) || strings.Contains(string(s), lettersOf(unescapeAll(thing))) || s.hasNearly(lettersOf(unescapeAll(thing)))
}

// leastNear is the number of letters and digits from which a name is the same thing with one letter
// more, less or other: a server may spell it otherwise than the user.
const leastNear = 10

// hasNearly reports whether the text has a name with one letter more, less or other. A digit makes
// another thing. One of the halves of the name stands as it is, so that only its places are
// compared. O(text + places of a half · length).
func (s spelled) hasNearly(name string) bool {
	if len(name) < leastNear || len(name) > mostShown {
		return false
	}
	half, text := len(name)/2, string(s)
	for from, part := range [...]string{name[:half], name[half:]} {
		for at := 0; ; at++ {
			next := strings.Index(text[at:], part)
			if next < 0 {
				break
			}
			at += next
			if from == 0 && isNearStart(text[at+half:], name[half:]) || from == 1 && isNearEnd(text[:at], name[:half]) {
				return true
			}
		}
	}
	return false
}

// isNearStart reports whether a text begins with a name but for one letter.
func isNearStart(text, name string) bool {
	i := 0
	for i < len(name) && i < len(text) && name[i] == text[i] {
		i++
	}
	rest, other := name[i:], text[i:]
	switch {
	case rest == "":
		return true
	case isLetter(rest[0]) && (strings.HasPrefix(other, rest[1:]) || other != "" && isLetter(other[0]) && strings.HasPrefix(other[1:], rest[1:])):
		return true // one letter less, or another
	}
	return other != "" && isLetter(other[0]) && strings.HasPrefix(other[1:], rest)
}

// isNearEnd is like isNearStart for the end of a text.
func isNearEnd(text, name string) bool {
	i := 0
	for i < len(name) && i < len(text) && name[len(name)-1-i] == text[len(text)-1-i] {
		i++
	}
	rest, other := name[:len(name)-i], text[:len(text)-i]
	if rest == "" {
		return true
	}
	less, last := rest[:len(rest)-1], other != "" && isLetter(other[len(other)-1])
	switch {
	case isLetter(rest[len(rest)-1]) && (strings.HasSuffix(other, less) || last && strings.HasSuffix(other[:len(other)-1], less)):
		return true
	}
	return last && strings.HasSuffix(other[:len(other)-1], rest)
}

func isLetter(b byte) bool { return b < '0' || b > '9' }

// actedText returns all that the actions and their addresses say.
func (t *teller) actedText() spelled {
	if t.did == "" {
		var all strings.Builder
		for i := range t.Obs {
			all.WriteString(t.Obs[i].Name + "\n" + t.Obs[i].Raw + "\n" + t.Obs[i].Text + "\n")
		}
		t.did = " " + spellText(all.String())
	}
	return t.did
}

// isHad reports whether an action has a thing, or a result after the request. A line of the
// request in a result, such as one of its file, is none.
func (t *teller) isHad(thing string) bool {
	if t.actedText().mayHave(thing) {
		return true
	}
	if t.shown == "" {
		asked := map[string]bool{}
		for line := range strings.Lines(t.firstOfUser()) {
			asked[strings.TrimSpace(line)] = true
		}
		var all strings.Builder
		add := func(text string) {
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); !asked[line] {
					all.WriteString(line + "\n")
				}
			}
		}
		for i := range t.Actions {
			if o := t.Actions[i].Observation; o != nil {
				add(o.Text)
			}
		}
		after := false
		for i := range t.Messages {
			if m := &t.Messages[i]; m.Role == "user" {
				after = true
			} else if after && m.Role == "tool" {
				add(m.Text)
			}
		}
		t.shown = " " + spellText(all.String())
	}
	return t.shown.mayHave(thing)
}

// isTriedAgain reports whether the calls of the tool directly after a failed one end with one
// that succeeded: they may try it again in any other way.
func (t *teller) isTriedAgain(i int) bool {
	for j := i + 1; j < len(t.Obs) && t.Obs[j].Name == t.Obs[i].Name && t.Obs[j].Text == ""; j++ {
		if !t.Obs[j].Failed {
			return true
		}
	}
	return false
}
