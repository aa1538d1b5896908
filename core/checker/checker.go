// Package checker declares what a benchmark's own knowledge looks like from
// inside the core: a Checker replays or compares what the core cannot, and
// rules on rows of an alignment. Plugins implement it; the core knows none.
package checker

import "github.com/boundcheck/boundcheck/core/boundary"

// Checker knows one or more benchmarks.
type Checker interface {
	// About names the checker for the report.
	About() About
	// Applies reports whether a document is of a benchmark that the checker knows,
	// by the trace format and the names of all calls in it.
	Applies(format string, names []string) (benchmark string, ok bool)
	// Check rules on one run. An error means that the checker could not be used
	// on it; the run is then scored without.
	Check(c *Case) (Verdict, error)
}

// Speaker is a Checker that also knows, for the documents that it applies to, which
// names mean the same and which actions are made of others. Every call returns the same
// result; nil means that it knows none.
type Speaker interface {
	Checker
	Vocabulary() *boundary.Vocabulary
}

// About is a checker's name, version and the hash of its module.
type About struct{ Name, Version, SHA256 string }

// Case is one run with its alignment.
type Case struct {
	Benchmark string
	Observed  []Call
	Reference []Call // nil for a run without a reference
	Rows      []Row
	Outputs   []string // texts that the user must be told
	Replies   []string // texts that the user was told
	Recorded  *bool    // the source's own verdict; nil when it has none
	Task      string   // the task's name, as the source has it
	Opening   string   // what stood before the agent's first turn

	Submission *string     // what the run handed in at its end, such as a diff; nil when not recorded
	Assertions []Assertion // what the benchmark's own checks gave, as recorded
	Reward     *float64    // the run's recorded score; nil when it has none
}

// Assertion is one check that the benchmark's own evaluator made: Result points
// of Total.
type Assertion struct {
	Name          string
	Result, Total float64
}

// Call is one action. Arguments is JSON text, unless Broken is true.
type Call struct {
	Name, Arguments string
	Text            string // a free-text action's own words
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

// Verdict is what a checker found. Rows that it does not name stay as they are.
type Verdict struct {
	Excused []Excuse // functional equivalents
	Blamed  []Blame  // rows that a difference in the final state comes from
	Replay  *Replay  // nil when nothing was replayed
}

// Excuse says that the difference in a row has no effect on the result.
type Excuse struct {
	Row           int
	Stage, Reason string
}

// Blame says which of the replay's differences a row contributes to.
type Blame struct {
	Row         int
	Differences []int
	Reason      string
}

// BasisObservations is the basis of a verdict that follows from the run's own
// observations and needs no reference.
const BasisObservations = "observations"

// BasisRecorded is the basis of a verdict that the benchmark itself recorded. It is
// reported, but excuses and blames nothing.
const BasisRecorded = "recorded"

// Replay is the result of carrying out the run and the reference again.
type Replay struct {
	Benchmark    string
	Basis        string // database, or write-effects without one
	Success      bool   // state equal and every output said
	StateEqual   bool
	Outputs      map[string]bool
	Differences  []Difference
	Contradicted bool // the recorded outcome is another
	Notes        []string
	Assertions   []Assertion // recorded checks that the verdict rests on
	Score        *float64    // their share of points, 0 to 1; nil without any
}

// Difference is one place where the two final states differ: JSON text on each side,
// and "" for a side without such a value.
type Difference struct {
	Table     string
	Key       string
	Field     string
	Observed  string
	Reference string
}
