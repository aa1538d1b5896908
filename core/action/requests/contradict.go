package requests

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// A sentence may ask for this kind of deed and still say another thing than the call does: off and
// not on, to Bob and not to Alice, at most 3 and not 4. The law of this file: such a call is not
// traced to the sentence. What is read here only raises: it takes a trace away and gives none.

// poles are pairs of words that say opposite things of a deed.
var poles = [...][2]string{{"on", "off"}, {"enable", "disable"}, {"open", "close"}, {"lock", "unlock"}, {"start", "stop"}, {"mute", "unmute"}, {"approve", "reject"}, {"accept", "decline"},
	{"increase", "decrease"}, {"raise", "lower"}, {"activate", "deactivate"}, {"subscribe", "unsubscribe"}, {"block", "unblock"}, {"pause", "resume"}, {"hide", "show"}, {"archive", "unarchive"}, {"follow", "unfollow"}, {"arm", "disarm"}}

// Words of the names of arguments that say from where and to where.
const (
	fromKeys = " from source src origin sender old start begin departure debit "
	toKeys   = " to target dest destination dst recipient receiver payee beneficiary new end credit "
	whoKeys  = " to recipient recipients receiver payee beneficiary invitee invitees attendee attendees assignee "
	sizeKeys = " qty quantity count amount number price total cost budget limit size max maximum people guests seats days nights "
)

// Beginnings of questions that ask for knowledge only, and words that take something back.
var (
	openings = [...]string{"is it possible to ", "would it be possible to ", "am i allowed to ", "how do i ", "how can i ", "how would i ", "what happens if ", "is there a way to ", "is it allowed to "}
	takeBack = [...]string{"actually no", "actually, no", "never mind", "nevermind", "forget it", "forget that", "on second thought", "scratch that", "no, keep it", "no, leave it", "doch nicht", "vergiss es", "laissez tomber", "mejor no", "lascia perdere", "deixa pra la"}
	onlyIf   = [...]string{"only if ", "only when ", "nur wenn ", "nur, wenn ", "seulement si ", "uniquement si ", "solo si ", "solo se ", "so se "}
	atMost   = [...]string{"at most ", "no more than ", "not more than ", "up to ", "a maximum of ", "less than ", "fewer than ", "under ", "below "}
	allBut   = [...]string{"everything but ", "everything except for ", "everything except ", "all but ", "all except for ", "all except ", "all of them but ", "all of them except "}
)

// behind returns the part of a text behind the first of some phrases, which begins a word.
func behind(text string, phrases []string) (string, bool) {
	for _, p := range phrases {
		if at := strings.Index(" "+text, " "+p); at >= 0 {
			return text[at+len(p):], true
		}
	}
	return "", false
}

// thingAt returns the first word of a text that names a thing, without the words before it.
func thingAt(words []string) string {
	for _, w := range words {
		if !wordlist.Contains("the my our account iban number city of", w) {
			return w
		}
	}
	return ""
}

// findContradiction says what of a sentence that asks for a deed a call contradicts, or "".
func (r *Reader) findContradiction(t *Trace, c *Action) string {
	if t.By != ByUser || t.Agreed || t.Text < 0 || r.texts[t.Text].From != provenance.FromUser || c.Call.Text != "" {
		return ""
	}
	said := r.readSaid(t)
	words := said.words
	switch {
	case said.question:
		return "the user only asked whether this can be done"
	case said.back:
		return "the user took this back"
	case saysOpposite(said.tokens, c), namesUnderOpposite(said.message, c), setsOpposite(said.tokens, c):
		return "the user said the opposite"
	case holdsListed(r.folded(t.Text), "askFirst"):
		return "the user wanted to be asked first"
	case holdsListed(r.folded(t.Text), "onlyTry") && !isTrial(c):
		return "the user only wanted to see what would happen"
	case r.namesInPlace(t, c):
		return "the user named another one instead"
	case reversesPlaces(words, c.Call.Leaves):
		return "the user named the two the other way round"
	case exceedsLimit(words, c.Call.Leaves):
		return "the user set a limit, and this is beyond it"
	case takesExcepted(words, c.Call.Leaves):
		return "the user said that this stays as it is"
	case otherHalfOfDay(words, c.Call.Leaves):
		return "the user named another time of day"
	case r.isUnmet(words, t.Text, c):
		return "the user asked for this on a condition that no result meets"
	case r.isUnnamed(c):
		return "nobody named to whom"
	}
	return ""
}

