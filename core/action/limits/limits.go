// Package limits finds the words of a person that hold a deed back although other words ask for it: a part that the user keeps
// for himself, a weaker deed that he settles for, a number that he takes back, a polite no, and what the developer's text allows
// up to an amount or never on a state. Who asked for the deed is read by package requests.
package limits

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Limit is a sentence that holds a deed back.
type Limit struct {
	Text  int    // the number of its text
	Words string // the sentence
	Why   string // how it holds the deed back
	Sure  bool   // it does; otherwise it may
}

// Asked is a deed and the request for it that was found.
type Asked struct {
	Deed     *deed.Deed
	Call     *similarity.Call
	Text     int                 // the text with the request; -1 for none
	Sentence *utterance.Sentence // the request; nil for none
	Before   int                 // the number of texts before the deed
	Served   bool                // another tool carried the request out before
	Standing bool                // the developer asks for it, not the user
}

// Finder finds the limits in one run. It reads each instruction once. The zero value has read none.
type Finder struct {
	texts           int // of the instructions, read so far
	amounts, states []rule
}

// rule is an instruction that allows deeds up to an amount, or never wants them where a field has a value.
type rule struct {
	text       int
	s, next    *utterance.Sentence // next is nil at the end of the text
	limit      float64
	key, value string
}

// mostRules is how many rules of each sort are compared with a deed. With more, no deed that they might concern is decided.
const mostRules = 256

// Find returns the first limit that holds a deed back, if there is one. O(texts × words).
func (f *Finder) Find(run *heard.Run, a *Asked) (Limit, bool) {
	f.readInstructions(run)
	if l, ok := f.findAmount(a); ok {
		return l, true
	}
	if l, ok := f.findState(run, a); ok || a.Standing {
		return l, ok
	}
	for i := min(a.Before, len(run.Texts)) - 1; i >= max(a.Text, 0); i-- {
		if run.Texts[i].From != provenance.FromUser {
			continue
		}
		for _, find := range [...]func(*heard.Run, *Asked, int) (Limit, bool){findHeld, findKept, findSettled, findFewer, findThanks} {
			if l, ok := find(run, a, i); ok {
				return l, true
			}
		}
	}
	return Limit{}, false
}

// findKept finds a sentence with which the user keeps a deed, or the choice of it, for himself: "I'll type it myself", "I'll pick
// tonight which ones". It holds back what no later or other sentence of his asks for by its verb.
func findKept(run *heard.Run, a *Asked, i int) (Limit, bool) {
	const leaves = utterance.Send | utterance.Pay | utterance.Buy | utterance.Grant | utterance.Remove | utterance.Cancel | utterance.Switch | utterance.Other
	sentences := run.ReadingOf(i).Sentences
	for k := range sentences {
		s := &sentences[k]
		keeps := s.Keeps()
		if keeps == utterance.KeepsNothing || i > a.Text && a.Sentence != nil && a.Deed.IsExactly(a.Sentence) && keeps != utterance.KeepsAll {
			continue
		}
		if slices.ContainsFunc(sentences, func(x utterance.Sentence) bool {
			return !x.Question && (a.Deed.HasVerb(&utterance.Sentence{Words: x.Verbs}) || slices.ContainsFunc(a.Deed.Runs, func(w string) bool { return slices.Contains(x.Words, w) })) && (x.Text != s.Text || keeps == utterance.KeepsPart)
		}) {
			continue
		}
		if later := i < a.Text || a.Deed.Kinds&^utterance.Look == 0 && keeps != utterance.KeepsAll; later || keeps != utterance.KeepsAll && a.Deed.Kinds&leaves == 0 && len(a.Deed.Runs) == 0 {
			continue
		}
		return Limit{Text: i, Words: s.Text, Why: "the user keeps this, or a part of it, for himself", Sure: keeps == utterance.KeepsChoice && a.Deed.Kinds&leaves != 0 && a.Sentence != nil && s.Text == a.Sentence.Text}, true
	}
	return Limit{}, false
}

// findHeld finds a short name, such as that of a country, in words that say that something waits, if the call has it and the request has
// not: "UK is still with Ann".
func findHeld(run *heard.Run, a *Asked, i int) (Limit, bool) {
	sentences := run.ReadingOf(i).Sentences
	for k := range sentences {
		for _, v := range a.Deed.Chosen {
			s, short := &sentences[k], len(v) > 1 && len(v) < 4 && strings.ToUpper(v) == v && strings.ToLower(v) != v
			if short && a.Sentence != nil && a.Sentence.Text != s.Text && slices.Contains(s.Held, utterance.Fold(v)) && !slices.Contains(a.Sentence.Words, utterance.Fold(v)) {
				return Limit{Text: i, Words: s.Text, Why: "the user said that " + v + " waits", Sure: true}, true
			}
		}
	}
	return Limit{}, false
}

