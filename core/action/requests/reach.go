package requests

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// That the user asked for a deed of this kind is not enough: what it is done to, and where its values
// lead, must be reachable from his words.

// foldTimes writes the times of day in folded text as 9:00, whatever the notation: 09:00, 9h00, 16 Uhr.
func foldTimes(s string) string {
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		if n := end - i; n == 0 || n > 2 || i > 0 && (wordByte(s[i-1]) || strings.IndexByte(".,:-/#", s[i-1]) >= 0) {
			end = max(end, i+1)
			b.WriteString(s[i:end])
			i = end
			continue
		}
		hour, rest := strings.TrimPrefix(s[i:end], "0"), s[end:]
		if hour == "" {
			hour = "0"
		}
		switch {
		case len(rest) > 2 && (rest[0] == ':' || rest[0] == 'h') && isDigits(rest[1:3]) && (len(rest) == 3 || !wordByte(rest[3])):
			b.WriteString(hour + ":" + rest[1:3])
			i = end + 3
		case isListed("hourWord", firstWord(strings.TrimLeft(rest, " "))):
			b.WriteString(hour + ":00")
			i = end + strings.Index(rest, firstWord(strings.TrimLeft(rest, " "))) + len(firstWord(strings.TrimLeft(rest, " ")))
		default:
			b.WriteString(s[i:end])
			i = end
		}
	}
	return b.String()
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isCode reports whether a folded value is a name that is put together of letters and digits, such as
// PAY-311.
func isCode(v string) bool {
	return len(v) > 3 && len(v) < 30 && strings.ContainsFunc(v, unicode.IsDigit) && strings.ContainsFunc(v, unicode.IsLetter) &&
		!strings.ContainsAny(v, " @/:") && !isDate(v)
}

// findOtherCode returns a trace in place of one to a request, if the request has a code of the same form
// as one of the call, such as PAY-113, the call has not this one, and nobody said that of the call.
func (r *Reader) findOtherCode(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	var fields []string
	for _, v := range d.values {
		if !isCode(v) {
			continue
		}
		if fields == nil {
			if isAboutMore(foldText(t.Words)) {
				return Trace{}, false
			}
			fields = strings.FieldsFunc(foldText(t.Words), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"'", r) })
		}
		for _, w := range fields {
			w = strings.Trim(w, ".#")
			if w != v && isCode(w) && formOf(w) == formOf(strings.TrimPrefix(v, "#")) && !slices.Contains(d.values, w) && !r.isNamed(v, c.Before) && !r.areTogether(v, w, c.Before) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + w + ", not with " + v}, true
			}
		}
	}
	return Trace{}, false
}

// areTogether reports whether a row of a result has two values.
func (r *Reader) areTogether(v, w string, before int) bool {
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		if x := &r.texts[i]; x.From != provenance.FromTool || len(x.Text) > mostData || !strings.Contains(r.folded(i), v) {
			continue
		}
		if text := r.folded(i); len(r.rowsOf(i)) == 0 && strings.Contains(text, w) {
			return true
		}
		for _, x := range r.rowsOf(i) {
			if slices.Contains(x.values, v) && slices.Contains(x.values, w) {
				return true
			}
		}
	}
	return false
}

// member is a word for one of a few things of which the others are not meant: a day of the week, a role.
type member struct {
	class string
	at    int // the same for all words for it
	order int // its place in its class, from 1
}

// findOtherMember returns a trace in place of one to a request, if the request names one of the members of a
// class, such as a day, the call has another one, and nobody said that.
func (r *Reader) findOtherMember(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		value := foldText(trimQuotes(l.Raw))
		own, ok := theTables().members[value]
		if isListed("commandText", strings.ToLower(l.Key)) {
			value, own, ok = environmentIn(value)
		}
		if !ok || own.class == "env" && value != "" && isListed("commandText", strings.ToLower(l.Key)) && !r.namesEnvironment(t, own) || own.class != "day" && !isListed("commandText", strings.ToLower(l.Key)) && !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return isListed(own.class+"Key", w) }) {
			continue
		}
		words := readTokens(t.Words)
		if isAboutMore(foldText(t.Words)) {
			return Trace{}, false
		}
		other := ""
		for k, w := range words {
			m, ok := theTables().members[w]
			switch {
			case !ok || m.class != own.class || len(w) == 1 && !hasCapital(t.Words, w):
			case m == own:
				return Trace{}, false
			case own.class == "day" && d.kinds&(Change|Move) != 0 && (k == 0 || !isListed("towards", words[k-1])): // it may be the old one
			default:
				other = w
			}
		}
		if other == "" || r.saysMember(own, c.Before) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + other + ", not with " + value}, true
	}
	return Trace{}, false
}

