package deed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Mark is a number, a day of the week or a code by which one of several things of its form is meant.
type Mark struct{ Form, Value string }

// MarksIn returns the marks of a folded text, each once. A number has the form 9, whatever its length, and stands without what says
// of what it is: 4th, 9h, 5箱.
func MarksIn(text string) (marks []Mark) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '.' && c != ':'
	}) {
		w = strings.Trim(w, ".-:")
		m := Mark{}
		x, digits := utterance.MemberOf(w), leadingDigits(w)
		switch {
		case w == "":
		case x.Class == "day" && len(w) > 2:
			m = Mark{"day", string(rune('0' + x.Order))}
		case digits != "" && len(digits) < 5 && !strings.ContainsAny(w[len(digits):], "0123456789.-:"):
			if rest := w[len(digits):]; rest == "" || len(rest) < 3 && len(rest) != 1 || rest == "h" || rest[0] >= 0x80 {
				m = Mark{"9", strings.TrimLeft(digits, "0")}
			} else {
				m = Mark{utterance.FormOf(w), w}
			}
		case strings.ContainsAny(w, "0123456789"):
			m = Mark{utterance.FormOf(w), w}
		}
		if m.Form != "" && m.Value != "" && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks
}

func leadingDigits(w string) string {
	end := strings.IndexFunc(w, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(w)
	}
	return w[:end]
}
