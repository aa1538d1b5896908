package requests

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
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
			if key := r.SecretKey(w, c.Before); key != "" && !r.isMade(w) && !r.isSaid(o, -1, c.Before, func(text string) bool { return speaksOfSecret(text, w, key) }) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "nobody said to use the " + key + " that was read"}, true
			}
		}
	}
	return Trace{}, false
}

// speaksOfSecret reports whether folded text speaks of a secret with a name, or of any, in a sentence that denies nothing: "Don't paste
// anything secret" lets none out.
func speaksOfSecret(text, secret, key string) bool {
	if utterance.HoldsWord(text, secret) || utterance.HoldsListed(text, "secretSign") {
		return true
	}
	for _, s := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(".!?\n;", c) }) {
		words := utterance.Tokens(s)
		if !utterance.AnyListed("denial", words) && !utterance.AnyListed("never", words) && !slices.Contains(words, "without") && (strings.Contains(s, key) || slices.ContainsFunc(words, func(w string) bool {
			return utterance.Listed("secretWord", w) || utterance.Listed("codeWord", w) || utterance.Listed("loginWord", w)
		})) {
			return true
		}
	}
	return false
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
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		text := r.Folded(i)
		if strings.Contains(text, folded) {
			return Trace{}, false // a link that was given as a whole
		}
		switch from := r.Texts[i].From; {
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
			at := r.ReadFrom(v, before)
			if at < 0 {
				continue
			}
			secret := utterance.HoldsListed(key, "secretName") || utterance.HoldsListed(r.Texts[at].Text, "secretName")
			switch {
			case secret && len(v) > 5 && strings.ContainsFunc(v, unicode.IsDigit):
				return Trace{By: ByNobody, Text: at, Words: v, Why: "a secret that was read is sent to an address that nobody named", Against: true}, true
			case prose >= 0 && !strings.Contains(r.Folded(at), host): // a page's own value may go back to it
				return Trace{By: ByData, Text: prose, Words: host, Why: "what was read is sent to an address that only the data names", Against: true}, true
			}
		}
	}
	return r.findSecretPart(utterance.Fold(u.Path+" "+u.Fragment+" "+u.RawQuery), before)
}

// findSecretPart returns the trace of an address, if one of the words in a part of it is a secret that was read.
func (r *Reader) findSecretPart(text string, before int) (Trace, bool) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("/,;:=+&", c) }) {
		if key := r.SecretKey(w, before); key != "" && !r.IsNamed(w, before) {
			return Trace{By: ByNobody, Text: r.ReadFrom(w, before), Words: w, Why: "the " + key + " that was read is sent to an address that nobody named", Against: true}, true
		}
	}
	return Trace{}, false
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
