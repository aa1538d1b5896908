// Package linearize converts a reference process into the one list of steps that suits an
// observed run best, so that all later stages work on lists only.
//
// # What is best
//
// A linearisation of a process is a list of its calls: sequences in order, one member of
// each one-of, optional parts or not, and the members of an any-order group interleaved
// in any way that keeps each member's own order. With the papers' scores a list of m
// steps of which k match n observed actions scores 2·k − (n + m)/2 (see package align).
// Solve finds a list of
//
//  1. greatest score. A step that is missing costs half a point, so an optional step is
//     included exactly if it matches and this loses nothing better;
//  2. among those, greatest total similarity of substitutions, as in package align, in
//     steps of 1e-6. So the alternative with the right call and a wrong argument beats
//     one that has nothing in common with the run;
//  3. read from its beginning: at each place the first alternative and the earliest
//     member in document order that can still reach the optimum, optional parts left out
//     if possible, each step with the earliest observed action.
//
// The score is exact: it is that of the canonical alignment of the list.
//
// # How
//
// A process has no loops, so it is an acyclic graph whose edges are calls. The best score
// from each state with each suffix of the run is a dynamic programme over (state,
// suffix): one pass of n + 1 cells per edge, never one per linearisation. Sequence,
// one-of and optional add their states. The permutations are in the any-order groups:
//
//   - Members that are calls, optional or not: over a window of the run their best score
//     is a maximum-weight bipartite matching of calls and actions, grown by one
//     augmenting path per action. Let w be the number of windows that end where the
//     remaining process gains (1 if the group ends the process), r the number of actions
//     that pair with any member, and a the number of pairs of distinct calls and actions:
//     the cost is O(w·r·a) for one augmenting pass, and a few passes in practice. No order
//     is ever enumerated, so 30 calls cost little more than 3.
//   - Members that are processes: all interleavings, as the product of the members'
//     states. k sequences of l calls have (l + 1)^k of them, not (k·l)!/(l!)^k. A group of
//     calls inside such a member is multiplied out as well. Members without any possible
//     pair come before the others and cost no states; equal calls are taken in
//     document order.
//
// # Bounds
//
// The general shuffle is hard (it contains NP-complete problems), so it is bounded:
// Limits holds the cells and the matching work that may be used. A group above them is
// taken in document order; a process that exceeds them as a whole is replaced by its
// default run. In both cases there is a Warning, and Result.Exact is false.
package linearize
