package reference

import (
	"slices"
	"strings"
)

// Ignoring returns a copy of r whose steps also ignore the arguments at the given paths.
// It does not change r. If there are no paths, it returns r.
func (r *Reference) Ignoring(paths []string) *Reference {
	if r == nil || len(paths) == 0 {
		return r
	}
	out := *r
	out.Steps = make([]Step, len(r.Steps))
	for i, s := range r.Steps {
		out.Steps[i] = s.withIgnored(paths)
	}
	if r.Process != nil {
		n := r.Process.withIgnored(paths)
		out.Process = &n
	}
	return &out
}

func (s Step) withIgnored(paths []string) Step {
	s.Ignore = slices.Concat(s.Ignore, paths)
	return s
}

func (n *Node) withIgnored(paths []string) Node {
	out := *n
	out.Step = n.Step.withIgnored(paths)
	out.Children = make([]Node, len(n.Children))
	for i := range n.Children {
		out.Children[i] = n.Children[i].withIgnored(paths)
	}
	return out
}

// ByName returns a copy of r in which the steps of the named tools are compared by their names
// alone. A name may have a prefix such as that of a server. It does not change r. If there are
// no names, it returns r.
func (r *Reference) ByName(names []string) *Reference {
	if r == nil || len(names) == 0 {
		return r
	}
	out := *r
	out.Steps = make([]Step, len(r.Steps))
	for i, s := range r.Steps {
		out.Steps[i] = s.byName(names)
	}
	if r.Process != nil {
		n := r.Process.byName(names)
		out.Process = &n
	}
	return &out
}

func (s Step) byName(names []string) Step {
	if s.Name != "" && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, s.Name) || strings.HasSuffix(s.Name, name) }) {
		s.Compare = []string{}
	}
	return s
}

func (n *Node) byName(names []string) Node {
	out := *n
	out.Step = n.Step.byName(names)
	out.Children = make([]Node, len(n.Children))
	for i := range n.Children {
		out.Children[i] = n.Children[i].byName(names)
	}
	return out
}
