package failure

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// mostWrapped is the largest number of objects around the object that reports a deed.
const mostWrapped = 3

// objectUndone reports whether an object says that the deed did not happen: by the count or the
// flag of the deed, or, if it holds nothing but its own status and ids, by a word or a text. A
// list of one object, and an object in an object, are read like the inner one.
func (r *report) objectUndone(v jsonval.Value, depth int) bool {
	if v.Kind() == jsonval.Array && v.Len() == 1 {
		v = v.Elements()[0]
	}
	if v.Kind() != jsonval.Object || depth > mostWrapped {
		return false
	}
	bad, certain, done, only := false, false, false, true
	v.Each(func(key string, m jsonval.Value) bool {
		word := wordlist.FoldName(key)
		isState := oneOf(word, "outcome result code") || strings.HasSuffix(word, "status") || strings.HasSuffix(word, "state")
		only = only && (isState || oneOf(word, reportMembers) || strings.HasSuffix(word, "id") || m.Kind() == jsonval.Null)
		code, isCode := m.Float()
		switch {
		case oneOf(word, "failed failures errors failedcount error"):
			bad = bad || isSome(m)
		case isCode && oneOf(word, "code statuscode httpstatus status"):
			bad = bad || code >= 400 && code < 600
		case word == "type" && m.Kind() == jsonval.String:
			kind := strings.ToLower(m.Text())
			certain = certain || strings.HasPrefix(kind, "error") || kind == "execution-denied"
		case isState && m.Raw() == "false":
			bad = true
		case r.countsDeed(word):
			done, certain = done || isSome(m), certain || isNone(m)
		case oneOf(word, "errorcode errormessage errormsg err exception fault failurereason"):
			certain = certain || isSome(m)
		case oneOf(word, "approved confirmed"):
			bad = bad || m.Raw() == "false"
		case isState && m.Kind() == jsonval.String:
			bad = bad || r.isBadState(m.Text()) || r.textUndone(strings.ToLower(m.Text()))
		case m.Kind() == jsonval.String && oneOf(word, reportMembers):
			bad = bad || r.textUndone(strings.ToLower(m.Text()))
		case oneOf(word, "data result response output body") || v.Len() == 1 && r.isOwnWord(word):
			certain = certain || r.objectUndone(m, depth+1)
		}
		return true
	})
	return !done && (certain || bad && only)
}

// reportMembers are the members of an object that only reports what became of a call, as
// wordlist.FoldName returns them.
const reportMembers = "status state success ok code statuscode httpstatus error errors message msg reason detail details description retryable timestamp data result response output body note info outcome failed failures failedcount acknowledged matched matchedcount approved confirmed"

// countsDeed reports whether a member, as wordlist.FoldName returns it, is the flag, the count or
// the list of what the call did, such as cancelled, was_sent, deletedCount and rows_affected.
func (r *report) countsDeed(word string) bool {
	for _, opening := range [...]string{"is", "was", "num", "n", "total", "amount", "rows", "records", "items"} {
		if rest, ok := strings.CutPrefix(word, opening); ok && rest != "" && (participle.Is(rest) || len(opening) > 3 || oneOf(rest, "success successful ok done")) {
			word = rest
			break
		}
	}
	for _, ending := range [...]string{"count", "amount", "rows", "records", "items"} {
		word = strings.TrimSuffix(word, ending)
	}
	return oneOf(word, "success succeeded successful ok done completed executed processed applied accepted changed modified affected row") ||
		participle.Is(word) && participle.Fits(word, r.deed)
}

// isNone reports whether a value says that there is nothing: false, zero or an empty list.
func isNone(v jsonval.Value) bool {
	f, number := v.Float()
	return v.Raw() == "false" || number && f == 0 || v.Kind() == jsonval.Array && v.Len() == 0
}

// isSome reports whether a value says that there is something.
func isSome(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Missing, jsonval.Null:
		return false
	case jsonval.String:
		return !oneOf(strings.ToLower(v.Text()), "false no none 0") && v.Text() != ""
	}
	return !isNone(v) && v.Raw() != "{}"
}

// isBadState reports whether a word for the state of a call says that it failed. The call may
// have set this state, and a deed such as reject leads to it.
func (r *report) isBadState(word string) bool {
	word = wordlist.FoldName(word)
	return (oneOf(word, failureStates) || oneOf(word, "error failed blocked skipped noop unchanged notexecuted timeout timedout expired invalid notfound conflict ko nok")) &&
		!r.isOwnState(word) && !setsState(r.given, word)
}

// isOwnState reports whether a word is the state to which the deed leads, as declined is for
// decline_event, or the one that the call itself set. r is nil if the call is not known.
func (r *report) isOwnState(word string) bool {
	return r != nil && (participle.Fits(word, r.deed) || r.deed.Class == "update" && setsState(r.given, word))
}

// setsState reports whether a member of arguments that names a state, and no other, has a word: a note
// with this word says nothing of the deed.
func setsState(arguments jsonval.Value, word string) (found bool) {
	arguments.Each(func(key string, v jsonval.Value) bool {
		if v.Kind() == jsonval.Object {
			found = setsState(v, word)
			return !found
		}
		words := mutation.NameWords(key)
		found = len(words) > 0 && oneOf(words[len(words)-1], "status state outcome resolution decision") && strings.EqualFold(v.Text(), word)
		return !found
	})
	return found
}
