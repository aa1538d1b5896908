package cmd

import (
	"flag"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
)

// ParamUsage describes the flags that set parameters of scoring.
const ParamUsage = `
The papers' parameters (default: the papers' values):

  --tools FILE           facts about the tools: {"tools": {"name": "yes|no|control"},
                         "aliases": [["delete_item", "remove_from_cart"]],
                         "compositions": [{"whole": "send_email", "parts": ["compose", "send"]}]}
  --alpha X --beta X --gamma X
                         score of a match (1), cost of a mismatch (1), of a gap (0.5)
  --tau X                similarity that a match must pass (0.85)
  --theta X              ABS that a success must pass to count in BASR (0.8)
  --theta-g N            the two sides of a step may differ by N actions before
                         it is a granularity violation (0)
  --denominator NAME     the ABS that basr uses: agent (as in the equation) or max
  --without STAGE        switch off a stage of equivalence: state, effect or outcome;
                         repeatable
`

// paramFlags change how a request is scored. Flags that are not given keep the input's
// values.
type paramFlags struct {
	params core.Params
	Tools  string
}

func (f *paramFlags) RegisterFlags(set *flag.FlagSet) {
	number := func(name string, at **float64) {
		set.Func(name, "", func(s string) error {
			v, err := strconv.ParseFloat(s, 64)
			*at = &v
			return err
		})
	}
	number("alpha", &f.params.Alpha)
	number("beta", &f.params.Beta)
	number("gamma", &f.params.Gamma)
	number("tau", &f.params.Tau)
	number("theta", &f.params.Theta)
	number("theta-g", &f.params.ThetaG)
	set.StringVar(&f.params.Denominator, "denominator", "", "")
	set.Func("without", "", func(s string) error {
		f.params.Without = append(f.params.Without, strings.Split(s, ",")...)
		return nil
	})
	set.StringVar(&f.Tools, "tools", "", "")
}

// IsGiven reports whether any of the flags was given.
func (f *paramFlags) IsGiven() bool {
	p := &f.params
	return f.Tools != "" || p.Alpha != nil || p.Beta != nil || p.Gamma != nil || p.Tau != nil || p.Theta != nil || p.ThetaG != nil || p.Denominator != "" || p.Without != nil
}

// applyToOptions replaces the input's values by those of the given flags.
func (f *paramFlags) applyToOptions(o *core.Options) error {
	p := &o.Params
	for _, v := range []struct{ at, given **float64 }{{&p.Alpha, &f.params.Alpha}, {&p.Beta, &f.params.Beta}, {&p.Gamma, &f.params.Gamma},
		{&p.Tau, &f.params.Tau}, {&p.Theta, &f.params.Theta}, {&p.ThetaG, &f.params.ThetaG}} {
		if *v.given != nil {
			*v.at = *v.given
		}
	}
	if f.params.Denominator != "" {
		p.Denominator = f.params.Denominator
	}
	if f.params.Without != nil {
		p.Without = f.params.Without
	}
	if f.Tools == "" {
		return nil
	}
	v, err := ReadJSON(f.Tools, nil)
	if err != nil {
		return err
	}
	return o.ReadTools(v)
}
