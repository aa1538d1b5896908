package cmd

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Thresholds holds the bounds of --fail-under.
type Thresholds []threshold

type threshold struct {
	metric string
	bound  float64
}

// String implements flag.Value.
func (g *Thresholds) String() string { return "" }

// Set implements flag.Value. It parses one or more bounds METRIC=NUMBER, which are
// separated by commas.
func (g *Thresholds) Set(s string) error {
	for _, part := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(part, "=")
		bound, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || math.IsNaN(bound) {
			return fmt.Errorf("invalid bound %q; want METRIC=NUMBER, as in abs=0.8", part)
		}
		if words.CorpusMetric(&core.Metrics{BASR: &core.Sided{}, SR: &core.Score{}, LuckySuccess: &core.Sided{}}, name) == nil {
			return fmt.Errorf("unknown metric %q; known metrics are %s", name, strings.Join(words.MetricNames[:], ", "))
		}
		*g = append(*g, threshold{name, bound})
	}
	return nil
}

// CheckReport compares the corpus figures with the bounds of --fail-under, and returns
// the exit code. A figure without a value fails its bound, and so does one in which a run or a
// part of the input is not, as n says.
func (g Thresholds) CheckReport(r *core.Report, n *Failing, stderr io.Writer) int {
	code := ExitOK
	for _, bound := range g {
		s := words.CorpusMetric(&r.Corpus.Metrics, bound.metric)
		why := n.unmetWhy(bound.metric)
		switch {
		case !s.Scored:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is not scored (%s), so the limit %v is not met\n", bound.metric, s.Reason, bound.bound)
		case words.LowerIsBetter(bound.metric) && *s.Value > bound.bound:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, above the limit %v\n", bound.metric, *s.Value, bound.bound)
		case !words.LowerIsBetter(bound.metric) && *s.Value < bound.bound:
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, below the limit %v\n", bound.metric, *s.Value, bound.bound)
		case why != "":
			fmt.Fprintf(stderr, "boundcheck score: metric %s is %.4f, but %s, so the limit %v is not met\n", bound.metric, *s.Value, why, bound.bound)
		default:
			continue
		}
		code = ExitFailed
	}
	return code
}
