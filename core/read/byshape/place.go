package byshape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Place says where a text has its runs and calls, as gjson paths.
type Place struct {
	Runs, Calls                        string // Runs is "" if the text is one run
	Name, Arguments, Result, Error, ID string // in a call
	Run                                jsonval.Value
}

// FindPlace returns the place of the calls in a document, a list of rows or an object. If the
// calls stand at several places, it is that with the most of them. found is the number of all
// calls, also of those in a form that has no place, such as texts.
func FindPlace(v jsonval.Value) (p Place, found int) {
	values, listed := []jsonval.Value{v}, v.Kind() == jsonval.Array
	if listed {
		values = v.Elements()
	}
	t := newTree(values)
	t.readCalls(t.findForms(little))
	var best *node
	most := 0
	for _, at := range t.paths {
		n := 0
		var first *node
		for _, node := range t.at[at] {
			if !node.expected && len(node.calls) == 1 && node.calls[0].name != (slot{}) {
				n++
				first = firstOf(first, node)
			}
		}
		if n > most {
			most, best = n, first
		}
	}
	if found = t.root.holds; best == nil {
		return p, found
	}
	level, weight := t.findLevel()
	run, c := best, best.calls[0]
	if c.kind == "" {
		c.kind = kindOf(t.at[best.path], c.name.key)
	}
	for run.up != nil && (run.path != level || weight < someSign) {
		run = run.up
	}
	if run == best || t.findThreads(level, weight) != nil { // the rows are calls
		run = t.root
	}
	call, inside := best, ""
	for !call.listed && call.up != run && call.up.up != nil && call.up.o != nil && len(call.up.o.Keys) > 0 && call.up.listed {
		inside, call = path.Escape(call.key)+".", call.up
	}
	p.Name, p.Arguments = inside+c.name.path(), inside+c.input.path()
	for _, part := range [...]struct {
		to  *string
		key string
	}{{&p.Result, c.resultKey}, {&p.Error, c.errorKey}, {&p.ID, c.idKey}} {
		if part.key != "" {
			*part.to = shape.IfElse(best.o.MemberNamed(part.key).Exists(), inside, "") + path.Escape(part.key)
		}
	}
	if c.kind == "" && slices.ContainsFunc(t.at[call.path], func(n *node) bool { return n.holds == 0 }) {
		c.kind = "#(" + p.Name + `%"*")#`
	}
	all := stepsOf(call, t.root, listed)
	if run == t.root || !listed && run.up == t.root {
		p.Calls = joinSteps(all, c.kind)
		return p, found
	}
	upTo := stepsOf(run, t.root, listed)
	p.Runs, p.Calls, p.Run = joinSteps(upTo, ""), joinSteps(all[len(upTo):], c.kind), run.v
	return p, found
}

// kindOf returns the query for the calls among the nodes at one path, or "" if all are calls or
// nothing tells them from the others. name is the member with their names.
func kindOf(nodes []*node, name string) string {
	for _, key := range nodes[0].o.Keys {
		if key == name {
			continue
		}
		called, other := map[string]bool{}, map[string]bool{}
		for _, n := range nodes {
			if word, ok := n.o.MemberNamed(key).Str(); ok && shape.IsName(word) {
				shape.IfElse(n.calls != nil, called, other)[word] = true
			}
		}
		for word := range called {
			if len(called) == 1 && len(other) > 0 && !other[word] {
				return query(key, word)
			}
		}
	}
	return ""
}

func query(key, word string) string { return "#(" + key + "==" + jsonval.Quoted(word) + ")#" }

func firstOf(a, b *node) *node {
	if a != nil {
		return a
	}
	return b
}

func (s slot) path() string {
	if s.inner != "" {
		return path.Escape(s.key) + "." + path.Escape(s.inner)
	}
	return path.Escape(s.key)
}

// stepsOf returns the steps of a path from the root to a node. An element of a list ends in #.
func stepsOf(n, root *node, listed bool) (steps []string) {
	for ; n != root; n = n.up {
		var own []string
		switch {
		case n.listed && n.up == root:
			if listed {
				own = []string{"#"}
			}
		case n.listed && len(n.up.o.Keys) > 0:
			own = []string{"@values", "#"}
		case n.listed:
			own = []string{"#"}
		default:
			own = []string{path.Escape(n.key)}
		}
		if n.at.Kind() == jsonval.String && n.up.at.Raw() != n.at.Raw() {
			own = append(own, "@fromstr")
		}
		steps = append(own, steps...)
	}
	return steps
}

// joinSteps joins the steps of the path of a list. kind is the query for the calls of a list that
// has other things, or "".
func joinSteps(steps []string, kind string) string {
	steps = slices.Clone(steps)
	if n := len(steps); n > 0 && steps[n-1] == "#" {
		if steps = steps[:n-1]; kind != "" {
			steps = append(steps, kind)
		}
	}
	if len(steps) == 0 {
		return "@this"
	}
	return strings.Join(steps, ".")
}
