package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A record may say in several members what was expected: the tool in one and its arguments in another, or
// names in one and calls in another. The law of this file: what one of them says is compared, or the run is
// doubtful.

// side is what one member of a record expects, with the name of the member.
type side struct {
	key string
	ref *reference.Reference
}

// chooseSide returns the reference of a record whose members expect several things: the first one that says
// something of arguments, or else the first one with a step. The run is doubtful if another one names
// what this one does not. O(steps²), of which a record has few.
func chooseSide(t *trajectory.Trajectory, sides []side) *reference.Reference {
	if len(sides) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(sides, func(s side) bool { return s.ref.Process != nil || len(s.ref.Steps) > 0 }))
	if i := slices.IndexFunc(sides, func(s side) bool { return slices.ContainsFunc(s.ref.Steps, saysArguments) }); i >= 0 {
		at = i
	}
	for i, s := range sides {
		if i != at && !isWithin(s.ref, sides[at].ref) {
			addDoubt(t, "its record expects in "+shape.QuoteExcerpt(s.key, 0, 40)+" what it does not expect in "+shape.QuoteExcerpt(sides[at].key, 0, 40)+"; only the second was compared")
			break
		}
	}
	return sides[at].ref
}

func saysArguments(s reference.Step) bool { return s.Compare == nil && s.Arguments.Exists() }

// isWithin reports whether each step of a is one of b, or names only the tool of one.
func isWithin(a, b *reference.Reference) bool {
	return !slices.ContainsFunc(a.Steps, func(s reference.Step) bool {
		return !slices.ContainsFunc(b.Steps, func(other reference.Step) bool {
			return s.Name == other.Name && (!saysArguments(s) || s.Arguments.Canonical() == other.Arguments.Canonical())
		})
	})
}

// isExpectedArguments reports whether a member with this name has the arguments of the call that was
// expected, such as expected_args and goldToolParameters.
func isExpectedArguments(name string) bool {
	if n := len(name); n < 6 || !shape.OneOf(strings.ToLower(name[n-3:]), "arg rgs ent nts ram ams ter ers put uts") {
		return false // nearly all names, so that they cost little
	}
	words := shape.SplitWords(name)
	last := len(words) - 1
	if last < 1 || !wordlist.HasAny("arg argument kwarg param parameter", words[last:]) && !(wordlist.HasAny("input", words[last:]) && wordlist.HasAny("tool call function action", words[:last])) {
		return false
	}
	head := strings.Join(words[:last], "_")
	return shape.IsExpected(head) || shape.IsExpected(head+"_tool")
}

// joinArguments gives the steps of a reference that only names tools the arguments that the record expects in
// a member of their own: those of the only step, a list in the order of the steps, or a map by the names
// of the tools. The run is doubtful if they are of no step.
func (d *Decoder) joinArguments(t *trajectory.Trajectory, row *shape.Object) {
	at := slices.IndexFunc(row.Keys, isExpectedArguments)
	if at < 0 {
		return
	}
	v := row.Values[at]
	d.LeaveOut(v)
	if v = shape.OpenText(v); v.Kind() == jsonval.Null || shape.SaysNothing(v) {
		return
	}
	if ref := withArguments(t.Reference, v); ref != nil {
		t.Reference = ref
		return
	}
	addDoubt(t, "the expected arguments in "+shape.QuoteExcerpt(row.Keys[at], 0, 40)+" are of no expected call, so they were not compared")
}

// withArguments returns a copy of a reference whose steps have the arguments in v, or nil if these are not
// the arguments of its steps.
func withArguments(ref *reference.Reference, v jsonval.Value) *reference.Reference {
	if ref == nil || ref.Process != nil || len(ref.Steps) == 0 || slices.ContainsFunc(ref.Steps, saysArguments) {
		return nil
	}
	own := *ref
	own.Steps = slices.Clone(ref.Steps)
	list := v.Elements()
	for i := range own.Steps {
		s := &own.Steps[i]
		named := v.Get(s.Name)
		switch {
		case v.Kind() == jsonval.Array && len(list) == len(own.Steps):
			s.Arguments = shape.OpenText(list[i])
		case v.Kind() == jsonval.Object && named.Kind() == jsonval.Object:
			s.Arguments = named
		case v.Kind() == jsonval.Object && len(own.Steps) == 1:
			s.Arguments = v
		}
		if s.Arguments.Kind() != jsonval.Object {
			return nil
		}
		s.Compare = nil
	}
	return &own
}
