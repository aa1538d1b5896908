package stats

import (
	"errors"
	"math"
)

// Robust holds a standard error that allows for dependence within groups, and the
// two-sided p and the 95 % interval of Wald's test with this error.
type Robust struct{ SE, P, Low, High float64 }

// Clustered returns the cluster-robust standard error (Liang and Zeger 1986) of each term
// of a maximum likelihood fit. x and y must be the fitted data, and groups[i] is the name
// of the group of row i. Rows of one group, such as the trials of one task, need not be
// independent.
//
// The variance is the sandwich I⁻¹·(Σ_g u_g·u_gᵀ)·I⁻¹, where u_g is the score of group
// g, times the factor G/(G−1)·(N−1)/(N−K) for few groups and rows; K is the number of
// terms. With fewer than about forty groups, the errors are still too small.
// Clustered returns an error if the fit is not by maximum likelihood, or if there are too
// few groups.
func (l *Logit) Clustered(x [][]float64, y []bool, groups []string) ([]Robust, error) {
	if l.Method != ML {
		return nil, errors.New("no robust standard error for a penalised fit")
	}
	d, err := newDesign(x, y)
	if err != nil {
		return nil, err
	}
	beta := make([]float64, len(d.column))
	for j, c := range d.column {
		beta[j] = l.Terms[c].Coef
	}
	p, ok := d.evaluateAt(beta)
	if !ok {
		return nil, errors.New("no robust standard error: the information matrix is singular")
	}
	scores := d.groupScores(p, groups)
	if len(scores) < 2 || len(scores) <= len(beta) {
		return nil, errors.New("no robust standard error: too few groups")
	}
	out := make([]Robust, d.terms)
	for j, c := range d.column {
		sum := 0.0
		for _, u := range scores {
			s := dot(p.covariance[j], u)
			sum += float64(s * s)
		}
		g, n, k := float64(len(scores)), float64(len(d.rows)), float64(len(beta))
		se := math.Sqrt(sum * (g / (g - 1)) * ((n - 1) / (n - k)))
		r := Robust{SE: se}
		r.P, r.Low, r.High = waldTest(beta[j], se)
		out[c] = r
	}
	return out, nil
}

// groupScores returns the sum of the scores of each group. The groups are in order of
// first appearance.
func (d *design) groupScores(p *point, groups []string) [][]float64 {
	at := map[string]int{}
	var out [][]float64
	for i, row := range d.rows {
		g, ok := at[groups[i]]
		if !ok {
			g = len(out)
			at[groups[i]] = g
			out = append(out, make([]float64, len(row)))
		}
		rest := d.residual(p, i)
		for j := range row {
			out[g][j] += float64(row[j] * rest)
		}
	}
	return out
}
