// Package path compiles the paths that people write to name something inside a JSON
// value: items.0.id, steps.#.toolCalls, items[0].id.
//
// A path is written in gjson's syntax
// (https://github.com/tidwall/gjson/blob/master/SYNTAX.md) or in the form of
// jsonval.Leaves, with [0] for an element and ["a.b"] for a member whose name contains
// dots. A path may mix the two. Compile reports where a path is invalid. gjson does not: for
// gjson, an invalid path matches nothing.
//
// A path has two uses. Get returns the one value at the path. Covers reports whether the
// path matches a place, which is a path in the form of jsonval.Leaves. For Covers, # stands
// for every element, * and ? stand for characters of a member's name, and a path covers
// everything below it. Queries, modifiers and multipaths depend on values, so
// CompilePlaces refuses them.
package path

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/tidwall/gjson"
)

// Path is a compiled path. It is immutable and safe for concurrent use.
type Path struct {
	text  string // as written
	gjson string // the same path in gjson's syntax
	steps []step
	plain string // the one place that the path can match; "" if it may match several
	wild  bool   // contains * or ?
	walks bool   // consists of names and indices only
}

// kind is the kind of a step of a path.
type kind uint8

const (
	member  kind = iota // a member by its name
	element             // an element by its index: [0]
	either              // digits between dots: an element, or a member with that name
	each                // #: every element
	pattern             // a member by a name with * and ?
	value               // a query, a modifier or a multipath, which only gjson interprets
)

// step is one step of a path. text is the name without escapes, the digits, or the pattern as
// written; at is its offset in the path.
type step struct {
	kind kind
	text string
	at   int
	pipe bool // | and not a dot is before the step
}

// Error reports where a path is invalid.
type Error struct {
	Path    string
	Offset  int // in bytes, from 0
	Problem string
}

// Error returns the path, the position and the problem in one line without a full stop.
func (e *Error) Error() string {
	return fmt.Sprintf("invalid path %q at character %d: %s", e.Path, len([]rune(e.Path[:e.Offset]))+1, e.Problem)
}

// Compile parses a path. The error is an *Error. O(n).
func Compile(text string) (*Path, error) {
	p := parser{text: text}
	if text == "" {
		return nil, &Error{Problem: "the path is empty; write names with dots between them, such as items.#.id"}
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	out := &Path{text: text, gjson: text, steps: p.steps}
	if p.brackets {
		out.gjson = p.gjsonPath()
	}
	out.plain = out.singlePlace()
	out.walks = true
	for _, s := range out.steps {
		out.wild = out.wild || s.kind == pattern
		out.walks = out.walks && s.kind <= either
	}
	return out, nil
}

// CompilePlaces parses a path that is used only with Covers. It returns an error for
// queries, modifiers, multipaths and |, because these depend on values.
func CompilePlaces(text string) (*Path, error) {
	p, err := Compile(text)
	if err != nil {
		return nil, err
	}
	for _, s := range p.steps {
		if s.kind == value || s.pipe {
			return nil, &Error{text, s.at, `only names, *, ?, #, [0] and ["name"] are allowed here. Queries, modifiers, multipaths and | are not allowed`}
		}
	}
	return p, nil
}

// MustPlaces compiles paths that are constants of a program, as CompilePlaces does. It
// panics if a path is invalid.
func MustPlaces(texts ...string) (all []*Path) {
	for _, text := range texts {
		p, err := CompilePlaces(text)
		if err != nil {
			panic(err)
		}
		all = append(all, p)
	}
	return all
}

// String returns the path as written.
func (p *Path) String() string { return p.text }

// Wild reports whether the path contains * or ?.
func (p *Path) Wild() bool { return p.wild }

// One reports whether the path can match at most one place.
func (p *Path) One() bool { return p.plain != "" }

// Place returns the place that the path matches, in the form of jsonval.Leaves. It
// returns "" if One is false.
func (p *Path) Place() string { return p.plain }

// Get returns the value at the path inside v, by gjson's rules. It returns Missing if
// there is no such value. If several members have the same name, the first counts.
// O(len(v)).
//
// For a path with #, the result is a list. For example, items.#.id gives the id of each
// element of items. For a path that ends with #, such as items.#, the result is the
// number of elements.
func (p *Path) Get(v jsonval.Value) jsonval.Value {
	if p.gjson == "@this" || !v.Exists() {
		return v
	}
	if p.walks {
		return p.walkSteps(v)
	}
	r := gjson.Get(v.Raw(), p.gjson)
	if !r.Exists() {
		return jsonval.Value{}
	}
	out, err := jsonval.Parse(r.Raw)
	if err != nil {
		return jsonval.Value{}
	}
	return out
}

// walkSteps returns the value at a path that consists of names and indices only.
func (p *Path) walkSteps(v jsonval.Value) jsonval.Value {
	for _, s := range p.steps {
		switch k := v.Kind(); {
		case k == jsonval.Object && s.kind != element:
			v = v.Get(s.text)
		case k == jsonval.Array && s.kind != member:
			i, err := strconv.Atoi(s.text)
			if err != nil || i >= v.Len() {
				return jsonval.Value{}
			}
			v = v.Elements()[i]
		default:
			return jsonval.Value{}
		}
	}
	return v
}

// singlePlace returns the only place that the steps match, in the form of jsonval.Leaves.
// It returns "" if the steps may match several places.
func (p *Path) singlePlace() string {
	at := ""
	for _, s := range p.steps {
		switch s.kind {
		case member:
			at = jsonval.Join(at, s.text)
		case element:
			at += "[" + s.text + "]"
		default:
			return ""
		}
	}
	return at
}

// Covers reports whether the path matches a place, or an object or list that contains the
// place. The result covered is the part of the place that the path matches. For example,
// the path items covers the place items[0].id, and covered is items.
//
// A place has the form of jsonval.Leaves. A path with queries, modifiers or multipaths
// covers nothing. O(len(place)), times the length of the longest pattern.
func (p *Path) Covers(place string) (covered string, ok bool) {
	if p.plain != "" {
		rest, ok := strings.CutPrefix(place, p.plain)
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			return "", false
		}
		return p.plain, true
	}
	rest := place
	for i := range p.steps {
		name, isElement, after := nextStep(rest)
		if rest == "" || !p.steps[i].matchesName(name, isElement) {
			return "", false
		}
		rest = after
	}
	return place[:len(place)-len(rest)], true
}

