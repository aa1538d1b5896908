package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// applyDescription corrects v, the verdict on the tool's name, by the words of the tool's
// description. A description can make the verdict stricter. It can make the verdict
// milder only if the name has no known verb, or only a vague verb.
func applyDescription(v Verdict, found bool, tool Tool) Verdict {
	t := splitWords(firstSentence(tool.Description))
	if v.Control || v.Mutating == Yes || len(t) == 0 {
		return v
	}
	lead := verbStem(t[0])
	c := wordClass(lead)
	switch {
	case c.has(write) && !(c.has(noun) && lead == t[0] && makesNoun(t[1:])):
		return newVerdict(Yes, LayerDescription, "the description begins with "+quote(t[0]))
	case v.Mutating == No:
		if second := addsChange(t); second != "" {
			return newVerdict(Yes, LayerDescription, "the description adds "+quote(second))
		}
	case v.Mutating == Unknown && (c.has(read) || lead == "return"):
		if found && (runsAnything(tool) || nameHasVerb(tool.Name, lead)) || hasWritingVerb(splitWords(tool.Description)) {
			return v
		}
		return newVerdict(No, LayerDescription, "the description begins with "+quote(t[0])+" and does not mention a change")
	}
	return v
}

// makesNoun reports whether the words in rest make the word before them a noun or an
// adjective. An example is the word Set in "Set of rules".
func makesNoun(rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case "of", "for", "list", "details", "information", "history", "status", "data":
		return true
	}
	return false
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

// verbStem returns the base form of a verb that ends in -s or -ing, if the base form is a
// verb of the lexicon. It returns any other word unchanged.
func verbStem(w string) string {
	if wordClass(w) != 0 {
		return w
	}
	for _, cut := range [...][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}, {"ing", ""}, {"ing", "e"}} {
		if base, ok := strings.CutSuffix(w, cut[0]); ok && wordClass(base+cut[1]).isVerb() {
			return base + cut[1]
		}
	}
	return w
}

// addsChange returns a conjunction and a second verb that changes something, such as "and
// saves". The second verb must have the same form as the first verb of the sentence. The
// result is "" if there is no such verb.
func addsChange(t []string) string {
	third := verbStem(t[0]) != t[0]
	for k := 1; k+1 < len(t); k++ {
		w := t[k+1]
		if isConjunction(t[k]) && wordClass(verbStem(w)).isDeed() && third == (verbStem(w) != w) {
			return t[k] + " " + w
		}
	}
	return ""
}

// hasWritingVerb reports whether a text contains a writing verb that is not also a noun.
func hasWritingVerb(t []string) bool {
	for _, w := range t {
		if c := wordClass(verbStem(w)); c.isDeed() {
			return true
		}
	}
	return false
}

// nameHasVerb reports whether lead, the first verb of a tool's description, is also a
// word of the tool's name. Such a description does not say what a vague name means.
func nameHasVerb(name, lead string) bool {
	for _, part := range splitSegments(name) {
		for _, w := range part {
			if w == lead {
				return true
			}
		}
	}
	return false
}

// runsAnything reports whether a tool with a vague verb may have any effect. This is so
// if the tool takes code, or if its verb means to do what is given. A description cannot
// make the verdict on such a tool milder.
func runsAnything(tool Tool) bool {
	for _, part := range splitSegments(tool.Name) {
		for _, w := range part {
			if isAnythingWord(w) {
				return true
			}
		}
	}
	found := false
	tool.Parameters.Get("properties").Each(func(key string, _ jsonval.Value) bool {
		for _, w := range splitWords(key) {
			found = found || isAnythingWord(w)
		}
		return !found
	})
	return found
}

func isAnythingWord(w string) bool {
	return isListed(w, anythingList)
}
