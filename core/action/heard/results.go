package heard

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Limits of the search for passages: the bytes of one result, and the sentences of a run. Beyond them,
// no passage is found.
const (
	MostData  = 20000
	mostParts = 5000
)

// Part is one sentence of the data.
type Part struct {
	Text, Folded string
	Sentence     utterance.Sentence
}

// ResultsBefore returns the results before text number n that are not too long to be searched, the newest first.
func (r *Run) ResultsBefore(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := min(n, len(r.Texts)) - 1; i >= 0; i-- {
			if x := &r.Texts[i]; x.From == provenance.FromTool && len(x.Text) <= MostData && !yield(i) {
				return
			}
		}
	}
}

// ResultsWith returns the results of ResultsBefore that have one of some folded values, perhaps
// without their folder or name, and the values that each of them has. It searches all results at
// once, because a run may have as many calls as results.
func (r *Run) ResultsWith(values []string, n int) iter.Seq2[int, []string] {
	n = min(n, len(r.Texts))
	for i := len(r.ends); i < n; i++ {
		if x := &r.Texts[i]; x.From == provenance.FromTool && len(x.Text) <= MostData {
			r.joined = append(append(append(append(r.joined, x.Text...), 0), r.Folded(i)...), 0)
		}
		r.ends = append(r.ends, len(r.joined))
	}
	type hit struct{ text, value int }
	var hits []hit
	end := 0
	if n > 0 {
		end = r.ends[n-1]
	}
	for k, v := range values {
		base := []byte(v[strings.LastIndexAny(v, "/=")+1:])
		for from := 0; from < end; {
			at := bytes.Index(r.joined[from:end], base)
			if at < 0 {
				break
			}
			i, _ := slices.BinarySearch(r.ends, from+at+1)
			hits, from = append(hits, hit{i, k}), r.ends[i]
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(b.text-a.text, a.value-b.value) })
	return func(yield func(int, []string) bool) {
		for len(hits) > 0 {
			i, held := hits[0].text, []string(nil)
			for ; len(hits) > 0 && hits[0].text == i; hits = hits[1:] {
				held = append(held, values[hits[0].value])
			}
			if !yield(i, held) {
				return
			}
		}
	}
}

// PartsOf returns the sentences of a result.
func (r *Run) PartsOf(i int) []Part {
	if list, known := r.parts[i]; known {
		return list
	}
	var list []Part
	text := r.Texts[i].Text
	if r.Texts[i].From == provenance.FromUser {
		_, text = utterance.SplitQuoted(text)
	}
	for _, s := range utterance.DataParts(text[:min(len(text), MostData)]) {
		if r.partCount >= mostParts {
			break
		}
		r.partCount++
		list = append(list, NewPart(s))
	}
	r.parts[i] = list
	return list
}

// NewPart reads a sentence of the data. An order that somebody only reports asks, too.
func NewPart(text string) Part {
	p := Part{Text: text, Folded: utterance.Fold(text)}
	lang := utterance.LanguageOf(text)
	p.Sentence = utterance.ReadSentence(text, lang)
	p.Sentence.Asks |= p.Sentence.Reported // "Your boss told me to ask you to pay" is an order all the same
	if p.Sentence.Question && lang != "en" {
		p.Sentence.Asks |= p.Sentence.Named
	}
	return p
}

// IsOfOurs reports whether a result has a word for somebody whom the user calls his own, such as my accountant.
func (r *Run) IsOfOurs(asked string, result int) bool {
	if result < 0 {
		return false
	}
	words := utterance.Tokens(asked)
	for i := range len(words) - 1 {
		if utterance.Listed("ours", words[i]) && len(words[i+1]) > 3 && utterance.HoldsWord(r.Folded(result), words[i+1]) {
			return true
		}
	}
	return false
}
