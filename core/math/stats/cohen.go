package stats

import "math"

// Kappa is an agreement beyond chance with the 95 % interval, in −1 to 1. If the
// interval cannot be estimated, SE is 0 and the interval is −1 to 1.
type Kappa struct{ Value, SE, Low, High float64 }

func newKappa(value, variance float64) Kappa {
	k := Kappa{Value: value, Low: -1, High: 1}
	if variance > 0 {
		k.SE = math.Sqrt(variance)
		k.Low, k.High = math.Max(-1, value-z95*k.SE), math.Min(1, value+z95*k.SE)
	}
	return k
}

// Cohen returns Cohen's κ of two raters. table[i][j] is the number of subjects that the
// first rater put into category i and the second into j; the table is square. The
// standard error is the asymptotic one of Fleiss, Cohen and Everitt (1969). ok is false if
// there is no subject, or if both raters used the same single category. O(categories²).
func Cohen(table [][]int) (k Kappa, ok bool) {
	rows, columns := make([]float64, len(table)), make([]float64, len(table))
	n, agreed, crossed := 0, 0, 0
	for i := range table {
		for j, c := range table[i] {
			n += c
			rows[i] += float64(c)
			columns[j] += float64(c)
		}
		agreed += table[i][i]
	}
	for i := range rows {
		crossed += int(rows[i]) * int(columns[i])
	}
	if n == 0 || crossed == n*n {
		return k, false
	}
	total := float64(n)
	observed, chance := float64(agreed)/total, float64(crossed)/(total*total)
	value := float64(n*agreed-crossed) / float64(n*n-crossed) // rounds once
	var diagonal, rest float64
	for i := range table {
		for j, c := range table[i] {
			share, marginal := float64(c)/total, (columns[i]+rows[j])/total
			if i == j {
				w := 1 - marginal*(1-value)
				diagonal += float64(share * w * w)
			} else {
				rest += float64(share * marginal * marginal)
			}
		}
	}
	last := value - chance*(1-value)
	variance := (diagonal + float64((1-value)*(1-value)*rest) - float64(last*last)) / (total * (1 - chance) * (1 - chance))
	if observed == 1 || variance < 1e-15 { // without a disagreement, the formula knows no error
		variance = 0
	}
	return newKappa(value, variance), true
}
