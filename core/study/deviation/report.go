package deviation

import (
	"math"
	"strconv"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/stats"
)

// Report is the JSON form of a study. Files has the files that could be studied, in the
// given order, and Unusable the others.
type Report struct {
	Files    []File     `json:"files"`
	Pooled   *File      `json:"pooled,omitempty"` // all files together, with an intercept each; for two files or more
	Unusable []Unusable `json:"unusable,omitempty"`
}

// Unusable is a file that could not be studied, with the reason.
type Unusable struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// File holds the results of one file's runs.
type File struct {
	File        string `json:"file"`
	N           int    `json:"n"`
	Successes   int    `json:"successes"`
	Tasks       int    `json:"tasks"`
	LeftOut     int    `json:"leftOut"`  // runs without a reference or a known outcome
	Warnings    int    `json:"warnings"` // from reading the file
	Replayed    int    `json:"replayed"` // runs whose outcome comes from a replay, not from the record
	Contrary    int    `json:"contrary"` // replayed runs with a different outcome in their record
	Distance    string `json:"distance"` // counts, effects
	Separated   bool   `json:"separated"`
	Method      string `json:"method"` // ml, firth
	LogLik      Digits `json:"logLikelihood"`
	Intercept   Effect `json:"intercept"`
	Mutating    Effect `json:"mutating"`
	NonMutating Effect `json:"nonMutating"`
	Decisive    Tally  `json:"decisive,omitzero"` // absent for a pooled study and for partial results
	Runs        []Row  `json:"runs,omitempty"`
}

// Effect is one coefficient in the JSON form. Its P, SE, Low and High come from one
// method, Test. If the coefficient cannot be estimated, all its members except the mean
// are null.
type Effect struct {
	Coef    *Digits `json:"coef"`
	OR      *Digits `json:"or"`
	Test    string  `json:"test,omitempty"` // wald, clustered (Wald's test, errors clustered by task), profile (penalised likelihood ratio)
	P       *Digits `json:"p"`
	SE      *Digits `json:"se"`  // null for profile, whose interval is not symmetric
	Low     *Digits `json:"low"` // of the coefficient's 95 % interval; null if it is not finite
	High    *Digits `json:"high"`
	PlainSE *Digits `json:"plainSe,omitempty"` // for clustered: as if runs were independent
	PlainP  *Digits `json:"plainP,omitempty"`
	Mean    *Digits `json:"mean,omitempty"` // of the deviation over the runs
	Reason  string  `json:"reason,omitempty"`
}

// The values of Effect.Test.
const (
	wald      = "wald"
	clustered = "clustered"
	profile   = "profile"
)

// Tally counts failing runs by the kind of their decisive deviation.
type Tally struct {
	Failures int `json:"failures"`
	Wrong    int `json:"wrong"`
	Extra    int `json:"extra"`
	Missing  int `json:"missing"`
	Same     int `json:"same"`
}

// Row is one run.
type Row struct {
	ID          string `json:"id"`
	Task        string `json:"task"`
	Success     bool   `json:"success"`
	Mutating    int    `json:"mutating"`
	NonMutating int    `json:"nonMutating"`
	Step        *Step  `json:"decisive,omitempty"` // of a failing run
}

// Step is a Finding in the JSON form.
type Step struct {
	Kind    string `json:"kind"`
	Obs     *int   `json:"obs"` // index of the step that it names; null if there is none
	Did     *Call  `json:"did"`
	Instead *Call  `json:"instead"` // the witness's action
	Witness string `json:"witness"`
	Agreed  int    `json:"agreed"`
	Reason  string `json:"reason"`
}

// Call is an action with its text as recorded.
type Call struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"`
	Text      string `json:"text,omitempty"`
}

// Digits is a figure that is written with six significant digits. The last bits of exp
// and log differ between platforms, but the output must be equal on all of them.
type Digits float64

// MarshalJSON returns the figure with six significant digits.
func (d Digits) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(d), 'g', 6, 64), nil
}

// Describe returns the JSON form of a study. runs is empty for a pooled study. The caller
// sets File, LeftOut, Warnings and Distance.
func (r *Result) Describe(runs []Run) File {
	f := File{N: r.Fit.N, Successes: r.Fit.Successes, Tasks: r.Tasks, Separated: r.Fit.Separated, Method: r.Fit.Method,
		LogLik: Digits(r.Fit.LogLik), Intercept: r.termEffect(Intercept), Mutating: r.termEffect(Mutating), NonMutating: r.termEffect(NonMutating)}
	var sum Distance
	for i := range r.Distances {
		sum.Mutating += r.Distances[i].Mutating
		sum.NonMutating += r.Distances[i].NonMutating
	}
	for i := range runs {
		f.Runs = append(f.Runs, r.newRow(i, &runs[i]))
		f.Decisive.countFinding(r.Findings[i])
	}
	f.Mutating.Mean = toDigits(float64(sum.Mutating) / float64(len(r.Distances)))
	f.NonMutating.Mean = toDigits(float64(sum.NonMutating) / float64(len(r.Distances)))
	return f
}

func toDigits(v float64) *Digits { return (*Digits)(&v) }

// finiteDigits returns nil for an infinite number, which JSON does not have.
func finiteDigits(v float64) *Digits {
	if math.IsInf(v, 0) {
		return nil
	}
	return toDigits(v)
}

func (r *Result) termEffect(i int) Effect {
	t := &r.Fit.Terms[i]
	if t.Aliased {
		return Effect{Reason: "all runs have the same number of these deviations, or earlier columns already determine the number"}
	}
	e := Effect{Coef: toDigits(t.Coef), OR: toDigits(t.OR), Test: wald, P: toDigits(t.P), SE: toDigits(t.SE), Low: finiteDigits(t.Low), High: finiteDigits(t.High)}
	switch {
	case r.Robust != nil:
		b := r.Robust[i]
		e.PlainSE, e.PlainP = e.SE, e.P
		e.Test, e.P, e.SE, e.Low, e.High = clustered, toDigits(b.P), toDigits(b.SE), toDigits(b.Low), toDigits(b.High)
	case r.Fit.Method == stats.Firth:
		e.Test, e.SE = profile, nil
	}
	return e
}

func (t *Tally) countFinding(f *Finding) {
	if f == nil {
		return
	}
	t.Failures++
	switch f.Kind {
	case Wrong:
		t.Wrong++
	case Extra:
		t.Extra++
	case Missing:
		t.Missing++
	case Same:
		t.Same++
	}
}

func (r *Result) newRow(i int, run *Run) Row {
	d := r.Distances[i]
	row := Row{ID: run.ID, Task: run.Task, Success: run.Success, Mutating: d.Mutating, NonMutating: d.NonMutating}
	if f := r.Findings[i]; f != nil {
		row.Step = &Step{Kind: f.Kind.String(), Instead: toCall(f.Instead), Witness: f.Witness, Agreed: f.Agreed, Reason: f.Reason}
		if f.Obs >= 0 {
			row.Step.Obs, row.Step.Did = &f.Obs, toCall(&run.Obs[f.Obs])
		}
	}
	return row
}

func toCall(a *boundary.Action) *Call {
	if a == nil {
		return nil
	}
	return &Call{a.Name, a.Raw, a.Text}
}
