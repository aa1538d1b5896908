package deed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// PassedOver returns the value of a deed that is only in an alternative that was not taken, or "".
func (d *Deed) PassedOver(x *utterance.Choice) string {
	for _, v := range d.Values {
		if !utterance.HoldsWord(x.Taken, v) && slices.ContainsFunc(x.Left, func(p string) bool { return utterance.HoldsWord(p, v) }) {
			return v
		}
	}
	return ""
}

// mostSteps is the number of steps of a plan that are read.
const mostSteps = 40

// TakeSteps returns the steps of a plan with some numbers, and what these leave of the plan.
func TakeSteps(plan string, numbers []string) (steps []string, x *utterance.Choice) {
	x = &utterance.Choice{}
	for n := 1; n <= mostSteps && len(numbers) > 0; n++ {
		step := utterance.StepOf(plan, strconv.Itoa(n))
		if step == "" {
			break
		}
		if slices.Contains(numbers, strconv.Itoa(n)) {
			steps, x.Taken = append(steps, step), x.Taken+"\n"+utterance.Fold(step)
		} else {
			x.Left = append(x.Left, utterance.Fold(step))
		}
	}
	return steps, x
}

// mostOwn is the number of bytes of an argument beyond which it is not compared with the steps of a plan.
const mostOwn = 2000

// IsOfLeft reports whether a step of a plan that was left says more of a call than each of those that were taken: more of its
// own words stand in the name or the arguments. O(words of the plan × arguments).
func IsOfLeft(c *similarity.Call, x *utterance.Choice) bool {
	names := mutation.NameWords(c.Name)
	for i := range c.Leaves {
		if l := &c.Leaves[i]; len(l.Raw) <= mostOwn {
			names = append(append(names, mutation.NameWords(l.Key)...), FoldValue(l))
		}
	}
	own := utterance.Fold(strings.Join(names, " "))
	most := func(steps []string, others string) (n int) {
		for _, step := range steps {
			found := 0
			for _, w := range utterance.Fields(step) {
				if w = strings.Trim(w, "."); len(w) > 2 && !utterance.IsFunctionWord(w) && !utterance.HoldsWord(others, w) && utterance.HoldsWord(own, w) {
					found++
				}
			}
			n = max(n, found)
		}
		return n
	}
	return most(x.Left, x.Taken) > most(strings.Split(x.Taken, "\n"), strings.Join(x.Left, "\n"))
}

// IsStep reports whether the step of a plan with a number names a deed.
func (d *Deed) IsStep(plan, number string) bool {
	step := utterance.StepOf(plan, number)
	if step == "" {
		return false
	}
	s := utterance.ReadSentence(step, utterance.LanguageOf(plan))
	return d.SharesWord(s.Words) || d.SameOrWider(s.Named|s.Asks, s.Verbs)
}

// Contradicts returns the word that one of the values of a deed is the opposite of, or "".
func (d *Deed) Contradicts(words []string) string {
	for _, w := range words {
		for _, v := range utterance.Related("opposite", w) {
			if slices.Contains(d.Values, v) && !slices.Contains(words, v) && !slices.Contains(d.Values, w) {
				return w
			}
		}
	}
	return ""
}

// IsApposedTo reports whether a text has one of some words before one of the values of a deed, as in
// "the cup MUG-2".
func (d *Deed) IsApposedTo(words []string, text string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(d.Values, func(v string) bool { return utterance.HoldsWord(text, w+" "+v) })
	})
}

// IsLeftOut reports whether a later sentence says that a deed is not wanted of what a request
// asks for: it names it as left out, or it only names another thing of the request.
func (d *Deed) IsLeftOut(s, request *utterance.Sentence) bool {
	if d.IsNamedBy(s.Without) {
		return true
	}
	if s.Has&utterance.Limits == 0 || d.IsNamedBy(s.Words) || !d.IsNamedBy(request.Words) {
		return false
	}
	return slices.ContainsFunc(s.Words, func(w string) bool { return len(w) > 3 && slices.Contains(request.Words, w) })
}

// IsNamedBy reports whether words name the object of a deed or one of its values. The words for
// things of any sort do not count.
func (d *Deed) IsNamedBy(words []string) bool {
	if n := len(d.Object); n > 0 && !utterance.Listed("anyThing", d.Object[n-1]) && slices.ContainsFunc(words, func(w string) bool {
		return w == d.Object[n-1] || w == d.Object[n-1]+"s" || len(w) > 3 && strings.HasPrefix(d.Object[n-1], w)
	}) {
		return true
	}
	return slices.ContainsFunc(d.Values, func(v string) bool { return slices.Contains(words, v) }) || slices.ContainsFunc(d.Keys, func(k string) bool { return len(k) > 4 && !utterance.Listed("anyKey", k) && slices.Contains(words, k) })
}

