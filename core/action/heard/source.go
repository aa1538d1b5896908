package heard

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// AddressedWith returns the words around a value in a result, if they speak to an assistant or give him
// orders, or "".
func (r *Run) AddressedWith(at int, value string) string {
	text := r.Folded(at)
	for from := 0; ; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return ""
		}
		from += i + len(value)
		words := text[max(0, from-len(value)-mostBefore):min(len(text), from+mostBefore/4)]
		if utterance.HoldsListed(words, "toAgents") {
			if whole := r.Texts[at].Text; len(whole) == len(text) { // as it is written
				words = whole[max(0, from-len(value)-mostBefore):min(len(text), from+mostBefore/4)]
			}
			return strings.ToValidUTF8(words, "")
		}
	}
}

// mostBefore is the number of bytes before a value in which words to an assistant are looked for.
const mostBefore = 200

// FindSource returns the result in whose prose a value stands, or -1 if it is a value of its own in some
// result, or in none. It also returns whether a result has another value of its own of the same sort.
func (r *Run) FindSource(value string, before int) (at int, rival bool) {
	r.ReadOwn(min(before, len(r.Texts)))
	if at, own := r.own[value]; own && at < before {
		return -1, false
	}
	at = -1
	for i := range r.ResultsWith([]string{value}, before) {
		if strings.Contains(r.Folded(i), value) {
			at = i
			break
		}
	}
	first, rival := r.away[strings.Contains(value, "@")]
	return at, rival && first < before
}

// ReadOwn notes where the results of the first n texts first have each value of their own, and one to
// which money or a message can go, with an @ or without.
func (r *Run) ReadOwn(n int) {
	if r.own == nil {
		r.own, r.away, r.Senders = map[string]int{}, map[bool]int{}, map[string]bool{}
	}
	for ; r.ownRead < n; r.ownRead++ {
		x := &r.Texts[r.ownRead]
		if x.From != provenance.FromTool || len(x.Text) > MostData {
			continue
		}
		v, err := jsonval.Parse(strings.TrimSpace(x.Text))
		if err != nil {
			r.readSenders(x.Text)
			continue
		}
		for _, l := range v.Leaves() {
			if s, ok := l.Value.Str(); ok {
				r.noteOwn(l.Key, s)
			}
		}
	}
}

// noteOwn notes a value of its own in the result that readOwn is at.
func (r *Run) noteOwn(key, value string) {
	value = utterance.Fold(value)
	if _, known := r.own[value]; !known {
		r.own[value] = r.ownRead
	}
	if utterance.Listed("senderKey", strings.ToLower(key)) {
		r.Senders[value] = true
	}
	at := strings.Contains(value, "@")
	if _, known := r.away[at]; !known && deed.LeadsAway(&similarity.Leaf{Key: key, Raw: value}) != "" {
		r.away[at] = r.ownRead
	}
}

// readSenders notes the addresses of the sender in the lines with which a message begins, such as "From: a@b.example".
// A later line is the sender's words.
func (r *Run) readSenders(text string) {
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(line, ":")
		if !found || name == "" || strings.ContainsAny(name, " \t") {
			return
		}
		if !utterance.Listed("senderKey", strings.ToLower(name)) {
			continue
		}
		for word := range strings.FieldsSeq(value) {
			if word = strings.Trim(word, "<>()[],;\"'"); strings.Contains(word, "@") {
				r.noteOwn(name, word)
			}
		}
	}
}

// SecretKey returns the name under which a result has a value, in a record or in a sentence such as "my password is
// …", if that is the name of a secret, or "".
func (r *Run) SecretKey(value string, before int) string {
	plain := !strings.ContainsFunc(value, unicode.IsDigit)
	if len(value) < 4 || len(value) > 80 || plain && len(value) < 8 || utterance.IsDate(value) {
		return ""
	}
	is := func(key string) bool {
		words := mutation.NameWords(key)
		return isSecretKey(words) && (!plain || utterance.Listed("passWord", utterance.FoldName(words[len(words)-1])))
	}
	for i := range r.ResultsBefore(before) {
		text := r.Folded(i)
		at := strings.Index(text, value)
		if at < 0 {
			continue
		}
		v, _ := jsonval.Parse(strings.TrimSpace(r.Texts[i].Text))
		for _, l := range v.Leaves() {
			if utterance.Fold(l.Value.Text()) == value && is(l.Key) {
				return strings.ReplaceAll(utterance.Fold(l.Key), "_", " ")
			}
		}
		if name := nameBefore(text[:at]); name != "" && utterance.HoldsWord(text, value) && is(name) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return ""
}

// nameBefore returns the word or name that a folded text ends with, before "is", a colon or the like: password in
// "My password is".
func nameBefore(text string) string {
	fields := strings.FieldsFunc(text[max(0, len(text)-mostBefore):], func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(":=\"'`,.;\\", c) })
	for len(fields) > 0 && utterance.Listed("isSecret", fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	return strings.Join(fields[max(0, len(fields)-2):], "_")
}

// isSecretKey reports whether the words of a name are those of a secret: a password, or the code of a door.
func isSecretKey(words []string) bool {
	code := slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("codeWord", utterance.FoldName(w)) })
	return slices.ContainsFunc(words, func(w string) bool {
		return utterance.Listed("secretWord", utterance.FoldName(w)) || code && utterance.Listed("secretCode", utterance.FoldName(w))
	})
}

// ReadFrom returns the result in which a value stands that no person said, or -1.
func (r *Run) ReadFrom(value string, before int) int {
	if len(value) < 5 || r.IsNamed(value, before) {
		return -1
	}
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		if r.Texts[i].From == provenance.FromTool && len(r.Texts[i].Text) <= MostData && utterance.HoldsWord(r.Folded(i), value) {
			return i
		}
	}
	return -1
}