// said is what a sentence says, and its message, read once for all calls.
type said struct {
	words           string   // in lower case
	tokens, message []string // the words of the sentence, and of the whole message
	question, back  bool     // it only asks to know; the message takes it back
}

// saidIn names a sentence of a text.
type saidIn struct {
	text  int
	words string
}

// readSaid reads the sentence of a trace, and caches the result.
func (r *Reader) readSaid(t *Trace) *said {
	key := saidIn{t.Text, t.Words}
	if s := r.said[key]; s != nil {
		return s
	}
	words, message := foldText(t.Words), r.folded(t.Text)
	message = message[:min(len(message), mostData)]
	s := &said{words: words, tokens: fieldsOf(words), message: fieldsOf(message)}
	line := strings.TrimSpace(words)
	s.question = strings.HasSuffix(line, "?") && slices.ContainsFunc(openings[:], func(o string) bool { return strings.HasPrefix(line, o) })
	rest := textAfter(message, words)
	s.back = slices.ContainsFunc(takeBack[:], func(p string) bool { return strings.Contains(rest, p) })
	if r.said == nil {
		r.said = map[saidIn]*said{}
	}
	r.said[key] = s
	return s
}

// mostLooked is the number of texts that are searched for a name or a condition in one run. Beyond
// it, nothing is known to be named or met.
const mostLooked = 1 << 17

// textAfter returns the part of a message behind a sentence.
func textAfter(message, sentence string) string {
	_, rest, _ := strings.Cut(message, strings.TrimSpace(sentence))
	return rest
}

// fieldsOf returns the words of a text in lower case without marks around them.
func fieldsOf(text string) []string {
	out := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n,;:!?()\"'", c) })
	for i, w := range out {
		out[i] = strings.TrimRight(w, ".")
	}
	return out
}

// namedPoles calls fn for each pole in the name of a tool, with the opposite one, until it returns true.
func namedPoles(c *Action, fn func(name []string, own, other string) bool) bool {
	name := mutation.NameWords(c.Call.Name)
	return slices.ContainsFunc(poles[:], func(p [2]string) bool {
		return slices.Contains(name, p[0]) && fn(name, p[0], p[1]) || slices.Contains(name, p[1]) && fn(name, p[1], p[0])
	})
}

// saysOpposite reports whether a sentence has the opposite of a word in the tool's name, and not the
// word itself, or has it last before a value of the call.
func saysOpposite(tokens []string, c *Action) bool {
	return namedPoles(c, func(name []string, own, other string) bool {
		return !slices.Contains(name, other) && slices.Contains(tokens, other) &&
			(!slices.Contains(tokens, own) || lastPole(tokens, c.Call.Leaves, own, other) == other)
	})
}

// namesUnderOpposite reports whether a message asks for both of two opposite deeds, and names what the
// call is about behind the other one, as in "approve 12, reject 13" for the approval of 13.
func namesUnderOpposite(tokens []string, c *Action) bool {
	return namedPoles(c, func(_ []string, own, other string) bool {
		return slices.Contains(tokens, own) && slices.Contains(tokens, other) && lastPole(tokens, c.Call.Leaves, own, other) == other
	})
}

// setsOpposite reports whether a call sets the opposite of what a sentence says: on to false for "Turn on the
// light", a state to off, a side to sell.
func setsOpposite(tokens []string, c *Action) bool {
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool {
		contradicts := func(p [2]string) bool {
			return slices.ContainsFunc([]int{0, 1}, func(at int) bool {
				set, other, ok := poleSetBy(&l, p, at)
				return ok && saysPole(tokens, other) && !saysPole(tokens, set)
			})
		}
		return slices.ContainsFunc(poles[:], contradicts) || slices.ContainsFunc(sides[:], contradicts)
	})
}

