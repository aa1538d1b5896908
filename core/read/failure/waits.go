package failure

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The result of a deed may only ask a person for an approval. The law of this file: such a deed is
// proposed and was not done. A deed that asks, or that creates the thing which waits, was done, and so
// was one whose result says so.

const (
	approvals  = "approval approvals approve approved approver confirmation confirm confirmed authorization authorisation authorize consent permission sign-off signoff"
	waitingFor = "require requires required need needs needed awaiting awaits await waiting waits wait pending until before subject submitted sent queued held escalated forwarded routed must please requested without"
)

// mayWait reports whether a text has a letter sequence of a word for an approval. It spares most results
// the rest.
func mayWait(text string) bool {
	return hasAny(text, "pprov", "onfirm", "uthori", "onsent", "ermission", "ign-off", "ignoff", "eview", "uman", "want to", "like me to", "re you sure")
}

// saysWaiting reports whether a result says that the deed waits for a person.
func (r *report) saysWaiting(text string) bool {
	if oneOf(r.deed.Class, "ask request") || r.isOwnWord("approval") || r.isOwnWord("confirmation") || oneOf(r.deed.Verb, "request submit propose draft") {
		return false
	}
	if text[0] == '{' {
		v, err := jsonval.Parse(text)
		return err == nil && !(isEntity(text) && oneOf(r.deed.Class, "create add")) && r.objectWaits(v, 0)
	}
	return r.textWaits(strings.ToLower(text))
}

// textWaits reports whether a text in lower case says that the deed waits for a person.
func (r *report) textWaits(text string) bool {
	if hasPrefix(text, "do you want to ", "would you like me to ", "are you sure") {
		return true
	}
	waits := false
	for _, c := range clausesOf(strings.ReplaceAll(text, "-", " ")) {
		if r.saysDone(c.words) {
			return false
		}
		for i, w := range c.words {
			near := c.words[max(0, i-4):min(len(c.words), i+5)]
			if oneOf(w, approvals) && !negatedIn(c.words, approvals+" required needed") {
				for _, other := range near {
					waits = waits || oneOf(other, waitingFor)
				}
			}
		}
	}
	return waits
}

// objectWaits reports whether an object says so by its state, by a flag or by its words.
func (r *report) objectWaits(v jsonval.Value, depth int) bool {
	if v.Kind() != jsonval.Object || depth > mostWrapped {
		return false
	}
	waits, done := false, false
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		switch {
		case asksApproval(word):
			waits = waits || isSome(m) && m.Raw() != "false"
		case !oneOf(word, successWords) && r.countsDeed(word), word == "executed":
			done = done || isSome(m)
		case m.Kind() == jsonval.String && (strings.HasSuffix(word, "status") || strings.HasSuffix(word, "state") || word == "outcome"):
			waits = waits || asksApproval(wordlist.FoldName(m.Text()))
		case m.Kind() == jsonval.String && oneOf(word, reportMembers):
			waits = waits || r.textWaits(strings.ToLower(m.Text()))
		case oneOf(word, "data result response output body"):
			waits = waits || r.objectWaits(m, depth+1)
		}
		return true
	})
	return waits && !done
}

// asksApproval reports whether a word without blanks says that something waits for a person, such as
// pendingapproval.
func asksApproval(word string) bool {
	return hasAny(word, "pending", "await", "waiting", "require", "needs", "need", "queued", "held", "submittedfor") && hasAny(word, "approv", "confirm", "authori", "consent", "review", "human", "signoff")
}
