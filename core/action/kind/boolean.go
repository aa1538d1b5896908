package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// yesWords and noWords are the words that tools read as a boolean.
const (
	yesWords = " true yes y on t 1 enabled enable "
	noWords  = " false no n off f 0 disabled disable "
)

func (v *value) isBool() bool {
	return v.kind == jsonval.Bool || v.isString() && isListed(wordlist.Lower(v.text), " true false ")
}

// booleanKeys has words of the names of arguments that hold a boolean.
const booleanKeys = " hidden locked archived pinned muted verified required optional shared featured recurring taxable refundable enabled enable active is has allow allowed flag notify notification consent confirmed confirm subscribed public private visible dry force recursive "

// compareBooleans compares a boolean with a word for it, and two such words.
func (p *pair) compareBooleans() Outcome {
	a, ok := readTruth(p.a.text)
	b, ok2 := readTruth(p.b.text)
	switch {
	case !ok || !ok2:
		return Open
	case p.isPolar():
		return p.comparePolar(a, b)
	case a == b && isTruthBesideNumber(&p.a, &p.b) && !p.named(booleanKeys):
		return Unsure // 1 may be a number of things
	case p.a.isBool() || p.b.isBool() || p.named(booleanKeys) || isSwitch(p.a.text) && isSwitch(p.b.text):
		return sameIf(a == b)
	}
	return Open
}

// isTruthBesideNumber reports whether exactly one of two values is written as a number.
func isTruthBesideNumber(a, b *value) bool {
	isNumber := func(v *value) bool { return v.text == "0" || v.text == "1" }
	return isNumber(a) != isNumber(b)
}

func isSwitch(s string) bool { return isListed(wordlist.Lower(s), " on off ") }

func readTruth(s string) (yes, ok bool) {
	s = wordlist.Lower(strings.TrimSpace(s))
	yes = isListed(s, yesWords)
	return yes, yes || isListed(s, noWords)
}

// negativeWords are words of the names of choices whose yes says no, and wordsOfState are words for a choice
// that name what is chosen.
const (
	negativeWords = " disabled disable inactive off skip no without exclude ignore omit prevent deny opt "
	wordsOfState  = " disabled disable enabled enable on off "
)

// isPolar reports whether the argument's name says no, and exactly one of the values names a state, such as
// "enabled", beside a plain yes or no.
func (p *pair) isPolar() bool {
	return p.named(negativeWords) && isListed(wordlist.Lower(p.a.text), wordsOfState) != isListed(wordlist.Lower(p.b.text), wordsOfState)
}

// comparePolar compares a state with a yes or no of an argument whose name says no. The name of a state, such
// as disabled, is yes if the state is the same word; of a deed that is left out, such as skip_backup, the words may mean either.
func (p *pair) comparePolar(a, b bool) Outcome {
	state, other := p.a.text, b
	if !isListed(wordlist.Lower(state), wordsOfState) {
		state, other = p.b.text, a
	}
	if yes, _ := readTruth(state); p.ends(" disabled inactive ") && !isSwitch(state) {
		return sameIf(yes != other)
	}
	return Unsure
}
