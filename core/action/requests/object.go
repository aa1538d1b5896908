package requests

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A request for a deed on one object does not ask for the deed on another. Only what is
// plain counts: nobody named the object of the call, and each sentence that asks for the deed
// names another one of the same form.

// findOther returns a trace in place of one to a request, if each request for a deed names
// another object, or another amount, than the call.
func (r *Reader) findOther(o *open, _ *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans {
		return Trace{}, false
	}
	for _, object := range d.Objects {
		if t, ok := r.findOtherValue(o, d, c, object, false); ok {
			return t, true
		}
	}
	if d.Kinds&(utterance.Pay|utterance.Refund|utterance.Buy|utterance.Change|utterance.Make|utterance.Switch|utterance.Send) != 0 && len(d.Measures) == 1 {
		return r.findOtherValue(o, d, c, d.Measures[0], true)
	}
	return Trace{}, false
}

// findOtherValue is findOther for one value of the call.
func (r *Reader) findOtherValue(o *open, d *deed.Deed, c *Action, value string, measure bool) (t Trace, ok bool) {
	if !measure && r.isMade(value) || r.isSaid(o, o.closedAt, c.Before, func(text string) bool { return utterance.HoldsWord(text, value) }) {
		return t, false
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if o.countCompared(q.sentence, d, 10); q.asksFor(d) == "" {
			continue
		}
		other := d.NamesOther(q.sentence, value, measure)
		if q.agreed && measure && other == "" {
			other = d.NamesOtherAmount(q.sentence, value)
		}
		if other == "" {
			if measure && !q.agreed && i > 0 && o.requests[i-1].agreed && !strings.ContainsFunc(q.sentence.Text, unicode.IsDigit) {
				continue // "Two boxes?" "Yes, order them."
			}
			return Trace{}, false
		}
		if !ok { // the newest request is shown
			t, ok = Trace{By: ByNobody, Text: q.text, Words: q.sentence.Text, Why: "the user asked for this with " + showValues(other) + ", not with " + showValues(value)}, true
			if q.agreed { // consent is to what the question named, whatever was asked for before
				return t, ok
			}
		}
	}
	return t, ok && !r.saysAlike(t.Text, c.Before)
}

// saysAlike reports whether the user said after a text that the same is to be done once more, as in
// "and the same for the other one".
func (r *Reader) saysAlike(after, n int) bool {
	for i := after + 1; i < min(n, len(r.Texts)); i++ {
		if r.Texts[i].From == provenance.FromUser && utterance.HoldsListed(r.Texts[i].Text, "alike") {
			return true
		}
	}
	return false
}

// findOtherNumber returns a trace in place of one to a question to which the user agreed, if the only
// number of the question, such as an hour or a number of days, is not the only number of the call.
func (r *Reader) findOtherNumber(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if d.Kinds == 0 {
		return Trace{}, false
	}
	if !t.Agreed {
		return r.findOtherTime(t, d, c)
	}
	offered := utterance.NumbersIn(r.Folded(t.Text), false)
	var used []string
	for i := range c.Call.Leaves {
		value := deed.FoldValue(&c.Call.Leaves[i])
		if utterance.Listed("commandText", strings.ToLower(c.Call.Leaves[i].Key)) {
			used = append(used, utterance.NumbersIn(strings.NewReplacer("+", "", "-", " ").Replace(value), true)...)
		} else if key := mutation.NameWords(c.Call.Leaves[i].Key); utterance.IsDigits(value) && len(value) < 4 && len(key) > 0 && utterance.Listed("unit", key[len(key)-1]) {
			used = append(used, strings.TrimLeft(value, "0"))
		} else if utterance.FormOf(value) == "99:99" {
			used = append(used, utterance.NumbersIn(value, false)...)
		}
	}
	shared := slices.ContainsFunc(used, func(n string) bool { return slices.Contains(offered, n) })
	shared = shared || len(used) == 1 && hasTime(c) && slices.ContainsFunc(offered, func(n string) bool { return isHalfDay(n, used[0], "") && !utterance.HoldsWord(r.Folded(t.Text), "am") })
	if shared || len(used) != 1 || len(offered) == 0 || len(offered) > 2 || r.IsNamed(used[0], c.Before) {
		return Trace{}, false
	}
	return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user agreed to this with " + offered[len(offered)-1] + ", not with " + used[0]}, true
}

