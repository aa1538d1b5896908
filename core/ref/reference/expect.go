package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Expected says what the values of an argument may be, in the language of package match.
// It decides alone about this argument: Accept cannot make it milder.
type Expected struct {
	Path    string
	Matcher *match.Matcher
}

// Times says how often a step is done: at least Min and at most Max times; Max is -1 for
// no limit.
type Times struct{ Min, Max int }

// MostTimes is the largest number that Times may have.
const MostTimes = 1000

// parseExpected parses {"path": matcher}. The result has the paths in the order of the
// text.
func parseExpected(v jsonval.Value) (out []Expected, err error) {
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf(`invalid "expect": want an object with a matcher for each argument, such as {"amount": {"max": 50}}, got %s`, v.Kind())
	}
	if name, twice := repeatedMember(v); twice {
		return nil, fmt.Errorf(`invalid "expect": the argument %q appears twice`, name)
	}
	v.Each(func(name string, m jsonval.Value) bool {
		e := Expected{Path: name}
		if _, err = path.CompilePlaces(name); err == nil {
			if e.Matcher, err = match.Read(m); err == nil && e.Matcher.IsEmptyRange() {
				err = fmt.Errorf("no number is at least %s and at most %s", m.Get("min").Raw(), m.Get("max").Raw())
			}
		}
		if err != nil {
			err = fmt.Errorf(`invalid "expect" of %s: %w`, name, err)
		}
		out = append(out, e)
		return err == nil
	})
	return out, err
}

func parseTimes(v jsonval.Value) (*Times, error) {
	low, high, err := match.ReadRange("times", v)
	if err != nil {
		return nil, err
	}
	if !v.Get("min").Exists() && v.Kind() == jsonval.Object {
		low = min(1, high)
	}
	if low > MostTimes || high > MostTimes || high == 0 {
		return nil, fmt.Errorf(`invalid "times": want numbers up to %d, and a max above 0 (write mustNot: true for a step that must not be done)`, MostTimes)
	}
	return &Times{low, high}, nil
}

// terms returns the text of the expectations in Step.Terms.
func (e *Expected) terms() string { return "\x01e" + e.Path + "\x02" + e.Matcher.Raw }

// checkMembers returns an error if members of a step contradict each other.
func (s *Step) checkMembers() error {
	switch {
	case s.MustNot && s.Times != nil:
		return fmt.Errorf(`"mustNot" and "times" contradict each other`)
	case s.MustNot && s.Fails:
		return fmt.Errorf(`"mustNot" and "fails" contradict each other: write fails for a call that may be tried and must be refused`)
	}
	return nil
}

// Repeats reports whether a step of the reference has times.
func (r *Reference) Repeats() bool {
	if r.Process != nil {
		return r.Process.repeats()
	}
	for i := range r.Steps {
		if r.Steps[i].Times != nil {
			return true
		}
	}
	return false
}

func (n *Node) repeats() bool {
	if n.Kind == Action {
		return n.Step.Times != nil
	}
	for i := range n.Children {
		if n.Children[i].repeats() {
			return true
		}
	}
	return false
}

// Repeated returns the process of a reference in which a step with times is written out:
// Min times, each of them required, and then optional up to Max. Without a limit it is
// written out as often as the run calls the tool, which count returns.
func (r *Reference) Repeated(count func(name string) int) *Node {
	root := Node{Kind: Sequence}
	if r.Process != nil {
		root = *r.Process
	} else {
		for i := range r.Steps {
			if s := r.Steps[i]; !s.MustNot {
				root.Children = append(root.Children, Node{Kind: Action, Step: s, Place: s.Place})
			}
		}
	}
	out := root.repeated(count)
	return &out
}

func (n *Node) repeated(count func(name string) int) Node {
	out := *n
	if n.Kind != Action {
		out.Children = nil
		for i := range n.Children {
			out.Children = append(out.Children, n.Children[i].repeated(count))
		}
		return out
	}
	t := n.Step.Times
	if t == nil {
		return out
	}
	high := t.Max
	if high < 0 {
		high = max(t.Min, min(count(n.Step.Name), MostTimes))
	}
	all := Node{Kind: Sequence, Place: n.Place}
	for i := range high {
		one := *n
		one.Step.Required = n.Step.Required || i < t.Min
		if i < t.Min {
			all.Children = append(all.Children, one)
		} else {
			all.Children = append(all.Children, Node{Kind: Optional, Children: []Node{one}, Place: n.Place})
		}
	}
	return all
}

// Allows reports whether Only lets a run call a tool. The list may have patterns, in
// which * matches any characters.
func (r *Reference) Allows(name string) bool {
	if r.Only == nil {
		return true
	}
	for _, pattern := range r.Only {
		if match.Name(pattern, name) {
			return true
		}
	}
	return false
}

// checkOnly returns an error for a required step whose tool the run may not call.
func (r *Reference) checkOnly() (err error) {
	r.EachStep(func(s *Step) {
		if err == nil && s.Name != "" && !s.MustNot && !r.Allows(s.Name) {
			err = fmt.Errorf("\"only\" does not allow %s, which a step has", s.Name)
		}
	})
	return err
}

// checkExpected returns an error for a matcher that measures from the step's own value, if the step
// has no number there.
func (s *Step) checkExpected() error {
	for i := range s.Expect {
		e := &s.Expect[i]
		if !e.Matcher.MeasuresFrom() || strings.ContainsAny(e.Path, "*?#[\\") {
			continue
		}
		at, err := path.CompilePlaces(e.Path)
		if err != nil {
			return err
		}
		if _, ok := match.ReadNumber(at.Get(s.Arguments)); !ok {
			return fmt.Errorf("\"expect\" of %s: within needs a number to measure from: as the step's own value, or in equals", e.Path)
		}
	}
	return nil
}

// OnlyText returns Only as a text, such as "get_order, cancel_*".
func (r *Reference) OnlyText() string { return strings.Join(r.Only, ", ") }

// HasConstraints reports whether a value is written in the form of a reference that constrains its steps
// or its run, in any of its groups: with expect, times, mustNot, fails or only. Nothing but FromValue reads
// such a value, so a constraint that is not understood is an error and never dropped. O(members).
func HasConstraints(v jsonval.Value) bool { return hasConstraints(v, 0) }

func hasConstraints(v jsonval.Value, depth int) (found bool) {
	if depth > MaxDepth {
		return true // FromValue says so
	}
	isStep := v.Get("name").Kind() == jsonval.String || v.Get("tool").Kind() == jsonval.String
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case v.Kind() == jsonval.Array:
			found = m.Kind() >= jsonval.Array && hasConstraints(m, depth+1)
		case slices.Contains(groupKeys[:], key) && m.Kind() == jsonval.Array, key == "optional":
			found = hasConstraints(m, depth+1)
		case key == "only":
			found = v.Get("steps").Kind() == jsonval.Array
		case isStep:
			found = slices.Contains(constraintKeys[:], key)
		}
		return !found
	})
	return found
}

// groupKeys are the members that hold lists of steps, and constraintKeys those with which a step says how
// it is done.
var (
	groupKeys      = [...]string{"steps", "sequence", "anyOrder", "oneOf"}
	constraintKeys = [...]string{"expect", "times", "mustNot", "fails"}
)
