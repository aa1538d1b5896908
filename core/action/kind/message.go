package kind

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/dates"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/units"
)

// messageWords has the last words of the names of arguments that contain a message.
const messageWords = " text message body content note comment description reason subject summary letter reply answer caption "

// sayingWords has the words of tools that send something to a person, or say it.
const sayingWords = " send reply respond answer post publish notify message mail email sms text tell say announce comment note forward remind chat alert inform write_letter contact draft compose respond feedback escalate "

// smallWords has words that a message may have or lack and still say the same.
const smallWords = " a an the this that these those of and as be been being am have had do does please pleased kindly happy glad dear hello hi hey thank thanks kind warm regards sincerely faithfully yours cheers best sir madam team inform informed let know note hereby just also very so customer has "

// decisive has classes of words that decide what a message says. Each word of a class
// stands for one member of it. Two messages are the same only if the members of each class
// in one message are all in the other one.
var decisive = sync.OnceValue(func() []map[string]string {
	return []map[string]string{
		{"i": "speaker", "me": "speaker", "my": "speaker", "we": "speaker", "us": "speaker", "our": "speaker",
			"you": "you", "your": "you", "he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she",
			"it": "it", "its": "it", "they": "they", "them": "they", "their": "they"},
		{"to": "to", "from": "from", "by": "by", "for": "for", "with": "with"},
		{"in": "in", "on": "on", "at": "at"},
		{"is": "present", "are": "present", "was": "past", "were": "past", "did": "past", "will": "future", "shall": "future",
			"would": "would", "can": "can", "could": "could", "may": "may", "might": "might", "should": "should", "must": "must"},
		{"now": "now"},
		{"will": "future", "shall": "future", "has": "past", "have": "past", "had": "past", "was": "past", "were": "past"},
		tongues.Titles(),
	}
})

// namesMessage reports whether the name of an argument says that it contains a message.
func namesMessage(words []string) bool {
	return len(words) > 0 && isListed(words[len(words)-1], messageWords)
}

// IsMessage reports whether an argument holds a message of several words.
func IsMessage(l similarity.Leaf) bool {
	return namesMessage(ArgumentWords(l.Key)) && len(contentWords(messageParts(similarity.Plain(l.Raw)))) > 1
}

// compareMessages compares two messages of a tool that sends or says something. Polite and
// small words do not count. Negations, persons, directions, tenses, names and numbers do.
func (p *pair) compareMessages() Outcome {
	if !namesMessage(p.name) || !p.a.isString() || !p.b.isString() || p.isContent() {
		return Open
	}
	if plainText(p.a.text) == plainText(p.b.text) {
		return Same
	}
	o := p.compareSaid()
	if o == Same {
		return compareBesideWords(p.a.text, p.b.text)
	}
	return o
}

// compareSaid compares what two messages say by their words.
func (p *pair) compareSaid() Outcome {
	a, b := p.a.text, p.b.text
	if x, y := notation.WithoutTones(a), notation.WithoutTones(b); (x == a) != (y == b) && p.tool.has(sayingWords) && plainText(x) == plainText(y) {
		return Same
	}
	o := p.compareWordings(a, b)
	if restA, restB := withoutGreeting(a, b); o != Open && o != Same && (restA != a || restB != b) {
		a, b = restA, restB
		o = p.compareWordings(a, b)
	}
	if o == Open || o == Same || !p.tool.has(sayingWords) && !p.ends(" message sms ") {
		return o
	}
	restA, restB := plainRequests(withoutPolite(a), withoutPolite(b))
	if (len(restA) != len(a) || len(restB) != len(b)) && restA != "" && restB != "" && p.compareWordings(restA, restB) == Same {
		return Same
	}
	return o
}

