package failure

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// shortResult is the largest number of bytes of a result that is only a report of a failure.
const shortResult = 240

// undoneOpenings has the beginnings of reports that something was not done, in lower case.
// Those that end in a space need words behind them.
var undoneOpenings = [...]string{
	"permission denied", "access denied", "request denied", "operation not permitted", "not permitted", "not allowed", "not authorized", "unauthorized", "forbidden",
	"cannot ", "can not ", "can't ", "could not ", "couldn't ", "unable to ", "failed to ", "failure: ",
}

// saysUndone reports whether a short text of one line says first that something was not done,
// as "Permission denied" and "Cannot cancel: it was shipped" do, or says it of its subject, as
// "Order W-1 could not be cancelled." does.
func saysUndone(text string) bool {
	if len(text) > shortResult || strings.IndexByte(text, '\n') >= 0 {
		return false
	}
	if strings.IndexByte("pPaArRoOnNuUfFdDcC", text[0]) >= 0 {
		if o := opensWith(text, undoneOpenings[:]); o != "" && (strings.HasSuffix(o, " ") || endsReport(text[len(o):])) {
			return true
		}
	}
	subject, _, found := strings.Cut(text, " could not be ")
	return found && !strings.ContainsAny(subject, ".;:,!?") && strings.Count(subject, " ") < 6
}

// endsReport reports whether rest, the text after a word such as "denied", gives the reason or
// nothing.
func endsReport(rest string) bool {
	if rest == "" || strings.IndexByte(":.,;!(", rest[0]) >= 0 {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	return rest[0] == ' ' && oneOf(strings.ToLower(word), "- by because due for to as in on from")
}

// statusMembers are the members of an object that is only a report of what became of a call.
const statusMembers = "status state success ok code status_code statusCode http_status httpStatus error errors message msg reason detail details description retryable request_id requestId timestamp data result"

// failedStatus reports whether an object says of itself that the call failed: by an HTTP status
// of an error, or, if it holds nothing but its status, by a word or a code.
func (r *report) failedStatus(text string) bool {
	if !mayStateFailure(text) {
		return false
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return false
	}
	bad, certain, only := false, false, true
	v.Each(func(key string, m jsonval.Value) bool {
		only = only && oneOf(key, statusMembers)
		switch key {
		case "status_code", "statusCode", "http_status", "httpStatus":
			certain = certain || isHTTPError(m)
		case "status", "state", "code":
			bad = bad || isHTTPError(m) || oneOf(strings.ToLower(m.Text()), failureStates) && !r.isOwnState(strings.ToLower(m.Text()))
		}
		return true
	})
	return certain || bad && only
}

// failureStates are the states that say of a call that it failed.
const failureStates = "failure fail denied declined rejected refused forbidden unauthorized unsuccessful aborted"

// opensState has the first characters of the values that mayStateFailure finds.
var opensState = [256]bool{'f': true, 'd': true, 'r': true, 'u': true, 'a': true, 'F': true, 'D': true, 'R': true, 'U': true, 'A': true, '4': true, '5': true, '\\': true}

// mayStateFailure reports whether a value in the text of an object may be one of the states that
// failedStatus looks for. Parsing costs ten times as much.
func mayStateFailure(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != ':' {
			continue
		}
		for i++; i < len(text) && (text[i] <= ' ' || text[i] == '"'); i++ {
		}
		if i == len(text) || !opensState[text[i]] {
			continue
		}
		text, i = text[i:], 0
		n := 0
		for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		switch {
		case n < len(text) && text[n] == '\\': // an escaped letter
			return true
		case n == 3 && (text[0] == '4' || text[0] == '5'):
			return true
		case n > 3 && oneOf(strings.ToLower(text[:n]), failureStates):
			return true
		}
	}
	return false
}

// isHTTPError reports whether a value is a status of HTTP for an error, as a number or a text.
func isHTTPError(v jsonval.Value) bool {
	code := v.Text()
	return len(code) == 3 && (code[0] == '4' || code[0] == '5') && strings.Trim(code, "0123456789") == ""
}
