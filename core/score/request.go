package score

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// ReadRequest parses the bytes that a front end received. They are a plain trace, or an
// envelope {"trace": …, "reference": …, "profile": …, "seed": …, "options": …, "tools":
// …}. The error is an *InputError. These members of an envelope need an explanation:
//
//   - "trace" is JSON, or a string that contains a trace;
//   - "traces" is a list of several traces, [{"name": …, "trace": …}];
//   - "run" is the id of one run (see Transcribe);
//   - "config" is a boundcheck.yaml as JSON;
//   - "file" is the path of the trace relative to the configuration file;
//   - "title" and "description" are for people.
func ReadRequest(body []byte) (Request, error) {
	plain := Request{Inputs: []Source{{Data: body}}}
	if !maybeEnvelope(body) {
		return plain, nil
	}
	v, err := jsonval.Parse(string(body))
	if err != nil || v.Kind() != jsonval.Object || !v.Get("trace").Exists() && !isTraceList(v.Get("traces")) || isForeign(v) {
		return plain, nil // the decoder reports the error
	}
	return readEnvelope(v)
}

// maybeEnvelope reports whether a text may be an envelope. An envelope is an object and
// contains "trace" in quotes. This quick check avoids parsing a large trace twice. It
// searches by the algorithm of Horspool, which looks at a sixth of the bytes of English
// text. O(len(body)).
func maybeEnvelope(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n")
	if len(body) == 0 || body[0] != '{' {
		return false
	}
	const last = len(traceName) - 1
	for at := last; at < len(body); at += int(traceSteps[body[at]]) {
		if body[at] == traceName[last] && string(body[at-last:at+1]) == traceName {
			return true
		}
	}
	return false
}

const traceName = `"trace"`

// traceSteps holds how far the search for traceName may move on after each byte: to the
// last position of this byte in the name before its end, or past it.
var traceSteps = func() (steps [256]uint8) {
	for i := range steps {
		steps[i] = uint8(len(traceName))
	}
	for i := range len(traceName) - 1 {
		steps[traceName[i]] = uint8(len(traceName) - 1 - i)
	}
	return steps
}()

// isForeign reports whether an object with a member "trace" is itself a trace, such as an
// export of Langfuse. A trace has members that an envelope cannot have, and none of an
// envelope's settings. A member whose name is almost that of a setting counts as a
// mistake in an envelope.
func isForeign(v jsonval.Value) bool {
	foreign := false
	for _, key := range v.Keys() {
		if strings.Contains(" trace traces run tools file title description ", " "+key+" ") {
			continue
		}
		if read.NearSetting(key) != "" {
			return false
		}
		foreign = true
	}
	return foreign
}

func readEnvelope(v jsonval.Value) (Request, error) {
	var r Request
	var err error
	file := ""
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "trace":
			if len(r.Inputs) > 0 {
				err = &InputError{Msg: `the request has both "trace" and "traces". Give only one of these members`}
			}
			r.Inputs = []Source{{Data: []byte(traceText(m)), Derived: true}}
		case "traces":
			err = r.readTraces(m)
		case "run":
			r.Run = m.Text()
		case "reference":
			err = r.readReference(m)
		case "profile":
			r.Options.Profile = m.Text()
		case "seed":
			n, ok := m.Int()
			if !ok || n < 0 {
				err = &InputError{Msg: "invalid seed " + m.Raw() + ": want a whole number of 0 or more"}
			}
			r.Options.Seed = uint64(n)
		case "options":
			r.Options.Params, err = readParams(m)
		case "tools":
			err = r.Options.ReadTools(m)
		case "config":
			err = r.Options.ReadConfig(m)
		case "file":
			file, _ = m.Str()
		case "title", "description":
		default:
			err = &InputError{Msg: "unknown member " + quote(key) + ` beside "trace"; the known members are trace, traces, run, reference, profile, seed, options, tools, config, file, title, description`}
		}
		return err == nil
	})
	if len(r.Inputs) == 1 {
		r.Inputs[0].Path = file
	}
	return r, err
}

// isTraceList reports whether a value is a list of named traces. It is false if "traces"
// is a member of a trace format.
func isTraceList(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		return false
	}
	for _, m := range v.Elements() {
		if m.Kind() != jsonval.Object || m.Len() != 2 || m.Get("name").Kind() != jsonval.String || !m.Get("trace").Exists() {
			return false
		}
	}
	return true
}

func (r *Request) readTraces(v jsonval.Value) error {
	if !isTraceList(v) {
		return &InputError{Msg: `invalid traces: want a list of objects with "name" and "trace"`}
	}
	if len(r.Inputs) > 0 {
		return &InputError{Msg: `the request has both "trace" and "traces". Give only one of these members`}
	}
	for _, m := range v.Elements() {
		r.Inputs = append(r.Inputs, Source{Name: m.Get("name").Text(), Data: []byte(traceText(m.Get("trace"))), Derived: true})
	}
	return nil
}

// traceText returns the trace inside an envelope as text. If the trace is a JSON string,
// this is the content of the string. Otherwise it is the JSON text of the trace.
func traceText(v jsonval.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	return v.Raw()
}

func (r *Request) readReference(v jsonval.Value) error {
	if v.Kind() == jsonval.Null {
		return nil
	}
	if s, ok := v.Str(); ok && strings.TrimSpace(s) == "" {
		return nil
	}
	var err error
	if r.Reference, r.References, err = reference.SetFromValue(v); err != nil {
		return inputError(err)
	}
	return nil
}

// ReadTools reads a tools file into o. The file contains the operator's statements about
// tools, names with the same meaning, and compositions of actions (see
// boundary.ReadVocabulary). The error is an *InputError.
func (o *Options) ReadTools(v jsonval.Value) error {
	vocabulary, err := boundary.ReadVocabulary(v)
	if err == nil && v.Get("tools").Exists() {
		o.Table, err = mutation.ReadTable(v)
	}
	if err != nil {
		return inputError(err)
	}
	o.Vocabulary = vocabulary
	return nil
}

func quote(s string) string { return strconv.Quote(s) }
