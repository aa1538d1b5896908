package score

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// Params holds the papers' parameters. A parameter that is nil has the value that the
// papers use.
type Params struct {
	Alpha *float64 `json:"alpha,omitempty"` // score of a match, above 0 and at most 1000; 1
	Beta  *float64 `json:"beta,omitempty"`  // cost of a mismatch, 0 to 1000; 1
	Gamma *float64 `json:"gamma,omitempty"` // cost of a gap, 0 to 1000; 0.5
	Tau   *float64 `json:"tau,omitempty"`   // similarity above which two actions match, 0 to 1; 0.85
	Theta *float64 `json:"theta,omitempty"` // ABS above which a success counts in BASR, 0 to 1; 0.8

	// ThetaG is the number of actions by which the two sides of a step may differ without
	// a granularity violation; 0.
	ThetaG *float64 `json:"thetaG,omitempty"`
	// Denominator selects the ABS for basr and luckySuccess themselves: agent (or "") as
	// in the equation, or max. Every report has both.
	Denominator string `json:"denominator,omitempty"`
	// Without lists the stages of equivalence that are disabled: state, effect, outcome.
	Without []string `json:"without,omitempty"`
}

// stageNames lists the stages of equivalence in the order in which they are applied.
var stageNames = [...]string{"state", "effect", "outcome"}

// checkRanges returns an error if a parameter is out of its range.
func (p *Params) checkRanges() error {
	for _, f := range []struct {
		name      string
		value     *float64
		low, high float64
		above     bool
	}{{"alpha", p.Alpha, 0, 1000, true}, {"beta", p.Beta, 0, 1000, false}, {"gamma", p.Gamma, 0, 1000, false}, {"tau", p.Tau, 0, 1, false},
		{"theta", p.Theta, 0, 1, false}, {"thetaG", p.ThetaG, 0, 1e6, false}} {
		if f.value == nil {
			continue
		}
		if v := *f.value; !(v >= f.low && v <= f.high) || f.above && v == f.low {
			word := "from"
			if f.above {
				word = "above"
			}
			return &InputError{Msg: fmt.Sprintf("invalid value for the option %s: %v. The value must be a number %s %v up to %v", f.name, v, word, f.low, f.high)}
		}
	}
	if d := p.Denominator; d != "" && d != "agent" && d != "max" {
		return &InputError{Msg: "invalid option denominator " + quote(d) + "; the known values are agent and max"}
	}
	for _, s := range p.Without {
		if !slices.Contains(stageNames[:], s) {
			return &InputError{Msg: "invalid option without " + quote(s) + "; known are " + strings.Join(stageNames[:], ", ")}
		}
	}
	return nil
}

func orElse(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// alignParams returns the parameters for package align, which expects costs as negative
// scores. A threshold of 0 becomes a very small number, because package align would
// replace 0 by the default.
func (p *Params) alignParams() align.Params {
	return align.Params{
		Match:     orElse(p.Alpha, align.DefaultMatch),
		Mismatch:  -orElse(p.Beta, -align.DefaultMismatch),
		Gap:       -orElse(p.Gamma, -align.DefaultGap),
		Threshold: max(p.tauOrDefault(), 1e-12),
	}
}

func (p *Params) tauOrDefault() float64 { return orElse(p.Tau, align.DefaultThreshold) }

// disabledStages returns the disabled stages of equivalence.
func (p *Params) disabledStages() (w boundary.Stages) {
	for _, s := range p.Without {
		switch s {
		case "state":
			w.State = true
		case "effect":
			w.Effect = true
		case "outcome":
			w.Outcome = true
		}
	}
	return w
}

// readParams reads parameters from an object such as {"alpha": 1, "tau": 0.85}, with the
// members of Params. The error is an *InputError.
func readParams(v jsonval.Value) (Params, error) {
	var p Params
	if v.Kind() != jsonval.Object {
		return p, &InputError{Msg: "invalid options: want an object such as {\"tau\": 0.85}, got " + v.Kind().String()}
	}
	var err error
	v.Each(func(key string, m jsonval.Value) bool {
		err = p.setParam(key, m)
		return err == nil
	})
	if err == nil {
		err = p.checkRanges()
	}
	return p, err
}

func (p *Params) setParam(key string, m jsonval.Value) error {
	numbers := map[string]**float64{"alpha": &p.Alpha, "beta": &p.Beta, "gamma": &p.Gamma, "tau": &p.Tau, "theta": &p.Theta, "thetaG": &p.ThetaG}
	if at, ok := numbers[key]; ok {
		n, ok := m.Float()
		if !ok || math.IsNaN(n) {
			return &InputError{Msg: "invalid option " + key + ": want a number, got " + m.Raw()}
		}
		*at = &n
		return nil
	}
	switch key {
	case "denominator":
		p.Denominator = m.Text()
	case "without":
		if m.Kind() != jsonval.Array {
			return &InputError{Msg: `the option "without" needs a list of stages; got ` + m.Kind().String()}
		}
		for _, s := range m.Elements() {
			p.Without = append(p.Without, s.Text())
		}
	default:
		return &InputError{Msg: "unknown option " + quote(key) + "; the known options are alpha, beta, gamma, tau, theta, thetaG, denominator, without"}
	}
	return nil
}
