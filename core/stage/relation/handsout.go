package relation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file finds what one step changes and a later one hands out as it is then: a price list that is mailed, a label that
// is printed, a customer who is charged. The law: the order of two steps is said for this reason only if both name one
// thing, the first one changes it, and the second one shows, sends or settles it. For a payment, what is changed is a term of it.

// The verbs of steps that hand out: showVerbs show a thing as it is then, giveVerbs let somebody see it from then on, and
// settleVerbs pay, charge or carry out what is agreed.
const (
	showVerbs   = " print email mail fax publish export upload distribute issue send dispatch broadcast air render "
	giveVerbs   = " share expose "
	settleVerbs = " pay charge bill debit refund reimburse execute payout disburse settle remit collect renew "
)

// termWords are the words for what a payment depends on.
const termWords = " bank iban bic payment card plan tariff tier subscription price rate fee amount salary wage pay discount tax vat currency billing payout mandate pricing coupon contribution deduction allowance bonus "

// ownTextWords end the names of arguments with what a step says itself.
const ownTextWords = " text body message subject content title description html file attachment document "

// placeWords are the nouns of things at which something is done, and which nobody hands out.
const placeWords = " room house home site venue building location zone bed floor area region city country team project group channel warehouse store shop department "

// handsOut returns the value that names what the first action changes and the second one hands out. It returns "" if there
// is none. O(arguments of both).
func handsOut(first, second *boundary.Action) string {
	if !first.Writes() || first.Name == second.Name || nameOthers(first, second) || isHandingOut(first) || wordlist.Contains(" tag label flag comment mark subscribe invite log record book reserve ", first.Deed().Class) {
		return ""
	}
	verb := FirstWord(second)
	switch {
	case wordlist.Contains(settleVerbs, verb):
		if !changesTerms(first) {
			return ""
		}
		return namedByBoth(first, second, func(noun string) bool { return !wordlist.Contains(placeWords, noun) })
	case wordlist.Contains(giveVerbs, verb):
		return takenOut(first, second)
	case !wordlist.Contains(showVerbs, verb) || hasOwnText(second):
		return ""
	}
	if thing := namedByBoth(first, second, func(noun string) bool {
		return !IsPerson(noun) && !wordlist.Contains(placeWords, noun) && !wordlist.Contains(attributeWords, noun)
	}); thing != "" {
		return thing
	}
	return takenOut(first, second)
}

// isHandingOut reports whether the first word of an action's name shows, shares, sends or settles something.
func isHandingOut(a *boundary.Action) bool {
	verb := FirstWord(a)
	return wordlist.Contains(showVerbs, verb) || wordlist.Contains(giveVerbs, verb) || wordlist.Contains(settleVerbs, verb)
}

// whenWords end the names of arguments that say when.
const whenWords = " time date day month year "

// saysWhere reports whether the words of an argument's name name a place, and an action shows something else of that place.
func saysWhere(shows *boundary.Action, words []string) bool {
	return wordlist.HasLast(placeWords, words) && wordlist.Contains(showVerbs, FirstWord(shows)) && !slices.Contains(shows.Words(), words[len(words)-1])
}

// changesTerms reports whether an action changes what a payment depends on, as its name says.
func changesTerms(a *boundary.Action) bool {
	return len(a.Words()) > 1 && wordlist.HasAny(termWords, a.Words()[1:]) && !isAdding(a)
}

// settlesBeside reports whether the second action pays, charges or carries out something for a person of whom the first one
// only sets what no payment depends on, such as a language.
func settlesBeside(first, second *boundary.Action) bool {
	if !wordlist.Contains(settleVerbs, FirstWord(second)) || !isSettingVerb(first) || changesTerms(first) {
		return false
	}
	isPerson := false
	for i := range first.Leaves {
		if x := &first.Leaves[i]; hasValue(second, x.Value) {
			key, _, _ := strings.Cut(x.Path, "[")
			if isPerson = IsPerson(NounOf(first, key)); !isPerson {
				return false
			}
		}
	}
	return isPerson
}

// hasOwnText reports whether an action says a text of its own, or hands out a file of its own.
func hasOwnText(a *boundary.Action) bool {
	for i := range a.Leaves {
		if wordlist.HasLast(ownTextWords, mutation.NameWords(a.Leaves[i].Key)) {
			return true
		}
	}
	return false
}

// namedByBoth returns the value of an argument of the first action that the second one has under a name with the same last
// word, alone or in a list, if its noun is fit. It returns "" if there is none, or if another thing of that sort is named.
func namedByBoth(first, second *boundary.Action, isFit func(noun string) bool) string {
	for i := range first.Leaves {
		x := &first.Leaves[i]
		key, _, _ := strings.Cut(x.Path, "[")
		if !isShort(x) && !isWhole(strings.Trim(x.Raw, `"`)) || !isFit(NounOf(first, key)) || isOwnField(first, key) {
			continue
		}
		for k := range second.Leaves {
			y := &second.Leaves[k]
			other, _, _ := strings.Cut(y.Path, "[")
			if x.Value == y.Value && SameKey(key, other) {
				return x.Value
			}
		}
	}
	return ""
}

// isOwnField reports whether an argument is the field that an action sets, such as price of set_price.
func isOwnField(a *boundary.Action, key string) bool {
	words := mutation.NameWords(key)
	return len(words) > 0 && wordlist.Contains(" set change update ", FirstWord(a)) && len(a.Words()) > 1 && a.Words()[len(a.Words())-1] == words[len(words)-1]
}

// takenOut returns the folder that the second action hands out, if the first one takes something out of it, or hides it.
func takenOut(first, second *boundary.Action) string {
	if !DoesOneOf(first, DestroyVerbs+"move relocate redact anonymize anonymise mask encrypt ") {
		return ""
	}
	for i := range second.Leaves {
		o := &second.Leaves[i]
		folder := strings.TrimSuffix(similarity.Plain(o.Raw), "/") + "/"
		if len(folder) < 3 || !strings.Contains(folder[:len(folder)-1], "/") || NounOf(second, o.Key) != "path" {
			continue
		}
		inside, kept := false, false
		for k := range first.Leaves {
			l := &first.Leaves[k]
			isIn := strings.HasPrefix(similarity.Plain(l.Raw), folder)
			if words := mutation.NameWords(l.Key); wordlist.HasLast(" destination dest dst target to ", words) {
				kept = kept || isIn
			} else {
				inside = inside || isIn
			}
		}
		if inside && !kept {
			return o.Value
		}
	}
	return ""
}
