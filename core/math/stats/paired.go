package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Paired is the result of a paired t test on differences.
type Paired struct {
	Mean, SD float64 // of the differences; SD with n − 1
	T        float64
	DF       float64
	P        float64 // two-sided
	D        float64 // Cohen's d of paired samples: Mean / SD
}

// PairedT tests whether the mean of differences is zero. ok is false if there are fewer
// than two differences, or all are equal. O(n).
func PairedT(differences []float64) (r Paired, ok bool) {
	n := float64(len(differences))
	if n == 0 {
		return r, false
	}
	for _, d := range differences {
		r.Mean += d / n
	}
	if n < 2 {
		return r, false
	}
	squares := 0.0
	for _, d := range differences {
		squares += float64((d - r.Mean) * (d - r.Mean))
	}
	if r.SD = math.Sqrt(squares / (n - 1)); r.SD < 1e-12 {
		r.SD = 0
		return r, false
	}
	r.D, r.DF = r.Mean/r.SD, n-1
	r.T = r.D * math.Sqrt(n)
	r.P = studentP(r.T, r.DF)
	return r, true
}

// Detectable returns the smallest mean difference that a paired t test of n pairs detects
// with the given power, at a two-sided level alpha. sd is the standard deviation of the
// differences. n must be at least 2.
func Detectable(sd float64, n int, alpha, power float64) float64 {
	df := float64(n - 1)
	return (studentQuantile(1-alpha/2, df) + studentQuantile(power, df)) * sd / math.Sqrt(float64(n))
}

// TasksFor returns the number of pairs with which a paired t test detects a mean
// difference with the given power, at a two-sided level alpha. sd is the standard
// deviation of the differences. The result is at least 2, and 0 if the difference or sd
// is zero, or if a million pairs are not enough.
func TasksFor(difference, sd, alpha, power float64) int {
	const most = 1_000_000
	if difference == 0 || sd == 0 || Detectable(sd, most, alpha, power) > math.Abs(difference) {
		return 0
	}
	return 2 + sort.Search(most-2, func(i int) bool { return Detectable(sd, 2+i, alpha, power) <= math.Abs(difference) })
}

// tieTolerance is the largest distance between two figures that count as equal. Figures
// are quotients of counts. The same quotient that was computed in two ways, such as 3/3 −
// 2/3 and 2/3 − 1/3, differs by about 1e-16. Different quotients differ by more than
// 1e-12 if the product of their denominators is below 1e12.
const tieTolerance = 1e-12

// Tied reports whether two figures are the same quotient, apart from rounding.
func Tied(a, b float64) bool {
	return math.Abs(a-b) <= tieTolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// LeastWilcoxon returns the smallest two-sided p that the signed-rank test can have for n
// differences that are not zero.
func LeastWilcoxon(n int) float64 { return math.Min(1, math.Ldexp(2, -n)) }

// exactRanks is the largest number of differences for which Wilcoxon computes an exact p.
const exactRanks = 200

// Wilcoxon runs the signed-rank test of the hypothesis that the differences are symmetric
// around zero. w is the smaller of the two sums of ranks, and p is two-sided. Differences
// of zero are left out, and ties get the mean of their ranks. Figures that Tied calls
// equal are ties. ok is false if all differences are zero.
//
// For up to 200 differences, p is exact. For more, p is the normal approximation with the
// correction for ties and without a continuity correction. O(n³) if p is exact, else O(n
// log n).
func Wilcoxon(differences []float64) (w, p float64, ok bool) {
	var all []float64
	for _, d := range differences {
		if !Tied(d, 0) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return 0, 1, false
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled := make([]int, len(all)) // twice each rank, so that ranks of ties are whole numbers, too
	ties := 0.0
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && Tied(math.Abs(all[end]), math.Abs(all[i])) {
			end++
		}
		for k := i; k < end; k++ {
			doubled[k] = i + 1 + end
		}
		if k := float64(end - i); k > 1 {
			ties += k*k*k - k
		}
		i = end
	}
	plus, whole := 0, 0
	for i, d := range all {
		whole += doubled[i]
		if d > 0 {
			plus += doubled[i]
		}
	}
	least := min(plus, whole-plus)
	w = float64(least) / 2
	if len(all) <= exactRanks {
		return w, math.Min(1, 2*rankTail(doubled, whole, least)), true
	}
	n := float64(len(all))
	variance := n*(n+1)*(2*n+1)/24 - ties/48
	return w, twoSided((w - n*(n+1)/4) / math.Sqrt(variance)), true
}

// rankTail returns the probability that the sum of the ranks with a plus sign is at most
// the limit least. Each rank has a plus or a minus sign with the same probability. whole
// is the sum of all ranks.
func rankTail(ranks []int, whole, least int) float64 {
	chance := make([]float64, whole+1)
	chance[0] = 1
	reached := 0
	for _, r := range ranks {
		reached += r
		for s := reached; s >= 0; s-- {
			without := chance[s] / 2
			with := 0.0
			if s >= r {
				with = chance[s-r] / 2
			}
			chance[s] = without + with
		}
	}
	tail := 0.0
	for _, c := range chance[:least+1] {
		tail += c
	}
	return tail
}

// McNemar returns the p of the exact two-sided test on pairs that changed. gained is the
// number of pairs that became a success, and lost is the number of pairs that became a
// failure. It returns 1 if no pair changed. O(gained + lost).
func McNemar(gained, lost int) float64 {
	n := gained + lost
	p := 0.0
	for k := range min(gained, lost) + 1 {
		p += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return math.Min(1, 2*p)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// Holm adjusts the p values of a family of tests by Holm's step-down method. It returns
// the adjusted values in the order of ps. An adjusted p below α is significant at α for
// the whole family.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	out := make([]float64, len(ps))
	worst := 0.0
	for rank, i := range order {
		worst = math.Max(worst, math.Min(1, float64(len(ps)-rank)*ps[i]))
		out[i] = worst
	}
	return out
}