// findSettled finds the name of a weaker deed in the answer to a text of the agent that offers it beside the stronger one that was
// asked for: "Pausing is enough".
func findSettled(run *heard.Run, a *Asked, i int) (Limit, bool) {
	offer := run.LastOfAgent(i)
	if a.Deed.Verb == "" || i <= a.Text || offer < a.Text || offer < 0 {
		return Limit{}, false
	}
	weaker := func(words []string) (found []string) {
		for _, w := range words {
			for _, base := range append(utterance.BaseForms(w), w) {
				if slices.Contains(utterance.Related("beyond", base), a.Deed.Verb) {
					found = append(found, base)
				}
			}
		}
		return found
	}
	offered := weaker(utterance.Tokens(run.Texts[offer].Text))
	if len(offered) == 0 {
		return Limit{}, false
	}
	sentences := run.ReadingOf(i).Sentences
	for k := range sentences {
		s := &sentences[k]
		named := slices.ContainsFunc(weaker(s.Words), func(w string) bool { return slices.Contains(offered, w) })
		if !named || s.Question || s.Has&utterance.Refuses != 0 || s.Bars != 0 || utterance.AnyListed("denial", s.Words) || utterance.IsAboutMore(s.Folded) {
			continue
		}
		if slices.ContainsFunc(sentences, func(x utterance.Sentence) bool { return a.Deed.HasVerb(&x) }) {
			return Limit{}, false
		}
		return Limit{Text: i, Words: s.Text, Why: "the user settled for a weaker deed", Sure: true}, true
	}
	return Limit{}, false
}

// findFewer finds the number of persons or things that the user last spoke of, if the call has an earlier one: "Just us three then".
func findFewer(run *heard.Run, a *Asked, i int) (Limit, bool) {
	for k := range a.Call.Leaves {
		l := &a.Call.Leaves[k]
		n, err := strconv.Atoi(l.Raw)
		key := mutation.NameWords(l.Key)
		if err != nil || n < 1 || n > 99 || !utterance.AnyListed("count", key) && !utterance.AnyListed("heads", key) || utterance.AnyListed("unit", key) {
			continue
		}
		sentences := run.ReadingOf(i).Sentences
		for j := range sentences {
			s := &sentences[j]
			said := s.HeadsSaid()
			if s.Question || len(said) != 1 || said[0] == n || slices.Contains(s.NumbersSaid(), n) {
				continue
			}
			if run.IsSaidAfter(i, a.Before, func(text string) bool { return utterance.HoldsNumber(text, n) }) {
				return Limit{}, false
			}
			return Limit{Text: i, Words: s.Text, Why: "the user last said " + strconv.Itoa(said[0]) + ", not " + strconv.Itoa(n), Sure: i >= a.Text}, true
		}
	}
	return Limit{}, false
}

// findThanks finds a polite no in an answer that asks for one thing, which another tool has done since: "That's kind, but I have one.
// Book it".
func findThanks(run *heard.Run, a *Asked, i int) (Limit, bool) {
	if !a.Served || i != a.Text {
		return Limit{}, false
	}
	sentences := run.ReadingOf(i).Sentences
	for k := range sentences {
		if s := &sentences[k]; !s.Question && utterance.HoldsListed(strings.ReplaceAll(strings.ReplaceAll(s.Folded, "'", ""), "’", ""), "politeNo") {
			return Limit{Text: i, Words: s.Text, Why: "the user said no to one of what was offered, and this is another deed than he asked for"}, true
		}
	}
	return Limit{}, false
}

// findAmount finds an instruction that allows such a deed up to an amount only, if the call has a larger one: "Refunds up to 100 you
// may issue. For anything above, open a case".
func (f *Finder) findAmount(a *Asked) (Limit, bool) {
	amount := 0.0
	for _, m := range a.Deed.Measures {
		if x, err := strconv.ParseFloat(m, 64); err == nil {
			amount = max(amount, x)
		}
	}
	if amount == 0 {
		return Limit{}, false
	}
	for _, r := range f.amounts[:min(len(f.amounts), mostRules)] {
		if r.text >= a.Before {
			break
		}
		if (r.s.Named|r.s.Asks|r.s.Passive)&a.Deed.Kinds&^utterance.Other == 0 && !isAbout(a.Deed, r.s) || r.limit >= amount {
			continue
		}
		isSure := utterance.AnyListed("above", r.s.Words) && !slices.Contains(r.s.Words, "without") && !utterance.AnyListed("if", r.s.Words) && utterance.ExceptIn(r.s.Words) == nil
		return Limit{Text: r.text, Words: r.s.Text, Why: "the instructions allow this up to " + strconv.FormatFloat(r.limit, 'f', -1, 64) + " only",
			Sure: isSure || r.next != nil && utterance.AnyListed("above", r.next.Words)}, true
	}
	return Limit{Why: "there are too many limits in the instructions"}, len(f.amounts) > mostRules
}

