package reference

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// The limits of a reference. Nobody writes a larger one by hand, so a larger text is
// probably the wrong file.
const (
	MaxNodes = 100_000
	MaxDepth = 32
)

var errNested = errors.New(`invalid "mustNot": a forbidden step must be in the outermost list`)

// Read parses a reference written by a person, as JSON or as text (see the package
// comment). The error says which step is wrong and why. With an error, the reference is
// nil.
func Read(text string) (*Reference, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || (trimmed[0] != '[' && trimmed[0] != '{') {
		return readLines(text)
	}
	v, err := jsonval.Parse(trimmed)
	if err != nil {
		return nil, fmt.Errorf("invalid reference: %w", err)
	}
	return FromValue(v)
}

// FromValue converts parsed JSON to a reference. It accepts the JSON form, a benchmark's
// task, and a string with a text that Read accepts.
func FromValue(v jsonval.Value) (*Reference, error) {
	switch v.Kind() {
	case jsonval.String:
		return Read(v.Text())
	case jsonval.Array:
		return fromList(v)
	case jsonval.Object:
		if isTask(v) {
			return fromTask(v, nil)
		}
		return fromObject(v)
	}
	return nil, fmt.Errorf(`invalid reference: got %s. Give a list of steps, an object with "steps", or text with one call on each line`, v.Kind())
}

func fromList(v jsonval.Value) (*Reference, error) {
	list, err := new(reader).parseList(v, "", "step", Sequence, 0)
	if err != nil {
		return nil, err
	}
	return newReference(list), nil
}

func fromObject(v jsonval.Value) (*Reference, error) {
	steps := v.Get("steps")
	if !steps.Exists() && (v.Get("anyOrder").Exists() || v.Get("oneOf").Exists() || v.Get("name").Exists()) {
		alone, err := jsonval.Parse("[" + v.Raw() + "]") // one step is a list of length one
		if err != nil {
			return nil, fmt.Errorf("invalid reference: %w", err)
		}
		return fromList(alone)
	}
	if !steps.Exists() {
		return nil, fmt.Errorf("invalid reference: missing \"steps\"; members seen: %s", describeMembers(v))
	}
	for _, key := range v.Keys() {
		switch key {
		case "steps", "says", "only", "title", "aliases", "compositions":
		default:
			return nil, fmt.Errorf("invalid reference: unknown member %q%s; the known members are %s", key, match.Hint(key, rootMembers[:]), strings.Join(rootMembers[:], ", "))
		}
	}
	r, err := fromList(steps)
	if err != nil {
		return nil, err
	}
	if r.Says, err = parseTexts(v.Get("says"), "says"); err == nil {
		r.Only, err = parseTexts(v.Get("only"), "only")
	}
	if err == nil && v.Get("only").Exists() && r.Only == nil {
		r.Only = []string{}
	}
	if err == nil {
		err = r.checkOnly()
	}
	if err == nil {
		r.Vocabulary, err = boundary.ReadSynonyms(v)
	}
	if err != nil {
		return nil, fmt.Errorf("invalid reference: %w", err)
	}
	return r, nil
}

// rootMembers are the members of a reference that is an object.
var rootMembers = [...]string{"steps", "says", "only", "title", "aliases", "compositions"}

// reader parses nodes and counts them.
type reader struct {
	nodes   int
	foreign bool // another producer's steps: unknown members are not an error
}

