package linearize

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Problem is a process and an observed run. The run's actions are symbols, as in
// align.Problem: equal actions have equal symbols. Solve calls the functions once for
// each distinct step (by Step.Key) and symbol. They must be pure.
type Problem struct {
	Process *reference.Node
	Obs     []int
	// Similarity returns the similarity of a step and an observed symbol, in [0, 1]. The
	// step and the symbol match if the similarity is above Threshold after rounding to
	// 1e-9, as in package align. The default threshold is the papers' 0.85.
	Similarity func(step *reference.Step, obs int) float64
	Threshold  float64
	// SameType reports whether a step and a symbol that do not match may be a
	// substitution. If it is nil, there are no substitutions.
	SameType func(step *reference.Step, obs int) bool
	// Compare, if it is not nil, compares many steps and symbols at once, in place of
	// Similarity and SameType. It calls add for the pairs that may be similar, with the
	// indices of both, symbol by symbol. If it leaves out others, it returns a text that
	// says which.
	Compare func(steps []*reference.Step, symbols []int, add func(step, symbol int, sim float64, same func() bool)) (left string)
}

// Limits contains the limits of the cost. A field that is 0 means the default.
type Limits struct {
	Cells int // 8-byte cells of all tables together
	Work  int // arcs examined in the matchings of any-order groups
}

// The default limits allow 32 MiB of tables, and work of less than half a second.
const (
	DefaultCells = 1 << 22
	DefaultWork  = 1 << 24
)

// Result is the best linearisation.
type Result struct {
	Steps   []Item
	Choices []Choice          // the one-of nodes that were entered, in document order
	Left    []*reference.Node // the optional nodes that were left out, in document order
	// Matches is the number of pairs in Steps that match, and Score is the score of these
	// pairs. If Exact is true, they are the optimum.
	Matches  int
	Score    float64
	Exact    bool
	Warnings []Warning
	Stats    Stats
}

// Item is one step of the list. Obs is the index of the observed action that is paired
// with the step, or -1 if the step is missing. The canonical alignment of the list may
// choose another pair of equal worth.
type Item struct {
	Node *reference.Node
	Obs  int
}

// Choice is a one-of and the index of its chosen alternative.
type Choice struct {
	Node  *reference.Node
	Taken int
}

// Warning describes a limit that was reached, and what Solve did instead.
type Warning struct {
	Code    string // stable kebab-case id: any-order-bound or process-bound
	Place   string // the node's place in the reference
	Message string
}

// Stats counts the work of one Solve. The counts are equal on all platforms.
type Stats struct {
	Comparisons int // calls of Similarity
	States      int
	Cells       int
	Work        int
}

// Solve returns the best linearisation of a process. The package comment describes the
// rules, the method and its cost. For a nil process it returns an empty list.
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
	r := t.resultFromPairs(t.run())
	if t.left != "" && !r.allMatched(t.root, len(p.Obs)) {
		r.Exact = false
		r.Warnings = append(r.Warnings, Warning{"pairs-bound", t.Process.Place, t.left})
	}
	return r
}

// allMatched reports whether every step or every action has a match, and the process has
// no choices. Then no list is better, whatever was not compared.
func (r *Result) allMatched(root *part, actions int) bool {
	return r.Exact && (r.Matches == len(r.Steps) || r.Matches == actions) && root.isFixed()
}

// task is the state of one call of Solve.
type task struct {
	Problem
	limits   Limits
	calls    []*reference.Node // in document order; a call's number is its index here
	root     *part
	worths   worths
	ordered  map[*part]bool // any-order groups that are taken in document order
	left     string         // the pairs that were not compared, as a text
	warnings []Warning

	// The answers to the work limit, from the best to the simplest.
	matchesOnly bool // groups pair only calls that match
	allOrdered  bool // all groups are taken in document order
	stats       Stats
	inexact     bool
}

// pair is one step of a list: the number of the call, and the index of the paired action,
// or -1 if the call is missing.
type pair struct{ call, obs int }

// run returns the steps of the best list. If the limit of cells is exceeded, it returns
// the default run. If the work limit is reached, it starts again with a simpler method
// for any-order groups, and at the second time it fixes their order.
func (t *task) run() []pair {
	if !t.computeWorths() {
		return t.fallbackRun()
	}
	for {
		c := compiler{task: t}
		n, ok := c.compile()
		if !ok {
			return t.fallbackRun()
		}
		s := solver{task: t, net: n}
		culprit := s.fillRows()
		if culprit == nil {
			return s.traceBest()
		}
		t.simplifyGroups(culprit)
	}
}

// simplifyGroups chooses the next simpler method for the any-order groups of the process, and
// adds a warning that names the group in which the work limit was reached.
func (t *task) simplifyGroups(culprit *part) {
	why := fmt.Sprintf("matching %d calls in any order took more than %d steps", len(culprit.members), t.limits.Work)
	t.inexact = true
	t.stats.Work = 0
	if !t.matchesOnly {
		t.matchesOnly = true
		t.warnings = append(t.warnings, Warning{"any-order-bound", culprit.place, why + ": only calls that match an action are paired in any order"})
		return
	}
	t.allOrdered = true
	t.warnings[len(t.warnings)-1] = Warning{"any-order-bound", culprit.place, why + ": the order of the reference is used"}
}

// fixOrder fixes the members of an any-order group in document order, and adds a warning
// with the reason.
func (t *task) fixOrder(p *part, why string) {
	if t.ordered[p] {
		return
	}
	t.ordered[p] = true
	t.inexact = true
	t.warnings = append(t.warnings, Warning{"any-order-bound", p.place, why + ": the order of the reference is used"})
}

// fallbackRun returns the default run, in which no call is paired, and adds a warning.
func (t *task) fallbackRun() []pair {
	t.inexact = true
	t.warnings = []Warning{{"process-bound", t.Process.Place,
		fmt.Sprintf("the process has too many states for %d observed actions (the limit is %d table cells). The default order of its steps is used", len(t.Obs), t.limits.Cells)}}
	return t.root.appendDefaultRun(nil)
}