// poleSetBy returns the pole that an argument sets if it is about pole number at, and the opposite one.
func poleSetBy(l *similarity.Leaf, p [2]string, at int) (set, other string, ok bool) {
	value := foldText(trimQuotes(l.Raw))
	if isState(value, p[at]) {
		return p[at], p[1-at], true
	}
	if value != "true" && value != "false" || !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return isState(w, p[at]) }) {
		return "", "", false
	}
	if value == "false" {
		at = 1 - at
	}
	return p[at], p[1-at], true
}

// isTrial reports whether a call only tries something out.
func isTrial(c *Action) bool {
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool {
		return l.Raw == "true" && keyHas(&l, " dry simulate simulation preview test noop pretend ")
	}) || slices.ContainsFunc(mutation.NameWords(c.Call.Name), func(w string) bool { return w == "simulate" || w == "dry" || w == "preview" })
}

// namesInPlace reports whether a sentence names who gets something instead, and the call goes to somebody whom
// it does not name.
func (r *Reader) namesInPlace(t *Trace, c *Action) bool {
	tokens := fieldsOf(foldText(t.Words))
	if !slices.ContainsFunc(tokens, func(w string) bool { return isListed("inPlace", w) }) {
		return false
	}
	to := slices.IndexFunc(tokens, func(w string) bool { return wordlist.Contains("to an a para per voor", w) })
	if to < 0 || to+1 >= len(tokens) {
		return false
	}
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool {
		v := foldText(trimQuotes(l.Raw))
		return keyHas(&l, whoKeys) && v != "" && !strings.Contains(foldText(t.Words), v) && !strings.Contains(v, tokens[to+1]) && r.isNamed(v, c.Before)
	})
}

// sides are more pairs of opposite words, for the values of arguments.
var sides = [...][2]string{{"buy", "sell"}, {"add", "remove"}, {"private", "public"}, {"allow", "deny"}, {"visible", "hidden"}}

// isState reports whether a word is a pole, or the state that it leads to: locked for lock.
func isState(word, pole string) bool {
	return word == pole || word == pole+"d" || word == pole+"ed"
}

// saysPole reports whether a sentence has a pole. On and off are poles only behind a verb that turns something.
func saysPole(tokens []string, pole string) bool {
	for i, w := range tokens {
		if w != pole && w != pole+"d" && w != pole+"ed" && w != pole+"s" {
			continue
		}
		if pole != "on" && pole != "off" || slices.ContainsFunc(tokens[max(0, i-5):i], func(v string) bool { return wordlist.Contains("turn switch put power flip toggle turned switched", v) }) {
			return true
		}
	}
	return false
}

// lastPole returns the last of two words before the first value of a call in a sentence, or "".
func lastPole(tokens []string, leaves []similarity.Leaf, own, other string) (last string) {
	for _, w := range tokens {
		switch {
		case w == own || w == other:
			last = w
		case slices.ContainsFunc(leaves, func(l similarity.Leaf) bool { return foldText(trimQuotes(l.Raw)) == w }):
			return last
		}
	}
	return ""
}

func keyHas(l *similarity.Leaf, list string) bool {
	return slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return wordlist.Contains(list, w) })
}

// reversesPlaces reports whether a sentence says "from A to B", and the call has B as what it comes
// from or A as where it goes.
func reversesPlaces(words string, leaves []similarity.Leaf) bool {
	tokens := fieldsOf(words)
	at := slices.Index(tokens, "from")
	if at < 0 {
		return false
	}
	from := thingAt(tokens[at+1:])
	end := slices.IndexFunc(tokens[at+1:], func(w string) bool { return w == "to" || w == "into" })
	if end < 1 || end > 6 || from == "to" {
		return false
	}
	to := thingAt(tokens[at+end+2:])
	if from == to || to == "" {
		return false
	}
	return slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		v := foldText(trimQuotes(l.Raw))
		return v == to && keyHas(&l, fromKeys) && !keyHas(&l, toKeys) || v == from && keyHas(&l, toKeys) && !keyHas(&l, fromKeys)
	})
}

