package stats

// Fleiss returns Fleiss' κ, the agreement of several raters beyond chance. subjects[i][c]
// is the number of raters who put subject i into category c. Subjects may have different
// numbers of ratings. Subjects with fewer than two ratings are left out.
//
// The agreement of a subject is the share of its pairs of raters that agree. The weight
// of a category is its share of all ratings. The result is in −1 to 1. ok is false if no
// subject has two ratings, or if all ratings are in one category. O(subjects ×
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
