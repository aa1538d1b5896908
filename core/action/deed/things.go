package deed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// ThingsIn returns the words of folded text that have a digit or the form of a file's name, in any script.
func ThingsIn(text string) (things []string) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool {
		return c >= 0x80 || !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_./", c)
	}) {
		if w = strings.Trim(w, "-_./"); strings.ContainsAny(w, "0123456789") || IsFileName(w) {
			things = append(things, w)
		}
	}
	return things
}

// Things returns the folded values of a call that name one thing: a code, a number, a file, a name with a capital.
func (d *Deed) Things(c *similarity.Call) (things []string) {
	for i := range c.Leaves {
		l := &c.Leaves[i]
		raw, v := TrimQuotes(l.Raw), FoldValue(l)
		switch {
		case v == "" || len(v) > utterance.MostText || utterance.IsDate(v) || strings.Count(v, " ") > 2:
		case utterance.IsDigits(v):
			if key := mutation.NameWords(l.Key); len(v) > 2 || slices.ContainsFunc(key, func(w string) bool { return utterance.Listed("idKey", w) || slices.Contains(d.Name, w) }) && !utterance.AnyListed("measure", key) {
				things = append(things, v)
			}
		case strings.ContainsAny(v, "0123456789") && IsJoined(v), IsCode(v), IsFileName(v), unicode.IsUpper([]rune(raw)[0]) && len(v) > 2:
			things = append(things, v)
		}
	}
	for _, command := range d.Commands {
		if x := OfCommand(command); x.Kinds&utterance.Remove == 0 {
			continue
		}
		for _, w := range strings.Fields(command) {
			w = strings.Trim(w[strings.LastIndexByte(w, '/')+1:], `"';`)
			if len(w) < utterance.MostText && w != "" && w[0] != '-' && (strings.ContainsAny(w, "0123456789") && IsJoined(w) || IsFileName(w)) {
				things = append(things, w)
			}
		}
	}
	return things
}