// politeMarks has words of sentences that only greet, thank, wish and offer help. politeWords has
// words that such a sentence may have beside them.
const (
	politeMarks = " thank thanks hello hi hey dear regards sincerely cheers welcome appreciate appreciated hope hoping wish wishing hesitate question questions apologies apologize sorry good great nice lovely wonderful "
	politeWords = " morning afternoon evening day week weekend patience understanding waiting find finds well concern concerns further other any anything else need help assist assistance reach out contact us me we if feel always here again much lot all more with to at in on for your you i my our it is are was not don't from by inconvenience team support reaching contacting choosing being part valued "
)

// isPolite reports whether a sentence has nothing but such words, and at least one mark.
func isPolite(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListed(w, politeMarks) || tongues.IsPolite(w) }) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return !isListed(w, smallWords) && !isListed(w, politeWords) && !isListed(w, politeMarks) && !tongues.IsPolite(w)
		})
}

// withoutPolite returns a message without the sentences that only have polite and small words.
func withoutPolite(s string) string {
	var out strings.Builder
	for s != "" {
		end := strings.IndexAny(s, ".!?\n") + 1
		for end > 0 && end < len(s) && s[end] > ' ' {
			next := strings.IndexAny(s[end:], ".!?\n") + 1
			if next == 0 {
				end = 0
				break
			}
			end += next
		}
		if end == 0 {
			end = len(s)
		}
		words := messageParts(s[:end])
		if !isPolite(words) {
			out.WriteString(s[:end])
		}
		s = s[end:]
	}
	return strings.TrimSpace(out.String())
}

// compareWordings compares the texts of two messages.
func (p *pair) compareWordings(textA, textB string) Outcome {
	a, b := messageParts(textA), messageParts(textB)
	if len(a) > 1 && len(a) < 4 && slices.Equal(a, b) && questions(textA) == questions(textB) {
		return Same
	}
	if len(a) < 4 || len(b) < 4 {
		return Open
	}
	x, y := contentWords(a), contentWords(b)
	same := len(x) >= 2 && slices.Equal(x, y)
	if len(x) >= 2 && !same && movesTime(x, y) {
		same, a, b = true, withoutPlaces(a), withoutPlaces(b)
	}
	textA, textB = plainText(textA), plainText(textB)
	sayOther, certain := sayOtherExtent(a, b)
	switch {
	case !same && sameWords(x, y) && isPassive(a) != isPassive(b) && questions(textA) == questions(textB):
		return Unsure
	case same && questions(textA) != questions(textB), same && !agreeOnSmall(a, b):
		return Differs
	case sayOther && certain:
		return Differs
	case sayOther && 2*countCommon(x, y) >= min(len(x), len(y)), !same && comesLater(a, b):
		return Likely
	case !same && sameWords(x, y):
		if isRotated(x, y) {
			return Likely // the end of the sentence may stand in front
		}
		return Differs
	case !same && !haveSameFacts(textA, textB, a, b), !same && contradict(a, b):
		if 2*countCommon(x, y) < min(len(x), len(y)) {
			return Likely // the start of the week may be Monday
		}
		return Differs
	case same && (p.tool.has(sayingWords) || p.ends(" message sms ")):
		return Same
	case !same && limits(a) != limits(b):
		return Likely
	}
	return Unsure
}

// isRotated reports whether a list of words is another one whose end stands in front. Both have the
// same words.
func isRotated(x, y []string) bool {
	for at := range x {
		if slices.Equal(x[at:], y[:len(x)-at]) && slices.Equal(x[:at], y[len(x)-at:]) {
			return true
		}
	}
	return false
}

// countCommon returns how many of the words of one list stand in another one.
func countCommon(x, y []string) (n int) {
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return n
}

// questions returns how many sentences of a text ask something: they end in a question mark, or begin
// with a verb and the one whom it is about.
func questions(text string) (n int) {
	for text != "" {
		end := strings.IndexAny(text, ".!?\n")
		if end < 0 {
			end = len(text)
		}
		words := strings.Fields(strings.ToLower(text[:end]))
		asks := len(words) > 1 && isListed(words[0], " is are was were did do does can could will would should may might must has have had ") &&
			isListed(words[1], " i you he she it we they this that these those there the your my our his her their ")
		if asks || end < len(text) && text[end] == '?' && len(words) > 0 {
			n++
		}
		text = text[min(end+1, len(text)):]
	}
	return n
}

