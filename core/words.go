package core

import "github.com/boundcheck/boundcheck/core/report"

// The words of a report. See package report.
type (
	ABS             = report.ABS
	Action          = report.Action
	Agreement       = report.Agreement
	Argument        = report.Argument
	Asked           = report.Asked
	Assertion       = report.Assertion
	Attribution     = report.Attribution
	Boundary        = report.Boundary
	Cause           = report.Cause
	Cluster         = report.Cluster
	Consensus       = report.Consensus
	Corpus          = report.Corpus
	Difference      = report.Difference
	Ensemble        = report.Ensemble
	Event           = report.Event
	Evidence        = report.Evidence
	Failure         = report.Failure
	File            = report.File
	Group           = report.Group
	Input           = report.Input
	Interval        = report.Interval
	Left            = report.Left
	Lengths         = report.Lengths
	Metrics         = report.Metrics
	Models          = report.Models
	Mutating        = report.Mutating
	Op              = report.Op
	Opinion         = report.Opinion
	Origin          = report.Origin
	Parting         = report.Parting
	PassHatK        = report.PassHatK
	Pattern         = report.Pattern
	Plugin          = report.Plugin
	Precondition    = report.Precondition
	Quote           = report.Quote
	Replay          = report.Replay
	Report          = report.Report
	Row             = report.Row
	RowVerdict      = report.RowVerdict
	Score           = report.Score
	Sided           = report.Sided
	StageCounts     = report.StageCounts
	Story           = report.Story
	StoryCall       = report.StoryCall
	Support         = report.Support
	Suspect         = report.Suspect
	Tally           = report.Tally
	Trajectory      = report.Trajectory
	Violation       = report.Violation
	ViolationCounts = report.ViolationCounts
	ViolationType   = report.ViolationType
	Vote            = report.Vote
	Warning         = report.Warning
)

// The values of the words, the schema, and the constants of the figures. See package
// report.
const (
	DefaultSeed              = report.DefaultSeed
	Definitions              = report.Definitions
	Deletion                 = report.Deletion
	EndBoundary              = report.EndBoundary
	Insertion                = report.Insertion
	Level                    = report.Level
	Match                    = report.Match
	MissingConfirmation      = report.MissingConfirmation
	MissingConsent           = report.MissingConsent
	MissingVerification      = report.MissingVerification
	MutatingNo               = report.MutatingNo
	MutatingUnknown          = report.MutatingUnknown
	MutatingYes              = report.MutatingYes
	OverAction               = report.OverAction
	OverGranular             = report.OverGranular
	PreconditionIgnorance    = report.PreconditionIgnorance
	PrematureTermination     = report.PrematureTermination
	RowCorrect               = report.RowCorrect
	RowExcused               = report.RowExcused
	RowNote                  = report.RowNote
	RowViolation             = report.RowViolation
	Schema                   = report.Schema
	ScopeOvergeneralisation  = report.ScopeOvergeneralisation
	StartBoundary            = report.StartBoundary
	Substitution             = report.Substitution
	UnderAction              = report.UnderAction
	UnderGranular            = report.UnderGranular
	UnnecessaryDecomposition = report.UnnecessaryDecomposition
)

// Agree groups the runs of each task by their changes. The order of the changes does not
// matter. Agree leaves out tasks with only one run, runs without a task, and runs that
// could not be scored. These calls are not changes:
//
//   - calls that failed;
//   - calls that only read;
//   - calls that control the dialogue.
//
// The tasks are in input order. O(actions log actions).
func Agree(r *Report) []Consensus {
	return report.Agree(r)
}

// Stages counts the findings on successful runs before and after each stage of
// equivalence. An excused action that changes no state, such as a read, always counts for
// the state stage. The outcome stage excuses all findings on a run if a checker derived
// the success from the run. A success that is only recorded excuses no finding. O(size of
// the report).
func Stages(r *Report) StageCounts {
	return report.Stages(r)
}
