package utterance

import (
	"slices"
	"strings"
)

// A deed is asked for in other forms than an order, too: "Si está libre, se lo reservas", "Die Rechnung soll bezahlt
// werden", "I need the invoice corrected".

// readIndirect adds the deeds that a sentence asks for in such a form.
func (s *Sentence) readIndirect(lang string) {
	if s.Question || lang == "" {
		return
	}
	for i, w := range s.Words {
		var k Kinds
		switch {
		case lang == "en":
			if base := s.wantedDone(i); base != "" {
				k, w = KindOf(base)&Deeds, base
			}
		case s.isYours(lang, i):
			k = youForm(lang, w)
		case s.mustBe(lang, i):
			k = doneForm(lang, w)
		}
		if k == 0 || s.IsNegated(lang, i) {
			continue
		}
		s.Asks, s.Named, s.AskedBy = s.Asks|k, s.Named|k, append(s.AskedBy, s.Words[i])
		if lang == "en" {
			s.Verbs = append(s.Verbs, w)
		}
	}
}

// wantedDone returns the verb of the English participle at words[i] if somebody wants it done to something, or "".
func (s *Sentence) wantedDone(i int) string {
	for j := i - 1; j >= max(0, i-8) && s.Words[j] != "to" && s.Words[j] != ","; j-- {
		if Listed("asksWhat", s.Words[j]) && s.Words[j] != "of" {
			return ""
		}
		if !Listed("wants", s.Words[j]) || !HasKind("en", s.Words[j], Vague) && (j == 0 || !Listed("would", s.Words[j-1])) {
			continue
		}
		if i-j < 2 {
			return ""
		}
		for _, base := range append(BaseForms(s.Words[i]), theTables().irregular[s.Words[i]]) {
			if strings.HasSuffix(s.Words[i], "ing") || KindOf(base)&Deeds == 0 {
				continue
			}
			return base
		}
		return ""
	}
	return ""
}

// isYours reports whether the verb at words[i] says what the one who is spoken to does: behind "tu", or behind a pronoun
// for the object.
func (s *Sentence) isYours(lang string, i int) bool {
	j := i
	for j > 0 && Listed("pronounBefore", s.Words[j-1]) {
		j--
	}
	before := j < i
	if lang == "de" && i+1 < len(s.Words) && s.Words[i+1] == "du" || j > 0 && s.isSuggestion(j-1) || j > 1 && s.isSuggestion(j-2) && Listed("pronounBefore", s.Words[j-1]) {
		return s.Has&Polite != 0
	}
	if j > 0 && lang == "fr" {
		before = s.Words[j-1] == "tu"
		j--
	}
	return before && (j == 0 || !Listed("if", s.Words[j-1]) && !Listed("asksWhat", s.Words[j-1]))
}

// youForm returns the kinds of deeds of a Romance verb in the second person, as in rembourses, reservas and mandi.
func youForm(lang, w string) Kinds {
	ending := map[string]string{"fr": "s", "es": "s", "it": "i", "de": "st"}[lang]
	stem, ok := strings.CutSuffix(w, ending)
	if ending == "" || !ok || len(stem) < 4 {
		return 0
	}
	if lang == "de" {
		return verbKinds(lang, stem+"en") | verbKinds(lang, stem+"e")
	}
	if lang == "it" {
		stem += "a"
	}
	k := Kinds(0)
	for _, p := range theTables().of[lang][stem] { // behind a pronoun it is no noun
		if len(p.words) == 1 {
			k |= p.kinds & Deeds
		}
	}
	return k
}

// mustBe reports whether the participle at words[i] says what must, may or is to be done.
func (s *Sentence) mustBe(lang string, i int) bool {
	from, to := s.clauseStart(i), s.clauseEnd(i)
	at := slices.IndexFunc(s.Words[from:i], func(w string) bool { return Listed("modalElsewhere", w) })
	return at >= 0 && !s.IsNegated(lang, from+at) && (AnyListed("beElsewhere", s.Words[from:to]) || lang == "it" && from+at == i-1)
}

