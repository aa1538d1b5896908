// Package proof weighs the findings of a run against its reference.
//
// Its law: a difference from the reference is a finding only with a proof, and else a hint, which is left to a judge.
// What may be the same deed by other means, and what nothing says changed something, has no proof. The model's bytes
// are no proof of sameness either: such a difference never becomes fine here, and no hint becomes a finding.
package proof

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// most is the largest number of findings of one run that are compared in pairs. A run with more of them went
// elsewhere, and each of its findings keeps its confidence.
const most = 16

// Weigh makes hints of the findings without a proof, in place, and returns them. rulings and findings must be the
// results of equivalence.Judge and violation.Classify for the same case. O(findings + most² · arguments²).
func Weigh(c *boundary.Case, rulings []equivalence.Ruling, findings []violation.Finding) []violation.Finding {
	w := weigher{Case: c, rulings: rulings, findings: findings}
	w.pairDeeds()
	for i := range findings {
		f := &findings[i]
		if f.Confidence > violation.AtMostHint && (w.open[i] || !w.isProven(f)) {
			f.Confidence = violation.UnsureValue
			f.Reason = strings.TrimSuffix(f.Reason, sentences.Unsure.With()) + sentences.Unsure.With()
		}
	}
	return findings
}

type weigher struct {
	*boundary.Case
	rulings  []equivalence.Ruling
	findings []violation.Finding
	open     map[int]bool // findings that another one of the run may answer
}

// isProven reports whether a finding has a proof of its own.
func (w *weigher) isProven(f *violation.Finding) bool {
	switch {
	case f.Rule == "extra-action":
		return w.changesState(f.Obs)
	case f.Rule == "wrong-arguments" && f.Obs >= 0 && f.Ref >= 0 && f.Rows == nil:
		return w.argumentsDiffer(f)
	}
	return true
}
