// Package align pairs the actions of an observed run with those of a reference run.
//
// # Theory
//
// The papers align by Needleman–Wunsch with match +α = 1, mismatch −β = −1 and gap −γ =
// −0.5, where a pair matches iff its similarity is above τ = 0.85. A mismatch costs
// exactly two gaps, so an alignment of n and m actions with k matches scores 2·k − (n +
// m)/2: with these parameters Needleman–Wunsch is the longest common subsequence (LCS)
// over the match relation.
//
// For any linear gap cost, start from the alignment that pairs nothing, which scores
// Gap·(n + m). Every pair then adds its score minus two gaps, independently of the other
// pairs. So the best alignment is the heaviest common subsequence: the strictly rising
// list of pairs (obs, ref) with the greatest total weight. All methods here compute it.
//
// # The canonical alignment
//
// Many alignments share the best score, so three rules choose one. Each rule chooses
// among the alignments that are best by the rule before:
//
//  1. greatest score; with the papers' parameters, most matches;
//  2. greatest total similarity of the pairs. So an equal action is paired before one that
//     is only similar enough for a match. Only two actions of the same type may form a
//     substitution; other pairs that do not match are an insertion plus a deletion;
//  3. earliest: write the pairs (obs index, ref index) of either alignment in order and
//     look at the first place where the lists differ. The one whose pair has the smaller
//     obs index wins, then the smaller ref index; a list that goes on beats one that ended.
//
// Between two pairs deletions come before insertions, each in order. Hence the canonical
// alignment is unique, and it is the same on every platform because scores and
// similarities are integers, in steps of 1e-9. "Above τ" is decided on that grid, too: no
// rounding error puts 0.5 + 0.35 above 0.85. (If sums would not fit 64 bits, beyond some
// 47,000 pairs or for scores of many decimals on long runs, rule 2 cuts similarities to
// the finest power of ten that fits. The other rules stay exact.)
//
// Swapping the sides keeps the score and the total similarity of the pairs. Only rule
// 3 looks at the observed side first.
//
// # Methods
//
// With n observed and m reference actions, and p pairs of them that may be aligned:
//
//   - few such pairs: the heaviest common subsequence from the pairs alone.
//     Time O(p·√m) at worst, about O(p) on real runs. A fixed number of pair values
//     is in memory at a time;
//   - many: the full table if it is small, else layers of rows, of which one window after
//     another has a table. Time O(n·m) with a small constant, space O(n + m) and 8 MiB
//     for the layers. If matches count more than everything else, bit vectors first
//     find the corridor that alignments with the most matches use, and no other cell is
//     computed. On real and on random runs it is a small part of the table.
//
// Both return the same alignment under any parameters, which tests compare with brute
// force; they differ only in speed. The caller interns the actions, so that similarity is
// computed once for each pair of distinct actions, never for each cell. With Problem.Near,
// the caller also names the pairs that may be similar, and no other is looked at.
package align
