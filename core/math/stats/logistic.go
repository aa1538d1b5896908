package stats

import (
	"errors"
	"fmt"
	"math"
)

// The methods by which a Logit is fitted.
const (
	ML    = "ml"    // maximum likelihood, p and interval by Wald's test
	Firth = "firth" // penalised by Jeffreys' prior, p and interval by the penalised likelihood ratio
)

// Term is one coefficient of a logistic regression. Coef is β on the log-odds scale. OR
// is exp β, the factor by which one unit multiplies the odds. SE comes from the inverse
// information, Z is β/SE, and P is two-sided. Aliased means that the term is constant or
// a combination of the terms before it. Such a term cannot be estimated, and all its
// values are zero.
type Term struct {
	Coef, SE, Z, P, OR float64
	Low, High          float64
	Aliased            bool
}

// Logit is a fitted logistic regression, log(p/(1−p)) = β₀ + Σ βⱼ·xⱼ. Terms has the
// intercept first, and then the covariates in their order. LogLik is the penalised
// log-likelihood if Method is Firth.
type Logit struct {
	N, Successes int
	Method       string
	Separated    bool // the covariates split the outcomes, so ML has no finite estimate
	LogLik       float64
	Terms        []Term
}

// Logistic fits a logistic regression of outcomes y on covariates x, with an intercept. x
// has one row for each observation, and all rows must be finite and of equal length.
// Logistic returns an error if there are no rows, or if all outcomes are equal.
//
// The fit maximises the likelihood by Newton's method (iteratively reweighted least
// squares). If the covariates separate the outcomes, completely or quasi-completely, the
// likelihood has no maximum. Then Logistic returns Firth's penalised estimate. O(n·k²)
// for each step.
func Logistic(x [][]float64, y []bool) (Logit, error) {
	d, err := newDesign(x, y)
	if err != nil {
		return Logit{}, err
	}
	fit := Logit{N: len(y), Successes: d.successes, Method: ML, Separated: isSeparated(d)}
	if !fit.Separated {
		p, ok := d.maximizeLikelihood()
		if ok {
			fit.LogLik, fit.Terms = p.logLik, d.waldTerms(p)
			return fit, nil
		}
		fit.Separated = true // the coefficients grew without bound; the exact test does not support so many covariates
	}
	fit.Method = Firth
	fit.LogLik, fit.Terms, err = d.fitFirth()
	return fit, err
}

// design holds the data of a regression. Its rows begin with a 1 and lack the aliased
// columns. column[j] is the index of column j among the terms.
type design struct {
	rows      [][]float64
	y         []float64
	successes int
	column    []int
	terms     int
}

func newDesign(x [][]float64, y []bool) (*design, error) {
	if len(x) != len(y) {
		return nil, fmt.Errorf("invalid regression: %d rows for %d outcomes", len(x), len(y))
	}
	if len(x) == 0 {
		return nil, errors.New("invalid regression: no observations")
	}
	d := &design{terms: len(x[0]) + 1}
	for i, row := range x {
		if len(row) != len(x[0]) {
			return nil, fmt.Errorf("invalid regression: row %d has %d covariates, but the first row has %d", i, len(row), len(x[0]))
		}
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("invalid regression: row %d contains a number that is not finite", i)
			}
		}
		d.y = append(d.y, 0)
		if y[i] {
			d.y[i] = 1
			d.successes++
		}
	}
	if d.successes == 0 || d.successes == len(y) {
		return nil, fmt.Errorf("invalid regression: all %d outcomes are the same, so a regression is not possible", len(y))
	}
	d.column = independentTerms(x)
	for _, row := range x {
		r := make([]float64, len(d.column))
		r[0] = 1
		for j, c := range d.column[1:] {
			r[j+1] = row[c-1]
		}
		d.rows = append(d.rows, r)
	}
	return d, nil
}

// aliasTolerance is the smallest share of a centred column's sum of squares that must
// remain after its projections on earlier columns are removed. With less, the column is
// aliased.
const aliasTolerance = 1e-10

// independentTerms returns the indices of the linearly independent terms, with the
// intercept (0) first. It uses modified Gram–Schmidt over the centred columns.
func independentTerms(x [][]float64) []int {
	keep := []int{0}
	var basis [][]float64
	for j := range x[0] {
		c, mean := make([]float64, len(x)), 0.0
		for i := range x {
			mean += x[i][j] / float64(len(x))
		}
		raw := 0.0
		for i := range x {
			c[i] = x[i][j] - mean
			raw += float64(x[i][j] * x[i][j])
		}
		size := dot(c, c)
		for _, b := range basis {
			share := dot(c, b) / dot(b, b)
			for i := range c {
				c[i] -= float64(share * b[i])
			}
		}
		if rest := dot(c, c); size > 1e-24*raw && rest > aliasTolerance*size {
			basis = append(basis, c)
			keep = append(keep, j+1)
		}
	}
	return keep
}

// waldTerms returns the terms of a maximum likelihood fit, with p and interval by Wald's
// test.
func (d *design) waldTerms(p *point) []Term {
	terms := d.blankTerms()
	for j, c := range d.column {
		t := newTerm(p.beta[j], math.Sqrt(p.covariance[j][j]))
		t.P, t.Low, t.High = waldTest(t.Coef, t.SE)
		terms[c] = t
	}
	return terms
}

func (d *design) blankTerms() []Term {
	terms := make([]Term, d.terms)
	for i := range terms {
		terms[i].Aliased = true
	}
	return terms
}

func newTerm(coef, se float64) Term {
	return Term{Coef: coef, SE: se, Z: coef / se, OR: math.Min(math.Exp(coef), math.MaxFloat64)}
}

// waldTest returns the two-sided p of a coefficient by Wald's test, and its 95 %
// interval.
func waldTest(coef, se float64) (p, low, high float64) {
	return twoSided(coef / se), coef - float64(z95*se), coef + float64(z95*se)
}
