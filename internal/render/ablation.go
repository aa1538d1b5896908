package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/words"
)

// AblationTable prints an ablation for a terminal. For each figure, it shows how much
// each component contributes to the change.
func AblationTable(w io.Writer, a *compare.Ablation) {
	f := func(format string, x ...any) { fmt.Fprintf(w, format, x...) }
	f("%s over %s\n", words.Count(len(a.Components), "component", "components"), words.Count(a.Tasks, "task", "tasks"))
	for i := range a.Figures {
		ablationFigure(f, &a.Figures[i])
	}
	for i, n := range a.Notes {
		if i == 0 {
			f("\n")
		}
		f("note: %s\n", words.Printable(n))
	}
	if len(a.Missing) > 0 {
		f("not run: %s\n", words.Printable(strings.Join(a.Missing, ", ")))
	}
}

func ablationFigure(f func(string, ...any), g *compare.AblationFigure) {
	f("\n%s\n", g.Name)
	if len(g.Shapley) == 0 {
		f("  not scored: this figure is missing for at least one task in at least one configuration\n")
		return
	}
	for _, c := range g.Configurations {
		name := strings.Join(c.Components, "+")
		if name == "" {
			name = "none"
		}
		f("  %s  %8.3f  %s\n", Pad(words.Printable(name), 32), *c.Value.Value, changeText(&c.Delta))
	}
	for _, s := range g.Shapley {
		switch {
		case !s.Value.Scored:
			f("  %s  Shapley between %+.3f and %+.3f\n", Pad(words.Printable(s.Component), 32), *s.Low, *s.High)
		case s.Share == nil:
			f("  %s  Shapley %s\n", Pad(words.Printable(s.Component), 32), changeText(&s.Value))
		default:
			f("  %s  Shapley %s, %.1f %% of the total change\n", Pad(words.Printable(s.Component), 32), changeText(&s.Value), 100**s.Share)
		}
	}
}