// environmentIn returns the only environment that a command names, such as production.
func environmentIn(command string) (word string, m member, ok bool) {
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if x, is := theTables().members[w]; is && x.class == "env" && !isListed("anyWord", w) {
			if ok && x != m {
				return "", m, false
			}
			word, m, ok = w, x, true
		}
	}
	return word, m, ok
}

// namesEnvironment reports whether a request names another environment than a given one.
func (r *Reader) namesEnvironment(t *Trace, own member) bool {
	return slices.ContainsFunc(readTokens(t.Words), func(w string) bool {
		m, ok := theTables().members[w]
		return ok && m.class == "env" && m != own && !isListed("anyWord", w)
	})
}

// hasCapital reports whether a text has a letter as a capital that stands alone, such as a size.
func hasCapital(text, letter string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return strings.Trim(w, ".,;:!?()") == strings.ToUpper(letter) })
}

// saysMember reports whether a person said a member of a class, in any language, or the agent in a text
// that the user has answered.
func (r *Reader) saysMember(m member, before int) bool {
	return r.isSaidIn(before, func(text string) bool {
		return slices.ContainsFunc(readTokens(text), func(w string) bool { return theTables().members[w] == m })
	})
}

// findWholeFolder returns a trace in place of one to a request that names a file, if the call removes the
// folder in which it is.
func (r *Reader) findWholeFolder(_ *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds&Remove == 0 || t.Text < 0 || isAboutMore(foldText(t.Words)) {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		folder := strings.TrimRight(foldText(trimQuotes(c.Call.Leaves[i].Raw)), "/")
		if !strings.Contains(folder, "/") || strings.ContainsAny(folder, " \n*") || path.Ext(folder) != "" {
			continue
		}
		for _, w := range strings.Fields(foldText(t.Words)) {
			file := strings.Trim(w, ".,;:!?()\"'`")
			if len(path.Ext(file)) < 2 || strings.HasSuffix(folder, file) {
				continue
			}
			if strings.HasPrefix(file, folder+"/") || !strings.Contains(file, "/") && holdsWord(foldText(t.Words), folder) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + file + ", and not all of " + folder}, true
			}
		}
	}
	return Trace{}, false
}

// leadsAway returns the folded value of an argument if money or a message goes where it says: an account, an
// address, a telephone number. Otherwise it returns "".
func leadsAway(l *similarity.Leaf) string {
	v := foldText(trimQuotes(l.Raw))
	if len(v) > mostText {
		return ""
	}
	bare := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(v)
	switch {
	case strings.Contains(v, "@") && !strings.Contains(v, " "):
		return v
	case isAccount(bare) && strings.ContainsFunc(bare[:1], unicode.IsLetter) && strings.ContainsFunc(v, unicode.IsDigit) && len(bare) > 9:
		return v
	case strings.HasPrefix(v, "+") && isDigits(bare[1:]) && len(bare) > 7:
		return v
	}
	return ""
}

// findProse returns a trace in place of one to a request, if money or a message goes to an address or an
// account that stands nowhere but in the prose of the data, and the request does not say to look there.
func (r *Reader) findProse(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means == PlaceMeans || d.kinds&(Pay|Refund|Send|Buy|Grant|Change|Make) == 0 || t.delegated {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		v := leadsAway(&c.Call.Leaves[i])
		if v == "" || r.isNamed(v, c.Before) || isAddressOf(v, foldText(t.Words)) && strings.Contains(v, "@") {
			continue
		}
		at, rival := r.findSource(v, c.Before)
		if at < 0 || t.Agreed {
			continue
		}
		if words := r.addressedWith(at, v); words != "" {
			return Trace{By: ByData, Text: at, Words: words, Why: "the user asked for this, but only words that are meant for an assistant name " + trimQuotes(c.Call.Leaves[i].Raw)}, true
		}
		if r.pointsAtText(c.Before, rival) {
			continue
		}
		out := Trace{Text: at, Words: t.Words, Why: "only the words of a result name " + trimQuotes(c.Call.Leaves[i].Raw)}
		list := r.partsOf(at)
		for k := range list {
			if !strings.Contains(list[k].folded, v) {
				continue
			}
			out.Words = list[k].text
			for j := max(0, k-1); j < min(len(list), k+2); j++ {
				if s := &list[j].sentence; d.sameOrWider(s.asks, s.verbs) || d.kinds&Pay != 0 && (s.asks&Send != 0 || rival) {
					return Trace{By: ByData, Text: at, Words: list[j].text, Why: "the user asked for this, but only the data says to use " + trimQuotes(c.Call.Leaves[i].Raw)}, true
				}
			}
		}
		return out, true
	}
	return Trace{}, false
}

