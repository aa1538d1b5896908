package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
)

// Limits of the search for passages: the bytes of one result, the sentences of a run, and
// the searches of a run. Beyond them, no passage is found.
const (
	mostData     = 20000
	mostParts    = 5000
	mostSearches = 200
)

// part is one sentence of the data.
type part struct {
	text, folded string
	sentence     sentence
}

// partsOf returns the sentences of a result.
func (r *Reader) partsOf(i int) []part {
	if list, known := r.parts[i]; known {
		return list
	}
	var list []part
	text := r.texts[i].Text
	if r.texts[i].From == provenance.FromUser {
		_, text = splitQuoted(text)
	}
	for _, s := range dataParts(text[:min(len(text), mostData)]) {
		if r.partCount >= mostParts {
			break
		}
		r.partCount++
		list = append(list, newPart(s))
	}
	r.parts[i] = list
	return list
}

func newPart(text string) part {
	p := part{text: text, folded: foldText(text)}
	lang := languageOf(text)
	p.sentence = readSentence(text, lang)
	if p.sentence.question && lang != "en" {
		p.sentence.asks |= p.sentence.named
	}
	return p
}

// findPassage returns the passage of the data that asks for a deed: a sentence that names a
// deed of this kind together with a value or a word of it. Unless loose is true, the
// sentence must ask for it as a person asks.
func (r *Reader) findPassage(d *deed, c *Action, loose bool) (Trace, bool) {
	best, score := Trace{}, 0
	if r.searches++; r.searches > mostSearches {
		return best, false
	}
	for _, text := range r.tools[:min(len(r.tools), mostSearches)] {
		for _, s := range dataParts(text[:min(len(text), mostData)]) {
			x := newPart(s)
			if n := d.namedIn(&x, false); n > score {
				score, best = n, Trace{By: ByData, Text: -1, Words: s, Why: "only the description of a tool asks for this"}
			}
		}
	}
	for i := min(c.Before, len(r.texts)) - 1; i >= 0; i-- {
		if from := r.texts[i].From; from != provenance.FromTool && from != provenance.FromSchema && (from != provenance.FromUser || !loose) {
			continue
		}
		list := r.partsOf(i)
		for k := range list {
			if n := d.namedIn(&list[k], loose); n > score {
				score, best = n, Trace{By: ByData, Text: i, Words: list[k].text, Why: "only the data asks for this"}
			}
		}
	}
	return best, score > 0
}

// findStray returns a trace in place of one to the user's words, if the deed sends something
// to an address that no person named, although the user named another one, or the data
// asks for it.
func (r *Reader) findStray(t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds&Pay != 0 && r.searches <= mostSearches {
		if other, ok := r.findOtherPayee(t, d, c); ok {
			return other, true
		}
	}
	if d.kinds&Send == 0 || r.searches > mostSearches {
		return Trace{}, false
	}
	asked, address := foldText(t.Words), ""
	for _, v := range d.values {
		if strings.Contains(v, "@") && !strings.Contains(v, " ") && !r.isNamed(v, c.Before) && !isAddressOf(v, asked) {
			address = v
		}
	}
	if address == "" || pointsElsewhere(asked) {
		return Trace{}, false
	}
	if other, ok := r.findPassage(&deed{kinds: d.kinds, values: []string{address}}, c, false); ok {
		other.Why = "the user asked to send something, but only the data names this address"
		return other, true
	}
	if strings.Contains(asked, "@") {
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named another address"}, true
	}
	return Trace{}, false
}

// findOtherPayee returns a trace in place of one to the user's words, if the deed pays to an
// account that no person named, and the user named another one.
func (r *Reader) findOtherPayee(t *Trace, d *deed, c *Action) (Trace, bool) {
	asked := readTokens(foldText(t.Words))
	if !slices.ContainsFunc(asked, isAccount) {
		return Trace{}, false
	}
	for _, v := range d.values {
		if !isAccount(v) || r.isNamed(v, c.Before) {
			continue
		}
		if other, ok := r.findPassage(&deed{kinds: d.kinds, values: []string{v}}, c, false); ok {
			other.Why = "the user named another account, and only the data names this one"
			return other, true
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named another account"}, true
	}
	return Trace{}, false
}

// isAccount reports whether a word may be the number of an account, such as an IBAN.
func isAccount(w string) bool {
	digits := 0
	for i := range len(w) {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c < 'a' || c > 'z':
			return false
		}
	}
	return len(w) >= 8 && digits >= 6
}

// isAddressOf reports whether a word of folded text is in the name of an address.
func isAddressOf(address, asked string) bool {
	name, _, _ := strings.Cut(address, "@")
	return slices.ContainsFunc(readTokens(asked), func(w string) bool { return len(w) > 1 && strings.Contains(name, w) && (len(w) > 2 || w == name) })
}

// isNamed reports whether a person named a value: the user, the developer, or the agent in a
// text that the user has answered.
func (r *Reader) isNamed(value string, n int) bool { return r.isNamedAfter(-1, value, n) }

// isNamedAfter is isNamed for the texts from the one at index first.
func (r *Reader) isNamedAfter(first int, value string, n int) bool {
	answered := false
	for i := min(n, len(r.texts)) - 1; i >= max(first, 0); i-- {
		from := r.texts[i].From
		answered = answered || from == provenance.FromUser
		if (from == provenance.FromUser || from == provenance.FromPolicy || from == provenance.FromAgent && answered) && holdsWord(r.folded(i), value) {
			return true
		}
	}
	return false
}

// pointsElsewhere reports whether a request says where the address stands.
func pointsElsewhere(asked string) bool { return holdsListed(asked, "elsewhere") }

// dataParts splits a result into its sentences. The quotes of JSON and of Python's
// dictionaries separate sentences, too.
func dataParts(text string) []string {
	text = separators.Replace(text)
	var out []string
	for _, s := range splitSentences(text) {
		if strings.Count(s, " ") >= 2 || len(s) > 12 {
			out = append(out, s)
		}
	}
	return out
}

var separators = strings.NewReplacer("\\n", "\n", "': '", "\n", "', '", "\n", `": "`, "\n", `", "`, "\n", `":"`, "\n", `","`, "\n", "{", "\n", "}", "\n", "[", "\n", "]", "\n", `': "`, "\n", `\"`, "\n", "# ", "\n", "// ", "\n", "!!!", ".\n")

// namedIn returns how well a sentence of the data fits a deed; 0 if it does not ask for it.
func (d *deed) namedIn(p *part, loose bool) int {
	s := &p.sentence
	if plainWords(s.words) < 4 {
		return 0
	}
	values, word := d.countShared(p.folded, s.words)
	asks := d.sameOrWider(s.asks, s.verbs) || len(d.name) > 1 && slices.Contains(s.words, d.tool)
	switch {
	case asks && (values > 0 || word):
		return 10 + values
	case loose && d.sameOrWider(s.named, nil) && values > 0:
		return 5 + values
	case loose && asks && len(s.words) > 3:
		return 3
	case loose && values > 0 && s.asks != 0:
		return values
	}
	return 0
}

// plainWords counts the words of at least two letters.
func plainWords(words []string) int {
	n := 0
	for _, w := range words {
		if len(w) > 1 {
			n++
		}
	}
	return n
}
