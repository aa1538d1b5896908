package requests

import (
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Values are compared folded, and shown as they are written.

// mark stands around a folded value in a reason until spellValues writes it.
const mark = "\x00"

// showValues returns folded values as a part of a reason that spellValues completes.
func showValues(values ...string) string { return mark + strings.Join(values, mark+" "+mark) + mark }

// spellValues writes the marked values of a reason as they are written in the call, in the words of the request or in a
// result.
func (r *Reader) spellValues(why string, t *Trace, c *Action) string {
	if !strings.Contains(why, mark) {
		return why
	}
	parts := strings.Split(why, mark)
	for k := 1; k < len(parts); k += 2 {
		parts[k] = r.writeValue(parts[k], t, c)
	}
	return strings.Join(parts, "")
}

// writeValue returns a folded value as it is written.
func (r *Reader) writeValue(value string, t *Trace, c *Action) string {
	texts := []string{t.Words}
	for i := range c.Call.Leaves {
		texts = append(texts, deed.TrimQuotes(c.Call.Leaves[i].Raw))
	}
	if t.Text >= 0 {
		texts = append(texts, r.Texts[t.Text].Text)
	}
	for i := range r.ResultsBefore(c.Before) {
		texts = append(texts, r.Texts[i].Text)
	}
	for _, text := range texts {
		folded := utterance.Fold(text)
		if !utterance.HoldsWord(folded, value) || utf8.RuneCountInString(folded) != utf8.RuneCountInString(text) {
			continue
		}
		from := utf8.RuneCountInString(folded[:strings.Index(folded, value)])
		return string([]rune(text)[from : from+utf8.RuneCountInString(value)])
	}
	return value
}
