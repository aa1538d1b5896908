package requests

import (
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
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
	case strings.Trim(value, "0123456789.") == "" && isMeasure(last[0]) && value != "1": // one is what is meant if no number is said
		d.measures, d.counted = append(d.measures, value), isListed("count", last[0])
	case isDate(value):
	case len(words) == 1 && (words[0] == "id" || words[0] == "name"), slices.Contains(d.object, words[0]):
		d.objects = append(d.objects, value)
	}
}

func isMeasure(word string) bool { return isListed("measure", word) }

func isDate(value string) bool {
	form := formOf(value)
	return form == "9999-99-99" || strings.HasPrefix(form, "9999-99-99t") || form == "99.99.9999" || form == "99/99/9999"
}

// formOf returns the form of a value: each digit is 9 and each letter is a.
func formOf(value string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, value)
}

// isOnOtherKind reports whether a deed is done to a person, and a sentence only names things, or
// the other way round. To cancel an order asks for no ban of a user. It returns false if the
// sentence has a value or another word of the deed, and for deeds that only have a receiver.
func (d *deed) isOnOtherKind(s *sentence) bool {
	if len(d.object) == 0 || d.kinds&(Remove|Cancel|Block) == 0 || d.kinds&(Send|Pay|Grant) != 0 {
		return false
	}
	own := verbs.NounKinds(d.object[len(d.object)-1])
	var named verbs.Kinds
	for i, w := range s.words {
		noun := singularOf(w)
		if slices.Contains(d.object, noun) || isListed("personWord", w) {
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
	values, _ := d.countShared(foldText(s.text), nil)
	return values == 0
}

// singularOf returns a word without the ending of a plural.
func singularOf(w string) string {
	if len(w) > 3 && !strings.HasSuffix(w, "ss") {
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// namesOther returns the object that a sentence names in place of the one of a deed, or the
// amount. It returns "" if there is none, or if the sentence may be about more than it names.
func (d *deed) namesOther(s *sentence, object string, measure bool) string {
	fields := strings.FieldsFunc(foldText(s.text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"'¿¡", r) })
	for i, w := range fields {
		if fields[i] = strings.TrimRight(w, "."); isWide(fields[i]) || isListed("besides", fields[i]) {
			return ""
		}
	}
	if measure && !slices.ContainsFunc(d.keys, func(k string) bool { return len(k) > 3 && slices.Contains(fields, k) }) && slices.ContainsFunc(fields, func(w string) bool { return isListed("relative", w) }) {
		return ""
	}
	found := amountsIn(foldText(dropCodes(s.text)), d.counted)
	if !measure {
		found = d.objectsIn(fields, object)
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(w string) bool {
		return w == object || measure && !d.counted && isSameAmount(w, object) || slices.Contains(d.values, w)
	}) {
		return ""
	}
	return found[0]
}

// namesOtherAmount returns the amount of money that a sentence names in place of the one of a deed, or "".
// It is strict: consent is to the amount in the question, whatever else the question speaks of.
func (d *deed) namesOtherAmount(s *sentence, amount string) string {
	found := amountsIn(foldText(dropCodes(s.text)), false)
	sum := 0.0
	for _, w := range found {
		x, _ := strconv.ParseFloat(w, 64)
		sum += x
	}
	if len(found) == 0 || !strings.Contains(found[0], ".") || slices.ContainsFunc(found, func(w string) bool { return isSameAmount(w, amount) }) || isSameAmount(strconv.FormatFloat(sum, 'f', 2, 64), amount) {
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
		case formOf(strings.TrimPrefix(w, "#")) == formOf(strings.TrimPrefix(object, "#")):
			found = append(found, w)
		}
	}
	return found
}

// amountsIn returns the amounts of money in folded text: the numbers with a currency, or else the
// only number, if it is no limit, date, time or part of a name. Of things that are counted, no number
// has a currency.
func amountsIn(text string, counted bool) (found []string) {
	var plain []string
	for at := 0; at < len(text); {
		if text[at] < '0' || text[at] > '9' {
			at++
			continue
		}
		end := at
		for end < len(text) && strings.IndexByte("0123456789.,", text[end]) >= 0 {
			end++
		}
		number := readAmount(strings.TrimRight(text[at:end], ".,"))
		before, after := strings.TrimRight(text[:at], " "), strings.TrimLeft(text[end:], " ")
		switch word := firstWord(after); {
		case isLimited(before):
			return nil
		case isListed("currency", word), isListed("currency", lastRune(before)), isListed("currency", firstRune(after)), at > 0 && !wordByte(text[at-1]) && isListed("currency", lastWord(before)):
			found = append(found, number)
		case len(number) > 3 && number[len(number)-3] == '.' && !(at > 0 && (wordByte(text[at-1]) || strings.IndexByte("-#:/", text[at-1]) >= 0)):
			found = append(found, number) // two decimals are those of money
		case at > 0 && (wordByte(text[at-1]) || strings.IndexByte("-#:/", text[at-1]) >= 0), end < len(text) && (wordByte(text[end]) || strings.IndexByte("-:/%", text[end]) >= 0):
		default:
			plain = append(plain, number)
		}
		at = end
	}
	if found == nil && len(plain) == 1 {
		return plain
	}
	if counted {
		return nil
	}
	return found
}

// dropCodes returns a text without the numbers of names such as AZ 610.
func dropCodes(text string) string {
	words := strings.Fields(text)
	out := words[:0:0]
	for i, w := range words {
		named := i > 0 && len(words[i-1]) > 1 && strings.Trim(words[i-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !isListed("currency", strings.ToLower(words[i-1]))
		if !named || !isDigits(strings.TrimRight(w, ".,;:!?")) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// isLimited reports whether a text ends in a word for a limit, such as under.
func isLimited(before string) bool {
	words := strings.Fields(before)
	for _, w := range words[max(len(words)-2, 0):] {
		if isListed("limit", w) {
			return true
		}
	}
	return false
}

// readAmount returns a number without the marks between its thousands.
func readAmount(s string) string {
	if at := strings.LastIndexAny(s, ".,"); at >= 0 && len(s)-at <= 3 {
		return strings.NewReplacer(".", "", ",", "").Replace(s[:at]) + "." + s[at+1:]
	}
	return strings.NewReplacer(".", "", ",", "").Replace(s)
}

func firstWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end]
}

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func lastRune(s string) string {
	r, _ := utf8.DecodeLastRuneInString(s)
	return string(r)
}

// isSameAmount reports whether two amounts are equal, perhaps one of them in hundredths.
func isSameAmount(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil || x == y {
		return true
	}
	return x == 100*y || y == 100*x || x == 60*y || y == 60*x || x == 24*y || y == 24*x || x == 7*y || y == 7*x // cents, or minutes of an hour
}

// isWide reports whether a folded word says that a request is about more or something else
// than it names, or that a value must be worked out.
func isWide(w string) bool { return isListed("wide", w) || strings.HasSuffix(w, "%") }

// findOther returns a trace in place of one to a request, if each request for a deed names
// another object, or another amount, than the call.
func (r *Reader) findOther(o *open, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans {
		return Trace{}, false
	}
	for _, object := range d.objects {
		if t, ok := r.findOtherValue(o, d, c, object, false); ok {
			return t, true
		}
	}
	if d.kinds&(Pay|Refund|Buy|Change|Make|Switch|Send) != 0 && len(d.measures) == 1 {
		return r.findOtherValue(o, d, c, d.measures[0], true)
	}
	return Trace{}, false
}

// findOtherValue is findOther for one value of the call.
func (r *Reader) findOtherValue(o *open, d *deed, c *Action, value string, measure bool) (t Trace, ok bool) {
	if r.isSaid(o, o.closedAt, c.Before, func(text string) bool { return holdsWord(text, value) }) {
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
			return Trace{}, false
		}
		if !ok { // the newest request is shown
			t, ok = Trace{By: ByNobody, Text: q.text, Words: q.sentence.text, Why: "the user asked for this with " + other + ", not with " + value}, true
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
		if r.texts[i].From == provenance.FromUser && holdsListed(r.texts[i].Text, "alike") {
			return true
		}
	}
	return false
}

// findOtherNumber returns a trace in place of one to a question to which the user agreed, if the only
// number of the question, such as an hour or a number of days, is not the only number of the call.
func (r *Reader) findOtherNumber(t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds == 0 {
		return Trace{}, false
	}
	if !t.Agreed {
		return r.findOtherTime(t, d, c)
	}
	offered := numbersIn(r.folded(t.Text), false)
	var used []string
	for i := range c.Call.Leaves {
		value := foldText(trimQuotes(c.Call.Leaves[i].Raw))
		if isListed("commandText", strings.ToLower(c.Call.Leaves[i].Key)) {
			used = append(used, numbersIn(strings.NewReplacer("+", "", "-", " ").Replace(value), true)...)
		} else if key := mutation.NameWords(c.Call.Leaves[i].Key); isDigits(value) && len(value) < 4 && len(key) > 0 && isListed("unit", key[len(key)-1]) {
			used = append(used, strings.TrimLeft(value, "0"))
		} else if formOf(value) == "99:99" {
			used = append(used, numbersIn(value, false)...)
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
		value := foldText(trimQuotes(c.Call.Leaves[i].Raw))
		if formOf(value) != "99:99" && formOf(value) != "9:99" {
			continue
		}
		words := strings.FieldsFunc(foldTimes(foldText(t.Words)), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
		for k, w := range words {
			if w = strings.TrimRight(w, "."); formOf(w) != "99:99" && formOf(w) != "9:99" {
				continue
			}
			if asked != "" || isLimited(strings.Join(words[:k], " ")) || k > 0 && isListed("around", words[k-1]) || (d.kinds&Move != 0 || d.kinds&Change != 0 && d.lead != "set") && (k == 0 || !isListed("towards", words[k-1])) {
				return Trace{}, false
			}
			asked = w
		}
		value = foldTimes(value)
		if asked == "" || asked == value || isAboutMore(foldText(t.Words)) || r.isNamed(value, c.Before) || r.isNamed("0"+value, c.Before) {
			return Trace{}, false
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this at " + asked + ", not at " + value}, true
	}
	return Trace{}, false
}

// numbersIn returns the hours of the times in a text, and its numbers of at most three digits: all of
// them, or those of units such as days.
func numbersIn(text string, all bool) (found []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
	for i, w := range words {
		number, minutes, isTime := strings.Cut(strings.TrimRight(w, "."), ":")
		number = strings.TrimLeft(number, "0")
		if number == "" || len(number) > 3 || strings.Trim(number, "0123456789") != "" || isTime && len(minutes) != 2 {
			continue
		}
		if all || isTime || i+1 < len(words) && isListed("unit", strings.TrimRight(words[i+1], ".")) {
			found = append(found, number)
		}
	}
	return found
}
