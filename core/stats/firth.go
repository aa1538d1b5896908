package stats

import (
	"errors"
	"math"
)

// fitFirth fits by Firth's penalised likelihood, ℓ*(β) = ℓ(β) + ½·log|I(β)|, which is
// finite under separation. The p of each term comes from the penalised likelihood ratio
// 2·(ℓ*(β̂) − ℓ*(β̂ with βⱼ = 0)) and the chi-squared distribution with one degree of
// freedom. Both likelihoods use the penalty with the information of all terms (Heinze and
// Schemper 2002).
func (d *design) fitFirth() (logLik float64, terms []Term, err error) {
	full, err := d.maximizePenalized(-1)
	if err != nil {
		return 0, nil, err
	}
	terms = d.blankTerms()
	for j, c := range d.column {
		null, err := d.maximizePenalized(j)
		if err != nil {
			return 0, nil, err
		}
		t := newTerm(full.beta[j], math.Sqrt(full.covariance[j][j]))
		t.P = chiSquared1(2 * (full.penalizedLogLik() - null.penalizedLogLik()))
		terms[c] = t
	}
	return full.penalizedLogLik(), terms, nil
}

// penalizedLogLik returns the penalised log-likelihood at a point.
func (p *point) penalizedLogLik() float64 { return p.logLik + p.factor.logDet()/2 }

// maximizePenalized maximises the penalised likelihood by scoring with the modified score
// Σ (y − p + h·(½ − p))·x, where h is the diagonal of the hat matrix. It keeps the
// coefficient with the given index at zero. If the index is −1, it fits all coefficients.
func (d *design) maximizePenalized(fixed int) (*point, error) {
	p, ok := d.evaluateAt(make([]float64, len(d.column)))
	last := math.Inf(1)
	for range penalised {
		if !ok {
			return nil, errors.New("cannot fit: the penalised likelihood cannot be increased")
		}
		u := d.modifiedScore(p)
		step := p.restrictedStep(u, fixed)
		gain := dot(u, step)
		switch {
		case gain < decrement || gain < near && gain >= last:
			return p, nil
		case gain < near:
			p, ok = d.evaluateAt(addScaled(p.beta, step, 1))
		default:
			p, ok = d.ascendPenalized(p, step)
		}
		last = gain
	}
	return nil, errors.New("cannot fit: the penalised likelihood did not converge")
}

// longest is the largest step in log-odds. Scoring differs from Newton's method here and
// may overshoot far.
const longest = 5

// ascendPenalized takes a step from p, and halves the step until the penalised likelihood
// grows. A step that is too long is shortened first. next is the point that the step
// reaches. ok is false if no fraction of the step raises the likelihood.
func (d *design) ascendPenalized(p *point, step []float64) (next *point, ok bool) {
	share := math.Min(1, longest/d.stepReach(step))
	for range 40 {
		if next, ok := d.evaluateAt(addScaled(p.beta, step, share)); ok && next.penalizedLogLik() > p.penalizedLogLik() {
			return next, true
		}
		share /= 2
	}
	return p, false
}

// modifiedScore returns Firth's score at a point. It is the usual score if each
// observation also counts as half a success and half a failure, both weighted by the
// observation's leverage.
func (d *design) modifiedScore(p *point) []float64 {
	u := make([]float64, len(p.beta))
	for i, row := range d.rows {
		leverage := 0.0
		for r := range row {
			leverage += float64(row[r] * dot(p.covariance[r], row))
		}
		leverage *= logitWeight(p.eta[i])
		pull := d.y[i] - p.prob[i] + float64(leverage*(0.5-p.prob[i]))
		for j := range row {
			u[j] += float64(row[j] * pull)
		}
	}
	return u
}

// restrictedStep returns the step for the score u. The parameter fixed is the index of a
// coefficient that the step does not change, or −1 if there is none. restrictedStep sets
// the element of u with this index to zero.
func (p *point) restrictedStep(u []float64, fixed int) []float64 {
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
