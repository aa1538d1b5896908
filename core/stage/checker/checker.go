// Package checker declares the interface between the core and what is known about a
// benchmark. A Checker replays or compares what the core cannot, and rules on rows of an
// alignment. Plugins implement the interface. The core contains no implementation.
package checker

import "github.com/boundcheck/boundcheck/core/action/boundary"

// Checker checks runs of one or more benchmarks.
type Checker interface {
	// About names the checker for the report.
	About() About
	// Applies reports whether a document belongs to a benchmark that the checker knows,
	// by the trace format and the names of all calls in it.
	Applies(format string, names []string) (benchmark string, ok bool)
	// Check rules on one run. If it returns an error, the run is scored without the
	// checker.
	Check(c *Case) (Verdict, error)
}

// Speaker is a Checker that also has a vocabulary: names with the same meaning, and
// compositions of actions. The core uses it for the documents to which the checker
// applies. Every call of Vocabulary must return the same result. nil means that there is
// no vocabulary.
type Speaker interface {
	Checker
	Vocabulary() *boundary.Vocabulary
}

// About holds a checker's name, version and the hash of its module.
type About struct{ Name, Version, SHA256 string }

// Case is one run with its alignment.
type Case struct {
	Benchmark string
	Observed  []Call
	Reference []Call // nil for a run without a reference
	Rows      []Row
	Outputs   []string // texts that the user must be told
	Replies   []string // texts that the user was told
	Recorded  *bool    // the source's own verdict; nil if it has none
	Task      string   // the task's name in the source
	Opening   string   // the text before the agent's first turn

	Submission *string     // the run's submission at its end, such as a diff; nil if not recorded
	Assertions []Assertion // the recorded results of the benchmark's own checks
	Reward     *float64    // the run's recorded score; nil if it has none
}

// Assertion is one check of the benchmark's evaluator. It gave Result points of Total.
type Assertion struct {
	Name          string
	Result, Total float64
}

// Call is one action. Arguments is JSON text, unless Broken is true.
type Call struct {
	Name, Arguments string
	Text            string // the text of a free-text action
	Broken          bool
	Requestor       string
	Observation     *string
	Failed          bool
}

// Row is one row of the alignment; -1 for a gap.
type Row struct {
	Op       string
	Obs, Ref int
}

// Verdict holds the results of a checker. Rows that it does not mention stay unchanged.
type Verdict struct {
	Excused []Excuse // functional equivalents
	Blamed  []Blame  // rows that cause a difference in the final state
	Replay  *Replay  // nil if nothing was replayed
}

// Excuse says that the difference in a row has no effect on the result.
type Excuse struct {
	Row           int
	Stage, Reason string
}

// Blame lists the differences of the replay to which a row contributes, as indices into
// Replay.Differences.
type Blame struct {
	Row         int
	Differences []int
	Reason      string
}

// BasisObservations is the basis of a verdict that follows from the observations of the
// run alone and needs no reference.
const BasisObservations = "observations"

// BasisRecorded is the basis of a verdict that the benchmark recorded. The verdict is
// reported, but it neither excuses nor blames a row.
const BasisRecorded = "recorded"

// Replay is the result of executing the run and the reference again, or of an equivalent
// check.
type Replay struct {
	Benchmark    string
	Basis        string // database, or write-effects if there is no database
	Success      bool   // the states are equal, and every output was said
	StateEqual   bool
	Outputs      map[string]bool
	Differences  []Difference
	Contradicted bool // the recorded outcome is different
	Notes        []string
	Assertions   []Assertion // recorded checks on which the verdict is based
	Score        *float64    // their share of points, 0 to 1; nil if there are none
}

// Difference is one place where the two final states differ. It has the JSON text of each
// side, or "" if the side has no value there.
type Difference struct {
	Table     string
	Key       string
	Field     string
	Observed  string
	Reference string
}
