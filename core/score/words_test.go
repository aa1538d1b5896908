package score

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
)

// TestWords checks that the words in a report are equal to the words of the packages that
// produce them. Package explain must have an entry for each type and pattern of
// violation.
func TestWords(t *testing.T) {
	check := func(got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check([]string{string(report.Match), string(report.Substitution), string(report.Insertion), string(report.Deletion)},
		[]string{align.Match.String(), align.Substitution.String(), align.Insertion.String(), align.Deletion.String()})
	check([]string{string(report.RowCorrect), string(report.RowExcused), string(report.RowNote), string(report.RowViolation)},
		[]string{equivalence.Correct.String(), equivalence.Excused.String(), equivalence.Note.String(), equivalence.Violation.String()})
	check([]string{string(report.MutatingYes), string(report.MutatingNo), string(report.MutatingUnknown)}, []string{mutation.Yes.String(), mutation.No.String(), mutation.Unknown.String()})
	for _, word := range []string{string(report.OverGranular), string(report.OverAction), string(report.UnderGranular), string(report.UnderAction), string(report.StartBoundary), string(report.EndBoundary),
		string(report.MissingVerification), string(report.MissingConfirmation), string(report.MissingConsent), string(report.ScopeOvergeneralisation), string(report.PrematureTermination),
		string(report.UnnecessaryDecomposition), string(report.PreconditionIgnorance)} {
		if _, ok := explain.Of(word); !ok {
			t.Errorf("explain does not know %q", word)
		}
	}
}
