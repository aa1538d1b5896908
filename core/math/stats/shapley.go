package stats

import "math/bits"

// Shapley returns the Shapley value of each of n players. This is the mean gain in worth
// when the player joins, over all orders in which the players may join. worth[s] is the
// worth of the coalition s, a set of players as bits, so the length of worth is 1 << n.
// The values add up to worth[all] − worth[0], where worth[0] is the worth of the empty
// coalition. O(n·2ⁿ).
func Shapley(n int, worth []float64) []float64 {
	weight := make([]float64, n) // by the size of a coalition without the player
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
