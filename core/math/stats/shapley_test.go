package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestShapley compares each value with the player's mean gain in worth over all orders of
// the players.
func TestShapley(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 5; n++ {
		worth := make([]float64, 1<<n)
		for i := range worth {
			worth[i] = random.Float64()
		}
		want, orders := make([]float64, n), 0
		var walk func(set int)
		order := []int{}
		walk = func(set int) {
			if len(order) == n {
				orders++
				before := 0
				for _, i := range order {
					want[i] += worth[before|1<<i] - worth[before]
					before |= 1 << i
				}
				return
			}
			for i := range n {
				if set&(1<<i) == 0 {
					order = append(order, i)
					walk(set | 1<<i)
					order = order[:len(order)-1]
				}
			}
		}
		walk(0)
		sum := 0.0
		for i, v := range Shapley(n, worth) {
			sum += v
			if math.Abs(v-want[i]/float64(orders)) > 1e-12 {
				t.Errorf("%d players: player %d has %v, want %v", n, i, v, want[i]/float64(orders))
			}
		}
		if math.Abs(sum-(worth[len(worth)-1]-worth[0])) > 1e-12 {
			t.Errorf("%d players: the values add up to %v", n, sum)
		}
	}
}
