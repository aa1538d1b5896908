package stats

// Fleiss returns Fleiss' κ, the agreement of several raters beyond chance. Each subject
// counts how many raters chose each category; subjects with fewer than two ratings are
// left out. The agreement of a subject is the share of its pairs of raters that agree,
// and the weight of a category is its share of all ratings. If each subject has the same
// number of ratings, this is Fleiss' own definition. Different numbers are allowed.
//
// The result is −1 to 1. ok is false if κ is not defined: no subject has two ratings, or
// all ratings are one category, so that agreement by chance is certain. O(subjects ×
// categories).
func Fleiss(subjects [][]int) (kappa float64, ok bool) {
	var agreement float64
	counted, ratings := 0, 0
	var totals []int
	for _, categories := range subjects {
		n, pairs := 0, 0
		for _, k := range categories {
			n += k
			pairs += k * (k - 1)
		}
		if n < 2 {
			continue
		}
		agreement += float64(pairs) / float64(n*(n-1))
		counted++
		ratings += n
		for len(totals) < len(categories) {
			totals = append(totals, 0)
		}
		for i, k := range categories {
			totals[i] += k
		}
	}
	if counted == 0 {
		return 0, false
	}
	chance, alone := 0.0, false
	for _, k := range totals {
		p := float64(k) / float64(ratings)
		chance += float64(p * p)
		alone = alone || k == ratings
	}
	if alone {
		return 0, false
	}
	return (agreement/float64(counted) - chance) / (1 - chance), true
}
