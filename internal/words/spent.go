package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// Spent says in one line what the runs of a report took: of one run the words of the core,
// and of several the sums, each with the number of runs that have the figure. It returns ""
// if no run says anything.
func Spent(r *report.Report) string {
	if len(r.Trajectories) == 1 {
		if t := &r.Trajectories[0]; t.Spent != nil {
			return Printable(strings.Join(t.Spent.Text, "; "))
		}
		return ""
	}
	var parts []string
	add := func(of func(*report.Totals) *float64, text func(sum float64) string) {
		sum, n := 0.0, 0
		for i := range r.Trajectories {
			if s := r.Trajectories[i].Spent; s != nil {
				if v := of(s); v != nil {
					sum, n = sum+*v, n+1
				}
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d of %s)", text(sum), n, Count(len(r.Trajectories), "run", "runs")))
		}
	}
	add(func(s *report.Totals) *float64 { return s.Elapsed }, func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) + " s" })
	add(func(s *report.Totals) *float64 { return s.Tokens }, func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) + " tokens" })
	add(func(s *report.Totals) *float64 { return s.Cost }, func(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) + " USD" })
	return strings.Join(parts, ", ")
}
