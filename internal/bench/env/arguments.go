package env

import (
	"encoding/json"
	"fmt"
	"slices"
)

// arguments are the arguments of a call, checked against the tool's schema.
type arguments map[string]any

func (a arguments) textArg(name string) string { s, _ := a[name].(string); return s }

func (a arguments) numberArg(name string) float64 { n, _ := a[name].(float64); return n }

func (a arguments) textsArg(name string) (all []string) {
	list, _ := a[name].([]any)
	for _, e := range list {
		s, _ := e.(string)
		all = append(all, s)
	}
	return all
}

// schema is the part of JSON Schema that the embedded tools use.
type schema struct {
	Type       string            `json:"type"`
	Properties map[string]schema `json:"properties,omitempty"`
	Required   []string          `json:"required,omitempty"`
	Items      *schema           `json:"items,omitempty"`
	Additional *bool             `json:"additionalProperties,omitempty"`
}

// paramSchema returns a JSON Schema for the parameters of a tool. All parameters are
// required. A parameter is given as "name" for a text, "name#" for a number, or "name*"
// for a list of texts.
func paramSchema(params ...string) json.RawMessage {
	no := false
	s := schema{Type: "object", Properties: map[string]schema{}, Required: []string{}, Additional: &no}
	for _, p := range params {
		one := schema{Type: "string"}
		switch name := p[:len(p)-1]; p[len(p)-1] {
		case '#':
			p, one = name, schema{Type: "number"}
		case '*':
			p, one = name, schema{Type: "array", Items: &schema{Type: "string"}}
		}
		s.Properties[p] = one
		s.Required = append(s.Required, p)
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain strings
	}
	return text
}

func readArguments(raw, parameters json.RawMessage) (arguments, error) {
	var s schema
	var a arguments
	if err := json.Unmarshal(parameters, &s); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &a); err != nil || a == nil {
		return nil, fmt.Errorf("invalid arguments: want a JSON object")
	}
	for _, name := range s.Required {
		if _, ok := a[name]; !ok {
			return nil, fmt.Errorf("missing argument %q", name)
		}
	}
	for name, v := range a {
		if !slices.Contains(s.Required, name) {
			return nil, fmt.Errorf("unknown argument: want only %q", s.Required)
		}
		if want := s.Properties[name].Type; !isA(v, want) {
			return nil, fmt.Errorf("invalid argument: %q takes a value of type %s", name, want)
		}
	}
	return a, nil
}

func isA(v any, kind string) bool {
	switch v := v.(type) {
	case string:
		return kind == "string"
	case float64:
		return kind == "number"
	case []any:
		return kind == "array" && !slices.ContainsFunc(v, func(e any) bool { return !isA(e, "string") })
	}
	return false
}
