package violation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// splitName splits a name into lower-case words at punctuation and where a lower-case
// letter is followed by a capital.
func splitName(name string) []string {
	out := make([]string, 0, 4)
	start, previousLower := -1, false // start is where the current word begins, or -1
	for i, r := range name {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!inside || unicode.IsUpper(r) && previousLower) {
			out = append(out, wordlist.Lower(name[start:i]))
			start = -1
		}
		if inside && start < 0 {
			start = i
		}
		previousLower = unicode.IsLower(r)
	}
	if start >= 0 {
		out = append(out, wordlist.Lower(name[start:]))
	}
	return out
}

func hasWord(name string, words ...string) bool { return hasAny(splitName(name), words...) }

// isLetter reports whether a byte is a letter of ASCII.
func isLetter(b byte) bool { return 'a' <= b|' ' && b|' ' <= 'z' }

// hasAny reports whether one of the words of a name is one of some others.
func hasAny(name []string, words ...string) bool {
	return slices.ContainsFunc(name, func(t string) bool { return slices.Contains(words, t) })
}

// isConsentRequest reports whether a step's name says that it asks a person for consent.
// A name such as confirm_address does not count, because it means a check.
func isConsentRequest(name string) bool {
	t := splitName(name)
	if hasAny(t, "consent", "approve", "approval", "authorize", "authorise", "confirmation") {
		return true
	}
	return hasAny(t, "confirm", "ask") && (len(t) == 1 || hasAny(t, "user", "customer", "with", "client", "human", "person"))
}

// isAcknowledgment reports whether a step's name says that it informs somebody about
// completed work. Examples are a receipt, a sent confirmation and a notice.
func isAcknowledgment(name string) bool {
	t := splitName(name)
	if hasAny(t, "acknowledge", "acknowledgement", "acknowledgment", "ack") {
		return true
	}
	telling := hasAny(t, "send", "issue", "give", "show", "email", "mail", "post", "deliver", "provide", "display", "print", "sms", "report", "record")
	return telling && hasAny(t, "confirmation", "receipt", "notice", "notification", "completion") ||
		hasAny(t, "notify", "inform") && !hasAny(t, "before")
}

// isCheckName reports whether a step's name has a word for verification, such as check or
// confirm.
func isCheckName(name string) bool {
	return hasWord(name, "verify", "verification", "confirm", "check", "validate", "review", "inspect", "authenticate", "identify", "ensure", "test")
}

// saysAll reports whether the name of an action or one of its values is a word for everything.
func saysAll(a *boundary.Action) bool { return saysAllWith(a, splitName(a.Name)) }

// saysAllWith is saysAll. name has the words of the action's name.
func saysAllWith(a *boundary.Action, name []string) bool {
	if hasAny(name, "all", "every", "everything", "everyone") {
		return true
	}
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		switch shortValue(&l) {
		case "*", "**", "all", "any", "every", "everything", "everyone":
			return true
		}
		return l.Value == "true" && hasWord(l.Key, "all", "every")
	})
}

// shortValue returns a value without quotes and in lower case, or "" if it is longer than the
// words with which it is compared.
func shortValue(l *similarity.Leaf) string {
	if len(l.Value) > 16 {
		return ""
	}
	return wordlist.Lower(strings.Trim(l.Value, `"`))
}

// isQuantified reports whether an action affects everything: saysAll, a bulk action, the keys
// that select everything, or a value such as all-subscribers.
func isQuantified(a *boundary.Action) bool {
	if name := splitName(a.Name); saysAllWith(a, name) || hasAny(name, "bulk") {
		return true
	}
	for _, l := range a.Leaves {
		switch shortValue(&l) {
		case "ctrl+a", "control+a", "cmd+a", "command+a", "meta+a":
			return true
		}
		first := strings.TrimLeft(l.Value, `"`)
		if first == "" || notation.IsDigitByte(first[0]) || isLetter(first[0]) && strings.IndexByte("aew", first[0]|' ') < 0 || strings.IndexByte(l.Value, ' ') >= 0 { // of no word below
			continue
		}
		if t := splitName(l.Value); len(t) > 1 && len(t) <= 3 && (t[0] == "all" || t[0] == "every" || t[0] == "entire" || t[0] == "whole") {
			return true // all-subscribers, all_users
		}
	}
	return false
}