// matchesName reports whether a step matches the member or element with the given name.
func (s *step) matchesName(name string, isElement bool) bool {
	switch s.kind {
	case member:
		return !isElement && name == s.text
	case element:
		return isElement && name == s.text
	case either:
		return name == s.text
	case each:
		return isElement
	case pattern:
		return !isElement && patternMatches(s.text, name)
	}
	return false
}

// nextStep splits a place in the form of jsonval.Leaves into its first step and the rest.
func nextStep(place string) (name string, isElement bool, rest string) {
	place = strings.TrimPrefix(place, ".")
	if quoted, ok := strings.CutPrefix(place, `["`); ok {
		n := min(quotedLength(quoted), len(quoted))
		v, _ := jsonval.Parse(`"` + quoted[:n])
		return v.Text(), false, strings.TrimPrefix(quoted[n:], "]")
	}
	if index, ok := strings.CutPrefix(place, "["); ok {
		name, rest, _ = strings.Cut(index, "]")
		return name, true, rest
	}
	n := len(place)
	if i := strings.IndexAny(place, ".["); i >= 0 {
		n = i
	}
	return place[:n], false, place[n:]
}

// patternMatches reports whether a name matches a pattern. In the pattern, * stands for
// any characters, ? stands for one character, and \ makes the next character a plain one.
// O(len(pattern) × len(name)).
func patternMatches(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, from := -1, 0
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && p[i] == '?':
			i, j = i+1, j+1
		case i+1 < len(p) && p[i] == '\\' && p[i+1] == n[j]:
			i, j = i+2, j+1
		case i < len(p) && p[i] != '\\' && p[i] == n[j]:
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// Step is one step of a path from CompilePlaces, for programs that walk through a value
// themselves.
type Step struct{ step step }

// Steps returns the steps of the path.
func (p *Path) Steps() []Step {
	out := make([]Step, len(p.steps))
	for i, s := range p.steps {
		out[i] = Step{s}
	}
	return out
}

// IsEach reports whether the step is #, every element of a list.
func (s Step) IsEach() bool { return s.step.kind == each }

// IsWild reports whether the step is a name with * or ?.
func (s Step) IsWild() bool { return s.step.kind == pattern }

// IsIndex reports whether the step is an index such as [0], which names no member.
func (s Step) IsIndex() bool { return s.step.kind == element }

// Name returns the name of the step, or the digits of its index.
func (s Step) Name() string { return s.step.text }

// MatchesMember reports whether the step matches a member of this name.
func (s Step) MatchesMember(name string) bool { return s.step.matchesName(name, false) }

// MatchesElement reports whether the step matches the element with this index.
func (s Step) MatchesElement(index string) bool { return s.step.matchesName(index, true) }