// findState finds an instruction that never wants such a deed where a field has a value, if the results have it: "Customers with
// opt_out = true must never get a survey".
func (f *Finder) findState(run *heard.Run, a *Asked) (Limit, bool) {
	for _, r := range f.states[:min(len(f.states), mostRules)] {
		if r.text >= a.Before {
			break
		}
		if !isAbout(a.Deed, r.s) {
			continue
		}
		if is, known := holdsField(run, a, r.key, r.value); is {
			return Limit{Text: r.text, Words: r.s.Text, Why: "the instructions never want this where " + r.key + " is " + r.value, Sure: known}, true
		}
	}
	return Limit{Why: "there are too many conditions in the instructions"}, len(f.states) > mostRules
}

// readInstructions finds the rules in the instructions that it has not read.
func (f *Finder) readInstructions(run *heard.Run) {
	policies := run.Policies()
	for ; f.texts < len(policies); f.texts++ {
		sentences := run.ReadingOf(policies[f.texts]).Sentences
		for k := range sentences {
			r := rule{text: policies[f.texts], s: &sentences[k]}
			if k+1 < len(sentences) {
				r.next = &sentences[k+1]
			}
			var ok bool
			if r.limit, ok = r.s.UpTo(); ok {
				f.amounts = append(f.amounts, r)
			}
			if !strings.Contains(r.s.Folded, "_") || !utterance.AnyListed("never", r.s.Words) && !utterance.AnyListed("denial", r.s.Words) {
				continue
			}
			if r.key, r.value, ok = fieldIn(r.s.Folded); ok {
				f.states = append(f.states, r)
			}
		}
	}
}

// fieldIn returns the name of a field and its value in folded text: a name with an underscore, and "=" or "is" behind it.
func fieldIn(text string) (key, value string, ok bool) {
	words := strings.Fields(strings.NewReplacer("=", " = ", ":", " = ", "`", " ", `"`, " ").Replace(text))
	for i := 0; i+2 < len(words); i++ {
		if strings.Contains(words[i], "_") && (words[i+1] == "=" || utterance.Listed("isSo", words[i+1])) {
			if v := strings.Trim(words[i+2], ".,;!)"); v != "" && v != "=" {
				return strings.Trim(words[i], "("), v, true
			}
		}
	}
	return "", "", false
}

// holdsField reports whether the newest result that has a field has a value of it, and whether all of its rows have it.
func holdsField(run *heard.Run, a *Asked, key, value string) (is, known bool) {
	for i := min(a.Before, len(run.Texts)) - 1; i >= 0; i-- {
		if run.Texts[i].From != provenance.FromTool || len(run.Texts[i].Text) > heard.MostData || !strings.Contains(run.Folded(i), key) {
			continue
		}
		v, err := jsonval.Parse(strings.TrimSpace(run.Texts[i].Text))
		if err != nil {
			continue
		}
		all, any := true, false
		for _, l := range v.Leaves() {
			if utterance.Fold(l.Key) == key {
				if valueOf(l) == value {
					any = true
				} else {
					all = false
				}
			}
		}
		return any, any && all
	}
	return false, false
}

// valueOf returns a value of JSON, folded; "" for an object or a list.
func valueOf(l jsonval.Leaf) string {
	if b, ok := l.Value.Bool(); ok {
		return strconv.FormatBool(b)
	}
	if x, ok := l.Value.Float(); ok {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text, _ := l.Value.Str()
	return utterance.Fold(text)
}

// isAbout reports whether a sentence has the verb of a deed or a word for what it is done to, in some form.
func isAbout(d *deed.Deed, s *utterance.Sentence) bool {
	return slices.ContainsFunc(s.Words, func(w string) bool {
		w = utterance.Singular(w)
		return len(w) > 2 && (d.Verb != "" && utterance.AreAlike(w, d.Verb) || slices.Contains(d.Object, w)) || len(w) > 3 && utterance.KindOf(w)&d.Kinds&^utterance.Other != 0
	})
}
