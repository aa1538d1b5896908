package render

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"sync"

	_ "embed"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/words"
)

//go:embed compare.html
var comparePage string

var compareTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("compare").Funcs(template.FuncMap{
		"number":   func(v *float64) string { return formatOptional(v, "%.3f") },
		"signed":   func(v *float64) string { return formatOptional(v, "%+.3f") },
		"p":        func(v *float64) string { return formatOptional(v, "%.4f") },
		"join":     func(names []string) string { return strings.Join(names, ", ") },
		"verdict":  func(v compare.Verdict) string { return v.Text },
		"count":    words.Count,
		"step":     func(i int) int { return i + 1 },
		"forest":   drawForest,
		"bars":     drawChanges,
		"tone":     toneClass,
		"interval": func(s report.Score) string { return changeText(&s) },
	}).Parse(comparePage))
})

// ComparisonHTML prints a comparison as one self-contained page with tables and pictures
// of the changes. The page has no script, and its content security policy allows none.
func ComparisonHTML(w io.Writer, c *compare.Comparison) error {
	return compareTemplate().Execute(w, c)
}

// toneClass returns the CSS class of a figure's row: "better", "worse" or "same".
func toneClass(v compare.Verdict, name string) string {
	for _, n := range v.Better {
		if n == name {
			return "better"
		}
	}
	for _, n := range v.Worse {
		if n == name {
			return "worse"
		}
	}
	return "same"
}

// drawForest draws a forest plot: each figure's change with its interval, one row per
// figure. A vertical line marks zero.
func drawForest(c *compare.Comparison) template.HTML {
	const width, left, row = 720.0, 130.0, 28.0
	span := widestSpan(c)
	if span == 0 {
		span = 1
	}
	at := func(v float64) float64 { return left + (width-left-20)*(v+span)/(2*span) }
	var b strings.Builder
	shown := 0
	var rows strings.Builder
	for i := range c.Figures {
		g := &c.Figures[i]
		if !g.Delta.Scored {
			continue
		}
		y := row*float64(shown) + row/2 + 6
		shown++
		low, high := changeEnds(&g.Delta)
		fmt.Fprintf(&rows, `<g class="%s"><text x="%.0f" y="%.1f" text-anchor="end">%s</text><line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><circle cx="%.1f" cy="%.1f" r="5"/></g>`,
			toneClass(c.Verdict, g.Name), left-12, y+4, template.HTMLEscapeString(g.Name), at(low), at(high), y, y, at(*g.Delta.Value), y)
	}
	height := row*float64(shown) + 36
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="The change of each figure with its 95 %% interval; the table has the same numbers">`, width, height)
	for _, v := range []float64{-span, -span / 2, 0, span / 2, span} {
		class := "grid"
		if v == 0 {
			class = "zero"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" x2="%.1f" y1="4" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f" text-anchor="middle">%+.2f</text>`,
			class, at(v), at(v), height-26, at(v), height-8, v+0)
	}
	b.WriteString(rows.String() + "</svg>")
	return template.HTML(b.String())
}

// drawChanges draws two bars for each type of violation: how many violations the
// treatment has gained, and how many it has lost.
func drawChanges(c *compare.Comparison) template.HTML {
	most := 0
	for _, v := range c.Changes {
		most = max(most, v.Gained, v.Lost)
	}
	if most == 0 {
		return ""
	}
	const width, left, row = 720.0, 150.0, 28.0
	middle := left + (width-left)/2
	scale := (width - left) / 2 * 0.85 / float64(most)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="Violations lost and gained, by type; the table has the same numbers">`, width, row*float64(len(c.Changes))+8)
	for i, v := range c.Changes {
		y := row*float64(i) + 4
		lost, gained := float64(v.Lost)*scale, float64(v.Gained)*scale
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f" text-anchor="end">%s</text>`, left-12, y+16, template.HTMLEscapeString(v.Type))
		fmt.Fprintf(&b, `<g class="better"><rect x="%.1f" y="%.1f" width="%.1f" height="18"/><text x="%.1f" y="%.1f" text-anchor="end">−%d</text></g>`, middle-lost, y, lost, middle-lost-5, y+14, v.Lost)
		fmt.Fprintf(&b, `<g class="worse"><rect x="%.1f" y="%.1f" width="%.1f" height="18"/><text x="%.1f" y="%.1f">+%d</text></g>`, middle, y, gained, middle+gained+5, y+14, v.Gained)
	}
	fmt.Fprintf(&b, `<line class="zero" x1="%.1f" x2="%.1f" y1="0" y2="%.1f"/></svg>`, middle, middle, math.Max(8, row*float64(len(c.Changes))+4))
	return template.HTML(b.String())
}
