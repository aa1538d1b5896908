package gate

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// schemaWriter converts Go types to JSON Schemas, by the rules of encoding/json.
type schemaWriter struct {
	names    map[reflect.Type]string // types that have a schema of their own
	nullable bool                    // a pointer that is always present may be null
}

// schemaOf returns the schema of a type, or a reference if the type has a schema of its
// own.
func (s *schemaWriter) schemaOf(t reflect.Type) object {
	if name, ok := s.names[t]; ok {
		return schemaRef(name)
	}
	return s.inlineSchema(t)
}

func (s *schemaWriter) inlineSchema(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.schemaOf(t.Elem())
	case reflect.Struct:
		return s.structSchema(t)
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return object{}
		}
		return object{"type": "array", "items": s.schemaOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object"}
	case reflect.String:
		if t == reflect.TypeFor[machine.State]() {
			return object{"type": "string", "enum": append([]machine.State{machine.Pending}, store.SettledStates...)}
		}
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	}
	return object{}
}

// structSchema returns the schema of a struct. A member that may be omitted is not
// required. A struct's own member replaces a member of the same name in an embedded
// struct.
func (s *schemaWriter) structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner := s.structSchema(f.Type)
			for name, p := range inner["properties"].(object) {
				properties[name] = p
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		if _, again := properties[name]; !again && !strings.Contains(options, "omit") {
			required = append(required, name)
		}
		properties[name] = s.schemaOf(f.Type)
		if s.nullable && f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
			properties[name] = object{"type": []string{s.schemaOf(f.Type)["type"].(string), "null"}}
		}
		if strings.Contains(options, "string") {
			properties[name] = object{"type": "string"}
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// messageSchemas returns the schemas of the messages by name, with details that the Go
// types do not have.
func messageSchemas() object {
	s := schemaWriter{names: map[reflect.Type]string{}}
	all := messageTypes()
	for name, m := range all {
		s.names[reflect.TypeOf(m)] = name
	}
	out := object{}
	for name, m := range all {
		out[name] = s.inlineSchema(reflect.TypeOf(m))
	}
	out["Answer"].(object)["properties"].(object)["decision"].(object)["enum"] = []string{"allow", "confirm", "deny"}
	out["Outcome"].(object)["properties"].(object)["status"].(object)["enum"] = []machine.State{machine.Executed, machine.Failed, machine.Ambiguous}
	call := object{"oneOf": []object{schemaRef("ActionCall"), schemaRef("FunctionCall"), schemaRef("Call")}}
	many := object{"type": "array", "items": call, "minItems": 1, "maxItems": maxCalls}
	out["Calls"].(object)["properties"].(object)["calls"] = many
	out["Proposal"] = object{"oneOf": append([]object{schemaRef("Calls"), many}, call["oneOf"].([]object)...)}
	out["Verdict"] = object{"anyOf": []object{schemaRef("Answer"), schemaRef("Error")}}
	out["Seen"] = object{"anyOf": []object{schemaRef("Record"), schemaRef("Batch")}}
	out["Metrics"] = object{"type": "string", "description": "the calls, decisions and decision times of each tool, and the shares and the median over all tools"}
	out["Events"] = object{"type": "string", "description": `the events "pending" and "settled". Each event has id, state, tool, digest, expires and url`}
	out["Description"] = object{"type": "object"}
	for name := range requestTypes() {
		out[name].(object)["additionalProperties"] = false
	}
	return out
}
