package utterance

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// state is one thing that a condition may ask: the words for it, and those for its opposite.
type state struct{ yes, no []string }

// ExceptIn returns the clause that says when a deed is not to be done, as in "unless it has shipped".
func ExceptIn(words []string) []string {
	for i, w := range words {
		from := i + 1
		if w == "" || strings.IndexByte("amstu", w[0]) < 0 { // it begins no phrase of the list
			continue
		}
		if !Listed("unless", w) {
			if from == len(words) || !Listed("unless", w+" "+words[from]) {
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

// AsksState reports whether a condition asks for a state that results say in words that are known.
func AsksState(clause []string) bool {
	for _, x := range theTables().states {
		if countWords(clause, x.yes)+countWords(clause, x.no) > 0 {
			return true
		}
	}
	return false
}

// IsMet reports whether a result meets a condition, and whether it says anything about it.
func IsMet(clause []string, result string) (met, known bool) {
	if limit, below, ok := limitIn(clause); ok {
		return isWithin(limit, below, clause, result)
	}
	for _, x := range theTables().states {
		yes, no := countWords(clause, x.yes), countWords(clause, x.no)
		if yes+no == 0 {
			continue
		}
		wanted := yes > 0
		if AnyListed("denial", clause) {
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
		if n := NumberOf(w); err != nil && n > 1 {
			x, err = float64(n), nil // "more than five days"
		}
		if err != nil {
			continue
		}
		if ok {
			return 0, false, false
		}
		for _, b := range clause[max(0, i-3):i] {
			switch {
			case Listed("below", b):
				limit, below, ok = x, true, true
			case Listed("above", b):
				limit, below, ok = x, false, true
			}
		}
	}
	return limit, below, ok
}

// isWithin compares the numbers of a result in JSON with a limit: those under a name with a word of the condition, or all if
// there are none. If they differ in that, nothing is known.
func isWithin(limit float64, below bool, clause []string, result string) (met, known bool) {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil {
		return false, false
	}
	leaves := v.Leaves()
	isNamed := func(l jsonval.Leaf) bool {
		_, ok := l.Value.Float()
		return ok && hasAnyPart(Fold(l.Key), clause)
	}
	named := slices.ContainsFunc(leaves, isNamed)
	for _, l := range leaves {
		x, ok := l.Value.Float()
		if !ok || named && !isNamed(l) {
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

// HoldsIn returns whether a result says that a state holds for which there are some words.
func HoldsIn(words []string, result string) (holds, known bool) {
	return (&state{yes: words}).read(result)
}

// read returns whether a result says that the state holds.
func (x *state) read(result string) (holds, known bool) {
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil || v.Kind() != jsonval.Object && v.Kind() != jsonval.Array {
		return x.readText(Fold(result))
	}
	for _, l := range v.Leaves() {
		key := Fold(l.Key)
		isYes, isNo := hasAnyPart(key, x.yes), hasAnyPart(key, x.no)
		if b, ok := l.Value.Bool(); ok && (isYes || isNo) {
			return b == isYes, true
		}
		if n, ok := l.Value.Float(); ok && (isYes || isNo) && HoldsListed(key, "chance") {
			return (n >= 50 || n <= 1 && n >= 0.5) == isYes, true // rain_probability: 5
		}
		if n, ok := l.Value.Float(); ok && (isYes || isNo) {
			return (n > 0) == isYes, true
		}
		if s, ok := l.Value.Str(); ok {
			if holds, known := x.readText(Fold(s)); known {
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
		none := i > 0 && (words[i-1] == "0" || Listed("denial", words[i-1]))
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
