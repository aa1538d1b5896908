// Package lcs finds the longest common subsequence of two lists.
package lcs

// maxCells bounds the table to two lists of about a thousand elements each.
const maxCells = 1 << 20

// Common pairs equal texts of two lists and returns the pairs of their indices. The pairs
// keep the order of both lists, and their number is the largest possible. Empty texts are
// not paired. If len(a)·len(b) is more than a million, the result is nil. The time is
// O(len(a)·len(b)).
func Common(a, b []string) (pairs [][2]int) {
	if len(a) == 0 || len(b) == 0 || len(a) > maxCells/len(b) {
		return nil
	}
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			if a[i] == b[j] && a[i] != "" {
				best[i*w+j] = max(best[i*w+j], best[(i+1)*w+j+1]+1)
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j] && a[i] != "" && best[i*w+j] == best[(i+1)*w+j+1]+1:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case best[(i+1)*w+j] == best[i*w+j]:
			i++
		default:
			j++
		}
	}
	return pairs
}