// IsExactly reports whether a sentence asks for a deed of the same kind, and not only of a wider one.
func (d *Deed) IsExactly(s *utterance.Sentence) bool {
	if d.Kinds&(s.Asks|s.Named)&^utterance.Other != 0 {
		return true
	}
	return slices.ContainsFunc(s.Verbs, func(v string) bool {
		return v == d.Verb || d.class != "" && mutation.DeedOf(v).Class == d.class || d.Verb != "" && verbs.Same(v, d.Verb, verbs.KindsOf(d.Object))
	})
}

// IsNamedIn reports whether words of a person name the verb of a deed, or something in its name that is
// not in the words of what was done.
func (d *Deed) IsNamedIn(words, done []string) bool {
	return slices.ContainsFunc(d.Name, func(w string) bool {
		w = utterance.FoldName(w)
		if len(w) < 3 && !slices.Contains(words, w) || utterance.Listed("generic", w) || utterance.IsFunctionWord(w) || utterance.Listed("anyThing", w) || !slices.ContainsFunc(words, func(x string) bool { return utterance.AreAlike(w, x) }) {
			return false
		}
		return w == d.Verb || !slices.ContainsFunc(done, func(x string) bool { return utterance.AreAlike(w, x) })
	})
}

// BeginsClause reports whether a clause of a sentence begins with the word of a deed's name, whatever the
// language: scarica for scarica_fattura, "Melde ihn ab" for abmelden.
func (d *Deed) BeginsClause(s *utterance.Sentence) bool {
	if s.Question || s.Has&(utterance.Agrees|utterance.Refuses|utterance.Withdraws|utterance.Ponders) != 0 {
		return false
	}
	for i := 0; i < len(s.Words); i++ {
		w := s.Words[i]
		if !s.StartsClause(i) && !utterance.Listed("and", s.Words[max(i, 1)-1]) || len(w) < 4 || utterance.IsFunctionWord(w) || utterance.Listed("generic", w) || s.IsNegated("en", i) {
			continue
		}
		end := i
		for end+1 < len(s.Words) && s.Words[end+1] != "," && !utterance.Listed("and", s.Words[end+1]) {
			end++
		}
		whole := w
		if last := s.Words[end]; utterance.Listed("prefix", last) {
			whole = last + w
		}
		if slices.ContainsFunc(d.Name, func(n string) bool {
			n = utterance.FoldName(n)
			return len(n) > 3 && !(d.Verb != "" && slices.Contains(d.Object, n)) && !utterance.Listed("generic", n) && !utterance.Listed("anyThing", n) && (utterance.AreAlike(n, whole) && len(whole) > 4 || strings.HasPrefix(n, w))
		}) {
			return true
		}
	}
	return false
}

// LongValueIn returns the first value of more than one word of a deed that folded text has, or "".
func (d *Deed) LongValueIn(folded string) string {
	for _, v := range d.Values {
		if strings.Contains(v, " ") && utterance.HoldsWord(folded, v) {
			return v
		}
	}
	return ""
}

// IsPaper reports whether a deed makes a text: a file, a document, a note.
func (d *Deed) IsPaper() bool {
	return slices.ContainsFunc(d.Object, func(w string) bool {
		return utterance.Listed("paper", w) || utterance.Listed("shown", w) || w == "note"
	})
}

// IsPerhapsIn reports whether a question that can be answered with yes names a deed: it may be a request.
func (d *Deed) IsPerhapsIn(s *utterance.Sentence) bool {
	return s.Question && !s.Opened && s.Has&utterance.Look == 0 && d.Kinds&s.Named&^utterance.Other != 0
}

// SharesPart reports whether a sentence has a word that is a part of a value of a deed, such as
// reindex of cronjob/reindex.
func (d *Deed) SharesPart(s *utterance.Sentence) bool {
	return slices.ContainsFunc(d.Values, func(v string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" /.:_", r) }), func(part string) bool {
			return len(part) > 3 && !utterance.IsFunctionWord(part) && slices.Contains(s.Words, part)
		})
	})
}

// IsInOtherForm reports whether an English sentence has the verb of the name of a tool in another form,
// as in "may have it waived", and a word of its object.
func (d *Deed) IsInOtherForm(s *utterance.Sentence) bool {
	return d.hasVerbIn(s) && d.NamesObject(s)
}

