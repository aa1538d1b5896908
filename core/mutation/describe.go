package mutation

import "strings"

// describe lets the description's words raise the name's verdict, and lower it
// only where the name said nothing or promised nothing.
func describe(v Verdict, found bool, description string) Verdict {
	t := words(firstSentence(description))
	if v.Control || v.Mutating == Yes || len(t) == 0 {
		return v
	}
	lead := stem(t[0])
	c := word(lead)
	switch {
	case c.has(write):
		return says(Yes, LayerDescription, "the description begins with "+quote(t[0]))
	case v.Mutating == No:
		if second := addsChange(t); second != "" {
			return says(Yes, LayerDescription, "the description adds "+quote(second))
		}
	case v.Mutating == Unknown && (c.has(read) || lead == "return"):
		if w := changes(words(description)); w != "" {
			return v
		}
		return says(No, LayerDescription, "the description begins with "+quote(t[0])+" and names no change")
	}
	return v
}

func firstSentence(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "\n"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i]
	}
	return s
}

// stem takes a third person or gerund back to the verb's own form where the
// lexicon knows that form.
func stem(w string) string {
	if word(w) != 0 {
		return w
	}
	for _, cut := range [...][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}, {"ing", ""}, {"ing", "e"}} {
		if base, ok := strings.CutSuffix(w, cut[0]); ok && word(base+cut[1]).verb() {
			return base + cut[1]
		}
	}
	return w
}

// addsChange finds "and saves", "or create" in a sentence: a second verb in the
// form of the first.
func addsChange(t []string) string {
	third := stem(t[0]) != t[0]
	for k := 1; k+1 < len(t); k++ {
		w := t[k+1]
		if conjunction(t[k]) && word(stem(w)).has(write) && !word(stem(w)).has(noun) && third == (stem(w) != w) {
			return t[k] + " " + w
		}
	}
	return ""
}

// changes finds a plain writing verb anywhere in a text.
func changes(t []string) string {
	for _, w := range t {
		if c := word(stem(w)); c.has(write) && !c.has(noun) {
			return w
		}
	}
	return ""
}
