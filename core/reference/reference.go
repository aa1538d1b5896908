// Package reference holds what should have been done.
package reference

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Origin tells who wrote a reference; the automatic profile follows from it.
type Origin uint8

// The origins. A person's reference is a procedure: each step is required. A
// benchmark's reads are one way among many.
const (
	Person Origin = iota
	Benchmark
)

// Step is one action of the reference.
type Step struct {
	Name      string
	Arguments jsonval.Value // an object; Missing when the step has none
	Text      string        // a free-text step's own words, then Name is its first word
	Ignore    []string      // argument paths whose values do not matter
	Required  bool          // its absence is a violation under every profile
	MustNot   bool          // its presence is a violation under every profile
}

// Reference is an ordered list of steps, and texts that the agent must have
// said to the user.
type Reference struct {
	Steps  []Step
	Says   []string
	Origin Origin
}

// argumentKeys are the names that producers give to a call's arguments.
var argumentKeys = [...]string{"arguments", "kwargs", "args", "parameters", "input"}

// Read takes a reference written by a person: a JSON list of steps {"name",
// "arguments", "ignore", "required", "mustNot"}, an object {"steps": […],
// "says": […]}, or plain text with one call a line (see readLines). The error
// says which step is wrong and how.
func Read(text string) (Reference, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || (trimmed[0] != '[' && trimmed[0] != '{') {
		return readLines(trimmed)
	}
	v, err := jsonval.Parse(trimmed)
	if err != nil {
		return Reference{}, fmt.Errorf("invalid reference: %w", err)
	}
	return FromValue(v)
}

// FromValue takes a reference from JSON that is read already; a string holds
// plain text or JSON, as in Read.
func FromValue(v jsonval.Value) (Reference, error) {
	switch v.Kind() {
	case jsonval.String:
		return Read(v.Text())
	case jsonval.Array:
		steps, err := Steps(v)
		return Reference{Steps: steps}, err
	case jsonval.Object:
		return fromObject(v)
	}
	return Reference{}, fmt.Errorf("invalid reference: want a list of steps, an object with steps, or text with one call a line, got %s", v.Kind())
}

func fromObject(v jsonval.Value) (Reference, error) {
	steps := v.Get("steps")
	if !steps.Exists() {
		return Reference{}, fmt.Errorf("invalid reference: missing \"steps\"; members seen: %q", v.Keys())
	}
	var r Reference
	for _, key := range v.Keys() {
		if key != "steps" && key != "says" && key != "title" {
			return r, fmt.Errorf("invalid reference: unknown member %q; known are steps, says, title", key)
		}
	}
	list, err := Steps(steps)
	if err != nil {
		return r, err
	}
	r.Steps = list
	r.Says, err = texts(v.Get("says"), "says")
	return r, err
}

// Steps reads a JSON list of steps. An element is an object with "name" (or
// "tool"), its arguments under one of the usual names, or a string: a call as
// one writes it in text.
func Steps(list jsonval.Value) ([]Step, error) {
	if list.Kind() != jsonval.Array {
		return nil, fmt.Errorf("invalid reference: want a list of steps, got %s", list.Kind())
	}
	steps := make([]Step, 0, 8)
	for i, e := range list.Elements() {
		s, err := step(e)
		if err != nil {
			return nil, fmt.Errorf("invalid reference step %d: %w", i+1, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func step(v jsonval.Value) (Step, error) {
	if text, ok := v.Str(); ok {
		return parseCall(text)
	}
	if v.Kind() != jsonval.Object {
		return Step{}, fmt.Errorf("want an object with a name, got %s", v.Kind())
	}
	var s Step
	var err error
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case key == "name" || key == "tool":
			s.Name = m.Text()
		case isArguments(key):
			s.Arguments, err = Object(m)
		case key == "ignore":
			s.Ignore, err = texts(m, key)
		case key == "required":
			s.Required, err = flag(m, key)
		case key == "mustNot":
			s.MustNot, err = flag(m, key)
		}
		return err == nil
	})
	if err == nil && s.Name == "" {
		err = fmt.Errorf("missing \"name\"; members seen: %q", v.Keys())
	}
	return s, err
}

func isArguments(key string) bool {
	for _, k := range argumentKeys {
		if key == k {
			return true
		}
	}
	return false
}

// Object reads call arguments: an object, null for none, or a string that
// holds an object.
func Object(v jsonval.Value) (jsonval.Value, error) {
	switch v.Kind() {
	case jsonval.Object:
		return v, nil
	case jsonval.Null, jsonval.Missing:
		return jsonval.Value{}, nil
	case jsonval.String:
		if strings.TrimSpace(v.Text()) == "" {
			return jsonval.Value{}, nil
		}
		inner, err := jsonval.Parse(v.Text())
		if err == nil && inner.Kind() == jsonval.Object {
			return inner, nil
		}
	}
	return jsonval.Value{}, fmt.Errorf("invalid arguments: want an object, got %s %.60s", v.Kind(), v.Raw())
}

func flag(v jsonval.Value, key string) (bool, error) {
	b, ok := v.Bool()
	if !ok {
		return false, fmt.Errorf("invalid %q: want true or false, got %s", key, v.Kind())
	}
	return b, nil
}

func texts(v jsonval.Value, key string) ([]string, error) {
	if !v.Exists() {
		return nil, nil
	}
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("invalid %q: want a list of strings, got %s", key, v.Kind())
	}
	var out []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok {
			return nil, fmt.Errorf("invalid %q: want strings, got %s", key, e.Kind())
		}
		out = append(out, s)
	}
	return out, nil
}
