// Package failure reads from what a tool or a framework returned that the call failed, was
// refused, or did not do what it is named for. A text that merely contains such words is no
// failure: it must be short and begin with them, or be an object that holds nothing but its
// own status.
package failure

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// exit is what the exit code of a command says. It is unsaid if there is none.
type exit uint8

const (
	unsaid exit = iota
	fine
	failed
)

// oneOf reports whether a list of words contains the given word. The words in the list are
// separated by spaces.
func oneOf(word, words string) bool { return wordlist.Contains(words, word) }

// IsToolName reports whether a text can be a tool's name: letters, digits and _ - . : /, with
// a letter or _ at the beginning. Signs of other alphabets count as letters if one of them is one:
// "…" is no name.
func IsToolName(s string) bool {
	foreign := false
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
		if !letter && (i == 0 || strings.IndexByte("0123456789-.:/", c) < 0) {
			return false
		}
		foreign = foreign || c >= 0x80
	}
	return s != "" && (!foreign || strings.ContainsFunc(s, unicode.IsLetter))
}

// errorOpenings contains the beginnings of texts with which tools report a failure.
var errorOpenings = [...]string{"error", "exception", "traceback (most recent call last)", "fatal:"}

// foreignOpenings are words for an error in other languages, before a colon or alone.
var foreignOpenings = [...]string{"fehler", "erreur", "échec", "errore", "erro", "fout", "fallo", "błąd", "ошибка", "エラー", "错误", "錯誤", "오류"}

// Says reports whether the text of an observation describes an error. The text must
// begin with a word for an error, or be a JSON object that reports an error. It is used
// only if the format has no flag for errors.
func Says(text string) bool { return saysOtherThan(nil, text) }

// saysOtherThan reports whether a text describes an error in another way than by the state to which
// the deed of its call leads. own is that deed, or nil for none.
func saysOtherThan(own *report, text string) bool {
	text = strings.TrimSpace(text)
	if inner := innerText(text); inner != text {
		return mayFail(text) && own.errorObject(text) || saysOtherThan(own, inner)
	}
	if text == "" {
		return false
	}
	if text[0] == '{' {
		return mayFail(text) && own.errorObject(text) || len(text) <= shortResult && own.failedStatus(text)
	}
	if text[0] == '[' || text[0] == '<' || text[0] >= 'A' && text[0] <= 'Z' {
		if namesError(text) {
			return true
		}
	}
	if f := exitStatus(text); f != unsaid {
		return f == failed
	}
	if frameworkError(text) || statusLine(text) || saysUndone(text) {
		return true
	}
	return opensWithError(text)
}

// opensWithError reports whether a text begins with a word for an error.
func opensWithError(text string) bool {
	if c := text[0] | 0x20; c != 'b' && c != 'e' && c != 'f' && c != 't' && text[0] < 0x80 {
		return false
	}
	for _, opening := range errorOpenings {
		if n := len(opening); len(text) >= n && strings.EqualFold(text[:n], opening) && endsWord(text[n:]) {
			return true
		}
	}
	word := text[:min(len(text), 24)]
	if at := strings.IndexAny(word, ":：\n"); at >= 0 {
		word = word[:at]
	} else if len(text) > len(word) {
		return false
	}
	word = strings.TrimSpace(word)
	return slices.ContainsFunc(foreignOpenings[:], func(opening string) bool { return strings.EqualFold(word, opening) })
}

// namesError reports whether a text begins with the name of an exception and a colon, such as
// "ValueError: bad", or with a mark for an error, such as "[ERROR]" and "<error>".
func namesError(text string) bool {
	for _, mark := range [...]string{"[error]", "<error>", "[error:", "[failed]", "[request interrupted by user"} {
		if len(text) >= len(mark) && strings.EqualFold(text[:len(mark)], mark) {
			return true
		}
	}
	name, _, found := strings.Cut(text[:min(len(text), 80)], ":")
	name = name[strings.LastIndexByte(name, '.')+1:]
	return found && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && len(name) > 5 && name != "Error" && !strings.ContainsAny(name, " \t\n")
}

// httpErrors holds the errors of HTTP with which tools usually answer, in lower case.
var httpErrors = [...]string{"400 bad request", "401 unauthorized", "402 payment required", "403 forbidden", "404 not found", "405 method not allowed", "408 request timeout", "409 conflict",
	"410 gone", "422 unprocessable entity", "422 unprocessable content", "429 too many requests", "500 internal server error", "501 not implemented", "502 bad gateway", "503 service unavailable", "504 gateway timeout"}

