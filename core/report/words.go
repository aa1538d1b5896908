package report

import "github.com/boundcheck/boundcheck/core/stage/violation"

// The texts of a report that programs compare. As JSON they are strings.

// ViolationType is one of the six types of violation.
type ViolationType string

// The types, by the papers' names.
const (
	OverGranular  = ViolationType(violation.OverGranular)
	OverAction    = ViolationType(violation.OverAction)
	UnderGranular = ViolationType(violation.UnderGranular)
	UnderAction   = ViolationType(violation.UnderAction)
	StartBoundary = ViolationType(violation.StartBoundary)
	EndBoundary   = ViolationType(violation.EndBoundary)
)

// Pattern is a common way to break a boundary; "" if none fits.
type Pattern string

// The patterns. MissingConsent is from this project, the others are from the paper.
const (
	MissingVerification      = Pattern(violation.MissingVerification)
	MissingConfirmation      = Pattern(violation.MissingConfirmation)
	MissingConsent           = Pattern(violation.MissingConsent)
	ScopeOvergeneralisation  = Pattern(violation.ScopeOvergeneralisation)
	PrematureTermination     = Pattern(violation.PrematureTermination)
	UnnecessaryDecomposition = Pattern(violation.UnnecessaryDecomposition)
	PreconditionIgnorance    = Pattern(violation.PreconditionIgnorance)
)

// Op is the operation of one row of an alignment.
type Op string

// The operations. An insertion is an extra action: observed, but without a step of the
// reference. A deletion is a missing step: a step of the reference that no observed
// action did.
const (
	Match        Op = "match"
	Substitution Op = "substitution"
	Insertion    Op = "insertion"
	Deletion     Op = "deletion"
)

// RowVerdict is the verdict of the stages of equivalence on a row.
type RowVerdict string

// The verdicts on a row.
const (
	RowCorrect   RowVerdict = "correct"
	RowExcused   RowVerdict = "excused"
	RowNote      RowVerdict = "note"
	RowViolation RowVerdict = "violation"
)

// Mutating reports whether an action may change something.
type Mutating string

// The values. Programs must treat unknown like yes.
const (
	MutatingYes     Mutating = "yes"
	MutatingNo      Mutating = "no"
	MutatingUnknown Mutating = "unknown"
)
