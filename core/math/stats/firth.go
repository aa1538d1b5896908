package stats

import (
	"errors"
	"math"
	"slices"
)

// fitFirth fits by Firth's penalised likelihood, ℓ*(β) = ℓ(β) + ½·log|I(β)|, which is
// finite under separation. The p of each term comes from the penalised likelihood ratio
// 2·(ℓ*(β̂) − ℓ*(β̂ with βⱼ = 0)) and the chi-squared distribution with one degree of
// freedom. The interval has the values of βⱼ that this test does not reject at 5 %. Both likelihoods use the penalty with the information of all terms (Heinze and
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
		t.Low, t.High = d.profileEnd(full, j, -1), d.profileEnd(full, j, 1)
		terms[c] = t
	}
	return full.penalizedLogLik(), terms, nil
}

// profileEnd returns an end of the 95 % profile likelihood interval of coefficient j: the
// value at which the penalised likelihood ratio is 3.84. The parameter side is −1 for the
// lower end and 1 for the upper end. The result is infinite if the likelihood does not
// fall that far within 40 doublings of the standard error.
func (d *design) profileEnd(full *point, j int, side float64) float64 {
	last := full
	near, far := 0.0, math.Sqrt(full.covariance[j][j])
	drop := func(distance float64) float64 {
		best := math.Inf(-1)
		for _, start := range d.profileStarts(full, last, j, side*distance, far-near > far/8) {
			if p, ok := d.evaluateAt(start); ok {
				if p = d.climbHeld(p, j); p.penalizedLogLik() > best {
					best, last = p.penalizedLogLik(), p
				}
			}
		}
		return 2*(full.penalizedLogLik()-best) - float64(z95*z95)
	}
	for range 40 {
		if drop(far) >= 0 {
			break
		}
		near, far = far, 2*far
	}
	if drop(far) < 0 {
		return math.Inf(int(side))
	}
	for range 60 {
		if middle := (near + far) / 2; drop(middle) < 0 {
			near = middle
		} else {
			far = middle
		}
		if far-near < 1e-8*math.Max(1, far) {
			break
		}
	}
	return full.beta[j] + side*(near+far)/2
}

// profileStarts returns the points at which a maximum is looked for if coefficient j is
// moved by the given distance from the estimate. There may be several maxima. last is the
// maximum at the distance before. wide asks for more points, far from the others.
func (d *design) profileStarts(full, last *point, j int, distance float64, wide bool) [][]float64 {
	along := make([]float64, len(full.beta)) // the other coefficients follow by their covariance with j
	for i := range along {
		along[i] = full.covariance[i][j] / full.covariance[j][j]
	}
	out := [][]float64{slices.Clone(last.beta), slices.Clone(full.beta), addScaled(full.beta, along, distance)}
	if moved := last.beta[j] - full.beta[j]; moved != 0 { // on the ray through the last maximum
		ray := addScaled(last.beta, full.beta, -1)
		out = append(out, addScaled(full.beta, ray, distance/moved))
	}
	for i := range full.beta {
		if i != j && wide {
			for _, side := range [...]float64{-1, 1} {
				b := addScaled(full.beta, along, distance)
				b[i] += side * math.Abs(distance)
				out = append(out, b)
			}
		}
	}
	for _, b := range out {
		b[j] = full.beta[j] + distance
	}
	return out
}

// climbHeld maximises the penalised likelihood from p, with coefficient j held. Far from
// the estimate, scoring overshoots, so climbHeld halves each step for as long as that
// raises the likelihood.
func (d *design) climbHeld(p *point, j int) *point {
	for range penalised {
		u := d.modifiedScore(p)
		step := p.restrictedStep(u, j)
		next, ok := d.ascendPenalized(p, step)
		if !ok {
			return p
		}
		share := 0.5 * math.Min(1, longest/d.stepReach(step))
		for range 20 {
			half, ok := d.evaluateAt(addScaled(p.beta, step, share))
			if !ok || half.penalizedLogLik() <= next.penalizedLogLik() {
				break
			}
			next, share = half, share/2
		}
		rise := next.penalizedLogLik() - p.penalizedLogLik()
		if p = next; rise < 1e-13 {
			return p
		}
	}
	return p
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
