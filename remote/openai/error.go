package openai

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Kind is the kind of a failure, which decides what to do next.
type Kind uint8

// The kinds of trouble.
const (
	Unreachable Kind = iota + 1 // no connection: nobody listens, no such host, TLS refused
	Broken                      // the connection broke before the answer was whole
	TimedOut                    // no whole answer in time
	Canceled                    // the caller's context ended
	Refused                     // 401, 403: the key
	Unknown                     // 404, 405: the address or the model; 3xx: it lives elsewhere
	TooLong                     // 413, or 400 and 422 that say so: the request is too large for the model
	Invalid                     // any other 4xx: the server does not accept the request
	Busy                        // 429
	Failed                      // 5xx
	TooLarge                    // the answer is larger than allowed
	Garbled                     // a success whose body is not the JSON that was promised
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
	Garbled:     "the answer is not what was asked for",
}

// String returns the kind in words.
func (k Kind) String() string { return kindWords[k] }

// Error says why a request has no answer. It never holds the key, and has only
// printable characters.
type Error struct {
	Kind     Kind
	URL      string // without a query
	Status   int    // of the last attempt; 0 without an answer
	Msg      string // the server's own words or the cause; may be ""
	Attempts int

	after time.Duration // what the server asked to be waited for
	cause error
}

// Error says what happened, where, and after how many attempts.
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

// Unwrap returns the cause below, for errors.Is with a context's error.
func (e *Error) Unwrap() error {
	if e.Kind == Canceled {
		return e.cause
	}
	return nil // what net/http says may hold the query
}

// Unusable reports whether every other request to this server would fail too.
func (e *Error) Unusable() bool {
	return e.Kind == Unreachable || e.Kind == Refused || e.Kind == Unknown || e.Kind == Canceled
}

// passing reports whether the same request may succeed later.
func (e *Error) passing() bool {
	return e.Kind == Unreachable || e.Kind == Broken || e.Kind == Busy || e.Kind == Failed
}

const maxMessage = 300

// clean makes foreign text fit for an error: the key is taken out, control
// characters become blanks, the length is bounded.
func (c *Client) clean(s string) string {
	if c.key != "" {
		s = strings.ReplaceAll(s, c.key, "[key]")
	}
	return Clip(s, maxMessage)
}

// Clip makes text one printable line of at most n characters.
func Clip(s string, n int) string {
	if len(s) > 8*n { // enough for n characters, so that giant texts cost nothing
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
