package linearize

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// net is an acyclic graph. Its paths from state start to state final are the
// linearisations of a process. The edges of a state are in the order of preference.
type net struct {
	out    [][]edge
	groups []*group
}

// edge leads to the state to. call is the number of a call, emptyEdge for no call, or
// groupEdge minus the index of a group.
type edge struct{ to, call int32 }

const (
	emptyEdge = -1
	groupEdge = -2

	start, final = 0, 1
	stateCells   = 4 // the cost of a state besides its row, in cells
)

// compiler builds the net of a process.
type compiler struct {
	*task
	net   net
	inner bool // inside a product, where a group of calls becomes a product, too
	cells int
	over  bool
}

// compile returns the net of the process. It returns false if the net exceeds the limit
// of cells.
func (c *compiler) compile() (*net, bool) {
	c.buildNet(c.root)
	c.stats.States, c.stats.Cells = len(c.net.out), c.cells
	return &c.net, !c.over
}

// buildNet adds the states start and final, and the net of a part between them.
func (c *compiler) buildNet(p *part) {
	c.addState()
	c.addState()
	c.addPart(p, start, final)
}

func (c *compiler) addState() int32 {
	c.chargeCells(len(c.Obs) + 1 + stateCells)
	c.net.out = append(c.net.out, nil)
	return int32(len(c.net.out) - 1)
}

func (c *compiler) chargeCells(cells int) {
	c.cells += cells
	c.over = c.over || c.cells > c.limits.Cells
}

func (c *compiler) addEdge(from, to int32, call int) {
	c.chargeCells(1)
	c.net.out[from] = append(c.net.out[from], edge{to, int32(call)})
}

// addPart adds the paths of a part to the net. All paths lead from the first given state
// to the second one, and both states must exist.
func (c *compiler) addPart(p *part, from, to int32) {
	switch {
	case c.over:
	case p.kind == reference.Action:
		c.addEdge(from, to, p.call)
	case p.kind == reference.Optional:
		c.addEdge(from, to, emptyEdge)
		c.addSequence(p.members, from, to)
	case p.kind == reference.OneOf && len(p.members) > 0:
		for _, m := range p.members {
			c.addPart(m, from, to)
		}
	case p.kind == reference.AnyOrder && !c.ordered[p] && !c.allOrdered:
		c.anyOrder(p, from, to)
	default:
		c.addSequence(p.members, from, to)
	}
}

func (c *compiler) addSequence(parts []*part, from, to int32) {
	if len(parts) == 0 {
		c.addEdge(from, to, emptyEdge)
		return
	}
	for i, p := range parts {
		next := to
		if i < len(parts)-1 {
			next = c.addState()
		}
		c.addPart(p, from, next)
		from = next
	}
}

// anyOrder adds the paths of an any-order group. The members that cannot be paired come
// first, because their position does not matter.
func (c *compiler) anyOrder(p *part, from, to int32) {
	before, rest, calls := c.splitMembers(p.members)
	if len(rest) < 2 {
		c.addSequence(append(before, rest...), from, to)
		return
	}
	var product *tuples
	if !calls || c.inner {
		var ok bool
		if product, ok = c.prepareProduct(rest); !ok {
			c.fixOrder(p, fmt.Sprintf("the %d members of the group can be ordered in too many ways", len(p.members)))
			c.addSequence(p.members, from, to)
			return
		}
	}
	if len(before) > 0 {
		middle := c.addState()
		c.addSequence(before, from, middle)
		from = middle
	}
	if product != nil {
		c.addProduct(product, from, to)
		return
	}
	c.net.groups = append(c.net.groups, c.newGroup(p, rest))
	c.addEdge(from, to, groupEdge-(len(c.net.groups)-1))
}

// splitMembers divides the members of an any-order group into two lists. The first list
// has the members that cannot be paired with any action, and the second list has the
// other members. The third result is true if each member in the second list is a single
// call, which may be optional.
func (c *compiler) splitMembers(members []*part) (before, rest []*part, calls bool) {
	calls = true
	for _, m := range members {
		if c.isUnpairable(m) {
			before = append(before, m)
			continue
		}
		_, _, single := m.singleCall()
		rest, calls = append(rest, m), calls && single
	}
	return before, rest, calls
}

// topologicalOrder returns the states in topological order. O(states + edges).
func (n *net) topologicalOrder() []int32 {
	into := make([]int32, len(n.out))
	for _, edges := range n.out {
		for _, e := range edges {
			into[e.to]++
		}
	}
	order := append(make([]int32, 0, len(n.out)), start)
	for i := 0; i < len(order); i++ {
		for _, e := range n.out[order[i]] {
			if into[e.to]--; into[e.to] == 0 {
				order = append(order, e.to)
			}
		}
	}
	return order
}
