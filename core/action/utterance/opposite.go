package utterance

import "slices"

// Who says to open something does not ask for it to be closed. There is one table of opposites: the pairs of words in the list
// pole, and the verbs of all languages that begin something (the list begins) or end something (the list ends).

// Opposes returns the verb of a sentence that is the opposite of a word in the name of a tool; "" for none. Each verb with
// which the sentence asks is on one side of a pair, the name is on the other side only, and the sentence forbids nothing.
// O(words).
func (s *Sentence) Opposes(name []string) string {
	if len(s.AskedBy)+len(s.Verbs) == 0 || s.Bars != 0 {
		return ""
	}
	for _, side := range [...][2]string{{"begins", "ends"}, {"ends", "begins"}} {
		isSaid := func(v string) bool { return s.isOnSide(v, side[0]) }
		if s.allVerbs(isSaid) && AnyListed(side[1], name) && !AnyListed(side[0], name) && !AnyListed(side[1], s.Words) {
			return s.firstVerb()
		}
	}
	for _, p := range PairsOf("pole") {
		for at, said := range p {
			other := p[1-at]
			if slices.Contains(name, other) && !slices.Contains(name, said) && slices.Contains(s.Words, said) && !slices.Contains(s.Words, other) &&
				s.allVerbs(func(v string) bool { return v == said || (said == "on" || said == "off") && Listed("turns", v) }) {
				return said
			}
		}
	}
	return ""
}

// isOnSide reports whether a verb of a sentence is in the list of one side. A verb that only turns something is, with the
// particle that ends its clause: "Schalte die Pumpe ein".
func (s *Sentence) isOnSide(verb, side string) bool {
	if Listed(side, verb) {
		return true
	}
	at := slices.Index(s.Words, verb)
	return at >= 0 && Listed("turns", verb) && slices.ContainsFunc(s.Words[at:s.clauseEnd(at)], func(w string) bool { return Listed(side+"Particle", w) })
}

// allVerbs reports whether something is true of each verb with which a sentence asks.
func (s *Sentence) allVerbs(is func(string) bool) bool {
	return !slices.ContainsFunc(s.AskedBy, func(v string) bool { return !is(v) }) && !slices.ContainsFunc(s.Verbs, func(v string) bool { return !is(v) })
}

func (s *Sentence) firstVerb() string { return slices.Concat(s.AskedBy, s.Verbs)[0] }
