package reference

import (
	"fmt"
	"strings"
)

// Default returns the calls of the default run of a process. This run takes all calls in
// document order, the first of several alternatives, and no optional parts. O(nodes).
func (n *Node) Default() []*Node { return n.appendDefaultRun(nil) }

func (n *Node) appendDefaultRun(calls []*Node) []*Node {
	switch n.Kind {
	case Action:
		return append(calls, n)
	case Optional:
		return calls
	case OneOf:
		return n.Children[0].appendDefaultRun(calls)
	}
	for i := range n.Children {
		calls = n.Children[i].appendDefaultRun(calls)
	}
	return calls
}

// simplifyGroups removes redundant groups. These are sequences inside sequences, and
// groups with one child that are not optional.
func (n Node) simplifyGroups() Node {
	if n.Kind == Action {
		return n
	}
	children := make([]Node, 0, len(n.Children))
	for _, c := range n.Children {
		c = c.simplifyGroups()
		if n.Kind == Sequence && c.Kind == Sequence {
			children = append(children, c.Children...)
		} else {
			children = append(children, c)
		}
	}
	if len(children) == 1 && n.Kind != Optional {
		return children[0]
	}
	n.Children = children
	return n
}

// plainSteps returns the steps of a call or of a sequence of calls. It returns false for
// any other node.
func (n *Node) plainSteps() ([]Step, bool) {
	if n.Kind == Action {
		return []Step{n.Step}, true
	}
	steps := make([]Step, 0, len(n.Children))
	for i := range n.Children {
		if n.Kind != Sequence || n.Children[i].Kind != Action {
			return nil, false
		}
		steps = append(steps, n.Children[i].Step)
	}
	return steps, n.Kind == Sequence
}

// FromNode returns the reference of a sequence of nodes.
func FromNode(list Node) *Reference { return newReference(list) }

// newReference makes a reference from a list of calls and groups, without redundant
// groups. If only calls remain, the reference is a list of steps. Otherwise it is a
// process, and the forbidden steps are at the end of Steps.
func newReference(list Node) *Reference {
	root := list.simplifyGroups()
	if steps, ok := root.plainSteps(); ok {
		return &Reference{Steps: steps}
	}
	var never []Step
	kept := list
	kept.Children = nil
	for _, c := range list.Children {
		if c.Kind == Action && c.Step.MustNot {
			never = append(never, c.Step)
		} else {
			kept.Children = append(kept.Children, c)
		}
	}
	root = kept.simplifyGroups()
	r := &Reference{}
	if steps, ok := root.plainSteps(); ok {
		r.Steps = steps
	} else {
		r.Process = &root
		for _, call := range root.Default() {
			r.Steps = append(r.Steps, call.Step)
		}
	}
	r.Steps = append(r.Steps, never...)
	return r
}

// Key returns a text that identifies what a step requires. Two steps have the same text
// if and only if they require the same. Spellings of arguments that package similarity
// treats as equal give the same text.
func (s *Step) Key() string {
	var b strings.Builder
	b.WriteString(s.Name + "\x00" + s.Text + "\x00" + s.Arguments.Canonical() + "\x00")
	if s.Required {
		b.WriteByte('r')
	}
	if s.MustNot {
		b.WriteByte('n')
	}
	if s.Fails {
		b.WriteByte('f')
	}
	if s.Times != nil {
		fmt.Fprintf(&b, "t%d-%d", s.Times.Min, s.Times.Max)
	}
	b.WriteString(s.Terms())
	if !s.Stated.Empty() {
		fmt.Fprintf(&b, "\x00%v", s.Stated)
	}
	return b.String()
}

// Terms returns a text that describes how the step's arguments are compared, or "" for
// the usual comparison. Two steps with equal arguments and equal terms match the same
// actions.
func (s *Step) Terms() string {
	if len(s.Ignore) == 0 && s.Compare == nil && len(s.Accept) == 0 && len(s.Expect) == 0 {
		return ""
	}
	var b strings.Builder
	for _, path := range s.Ignore {
		b.WriteString("\x01i" + path)
	}
	if s.Compare != nil {
		b.WriteString("\x01c")
	}
	for _, path := range s.Compare {
		b.WriteString("\x02" + path)
	}
	for _, a := range s.Accept {
		b.WriteString("\x01a" + a.Path)
		for _, v := range a.Values {
			b.WriteString("\x02" + v.Canonical())
		}
	}
	for i := range s.Expect {
		b.WriteString(s.Expect[i].terms())
	}
	return b.String()
}
