package proof

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// argumentsDiffer reports whether the arguments of an action and of its step are proven to differ: some pair of them is.
func (w *weigher) argumentsDiffer(f *violation.Finding) bool {
	r := &w.rulings[f.Row]
	d := &r.Diff
	if w.Profile != boundary.Outcome || f.Type == violation.OverAction || len(d.Changed)+len(d.Missing)+len(d.Extra) == 0 {
		return true
	}
	if len(d.Changed) == 0 {
		switch {
		case len(d.Missing) == 0:
			return slices.ContainsFunc(d.Extra, func(l similarity.Leaf) bool { return l.Raw != "false" })
		case len(d.Extra) > 0:
			return f.Type != violation.EndBoundary || !isOtherForm(d)
		}
		return slices.ContainsFunc(d.Missing, func(l similarity.Leaf) bool { return !w.showsWanted(f.Obs, l.Key, l.Raw, "") })
	}
	if len(d.Missing)+len(d.Extra) > 0 {
		return true
	}
	return slices.ContainsFunc(d.Changed, func(p similarity.Pair) bool {
		return p.Wanted || !w.mayBeEqual(f, &p, r)
	})
}

// isOtherForm reports whether the arguments of two calls have no name in common, so that they may say the same in another
// form, as a point and its two coordinates.
func isOtherForm(d *similarity.Difference) bool {
	for _, m := range d.Missing {
		for _, x := range d.Extra {
			if isChoice(m.Raw) || isChoice(x.Raw) || shareWord(rootWords(m), rootWords(x)) {
				return false
			}
		}
	}
	return true
}

// rootWords returns the words of the name of the argument in which a value stands, and of its own.
func rootWords(l similarity.Leaf) []string {
	root := l.Path
	if end := strings.IndexAny(root, ".["); end > 0 {
		root = root[:end]
	}
	return slices.Concat(mutation.NameWords(root), mutation.NameWords(l.Key))
}

func isChoice(raw string) bool { return raw == "true" || raw == "false" }

func shareWord(a, b []string) bool {
	return slices.ContainsFunc(a, func(v string) bool {
		return slices.ContainsFunc(b, func(w string) bool { return mutation.WordForm(v) == mutation.WordForm(w) })
	})
}

// mayBeEqual reports whether nothing proves that two values differ: they are command lines of another build with the same
// words, or what the run saw says that the one stands for the other.
func (w *weigher) mayBeEqual(f *violation.Finding, p *similarity.Pair, r *equivalence.Ruling) bool {
	a, b := similarity.Plain(p.Observed), similarity.Plain(p.Reference)
	switch r.Kinds[p.Path] {
	case kind.Command:
		return mayBeOneLine(a, b)
	case kind.Quantity:
		if r.Certain <= kind.Likely {
			return true // rounded, or in units of 1024
		}
	case kind.Text:
		if r.Certain <= kind.Likely && formOf(a) != formOf(b) {
			return true
		}
	}
	return w.showsWanted(f.Obs, p.Key, p.Reference, p.Observed)
}

// form is whether a text has signs that other languages and notations write otherwise.
type form struct{ capitals, foreign bool }

func formOf(text string) (f form) {
	for i, r := range text {
		f.foreign = f.foreign || r >= 0x80 && unicode.IsLetter(r)
		f.capitals = f.capitals || unicode.IsUpper(r) && i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z'
	}
	return f
}

// showsWanted reports whether the result of an action is small and says that an argument has the wanted value, and not the
// one that the call gave.
func (w *weigher) showsWanted(obs int, key, wanted, given string) bool {
	if w.Refusal == nil || obs < 0 || w.Obs[obs].Failed || len(wanted) < 3 || key == "" {
		return false
	}
	shown := leavesOf(w.Refusal(obs))
	is := func(value string) bool {
		return slices.ContainsFunc(shown, func(l similarity.Leaf) bool { return l.Key == key && l.Raw == value })
	}
	return is(wanted) && (given == "" || !is(given))
}

