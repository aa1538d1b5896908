// Package linearize converts a reference process into the one list of steps that fits an
// observed run best. So all later stages work on lists only.
//
// # The best list
//
// A linearisation of a process is a list of its calls. It keeps the order of a sequence,
// takes one member of each one-of, and includes an optional part or leaves it out. The
// members of an any-order group may be interleaved in any way that keeps the order inside
// each member. With the papers' scores, a list of m steps has the score 2·k − (n + m)/2 if
// k of the steps match and n actions were observed (see package align). Solve finds the
// list by these rules:
//
//  1. It has the greatest score. A missing step costs half a point. So the list includes
//     an optional step exactly if the step matches and no better match is lost.
//  2. Of the lists with this score, it has the greatest total similarity of the pairs, as
//     in package align, rounded to 1e-6. So an alternative with the right call and a wrong
//     argument is better than one that has nothing in common with the run, and an equal
//     call is better than a similar one.
//  3. Of the lists that are still equal, Solve builds one from the beginning. At each
//     position it takes the first alternative and the earliest member in document order
//     that can still reach the optimum. It leaves out optional parts if possible, and
//     pairs each step with the earliest observed action.
//
// The score is exact: it equals the score of the canonical alignment of the list.
//
// # The method
//
// A process has no loops, so it is an acyclic graph whose edges are calls. Dynamic
// programming computes the best score from each state with each suffix of the run. It
// visits n + 1 cells for each edge, and never enumerates the linearisations. A sequence, a
// one-of and an optional part only add their states to the graph. An any-order group is
// solved in one of two ways:
//
//   - All members are calls, optional or not. The best score over a window of the run is
//     a maximum-weight bipartite matching of calls and actions, which grows by one
//     augmenting path for each action. An action whose best member is free takes it at once.
//     Let w be the number of positions at which the rest of the process loses if it begins
//     one action later (1 if the group ends the process), r the number of actions that can
//     be paired with a member, and a the number of such pairs of distinct calls and
//     actions. One augmenting pass costs O(w·r·a), and a few passes are enough in practice. No order is enumerated, so 30 calls cost little more than 3.
//   - Some members are processes. The product of the members' states contains all
//     interleavings. k sequences of l calls have (l + 1)^k such states, which is less than
//     their (k·l)!/(l!)^k interleavings. A group of calls inside such a member becomes a
//     product, too. Members that cannot be paired come before the others and are not part of
//     the product. Equal calls are taken in document order.
//
// # Bounds
//
// The general problem contains NP-complete problems. So Limits bounds the number of cells
// and the work in matchings. A group that exceeds them is taken in document order. A
// process that exceeds them as a whole is replaced by its default run. In both cases there
// is a Warning, and Result.Exact is false.
package linearize
