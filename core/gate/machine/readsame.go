package machine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// takeSources reads the tests with sameAs of a condition, and returns the matcher without
// them; nil if nothing is left. What they say is a requirement: an earlier call whose result
// has the value of this argument. What was in no result that the gate has seen may still be
// in one, so a rule that denies or holds can only be about values that are not the same, and
// a rule that allows about those that are. rule is nil where there are no requirements.
func (r *reader) takeSources(name string, v jsonval.Value, m *match.Matcher, rule *Rule) *match.Matcher {
	if m == nil || len(m.Sources()) == 0 {
		return m
	}
	rest, same, other, ok := m.TakeSources()
	if rule != nil && rule.Effect != AllowCall {
		same, other = other, same
	}
	switch {
	case rule == nil:
		r.fail(v, "invalid condition on %s: sameAs stands only in rules with an effect; want another matcher here", name)
	case !ok:
		r.fail(v, "invalid condition on %s: sameAs stands alone in not; want not: {sameAs: …}", name)
	case len(other) > 0 && rule.Effect == AllowCall:
		r.fail(v, "invalid condition on %s: a rule that allows cannot have not: {sameAs: …}; want sameAs without not", name)
	case len(other) > 0:
		r.fail(v, "invalid condition on %s: what is the same is never surely known not to be, so write not: {sameAs: …}", name)
	case len(same) > 0:
		r.requireSame(name, v, same, rule)
	}
	return rest
}

// requireSame adds the requirement that a result has an argument's value.
func (r *reader) requireSame(name string, v jsonval.Value, same []match.Source, rule *Rule) {
	argument, err := path.CompilePlaces(name)
	for _, s := range same {
		earlier, wrong := path.CompilePlaces(s.Path)
		e := rule.After
		switch {
		case err != nil: // reported by the caller
		case !argument.One() || wrong != nil || !earlier.One():
			r.fail(v, "invalid condition on %s: sameAs compares one value with one value; want a path without #, * and ?", name)
		case e != nil && !e.fromWhen, rule.Effect != AllowCall && rule.Requires():
			r.fail(v, "invalid condition on %s: sameAs is a requirement, as after and atMost are; write one rule for each", name)
		case e != nil && e.Tool != s.Step:
			r.fail(v, "invalid condition on %s: sameAs names %s and %s; want one tool, because one result must have all values", name, e.Tool, s.Step)
		default:
			if e == nil {
				r.checkPattern(v, s.Step)
				e = &Earlier{Tool: s.Step, Executed: true, Within: dayMS, fromWhen: true}
				rule.After = e
			}
			e.Where = append(e.Where, Same{Argument: argument, Earlier: earlier, Result: true})
		}
	}
}
