package requests

import (
	"maps"
	"net/url"
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

// What is secret does not leave by a request for something else: neither in a text, nor in an address.

// findLeak returns a trace in place of one to a request, if the text that the deed sends has a secret that a
// result called one, and no person spoke of it.
func (r *Reader) findLeak(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if d.Kinds&(utterance.Send|utterance.Make|utterance.Change) == 0 || t.delegated || r.means != NoMeans {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		for _, w := range utterance.Fields(deed.FoldValue(&c.Call.Leaves[i])) {
			w = strings.Trim(w, ".")
			if key := r.secretKey(w, c.Before); key != "" && !r.isMade(w) && !r.isSaid(o, -1, c.Before, func(text string) bool {
				return utterance.HoldsWord(text, w) || strings.Contains(text, key) || utterance.HoldsListed(text, "secretSign") || slices.ContainsFunc(utterance.Tokens(text), func(w string) bool {
					return utterance.Listed("secretWord", w) || utterance.Listed("codeWord", w) || utterance.Listed("loginWord", w)
				})
			}) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "nobody said to use the " + key + " that was read"}, true
			}
		}
	}
	return Trace{}, false
}

// secretKey returns the name under which a result has a value, in a record or in a sentence such as "my password is
// …", if that is the name of a secret, or "".
func (r *Reader) secretKey(value string, before int) string {
	plain := !strings.ContainsFunc(value, unicode.IsDigit)
	if len(value) < 4 || len(value) > 80 || plain && len(value) < 8 || utterance.IsDate(value) {
		return ""
	}
	is := func(key string) bool {
		words := mutation.NameWords(key)
		return isSecretKey(words) && (!plain || utterance.Listed("passWord", utterance.FoldName(words[len(words)-1])))
	}
	for i := range r.resultsBefore(before) {
		text := r.folded(i)
		at := strings.Index(text, value)
		if at < 0 {
			continue
		}
		v, _ := jsonval.Parse(strings.TrimSpace(r.texts[i].Text))
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

// FindSentAway returns the trace of a call that only looks, but sends away what was read before, in an
// address that was put together: a secret, or anything to a host that only the data names.
func (r *Reader) FindSentAway(c *Action) (Trace, bool) {
	for i := range c.Call.Leaves {
		raw := deed.TrimQuotes(c.Call.Leaves[i].Raw)
		if !hasValues(raw) {
			continue
		}
		for _, word := range strings.FieldsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'<>()`, r) }) {
			if !strings.Contains(word, "://") {
				continue
			}
			if t, ok := r.sentIn(word, c.Before); ok {
				t.Words = r.writeValue(t.Words, &Trace{Text: t.Text}, c)
				return t, true
			}
		}
	}
	return Trace{}, false
}

// sentIn is FindSentAway for one address.
func (r *Reader) sentIn(address string, before int) (Trace, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return Trace{}, false
	}
	host, folded := strings.ToLower(u.Hostname()), utterance.Fold(address)
	named, prose := false, -1
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		text := r.folded(i)
		if strings.Contains(text, folded) {
			return Trace{}, false // a link that was given as a whole
		}
		switch from := r.texts[i].From; {
		case from == provenance.FromAgent:
		case !strings.Contains(text, host):
		case from == provenance.FromTool:
			prose = i
		default:
			named = true
		}
	}
	if named {
		return Trace{}, false
	}
	query := u.Query()
	for _, key := range slices.Sorted(maps.Keys(query)) {
		for _, v := range query[key] {
			v = utterance.Fold(strings.TrimSpace(v))
			if t, ok := r.findSecretPart(v, before); ok {
				return t, true
			}
			at := r.readFrom(v, before)
			if at < 0 {
				continue
			}
			secret := utterance.HoldsListed(key, "secretName") || utterance.HoldsListed(r.texts[at].Text, "secretName")
			switch {
			case secret && len(v) > 5 && strings.ContainsFunc(v, unicode.IsDigit):
				return Trace{By: ByNobody, Text: at, Words: v, Why: "a secret that was read is sent to an address that nobody named", Against: true}, true
			case prose >= 0 && !strings.Contains(r.folded(at), host): // a page's own value may go back to it
				return Trace{By: ByData, Text: prose, Words: host, Why: "what was read is sent to an address that only the data names", Against: true}, true
			}
		}
	}
	return r.findSecretPart(utterance.Fold(u.Path+" "+u.Fragment+" "+u.RawQuery), before)
}

// findSecretPart returns the trace of an address, if one of the words in a part of it is a secret that was read.
func (r *Reader) findSecretPart(text string, before int) (Trace, bool) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("/,;:=+&", c) }) {
		if key := r.secretKey(w, before); key != "" && !r.isNamed(w, before) {
			return Trace{By: ByNobody, Text: r.readFrom(w, before), Words: w, Why: "the " + key + " that was read is sent to an address that nobody named", Against: true}, true
		}
	}
	return Trace{}, false
}

// readFrom returns the result in which a value stands that no person said, or -1.
func (r *Reader) readFrom(value string, before int) int {
	if len(value) < 5 || r.isNamed(value, before) {
		return -1
	}
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		if r.texts[i].From == provenance.FromTool && len(r.texts[i].Text) <= mostData && utterance.HoldsWord(r.folded(i), value) {
			return i
		}
	}
	return -1
}

// MaySendAway reports whether a call has an address with values in it: a query, or a part with letters and digits.
func MaySendAway(c *similarity.Call) bool {
	return slices.ContainsFunc(c.Leaves, func(l similarity.Leaf) bool { return hasValues(l.Raw) })
}

func hasValues(raw string) bool {
	at := strings.Index(raw, "://")
	return at >= 0 && (strings.ContainsAny(raw[at:], "?=") || slices.ContainsFunc(strings.Split(raw[at+3:], "/"), func(part string) bool {
		return len(part) > 7 && deed.IsCode(strings.Trim(utterance.Fold(part), `"'`))
	}))
}
