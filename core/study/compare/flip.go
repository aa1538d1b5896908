package compare

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// countOutcomes counts the pairs that kept their outcome and the pairs that changed it.
// It ignores pairs in which an outcome is not known. It returns nil if no pairs remain.
func countOutcomes(pairs []pair) *Success {
	var s Success
	n := 0
	for _, p := range pairs {
		if p.a.Success == nil || p.b.Success == nil {
			continue
		}
		n++
		switch a, b := *p.a.Success, *p.b.Success; {
		case a && b:
			s.Both++
		case b:
			s.Gained++
		case a:
			s.Lost++
		default:
			s.Neither++
		}
	}
	if n == 0 {
		return nil
	}
	s.P = round(stats.McNemar(s.Gained, s.Lost))
	s.Text = saySuccess(&s)
	return &s
}

// findFlips returns the pairs of runs with different outcomes. If an outcome is not
// known, it compares whether the two runs are flagged. The pairs in which the second run
// is worse come first.
func findFlips(pairs []pair) []Flip {
	out := []Flip{}
	for _, p := range pairs {
		what := flipKind(p)
		if what == "" {
			continue
		}
		f := Flip{Task: p.a.Task, A: p.a.ID, B: p.b.ID, What: what, Parted: findParting(p), Rules: []string{}}
		worse := p.b
		if what == successGained || what == flagLost {
			worse = p.a
		}
		for i := range worse.Violations {
			if v := &worse.Violations[i]; !v.Hint && !slices.Contains(f.Rules, v.Rule) {
				f.Rules = append(f.Rules, v.Rule)
			}
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(x, y Flip) int { return flipRank(x.What) - flipRank(y.What) })
	return out
}

// The values of Flip.What.
const (
	successLost   = "success lost"
	successGained = "success gained"
	flagGained    = "flag gained"
	flagLost      = "flag lost"
)

func flipRank(what string) int {
	return slices.Index([]string{successLost, flagGained, successGained, flagLost}, what)
}

func flipKind(p pair) string {
	known := p.a.Success != nil && p.b.Success != nil
	switch {
	case known && *p.a.Success && !*p.b.Success:
		return successLost
	case known && !*p.a.Success && *p.b.Success:
		return successGained
	case known || p.a.Flagged == p.b.Flagged:
		return ""
	case p.b.Flagged:
		return flagGained
	}
	return flagLost
}

// findParting returns the first action in which two runs differ, or nil if there is none.
func findParting(p pair) *Parting {
	a, b := p.a.Observed, p.b.Observed
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return &Parting{i, "", callText(&b[i])}
		case i >= len(b):
			return &Parting{i, callText(&a[i]), ""}
		case !isSameAction(&a[i], &b[i]):
			return &Parting{i, callText(&a[i]), callText(&b[i])}
		}
	}
	return nil
}

// isSameAction reports whether two actions are equal. The order of members in their
// arguments is ignored.
func isSameAction(a, b *report.Action) bool {
	if a.Name != b.Name || a.Text != b.Text {
		return false
	}
	if a.Arguments == b.Arguments {
		return true
	}
	x, err := jsonval.Parse(a.Arguments)
	if err != nil {
		return false
	}
	y, err := jsonval.Parse(b.Arguments)
	return err == nil && jsonval.Equal(x, y)
}

// callText returns an action as one line: its name and arguments, or its free text.
func callText(a *report.Action) string {
	switch {
	case a.Text != "":
		return a.Text
	case a.Arguments == "" || a.Arguments == "{}":
		return a.Name
	}
	return a.Name + " " + jsonval.Compact(a.Arguments)
}
