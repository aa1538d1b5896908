package linearize

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/align"
	"github.com/boundcheck/boundcheck/core/reference"
)

// Problem is a process and an observed run. Actions are symbols, as in align.Problem:
// equal symbols are the same action. The functions are called once for each distinct step
// (by Step.Key) and symbol. They must be pure.
type Problem struct {
	Process *reference.Node
	Obs     []int
	// Similarity returns the similarity of a step and an observed symbol, in [0, 1]. They
	// match above Threshold, by default the papers' 0.85, which is decided in steps of
	// 1e-9 as in package align.
	Similarity func(step *reference.Step, obs int) float64
	Threshold  float64
	// SameType reports whether a pair that does not match may be a substitution. If it is
	// nil, no pair may.
	SameType func(step *reference.Step, obs int) bool
}

// Limits holds the limits of the cost; zero fields mean the defaults.
type Limits struct {
	Cells int // 8-byte cells of all tables together
	Work  int // pairs examined in the matchings of any-order groups
}

// The default limits: 64 MiB, and far less than a second.
const (
	DefaultCells = 1 << 23
	DefaultWork  = 1 << 27
)

// Result is the best linearisation.
type Result struct {
	Steps   []Item
	Choices []Choice          // the one-of nodes that were entered, in document order
	Left    []*reference.Node // the optional nodes that were left out, in document order
	// Matches and Score are the worth of the pairs in Steps: the optimum if Exact is
	// true.
	Matches  int
	Score    float64
	Exact    bool
	Warnings []Warning
	Stats    Stats
}

// Item is one step of the list: its node, and the index of the observed action that the
// optimum pairs it with, or -1. (The canonical alignment of the list may choose a
// different pair of equal worth.)
type Item struct {
	Node *reference.Node
	Obs  int
}

// Choice names the chosen alternative of a one-of, from 0.
type Choice struct {
	Node  *reference.Node
	Taken int
}

// Warning names the limit that was reached and the fallback that was used.
type Warning struct {
	Code    string // stable kebab-case id: any-order-bound or process-bound
	Place   string // of the node in the reference
	Message string
}

// Stats counts the work done. It is the same on every platform.
type Stats struct {
	Comparisons int // calls of Similarity
	States      int
	Cells       int
	Work        int
}

// Solve returns the best linearisation; the package comment describes the rules, the
// method and its complexity. For a nil process it returns an empty list.
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

// task is the state of one problem.
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

// pair is one step of the list by its number; obs is -1 if it is missing.
type pair struct{ call, obs int }

// run solves the problem. Whenever a limit is reached, it takes one more group in
// document order and tries again.
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

// order gives up the orders of a group: the order of the reference is used.
func (t *task) order(p *part, why string) {
	if t.ordered[p] {
		return
	}
	t.ordered[p] = true
	t.inexact = true
	t.warnings = append(t.warnings, Warning{"any-order-bound", p.place, why + ": the order of the reference is used"})
}

// fallback returns the default run without pairs.
func (t *task) fallback() []pair {
	t.inexact = true
	t.warnings = []Warning{{"process-bound", t.Process.Place,
		fmt.Sprintf("the process has too many states for %d observed actions (limit: %d cells): the default order of its steps is used", len(t.Obs), t.limits.Cells)}}
	return t.root.usual(nil)
}