// IsDone reports whether an English sentence says that a deed is done, as in "a voucher is issued".
func (d *Deed) IsDone(s *utterance.Sentence) bool {
	return d.Verb != "" && d.NamesObject(s) && slices.ContainsFunc(s.Words, func(w string) bool {
		return strings.HasSuffix(w, "ed") && slices.Contains(utterance.BaseForms(w), d.Verb)
	})
}

// NamesObject reports whether a sentence has a word of the object of a deed.
func (d *Deed) NamesObject(s *utterance.Sentence) bool {
	return slices.ContainsFunc(d.Object, func(n string) bool { return slices.Contains(s.Words, n) || slices.Contains(s.Words, n+"s") })
}

// IsNoneOf reports whether a question is about something that has no word of a deed, and does not only ask
// whether all is well.
func (d *Deed) IsNoneOf(s *utterance.Sentence) bool {
	content := false
	for _, w := range s.Words {
		switch {
		case len(w) < 4 || utterance.IsFunctionWord(w) || utterance.Listed("filler", w):
		case utterance.Listed("suits", w), utterance.Listed("goOn", w), utterance.Listed("courtesy", w), d.IsNamedIn([]string{w}, nil), slices.Contains(d.Words, w):
			return false
		default:
			content = true
		}
	}
	return content && s.Has&(utterance.Agrees|utterance.Polite) == 0
}

// OnlyMoved reports whether a deed removes what a sentence only wants to have elsewhere.
func (d *Deed) OnlyMoved(s *utterance.Sentence) bool {
	return d.Kinds&utterance.Remove != 0 && len(d.Commands) == 0 && d.Kinds&utterance.Move == 0 && (s.Asks|s.Named)&utterance.Move != 0 && (s.Asks|s.Named)&(utterance.Remove|utterance.Cancel|utterance.Refund) == 0 &&
		!utterance.AnyListed("trash", s.Words)
}

// IsDoneIn reports whether a sentence has another form of the verb of a name, as in "Jede Mail wird markiert"
// for mail_markieren.
func (d *Deed) IsDoneIn(s *utterance.Sentence) bool {
	return slices.ContainsFunc(d.Name, func(n string) bool {
		n = utterance.FoldName(n)
		return len(n) > 4 && utterance.ForeignKinds(n)&utterance.Deeds != 0 && slices.ContainsFunc(s.Words, func(w string) bool { return utterance.AreAlike(n, w) })
	})
}

// IsAgreedIn reports whether a sentence to which the user agreed names a deed: its kind, or else one of its words or
// values if the sentence names no other kind of deed.
func (d *Deed) IsAgreedIn(s *utterance.Sentence) bool {
	if d.SameOrWider(s.Named, s.Words) {
		return true
	}
	other := s.Named&^(utterance.Grant|utterance.Other) != 0 && d.Kinds&^utterance.Other != 0
	return d.IsIn(s) && (!other || d.namesVerb(s.Words) || d.hasVerbIn(s))
}

// IsOffered reports whether a sentence of the agent may offer a deed, and does not only say that it is not done, that it was
// done, or how.
func (d *Deed) IsOffered(s *utterance.Sentence, lang string) bool {
	kinds := d.Kinds &^ utterance.Other
	for k := utterance.Remove; k < utterance.Other; k <<= 1 {
		if d.Kinds&k != 0 {
			kinds |= utterance.Covers(k) &^ utterance.Other
		}
	}
	return s.Offers(lang, kinds, d.Verb)
}

// namesVerb reports whether words have the verb of the name of a deed, in English as it is, and otherwise in any form.
func (d *Deed) namesVerb(words []string) bool {
	return slices.ContainsFunc(d.Name, func(n string) bool {
		n = utterance.FoldName(n)
		return (n == d.Verb || (utterance.ForeignKinds(n)|utterance.KindOf(n))&d.Kinds != 0) && slices.ContainsFunc(words, func(w string) bool { return utterance.AreAlike(n, w) })
	})
}

// hasVerbIn reports whether an English sentence has the verb of the name of a tool in another form, such as deleted.
func (d *Deed) hasVerbIn(s *utterance.Sentence) bool {
	return d.Verb != "" && slices.ContainsFunc(s.Words, func(w string) bool { return slices.Contains(utterance.BaseForms(w), d.Verb) })
}

// HasVerb reports whether a sentence has the verb of the name of a deed, in any form.
func (d *Deed) HasVerb(s *utterance.Sentence) bool {
	if d.hasVerbIn(s) || d.Verb != "" && slices.Contains(s.Words, d.Verb) {
		return true
	}
	return slices.ContainsFunc(d.Name, func(n string) bool {
		n = utterance.FoldName(n)
		return (utterance.ForeignKinds(n)&utterance.Deeds != 0 || utterance.KindOf(n)&utterance.Deeds != 0) && !utterance.Listed("generic", n) && slices.ContainsFunc(s.Words, func(w string) bool { return w == n || len(n) > 3 && utterance.AreAlike(n, w) })
	})
}

