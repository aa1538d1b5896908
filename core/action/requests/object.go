package requests

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// A request for a deed on one object does not ask for the deed on another. Only what is
// plain counts: nobody named the object of the call, and each sentence that asks for the deed
// names another one of the same form.

// readObject keeps the value of an argument if it is the object of the deed, such as order_id
// of cancel_order, or an amount or number of things.
func (d *deed) readObject(l *similarity.Leaf, value string) {
	if strings.ContainsAny(l.Path, "[#") || !strings.ContainsFunc(value, unicode.IsDigit) {
		return
	}
	words := mutation.NameWords(l.Key)
	switch last := words[max(len(words)-1, 0):]; {
	case len(words) == 0:
	case strings.Trim(value, "0123456789.") == "" && utterance.Listed("measure", last[0]) && value != "1": // one is what is meant if no number is said
		d.measures, d.counted = append(d.measures, value), utterance.Listed("count", last[0])
	case utterance.IsDate(value):
	case len(words) == 1 && (words[0] == "id" || words[0] == "name"), slices.Contains(d.object, words[0]):
		d.objects = append(d.objects, value)
	}
}

// isOnOtherKind reports whether a deed is done to a person, and a sentence only names things, or
// the other way round. To cancel an order asks for no ban of a user. It returns false if the
// sentence has a value or another word of the deed, and for deeds that only have a receiver.
func (d *deed) isOnOtherKind(s *utterance.Sentence) bool {
	if len(d.object) == 0 || d.kinds&(utterance.Remove|utterance.Cancel|utterance.Block) == 0 || d.kinds&(utterance.Send|utterance.Pay|utterance.Grant) != 0 {
		return false
	}
	own := verbs.NounKinds(d.object[len(d.object)-1])
	var named verbs.Kinds
	for i, w := range s.Words {
		noun := utterance.Singular(w)
		if slices.Contains(d.object, noun) || utterance.Listed("personWord", w) {
			return false
		}
		if i > 0 {
			named |= verbs.NounKinds(noun)
		}
	}
	if own == 0 || named == 0 || (own == verbs.Person) == (named&verbs.Person != 0) || own != verbs.Person && own&verbs.Person != 0 {
		return false
	}
	if own != verbs.Person && named != verbs.Person {
		return false
	}
	return !d.sharesValue(s)
}

// namesOther returns the object that a sentence names in place of the one of a deed, or the
// amount. It returns "" if there is none, or if the sentence may be about more than it names.
func (d *deed) namesOther(s *utterance.Sentence, object string, measure bool) string {
	fields := strings.FieldsFunc(s.Folded, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"'¿¡", r) })
	for i, w := range fields {
		if fields[i] = strings.TrimRight(w, "."); utterance.IsWide(fields[i]) || utterance.Listed("besides", fields[i]) {
			return ""
		}
	}
	if measure && !slices.ContainsFunc(d.keys, func(k string) bool { return len(k) > 3 && slices.Contains(fields, k) }) && utterance.AnyListed("relative", fields) {
		return ""
	}
	found := utterance.AmountsIn(utterance.Fold(utterance.DropCodes(s.Text)), d.counted)
	if !measure {
		found = d.objectsIn(fields, object)
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(w string) bool {
		return w == object || measure && !d.counted && utterance.IsSameAmount(w, object) || slices.Contains(d.values, w)
	}) {
		return ""
	}
	return found[0]
}

// namesOtherAmount returns the amount of money that a sentence names in place of the one of a deed, or "".
// It is strict: consent is to the amount in the question, whatever else the question speaks of.
func (d *deed) namesOtherAmount(s *utterance.Sentence, amount string) string {
	found := utterance.AmountsIn(utterance.Fold(utterance.DropCodes(s.Text)), false)
	sum := 0.0
	for _, w := range found {
		x, _ := strconv.ParseFloat(w, 64)
		sum += x
	}
	if len(found) == 0 || !strings.Contains(found[0], ".") || slices.ContainsFunc(found, func(w string) bool { return utterance.IsSameAmount(w, amount) }) || utterance.IsSameAmount(strconv.FormatFloat(sum, 'f', 2, 64), amount) {
		return ""
	}
	return found[0]
}

// objectsIn returns the words of a sentence that have the form of an object.
func (d *deed) objectsIn(fields []string, object string) (found []string) {
	for i, w := range fields {
		number := strings.Trim(w, "0123456789.") == "" && w != ""
		switch {
		case number != (strings.Trim(object, "0123456789") == ""):
		case number && (i == 0 || fields[i-1] != "ending" && !slices.Contains(d.object, strings.TrimSuffix(fields[i-1], "s"))):
		case utterance.FormOf(strings.TrimPrefix(w, "#")) == utterance.FormOf(strings.TrimPrefix(object, "#")):
			found = append(found, w)
		}
	}
	return found
}

