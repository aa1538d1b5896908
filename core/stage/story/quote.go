package story

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// mostQuoted is the length of the longest sentence that is quoted, in bytes. A longer one
// is not quoted at all, because a quotation is never cut.
const mostQuoted = 300

// addReason looks for a sentence of the user that has one of the wanted values and that
// the run therefore goes against, and adds it to the story and to its text. A sentence
// that also has the agent's value, or names another thing on which the agent acted, does
// not decide, so it is not used. For wrong arguments the last sentence before the action
// counts, and otherwise the first sentence of the run, which is the request. A sentence that
// names the thing of another change of the agent asked for that change.
func (t *teller) addReason(s *Story, wanted []string) {
	before, step := len(t.Messages), 1
	if s.Kind == Differs {
		before, step = t.messagesBefore(s.Did[0].Index), -1
	}
	without := sync.OnceValue(func() []string { return t.otherValues(s) })
	changed := sync.OnceValue(func() []string { return t.thingsOfOthers(s) })
	for i := 0; i < len(wanted) && s.Because == nil; i++ {
		if q := t.quoteUser(wanted[i], without, before, step); q != nil && (s.Kind != Differs || !slices.Contains(changed(), wanted[i])) {
			s.Because = q
		}
	}
	t.sayReason(s)
}

// quoteUser returns a sentence of the user with a value: the first one in the given number
// of messages, or the last one if step is -1. It returns nil if there is none.
func (t *teller) quoteUser(value string, without func() []string, before, step int) *Quote {
	if !isTelling(value) {
		return nil
	}
	sought := newMention(value)
	for n := range before {
		m := n
		if step < 0 {
			m = before - 1 - n
		}
		if t.Messages[m].Role == "user" && sought.mayStandIn(t.lowerText(m)) {
			if text := sentenceWith(t.Messages[m].Text, &sought, without); text != "" {
				return &Quote{By: "user", Message: m, Text: text}
			}
		}
	}
	return nil
}

// lowerText returns the text of a message in lower case. It computes each text once,
// because several values are sought in it.
func (t *teller) lowerText(m int) string {
	if t.lower == nil {
		t.lower = make([]string, len(t.Messages))
	}
	if t.lower[m] == "" {
		t.lower[m] = wordlist.Lower(t.Messages[m].Text)
	}
	return t.lower[m]
}

// messagesBefore returns the number of messages before an action, or all of them if the
// source does not say where the action was.
func (t *teller) messagesBefore(obs int) int {
	if m := t.Actions[obs].Message; m >= 0 {
		return min(m, len(t.Messages))
	}
	return len(t.Messages)
}

