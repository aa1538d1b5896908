// Package participle reads the words with which texts say that something was done, such as
// cancelled and sent.
package participle

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
)

// irregular maps participles that are not formed with -ed to their verbs.
var irregular = map[string]string{"sent": "send", "paid": "pay", "sold": "sell", "bought": "buy", "written": "write", "made": "make", "put": "put", "set": "set",
	"given": "give", "taken": "take", "built": "build", "lent": "lend", "shut": "shut"}

// Is reports whether a lower-case word has the form of a participle that says that
// something was done, such as cancelled and sent.
func Is(word string) bool {
	return len(word) > 2 && strings.HasSuffix(word, "ed") || irregular[word] != ""
}

// Fits reports whether a lower-case participle says that a deed was done. For example,
// cancelled fits the deed of cancel_order, and modified fits that of update_order.
func Fits(participle string, d *mutation.Deed) bool {
	if d.Verb == "" {
		return false
	}
	if present := irregular[participle]; present != "" {
		return present == d.Verb
	}
	same := 0
	for same < len(d.Verb) && same < len(participle) && d.Verb[same] == participle[same] {
		same++
	}
	if same >= 4 && same >= len(d.Verb)-1 {
		return true
	}
	if !strings.HasSuffix(participle, "ed") || d.Class == "" {
		return false
	}
	stem := strings.TrimSuffix(participle, "ed")
	for _, v := range [...]string{stem, stem + "e", strings.TrimSuffix(stem, "i") + "y", strings.TrimSuffix(stem, "l")} {
		if other := mutation.DeedOf(v); other.Class != "" && other.Class == d.Class {
			return true
		}
	}
	return false
}

// FitsName is like Fits, for the deed that a tool's name means.
func FitsName(participle, name string) bool {
	d := mutation.DeedOf(name)
	return Fits(participle, &d)
}
