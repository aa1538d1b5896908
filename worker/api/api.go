// Package api is the HTTP interface of package wire as a plain function from a request
// to an answer. It knows paths, status codes and the size limit, but nothing of
// connections, so that net/http natively and the edge's JavaScript return the same
// answers without sharing a server.
package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/wire"
)

// The largest request bodies that are read, in bytes: BodyLimit is that of scores, which may
// hold many runs, and CheckLimit that of checks, which hold one call and its conversation.
const (
	BodyLimit  = 5 << 20
	CheckLimit = 1 << 20
)

// Request holds the parts of an HTTP request on which the answer depends.
type Request struct {
	Method   string
	Path     string
	Encoding string // the Content-Encoding header
	Length   int64  // the announced body length; negative if unknown

	// Read returns the first max bytes of the body, or all of a shorter one. nil means
	// that there is no body. It is called at most once, and only if the path needs a
	// body that is not announced as too long.
	Read func(max int) ([]byte, error)

	Context context.Context // ends when the client has gone; nil if this is not known
}

func (r *Request) clientContext() context.Context {
	if r.Context == nil {
		return context.Background()
	}
	return r.Context
}

// Answer is one HTTP response. Body is one JSON text that ends in a newline.
type Answer struct {
	Status int
	Header []Header
	Body   []byte
}

// Header is one response header; names are in lower case.
type Header struct{ Name, Value string }

// Options change how requests are answered. Production uses the zero value.
type Options struct {
	Limit  int                                                                     // body bytes on every path; 0 means those of the path
	Bounds map[string]*Bounds                                                      // by path; nil if something else limits the requests, as on the edge
	Handle func(method string, body []byte, stop func() error) (_ []byte, ok bool) // nil means wire.HandleUntil
}

// route says what one path accepts: the HTTP method, the method of package wire that it
// calls, and the largest body.
type route struct {
	method, door string
	limit        int
}

func findRoute(path string) (route, bool) {
	switch path {
	case "/healthz":
		return route{"GET", "version", 0}, true
	case "/v1/score":
		return route{"POST", "score", BodyLimit}, true
	case "/v1/check":
		return route{"POST", "check", CheckLimit}, true
	}
	return route{}, false
}

// Paths returns the paths that the API serves. All other paths get status 404.
func Paths() []string { return []string{"/healthz", "/v1/score", "/v1/check"} }

// Answer answers one request. Answer never panics: if the code inside panics, the answer
// has status 500.
func (o Options) Answer(r Request) Answer {
	return guardAnswer(r, func() Answer { return o.answerRequest(r) })
}

// guardAnswer returns the result of f. If f panics, it returns the answer that says so.
func guardAnswer(r Request, f func() Answer) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = errorAnswer(500, wire.CodeInternal, fmt.Sprintf("internal error in %s: %v; please report it with the request", r.Path, p))
		}
	}()
	return f()
}

func (o Options) answerRequest(r Request) Answer {
	to, ok := findRoute(r.Path)
	if !ok {
		return errorAnswer(404, wire.CodeMethod, "unknown path; the known paths are POST /v1/score, POST /v1/check and GET /healthz")
	}
	if to.method == "GET" {
		return o.answerHealth(r, to)
	}
	if r.Method != to.method {
		return wrongMethod(r, to.method)
	}
	read := func() ([]byte, *Answer) { return readBody(r, cmp.Or(o.Limit, to.limit)) }
	return o.Bounds[r.Path].answerWithin(r, read, func(body []byte, stop func() error) Answer {
		return wireAnswer(o.wireHandler()(to.door, body, stop))
	})
}

func (o Options) wireHandler() func(string, []byte, func() error) ([]byte, bool) {
	if o.Handle != nil {
		return o.Handle
	}
	return wire.HandleUntil
}

// answerHealth returns the answer of the method "version" of package wire, with an
// additional first member "ok".
func (o Options) answerHealth(r Request, to route) Answer {
	if r.Method != "GET" && r.Method != "HEAD" {
		return wrongMethod(r, "GET, HEAD")
	}
	text, ok := o.wireHandler()(to.door, nil, nil)
	if !ok || len(text) == 0 || text[0] != '{' {
		return wireAnswer(text, ok)
	}
	return wireAnswer(append([]byte(`{"ok":true,`), text[1:]...), true)
}

// readBody returns the whole body of a request. If the body cannot be accepted, for
// example because it is too long, readBody returns the answer that says why.
func readBody(r Request, limit int) ([]byte, *Answer) {
	if e := strings.ToLower(strings.TrimSpace(r.Encoding)); e != "" && e != "identity" {
		a := errorAnswer(415, wire.CodeInput, fmt.Sprintf("cannot read a body with content-encoding %q; send it uncompressed", r.Encoding))
		a.Header = append(a.Header, Header{"accept-encoding", "identity"})
		return nil, &a
	}
	if r.Length > int64(limit) {
		return nil, tooLarge(limit)
	}
	if r.Read == nil {
		return nil, nil
	}
	body, err := r.Read(limit + 1)
	if err != nil {
		a := errorAnswer(400, wire.CodeInput, "cannot read the body: "+err.Error())
		return nil, &a
	}
	if len(body) > limit {
		return nil, tooLarge(limit)
	}
	return body, nil
}

func tooLarge(limit int) *Answer {
	a := errorAnswer(413, wire.CodeTooLarge, fmt.Sprintf("the body has more than %d bytes; use the command boundcheck for larger ones", limit))
	return &a
}

func wrongMethod(r Request, allow string) Answer {
	a := errorAnswer(405, wire.CodeMethod, fmt.Sprintf("%s accepts %s, not %s", r.Path, allow, r.Method))
	a.Header = append(a.Header, Header{"allow", allow})
	return a
}

func errorAnswer(status int, code, message string) Answer {
	return Answer{status, answerHeaders(), wire.Fail(code, message)}
}

// wireAnswer returns the HTTP answer for a result of package wire. The status is 200 if
// ok is true, and otherwise the status for the error in body. The bytes of body stay
// unchanged, so the API returns the same bytes as the boundcheck command and the web
// page.
func wireAnswer(body []byte, ok bool) Answer {
	if ok {
		return Answer{200, answerHeaders(), body}
	}
	return Answer{errorStatus(body), answerHeaders(), body}
}

// errorStatus returns the HTTP status for the error code in an error envelope. If the
// envelope cannot be read, which is a bug, the status is 500.
func errorStatus(envelope []byte) int {
	var e struct{ Error wire.Error }
	if json.Unmarshal(envelope, &e) != nil {
		return 500
	}
	switch e.Error.Code {
	case wire.CodeInput:
		return 400
	case wire.CodeMethod:
		return 404
	case wire.CodeTooLarge:
		return 413
	}
	return 500
}

// answerHeaders returns the headers of every answer. There is no CORS header, because
// only the project's own web page uses the API.
func answerHeaders() []Header {
	return []Header{
		{"content-type", "application/json; charset=utf-8"},
		{"cache-control", "no-store"},
		{"x-content-type-options", "nosniff"},
	}
}