// statusLine reports whether a text begins with an HTTP error status and the status's
// usual words, for example "503 Service Unavailable".
func statusLine(text string) bool {
	text = afterHTTP(text)
	if text == "" || text[0] != '4' && text[0] != '5' {
		return false
	}
	for _, e := range httpErrors {
		if n := len(e); len(text) >= n && strings.EqualFold(text[:n], e) && (len(text) == n || strings.IndexByte(" .,:;-\r\n", text[n]) >= 0) {
			return true
		}
	}
	return false
}

// afterHTTP returns the text behind the name and the version of the protocol, as in
// "HTTP 404 Not Found" and "HTTP/1.1 404 Not Found". It returns other texts unchanged.
func afterHTTP(text string) string {
	if len(text) < 5 || !strings.EqualFold(text[:4], "http") || text[4] != ' ' && text[4] != '/' {
		return text
	}
	_, status, _ := strings.Cut(text, " ")
	return status
}

// endsWord reports whether rest, the text after a word such as "error", shows that the
// word is complete and reports a failure. For example, the result is true for the texts
// "Error (404)" and "Error while saving", and false for the texts "errors found: 0" and
// "error log cleared, 404 lines removed".
func endsWord(rest string) bool {
	switch {
	case rest == "" || strings.IndexByte(":.([-\n", rest[0]) >= 0:
		return true
	case rest[0] != ' ':
		return false
	}
	line, _, _ := strings.Cut(strings.ToLower(rest), "\n")
	words := strings.Fields(line)
	if len(words) == 0 || strings.ContainsAny(line, ":(") {
		return true
	}
	for i, w := range words {
		if w = strings.Trim(w, ".,;!\"'"); oneOf(w, failureWords) || i < 2 && codeFlag(w) != unsaid { // further behind, a number counts things
			return true
		}
	}
	return strings.HasSuffix(words[0], "ing") && !oneOf(words[0], "handling logging reporting tracking monitoring testing")
}

// failureWords has the words of a text about an error that say that something went wrong.
const failureWords = "in at from on while when during occurred raised thrown code number message executing not no cannot can't couldn't could failed failure unable invalid missing denied " +
	"unknown unexpected must required refused forbidden unauthorized timeout timed expired exceeded unsupported illegal bad wrong n't doesn't didn't isn't"

// mayFail reports whether a JSON text may report an error, so that it must be parsed. It
// searches for a string that ends in a word such as "error" or "failed". O(length).
//
// mayFail examines eight bytes at a time. Because of a borrow, a byte after a quote may be
// found, too, so endsFailure compares the quote.
func mayFail(text string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64([]byte(text[i:i+8])) ^ ones*'"'
		for found := (w - ones) &^ w & highs; found != 0; found &= found - 1 {
			if endsFailure(text, i+bits.TrailingZeros64(found)/8) {
				return true
			}
		}
	}
	for ; i < len(text); i++ {
		if endsFailure(text, i) {
			return true
		}
	}
	return false
}

// endsFailure reports whether there is a quote at an offset, after a word such as "error".
func endsFailure(text string, at int) bool {
	if at < 2 || text[at] != '"' {
		return false
	}
	switch text[at-2 : at] {
	case "or", "OR", "rs", "ed", "ED", "ss", "ok":
		for _, word := range [...]string{"rror", "rrors", "ailed", "RROR", "AILED", "uccess", "ok"} {
			if strings.HasSuffix(text[:at], word) {
				return true
			}
		}
	}
	return false
}

func (r *report) errorObject(text string) bool {
	v, err := jsonval.Parse(text)
	if err != nil {
		return false
	}
	failed := false
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "error", "errors", "isError", "is_error":
			b, isBool := m.Bool()
			failed = b || (!isBool && m.Kind() != jsonval.Null && m.Text() != "" && m.Raw() != "{}" && m.Raw() != "[]" && m.Raw() != "0")
		case "success", "ok":
			failed = m.Raw() == "0" || strings.EqualFold(m.Text(), "false")
		case "status":
			failed = strings.EqualFold(m.Text(), "error") || strings.EqualFold(m.Text(), "failed") && !r.isOwnState("failed")
		case "code":
			failed = failureCode(m.Text())
		}
		return !failed
	})
	return failed
}

// failureCode reports whether a code in capitals is the name of a failure, such as
// TOOL_EXECUTION_FAILED.
func failureCode(code string) bool {
	return (strings.HasSuffix(code, "_FAILED") || strings.HasSuffix(code, "_ERROR")) && code == strings.ToUpper(code)
}