// exceedsLimit reports whether a sentence sets one upper limit, and a number of the call that counts
// something is above it.
func exceedsLimit(words string, leaves []similarity.Leaf) bool {
	rest, found := behind(words, atMost[:])
	if !found {
		return false
	}
	tokens := fieldsOf(rest)
	if _, more := behind(rest, atMost[:]); more || len(tokens) == 0 {
		return false
	}
	most, err := strconv.ParseFloat(strings.TrimLeft(tokens[0], "$€£"), 64)
	return err == nil && slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		n, err := strconv.ParseFloat(l.Raw, 64)
		return err == nil && n > most && keyHas(&l, sizeKeys)
	})
}

// takesExcepted reports whether a sentence asks for everything but one thing, and the call has it.
func takesExcepted(words string, leaves []similarity.Leaf) bool {
	rest, found := behind(words, allBut[:])
	if !found {
		return false
	}
	thing := thingAt(fieldsOf(rest))
	return thing != "" && slices.ContainsFunc(leaves, func(l similarity.Leaf) bool { return foldText(trimQuotes(l.Raw)) == thing })
}

// otherHalfOfDay reports whether a sentence has one time of day with am or pm, and the call has the
// same hour in the other half of the day.
func otherHalfOfDay(words string, leaves []similarity.Leaf) bool {
	hour, late, times := 0, false, 0
	tokens := fieldsOf(words)
	for i, w := range tokens {
		half := strings.ReplaceAll(w, ".", "")
		digits := strings.TrimRight(half, "apm")
		if half = half[len(digits):]; half != "am" && half != "pm" {
			continue
		}
		if digits == "" && i > 0 {
			digits = tokens[i-1]
		}
		digits, _, _ = strings.Cut(digits, ":")
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 12 {
			hour, late, times = n%12, half == "pm", times+1
		}
	}
	if times != 1 || hour == 0 {
		return false
	}
	wrong := hour
	if !late {
		wrong += 12
	}
	return slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		v := trimQuotes(l.Raw)
		h, rest, found := strings.Cut(v[strings.LastIndexByte(v, 'T')+1:], ":")
		n, err := strconv.Atoi(h)
		return found && err == nil && len(h) == 2 && len(rest) >= 2 && n == wrong
	})
}

// isUnmet reports whether a sentence asks only on a condition, of which no result since has a word.
func (r *Reader) isUnmet(words string, from int, c *Action) bool {
	rest, found := behind(words, onlyIf[:])
	if !found {
		return false
	}
	var said []string
	for _, w := range fieldsOf(rest) {
		if len(w) > 3 && !wordlist.Contains("they that have been already still", w) {
			said = append(said, w)
		}
	}
	told := false
	for i := from + 1; i < c.Before && i < len(r.texts); i++ {
		if r.texts[i].From != provenance.FromTool {
			continue
		}
		told = true
		if r.looked++; r.looked > mostLooked {
			return true
		}
		if text := r.folded(i); slices.ContainsFunc(said, func(w string) bool { return strings.Contains(text, w[:len(w)-1]) }) {
			return false
		}
	}
	return told && len(said) > 0
}

// isUnnamed reports whether the call goes to a person by a name of which no text before has a word.
func (r *Reader) isUnnamed(c *Action) bool {
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if !keyHas(l, whoKeys) || !strings.HasPrefix(l.Raw, `"`) {
			continue
		}
		name := fieldsOf(foldText(trimQuotes(l.Raw)))
		if len(name) == 0 || len(name) > 3 || slices.ContainsFunc(name, func(w string) bool { return len(w) < 3 || strings.ContainsAny(w, "0123456789@./_-") }) {
			continue
		}
		known := false
		for k := 0; k < c.Before && k < len(r.texts) && !known && r.looked <= mostLooked; k++ {
			r.looked++
			known = slices.ContainsFunc(name, func(w string) bool { return strings.Contains(r.folded(k), w) })
		}
		if !known {
			return true
		}
	}
	return false
}
