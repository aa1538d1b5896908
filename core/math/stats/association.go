package stats

import (
	"cmp"
	"math"
	"slices"
)

// Correlation holds a correlation coefficient of two variables. R lies in −1 to 1. P is
// two-sided, by Student's t with n−2 degrees of freedom. Low and High are a 95 % interval
// by Fisher's transformation; it is −1 to 1 for fewer than four pairs.
type Correlation struct {
	N         int
	R, P      float64
	Low, High float64
}

// Pearson returns the product-moment correlation of the pairs (x[i], y[i]). O(n). ok is
// false in these cases:
//
//   - x and y have different lengths;
//   - there are fewer than three pairs;
//   - all values of x, or all values of y, are equal.
func Pearson(x, y []float64) (c Correlation, ok bool) {
	n := len(x)
	if n < 3 || n != len(y) {
		return c, false
	}
	mx, my := average(x), average(y)
	var sxx, syy, sxy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx += dx * dx
		syy += dy * dy
		sxy += dx * dy
	}
	// Equal values leave a rounding error, which is not a variation.
	if sxx <= 1e-24*float64(n)*mx*mx || syy <= 1e-24*float64(n)*my*my || sxx == 0 || syy == 0 {
		return c, false
	}
	r := max(-1, min(1, sxy/math.Sqrt(sxx*syy)))
	if 1-math.Abs(r) < 4e-16 { // the pairs lie on a line
		r = math.Copysign(1, r)
	}
	df := float64(n - 2)
	c = Correlation{N: n, R: r, Low: -1, High: 1}
	if 1-r*r > 0 {
		c.P = studentP(r*math.Sqrt(df/((1-r)*(1+r))), df)
	}
	if n > 3 {
		half := z95 / math.Sqrt(float64(n-3))
		c.Low, c.High = math.Tanh(math.Atanh(r)-half), math.Tanh(math.Atanh(r)+half)
	}
	return c, true
}

// Spearman returns the correlation of the ranks of x and y. Equal values get the mean of
// their ranks. P comes from Student's t distribution. The second result is false in the
// same cases as for Pearson. O(n log n).
func Spearman(x, y []float64) (Correlation, bool) {
	if len(x) != len(y) {
		return Correlation{}, false
	}
	return Pearson(meanRanks(x), meanRanks(y))
}

func average(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// meanRanks returns the rank of each value, from 1. Values that Tied calls equal get the
// mean of their ranks.
func meanRanks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	out := make([]float64, len(v))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && Tied(v[order[j]], v[order[i]]) {
			j++
		}
		for _, at := range order[i:j] {
			out[at] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

// Contingency is the result of a χ² test of independence in a table, without a continuity
// correction. V is Cramér's V, in 0 to 1. Empty rows and columns are left out. Expected
// is the smallest expected count. Sparse reports that more than a fifth of the cells have
// an expected count below 5, so that the test is not valid.
type Contingency struct {
	N          int
	DF         int
	Chi2, P, V float64
	Expected   float64
	Sparse     bool
}

// Independence runs the χ² test of independence on a table of counts whose rows have the
// same length. ok is false if fewer than two rows or columns have counts. O(cells).
func Independence(table [][]int) (c Contingency, ok bool) {
	var columns []float64
	var rows []float64
	total := 0.0
	for _, row := range table {
		sum := 0.0
		columns = append(columns, make([]float64, max(0, len(row)-len(columns)))...)
		for j, n := range row {
			sum += float64(n)
			columns[j] += float64(n)
		}
		rows = append(rows, sum)
		total += sum
	}
	r, k := countPositive(rows), countPositive(columns)
	if r < 2 || k < 2 {
		return c, false
	}
	c = Contingency{N: int(total), DF: (r - 1) * (k - 1), Expected: math.Inf(1)}
	small, cells := 0, 0
	for i, row := range table {
		for j := range columns {
			e := rows[i] * columns[j] / total
			if e == 0 {
				continue
			}
			n := 0.0
			if j < len(row) {
				n = float64(row[j])
			}
			c.Chi2 += (n - e) * (n - e) / e
			c.Expected = min(c.Expected, e)
			if cells++; e < 5 {
				small++
			}
		}
	}
	c.P = chiSquared(c.Chi2, c.DF)
	c.V = math.Sqrt(c.Chi2 / (total * float64(min(r, k)-1)))
	c.Sparse = 5*small > cells
	return c, true
}

func countPositive(v []float64) (n int) {
	for _, x := range v {
		if x > 0 {
			n++
		}
	}
	return n
}

// chiSquared returns the upper tail of the χ² distribution with df degrees of freedom.
// This is the probability of a value of at least x, the regularised incomplete gamma
// function Q(df/2, x/2).
func chiSquared(x float64, df int) float64 {
	a, x := float64(df)/2, x/2
	if x <= 0 {
		return 1
	}
	lg, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - lg)
	const steps = 10000
	if x < a+1 {
		term, sum := 1/a, 1/a
		for n := 1.0; n < steps; n++ {
			term *= x / (a + n)
			if sum += term; term < sum*1e-17 {
				break
			}
		}
		return 1 - front*sum
	}
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1.0; n < steps; n++ {
		an := -n * (n - a)
		b += 2
		if d = an*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + an/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return front * h
}

// CompareBool is a comparison function for sorting that orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