// isTelling reports whether a value is unlikely to stand in a sentence by chance: a number
// of at least two digits, a word of at least four letters, or a code with both.
func isTelling(value string) bool {
	letters, digits := 0, 0
	for _, r := range value {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return digits > 1 || letters > 3 || digits > 0 && letters > 0
}

// sentenceWith returns the last sentence of a text that has a value and none of the values
// in without. It returns "" if there is none.
func sentenceWith(text string, sought *mention, without func() []string) (found string) {
	for _, s := range splitSentences(text) {
		if len(s) > mostQuoted {
			continue
		}
		if lower := wordlist.Lower(s); sought.standsIn(lower) && !introduces(lower) && !mentionsAny(lower, sought.value, without()) {
			found = s
		}
	}
	return found
}

// toldWords are the words with which a person gives a code or a name, and askingWords are words of a wish.
var (
	toldWords   = [...]string{"id is", "ids are", "number is", "code is", "confirmation is", "name is", "email is", "id:", "number:"}
	askingWords = [...]string{"want", "like", "need", "please", "could", "can", "let's", "let’s", "would", "wish", "cancel", "change", "book", "instead"}
)

// introduces reports whether a sentence only gives a code, or is a row of a list: it says no more than the value
// itself, so it is no reason.
func introduces(lower string) bool {
	for _, row := range [...]string{"- ", "* ", "|"} {
		if strings.HasPrefix(lower, row) {
			return true
		}
	}
	plain := strings.ReplaceAll(lower, "*", "")
	return holdsAnyOf(plain, toldWords[:]...) && !strings.Contains(plain, "?") && !holdsAnyOf(plain, askingWords[:]...)
}

// mentionsAny reports whether a text in lower case has one of the values.
func mentionsAny(lower, except string, values []string) bool {
	for _, v := range values {
		if v == except || !isTelling(v) {
			continue
		}
		if m := newMention(v); m.standsIn(lower) {
			return true
		}
	}
	return false
}

// mention is how a sentence has a value: as whole words, in any letter case. A code such as
// gift_card_2611937 is also mentioned by its kind, gift card.
type mention struct {
	value       string
	words, kind string // in lower case; kind is "" for a value that is no code
}

func newMention(value string) mention {
	return mention{value, spacedWords(value), spacedWords(kindOf(value))}
}

func spacedWords(s string) string { return wordlist.Lower(strings.ReplaceAll(s, "_", " ")) }

// standsIn reports whether a text in lower case mentions the value.
func (m *mention) standsIn(lower string) bool {
	return holdsWords(lower, m.words) || holdsWords(lower, m.kind)
}

// mayStandIn reports whether a sentence of a text in lower case may mention the value.
func (m *mention) mayStandIn(lower string) bool {
	return strings.Contains(lower, m.words) || m.kind != "" && strings.Contains(lower, m.kind)
}

// kindOf returns the words before the number of a code, or "" if the value is no code.
func kindOf(code string) string {
	kind := strings.TrimRight(code, "0123456789")
	if short, ok := strings.CutSuffix(kind, "_"); ok && len(kind) < len(code) && !strings.ContainsAny(short, "0123456789 ") && len(short) > 3 {
		return short
	}
	return ""
}

// holdsWords reports whether a text has a value as whole words. It has no empty value.
func holdsWords(text, value string) bool {
	for from := 0; value != ""; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, size := utf8.DecodeRuneInString(text[end:])
		if (after == '.' || after == ',') && size > 0 { // the end of a sentence, or the rest of a number
			after, _ = utf8.DecodeRuneInString(text[end+size:])
			if !unicode.IsDigit(after) {
				after = ' '
			}
		}
		if !isWordRune(before) && !isWordRune(after) {
			return true
		}
		from = end
	}
	return false
}

func isWordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// splitSentences splits a text at line ends and after a full stop, an exclamation mark or
// a question mark before a space. Each sentence is a part of the text.
func splitSentences(text string) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		for line != "" {
			end := len(line)
			for i := 0; i+1 < len(line); i++ {
				if (line[i] == '.' || line[i] == '!' || line[i] == '?') && line[i+1] == ' ' {
					end = i + 1
					break
				}
			}
			if s := strings.TrimSpace(line[:end]); s != "" {
				out = append(out, s)
			}
			line = line[end:]
		}
	}
	return out
}

// wholeSentence returns an error's text if it can be quoted whole, or else its first
// sentence if that can, or else "".
func wholeSentence(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= mostQuoted && !strings.Contains(text, "\n") {
		return text
	}
	if all := splitSentences(text); len(all) > 0 && len(all[0]) <= mostQuoted {
		return all[0]
	}
	return ""
}

// quotePolicy returns a sentence of the instructions with its place. It returns nil if no
// message and no instructions outside of the messages have the sentence.
func (t *teller) quotePolicy(sentence string) *Quote {
	for m := range t.Messages {
		if role := t.Messages[m].Role; (role == "system" || role == "developer") && strings.Contains(t.Messages[m].Text, sentence) {
			return &Quote{By: "policy", Message: m, Text: sentence}
		}
	}
	if strings.Contains(t.Policy, sentence) {
		return &Quote{By: "policy", Message: -1, Text: sentence}
	}
	return nil
}
