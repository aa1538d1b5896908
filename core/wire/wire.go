// Package wire is the only entry to the core for front ends. A call is a method name and
// bytes, and its answer is bytes. The command, the browser module and the Worker all use
// it, so they return the same bytes.
//
// Handle never panics. A panic in the core is a bug of this project, and it becomes an
// error envelope with the code "internal".
package wire

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/checker"
)

// Version is the version of this interface. A front end refuses to use a core with a
// different version.
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

func lookupHandler(method string) handler {
	switch method {
	case "version":
		return reportVersion
	case "score":
		return scoreRequest
	case "check":
		return checkCall
	case "run":
		return transcribeRun
	case "map":
		return proposeMap
	case "repair":
		return repairText
	}
	return nil
}

// Methods returns the methods that Handle accepts.
func Methods() []string { return []string{"version", "score", "check", "run", "map", "repair"} }

// Handle answers one call with one JSON text that ends in a newline. ok is true if the
// answer is a result, and false if it is an error envelope.
func Handle(method string, body []byte) (answer []byte, ok bool) {
	h := lookupHandler(method)
	if h == nil {
		return Fail(CodeMethod, fmt.Sprintf("unknown method %q; the known methods are %q", method, Methods())), false
	}
	return Guard(method, h, body)
}

// HandleUntil does the same as Handle, but it ends the method "score" early if stop returns
// an error, which it must then always return. Between two stages of a run is the first
// moment at which the method ends. The answer is then an error envelope. stop may be nil.
func HandleUntil(method string, body []byte, stop func() error) (answer []byte, ok bool) {
	if method != "score" {
		return Handle(method, body)
	}
	return Guard(method, func(body []byte) (any, error) { return evaluateRequest(body, nil, stop) }, body)
}

// Guard calls a handler for a method, and converts its result, error or panic to bytes.
// Front ends use it for the methods that they add.
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
	return encodeAnswer(result), true
}

// Fail returns the error envelope for an error that a front end found, for example a
// wrong HTTP method. Front ends use Fail so that all errors have the same form.
func Fail(code, message string) []byte {
	return encodeAnswer(map[string]Error{"error": {Code: code, Message: message}})
}

// FailWith returns the error envelope for an error of one of the core's packages.
func FailWith(err error) []byte { return encodeAnswer(map[string]Error{"error": explainError(err)}) }

// Marshal returns a value as JSON in the same form as the answers of Handle.
func Marshal(v any) []byte { return encodeAnswer(v) }

func encodeAnswer(v any) []byte {
	return append(appendJSON(nil, reflect.ValueOf(v)), '\n')
}

func reportVersion([]byte) (any, error) {
	return Handshake{"boundcheck", Version, core.Schema, Methods(), core.Formats()}, nil
}

func scoreRequest(body []byte) (any, error) { return evaluateRequest(body, nil, nil) }

// Score answers the method "score" as Handle does, but with the given checkers. The first
// checker that applies to a document is used.
func Score(body []byte, checkers []checker.Checker) (answer []byte, ok bool) {
	return Guard("score", func(body []byte) (any, error) { return evaluateRequest(body, checkers, nil) }, body)
}

func evaluateRequest(body []byte, checkers []checker.Checker, stop func() error) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	if r.Run != "" {
		return nil, &core.InputError{Msg: `invalid member "run": the method "score" scores all runs. To score one run, use the method "run"`}
	}
	r.Options.Checkers, r.Stop = checkers, stop
	return core.Evaluate(r)
}

// transcribeRun returns the transcript of one run. The body is the same as for "score".
// The body's member "run" is the id of the run in the report.
func transcribeRun(body []byte) (any, error) {
	r, err := core.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	return core.Transcribe(r, r.Run)
}

func explainError(err error) Error {
	e := Error{Code: CodeInput, Message: err.Error()}
	var input *core.InputError
	if errors.As(err, &input) {
		e.Line, e.Column, e.Seen, e.Formats = input.Line, input.Column, input.Seen, input.Formats
	}
	return e
}
