package metric

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestSumIsExact adds numbers in different orders. Each result must equal the exact sum
// in rational arithmetic, rounded only at the end.
func TestSumIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 1))
	for range drawn.Cases(2000) {
		var values []float64
		exact := new(big.Rat)
		for range 1 + random.IntN(200) {
			v := float64(random.IntN(5000)-100) / float64(1+random.IntN(9999))
			values = append(values, v)
			exact.Add(exact, new(big.Rat).SetFloat64(v))
		}
		want, _ := exact.Float64()
		for range 3 {
			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			var whole, half sum
			for i, v := range values {
				if i%3 == 0 {
					half.add(v)
				} else {
					whole.add(v)
				}
			}
			whole.addInt(half)
			if got := whole.toFloat64(); got != want {
				t.Fatalf("%v of %v, want %v", got, values, want)
			}
		}
	}
}
