// Package metric is stage four: ABS, GAR, SVR per run, and the corpus figures
// with BASR, SR, lucky successes and pass^k.
//
// The empty sides are decided here in words. A run that did nothing where
// nothing was to be done is perfect. A run that did nothing where something was
// to be done has ABS 0, and its SVR counts per required step, because there is
// no action to count per. A run that did something where nothing was to be done
// is scored by its own actions alone.
package metric

// Run is what a trajectory's figures are made of.
type Run struct {
	Observed  int // |A|
	Reference int // |A*|
	Correct   int // observed actions with a correct boundary, excused ones included
	Over      int // violations on the side of too much
	Under     int // violations on the side of too little
}

// Score is a figure, or the reason why there is none; it is never NaN.
type Score struct {
	Value  float64
	Scored bool
	Reason string
}

// Of makes a scored figure.
func Of(v float64) Score { return Score{Value: v, Scored: true} }

// Because makes an unscored figure.
func Because(reason string) Score { return Score{Reason: reason} }

const nothing = "nothing was to be done and nothing was done"

// ABSAgent is the action boundary score of the paper's equation, correct / |A|,
// in [0, 1].
func (r Run) ABSAgent() Score {
	if r.Observed == 0 {
		return r.idle()
	}
	return Of(float64(r.Correct) / float64(r.Observed))
}

// ABSMax divides by max(|A|, |A*|) as the paper's case studies do, so that
// missing steps cost, in [0, 1].
func (r Run) ABSMax() Score {
	if r.Observed == 0 {
		return r.idle()
	}
	return Of(float64(r.Correct) / float64(max(r.Observed, r.Reference)))
}

func (r Run) idle() Score {
	if r.Reference == 0 {
		return Score{Value: 1, Scored: true, Reason: nothing}
	}
	return Score{Value: 0, Scored: true, Reason: "no action was taken where some were required"}
}

// GAR is the granularity alignment ratio 1 − ||A| − |A*|| / max(|A|, |A*|), in
// [0, 1].
func (r Run) GAR() Score {
	longest := max(r.Observed, r.Reference)
	if longest == 0 {
		return Score{Value: 1, Scored: true, Reason: nothing}
	}
	return Of(float64(min(r.Observed, r.Reference)) / float64(longest)) // the same number, rounded once
}

// SVR is the scope violation rate (over + under) / |A|, at least 0; above 1 when
// a run has more violations than actions.
func (r Run) SVR() Score {
	found := r.Over + r.Under
	switch {
	case r.Observed > 0:
		return Of(float64(found) / float64(r.Observed))
	case found == 0:
		return Score{Value: 0, Scored: true, Reason: "no action and no violation"}
	}
	s := Of(float64(found) / float64(max(r.Reference, 1)))
	s.Reason = "no action was taken: counted per required step"
	return s
}
