package kind

import (
	"slices"
	"strings"
)

// This file compares how much a message speaks of, whether it speaks of now or later, and what it asks for. The law: two
// messages of which only one has a word such as half, some, only or twice, or that have other such words, are never the same.

// extentWords maps the words that say how much of a thing a message speaks of to one word for each such part.
var extentWords = map[string]string{
	"half": "half", "halves": "half", "quarter": "quarter", "third": "third", "all": "all", "every": "all", "each": "all", "entire": "all", "whole": "all", "full": "all", "fully": "all",
	"some": "some", "several": "some", "few": "few", "most": "most", "many": "many", "double": "double", "twice": "double", "triple": "triple", "thrice": "triple",
	"partial": "part", "partially": "part", "partly": "part", "only": "only", "none": "none",
}

// extents returns the parts that a message speaks of, sorted, without all, which many messages leave out.
func extents(words []string) (out []string) {
	for i, w := range words {
		e := extentWords[w]
		follows := w == "half" && i > 0 && isListed(words[i-1], " second first other ") || isListed(w, " third quarter ") && (i == 0 || !isListed(words[i-1], " a one "))
		follows = follows || i+1 < len(words) && isListed(words[i+1], politeMarks+" sincerely welcome ")
		if e != "" && e != "all" && !follows && !(w == "few" && i+1 < len(words) && isListed(words[i+1], " minute minutes moment moments day days hour hours week weeks ")) {
			out = append(out, e)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sayOtherExtent reports whether two messages say other parts of a thing, and have the same words otherwise.
func sayOtherExtent(a, b []string) (other, certain bool) {
	if slices.Equal(extents(a), extents(b)) {
		return false, false
	}
	bare := func(words []string) []string {
		return slices.DeleteFunc(contentWords(words), func(w string) bool { return extentWords[w] != "" })
	}
	x, y := bare(a), bare(b)
	return true, slices.Equal(x, y)
}

// comesLater reports whether one of two messages says that something is so, and the other one that it will be so, with all
// words of the shorter one and no day or time in both.
func comesLater(a, b []string) bool {
	future := slices.ContainsFunc(a, isFuture)
	if future == slices.ContainsFunc(b, isFuture) {
		return false
	}
	now := a
	if future {
		now = b
	}
	if !slices.ContainsFunc(now, func(w string) bool { return isListed(w, " is are was were ") }) || slices.ContainsFunc(now, saysWhen) {
		return false
	}
	x, y := contentWords(a), contentWords(b)
	return len(x) > 0 && len(y) > 0 && countCommon(x, y) == min(len(x), len(y))
}

// plainRequests is plainRequest of two messages. A request stays as it is if the other message is none.
func plainRequests(a, b string) (string, string) {
	x, y := plainRequest(a), plainRequest(b)
	if x != a && !isRequest(y) || y != b && !isRequest(x) {
		return a, b
	}
	return x, y
}

// isRequest reports whether a message begins with please.
func isRequest(s string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return isListed(strings.ToLower(strings.TrimRight(first, ",")), " please kindly ")
}

// plainRequest writes a message that is one question "could you please …?" as "please …", and leaves any other one.
func plainRequest(s string) string {
	s = strings.TrimSpace(s)
	rest, asks := strings.CutSuffix(s, "?")
	if !asks || strings.ContainsAny(rest, ".!?\n") {
		return s
	}
	words := strings.Fields(rest)
	if len(words) < 4 || !isListed(strings.ToLower(words[0]), " could can would will ") || !strings.EqualFold(words[1], "you") {
		return s
	}
	if isListed(strings.ToLower(words[2]), " please kindly ") {
		return strings.Join(words[2:], " ")
	}
	if last := len(words) - 1; strings.EqualFold(words[last], "please") {
		return words[last] + strings.TrimRight(" "+strings.Join(words[2:last], " "), ",")
	}
	return s
}