// mayBeOneLine reports whether two command lines may do the same, although no reader of commands can tell: both are one
// command about the same words, and each says something that the other one does not say in this place.
func mayBeOneLine(a, b string) bool {
	x, y := tokensOf(a), tokensOf(b)
	if len(x) < 2 || len(y) < 2 || len(x) > mostTokens || len(y) > mostTokens || slices.ContainsFunc(x, isJoint) || slices.ContainsFunc(y, isJoint) {
		return false
	}
	if runsCode(x) || runsCode(y) {
		code, words := x, operandsOf(y)
		if runsCode(y) {
			code, words = y, operandsOf(x)
		}
		return runsCode(x) != runsCode(y) && len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(code[2], word) })
	}
	only, other := wordsBeyond(x, y), wordsBeyond(y, x)
	if len(only) == 0 || len(other) == 0 {
		return false // one of them only says more
	}
	if x[0] != y[0] {
		return !strings.Contains(x[0]+y[0], "/") && slices.Equal(withoutProgram(operandsOf(x)), withoutProgram(operandsOf(y))) && !doOpposite(x[0], y[0])
	}
	if namesSame(only, other, y) || namesSame(other, only, x) {
		return true
	}
	return len(x) != len(y) && !slices.ContainsFunc(other, func(t string) bool { return !isOption(t) })
}

// mostTokens is the largest number of words of a command line that is compared.
const mostTokens = 16

// tokensOf returns the words and operators of a command line, or nil if they cannot be read.
func tokensOf(line string) []string {
	tokens, ok := readcmd.Tokens(line)
	if !ok {
		return nil
	}
	for i, t := range tokens {
		_, tokens[i], _ = strings.Cut(t, " ")
	}
	return tokens
}

// wordsBeyond returns the words of a that b does not have.
func wordsBeyond(a, b []string) (out []string) {
	for _, t := range a {
		if !slices.Contains(b, t) {
			out = append(out, t)
		}
	}
	return out
}

// namesSame reports whether patterns name the same as words: each word fits one of the patterns, or is the name of a
// file behind the folder into which the other line puts it.
func namesSame(words, patterns, line []string) bool {
	if len(line) == 3 && len(words) == 1 && len(patterns) == 1 && strings.HasSuffix(patterns[0], "/") {
		return words[0] == patterns[0]+path.Base(line[1])
	}
	fits := false
	for _, word := range words {
		ok := slices.ContainsFunc(patterns, func(p string) bool {
			fit, err := path.Match(p, word)
			return err == nil && fit && !isOption(word) && strings.ContainsAny(p, "*?[") && strings.Trim(p, "*") != ""
		})
		if fits = fits || ok; !ok && !isMode(word) {
			return false
		}
	}
	return fits && !slices.ContainsFunc(patterns, func(p string) bool { return !strings.ContainsAny(p, "*?[") && !isMode(p) })
}

// isMode reports whether a word adds rights to a file, for all if it does not say for whom.
func isMode(word string) bool { return word == "+x" || word == "a+x" || word == "+r" || word == "a+r" }

func isOption(t string) bool { return strings.HasPrefix(t, "-") }

// runsCode reports whether a command runs a program that its second argument holds.
func runsCode(tokens []string) bool {
	return len(tokens) == 3 && (tokens[1] == "-c" || tokens[1] == "-e") && strings.ContainsAny(tokens[2], " (")
}

// doOpposite reports whether two programs are known to do two things.
func doOpposite(a, b string) bool {
	return wordlist.Contains(deedPrograms, a) && wordlist.Contains(deedPrograms, b)
}

// deedPrograms are programs each of which does another thing to its operands.
const deedPrograms = " rm cp mv ln touch mkdir rmdir cat chmod chown tar zip unzip gzip gunzip kill ping start stop "

// withoutProgram leaves out the words that are code of a small program, such as {print $1}.
func withoutProgram(words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "{") })
}

func isJoint(t string) bool { return t == "&&" || t == "||" || t == ";" || t == "|" || t == "&" }

// operandsOf returns the words of a command that are no options, behind the program.
func operandsOf(tokens []string) (out []string) {
	for _, t := range tokens[1:] {
		if !isOption(t) {
			out = append(out, t)
		}
	}
	return out
}