// parseList parses a JSON list as the children of a node. In an error, an element is
// called by the given word and its number, for example "step 3".
func (r *reader) parseList(v jsonval.Value, place, word string, kind Kind, depth int) (Node, error) {
	n := Node{Kind: kind, Place: place}
	if v.Kind() != jsonval.Array {
		return n, errorAt(place, fmt.Errorf("want a list of steps, got %s", v.Kind()))
	}
	if depth > MaxDepth {
		return n, errorAt(place, fmt.Errorf("groups are nested more than %d levels deep", MaxDepth))
	}
	if kind != Sequence && v.Len() == 0 {
		return n, errorAt(place, fmt.Errorf("the group %q is empty", kind))
	}
	if v.Len() > 0 {
		n.Children = make([]Node, 0, min(v.Len(), MaxNodes))
	}
	for i, e := range v.Elements() {
		c, err := r.parseNode(e, joinPlace(place, fmt.Sprintf("%s %d", word, i+1)), depth)
		if err != nil {
			return n, err
		}
		n.Children = append(n.Children, c)
	}
	return n, nil
}

// parseNode parses a node: a call, a group, or a list, which is a sequence.
func (r *reader) parseNode(v jsonval.Value, place string, depth int) (Node, error) {
	if r.nodes++; r.nodes > MaxNodes {
		return Node{}, errorAt(place, fmt.Errorf("more than %d steps", MaxNodes))
	}
	switch v.Kind() {
	case jsonval.Array:
		return r.parseList(v, place, "step", Sequence, depth+1)
	case jsonval.Object:
		if key, kind, ok := groupOf(v); ok {
			return r.parseGroup(v, key, kind, place, depth)
		}
	}
	s, err := r.parseStep(v)
	if err == nil && s.MustNot && depth > 0 {
		err = errNested
	}
	if err != nil {
		return Node{}, errorAt(place, err)
	}
	s.Place = place
	return Node{Kind: Action, Step: s, Place: place}, nil
}

// groupOf returns the name of the member that makes an object a group, for example
// "oneOf", and the kind of the group. ok is false if the object has no such member.
func groupOf(v jsonval.Value) (key string, kind Kind, ok bool) {
	for _, key := range v.Keys() {
		for kind := Sequence; kind <= Optional; kind++ {
			if key == kind.String() {
				return key, kind, true
			}
		}
	}
	return "", Action, false
}

func (r *reader) parseGroup(v jsonval.Value, key string, kind Kind, place string, depth int) (Node, error) {
	if name, twice := repeatedMember(v); twice {
		return Node{}, errorAt(place, fmt.Errorf("member %q appears twice", name))
	}
	for _, other := range v.Keys() {
		if other != key && other != "title" {
			return Node{}, errorAt(place, fmt.Errorf("unknown member %q beside the member %q; only the member title is allowed there", other, key))
		}
	}
	if kind != Optional {
		return r.parseList(v.Get(key), place, key, kind, depth+1)
	}
	if depth >= MaxDepth {
		return Node{}, errorAt(place, fmt.Errorf("groups are nested more than %d levels deep", MaxDepth))
	}
	child, err := r.parseNode(v.Get(key), joinPlace(place, key), depth+1)
	if err == nil && child.Kind == Sequence && len(child.Children) == 0 {
		err = errorAt(place, fmt.Errorf("the group %q is empty", kind))
	}
	return Node{Kind: kind, Children: []Node{child}, Place: place}, err
}

// repeatedMember returns the name of a member that appears twice in an object. twice is
// false if there is none.
func repeatedMember(v jsonval.Value) (name string, twice bool) {
	seen := map[string]bool{}
	v.Each(func(key string, _ jsonval.Value) bool {
		name, twice = key, seen[key]
		seen[key] = true
		return !twice
	})
	return name, twice
}

func joinPlace(place, part string) string {
	if place == "" {
		return part
	}
	return place + " > " + part
}

// errorAt returns err with the place of the node in the source.
func errorAt(place string, err error) error {
	if place == "" {
		return fmt.Errorf("invalid reference: %w", err)
	}
	return fmt.Errorf("invalid reference %s: %w", place, err)
}

// describeMembers returns the names of an object's first members as text for an error.
func describeMembers(v jsonval.Value) string {
	const enough = 12
	keys := v.Keys()
	text := fmt.Sprintf("%.200q", keys[:min(len(keys), enough)])
	if more := len(keys) - enough; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
