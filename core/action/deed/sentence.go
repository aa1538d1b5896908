package deed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A sentence and the arguments of a call may contradict each other. The sentences are folded.

// ReversesPlaces reports whether a sentence says "from A to B", and the call has B as what it comes
// from or A as where it goes.
func ReversesPlaces(words string, leaves []similarity.Leaf) bool {
	tokens := utterance.Fields(words)
	at := slices.Index(tokens, "from")
	if at < 0 {
		return false
	}
	from := utterance.ThingAt(tokens[at+1:])
	end := slices.IndexFunc(tokens[at+1:], func(w string) bool { return w == "to" || w == "into" })
	if end < 1 || end > 6 || from == "to" {
		return false
	}
	to := utterance.ThingAt(tokens[at+end+2:])
	if from == to || to == "" {
		return false
	}
	return slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		v := FoldValue(&l)
		return v == to && KeyHas(&l, "fromKey") && !KeyHas(&l, "toKey") || v == from && KeyHas(&l, "toKey") && !KeyHas(&l, "fromKey")
	})
}

// ExceedsLimit reports whether a sentence sets one upper limit, and a number of the call that counts
// something is above it.
func ExceedsLimit(words string, leaves []similarity.Leaf) bool {
	rest, found := utterance.Behind(words, "atMost")
	if !found {
		return false
	}
	tokens := utterance.Fields(rest)
	if _, more := utterance.Behind(rest, "atMost"); more || len(tokens) == 0 {
		return false
	}
	most, err := strconv.ParseFloat(strings.TrimLeft(tokens[0], "$€£"), 64)
	return err == nil && slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		n, err := strconv.ParseFloat(l.Raw, 64)
		return err == nil && n > most && KeyHas(&l, "amountKey")
	})
}

// TakesExcepted reports whether a sentence asks for everything but one thing, and the call has it.
func TakesExcepted(words string, leaves []similarity.Leaf) bool {
	rest, found := utterance.Behind(words, "allBut")
	if !found {
		return false
	}
	thing := utterance.ThingAt(utterance.Fields(rest))
	return thing != "" && slices.ContainsFunc(leaves, func(l similarity.Leaf) bool { return FoldValue(&l) == thing })
}

// OtherHalfOfDay reports whether a sentence has one time of day with am or pm, and the call has the
// same hour in the other half of the day.
func OtherHalfOfDay(words string, leaves []similarity.Leaf) bool {
	hour, late, times := 0, false, 0
	tokens := utterance.Fields(words)
	for i, w := range tokens {
		half := strings.ReplaceAll(w, ".", "")
		digits := strings.TrimRight(half, "apm")
		if half = half[len(digits):]; half != "am" && half != "pm" {
			continue
		}
		if digits == "" && i > 0 {
			digits = tokens[i-1]
		}
		digits, _, _ = strings.Cut(digits, ":")
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 12 {
			hour, late, times = n%12, half == "pm", times+1
		}
	}
	if times != 1 || hour == 0 {
		return false
	}
	wrong := hour
	if !late {
		wrong += 12
	}
	return slices.ContainsFunc(leaves, func(l similarity.Leaf) bool {
		v := TrimQuotes(l.Raw)
		h, rest, found := strings.Cut(v[strings.LastIndexByte(v, 'T')+1:], ":")
		n, err := strconv.Atoi(h)
		return found && err == nil && len(h) == 2 && len(rest) >= 2 && n == wrong
	})
}

// KeyHas reports whether the name of an argument has a word of a list.
func KeyHas(l *similarity.Leaf, list string) bool {
	return utterance.AnyListed(list, mutation.NameWords(l.Key))
}