// HasObject reports whether words of a person have a word of the name of a deed, other than its verb and the words of what
// was done.
func (d *Deed) HasObject(words, done []string) bool {
	return slices.ContainsFunc(d.Name, func(n string) bool {
		n = utterance.FoldName(n)
		if len(n) < 3 || n == d.Verb || utterance.IsFunctionWord(n) || utterance.Listed("generic", n) || utterance.ForeignKinds(n) != 0 || isAmong(n, done) {
			return false
		}
		one := verbs.OneNoun(n)
		return slices.ContainsFunc(words, func(w string) bool {
			return w == n || len(n) > 3 && (utterance.AreAlike(n, w) || verbs.OneNoun(utterance.Singular(w)) == one)
		})
	})
}

// HasPart reports whether folded text has one of the values of a deed, or its words one of a value's, and not only one of
// what was done.
func (d *Deed) HasPart(folded string, words, done []string) bool {
	return slices.ContainsFunc(d.Values, func(v string) bool {
		return !isAmong(v, done) && utterance.HoldsWord(folded, v) || slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" /.:_-@,()'", r) }), func(part string) bool {
			return len(part) > 2 && !utterance.IsFunctionWord(part) && !isAmong(part, done) && slices.ContainsFunc(words, func(w string) bool { return w == part || len(part) > 4 && utterance.AreAlike(part, w) })
		})
	})
}

// isAmong reports whether a word is one of some words, or stands in one of them.
func isAmong(w string, words []string) bool {
	return slices.ContainsFunc(words, func(x string) bool { return x == w || len(w) > 3 && strings.Contains(x, w) })
}

// HasLast reports whether a sentence has the last word of a name, where most languages but English have the verb, as in
// ticket_schliessen.
func (d *Deed) HasLast(s *utterance.Sentence) bool {
	if len(d.Name) < 2 {
		return false
	}
	last := utterance.FoldName(d.Name[len(d.Name)-1])
	return len(last) > 4 && slices.Contains(s.Words, last)
}

// IsNounOf reports whether a word of the name of a deed is the noun of one of some verbs, as booking is of book.
func (d *Deed) IsNounOf(asked []string) bool {
	return slices.ContainsFunc(d.Name, func(n string) bool {
		return strings.HasSuffix(n, "ing") && slices.ContainsFunc(utterance.BaseForms(n), func(v string) bool { return slices.Contains(asked, v) })
	})
}

// IsBesides reports whether a deed is done to something that a folded question named, although the answer only takes another
// thing of the question, as in "Only u2".
func (d *Deed) IsBesides(answer *utterance.Sentence, question string) bool {
	taken := slices.ContainsFunc(answer.Words, func(w string) bool {
		return strings.ContainsAny(w, "0123456789") && utterance.HoldsWord(question, w)
	})
	return taken && slices.ContainsFunc(d.Values, func(v string) bool {
		v = utterance.Fold(v)
		return utterance.HoldsWord(question, v) && !utterance.HoldsWord(answer.Folded, v)
	})
}

// LeadsClause reports whether a request begins with the first word of the name of a deed and names its object, as in "Print 50
// labels" for print_labels.
func (d *Deed) LeadsClause(s *utterance.Sentence) bool {
	at := slices.Index(s.Words, d.Lead)
	return at >= 0 && len(d.Name) > 1 && !s.Question && s.Bars == 0 && s.StartsClause(at) && (at+1 >= len(s.Words) || !utterance.Listed("self", s.Words[at+1])) && !slices.ContainsFunc(d.Name[1:], func(n string) bool {
		return !slices.ContainsFunc(s.Words, func(w string) bool { return utterance.AreAlike(n, w) })
	})
}

// CountWordsIn returns how many words of a deed some words have: of its name, its arguments and their values. Its verb counts twice.
func (d *Deed) CountWordsIn(words []string) (n int) {
	for _, w := range words {
		if len(w) < 4 || utterance.IsFunctionWord(w) || utterance.Listed("filler", w) {
			continue
		}
		is := func(x string) bool { return len(x) > 3 && utterance.AreAlike(utterance.FoldName(x), w) }
		switch {
		case d.Verb != "" && is(d.Verb):
			n += 2
		case slices.ContainsFunc(d.Name, is), slices.ContainsFunc(d.Keys, is), slices.ContainsFunc(d.Values, func(v string) bool { return is(v) || strings.Contains(v, " ") && utterance.HoldsWord(v, w) }):
			n++
		}
	}
	return n
}
