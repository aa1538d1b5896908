package linearize

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/align"
	"github.com/boundcheck/boundcheck/core/reference"
)

// Problem is a process and an observed run. Actions are symbols, as in
// align.Problem: equal symbols are the same action, and the functions are asked
// once per distinct step (by Step.Key) and symbol. They must be pure.
type Problem struct {
	Process *reference.Node
	Obs     []int
	// Similarity of a step and an observed symbol, in [0, 1]; they match above
	// Threshold, by default the papers' 0.85. Decided in steps of 1e-9, as package
	// align does.
	Similarity func(step *reference.Step, obs int) float64
	Threshold  float64
	// SameType reports whether a pair that does not match may be a substitution. Nil:
	// never.
	SameType func(step *reference.Step, obs int) bool
}

// Limits bound the cost; zero fields stand for the defaults.
type Limits struct {
	Cells int // 8-byte cells of all tables together
	Work  int // pairs looked at in the matchings of any-order groups
}

// The default limits: 64 MiB, and well below a second.
const (
	DefaultCells = 1 << 23
	DefaultWork  = 1 << 27
)

// Result is the best linearisation.
type Result struct {
	Steps   []Item
	Choices []Choice          // the one-of nodes that were entered, in document order
	Left    []*reference.Node // the optional nodes that were left out, in document order
	// Matches and Score are what the pairs in Steps are worth: the optimum when Exact.
	Matches  int
	Score    float64
	Exact    bool
	Warnings []Warning
	Stats    Stats
}

// Item is one step of the list: its node, and the index of the observed action that
// the optimum pairs it with, or -1. (The canonical alignment of the list may choose
// another pair of equal worth.)
type Item struct {
	Node *reference.Node
	Obs  int
}

// Choice says which alternative of a one-of was taken, from 0.
type Choice struct {
	Node  *reference.Node
	Taken int
}

// Warning says which bound was reached and what was done instead.
type Warning struct {
	Code    string // stable kebab-case id: any-order-bound or process-bound
	Place   string // of the node in the reference
	Message string
}

// Stats is the work done, the same on every platform.
type Stats struct {
	Comparisons int // calls of Similarity
	States      int
	Cells       int
	Work        int
}

// Solve finds the best linearisation; the package comment has the rules, the
// method and its complexity. A nil process gives an empty list.
func Solve(p Problem, limits Limits) Result {
	if p.Process == nil {
		p.Process = &reference.Node{Kind: reference.Sequence}
	}
	if limits.Cells <= 0 {
		limits.Cells = DefaultCells
	}
	if limits.Work <= 0 {
		limits.Work = DefaultWork
	}
	if p.Threshold == 0 {
		p.Threshold = align.DefaultThreshold
	}
	t := &task{Problem: p, limits: limits, ordered: map[*part]bool{}}
	t.root = t.partOf(p.Process)
	return t.result(t.run())
}

// task is one problem on its way.
type task struct {
	Problem
	limits   Limits
	calls    []*reference.Node // in document order; a call's number is its index here
	root     *part
	worths   worths
	ordered  map[*part]bool // any-order groups that are taken in document order
	warnings []Warning
	stats    Stats
	inexact  bool
}

// pair is one step of the list by number; obs is -1 for a missing one.
type pair struct{ call, obs int }

// run solves, taking one more group in document order whenever a bound is hit.
func (t *task) run() []pair {
	if !t.weigh() {
		return t.fallback()
	}
	for {
		c := compiler{task: t}
		n, ok := c.compile()
		if !ok {
			return t.fallback()
		}
		s := solver{task: t, net: n}
		culprit := s.solve()
		if culprit == nil {
			return s.trace()
		}
		t.order(culprit, fmt.Sprintf("matching %d calls in any order took more than %d steps", len(culprit.members), t.limits.Work))
	}
}

// order returns up on a group's orders.
func (t *task) order(p *part, why string) {
	if t.ordered[p] {
		return
	}
	t.ordered[p] = true
	t.inexact = true
	t.warnings = append(t.warnings, Warning{"any-order-bound", p.place, why + ": its members are taken in document order"})
}

// fallback is the default run, unpaired.
func (t *task) fallback() []pair {
	t.inexact = true
	t.warnings = []Warning{{"process-bound", t.Process.Place,
		fmt.Sprintf("the process has too many states for %d observed actions (limit: %d cells): its default run is taken", len(t.Obs), t.limits.Cells)}}
	return t.root.usual(nil)
}
