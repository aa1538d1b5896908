// Package core scores agent trajectories: it reports where an agent did too much, too
// little, at the wrong granularity, or began or ended in the wrong place.
//
// It is the facade. Package score has the pipeline. Package report has the words of a
// report, and what is computed from a report alone. Every front end that takes bytes uses
// the core through package wire.
package core

import (
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/score"
)

// What a request consists of, and why one is refused. See package score.
type (
	Cache      = score.Cache
	InputError = score.InputError
	Options    = score.Options
	Params     = score.Params
	Request    = score.Request
	Source     = score.Source
	Step       = score.Step
	Transcript = score.Transcript
	Turn       = score.Turn
)

// What package score says of a run that broke, of one without a reference, and the schema
// of a transcript.
const (
	Internal         = score.Internal
	SchemaTranscript = score.SchemaTranscript
	Unreferenced     = score.Unreferenced
)

// ErrNoKnownSuccess is the cause of an error of ReferencesFrom: no run is known to be
// successful.
var ErrNoKnownSuccess = score.ErrNoKnownSuccess

// Evaluate scores a request. The error is an *InputError, or comes from the Embedder or
// the Judge in the options, or from Stop.
func Evaluate(r Request) (Report, error) {
	return score.Evaluate(r)
}

// Formats returns the names of the supported trace formats.
func Formats() []string {
	return score.Formats()
}

// Place sets the lines of the observed actions in a finished report, as Evaluate does
// with Options.Lines. The argument must be the request of the report. Place reads the
// inputs of the request again, but does not score them. An action that is not found in
// the inputs gets no line. The error is an *InputError. O(size of the inputs).
func Place(r *Report, request Request) error {
	return score.Place(r, request)
}

// ReadRequest parses the bytes that a front end received. They are a plain trace, or an
// envelope {"trace": …, "reference": …, "profile": …, "seed": …, "options": …, "tools":
// …}. The error is an *InputError. These members of an envelope need an explanation:
//
//   - "trace" is JSON, or a string that contains a trace;
//   - "traces" is a list of several traces, [{"name": …, "trace": …}];
//   - "run" is the id of one run (see Transcribe);
//   - "config" is a boundcheck.yaml as JSON;
//   - "file" is the path of the trace relative to the configuration file;
//   - "title" and "description" are for people.
func ReadRequest(body []byte) (Request, error) {
	return score.ReadRequest(body)
}

// Recount computes the corpus figures of a report again, with the θ and the denominator
// of the options (the parameters of stage four). The report must be about a single file.
// The result has no groups. The error is an *InputError. It also says that the report has
// figures by other definitions.
func Recount(r *Report, o *Options) (Corpus, error) {
	return score.Recount(r, o)
}

// References parses the references in a file (see reference.ReadSet). It returns one
// reference for all runs, or one for each task, so exactly one of the two results is set.
// The file may also be a trace that contains the references of its runs, such as a
// benchmark's result file, or an evaluator's data set with the expected calls of its
// records. The error is an *InputError.
func References(data []byte) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	return score.References(data)
}

// ReferencesFrom makes references from successful runs. The reference of a task is its
// first successful run, without control actions and failed calls. If a trace has only one
// run and its outcome is not known, this run counts as successful. A run that was perhaps not
// read as it was is no reference. The error is an
// *InputError that says why no run can be used.
func ReferencesFrom(data []byte) (byTask map[string]*reference.Reference, err error) {
	return score.ReferencesFrom(data)
}

// Transcribe returns the transcript of the run with the given id, or of the first run if
// id is "". It reads the inputs of the request as Evaluate does. The error is an
// *InputError. O(size of the inputs).
func Transcribe(r Request, id string) (Transcript, error) {
	return score.Transcribe(r, id)
}