// addressedWith returns the words around a value in a result, if they speak to an assistant or give him
// orders, or "".
func (r *Reader) addressedWith(at int, value string) string {
	text := r.folded(at)
	for from := 0; ; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return ""
		}
		from += i + len(value)
		words := text[max(0, from-len(value)-mostBefore):min(len(text), from+mostBefore/4)]
		if holdsListed(words, "toAgents") {
			if whole := r.texts[at].Text; len(whole) == len(text) { // as it is written
				words = whole[max(0, from-len(value)-mostBefore):min(len(text), from+mostBefore/4)]
			}
			return strings.ToValidUTF8(words, "")
		}
	}
}

// mostBefore is the number of bytes before a value in which words to an assistant are looked for.
const mostBefore = 200

// findSource returns the result in whose prose a value stands, or -1 if it is a value of its own in some
// result, or in none. It also returns whether a result has another value of its own of the same sort.
func (r *Reader) findSource(value string, before int) (at int, rival bool) {
	at = -1
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		x := &r.texts[i]
		if x.From != provenance.FromTool || len(x.Text) > mostData {
			continue
		}
		text := r.folded(i)
		if strings.Contains(text, value) && at < 0 {
			at = i
		}
		v, err := jsonval.Parse(strings.TrimSpace(x.Text))
		if err != nil {
			continue
		}
		for _, l := range v.Leaves() {
			s, ok := l.Value.Str()
			if !ok {
				continue
			}
			if s = foldText(s); s == value {
				return -1, false
			}
			other := similarity.Leaf{Key: l.Key, Raw: s}
			rival = rival || strings.Contains(s, "@") == strings.Contains(value, "@") && leadsAway(&other) != ""
		}
	}
	return at, rival
}

// pointsAtText reports whether the user says that something stands in a text, such as a mail. If there is
// a rival in the records, a word for a record points there.
func (r *Reader) pointsAtText(before int, rival bool) bool {
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		if r.texts[i].From != provenance.FromUser {
			continue
		}
		said := r.folded(i)
		if holdsListed(said, "proseUnspaced") || slices.ContainsFunc(strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool {
			return isListed("prose", w) || !rival && isListed("paper", w)
		}) {
			return true
		}
	}
	return false
}

// findUnsettled returns a trace in place of one to a request, if the agent asked whether to do it, and the
// answer is neither a yes nor a request.
func (r *Reader) findUnsettled(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Agreed || t.By != ByUser {
		return Trace{}, false
	}
	for _, offer := range slices.Concat(o.unclear, o.pending) {
		if offer < t.Text || offer+1 >= len(r.texts) {
			continue
		}
		sentences := r.readingOf(offer).sentences
		last := &sentences[len(sentences)-1]
		if !strings.HasSuffix(strings.TrimRight(last.text, " \"*"), "?") || !d.sameOrWider(last.named, last.words) && !r.isBareQuestion(offer, last) || slices.ContainsFunc(last.words, func(w string) bool { return isListed("which", w) }) {
			continue
		}
		if r.isAnswered(o, offer, d) {
			continue
		}
		return Trace{Text: offer, Words: last.text, Why: "the agent asked, and the answer is not clear"}, true
	}
	return Trace{}, false
}

// isBareQuestion reports whether a question only asks whether to go on, as in "Go ahead?"
func (r *Reader) isBareQuestion(offer int, s *sentence) bool {
	return len(s.words) > 0 && len(s.words) < 5 && s.named&^(Grant|Other|Switch) == 0 && !asksForMore(s.text) && s.has&polite == 0 &&
		!hasKind(r.readingOf(offer).lang, s.words[0], opens) && slices.ContainsFunc(s.words, func(w string) bool { return isListed("goOn", w) })
}

// isAnswered reports whether the user said something after a question that asks for a deed, agrees, or
// has one of its values.
func (r *Reader) isAnswered(o *open, offer int, d *deed) bool {
	for i := range o.requests {
		q := &o.requests[i]
		if (q.text > offer || q.agreed && q.text >= offer) && (q.sentence.asks != 0 || q.agreed || q.sentence.has&(agrees|limits) != 0 || d.isNamedBy(q.sentence.words) || d.sharesValue(q.sentence) || slices.ContainsFunc(q.sentence.words, func(w string) bool { return isDigits(w) && !strings.Contains(r.texts[offer].Text, w) })) {
			return true
		}
	}
	return false
}

// leaf is a scalar of a result in JSON.
type leaf struct{ key, value string }

// leavesOf returns the texts and numbers of a result in JSON.
func leavesOf(text string) (out []leaf) {
	v, err := jsonval.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	for _, l := range v.Leaves() {
		out = append(out, leaf{l.Key, l.Value.Text()})
	}
	return out
}

// date is a day of a month.
type date struct{ day, month int }

