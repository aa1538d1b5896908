// Package wire is the only entry to the core for front ends: a method name and bytes in,
// bytes out. The command, the browser module and the Worker all use it, so they print the
// same bytes.
//
// Handle never panics. A panic in the core is a bug of this project and becomes an error
// envelope with code "internal".
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/checker"
)

// Version is the version of this interface. Front ends refuse a core with another
// version.
const Version = 1

// Codes of the error envelope.
const (
	CodeInput    = "invalid-input"  // the bytes cannot be used; the message says what is wrong, where, and what would be correct
	CodeMethod   = "unknown-method" // no such method
	CodeTooLarge = "too-large"      // larger than the front end's limit
	CodeInternal = "internal"       // a bug of this project
)

// Error is the content of an error envelope, {"error": …}.
type Error struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Line    int      `json:"line,omitempty"` // from 1, if the position is known
	Column  int      `json:"column,omitempty"`
	Seen    string   `json:"seen,omitempty"`    // what the input looked like
	Formats []string `json:"formats,omitempty"` // the formats that can be read
}

// Handshake is the answer to "version".
type Handshake struct {
	Name    string   `json:"name"`
	Wire    int      `json:"wire"`
	Schema  string   `json:"schema"`
	Methods []string `json:"methods"`
	Formats []string `json:"formats"`
}

type handler = func(body []byte) (any, error)

func lookup(method string) handler {
	switch method {
	case "version":
		return version
	case "score":
		return score
	case "check":
		return check
	case "run":
		return transcript
	case "map":
		return proposeMap
	case "repair":
		return repairText
	}
	return nil
}

// Methods returns the methods that Handle accepts.
func Methods() []string { return []string{"version", "score", "check", "run", "map", "repair"} }

// Handle answers one call with one JSON text that ends in a newline, and reports whether
// it is a result (true) or an error envelope (false).
func Handle(method string, body []byte) (answer []byte, ok bool) {
	h := lookup(method)
	if h == nil {
		return Fail(CodeMethod, fmt.Sprintf("unknown method %q; known are %q", method, Methods())), false
	}
	return Guard(method, h, body)
}

// Guard calls a handler for a method and converts its result, error or panic to bytes. Front
// ends use it for methods of their own.
func Guard(method string, h handler, body []byte) (answer []byte, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			answer, ok = Fail(CodeInternal, fmt.Sprintf("internal error in %q: %v; please report it with the input", method, p)), false
		}
	}()
	result, err := h(body)
	if err != nil {
		return FailWith(err), false
	}
	return marshal(result), true
}

// Fail returns the error envelope for an error of a front end (a size limit, a wrong
// HTTP method), so that all errors look alike.
func Fail(code, message string) []byte {
	return marshal(map[string]Error{"error": {Code: code, Message: message}})
}

// FailWith returns the error envelope for an error of a package that this one uses.
func FailWith(err error) []byte { return marshal(map[string]Error{"error": explain(err)}) }

// Marshal returns a result in the form that Handle writes.
func Marshal(v any) []byte { return marshal(v) }

func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // never happens with our own types: only a NaN or a cycle can fail
	}
	return b.Bytes()
}

func version([]byte) (any, error) {
	return Handshake{"boundcheck", Version, core.Schema, Methods(), core.Formats()}, nil
}

func score(body []byte) (any, error) { return evaluate(body, nil) }

// Score is like Handle("score"), with the checkers that the front end has loaded, which
// cannot be part of the request's bytes. The first one that applies to a document is
// used.
func Score(body []byte, checkers []checker.Checker) (answer []byte, ok bool) {
	return Guard("score", func(body []byte) (any, error) { return evaluate(body, checkers) }, body)
}

func evaluate(body []byte, checkers []checker.Checker) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	if r.Run != "" {
		return nil, &core.InputError{Msg: `invalid member "run": the method "score" takes all runs; "run" takes one`}
	}
	r.Options.Checkers = checkers
	return core.Evaluate(r)
}

// transcript answers with one run of the trace in a score's body. The member "run" holds
// the id of the run, as in the report.
func transcript(body []byte) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	return core.Transcribe(r, r.Run)
}

func explain(err error) Error {
	e := Error{Code: CodeInput, Message: err.Error()}
	var input *core.InputError
	if errors.As(err, &input) {
		e.Line, e.Column, e.Seen, e.Formats = input.Line, input.Column, input.Seen, input.Formats
	}
	return e
}
