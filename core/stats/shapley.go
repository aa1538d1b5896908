package stats

import "math/bits"

// Shapley returns each of n players' Shapley value: the mean, over all orders in which
// the players may come, of what the player adds to those before. worth is the worth of
// each coalition, indexed by the set of its players as bits; worth[0] is the worth of
// the empty coalition. Its length is 1 << n. The values add up to worth[all] −
// worth[0]. O(n · 2ⁿ).
func Shapley(n int, worth []float64) []float64 {
	weight := make([]float64, n) // of a coalition by its size, the player left out
	for size := range weight {
		weight[size] = 1 / float64(n)
		for k := 1; k <= size; k++ { // 1 / (n · C(n−1, size))
			weight[size] *= float64(k) / float64(n-k)
		}
	}
	values := make([]float64, n)
	for set := range worth {
		for i := range values {
			if set&(1<<i) == 0 {
				values[i] += float64(weight[bits.OnesCount(uint(set))] * (worth[set|1<<i] - worth[set]))
			}
		}
	}
	return values
}
