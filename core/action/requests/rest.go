package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
)

// What is not understood is not denied: words of a request that ask for something, but not in words that
// are known, leave open who asked for a deed.

// readRest notes whether a sentence goes on after "and" with a verb that is not known, as in "Read it and
// enter it".
func (s *sentence) readRest(hits []hit) {
	if len(s.words) > 1 && s.asks == 0 && s.has&Look == 0 && !isFunctionWord(s.words[0]) && !isFiller(s.words[0]) && !isListed("courtesy", s.words[0]) && isListed("determiner", s.words[1]) && !isCovered(hits, 0) {
		s.rest = true // "Load the file"
	}
	for i := 1; i+2 < len(s.words); i++ {
		w := s.words[i+1]
		if isListed("and", s.words[i]) && !isFunctionWord(w) && !isFiller(w) && isListed("determiner", s.words[i+2]) && !isCovered(hits, i+1) {
			s.rest = true
		}
	}
}

// mayMean reports whether a request that is not wholly understood has a word or a value of a deed.
func (o *open) mayMean(d *deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		if !q.sentence.rest {
			return false
		}
		values, word := d.countShared(foldText(q.sentence.text), q.sentence.words)
		return values > 0 || word
	})
}

// leavesRest reports whether a request has a clause that says more of what is wanted, as in "not too loud",
// of which nothing that was done has a word.
func (o *open) leavesRest(done []string) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.question {
			return false
		}
		if s.rest {
			return true
		}
		for from := 0; from < len(s.words); {
			to := from
			for to < len(s.words) && s.words[to] != "," {
				to++
			}
			if clause := s.words[from:to]; from > 0 && len(clause) > 1 && isListed("goesOn", clause[0]) && !slices.ContainsFunc(clause[1:], func(w string) bool {
				return kindOf(w)&deedKinds != 0 || slices.Contains(done, w)
			}) {
				return true
			}
			from = to + 1
		}
		return false
	})
}

// findPointed returns the request for a deed in a text of the user that says to do "that" after a sentence
// that names the deed or one of its values.
func (r *Reader) findPointed(o *open, d *deed) (Trace, bool) {
	for i := len(o.requests) - 1; i > 0; i-- {
		q := &o.requests[i]
		if q.agreed || !q.sentence.isVague() && q.sentence.has&agrees == 0 || q.sentence.asks != 0 || plainWords(q.sentence.words) > 4 {
			continue
		}
		for k := i - 1; k >= 0 && o.requests[k].text == q.text; k-- {
			s := o.requests[k].sentence
			if values, word := d.countShared(foldText(s.text), s.words); !s.question && (values > 0 || word || d.sameOrWider(s.named, nil) || d.isNamedIn(s.words, nil)) {
				return Trace{By: ByUser, Text: q.text, Words: s.text, Why: "the user said to do this"}, true
			}
		}
	}
	return Trace{}, false
}

// isSpokenOf reports whether an instruction has a word of the name of a deed.
func (r *Reader) isSpokenOf(d *deed, before int) bool {
	return slices.ContainsFunc(r.policies, func(i int) bool {
		return i < before && slices.ContainsFunc(r.readingOf(i).sentences, func(s sentence) bool {
			return s.has&wishes == 0 && s.bars == 0 && (d.isNamedIn(s.words, nil) || slices.Contains(s.words, d.tool) || d.sharesValue(&s))
		})
	})
}

// findWidened returns a trace in place of one to a request, if the deed lets everybody see something, and no
// person said so.
func (r *Reader) findWidened(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	at := slices.IndexFunc(d.values, func(v string) bool { return isListed("public", v) })
	if at < 0 || r.isSaid(o, -1, c.Before, func(text string) bool {
		return slices.ContainsFunc(readTokens(text), func(w string) bool { return isListed("everybody", w) || isListed("publish", w) })
	}) {
		return Trace{}, false
	}
	out := Trace{Text: t.Text, Words: t.Words, Why: "nobody said that it is to be " + d.values[at]}
	if slices.ContainsFunc(readTokens(t.Words), func(w string) bool { return isListed("audience", w) }) {
		out.By = ByNobody
	}
	return out, true
}

// findLeak returns a trace in place of one to a request, if the text that the deed sends has a secret that a
// result called one, and no person spoke of it.
func (r *Reader) findLeak(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds&(Send|Make|Change) == 0 || t.delegated || r.means != NoMeans {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		for _, w := range strings.FieldsFunc(foldText(trimQuotes(c.Call.Leaves[i].Raw)), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"'", r) }) {
			if w = strings.Trim(w, "."); len(w) < 4 || len(w) > 80 || !strings.ContainsFunc(w, unicode.IsDigit) || isDate(w) || r.isMade(w) {
				continue
			}
			if key := r.secretKey(w, c.Before); key != "" && !r.isSaid(o, -1, c.Before, func(text string) bool {
				return holdsWord(text, w) || strings.Contains(text, key) || slices.ContainsFunc(readTokens(text), func(w string) bool { return isListed("secretWord", w) || isListed("codeWord", w) })
			}) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "nobody said to use the " + key + " that was read"}, true
			}
		}
	}
	return Trace{}, false
}

// secretKey returns the name under which a result has a value, if that is the name of a secret, or "".
func (r *Reader) secretKey(value string, before int) string {
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		x := &r.texts[i]
		if x.From != provenance.FromTool || len(x.Text) > mostData || !strings.Contains(r.folded(i), value) {
			continue
		}
		for _, l := range leavesOf(x.Text) {
			if foldText(l.value) == value && isSecretKey(l.key) {
				return strings.ReplaceAll(foldText(l.key), "_", " ")
			}
		}
	}
	return ""
}

// namesAside reports whether a clause of a request that looks at nothing names a deed of this kind, as in
// "Check who has not paid, a short mail each".
func (r *Reader) namesAside(o *open, d *deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.question || !slices.Contains(s.words, ",") {
			return false
		}
		for from, first := 0, true; from < len(s.words); first = false {
			to := from
			for to < len(s.words) && s.words[to] != "," {
				to++
			}
			var k Kinds
			for _, h := range theTables().of[r.language()].findPatterns(s.words[from:to]) {
				k |= h.kinds
			}
			if !first && to-from > 2 && k&Look == 0 && k&d.kinds&^Other != 0 {
				return true
			}
			from = to + 1
		}
		return false
	})
}

// isSecretKey reports whether the name of a member is that of a secret: a password, or the code of a door.
func isSecretKey(key string) bool {
	words := mutation.NameWords(key)
	code := slices.ContainsFunc(words, func(w string) bool { return isListed("codeWord", foldName(w)) })
	return slices.ContainsFunc(words, func(w string) bool {
		return isListed("secretWord", foldName(w)) || code && isListed("secretCode", foldName(w))
	})
}
