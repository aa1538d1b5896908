package openai

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Kind is the kind of a failure. What the client does next depends on it.
type Kind uint8

// The kinds of failures.
const (
	Unreachable Kind = iota + 1 // no connection: nothing listens, no such host, TLS refused
	Broken                      // the connection broke before the answer was complete
	TimedOut                    // no complete answer in time
	Canceled                    // the caller's context ended
	Refused                     // 401, 403: wrong key
	Unknown                     // 404, 405: wrong address or model; 3xx: a redirect
	TooLong                     // 413, or 400 and 422 with such a message: the request is too large for the model
	Invalid                     // any other 4xx: the server does not accept the request
	Busy                        // 429
	Failed                      // 5xx
	TooLarge                    // the answer is larger than allowed
	Garbled                     // a success whose body is not the expected JSON
)

var kindWords = map[Kind]string{
	Unreachable: "cannot connect",
	Broken:      "the connection broke",
	TimedOut:    "no answer in time",
	Canceled:    "canceled",
	Refused:     "the server refuses the key",
	Unknown:     "no such address or model",
	TooLong:     "the request is too long",
	Invalid:     "the server does not accept the request",
	Busy:        "the server is busy",
	Failed:      "the server failed",
	TooLarge:    "the answer is too large",
	Garbled:     "the answer is not the expected JSON",
}

// String returns the kind in words.
func (k Kind) String() string { return kindWords[k] }

// Error is the reason why a request has no answer. It never contains the key. Its message
// has only printable characters.
type Error struct {
	Kind     Kind
	URL      string // without a query
	Status   int    // status of the last attempt; 0 without an answer
	Msg      string // the server's message or the cause; may be ""
	Attempts int

	after time.Duration // the pause that the server asked for
	cause error
}

// Error returns what happened, at which address, and after how many attempts.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.URL, e.Kind)
	if e.Status > 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Msg != "" {
		b.WriteString(": " + e.Msg)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

// Unwrap returns the cause of a canceled request, so that errors.Is finds the error of
// the context.
func (e *Error) Unwrap() error {
	if e.Kind == Canceled {
		return e.cause
	}
	return nil // an error of net/http may contain the query
}

// Unusable reports whether every other request to this server would fail, too.
func (e *Error) Unusable() bool {
	return e.Kind == Unreachable || e.Kind == Refused || e.Kind == Unknown || e.Kind == Canceled
}

// isTemporary reports whether the same request may succeed later.
func (e *Error) isTemporary() bool {
	return e.Kind == Unreachable || e.Kind == Broken || e.Kind == Busy || e.Kind == Failed
}

const maxMessage = 300

// cleanText prepares text from the server or the network for an error. It removes the
// key, replaces control characters by blanks, and limits the length.
func (c *Client) cleanText(s string) string {
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key, "[key]")
	}
	return Clip(s, maxMessage)
}

// Clip returns a text as one printable line. It cuts the text after n characters.
func Clip(s string, n int) string {
	if len(s) > 8*n { // enough for n characters; saves time for huge texts
		s = s[:8*n]
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
