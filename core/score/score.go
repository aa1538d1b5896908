// Package score is the pipeline: it scores the runs of a request and returns the report.
//
// The pipeline has four stages, each in its own package: align the observed actions with
// the reference (align), excuse functional equivalents (equivalence), classify the rest
// (violation), and compute the figures (metric). Package trajectory reads the input,
// package mutation decides which actions have an effect, and every front end uses the
// core through package wire.
//
// There are four kinds of results. An error means that the input cannot be used
// (*InputError). A violation is a finding about the run. A warning says that something
// was not read as it was written; it is in the report and must be shown. A panic is a bug
// of this project. While one run is scored, it becomes the error of this run (see
// guardRun); package wire recovers from all others. The core uses no clock, no network
// and no unseeded randomness, and starts goroutines only if Options.Cores allows them, so
// equal input gives equal output on every platform.
package score

import (
	"errors"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Request contains the traces to score, and how to score them.
type Request struct {
	Inputs    []Source
	Reference *reference.Reference // takes precedence over the runs' own references; nil to use those
	Options   Options

	References map[string]*reference.Reference // by task id; these take precedence over all others
	Progress   func(done, total int)           // called after each trajectory, never twice at once; nil for none
	Run        string                          // the id of the run for Transcribe; Evaluate ignores it

	// Stop is asked before each stage of each run. After it has returned an error, which it
	// must then always do, Evaluate begins no further stage and returns this error. It is
	// called from several goroutines if there are several Cores; nil to score everything.
	Stop func() error
}

// Source is one trace text. The report contains Name if there are several.
type Source struct {
	Name    string
	Data    []byte
	Format  string // the format to read it as, one of Formats; "" to detect it
	Err     error  // why the source cannot be a trace, if that is already known; nil otherwise
	Derived bool   // Data was made from the file or cut out of it, so its lines are not the file's
	Path    string // the path relative to the configuration file, with slashes; "" for Name
}

// Options say how a request is scored. The zero value selects the defaults.
type Options struct {
	Profile string         // auto (or ""), outcome, sop
	Seed    uint64         // of the bootstrap; 0 means DefaultSeed
	Table   mutation.Table // the operator's own verdicts on tools
	Tools   []mutation.Tool
	Advisor mutation.Advisor // a plugin's verdicts on tools, which may only be stricter; nil for none
	// Classifier is used instead of Table, Tools and Advisor if Table and Tools are
	// empty. Requests that share a Classifier classify each tool name only once. With
	// nil, the request makes its own.
	Classifier *mutation.Classifier
	// Cache keeps calls and references from one request to the next. Its calls are used
	// only together with Classifier, and only if one goroutine scores the runs.
	Cache *Cache

	Params     Params               // α, β, γ, τ, θ and others; the zero value is the papers'
	Vocabulary *boundary.Vocabulary // names with the same meaning, and actions that consist of others; nil for none

	Config *config.Config // settings for which neither the request nor its traces have a value; nil for none

	Unreferenced bool // ignore every reference, as lint does
	// If Consensus is above 0, all given references are ignored. Each run is compared
	// with the changes that most other runs of its task made: more than half of these
	// runs, and at least the share Consensus.
	Consensus float64

	RunsOnly bool // leave the corpus figures out, for callers that compute those of many requests

	Lines bool // record the line of each action, for reports that refer to lines

	// Cores is the largest number of goroutines that read or score runs at the same time. With 0
	// and 1, Evaluate starts none. With more, the checkers and the Advisor must allow
	// concurrent calls. The report depends on it only if a checker runs out of time.
	Cores int

	Checkers []checker.Checker // benchmark knowledge; the first one that applies to a document is asked

	// Embedder returns the vectors by which free texts are compared; with nil, words are
	// compared. If it fails and Lexical is set, words are compared and a warning says so;
	// otherwise Evaluate returns the error.
	Embedder similarity.Embedder
	Lexical  bool
	// Judge is asked about findings whose confidence is below JudgeBelow (0 means
	// judge.DefaultBelow). With nil, the rules decide all findings. If an Embedder or a
	// Judge is a fmt.Stringer, the report contains its name.
	Judge      judge.Judge
	JudgeBelow float64
}

// InputError says why the input cannot be used, where the error is, and what would be
// correct. Line and Column count from 1, and are 0 if the position is not known.
type InputError struct {
	Msg          string
	Line, Column int
	Seen         string
	Formats      []string // the formats that can be read; set if the format is unknown
	cause        error
}

// Error returns the message without the position.
func (e *InputError) Error() string { return e.Msg }

// Unwrap returns the cause of the error, such as ErrNoKnownSuccess, or nil.
func (e *InputError) Unwrap() error { return e.cause }

// Formats returns the names of the supported trace formats.
func Formats() []string { return read.Formats() }

// Evaluate scores a request. The error is an *InputError, or comes from the Embedder or
// the Judge in the options, or from Stop.
func Evaluate(r Request) (report.Report, error) {
	r.Options.applyConfig()
	if _, err := profileFor(r.Options.Profile, nil); err != nil {
		return report.Report{}, err
	}
	if err := r.Options.Params.checkRanges(); err != nil {
		return report.Report{}, err
	}
	e := newEvaluator(r, r.Options.chooseClassifier())
	if err := e.readAll(r.Inputs); err != nil {
		return report.Report{}, err
	}
	if r.Options.Consensus > 0 {
		e.agreeOn(r.Options.Consensus)
	}
	if err := e.embedTexts(); err != nil {
		return report.Report{}, err
	}
	s := e.newSchedule(r.Options.Cores)
	reports := e.scoreRuns(&s)
	e.compareTrials()
	if err := e.stopError(); err != nil {
		return report.Report{}, err
	}
	if err := e.judgeFindings(); err != nil {
		return report.Report{}, err
	}
	e.reportRuns(&s, reports)
	if err := e.stopError(); err != nil {
		return report.Report{}, err
	}
	return e.buildReport(reports), nil
}

func (o *Options) chooseClassifier() *mutation.Classifier {
	if o.Classifier != nil && len(o.Table) == 0 && len(o.Tools) == 0 {
		return o.Classifier
	}
	return mutation.New(o.Tools, o.Table).Advised(o.Advisor)
}

// profileFor returns the profile with the given name. For "auto" and "", it returns sop
// if a person wrote the reference, and otherwise outcome.
func profileFor(name string, ref *reference.Reference) (boundary.Profile, error) {
	switch name {
	case "", "auto":
		if ref != nil && ref.Origin == reference.Person {
			return boundary.SOP, nil
		}
		return boundary.Outcome, nil
	case "outcome":
		return boundary.Outcome, nil
	case "sop":
		return boundary.SOP, nil
	}
	return 0, &InputError{Msg: "unknown profile " + quote(name) + "; the known profiles are auto, outcome and sop"}
}

func inputError(err error) error {
	var t *trajectory.Error
	if errors.As(err, &t) {
		return &InputError{Msg: t.Msg, Line: t.Line, Column: t.Column, Seen: t.Seen, Formats: t.Formats}
	}
	return &InputError{Msg: err.Error()}
}