// limitWords has words that limit what is said, or that say when it holds.
const limitWords = " if unless until only except up least most maximum minimum almost nearly free before after "

// limits returns the words of a message that limit it, sorted.
func limits(words []string) string {
	var out []string
	for _, w := range words {
		if isListed(w, limitWords) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// withoutGreeting removes the greeting from a message if the other one has none. A greeting
// names the person to whom the message goes anyway.
func withoutGreeting(a, b string) (string, string) {
	restA, greetsA := cutGreeting(a)
	restB, greetsB := cutGreeting(b)
	switch {
	case greetsA == greetsB:
	case greetsA:
		a = restA
	default:
		b = restB
	}
	return a, b
}

// cutGreeting returns what follows the greeting of a message, which is at most five words up
// to a comma, a colon, an exclamation mark or the end of its line, and reports whether there is one.
func cutGreeting(s string) (rest string, ok bool) {
	s = strings.TrimSpace(s)
	first, _, _ := strings.Cut(s, " ")
	if first = strings.ToLower(strings.Trim(first, ",!¡")); !isListed(first, " dear hello hi hey ") && !tongues.IsPolite(first) {
		return s, false
	}
	end := strings.IndexAny(s, ",!:\n")
	if end < 0 || len(strings.Fields(s[:end])) > 5 {
		return s, false
	}
	return s[end+1:], true
}

// messageParts returns the words of a message in lower case, with contractions written
// out. It returns nil for a long text and for a text that looks like code.
func messageParts(text string) (words []string) {
	if len(text) > 4096 || strings.ContainsAny(text, "{}<>=|`\\") || hasSigil(text) || strings.Contains(text, ";\n") || strings.HasSuffix(text, ";") {
		return nil
	}
	text = typography().Replace(codes.Compose(strings.ToLower(text)))
	for w := range strings.FieldsFuncSeq(text, splitsMessage) {
		if w = strings.Trim(w, ".,:"); w != "" {
			words = append(words, expandContraction(tongues.Word(w))...)
		}
	}
	return joinDates(joinClocks(joinAmounts(words)))
}

// joinAmounts writes each amount of money as a number and a code, in the place of $1,200 or 1200
// dollars. The words are in lower case.
func joinAmounts(words []string) []string {
	var out []string
	for i, w := range words {
		if strings.IndexFunc(w, unicode.IsDigit) < 0 {
			out = append(out, w)
			continue
		}
		number, code := splitCurrency(w)
		n, ok := readNumber(number)
		if code == "" && i+1 < len(words) && len(words[i+1]) > 2 {
			code = units.Currency(words[i+1])
		}
		if code == "" && i > 0 && len(words[i-1]) == 3 {
			code = units.Currency(words[i-1])
		}
		if !ok || code == "" {
			out = append(out, w)
			continue
		}
		out = append(out, n.exact+code)
	}
	if len(out) == len(words) && slices.Equal(out, words) {
		return words
	}
	return slices.DeleteFunc(out, func(w string) bool {
		return len(w) > 2 && strings.IndexFunc(w, unicode.IsDigit) < 0 && units.Currency(w) != ""
	})
}

// joinDates writes each day of a month as 5/3, in the place of 5 March, March 5th or 5th of
// March, and the names of days of the week in full.
func joinDates(words []string) []string {
	if !slices.ContainsFunc(words, func(w string) bool { return dates.Month(w) > 0 || dates.IsWeekday(w) }) {
		return words
	}
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		if k := dates.Weekday(w); k >= 0 && len(w) > 2 && dates.IsWeekday(w) {
			out = append(out, dates.ShortWeekdays[k])
			continue
		}
		if day := dayNumber(w); day != "" {
			next := i + 1
			if next < len(words) && words[next] == "of" {
				next++
			}
			if next < len(words) && dates.Month(words[next]) > 0 {
				out = append(out, day+"/"+strconv.Itoa(dates.Month(words[next])))
				i = next
				continue
			}
		}
		if month := dates.Month(w); month > 0 && i+1 < len(words) && dayNumber(words[i+1]) != "" {
			out = append(out, dayNumber(words[i+1])+"/"+strconv.Itoa(month))
			i++
			continue
		}
		out = append(out, w)
	}
	return out
}

// dayNumber returns the number of a day of a month, such as 5 for 5th, or "".
func dayNumber(w string) string {
	digits := strings.TrimLeft(strings.TrimRight(w, "stndrh"), "0")
	if n, err := strconv.Atoi(digits); err != nil || n < 1 || n > 31 || len(w) > 4 {
		return ""
	}
	return digits
}

// hasSigil reports whether a text has a dollar that is no sign of money.
func hasSigil(text string) bool {
	for i := range len(text) {
		if text[i] == '$' && (i+1 == len(text) || !notation.IsDigitByte(text[i+1])) && (i == 0 || !notation.IsDigitByte(text[i-1])) {
			return true
		}
	}
	return false
}

// joinClocks writes each time of day as 17:00, in the place of 5 pm or 5:00 p.m.
func joinClocks(words []string) []string {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		w := words[i]
		if i+1 < len(words) && words[i+1] == "oclock" && strings.Trim(w, "0123456789:.") == "" {
			if w = strings.Replace(w, ".", ":", 1); !strings.Contains(w, ":") {
				w += ":00"
			}
			if seconds, ok := readClock(w); ok {
				w, i = clockText(seconds), i+1
			}
		} else if i+1 < len(words) && isListed(words[i+1], " am pm a.m p.m ") && strings.Trim(w, "0123456789:") == "" {
			if seconds, ok := readClock(w + words[i+1]); ok {
				w, i = clockText(seconds), i+1
			}
		} else if strings.ContainsAny(w, ":m") && '0' <= w[0] && w[0] <= '9' {
			if seconds, ok := readClock(w); ok {
				w = clockText(seconds)
			}
		}
		out = append(out, w)
	}
	return out
}