// hasTime reports whether an argument of a call is a time of day.
func hasTime(c *Action) bool {
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool { return isTime(deed.FoldValue(&l)) })
}

func isTime(value string) bool {
	form := utterance.FormOf(value)
	return form == "99:99" || form == "9:99"
}

// isHalfDay reports whether two times of day, as FoldTimes writes them, are the same on a clock with twelve hours, and the word
// behind the first one does not say that it is another half of the day: "8:30 pm" is 20:30, and "8:30" may be.
func isHalfDay(said, value, half string) bool {
	hour, minutes, _ := strings.Cut(said, ":")
	other, same, _ := strings.Cut(value, ":")
	a, b := utterance.NumberOf(hour), utterance.NumberOf(other)
	if half = strings.ReplaceAll(half, ".", ""); half == "am" && b >= 12 {
		return false
	}
	return minutes == same && (a-b == 12 || b-a == 12)
}

// findOtherTime returns a trace in place of one to the user's words, if they name one time of day, the call
// has another one, and nobody said that.
func (r *Reader) findOtherTime(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	asked, half := "", ""
	for i := range c.Call.Leaves {
		value := deed.FoldValue(&c.Call.Leaves[i])
		if !isTime(value) {
			continue
		}
		words := strings.FieldsFunc(utterance.FoldTimes(utterance.Fold(t.Words)), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
		for k, w := range words {
			if w = strings.TrimRight(w, "."); utterance.FormOf(w) != "99:99" && utterance.FormOf(w) != "9:99" {
				continue
			}
			if asked != "" || utterance.IsLimited(strings.Join(words[:k], " ")) || k > 0 && utterance.Listed("around", words[k-1]) || (d.Kinds&utterance.Move != 0 || d.Kinds&utterance.Change != 0 && d.Lead != "set") && (k == 0 || !utterance.Listed("towards", words[k-1])) {
				return Trace{}, false
			}
			if asked = w; slices.Contains(words, "morning") {
				half = "am"
			} else if k+1 < len(words) {
				half = words[k+1]
			}
		}
		value = utterance.FoldTimes(value)
		if asked == "" || asked == value || utterance.IsAboutMore(utterance.Fold(t.Words)) || r.IsNamed(value, c.Before) || r.IsNamed("0"+value, c.Before) || isHalfDay(asked, value, half) {
			return Trace{}, false
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this at " + asked + ", not at " + value}, true
	}
	return Trace{}, false
}

// findOtherId returns a trace in place of one to a request, if the call has the number of another thing of a sort than
// the only one that the request names, as in "order 4471", and nobody said that number.
func (r *Reader) findOtherId(o *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 || utterance.IsAboutMore(utterance.Fold(t.Words)) {
		return Trace{}, false
	}
	var fields []string
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		key, value := mutation.NameWords(l.Key), deed.FoldValue(l)
		if len(key) < 2 || !utterance.Listed("idKey", key[len(key)-1]) || len(value) < 3 || strings.Trim(value, "0123456789") != "" {
			continue
		}
		if fields == nil {
			fields = utterance.Fields(utterance.Fold(t.Words))
		}
		if utterance.IsInRange(fields, value) {
			continue
		}
		other := ""
		for k := 1; k < len(fields); k++ {
			w := strings.Trim(fields[k], ".#")
			if utterance.Singular(fields[k-1]) == key[len(key)-2] && utterance.FormOf(w) == utterance.FormOf(value) {
				if w == value || other != "" {
					other = ""
					break
				}
				other = w
			}
		}
		if other != "" && !r.isSaid(o, -1, c.Before, func(text string) bool { return utterance.HoldsWord(text, value) }) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + showValues(other) + ", not with " + showValues(value)}, true
		}
	}
	return Trace{}, false
}

// findCharged returns a trace in place of consent to what costs nothing, if the call has an amount that is charged.
func (r *Reader) findCharged(_ *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	if !t.Agreed || t.Text < 0 || !utterance.HoldsListed(r.Folded(t.Text), "costsNothing") {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if n, err := strconv.ParseFloat(l.Raw, 64); err == nil && n > 0 && utterance.AnyListed("chargedKey", mutation.NameWords(l.Key)) && !r.IsNamed(l.Raw, c.Before) {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user agreed to what costs nothing, not to " + showValues(l.Raw)}, true
		}
	}
	return Trace{}, false
}
