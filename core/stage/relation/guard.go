package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds the steps that guard later ones: checks, and requests for a permission, and what the
// instructions and the user say about them.

// IsGuard reports whether a step checks something, or asks for or looks at what somebody must give before a deed, such
// as a consent.
func IsGuard(a *boundary.Action) bool {
	if a.Failed || a.Text != "" {
		return false
	}
	if DoesOneOf(a, CheckVerbs) {
		return true
	}
	asks := !a.Writes() || DoesOneOf(a, " request ask obtain seek get ")
	return asks && wordlist.HasAny(guardWords, a.Deed().Object)
}

// NamesObjectOf reports whether an argument of an action has the name of the object of another one, as
// clearance in release_balloon(clearance) after request_clearance.
func NamesObjectOf(a, other *boundary.Action) bool {
	object := other.Deed().Object
	return len(object) > 0 && slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return SameKey(l.Key, object[len(object)-1]) })
}

// IsToldInOrder reports whether the instructions or the user name a step before another one, with a word of order
// between them.
func (j *Run) IsToldInOrder(first, second *boundary.Action) bool {
	if j.reasons >= mostReasons {
		return false
	}
	j.reasons++
	return asksInOrder(j.instructions(), first, second)
}

// instructions returns the agent's instructions and all that the user said, each in lower case and up to mostWords
// bytes. It caches the result.
func (j *Run) instructions() string {
	if j.told == nil {
		text := j.policy().Lower + "\n" + j.userWords()
		j.told = &text
	}
	return *j.told
}

func (j *Run) policy() *boundary.Told {
	return j.ReadPolicy(func(policy string) boundary.Told {
		lower := wordlist.Lower(policy[:min(len(policy), mostWords)])
		return boundary.Told{Lower: lower, Ends: endsIn(lower)}
	})
}

// branchPhrases are phrases with which instructions say what to do after a no.
var branchPhrases = [...]string{"otherwise", "if not", "if it is not", "if it does not", "if none", "fails", "failed", "refused", "denied", "rejected", "invalid", "expired", "unavailable", "even if", "regardless", "whatever", "anyway", "no matter", "in any case", "in case"}

// oncePhrases are phrases with which a user asks for one call.
var oncePhrases = [...]string{"in one go", "in a single", "in one single", "as a single", "as one "}

// IsToldAtOnce reports whether the user asks to do a step in one call: in one go, or as one of its things, as in "one mail
// please" for send_email. O(length of the text).
func (j *Run) IsToldAtOnce(step *boundary.Action) bool {
	words := j.userWords()
	if slices.ContainsFunc(oncePhrases[:], func(p string) bool { return strings.Contains(words, p) }) {
		return true
	}
	object, before := step.Deed().Object, ""
	for word := range strings.FieldsSeq(words) {
		is := strings.TrimRight(word, ".,;:!?")
		if (before == "one" || before == "single") && slices.ContainsFunc(object, func(w string) bool { return w == is || len(is) > 3 && strings.HasSuffix(w, is) }) {
			return true
		}
		before = is
	}
	return false
}

// TellsOfNo reports whether the instructions or the user say what to do if a check says no: in a sentence about the
// check, or in the one after it.
func (j *Run) TellsOfNo(check *boundary.Action) bool {
	about := false
	for sentence := range strings.FieldsFuncSeq(j.instructions(), func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		before := about
		if about = mentions(sentence, check) > 0; (about || before) && slices.ContainsFunc(branchPhrases[:], func(p string) bool { return strings.Contains(sentence, p) }) {
			return true
		}
	}
	return false
}

// endPhrases are words with which instructions say that work ends with a step.
var endPhrases = [...]string{"ends with", "ends when", "ends by", "finished only", "finished with", "finished when", "complete only", "complete when", "concludes", "close with", "closes with", "conclude with", "finish with", "end with", "finally ", "lastly "}

// IsToldAsEnd reports whether a sentence of the instructions or of the user says that the work ends with a step.
func (j *Run) IsToldAsEnd(step *boundary.Action) bool {
	if !j.knowsEnds {
		j.knowsEnds, j.ends = true, endsIn(j.userWords())
	}
	isStep := func(end string) bool { return namedBy(end, step) }
	return slices.ContainsFunc(j.policy().Ends, isStep) || slices.ContainsFunc(j.ends, isStep)
}

// endsIn returns what stands behind each of endPhrases at the start of a word, up to the end of the sentence. It looks
// at each place once. O(length of the text).
func endsIn(text string) (ends []string) {
	for i := range len(text) {
		if c := text[i]; c != 'e' && c != 'f' && c != 'c' && c != 'l' || i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' || i+2 > len(text) {
			continue
		}
		switch text[i : i+2] {
		case "en", "fi", "co", "cl", "la": // all of endPhrases begin so
		default:
			continue
		}
		for _, p := range endPhrases {
			if end, found := strings.CutPrefix(text[i:], p); found {
				if at := strings.IndexAny(end, ".!?;\n"); at >= 0 {
					end = end[:at]
				}
				ends = append(ends, end)
			}
		}
	}
	return ends
}

// namedBy reports whether a text has all words of a step's name, or its verb and its only object in other forms.
func namedBy(text string, step *boundary.Action) bool {
	words, named := step.Words(), 0
	for _, w := range words {
		if strings.Contains(text, w[:max(1, len(w)-1)]) {
			named++
		}
	}
	return named > 0 && named >= len(words)-1
}
