package linearize

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// part is a node of the process, prepared for the solver. Calls have numbers, an
// any-order group directly inside another is merged into it, and a forbidden step is an
// empty sequence.
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

// appendDefaultRun appends the part's default run to the given list. The default run has
// all steps in document order, the first alternative of each one-of, and no optional
// parts.
func (p *part) appendDefaultRun(run []pair) []pair {
	switch p.kind {
	case reference.Action:
		return append(run, pair{p.call, -1})
	case reference.Optional:
		return run
	case reference.OneOf:
		if len(p.members) == 0 {
			return run
		}
		return p.members[0].appendDefaultRun(run)
	}
	for _, m := range p.members {
		run = m.appendDefaultRun(run)
	}
	return run
}

// isFixed reports whether each list of the part has the same calls.
func (p *part) isFixed() bool {
	return p.kind != reference.Optional && p.kind != reference.OneOf && !slices.ContainsFunc(p.members, func(m *part) bool { return !m.isFixed() })
}

// singleCall returns the number of the call if the part is a single call, which may be
// optional. The result ok is false for any other part.
func (p *part) singleCall() (call int, optional, ok bool) {
	if p.kind == reference.Optional && len(p.members) == 1 {
		p, optional = p.members[0], true
	}
	return p.call, optional, p.kind == reference.Action
}

// isUnpairable reports whether no call of the part can be paired with an observed action.
func (t *task) isUnpairable(p *part) bool {
	if p.kind == reference.Action {
		return !t.worths.canPair(p.call)
	}
	for _, m := range p.members {
		if !t.isUnpairable(m) {
			return false
		}
	}
	return true
}

// resultFromPairs converts a list of pairs to a Result. The calls of a subtree have
// consecutive numbers, so the list shows which alternatives and optional parts it
// contains.
func (t *task) resultFromPairs(list []pair) Result {
	r := Result{Exact: !t.inexact, Warnings: t.warnings, Stats: t.stats}
	taken := make([]bool, len(t.calls))
	for _, p := range list {
		r.Steps = append(r.Steps, Item{t.calls[p.call], p.obs})
		taken[p.call] = true
		if p.obs >= 0 && t.worths.isMatch(p.call, p.obs) {
			r.Matches++
		}
	}
	r.Score = 2*float64(r.Matches) - float64(len(t.Obs)+len(list))/2
	c := chooser{taken: taken, Result: &r}
	c.recordChoices(t.Process, true)
	return r
}

// chooser finds the choices in a list. It visits the process in document order and
// compares the numbers of the calls with those in the list.
type chooser struct {
	*Result
	taken []bool
	next  int // number of the next call
}

// recordChoices records the choices in the node n and in the nodes below it. If entered
// is false, n was not chosen, and the method only counts the calls of n.
func (c *chooser) recordChoices(n *reference.Node, entered bool) {
	switch {
	case n.Kind == reference.Action:
		c.next++
		return
	case n.Kind == reference.Optional && entered && !c.hasTakenCall(n):
		c.Left = append(c.Left, n)
		entered = false
	case n.Kind == reference.OneOf && entered && len(n.Children) > 0:
		c.oneOf(n)
		return
	}
	for i := range n.Children {
		c.recordChoices(&n.Children[i], entered)
	}
}

// oneOf records which alternative of n was chosen. It takes the first alternative that
// fits one of these rules, in this order:
//
//   - The list contains a call of the alternative.
//   - The alternative may be empty.
//   - The alternative is the first of all.
func (c *chooser) oneOf(n *reference.Node) {
	chosen, next := -1, c.next
	for i := range n.Children {
		if chosen < 0 && c.hasTakenCall(&n.Children[i]) {
			chosen = i
		}
		c.next += countCalls(&n.Children[i])
	}
	for i := range n.Children {
		if chosen < 0 && mayBeEmpty(&n.Children[i]) {
			chosen = i
		}
	}
	c.next = next
	chosen = max(chosen, 0)
	c.Choices = append(c.Choices, Choice{n, chosen})
	for i := range n.Children {
		c.recordChoices(&n.Children[i], i == chosen)
	}
}

// hasTakenCall reports whether the list contains a call of n. c.next must be the number
// of the first call of n.
func (c *chooser) hasTakenCall(n *reference.Node) bool {
	for _, t := range c.taken[c.next : c.next+countCalls(n)] {
		if t {
			return true
		}
	}
	return false
}

func countCalls(n *reference.Node) int {
	if n.Kind == reference.Action {
		return 1
	}
	sum := 0
	for i := range n.Children {
		sum += countCalls(&n.Children[i])
	}
	return sum
}

// mayBeEmpty reports whether a process can be done without any action.
func mayBeEmpty(n *reference.Node) bool {
	switch n.Kind {
	case reference.Action:
		return n.Step.MustNot
	case reference.Optional:
		return true
	case reference.OneOf:
		for i := range n.Children {
			if mayBeEmpty(&n.Children[i]) {
				return true
			}
		}
		return len(n.Children) == 0
	}
	for i := range n.Children {
		if !mayBeEmpty(&n.Children[i]) {
			return false
		}
	}
	return true
}
