package words

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// MetricNames are the metrics that --fail-under accepts. Without a suffix, abs, basr and
// luckySuccess use the agent's number of actions as the denominator.
var MetricNames = [...]string{"within", "abs", "abs.max", "gar", "svr", "granularityRate", "scopeAndGranularityRate", "basr", "basr.max", "sr", "luckySuccess", "luckySuccess.max"}

// LowerIsBetter reports whether smaller values of a metric are better.
func LowerIsBetter(metric string) bool {
	return metric == "svr" || strings.HasSuffix(metric, "Rate") || strings.HasPrefix(metric, "luckySuccess")
}

// CorpusMetric returns a metric by its name, or nil if there is none.
func CorpusMetric(m *report.Metrics, name string) *report.Score {
	switch name {
	case "within":
		return &m.WithinBounds
	case "abs", "abs.agent":
		return &m.ABS.Agent
	case "abs.max":
		return &m.ABS.Max
	case "gar":
		return &m.GAR
	case "svr":
		return &m.SVR
	case "granularityRate":
		return &m.GranularityRate
	case "scopeAndGranularityRate":
		return &m.ScopeAndGranularityRate
	case "basr", "basr.agent", "basr.max":
		return sideOf(m.BASR, name)
	case "sr":
		return m.SR
	case "luckySuccess", "luckySuccess.agent", "luckySuccess.max":
		return sideOf(m.LuckySuccess, name)
	}
	return nil
}

// sideOf returns one value of a figure that has two denominators. If the name ends in
// ".max" or ".agent", this ending selects the denominator. For any other name, sideOf
// returns the main value. It returns nil if s is nil.
func sideOf(s *report.Sided, name string) *report.Score {
	switch {
	case s == nil:
		return nil
	case strings.HasSuffix(name, ".max"):
		return &s.Max
	case strings.HasSuffix(name, ".agent"):
		return &s.Agent
	}
	return s.Score()
}