// findOther returns a trace in place of one to a request, if each request for a deed names
// another object, or another amount, than the call.
func (r *Reader) findOther(o *open, _ *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans {
		return Trace{}, false
	}
	for _, object := range d.objects {
		if t, ok := r.findOtherValue(o, d, c, object, false); ok {
			return t, true
		}
	}
	if d.kinds&(utterance.Pay|utterance.Refund|utterance.Buy|utterance.Change|utterance.Make|utterance.Switch|utterance.Send) != 0 && len(d.measures) == 1 {
		return r.findOtherValue(o, d, c, d.measures[0], true)
	}
	return Trace{}, false
}

// findOtherValue is findOther for one value of the call.
func (r *Reader) findOtherValue(o *open, d *deed, c *Action, value string, measure bool) (t Trace, ok bool) {
	if r.isSaid(o, o.closedAt, c.Before, func(text string) bool { return utterance.HoldsWord(text, value) }) {
		return t, false
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if q.asksFor(d) == "" {
			continue
		}
		other := d.namesOther(q.sentence, value, measure)
		if q.agreed && measure && other == "" {
			other = d.namesOtherAmount(q.sentence, value)
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
	for i := after + 1; i < min(n, len(r.texts)); i++ {
		if r.texts[i].From == provenance.FromUser && utterance.HoldsListed(r.texts[i].Text, "alike") {
			return true
		}
	}
	return false
}

// findOtherNumber returns a trace in place of one to a question to which the user agreed, if the only
// number of the question, such as an hour or a number of days, is not the only number of the call.
func (r *Reader) findOtherNumber(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds == 0 {
		return Trace{}, false
	}
	if !t.Agreed {
		return r.findOtherTime(t, d, c)
	}
	offered := utterance.NumbersIn(r.folded(t.Text), false)
	var used []string
	for i := range c.Call.Leaves {
		value := foldValue(&c.Call.Leaves[i])
		if utterance.Listed("commandText", strings.ToLower(c.Call.Leaves[i].Key)) {
			used = append(used, utterance.NumbersIn(strings.NewReplacer("+", "", "-", " ").Replace(value), true)...)
		} else if key := mutation.NameWords(c.Call.Leaves[i].Key); utterance.IsDigits(value) && len(value) < 4 && len(key) > 0 && utterance.Listed("unit", key[len(key)-1]) {
			used = append(used, strings.TrimLeft(value, "0"))
		} else if utterance.FormOf(value) == "99:99" {
			used = append(used, utterance.NumbersIn(value, false)...)
		}
	}
	shared := slices.ContainsFunc(used, func(n string) bool { return slices.Contains(offered, n) })
	if shared || len(used) != 1 || len(offered) == 0 || len(offered) > 2 || r.isNamed(used[0], c.Before) {
		return Trace{}, false
	}
	return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user agreed to this with " + offered[len(offered)-1] + ", not with " + used[0]}, true
}

// findOtherTime returns a trace in place of one to the user's words, if they name one time of day, the call
// has another one, and nobody said that.
func (r *Reader) findOtherTime(t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	asked := ""
	for i := range c.Call.Leaves {
		value := foldValue(&c.Call.Leaves[i])
		if utterance.FormOf(value) != "99:99" && utterance.FormOf(value) != "9:99" {
			continue
		}
		words := strings.FieldsFunc(utterance.FoldTimes(utterance.Fold(t.Words)), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
		for k, w := range words {
			if w = strings.TrimRight(w, "."); utterance.FormOf(w) != "99:99" && utterance.FormOf(w) != "9:99" {
				continue
			}
			if asked != "" || utterance.IsLimited(strings.Join(words[:k], " ")) || k > 0 && utterance.Listed("around", words[k-1]) || (d.kinds&utterance.Move != 0 || d.kinds&utterance.Change != 0 && d.lead != "set") && (k == 0 || !utterance.Listed("towards", words[k-1])) {
				return Trace{}, false
			}
			asked = w
		}
		value = utterance.FoldTimes(value)
		if asked == "" || asked == value || utterance.IsAboutMore(utterance.Fold(t.Words)) || r.isNamed(value, c.Before) || r.isNamed("0"+value, c.Before) {
			return Trace{}, false
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this at " + asked + ", not at " + value}, true
	}
	return Trace{}, false
}
