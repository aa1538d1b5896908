package stats

import (
	"errors"
	"math"
)

// firth fits by Firth's penalised likelihood, ℓ*(β) = ℓ(β) + ½·log|I(β)|, which is finite
// under separation. The p of each term comes from the penalised likelihood ratio
// 2·(ℓ*(β̂) − ℓ*(β̂ with βⱼ = 0)) and the chi-squared distribution with one degree of
// freedom. Both likelihoods of the ratio use the penalty with the information of all
// terms (Heinze and Schemper 2002). Wald's test is not valid here, because the likelihood
// is far from symmetric.
func (d *design) firth() (logLik float64, terms []Term, err error) {
	full, err := d.penalise(-1)
	if err != nil {
		return 0, nil, err
	}
	terms = d.blank()
	for j, c := range d.column {
		null, err := d.penalise(j)
		if err != nil {
			return 0, nil, err
		}
		t := term(full.beta[j], math.Sqrt(full.covariance[j][j]))
		t.P = chiSquared1(2 * (full.penalty() - null.penalty()))
		terms[c] = t
	}
	return full.penalty(), terms, nil
}

// penalty returns the penalised log-likelihood at a point.
func (p *point) penalty() float64 { return p.logLik + p.factor.logDet()/2 }

// penalise maximises the penalised likelihood by scoring with the modified score Σ (y − p
// + h·(½ − p))·x, where h is the diagonal of the hat matrix. It keeps the coefficient
// with the given index at zero. If the index is −1, it fits all coefficients.
func (d *design) penalise(fixed int) (*point, error) {
	p, ok := d.at(make([]float64, len(d.column)))
	last := math.Inf(1)
	for range penalised {
		if !ok {
			return nil, errors.New("cannot fit: the penalised likelihood cannot be increased")
		}
		u := d.modified(p)
		step := p.restricted(u, fixed)
		gain := dot(u, step)
		switch {
		case gain < decrement || gain < near && gain >= last:
			return p, nil
		case gain < near:
			p, ok = d.at(added(p.beta, step, 1))
		default:
			p, ok = d.ascend(p, step)
		}
		last = gain
	}
	return nil, errors.New("cannot fit: the penalised likelihood did not converge")
}

// longest is the largest step in log-odds. Scoring differs from Newton's method here and
// may overshoot far.
const longest = 5

// ascend halves a step until it raises the penalised likelihood. ok is false if no
// fraction of the step does.
func (d *design) ascend(p *point, step []float64) (next *point, ok bool) {
	share := math.Min(1, longest/d.reach(step))
	for range 40 {
		if next, ok := d.at(added(p.beta, step, share)); ok && next.penalty() > p.penalty() {
			return next, true
		}
		share /= 2
	}
	return p, false
}

// modified returns Firth's score at a point. It is the usual score if each observation
// also counts as half a success and half a failure, both weighted by the observation's
// leverage.
func (d *design) modified(p *point) []float64 {
	u := make([]float64, len(p.beta))
	for i, row := range d.rows {
		leverage := 0.0
		for r := range row {
			leverage += float64(row[r] * dot(p.covariance[r], row))
		}
		leverage *= weight(p.eta[i])
		pull := d.y[i] - p.prob[i] + float64(leverage*(0.5-p.prob[i]))
		for j := range row {
			u[j] += float64(row[j] * pull)
		}
	}
	return u
}

// restricted returns the step for the score u. The step does not change the coefficient
// with the index fixed, and restricted sets this element of u to zero. If the index is
// −1, the step may change all coefficients.
func (p *point) restricted(u []float64, fixed int) []float64 {
	if fixed < 0 {
		return p.factor.solve(u)
	}
	u[fixed] = 0
	// To hold a coefficient is a projection: (I_ff)⁻¹ = V_ff − V_f·V_fᵀ/v.
	v, step := p.covariance, make([]float64, len(u))
	for i := range step {
		if i != fixed {
			step[i] = dot(v[i], u) - float64(v[i][fixed]*dot(v[fixed], u))/v[fixed][fixed]
		}
	}
	return step
}