func clockText(seconds int) string {
	return strconv.Itoa(seconds/3600) + ":" + strconv.Itoa(seconds/60%60) + ":" + strconv.Itoa(seconds%60)
}

func splitsMessage(r rune) bool {
	return unicode.IsSpace(r) || !strings.ContainsRune("-'%@#/_+.,:", r) && (unicode.IsPunct(r) || unicode.IsSymbol(r) && !unicode.Is(unicode.Sc, r))
}

// expandContraction writes a contraction out: "can't" becomes "can" and "not".
func expandContraction(w string) []string {
	switch w {
	case "cannot", "can't":
		return []string{"can", "not"}
	case "won't":
		return []string{"will", "not"}
	case "shan't":
		return []string{"shall", "not"}
	case "let's":
		return []string{"let", "us"}
	}
	for _, end := range [...][2]string{{"n't", "not"}, {"'re", "are"}, {"'ll", "will"}, {"'ve", "have"}, {"'m", "am"}} {
		if stem, ok := strings.CutSuffix(w, end[0]); ok && stem != "" {
			return []string{stem, end[1]}
		}
	}
	if stem, ok := strings.CutSuffix(w, "'s"); ok && isListed(stem, " it he she that there here what who ") {
		return []string{stem, "is"}
	}
	return []string{strings.Trim(w, "'")}
}

// contentWords returns the words that are neither small nor in a class of decisive words.
func contentWords(words []string) (out []string) {
	for _, w := range words {
		if isListed(w, smallWords) || isDecisive(w) {
			continue
		}
		out = append(out, w)
	}
	return out
}

func isDecisive(w string) bool {
	return slices.ContainsFunc(decisive(), func(class map[string]string) bool { return class[w] != "" })
}

