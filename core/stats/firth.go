package stats

import (
	"errors"
	"math"
)

// firth fits by Firth's penalised likelihood, ℓ*(β) = ℓ(β) + ½·log|I(β)|, which
// is finite under separation. The p of each term is the penalised likelihood
// ratio: 2·(ℓ*(β̂) − ℓ*(β̂ with βⱼ = 0)) against chi-squared with one degree of
// freedom, the penalty keeping the full information (Heinze and Schemper 2002).
// Wald's test would not do here: the likelihood is far from symmetric.
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

// penalty is the penalised log-likelihood of a point.
func (p *point) penalty() float64 { return p.logLik + p.factor.logDet()/2 }

// penalise climbs the penalised likelihood by scoring with the modified score
// Σ (y − p + h·(½ − p))·x, h the diagonal of the hat matrix; coefficient fixed
// stays nought (−1 for none).
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

// longest bounds a step in log-odds: scoring is not Newton's method here and
// may overshoot far.
const longest = 5

// ascend takes as much of a step as raises the penalised likelihood; ok is false
// when none of it does.
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

// modified is Firth's score: the log-likelihood's, with half an observation of
// each outcome spread by leverage.
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

// restricted solves for the step with one coefficient held; that coefficient's
// share of the score is zeroed in u, as it does not count.
func (p *point) restricted(u []float64, fixed int) []float64 {
	if fixed < 0 {
		return p.factor.solve(u)
	}
	u[fixed] = 0
	// Holding a coefficient is a projection: (I_ff)⁻¹ = V_ff − V_f·V_fᵀ/v.
	v, step := p.covariance, make([]float64, len(u))
	for i := range step {
		if i != fixed {
			step[i] = dot(v[i], u) - float64(v[i][fixed]*dot(v[fixed], u))/v[fixed][fixed]
		}
	}
	return step
}
