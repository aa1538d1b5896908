package requests

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// "If it is free, book it" asks for nothing where the result says that it is not free. Only what is
// plain is decided: a state that a list of words.txt names, or a limit of a number.

// state is one thing that a condition may ask: the words for it, and those for its opposite.
type state struct{ yes, no []string }

// findUnmet returns a trace in place of one to a request, if the request has a condition and the
// newest result that says anything about it says no.
func (r *Reader) findUnmet(t *Trace, d *deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.By != ByUser {
		return Trace{}, false
	}
	if clause := exceptIn(s.words); clause != nil {
		return r.findExcepted(t, clause, d, c)
	}
	at := slices.IndexFunc(s.words, func(w string) bool { return isListed("if", w) })
	if at < 0 || slices.ContainsFunc(s.words, func(w string) bool { return isListed("else", w) }) {
		return Trace{}, false
	}
	clause := s.words[at:]
	if len(clause) > 1 && isListed("bare", clause[1]) { // "Check whether it is paid; if not, …"
		clause = slices.Concat(r.wordsBefore(t), clause[1:2])
	}
	told := false
	for i := min(c.Before, len(r.texts)) - 1; i > t.Text; i-- {
		if x := &r.texts[i]; x.From == provenance.FromTool && len(x.Text) <= mostData {
			if met, known := isMet(clause, x.Text); known && !met {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this on a condition that the result does not meet"}, true
			} else if known {
				return Trace{}, false
			}
			told = true
		}
	}
	if told && r.means == NoMeans && asksState(clause) {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this on a condition of which no result says whether it is met"}, true
	}
	return Trace{}, false
}

// exceptIn returns the clause that says when a deed is not to be done, as in "unless it has shipped".
func exceptIn(words []string) []string {
	for i, w := range words {
		from := i + 1
		if w == "" || strings.IndexByte("amstu", w[0]) < 0 { // it begins no phrase of the list
			continue
		}
		if !isListed("unless", w) {
			if from == len(words) || !isListed("unless", w+" "+words[from]) {
				continue
			}
			from++
		}
		clause := words[from:]
		if end := slices.Index(clause, ","); end > 0 && i == 0 {
			clause = clause[:end]
		}
		return clause
	}
	return nil
}

// findExcepted returns a trace in place of one to a request that says when the deed is not to be done, if
// the newest result that says anything about it says that it is so. What it asks for is a known state or
// limit, or else what its own words say.
func (r *Reader) findExcepted(t *Trace, clause []string, d *deed, c *Action) (Trace, bool) {
	var own state
	for _, w := range clause {
		if len(w) > 3 && !isFunctionWord(w) && !isListed("denial", w) && !slices.Contains(d.words, singularOf(w)) && !slices.Contains(d.values, w) {
			own.yes = append(own.yes, w)
		}
	}
	denied := slices.ContainsFunc(clause, func(w string) bool { return isListed("denial", w) })
	for i := min(c.Before, len(r.texts)) - 1; i > t.Text; i-- {
		x := &r.texts[i]
		if x.From != provenance.FromTool || len(x.Text) > mostData {
			continue
		}
		is, known := isMet(clause, x.Text)
		if !known {
			is, known = own.read(x.Text)
			is = is != denied
		}
		if known && is {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this unless something is so, and a result says that it is"}, true
		}
		if known {
			return Trace{}, false
		}
	}
	return Trace{}, false
}

// asksState reports whether a condition asks for a state that results say in words that are known.
func asksState(clause []string) bool {
	for _, x := range theTables().states {
		if countWords(clause, x.yes)+countWords(clause, x.no) > 0 {
			return true
		}
	}
	return false
}

// wordsBefore returns the words of the sentence before that of a trace.
func (r *Reader) wordsBefore(t *Trace) []string {
	read := r.readingOf(t.Text)
	for k := range read.sentences {
		if k > 0 && read.sentences[k].text == t.Words {
			return read.sentences[k-1].words
		}
	}
	return nil
}

// sentenceOf returns the sentence of a trace.
func (r *Reader) sentenceOf(t *Trace) *sentence {
	if t.Text < 0 {
		return nil
	}
	read := r.readingOf(t.Text)
	for k := range read.sentences {
		if read.sentences[k].text == t.Words {
			return &read.sentences[k]
		}
	}
	return nil
}

// isMet reports whether a result meets a condition, and whether it says anything about it.
func isMet(clause []string, result string) (met, known bool) {
	if limit, below, ok := limitIn(clause); ok {
		return isWithin(limit, below, result)
	}
	for _, x := range theTables().states {
		yes, no := countWords(clause, x.yes), countWords(clause, x.no)
		if yes+no == 0 {
			continue
		}
		wanted := yes > 0
		if slices.ContainsFunc(clause, func(w string) bool { return isListed("denial", w) }) {
			wanted = !wanted
		}
		if holds, ok := x.read(result); ok {
			return holds == wanted, true
		}
	}
	return false, false
}

func countWords(words, of []string) (n int) {
	for _, w := range words {
		if slices.Contains(of, w) {
			n++
		}
	}
	return n
}

// limitIn returns the only number of a condition, if a word before it makes it a limit.
func limitIn(clause []string) (limit float64, below, ok bool) {
	for i, w := range clause {
		x, err := strconv.ParseFloat(strings.TrimRight(w, "€$"), 64)
		if err != nil {
			continue
		}
		if ok {
			return 0, false, false
		}
		for _, b := range clause[max(0, i-3):i] {
			switch {
			case isListed("below", b):
				limit, below, ok = x, true, true
			case isListed("above", b):
				limit, below, ok = x, false, true
			}
		}
	}
	return limit, below, ok
}

// isWithin compares the numbers of a result in JSON with a limit. If they differ in that, nothing is
// known.
func isWithin(limit float64, below bool, result string) (met, known bool) {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil {
		return false, false
	}
	for _, l := range v.Leaves() {
		x, ok := l.Value.Float()
		if !ok {
			continue
		}
		if within := (x < limit) == below; known && within != met {
			return false, false
		} else {
			met, known = within, true
		}
	}
	return met, known
}

// read returns whether a result says that the state holds.
func (x *state) read(result string) (holds, known bool) {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil || v.Kind() != jsonval.Object && v.Kind() != jsonval.Array {
		return x.readText(foldText(result))
	}
	for _, l := range v.Leaves() {
		key := foldText(l.Key)
		isYes, isNo := hasAnyPart(key, x.yes), hasAnyPart(key, x.no)
		if b, ok := l.Value.Bool(); ok && (isYes || isNo) {
			return b == isYes, true
		}
		if n, ok := l.Value.Float(); ok && (isYes || isNo) {
			return (n > 0) == isYes, true
		}
		if s, ok := l.Value.Str(); ok {
			if holds, known := x.readText(foldText(s)); known {
				return holds, known
			}
		}
	}
	return false, false
}

// readText is read for folded text. A word after 0 or a denial counts as its opposite.
func (x *state) readText(text string) (holds, known bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		isYes, isNo := slices.Contains(x.yes, w), slices.Contains(x.no, w)
		if !isYes && !isNo {
			continue
		}
		none := i > 0 && (words[i-1] == "0" || isListed("denial", words[i-1]))
		if isNo && !none {
			return false, true // some failed, however many passed
		}
		holds, known = isYes != none, true
	}
	return holds, known
}

// hasAnyPart reports whether one of the words of a key is in a list.
func hasAnyPart(key string, list []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return slices.Contains(list, w) })
}
