package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The name of the member with the arguments of a call, in any program: a word of
// argumentWords, perhaps after words of argumentOpenings, as in tool_kwargs, actionInput and
// expected_args. This is the one table for runs and for references.
const (
	argumentWords    = "arguments argument args kwargs parameters params input inputs payload"
	argumentOpenings = "expected required reference golden tool function action call api input"
)

var nameMarks = strings.NewReplacer("_", "", "-", "")

// HoldsArguments reports whether a member with this name has the arguments of the call that
// is named beside it.
func HoldsArguments(name string) bool {
	word := strings.ToLower(nameMarks.Replace(name))
	for !wordlist.Contains(argumentWords, word) {
		rest := word
		for _, opening := range strings.Fields(argumentOpenings) {
			if rest = strings.TrimPrefix(word, opening); rest != word {
				break
			}
		}
		if rest == word {
			return false
		}
		word = rest
	}
	return true
}

// stepKeys lists the other members of a step. compare_args is the name for compare in τ².
// action_id, requestor and info are also from τ²; they do not affect the expected action, but a
// story says whose step it is.
var stepKeys = [...]string{"name", "tool", "accept", "ignore", "compare", "compare_args", "required", "mustNot", "expect", "times", "fails", "title", "action_id", "requestor", "info",
	"pre", "eff", "scope", "gran"}

func (r *reader) parseStep(v jsonval.Value) (Step, error) {
	if text, ok := v.Str(); ok {
		return parseCall(text)
	}
	if v.Kind() != jsonval.Object {
		return Step{}, fmt.Errorf(`a step must be a call as text, an object with a "name", or a group; got %s`, v.Kind())
	}
	if name, twice := repeatedMember(v); twice && !r.foreign {
		return Step{}, fmt.Errorf("member %q appears twice", name)
	}
	var s Step
	var err error
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case slices.Contains(stepKeys[:], key):
			err = s.setMember(key, m)
		case HoldsArguments(key):
			err = s.setArguments(m, key)
		case !r.foreign:
			err = fmt.Errorf("unknown member %q%s; the known members are %s", key, match.Hint(key, knownMembers()), strings.Join(knownMembers(), ", "))
		}
		return err == nil
	})
	if err == nil && s.Name == "" {
		err = fmt.Errorf("missing \"name\"; members seen: %s", describeMembers(v))
	}
	if err == nil {
		err = s.checkMembers()
	}
	if err == nil && !r.foreign {
		err = s.checkCompare()
	}
	if err == nil {
		err = s.checkExpected()
	}
	return s, err
}

// checkCompare returns an error for a path in compare that leads to no argument of the step: with a
// typing error in it, nothing would be compared.
func (s *Step) checkCompare() error {
	if s.Arguments.Kind() != jsonval.Object {
		return nil
	}
	names := s.Arguments.Keys()
	for _, p := range s.Compare {
		first := p[:min(strings.IndexAny(p+".", ".["), len(p))]
		if first != "" && !strings.ContainsAny(first, "*?\\\"'") && !slices.Contains(names, first) {
			return fmt.Errorf("\"compare\" names the argument %q%s, but the step has only %s", first, match.Hint(first, names), strings.Join(names, ", "))
		}
	}
	return nil
}

// knownMembers returns the names of all members that a person may write in a node. Error
// messages list these names.
func knownMembers() []string {
	return []string{"name", "arguments", "accept", "ignore", "compare", "expect", "required", "mustNot", "times", "fails", "pre", "eff", "scope", "gran", "sequence", "anyOrder", "oneOf", "optional", "title"}
}

func (s *Step) setArguments(m jsonval.Value, key string) error {
	if s.Arguments.Exists() {
		return fmt.Errorf("the step has two members with arguments; the second is %q", key)
	}
	var err error
	s.Arguments, err = readObject(m)
	return err
}

func (s *Step) setMember(key string, m jsonval.Value) (err error) {
	switch key {
	case "name", "tool":
		var ok bool
		if s.Name, ok = m.Str(); !ok {
			return fmt.Errorf("invalid member %q: want a string, got %s", key, m.Kind())
		}
	case "accept":
		s.Accept, err = parseAccepted(m)
	case "ignore":
		s.Ignore, err = parsePaths(m, key)
	case "compare", "compare_args":
		if m.Kind() == jsonval.Null {
			return nil
		}
		s.Compare, err = parsePaths(m, key)
		if s.Compare == nil {
			s.Compare = []string{}
		}
	case "required":
		s.Required, err = parseFlag(m, key)
	case "mustNot":
		s.MustNot, err = parseFlag(m, key)
	case "expect":
		s.Expect, err = parseExpected(m)
	case "times":
		s.Times, err = parseTimes(m)
	case "fails":
		s.Fails, err = parseFlag(m, key)
	case "requestor":
		s.ByUser = m.Text() == "user"
	case "pre", "eff", "scope", "gran":
		_, err = s.Stated.Set(key, m)
	}
	return err
}

// parseAccepted parses {"path": [values]}. The result has the paths in the order of the
// text.
func parseAccepted(v jsonval.Value) ([]Accepted, error) {
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf(`invalid "accept": want an object with a list of values for each argument, got %s`, v.Kind())
	}
	if name, twice := repeatedMember(v); twice {
		return nil, fmt.Errorf(`invalid "accept": the argument %q appears twice`, name)
	}
	var out []Accepted
	var err error
	v.Each(func(name string, list jsonval.Value) bool {
		if list.Kind() != jsonval.Array || list.Len() == 0 {
			err = fmt.Errorf(`invalid "accept": want a list of values for the argument %q, got %.60s`, name, list.Raw())
			return false
		}
		if _, err = path.CompilePlaces(name); err != nil {
			err = fmt.Errorf("invalid \"accept\": %w", err)
		}
		out = append(out, Accepted{name, list.Elements()})
		return err == nil
	})
	return out, err
}

// parsePaths parses a list of argument paths.
func parsePaths(v jsonval.Value, key string) ([]string, error) {
	out, err := parseTexts(v, key)
	for _, p := range out {
		if _, wrong := path.CompilePlaces(p); wrong != nil {
			return nil, fmt.Errorf("invalid %q: %w", key, wrong)
		}
	}
	return out, err
}

// readObject parses the arguments of a call. They are an object, null for no arguments,
// or a string that contains an object.
func readObject(v jsonval.Value) (jsonval.Value, error) {
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
	return jsonval.Value{}, fmt.Errorf("invalid arguments: want an object, got the %s %.60s", v.Kind(), v.Raw())
}

func parseFlag(v jsonval.Value, key string) (bool, error) {
	b, ok := v.Bool()
	if !ok {
		return false, fmt.Errorf("invalid member %q: want true or false, got %s", key, v.Kind())
	}
	return b, nil
}

func parseTexts(v jsonval.Value, key string) ([]string, error) {
	if !v.Exists() {
		return nil, nil
	}
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("invalid member %q: want a list of strings, got %s", key, v.Kind())
	}
	var out []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok {
			return nil, fmt.Errorf("invalid member %q: each element must be a string, got %s", key, e.Kind())
		}
		out = append(out, s)
	}
	return out, nil
}
