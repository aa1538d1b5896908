package deed

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// readObject keeps the value of an argument if it is the object of the deed, such as order_id
// of cancel_order, or an amount or number of things.
func (d *Deed) readObject(l *similarity.Leaf, value string) {
	if strings.ContainsAny(l.Path, "[#") || !strings.ContainsFunc(value, unicode.IsDigit) {
		return
	}
	words := mutation.NameWords(l.Key)
	switch last := words[max(len(words)-1, 0):]; {
	case len(words) == 0:
	case strings.Trim(value, "0123456789.") == "" && utterance.Listed("measure", last[0]) && value != "1": // one is what is meant if no number is said
		d.Measures, d.counted = append(d.Measures, value), utterance.Listed("count", last[0])
	case utterance.IsDate(value):
	case len(words) == 1 && (words[0] == "id" || words[0] == "name"), slices.Contains(d.Object, words[0]):
		d.Objects = append(d.Objects, value)
	}
}

// IsOnOtherKind reports whether a deed is done to a person, and a sentence only names things, or
// the other way round. To cancel an order asks for no ban of a user. It returns false if the
// sentence has a value or another word of the deed, and for deeds that only have a receiver.
func (d *Deed) IsOnOtherKind(s *utterance.Sentence) bool {
	if len(d.Object) == 0 || d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Block) == 0 || d.Kinds&(utterance.Send|utterance.Pay|utterance.Grant) != 0 {
		return false
	}
	own := verbs.NounKinds(d.Object[len(d.Object)-1])
	if own == 0 {
		return false
	}
	var named verbs.Kinds
	for i, w := range s.Words {
		noun := utterance.Singular(w)
		if slices.Contains(d.Object, noun) || utterance.Listed("personWord", w) {
			return false
		}
		if i > 0 {
			named |= verbs.NounKinds(noun)
		}
	}
	if named == 0 || (own == verbs.Person) == (named&verbs.Person != 0) || own != verbs.Person && own&verbs.Person != 0 {
		return false
	}
	if own != verbs.Person && named != verbs.Person {
		return false
	}
	return !d.SharesValue(s)
}

// NamesOther returns the object that a sentence names in place of the one of a deed, or the
// amount. It returns "" if there is none, or if the sentence may be about more than it names.
func (d *Deed) NamesOther(s *utterance.Sentence, object string, measure bool) string {
	fields := strings.FieldsFunc(s.Folded, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"'¿¡", r) })
	for i, w := range fields {
		if fields[i] = strings.TrimRight(w, "."); utterance.IsWide(fields[i]) || utterance.Listed("besides", fields[i]) {
			return ""
		}
	}
	if measure && !slices.ContainsFunc(d.Keys, func(k string) bool { return len(k) > 3 && slices.Contains(fields, k) }) && utterance.AnyListed("relative", fields) {
		return ""
	}
	if !measure && utterance.IsInRange(fields, object) {
		return ""
	}
	var found []string
	if measure {
		found = amountsIn(s, d.counted)
	} else {
		found = d.objectsIn(fields, object)
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(w string) bool {
		return w == object || measure && !d.counted && utterance.IsSameAmount(w, object) || slices.Contains(d.Values, w)
	}) {
		return ""
	}
	return found[0]
}

// NamesOtherAmount returns the amount of money that a sentence names in place of the one of a deed, or "".
// It is strict: consent is to the amount in the question, whatever else the question speaks of.
func (d *Deed) NamesOtherAmount(s *utterance.Sentence, amount string) string {
	found := amountsIn(s, false)
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

// amountsIn returns the amounts of money in a sentence, or the number of things that are counted.
func amountsIn(s *utterance.Sentence, counted bool) []string {
	return utterance.AmountsIn(utterance.JoinThousands(utterance.Fold(utterance.DropCodes(s.Text))), counted)
}

// objectsIn returns the words of a sentence that have the form of an object.
func (d *Deed) objectsIn(fields []string, object string) (found []string) {
	for i, w := range fields {
		number := strings.Trim(w, "0123456789.") == "" && w != ""
		switch {
		case number != (strings.Trim(object, "0123456789") == ""):
		case number && (i == 0 || fields[i-1] != "ending" && !slices.Contains(d.Object, strings.TrimSuffix(fields[i-1], "s"))):
		case utterance.FormOf(strings.TrimPrefix(w, "#")) == utterance.FormOf(strings.TrimPrefix(object, "#")), strings.Contains(w, "@") && strings.Contains(object, "@"):
			found = append(found, w)
		}
	}
	return found
}
