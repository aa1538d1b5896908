package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A sentence may ask for this kind of deed and still say another thing than the call does: off and
// not on, to Bob and not to Alice, at most 3 and not 4. The law of this file: such a call is not
// traced to the sentence. What is read here only raises: it takes a trace away and gives none.

// findContradiction says what of a sentence that asks for a deed a call contradicts, or "".
func (r *Reader) findContradiction(t *Trace, c *Action) string {
	if t.By != ByUser || t.Agreed || t.Text < 0 || r.Texts[t.Text].From != provenance.FromUser || c.Call.Text != "" {
		return ""
	}
	said := r.readSaid(t)
	words := said.words
	switch {
	case said.question:
		return "the user only asked whether this can be done"
	case said.back:
		return "the user took this back"
	case r.saysOppositeLater(t, c):
		return "the user said the opposite later"
	case saysOpposite(said.tokens, c), namesUnderOpposite(said.message, c), setsOpposite(said.tokens, c):
		return "the user said the opposite"
	case r.TextHolds(t.Text, "askFirst"):
		return "the user wanted to be asked first"
	case r.TextHolds(t.Text, "onlyTry") && !r.isTrial(c):
		return "the user only wanted to see what would happen"
	case r.namesInPlace(t, c):
		return "the user named another one instead"
	case deed.ReversesPlaces(words, c.Call.Leaves):
		return "the user named the two the other way round"
	case deed.ExceedsLimit(words, c.Call.Leaves):
		return "the user set a limit, and this is beyond it"
	case deed.TakesExcepted(words, c.Call.Leaves):
		return "the user said that this stays as it is"
	case deed.OtherHalfOfDay(words, c.Call.Leaves):
		return "the user named another time of day"
	case r.isUnmet(words, t.Text, c):
		return "the user asked for this on a condition that no result meets"
	}
	return ""
}

// said is what a sentence says, and its message, read once for all calls.
type said struct {
	words           string   // in lower case
	tokens, message []string // the words of the sentence, and of the whole message
	question, back  bool     // it only asks to know; the message takes it back
}

// saidIn names a sentence of a text.
type saidIn struct {
	text  int
	words string
}

// readSaid reads the sentence of a trace, and caches the result.
func (r *Reader) readSaid(t *Trace) *said {
	key := saidIn{t.Text, t.Words}
	if s := r.said[key]; s != nil {
		return s
	}
	words, message := utterance.Fold(t.Words), r.Folded(t.Text)
	message = message[:min(len(message), heard.MostData)]
	s := &said{words: words, tokens: utterance.Fields(words), message: utterance.Fields(message)}
	line := strings.TrimSpace(words)
	s.question = strings.HasSuffix(line, "?") && utterance.BeginsListed(line, "asksOnly")
	_, rest, _ := strings.Cut(message, line)
	s.back = takesBack(rest)
	if r.said == nil {
		r.said = map[saidIn]*said{}
	}
	r.said[key] = s
	return s
}

// takesBack reports whether folded text takes something back. A "no" that goes on does not: "actually, no flour".
func takesBack(text string) bool {
	rest, ok := utterance.After(text, "takesBack")
	return ok && (rest == "" || rest[0] != ' ' || !strings.HasSuffix(text[:len(text)-len(rest)], "no"))
}

// mostLooked is the number of texts that are searched for a name or a condition in one run. Beyond
// it, nothing is known to be named or met.
const mostLooked = 1 << 17

// namedPoles calls fn for each pole in the name of a tool, with the opposite one, until it returns true.
func namedPoles(c *Action, fn func(name []string, own, other string) bool) bool {
	name := mutation.NameWords(c.Call.Name)
	return slices.ContainsFunc(utterance.PairsOf("pole"), func(p [2]string) bool {
		return slices.Contains(name, p[0]) && fn(name, p[0], p[1]) || slices.Contains(name, p[1]) && fn(name, p[1], p[0])
	})
}

// saysOpposite reports whether a sentence has the opposite of a word in the tool's name, and not the
// word itself, or has it last before a value of the call.
func saysOpposite(tokens []string, c *Action) bool {
	return namedPoles(c, func(name []string, own, other string) bool {
		return !slices.Contains(name, other) && slices.Contains(tokens, other) &&
			(!slices.Contains(tokens, own) || deed.LastPole(tokens, c.Call.Leaves, own, other) == other)
	})
}

// saysOppositeLater reports whether the user said the opposite of a word in the tool's name after a request, and named what
// the call is about.
func (r *Reader) saysOppositeLater(t *Trace, c *Action) bool {
	return namedPoles(c, func(name []string, own, other string) bool {
		for i := t.Text + 1; i < min(c.Before, len(r.Texts)); i++ {
			if r.Texts[i].From != provenance.FromUser {
				continue
			}
			tokens := utterance.Tokens(r.Texts[i].Text)
			if !slices.Contains(name, other) && deed.SaysPole(tokens, other) && !deed.SaysPole(tokens, own) && c.hasLeaf(func(l *similarity.Leaf) bool { return len(l.Raw) > 4 && slices.Contains(tokens, deed.FoldValue(l)) }) {
				return true
			}
		}
		return false
	})
}

