package linearize

// tuples is the product of several nets. Each of its states is a combination of one state
// of each net. The number of a combination is the sum of each state's number times the
// stride of its net.
type tuples struct {
	nets   []*net
	stride []int
	size   int
}

// prepareProduct prepares the product of the members of an any-order group. It returns
// false if the product exceeds the limit of cells.
func (c *compiler) prepareProduct(members []*part) (*tuples, bool) {
	x := &tuples{size: 1}
	per := len(c.Obs) + 1 + stateCells
	for _, m := range c.chainEqualCalls(members) {
		sub := compiler{task: c.task, inner: true}
		sub.buildNet(m)
		if sub.over || x.size*len(sub.net.out) > c.limits.Cells/per {
			return nil, false
		}
		x.nets, x.stride = append(x.nets, &sub.net), append(x.stride, x.size)
		x.size *= len(sub.net.out)
	}
	return x, c.cells+x.size*per+x.countEdges() <= c.limits.Cells
}

// countEdges returns the number of edges of the product.
func (x *tuples) countEdges() int {
	sum := 0
	for _, n := range x.nets {
		own := 0
		for _, edges := range n.out {
			own += len(edges)
		}
		sum += own * (x.size / len(n.out))
	}
	return sum
}

// addProduct adds the states and edges of the product x between two existing states. The
// paths of the product are all interleavings of its members. At each state, the edges of
// members that come first in document order are preferred.
func (c *compiler) addProduct(x *tuples, from, to int32) {
	last := 0
	for _, s := range x.stride {
		last += final * s
	}
	state := make([]int32, x.size)
	for i := range state {
		switch i {
		case start:
			state[i] = from
		case last:
			state[i] = to
		default:
			state[i] = c.addState()
		}
	}
	for i, from := range state {
		for m, n := range x.nets {
			own := i / x.stride[m] % len(n.out)
			for _, e := range n.out[own] {
				c.addEdge(from, state[i+(int(e.to)-own)*x.stride[m]], int(e.call))
			}
		}
	}
}

// chainEqualCalls joins equal calls among the members into one sequence, because their
// order does not matter. So k equal calls have k + 1 states instead of 2^k. A required
// call and an optional call are never equal.
func (c *compiler) chainEqualCalls(members []*part) []*part {
	var out []*part
	at := map[alike]int{}
	for _, m := range members {
		call, optional, ok := m.singleCall()
		if !ok {
			out = append(out, m)
			continue
		}
		like := alike{c.worths.class[call], optional}
		i, seen := at[like]
		if !seen {
			at[like] = len(out)
			out = append(out, sequenceOf(m))
			continue
		}
		out[i].members = append(out[i].members, m)
	}
	return out
}

// alike is a key that is equal for calls that have the same worth with every action.
type alike struct {
	class    int
	optional bool
}
