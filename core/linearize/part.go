package linearize

import "github.com/boundcheck/boundcheck/core/reference"

// part is a prepared node: calls have numbers, any-order groups directly inside each
// other are merged, and forbidden steps are removed.
type part struct {
	kind    reference.Kind
	call    int
	members []*part
	place   string
}

func (t *task) partOf(n *reference.Node) *part {
	p := &part{kind: n.Kind, place: n.Place}
	if n.Kind == reference.Action {
		p.call = len(t.calls)
		t.calls = append(t.calls, n)
		if n.Step.MustNot {
			p.kind = reference.Sequence
		}
		return p
	}
	for i := range n.Children {
		m := t.partOf(&n.Children[i])
		if p.kind == reference.AnyOrder && m.kind == reference.AnyOrder {
			p.members = append(p.members, m.members...)
		} else {
			p.members = append(p.members, m)
		}
	}
	if p.kind == reference.AnyOrder && len(p.members) == 1 {
		return p.members[0]
	}
	return p
}

func sequenceOf(members ...*part) *part {
	return &part{kind: reference.Sequence, members: members}
}

// usual returns the default run: document order, first alternatives, no optional parts.
func (p *part) usual(run []pair) []pair {
	switch p.kind {
	case reference.Action:
		return append(run, pair{p.call, -1})
	case reference.Optional:
		return run
	case reference.OneOf:
		if len(p.members) == 0 {
			return run
		}
		return p.members[0].usual(run)
	}
	for _, m := range p.members {
		run = m.usual(run)
	}
	return run
}

// single returns the call of a part that is one call, optional or not.
func (p *part) single() (call int, optional, ok bool) {
	if p.kind == reference.Optional && len(p.members) == 1 {
		p, optional = p.members[0], true
	}
	return p.call, optional, p.kind == reference.Action
}

// hopeless reports whether no observed action pairs with any call of the part.
func (t *task) hopeless(p *part) bool {
	if p.kind == reference.Action {
		return len(t.worths.hits(p.call)) == 0
	}
	for _, m := range p.members {
		if !t.hopeless(m) {
			return false
		}
	}
	return true
}

// result converts numbers back to nodes. The calls of a subtree have consecutive numbers,
// so the list shows which subtrees were taken.
func (t *task) result(list []pair) Result {
	r := Result{Exact: !t.inexact, Warnings: t.warnings, Stats: t.stats}
	taken := make([]bool, len(t.calls))
	for _, p := range list {
		r.Steps = append(r.Steps, Item{t.calls[p.call], p.obs})
		taken[p.call] = true
		if p.obs >= 0 && t.worths.matches(p.call, p.obs) {
			r.Matches++
		}
	}
	r.Score = 2*float64(r.Matches) - float64(len(t.Obs)+len(list))/2
	c := chooser{taken: taken, Result: &r}
	c.node(t.Process, true)
	return r
}

// chooser walks through the process and the list together.
type chooser struct {
	*Result
	taken []bool
	next  int // number of the next call
}

// node records the choices below n if n was entered.
func (c *chooser) node(n *reference.Node, entered bool) {
	switch {
	case n.Kind == reference.Action:
		c.next++
		return
	case n.Kind == reference.Optional && entered && !c.any(n):
		c.Left = append(c.Left, n)
		entered = false
	case n.Kind == reference.OneOf && entered && len(n.Children) > 0:
		c.oneOf(n)
		return
	}
	for i := range n.Children {
		c.node(&n.Children[i], entered)
	}
}

// oneOf records the alternative with a call in the list; if there is none, the first that
// may be empty.
func (c *chooser) oneOf(n *reference.Node) {
	chosen, next := -1, c.next
	for i := range n.Children {
		if chosen < 0 && c.any(&n.Children[i]) {
			chosen = i
		}
		c.next += count(&n.Children[i])
	}
	for i := range n.Children {
		if chosen < 0 && idle(&n.Children[i]) {
			chosen = i
		}
	}
	c.next = next
	chosen = max(chosen, 0)
	c.Choices = append(c.Choices, Choice{n, chosen})
	for i := range n.Children {
		c.node(&n.Children[i], i == chosen)
	}
}

// any reports whether the list contains a call of n, whose first call is the next.
func (c *chooser) any(n *reference.Node) bool {
	for _, t := range c.taken[c.next : c.next+count(n)] {
		if t {
			return true
		}
	}
	return false
}

func count(n *reference.Node) int {
	if n.Kind == reference.Action {
		return 1
	}
	sum := 0
	for i := range n.Children {
		sum += count(&n.Children[i])
	}
	return sum
}

// idle reports whether a process may consist of no actions.
func idle(n *reference.Node) bool {
	switch n.Kind {
	case reference.Action:
		return n.Step.MustNot
	case reference.Optional:
		return true
	case reference.OneOf:
		for i := range n.Children {
			if idle(&n.Children[i]) {
				return true
			}
		}
		return len(n.Children) == 0
	}
	for i := range n.Children {
		if !idle(&n.Children[i]) {
			return false
		}
	}
	return true
}