// agreeOnSmall reports whether two messages agree in each class of decisive words: one of
// them has, in order, only members that the other one has, too.
func agreeOnSmall(a, b []string) bool {
	if future := slices.ContainsFunc(a, isFuture); future != slices.ContainsFunc(b, isFuture) && (future && saysDone(b) || !future && saysDone(a)) {
		return false
	}
	for class := range decisive() {
		x, y := membersOf(class, a), membersOf(class, b)
		if !isPartOf(x, y) && !isPartOf(y, x) {
			return false
		}
	}
	return true
}

// saysDone reports whether a message has a verb in the past without another word for its tense, such as refunded.
func saysDone(words []string) bool {
	for i, w := range words {
		if strings.HasSuffix(w, "ed") && len(w) > 4 && i > 0 && isListed(words[i-1], " i we you he she it they ") {
			return true
		}
	}
	return false
}

// sameWords reports whether two messages have the same content words in another order, so
// that they say it of other things.
func sameWords(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// whenWords has words of a message that say when, beside dates and times.
const whenWords = " today tomorrow tonight yesterday now morning afternoon evening noon midnight mon tue wed thu fri sat sun "

func saysWhen(w string) bool {
	return isListed(w, whenWords) || w != "" && w[0] >= '0' && w[0] <= '9' && strings.ContainsAny(w, ":/")
}

// movesTime reports whether two messages have the same words in one order, apart from where they say
// when: "at 3 pm tomorrow" and "tomorrow at 3 pm". In each, those words stand together, and there is at
// most one time of day and one day, so that none belongs to another word.
func movesTime(a, b []string) bool {
	restA, whenA := cutWhen(a)
	restB, whenB := cutWhen(b)
	slices.Sort(whenA)
	slices.Sort(whenB)
	return len(whenA) > 0 && slices.Equal(whenA, whenB) && slices.Equal(restA, restB)
}

// withoutPlaces returns words without the small words before those that say when.
func withoutPlaces(words []string) (out []string) {
	for i, w := range words {
		if i+1 == len(words) || !isListed(w, " in on at ") || !saysWhen(words[i+1]) {
			out = append(out, w)
		}
	}
	return out
}

// cutWhen returns the words that do not say when, and those that do if they stand together and are at
// most a day and a time of day.
func cutWhen(words []string) (rest, when []string) {
	from := slices.IndexFunc(words, saysWhen)
	if from < 0 {
		return words, nil
	}
	to := from
	for to < len(words) && saysWhen(words[to]) {
		to++
	}
	when = slices.Clone(words[from:to])
	clocks := 0
	for _, w := range when {
		if strings.Contains(w, ":") {
			clocks++
		}
	}
	if len(when) > 2 || clocks > 1 || clocks == 0 && len(when) > 1 || slices.ContainsFunc(words[to:], saysWhen) {
		return words, nil
	}
	return slices.Concat(words[:from], words[to:]), when
}

// isPassive reports whether a message says by whom something was done, as "it was moved by us" does.
func isPassive(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListed(w, " was were been is are be being ") }) && slices.Contains(words, "by")
}

// Opposite reports whether two texts say opposite words, such as approved and denied.
func Opposite(a, b string) bool {
	return contradict(strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b)))
}

// contradict reports whether a word that only one message has says the opposite of a word
// that only the other one has, or is the same verb in the past where the other message speaks
// of the future.
func contradict(a, b []string) bool {
	future := slices.ContainsFunc(a, isFuture) != slices.ContainsFunc(b, isFuture)
	ownA, ownB := wordsBut(a, b), wordsBut(b, a)
	for _, v := range ownA {
		for _, w := range ownB {
			if areOpposite(v, w) || future && isPastOf(v, w) {
				return true
			}
		}
	}
	return false
}

// wordsBut returns the words of a that b does not have, each once, in order.
func wordsBut(a, b []string) (own []string) {
	known := make(map[string]bool, len(b))
	for _, w := range b {
		known[w] = true
	}
	for _, w := range a {
		if !known[w] {
			known[w] = true
			own = append(own, w)
		}
	}
	return own
}

func isFuture(w string) bool { return w == "will" || w == "shall" }

