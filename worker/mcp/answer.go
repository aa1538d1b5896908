package mcp

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// answerer writes the answer to a client: as JSON, or, after begin, as a stream of
// events.
type answerer struct {
	w       http.ResponseWriter
	streams bool // the client accepts a stream
	begun   bool // the headers have been sent
	stream  bool // the answer is a stream

	bind func(session string) string // returns the client's id for a server's session
}

// extendDeadline moves the HTTP server's deadline for writing to the time d from now.
func (a *answerer) extendDeadline(d time.Duration) {
	http.NewResponseController(a.w).SetWriteDeadline(time.Now().Add(d))
}

// beginStream starts a stream.
func (a *answerer) beginStream() {
	if a.begun {
		return
	}
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(200)
	a.begun, a.stream = true, true
}

// keepStreamAlive sends a comment to a client that accepts a stream, so that the client
// knows that the gate still works. If nothing was sent yet, it starts the stream. For
// other answers it does nothing.
func (a *answerer) keepStreamAlive() {
	if a.streams && (!a.begun || a.stream) {
		a.beginStream()
		a.writeEvent([]byte(": keep-alive\n\n"))
	}
}

// writeEvent writes raw bytes of a stream.
func (a *answerer) writeEvent(raw []byte) error {
	a.extendDeadline(time.Minute)
	if _, err := a.w.Write(raw); err != nil {
		return err
	}
	return http.NewResponseController(a.w).Flush()
}

// writeFinal writes the last message, as JSON or as an event.
func (a *answerer) writeFinal(status int, text []byte) {
	if a.stream {
		a.writeEvent(asEvent(text))
		return
	}
	if a.begun {
		return
	}
	a.begun = true
	h := a.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	a.w.WriteHeader(status)
	a.w.Write(text)
}

// asEvent returns a text as one event. Each line of the text comes after "data: ".
func asEvent(text []byte) []byte {
	var b bytes.Buffer
	for _, line := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' }) {
		b.WriteString("data: " + line + "\n")
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// writeFault answers with an error.
func (a *answerer) writeFault(id jsonval.Value, f *fault) {
	a.writeFinal(f.status, errorAnswer(id, f))
}

// passed holds the headers of a server's answer that clients receive.
var passed = []string{"Mcp-Protocol-Version", "Retry-After"}

// copyHeaders copies the session's id and a few other headers of a server's answer to the
// client's answer. The client gets the session's id in its own form. If the client's
// answer has begun, copyHeaders does nothing.
func (a *answerer) copyHeaders(from http.Header) {
	if a.begun {
		return
	}
	for _, name := range passed {
		if v := from.Values(name); len(v) > 0 {
			a.w.Header()[name] = v
		}
	}
	if session := from.Get(sessionHeader); session != "" {
		a.w.Header().Set(sessionHeader, a.bind(session))
	}
}

// relayAnswer answers with the headers and the text of a server's answer.
func (a *answerer) relayAnswer(status int, head http.Header, text []byte) {
	a.copyHeaders(head)
	a.writeFinal(status, text)
}