// datesIn returns the days that a text names with their months, and all its small numbers.
func datesIn(text string) (dates []date, numbers []int) {
	words := strings.FieldsFunc(foldText(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
	for i, w := range words {
		n := dayOf(w)
		if n == 0 {
			if len(w) >= 10 && formOf(w[:10]) == "9999-99-99" {
				dates = append(dates, isoDate(w))
			}
			continue
		}
		numbers = append(numbers, n)
		for _, near := range words[max(0, i-2):min(len(words), i+3)] {
			if m, ok := theTables().members[strings.Trim(near, ".")]; ok && m.class == "month" {
				dates = append(dates, date{n, m.order})
				break
			}
		}
	}
	return dates, numbers
}

// dayOf returns the day of a month that a word such as 4th or 4. is, or 0.
func dayOf(w string) int {
	w = strings.TrimRight(w, ".:")
	for _, end := range [...]string{"st", "nd", "rd", "th", "er"} {
		w = strings.TrimSuffix(w, end)
	}
	if !isDigits(w) || len(w) > 2 {
		return 0
	}
	n := int(w[0] - '0')
	if len(w) == 2 {
		n = 10*n + int(w[1]-'0')
	}
	if n > 31 {
		return 0
	}
	return n
}

// isoDate returns the day of a text that begins with a date such as 2025-08-04.
func isoDate(w string) date {
	return date{10*int(w[8]-'0') + int(w[9]-'0'), 10*int(w[5]-'0') + int(w[6]-'0')}
}

// findOtherDate returns a trace in place of one to a request, if the request names a day with its month, the call
// has another one, and nobody said that.
func (r *Reader) findOtherDate(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		value := trimQuotes(c.Call.Leaves[i].Raw)
		if !isDate(foldText(value)) || value[4] != '-' {
			continue
		}
		own := isoDate(value)
		asked, numbers := datesIn(t.Words)
		if len(asked) == 0 || isAboutMore(foldText(t.Words)) || isLong(t.Words) || slices.Contains(numbers, own.day) || slices.Contains(asked, own) || r.saysDay(own, c.Before, t.Agreed) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this on another day than " + value}, true
	}
	return Trace{}, false
}

// isLong reports whether a request speaks of a length of time or of a series, so that days follow from it
// that it does not name.
func isLong(words string) bool {
	return slices.ContainsFunc(readTokens(words), func(w string) bool { return isListed("lasts", w) })
}

// saysDay reports whether a person said the number of a day, or the agent in a text that the user has
// answered, or a result, unless the user only agreed to a question.
func (r *Reader) saysDay(own date, before int, agreed bool) bool {
	answered := false
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		from := r.texts[i].From
		answered = answered || from == provenance.FromUser
		if from == provenance.FromTool && agreed || from == provenance.FromAgent && !answered || from == provenance.FromPolicy || len(r.texts[i].Text) > mostData {
			continue
		}
		dates, numbers := datesIn(r.texts[i].Text)
		if slices.Contains(dates, own) || from != provenance.FromTool && slices.Contains(numbers, own.day) {
			return true
		}
	}
	return false
}

// findUnnamed returns a trace in place of one to a request that asks with a verb that says little, such as "put",
// if no person named what the deed is done to: no word of its name, none of its values, and nothing of the
// row of a result that has them.
func (r *Reader) findUnnamed(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || r.means != NoMeans || t.Agreed || t.delegated || len(s.askedBy) == 0 || len(d.object) == 0 || c.Call.Text != "" { // the words of a gesture name no thing
		return Trace{}, false
	}
	if lang := r.readingOf(t.Text).lang; lang != "en" && !d.foreign || lang == "en" && d.foreign {
		return Trace{}, false // the names are in another language
	}
	for _, w := range s.askedBy {
		if !isListed("light", w) {
			return Trace{}, false
		}
	}
	if d.sharesValue(s) || r.isSaidAfter(-1, c.Before, func(text string) bool {
		words := readTokens(text)
		values, word := d.countShared(text, words)
		return values > 0 || word || d.isNamedIn(words, nil)
	}) || r.isReached(o, d, c.Before) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "nobody named what this is done to"}, true
}

// mostReached is the number of words of one result that are compared with what was said.
const mostReached = 500

// isReached reports whether a result that has a value of a deed also has a word that a person said.
func (r *Reader) isReached(o *open, d *deed, before int) bool {
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		x := &r.texts[i]
		if x.From != provenance.FromTool || len(x.Text) > mostData {
			continue
		}
		text := r.folded(i)
		if !slices.ContainsFunc(d.values, func(v string) bool { return holdsWord(text, v) }) {
			continue
		}
		words := readTokens(strings.NewReplacer(`"`, " ", "_", " ").Replace(text))
		for _, w := range words[:min(len(words), mostReached)] {
			if len(w) > 3 && !isFunctionWord(w) && r.isSaid(o, -1, before, func(said string) bool { return holdsName(said, w) }) {
				return true
			}
		}
	}
	return false
}
