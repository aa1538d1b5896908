package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A yes is to what the question names, whoever spoke of the deed first: "Move my visit", "To Tuesday the 4th?", "Ok".

// sign is a number, a day of the week or a code by which one of several things of its form is meant.
type sign struct{ form, value string }

// marksIn returns the marks of a folded text, each once. A number has the form 9, whatever its length, and stands without what says
// of what it is: 4th, 9h, 5箱.
func marksIn(text string) (marks []sign) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '.' && c != ':'
	}) {
		w = strings.Trim(w, ".-:")
		m := sign{}
		x, digits := utterance.MemberOf(w), leadingDigits(w)
		switch {
		case w == "":
		case x.Class == "day" && len(w) > 2:
			m = sign{"day", string(rune('0' + x.Order))}
		case digits != "" && len(digits) < 5 && !strings.ContainsAny(w[len(digits):], "0123456789.-:"):
			if rest := w[len(digits):]; rest == "" || len(rest) < 3 && len(rest) != 1 || rest == "h" || rest[0] >= 0x80 {
				m = sign{"9", strings.TrimLeft(digits, "0")}
			} else {
				m = sign{utterance.FormOf(w), w}
			}
		case strings.ContainsAny(w, "0123456789"):
			m = sign{utterance.FormOf(w), w}
		}
		if m.form != "" && m.value != "" && !slices.Contains(marks, m) {
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

// findOtherOffered returns a trace in place of one to a request, if the agent then asked a question with one number, day or code, the
// user only agreed, and the call has another one of this form, which no person and no result named.
func (r *Reader) findOtherOffered(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.delegated || c.Call.Text != "" {
		return Trace{}, false
	}
	q := o.newestAsked()
	if q == nil || q.text < t.Text || q.but != "" || q.choice != nil || q.text != t.Text && !r.isAboutIt(q.asking, d) || utterance.IsAboutMore(q.asking.Folded) || utterance.AnyListed("or", q.asking.Words) {
		return Trace{}, false
	}
	offered := marksIn(q.asking.Folded)
	for _, m := range offered {
		if slices.ContainsFunc(offered, func(x sign) bool { return x.form == m.form && x != m }) {
			continue // one of several
		}
		other, found := "", 0
		for i := range c.Call.Leaves {
			l := &c.Call.Leaves[i]
			v := deed.FoldValue(l)
			if len(v) > utterance.MostText || utterance.IsDate(v) || utterance.AnyListed("idKey", mutation.NameWords(l.Key)) {
				continue
			}
			for _, x := range marksIn(v) {
				if x.form != m.form {
					continue
				}
				if found++; x == m {
					found = -len(c.Call.Leaves) - 1
				}
				other = x.value
				if m.form == "day" {
					other = v
				}
			}
		}
		if found == 1 && other != "1" && other != "0" && !r.isHeardOf(m, other, c) {
			return Trace{By: ByNobody, Text: q.text, Words: q.asking.Text, Why: "the user agreed to this with " + showValues(m.value) + ", not with " + showValues(other)}, true
		}
	}
	return Trace{}, false
}

// isHeardOf reports whether a person, a result or the agent named a mark of the form of m that a call has.
func (r *Reader) isHeardOf(m sign, value string, c *Action) bool {
	for i := range r.Texts[:min(c.Before, len(r.Texts))] {
		if text := r.Folded(i); m.form != "day" && utterance.HoldsWord(text, value) || slices.ContainsFunc(marksIn(text), func(x sign) bool {
			return x.form == m.form && (x.value == value || m.form == "day" && slices.Contains(marksIn(value), x))
		}) {
			return true
		}
	}
	return false
}

// newestAsked returns the last sentence of the agent to which the user agreed and that belongs to a question; nil for none.
func (o *open) newestAsked() *request {
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if q.agreed && q.asking != nil {
			return q
		}
		if !q.agreed && q.sentence.Asks&^utterance.Look != 0 {
			return nil // he asked for more since
		}
	}
	return nil
}

// isAboutIt reports whether a question is about a deed: it names it, or no deed at all.
func (r *Reader) isAboutIt(s *utterance.Sentence, d *deed.Deed) bool {
	return d.IsAgreedIn(s) || s.Named == 0 && utterance.PlainWords(s.Words) < 9
}
