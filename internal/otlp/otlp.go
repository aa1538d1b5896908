// Package otlp reads the spans that an agent's program exports over OTLP/HTTP, as JSON or as
// protobuf, and writes them as JSON.
package otlp

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// The content types of a request.
const (
	TypeJSON     = "application/json"
	TypeProtobuf = "application/x-protobuf"
)

// JSON returns the spans of a request as one line of JSON. The parameter kind is the content
// type of the body.
func JSON(body []byte, kind string) ([]byte, error) {
	var request any
	switch kind {
	case TypeJSON:
		var held struct {
			ResourceSpans []json.RawMessage `json:"resourceSpans"`
		}
		if err := json.Unmarshal(body, &held); err != nil {
			return nil, err
		}
		if held.ResourceSpans == nil {
			return nil, errors.New("the body has no resourceSpans")
		}
		request = held
	case TypeProtobuf:
		m, err := exportRequest.readFields(body, 0)
		if err != nil {
			return nil, err
		}
		request = m
	default:
		return nil, fmt.Errorf("unknown content type %q; want %s or %s", kind, TypeJSON, TypeProtobuf)
	}
	return json.Marshal(request)
}

// form says how a field is written in JSON.
type form byte

const (
	text   form = iota
	hexed       // ids
	base        // other bytes
	number      // small numbers, such as enums
	digits      // numbers of 64 bits, which JSON has as texts
	fixed       // the same, with a fixed length
	double
	boolean
	nested
)

type field struct {
	name    string
	form    form
	many    bool
	message *message
}

type message struct{ fields map[uint64]field }

// deepest is the largest number of messages inside each other.
const deepest = 64

var errCut = errors.New("the protobuf message ends inside a field")

// The messages of opentelemetry/proto/collector/trace/v1, as far as traces are read.
var (
	anyValue      = &message{}
	keyValue      = &message{map[uint64]field{1: {name: "key"}, 2: {"value", nested, false, anyValue}}}
	values        = &message{map[uint64]field{1: {"values", nested, true, anyValue}}}
	keyValues     = &message{map[uint64]field{1: {"values", nested, true, keyValue}}}
	resource      = &message{map[uint64]field{1: {"attributes", nested, true, keyValue}}}
	scope         = &message{map[uint64]field{1: {name: "name"}, 2: {name: "version"}, 3: {"attributes", nested, true, keyValue}}}
	status        = &message{map[uint64]field{2: {name: "message"}, 3: {name: "code", form: number}}}
	event         = &message{map[uint64]field{1: {name: "timeUnixNano", form: fixed}, 2: {name: "name"}, 3: {"attributes", nested, true, keyValue}}}
	span          = &message{map[uint64]field{1: {name: "traceId", form: hexed}, 2: {name: "spanId", form: hexed}, 3: {name: "traceState"}, 4: {name: "parentSpanId", form: hexed}, 5: {name: "name"}, 6: {name: "kind", form: number}, 7: {name: "startTimeUnixNano", form: fixed}, 8: {name: "endTimeUnixNano", form: fixed}, 9: {"attributes", nested, true, keyValue}, 11: {"events", nested, true, event}, 15: {"status", nested, false, status}}}
	scopeSpans    = &message{map[uint64]field{1: {"scope", nested, false, scope}, 2: {"spans", nested, true, span}, 3: {name: "schemaUrl"}}}
	resourceSpans = &message{map[uint64]field{1: {"resource", nested, false, resource}, 2: {"scopeSpans", nested, true, scopeSpans}, 3: {name: "schemaUrl"}}}
	exportRequest = &message{map[uint64]field{1: {"resourceSpans", nested, true, resourceSpans}}}
)

// anyFields returns the fields of a value, which may hold values.
func anyFields() map[uint64]field {
	return map[uint64]field{1: {name: "stringValue"}, 2: {name: "boolValue", form: boolean}, 3: {name: "intValue", form: digits}, 4: {name: "doubleValue", form: double}, 5: {"arrayValue", nested, false, values}, 6: {"kvlistValue", nested, false, keyValues}, 7: {name: "bytesValue", form: base}}
}

// readFields reads one message. Unknown fields are left out.
func (m *message) readFields(data []byte, depth int) (map[string]any, error) {
	if depth > deepest {
		return nil, errors.New("the protobuf message is nested too deeply")
	}
	fields := m.fields
	if m == anyValue {
		fields = anyFields()
	}
	out := map[string]any{}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errCut
		}
		data = data[n:]
		raw, value, rest, err := readField(data, tag&7)
		if err != nil {
			return nil, err
		}
		data = rest
		f, known := fields[tag>>3]
		if !known {
			continue
		}
		v, err := f.readValue(raw, value, depth)
		if err != nil {
			return nil, err
		}
		if f.many {
			all, _ := out[f.name].([]any)
			out[f.name] = append(all, v)
		} else {
			out[f.name] = v
		}
	}
	return out, nil
}

// readField reads a field of a wire type: its bytes or its number, and what follows.
func readField(data []byte, wire uint64) (raw []byte, value uint64, rest []byte, err error) {
	switch wire {
	case 0:
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, 0, nil, errCut
		}
		return nil, v, data[n:], nil
	case 1:
		if len(data) < 8 {
			return nil, 0, nil, errCut
		}
		return nil, binary.LittleEndian.Uint64(data), data[8:], nil
	case 2:
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, 0, nil, errCut
		}
		return data[n : n+int(size)], 0, data[n+int(size):], nil
	case 5:
		if len(data) < 4 {
			return nil, 0, nil, errCut
		}
		return nil, uint64(binary.LittleEndian.Uint32(data)), data[4:], nil
	}
	return nil, 0, nil, fmt.Errorf("the protobuf message has the unknown wire type %d", wire)
}

func (f *field) readValue(raw []byte, value uint64, depth int) (any, error) {
	switch f.form {
	case text:
		return string(raw), nil
	case hexed:
		return hex.EncodeToString(raw), nil
	case base:
		return base64.StdEncoding.EncodeToString(raw), nil
	case number:
		return value, nil
	case digits:
		return fmt.Sprint(int64(value)), nil
	case fixed:
		return fmt.Sprint(value), nil
	case double:
		if d := math.Float64frombits(value); !math.IsNaN(d) && !math.IsInf(d, 0) {
			return d, nil
		}
		return fmt.Sprint(math.Float64frombits(value)), nil
	case boolean:
		return value != 0, nil
	}
	return f.message.readFields(raw, depth+1)
}
