package core

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/explain"
	"github.com/boundcheck/boundcheck/core/math/align"
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
	check([]string{string(Match), string(Substitution), string(Insertion), string(Deletion)},
		[]string{align.Match.String(), align.Substitution.String(), align.Insertion.String(), align.Deletion.String()})
	check([]string{string(RowCorrect), string(RowExcused), string(RowNote), string(RowViolation)},
		[]string{equivalence.Correct.String(), equivalence.Excused.String(), equivalence.Note.String(), equivalence.Violation.String()})
	check([]string{string(MutatingYes), string(MutatingNo), string(MutatingUnknown)}, []string{mutation.Yes.String(), mutation.No.String(), mutation.Unknown.String()})
	for _, word := range []string{string(OverGranular), string(OverAction), string(UnderGranular), string(UnderAction), string(StartBoundary), string(EndBoundary),
		string(MissingVerification), string(MissingConfirmation), string(MissingConsent), string(ScopeOvergeneralisation), string(PrematureTermination),
		string(UnnecessaryDecomposition), string(PreconditionIgnorance)} {
		if _, ok := explain.Of(word); !ok {
			t.Errorf("explain does not know %q", word)
		}
	}
}