// isPastOf reports whether one of two words is the regular past of the other one.
func isPastOf(v, w string) bool {
	return v != w && (slices.Contains(plainForms(v), w) && strings.HasSuffix(v, "ed") || slices.Contains(plainForms(w), v) && strings.HasSuffix(w, "ed"))
}

// areOpposite reports whether two words say the opposite of one another, in any of their
// forms, such as accepted and declines, or possible and impossible.
func areOpposite(v, w string) bool {
	for _, x := range plainForms(v) {
		for _, y := range plainForms(w) {
			if verbs.AreOpposite(x, y) || isNegated(x, y) || isNegated(y, x) {
				return true
			}
		}
	}
	return false
}

// isNegated reports whether a word is another word with a prefix that negates it.
func isNegated(word, other string) bool {
	prefix, ok := strings.CutSuffix(word, other)
	return ok && len(other) > 3 && isListed(prefix, " un im in ir il dis non non- de ")
}

// plainForms returns a word and the words of which it may be a regular form.
func plainForms(w string) []string {
	out := []string{w}
	for _, end := range [...][2]string{{"s", ""}, {"ed", ""}, {"ed", "e"}, {"ing", ""}, {"ing", "e"}, {"ied", "y"}, {"ies", "y"}} {
		if stem, ok := strings.CutSuffix(w, end[0]); ok && len(stem) > 2 {
			out = append(out, stem+end[1])
			if n := len(stem); end[1] == "" && stem[n-1] == stem[n-2] {
				out = append(out, stem[:n-1]) // stopped
			}
		}
	}
	return out
}

func membersOf(class int, words []string) (out []string) {
	for _, w := range words {
		if m := decisive()[class][w]; m != "" {
			out = append(out, m)
		}
	}
	return out
}

// isPartOf reports whether part is a subsequence of whole.
func isPartOf(part, whole []string) bool {
	for _, w := range whole {
		if len(part) > 0 && part[0] == w {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// isNameless reports whether a word in capitals names nothing: a small word, a half of the day, a
// month or a day of the week, whose numbers count.
func isNameless(w string) bool {
	return isListed(w, smallWords) || w == "am" || w == "pm" || dates.Month(w) > 0 || dates.IsWeekday(w)
}

// haveSameFacts reports whether each fact of a message stands in the other one, too. A word for a
// number says what its digits say, and a name at the beginning of a sentence is still one.
func haveSameFacts(textA, textB string, a, b []string) bool {
	a, b = inDigits(a), inDigits(b)
	x, y := factWords(textA, a), factWords(textB, b)
	holds := func(facts, others, words []string) bool {
		return !slices.ContainsFunc(facts, func(f string) bool { return !slices.Contains(others, f) && !slices.Contains(words, f) })
	}
	return holds(x, y, b) && holds(y, x, a)
}

// inDigits returns words with digits in the place of the words for numbers but zero and one.
func inDigits(words []string) []string {
	var out []string
	for i, w := range words {
		if n, ok := smallNumber(w); ok && n > 1 {
			if out == nil {
				out = slices.Clone(words)
			}
			out[i] = strconv.Itoa(n)
		}
	}
	if out == nil {
		return words
	}
	return out
}

// factWords returns what two wordings of a message must have in common: numbers, negations,
// and names in capitals that do not begin a sentence. The result is sorted.
func factWords(text string, words []string) []string {
	var out []string
	for _, w := range words {
		if strings.ContainsAny(w, "0123456789@") || dates.Month(w) > 0 && w != "may" && w != "march" || len(w) == 3 && slices.Contains(dates.ShortWeekdays[:], w) || isListed(w, " not no never none nor without unless neither nothing ") || tongues.Denies(w) {
			out = append(out, w)
		}
	}
	begins := true
	for w := range strings.FieldsSeq(text) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if r := []rune(bare); len(r) > 1 && unicode.IsUpper(r[0]) && !begins && !isNameless(strings.ToLower(bare)) {
			out = append(out, strings.ToLower(bare))
		}
		begins = strings.ContainsAny(w[len(w)-1:], ".!?:,")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
