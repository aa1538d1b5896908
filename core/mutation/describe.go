package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// describe corrects v, the verdict on the tool's name, by the words of the tool's
// description. A description can make the verdict stricter. It can make the verdict
// milder only if the name has no known verb, or only a vague verb.
func describe(v Verdict, found bool, tool Tool) Verdict {
	t := words(firstSentence(tool.Description))
	if v.Control || v.Mutating == Yes || len(t) == 0 {
		return v
	}
	lead := stem(t[0])
	c := word(lead)
	switch {
	case c.has(write) && !(c.has(noun) && lead == t[0] && titled(t[1:])):
		return says(Yes, LayerDescription, "the description begins with "+quote(t[0]))
	case v.Mutating == No:
		if second := addsChange(t); second != "" {
			return says(Yes, LayerDescription, "the description adds "+quote(second))
		}
	case v.Mutating == Unknown && (c.has(read) || lead == "return"):
		if found && (runsAnything(tool) || repeats(tool.Name, lead)) || changes(words(tool.Description)) {
			return v
		}
		return says(No, LayerDescription, "the description begins with "+quote(t[0])+" and names no change")
	}
	return v
}

// titled reports whether the words in rest make the word before them a noun or an
// adjective ("Set of rules", "Complete list of orders").
func titled(rest []string) bool {
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

// stem returns the base form of a verb that ends in -s or -ing, if the base form is a
// verb of the lexicon. It returns any other word unchanged.
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

// addsChange looks for a second verb that changes something and has the same form as the
// first verb of the sentence. It returns the conjunction and that verb, such as "and
// saves" or "or create". It returns "" if there is no such verb.
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

// changes reports whether a text contains a writing verb that is not also a noun.
func changes(t []string) bool {
	for _, w := range t {
		if c := word(stem(w)); c.has(write) && !c.has(noun) {
			return true
		}
	}
	return false
}

// repeats reports whether the description's verb also occurs in the name. Such a
// description does not say what a vague name means.
func repeats(name, lead string) bool {
	for _, part := range segments(name) {
		for _, w := range part {
			if w == lead {
				return true
			}
		}
	}
	return false
}

// runsAnything reports whether a tool with a vague verb may have any effect: the tool
// takes code, or its verb means "do whatever is given". No description ("Returns the
// output of the script") makes the verdict on such a tool milder.
func runsAnything(tool Tool) bool {
	for _, part := range segments(tool.Name) {
		for _, w := range part {
			if anything(w) {
				return true
			}
		}
	}
	found := false
	tool.Parameters.Get("properties").Each(func(key string, _ jsonval.Value) bool {
		for _, w := range words(key) {
			found = found || anything(w)
		}
		return !found
	})
	return found
}

func anything(w string) bool {
	return listed(w, anythingList)
}
