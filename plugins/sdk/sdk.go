// Package sdk is the guest side of the ABI: a plugin is a description and a table of
// operations. Native code calls it by Answer; a module answers through the exports that
// Serve provides. Both return the same bytes.
package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Op carries out one operation: it receives the whole request and returns a value that
// can be encoded as JSON. An *abi.Error keeps its code; any other error gets the code
// "failed".
type Op func(request []byte) (any, error)

// Plugin is a description and its operations. ABI, Operations and describe
// itself are filled in from Ops; leave them out.
type Plugin struct {
	Description abi.Description
	Ops         map[string]Op

	// Load, if set, handles env.load: it receives the user's files, whose data is valid
	// during the call only, and describes what it found. The requests of other
	// operations name the environment to use.
	Load func(environment string, files []abi.File) ([]string, error)

	// Decode, if set, handles trace.decode: it receives a file, whose data is valid
	// during the call only. It refuses a file of another kind with CodeUnknownFormat.
	Decode func(file abi.File) (abi.Decoded, error)
}

// Typed returns an Op for a function that takes a decoded request. Members of the request
// that the type In does not have are ignored.
func Typed[In, Out any](f func(In) (Out, error)) Op {
	return func(request []byte) (any, error) {
		var in In
		if err := json.Unmarshal(request, &in); err != nil {
			return nil, requestError(err)
		}
		return f(in)
	}
}

// Replays does the same as Typed, for the operation state.replay. It is much faster in
// a guest, because it decodes usual requests without encoding/json.
func Replays(f func(abi.ReplayRequest) (abi.Replay, error)) Op {
	return func(request []byte) (any, error) {
		var in abi.ReplayRequest
		if !in.Read(request) {
			return Typed(f)(request)
		}
		return f(in)
	}
}

// Checks does the same as Replays, for the operation equivalence.check.
func Checks(f func(abi.CheckRequest) (abi.Check, error)) Op {
	return func(request []byte) (any, error) {
		var in abi.CheckRequest
		if !in.Read(request) {
			return Typed(f)(request)
		}
		return f(in)
	}
}

// Errorf returns an error with this code. A plugin may also define its own codes.
func Errorf(code, format string, args ...any) *abi.Error {
	return &abi.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Describe returns the answer to the operation describe. The operations are in
// alphabetical order.
func (p *Plugin) Describe() abi.Description {
	d := p.Description
	d.ABI = abi.Version
	d.Operations = append(slices.Collect(maps.Keys(p.Ops)), abi.OpDescribe)
	if p.Load != nil {
		d.Operations = append(d.Operations, abi.OpEnvironmentLoad)
	}
	if p.Decode != nil {
		d.Operations = append(d.Operations, abi.OpTraceDecode)
	}
	slices.Sort(d.Operations)
	d.Operations = slices.Compact(d.Operations)
	return d
}

// Answer returns the encoded answer to an encoded request. It never panics. The answer is
// always one envelope, also if the request is invalid. The caller owns the result.
func (p *Plugin) Answer(request []byte) (answer []byte) {
	defer func() {
		if r := recover(); r != nil {
			answer = encodeAnswer(nil, Errorf(abi.CodeInternal, "panic: %v", r))
		}
	}()
	out, err := p.handleRequest(request)
	return encodeAnswer(out, err)
}

func (p *Plugin) handleRequest(request []byte) (any, error) {
	request, attached, attachments := bytes.Cut(request, []byte{0})
	if !utf8.Valid(request) {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid UTF-8 in the request")
	}
	r := abi.Request{Op: p.leadingOp(request)}
	if r.Op == "" {
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, requestError(err)
		}
	}
	if r.Op == abi.OpEnvironmentLoad && p.Load != nil {
		return p.loadFiles(request, attached)
	}
	if r.Op == abi.OpTraceDecode && p.Decode != nil {
		return p.decodeFile(request, attached)
	}
	if attachments {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid request: %s takes no attachments", r.Op)
	}
	if op, ok := p.Ops[r.Op]; ok {
		return op(request)
	}
	if r.Op == abi.OpDescribe {
		return p.Describe(), nil
	}
	return nil, Errorf(abi.CodeUnknownOperation, "unknown operation %q; %s knows %q",
		r.Op, p.Description.Name, p.Describe().Operations)
}

// leadingOp returns the name of the operation without decoding the request. The result is
// "" if the operation is not the first member of the request, or is not in Ops.
func (p *Plugin) leadingOp(request []byte) string {
	rest := request
	for _, token := range []string{"{", `"op"`, ":", `"`} {
		var ok bool
		if rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(token)); !ok {
			return ""
		}
	}
	name, _, found := bytes.Cut(rest, []byte(`"`))
	if _, known := p.Ops[string(name)]; found && known {
		return string(name)
	}
	return ""
}

func (p *Plugin) loadFiles(request, attached []byte) (any, error) {
	var r abi.LoadRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, requestError(err)
	}
	files, err := r.Attached(attached)
	if err != nil {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid attachments: %v", err)
	}
	if r.Environment == "" {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid environment: the name is missing")
	}
	found, err := p.Load(r.Environment, files)
	if err != nil {
		return nil, err
	}
	return abi.Loaded{Environment: r.Environment, Summary: found}, nil
}

func (p *Plugin) decodeFile(request, attached []byte) (any, error) {
	var r abi.DecodeRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, requestError(err)
	}
	files, err := abi.Files(r.Attachments, attached)
	if err != nil {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid attachments: %v", err)
	}
	if len(files) != 1 {
		return nil, Errorf(abi.CodeInvalidRequest, "invalid attachments: want one file, got %d", len(files))
	}
	return p.Decode(files[0])
}

// requestError converts an error of encoding/json to an error without the names of Go
// types. Callers in other languages can understand the new error.
func requestError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return Errorf(abi.CodeInvalidRequest, "invalid JSON near byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return Errorf(abi.CodeInvalidRequest, "invalid request: the request cannot be a JSON %s", kind.Value)
	case errors.As(err, &kind):
		return Errorf(abi.CodeInvalidRequest, "invalid %s: cannot be %s", kind.Field, kind.Value)
	}
	return Errorf(abi.CodeInvalidRequest, "invalid request: %v", err)
}

func encodeAnswer(out any, err error) []byte {
	var ok []byte
	if err == nil {
		ok, err = encodeJSON(out)
	}
	if err == nil {
		return slices.Concat([]byte(`{"ok":`), ok, []byte(`}`))
	}
	b, err := encodeJSON(abi.Answer{Error: asError(err)})
	if err != nil { // two strings can always be encoded
		panic(err)
	}
	return b
}

func asError(err error) *abi.Error {
	var e *abi.Error
	if errors.As(err, &e) {
		return e
	}
	return Errorf(abi.CodeFailed, "%v", err)
}

// encodeJSON encodes v as JSON without escaping <, > and &. Prompts contain many of these
// characters, and answers are not HTML.
func encodeJSON(v any) ([]byte, error) {
	if b, ok := v.(json.RawMessage); ok {
		return b, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