// doneForm returns the kinds of deeds of the verb of a participle, as in storniert, payee, cancelada and betaald.
func doneForm(lang, w string) (k Kinds) {
	prefix := ""
	if lang == "de" || lang == "nl" {
		for _, p := range theTables().lists["prefix"].words {
			if strings.HasPrefix(w, p+"ge") {
				prefix, w = p, w[len(p):]
			}
		}
		stem := strings.TrimPrefix(w[:max(len(w)-1, 0)], "ge")
		if len(stem) < 3 || strings.IndexByte("td", w[len(w)-1]) < 0 {
			return 0
		}
		return verbKinds(lang, prefix+stem+"en") | verbKinds(lang, prefix+stem) | verbKinds(lang, prefix+stem+stem[len(stem)-1:]+"en")
	}
	w = strings.TrimSuffix(w, "s")
	endings := map[string][][2]string{"fr": {{"ee", "er"}, {"e", "er"}}, "es": {{"ada", "ar"}, {"ado", "ar"}, {"ida", "ir"}, {"ido", "ir"}}, "pt": {{"ada", "ar"}, {"ado", "ar"}, {"ida", "ir"}, {"ido", "ir"}},
		"it": {{"ata", "are"}, {"ato", "are"}, {"ate", "are"}, {"ati", "are"}, {"ita", "ire"}, {"ito", "ire"}}}
	for _, e := range endings[lang] {
		if stem, ok := strings.CutSuffix(w, e[0]); ok && len(stem) > 2 {
			k |= verbKinds(lang, stem+e[1])
		}
	}
	return k
}

// verbKinds returns the kinds of deeds of a single word of a language that is no noun.
func verbKinds(lang, word string) (k Kinds) {
	for _, p := range theTables().of[lang][word] {
		if len(p.words) == 1 && !p.noun {
			k |= p.kinds & Deeds
		}
	}
	return k
}

// isSubject reports whether the English noun at words[i] is what the sentence says something of, as in "Mail delivery is
// broken" and "Order 5518-KD, it should have been here".
func (s *Sentence) isSubject(i int) bool {
	if !s.StartsClause(i) || i+2 >= len(s.Words) || Listed("determiner", s.Words[i+1]) {
		return false
	}
	if end := s.clauseEnd(i + 1); end <= i+3 && end+1 < len(s.Words) && slices.ContainsFunc(s.Words[i+1:end], isNumbered) {
		return Listed("doer", s.Words[end+1]) || Listed("notDoer", s.Words[end+1]) || Listed("determiner", s.Words[end+1]) && slices.ContainsFunc(s.Words[end+1:], func(w string) bool {
			return Listed("isSo", w) || strings.HasSuffix(w, "ed") && BaseForms(w) != nil
		})
	}
	for j := i + 1; j < min(i+4, len(s.Words)) && s.Words[j] != ","; j++ {
		if Listed("isSo", s.Words[j]) {
			return true
		}
	}
	return false
}

// isNumbered reports whether a word has a digit.
func isNumbered(w string) bool { return strings.ContainsAny(w, "0123456789") }

// reportsBack reports whether the English verb at words[i] says what the user wants to be told after something was
// looked up, as in "find the price and report it to me".
func (s *Sentence) reportsBack(hits []hit, i int) bool {
	if i == 0 || !Listed("lookNoun", s.Words[i]) || !Listed("and", s.Words[i-1]) || s.endsClause(i+1) || Listed("pointer", s.Words[i+1]) {
		return false
	}
	if at := slices.Index(s.Words[i:], "to"); at >= 0 && (i+at+1 >= len(s.Words) || s.Words[i+at+1] != "me") {
		return false
	}
	return slices.ContainsFunc(hits, func(h hit) bool { return h.at < i && h.kinds&Look != 0 }) && !slices.ContainsFunc(hits, func(h hit) bool { return h.at < i && h.kinds&Deeds != 0 && !h.noun })
}

// leavesThere reports whether the English verb at words[i] says that a thing stays as it is, as in "leave the magazine". One
// leaves a group by going out of it.
func (s *Sentence) leavesThere(i int) bool {
	return s.Words[i] == "leave" && i+2 < len(s.Words) && Listed("ofPlace", s.Words[i+1]) && !AnyListed("group", s.Words[i+2:s.clauseEnd(i+2)])
}

// writesMeWhat reports whether the verb at words[i] says that the user wants to read a fact, as in "Schreib mir, was er kosten
// würde" and "Écris-moi combien il en reste".
func (s *Sentence) writesMeWhat(lang string, i int) bool {
	words := s.Words[i+1:]
	words = words[:min(len(words), 6)]
	if !Listed("writes", s.Words[i]) || len(words) == 0 || !Listed("self", words[0]) && !strings.HasSuffix(s.Words[i], "me") && !strings.HasSuffix(s.Words[i], "mi") && !strings.HasSuffix(s.Words[i], "moi") {
		return false
	}
	at := slices.IndexFunc(words, func(w string) bool { return HasKind(lang, w, Opens) || Listed("asksWhat", w) })
	return at >= 0 && !slices.ContainsFunc(words[:at], func(w string) bool {
		return w != "," && !Listed("self", w) && !Listed("filler", w) && !Listed("onlyWord", w) && !Listed("adverbOfTime", w)
	})
}
