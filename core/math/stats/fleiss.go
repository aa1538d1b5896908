package stats

// Fleiss returns Fleiss' κ, the agreement of several raters beyond chance. subjects[i][c]
// is the number of raters who put subject i into category c. Subjects may have different
// numbers of ratings. Subjects with fewer than two ratings are left out.
//
// The agreement of a subject is the share of its pairs of raters that agree. The weight
// of a category is its share of all ratings. The standard error is the jackknife's, which
// leaves out one subject at a time. ok is false if no subject has two ratings, or if all
// ratings are in one category. O(subjects × categories).
func Fleiss(subjects [][]int) (k Kappa, ok bool) {
	var all ratings
	for _, s := range subjects {
		all.add(s, 1)
	}
	value, ok := all.kappa()
	if !ok {
		return k, false
	}
	var without []float64
	for _, s := range subjects {
		if !all.add(s, -1) {
			continue
		}
		if v, ok := all.kappa(); ok {
			without = append(without, v)
		}
		all.add(s, 1)
	}
	variance, mean := 0.0, 0.0
	if len(without) == all.counted && all.counted > 1 {
		for _, v := range without {
			mean += v / float64(len(without))
		}
		for _, v := range without {
			variance += float64((v - mean) * (v - mean))
		}
		variance *= float64(all.counted-1) / float64(all.counted)
	}
	if variance < 1e-15 {
		variance = 0
	}
	return newKappa(value, variance), true
}

// ratings holds the sums of Fleiss' κ over subjects.
type ratings struct {
	agreement      float64 // sum of the subjects' agreements
	counted, total int     // subjects, and their ratings
	totals         []int   // ratings of each category
}

// add counts a subject once, or removes it if sign is −1. It returns false for a subject
// with fewer than two ratings, which does not count.
func (r *ratings) add(categories []int, sign int) bool {
	n, pairs := 0, 0
	for _, k := range categories {
		n += k
		pairs += k * (k - 1)
	}
	if n < 2 {
		return false
	}
	r.agreement += float64(sign) * float64(pairs) / float64(n*(n-1))
	r.counted += sign
	r.total += sign * n
	for len(r.totals) < len(categories) {
		r.totals = append(r.totals, 0)
	}
	for i, k := range categories {
		r.totals[i] += sign * k
	}
	return true
}

func (r *ratings) kappa() (value float64, ok bool) {
	if r.counted == 0 {
		return 0, false
	}
	chance := 0.0
	for _, k := range r.totals {
		if k == r.total {
			return 0, false
		}
		p := float64(k) / float64(r.total)
		chance += float64(p * p)
	}
	return (r.agreement/float64(r.counted) - chance) / (1 - chance), true
}