// namesUnderOpposite reports whether a message asks for both of two opposite deeds, and names what the
// call is about behind the other one, as in "approve 12, reject 13" for the approval of 13.
func namesUnderOpposite(tokens []string, c *Action) bool {
	return namedPoles(c, func(_ []string, own, other string) bool {
		return slices.Contains(tokens, own) && slices.Contains(tokens, other) && deed.LastPole(tokens, c.Call.Leaves, own, other) == other
	})
}

// setsOpposite reports whether a call sets the opposite of what a sentence says: on to false for "Turn on the
// light", a state to off, a side to sell.
func setsOpposite(tokens []string, c *Action) bool {
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool {
		contradicts := func(p [2]string) bool {
			return slices.ContainsFunc([]int{0, 1}, func(at int) bool {
				set, other, ok := deed.PoleSetBy(&l, p, at)
				return ok && deed.SaysPole(tokens, other) && !deed.SaysPole(tokens, set)
			})
		}
		return slices.ContainsFunc(utterance.PairsOf("pole"), contradicts) || slices.ContainsFunc(utterance.PairsOf("side"), contradicts)
	})
}

// isTrial reports whether a call only tries something out: its tool is one for that, or is defined with an argument
// for it.
func (r *Reader) isTrial(c *Action) bool {
	return utterance.AnyListed("trial", mutation.NameWords(c.Call.Name)) || c.hasLeaf(func(l *similarity.Leaf) bool {
		return saysTrial(l) && slices.Contains(r.Switches, c.Call.Name+"."+l.Key)
	})
}

func saysTrial(l *similarity.Leaf) bool { return l.Raw == "true" && deed.KeyHas(l, "trialKey") }

// findTrial returns the request for a call that only tries something out, if the user wants to see what would happen.
func (r *Reader) findTrial(o *open, c *Action) (Trace, bool) {
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if q.agreed || !o.onlyTries(q.sentence) {
			continue
		}
		if r.isTrial(c) {
			return Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Why: "the user asked to try this out"}, true
		}
		if len(r.Switches) == 0 && len(r.Tools) == 0 && c.hasLeaf(saysTrial) {
			return Trace{Text: q.text, Words: q.sentence.Text, Why: "only the call itself says that it merely tries this out"}, true
		}
	}
	return Trace{}, false
}

// onlyTries reports whether a sentence says that something is only to be tried. It reads a sentence once.
func (o *open) onlyTries(s *utterance.Sentence) bool {
	if _, known := o.tries[s]; !known {
		o.tries[s] = utterance.HoldsListed(s.Text, "onlyTry")
	}
	return o.tries[s]
}

// namesInPlace reports whether a sentence names who gets something instead, and the call goes to somebody whom
// it does not name.
func (r *Reader) namesInPlace(t *Trace, c *Action) bool {
	tokens := utterance.Fields(utterance.Fold(t.Words))
	if !utterance.AnyListed("inPlace", tokens) {
		return false
	}
	to := slices.IndexFunc(tokens, func(w string) bool { return utterance.Listed("toWhom", w) })
	if to < 0 || to+1 >= len(tokens) {
		return false
	}
	return slices.ContainsFunc(c.Call.Leaves, func(l similarity.Leaf) bool {
		v := deed.FoldValue(&l)
		return deed.KeyHas(&l, "whoKey") && v != "" && !strings.Contains(utterance.Fold(t.Words), v) && !strings.Contains(v, tokens[to+1]) && r.IsNamed(v, c.Before)
	})
}

// isUnmet reports whether a sentence asks only on a condition, of which no result since has a word.
func (r *Reader) isUnmet(words string, from int, c *Action) bool {
	rest, found := utterance.Behind(words, "onlyIf")
	if !found {
		return false
	}
	var said []string
	for _, w := range utterance.Fields(rest) {
		if len(w) > 3 && !utterance.Listed("notTold", w) {
			said = append(said, w)
		}
	}
	told := false
	for i := from + 1; i < c.Before && i < len(r.Texts); i++ {
		if r.Texts[i].From != provenance.FromTool {
			continue
		}
		told = true
		if r.looked++; r.looked > mostLooked {
			return true
		}
		if text := r.Folded(i); slices.ContainsFunc(said, func(w string) bool { return strings.Contains(text, w[:len(w)-1]) }) {
			return false
		}
	}
	return told && len(said) > 0
}

// findToNobody returns a trace in place of one to the user's words, if the call goes to somebody whom nobody named.
func (r *Reader) findToNobody(_ *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	if t.By != ByUser || t.Agreed || t.delegated || t.Text < 0 || r.Texts[t.Text].From != provenance.FromUser || c.Call.Text != "" || !r.isUnnamed(c) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "nobody named to whom"}, true
}

// isUnnamed reports whether the call goes to a person by a name of which no text before has a word.
func (r *Reader) isUnnamed(c *Action) bool {
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if !deed.KeyHas(l, "whoKey") || !strings.HasPrefix(l.Raw, `"`) {
			continue
		}
		name := utterance.Fields(deed.FoldValue(l))
		if len(name) == 0 || len(name) > 3 || slices.ContainsFunc(name, func(w string) bool { return len(w) < 3 || strings.ContainsAny(w, "0123456789@./_-") }) {
			continue
		}
		known := false
		for k := 0; k < c.Before && k < len(r.Texts) && !known && r.looked <= mostLooked; k++ {
			r.looked++
			known = slices.ContainsFunc(name, func(w string) bool { return strings.Contains(r.Folded(k), w) })
		}
		if !known {
			return true
		}
	}
	return false
}
