package stats

import "math"

const (
	steps     = 100   // of Newton's method; a fit that exists needs about ten
	penalised = 1000  // of Firth's scoring, which converges linearly
	decrement = 1e-18 // of Firth's scoring: uᵀI⁻¹u, twice the log-likelihood still to be gained
	settled   = 1e-10 // of Newton's method: small, and far above the rounding error of the last weights
	near      = 1e-8  // below this decrement a full step is taken unchecked, because rounding hides its gain
	running   = 0.1   // if the last step moves a log-odds by more, the fit has not converged
)

// point is a value of the coefficients with everything that is computed from it.
type point struct {
	beta, eta, prob []float64
	logLik          float64
	factor          matrix // Cholesky factor of the information XᵀWX
	covariance      matrix // its inverse
}

// evaluateAt evaluates the model at beta. ok is false if the information matrix is
// singular to working precision.
func (d *design) evaluateAt(beta []float64) (p *point, ok bool) {
	p = &point{beta: beta, eta: make([]float64, len(d.y)), prob: make([]float64, len(d.y))}
	info := newSquare(len(beta))
	for i, row := range d.rows {
		e := dot(row, beta)
		p.eta[i] = e
		p.prob[i] = 1 / (1 + math.Exp(-e))
		p.logLik += float64(d.y[i]*e) - softplus(e)
		w := logitWeight(e)
		for r := range row {
			for c := 0; c <= r; c++ {
				info[r][c] += float64(w * row[r] * row[c])
			}
		}
	}
	if p.factor, ok = cholesky(info); ok {
		p.covariance = p.factor.inverse()
	}
	return p, ok
}

// softplus returns log(1 + eˣ) without overflow.
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// logitWeight returns p(1−p) for the probability p whose log-odds are eta. The result is
// accurate for p near 0 and near 1, too.
func logitWeight(eta float64) float64 {
	t := math.Exp(-math.Abs(eta))
	return t / float64((1+t)*(1+t))
}

// likelihoodScore returns the gradient of the log-likelihood, Xᵀ(y − p).
func (d *design) likelihoodScore(p *point) []float64 {
	g := make([]float64, len(p.beta))
	for i, row := range d.rows {
		rest := d.residual(p, i)
		for j := range row {
			g[j] += float64(row[j] * rest)
		}
	}
	return g
}

// residual returns y − p of observation i, at the point p. It avoids the loss of digits
// in 1 − p.
func (d *design) residual(p *point, i int) float64 {
	if d.y[i] == 1 {
		return 1 / (1 + math.Exp(p.eta[i]))
	}
	return -p.prob[i]
}

// maximizeLikelihood maximises the log-likelihood by Newton's method, starting from zero.
// ok is false if the fit does not exist:
//
//   - the method does not converge;
//   - the information matrix is singular;
//   - the log-odds still grow when the likelihood does not, which is a sign of separation.
func (d *design) maximizeLikelihood() (p *point, ok bool) {
	p, ok = d.evaluateAt(make([]float64, len(d.column)))
	for range steps {
		if !ok {
			return p, false
		}
		g := d.likelihoodScore(p)
		step := p.factor.solve(g)
		if dot(g, step) < settled {
			return d.polishFit(p), d.stepReach(step) < running
		}
		p, ok = d.climbStep(p, step)
	}
	return p, false
}

// polishFit takes two more steps of Newton's method. Each step squares the remaining
// error.
func (d *design) polishFit(p *point) *point {
	for range 2 {
		if next, ok := d.evaluateAt(addScaled(p.beta, p.factor.solve(d.likelihoodScore(p)), 1)); ok {
			p = next
		}
	}
	return p
}

func (d *design) climbStep(p *point, step []float64) (*point, bool) {
	next, ok := d.evaluateAt(addScaled(p.beta, step, 1))
	for share := 0.5; next.logLik < p.logLik && share > 1e-6; share /= 2 {
		next, ok = d.evaluateAt(addScaled(p.beta, step, share))
	}
	return next, ok
}

// stepReach returns the largest change that a step makes to the log-odds of an
// observation. It does not depend on the units of the covariates.
func (d *design) stepReach(step []float64) float64 {
	far := 0.0
	for _, row := range d.rows {
		far = math.Max(far, math.Abs(dot(row, step)))
	}
	return far
}

func addScaled(beta, step []float64, share float64) []float64 {
	out := make([]float64, len(beta))
	for j := range out {
		out[j] = beta[j] + float64(share*step[j])
	}
	return out
}
