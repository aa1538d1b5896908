// Package report has the words of a report, and what is computed from a report alone: the
// figures of the corpus, the stages, and what the runs of a task agree on.
package report

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/metric"
)

// This file holds the report's JSON form. Every front end returns these bytes, so a
// change here changes the schema. The TypeScript types under wasm/npm are generated from
// this file, and a test fails if they differ.

// Schema is the version of a report's JSON form. It changes if a program written for the
// old form would misread the new one.
const Schema = "boundcheck.report/1"

// Definitions is the version of the definitions of the figures, which a report has as its
// member "definitions". A report without this member has version 1. Figures of different
// versions must not be compared or added up.
const Definitions = metric.Definitions

// Report is the result of Evaluate. It has one entry for each trajectory, in input order,
// the corpus figures, and a warning for everything that could not be read as it was
// written.
type Report struct {
	Schema       string       `json:"schema"`
	Definitions  int          `json:"definitions"` // version of the definitions of the figures; absent means 1
	Profile      string       `json:"profile"`     // outcome, sop; mixed if the trajectories differ
	Input        Input        `json:"input"`
	Trajectories []Trajectory `json:"trajectories"`
	Corpus       Corpus       `json:"corpus"`
	Warnings     []Warning    `json:"warnings"`
	Plugins      []Plugin     `json:"plugins,omitempty"` // the plugins that were used
	Models       *Models      `json:"models,omitempty"`  // only if a model was asked
}

// Models names the models that contributed to the report.
type Models struct {
	Embeddings string `json:"embeddings,omitempty"` // compared free texts
	Judge      string `json:"judge,omitempty"`      // gave second opinions

	Ensemble *Ensemble `json:"ensemble,omitempty"` // only if several judges were asked
}

// Ensemble says how far several judges agreed with each other.
type Ensemble struct {
	Judges    int   `json:"judges"`
	Cases     int   `json:"cases"`     // cases on which at least two judges had an opinion
	Unanimous int   `json:"unanimous"` // cases on which they agreed
	Kappa     Score `json:"kappa"`     // Fleiss' κ over the seven labels
}

// Input describes what was read.
type Input struct {
	Format       string `json:"format"` // the detected trace format; mixed if the files differ
	Bytes        int    `json:"bytes"`  // size of the trace text
	Trajectories int    `json:"trajectories"`
	Files        []File `json:"files,omitempty"` // only if several files were scored together
}

// File is one of several scored files. Its trajectories come after those of the previous
// files.
type File struct {
	Name         string `json:"name"`
	Format       string `json:"format"`
	Bytes        int    `json:"bytes"`
	Trajectories int    `json:"trajectories"`
	Error        string `json:"error,omitempty"` // why it could not be read; it then has no trajectories
}

// Trajectory is one scored run.
type Trajectory struct {
	ID         string      `json:"id"` // unique within the report
	Task       string      `json:"task"`
	Error      *Failure    `json:"error,omitempty"` // why the run was not scored; it then has no actions and no figures, and no figure counts it
	Trial      *int        `json:"trial"`           // null if the source does not number trials
	Success    *bool       `json:"success"`         // the source's own verdict; null if it has none
	Reward     *float64    `json:"reward"`
	Profile    string      `json:"profile"`
	Flagged    bool        `json:"flagged"`            // has a violation after equivalence that is not a hint
	Passed     *bool       `json:"passed"`             // false if a boundary broke or the record says that the run failed; null if it is not known, and the verdict says why
	Work       string      `json:"work,omitempty"`     // without a reference: the kind of work, which selects the rules
	Verdict    string      `json:"verdict,omitempty"`  // the verdict on the run in one sentence; with a reference, only if it is neither flagged nor known to be good
	Recorded   []string    `json:"recorded,omitempty"` // what the trace tells about a recorded failure without a known cause
	Story      []Story     `json:"story,omitempty"`    // what went wrong, the most decisive first; empty if there is no finding
	Doubt      string      `json:"doubt,omitempty"`    // why it is not known that the run was read as it was; such a run is never fine
	Observed   []Action    `json:"observed"`
	Reference  []Action    `json:"reference"` // null if there is no reference
	Alignment  []Row       `json:"alignment"`
	Violations []Violation `json:"violations"`
	Excused    []Violation `json:"excused,omitempty"` // findings that the judge rejected; no figure counts them
	Metrics    Metrics     `json:"metrics"`

	// Support is set if the reference was taken from other runs of the task. It gives the
	// number of runs that agree on it.
	Support *Support `json:"support,omitempty"`

	// Suspects are set if several agents talk and there is no reference. They are the
	// turns to read first, at most three, the most suspicious first. They are not
	// findings.
	Suspects []Suspect `json:"suspects,omitempty"`

	Spent       *Totals      `json:"spent,omitempty"`       // what the run took; absent if the trace says nothing of it
	Replay      *Replay      `json:"replay,omitempty"`      // only if a benchmark's checker replayed the run
	Attribution *Attribution `json:"attribution,omitempty"` // why the run went wrong; only with a reference and a violation
}

// Story tells one cause of a broken boundary: what the agent did, what it should have done,
// and why that is known. Every value in it stands in the run or in the reference.
type Story struct {
	Kind       string      `json:"kind"`              // differs, extra, instead, missing, unsaid, found, suspected
	Fact       string      `json:"fact,omitempty"`    // suspected: the fact that the first sentence states, such as gave-up or cut-off
	Text       []string    `json:"text"`              // the story in sentences
	Did        []StoryCall `json:"did,omitempty"`     // the agent's actions, by index into observed
	Should     []StoryCall `json:"should,omitempty"`  // the steps that it should have done, by index into reference
	Differs    []Evidence  `json:"differs,omitempty"` // the arguments that differ, with both values as JSON text
	Instead    []Event     `json:"instead,omitempty"` // what came in place of steps that were not done
	Because    *Quote      `json:"because,omitempty"` // the sentence that the run goes against, if one was found
	Findings   []int       `json:"findings"`          // indices into violations: all findings with this cause
	Confidence float64     `json:"confidence"`        // 0 to 1
}

// StoryCall is an action or a step in a story, with the thing on which it acts.
type StoryCall struct {
	Index  int        `json:"index"`
	Name   string     `json:"name"`
	Object []Argument `json:"object,omitempty"`
}

// Argument is one argument as JSON text.
type Argument struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Event is what came in place of a step that was not done.
type Event struct {
	Kind    string     `json:"kind"`              // handed-over, refused, proposed, no-change
	Action  *int       `json:"action"`            // index into observed; null if it is no action
	Text    string     `json:"text,omitempty"`    // the error of a refused call
	Differs []Evidence `json:"differs,omitempty"` // the arguments in which a try differs from the step
}

// Quote is a sentence of the conversation, word for word.
type Quote struct {
	By      string `json:"by"`      // user, policy, data (the result of a tool)
	Message *int   `json:"message"` // index into the run's messages; null for instructions outside of them
	Text    string `json:"text"`
}

// Failure says why a run was not scored.
type Failure struct {
	Code    string `json:"code"` // internal: a bug of this project
	Message string `json:"message"`
}

// Support is given for a run whose reference comes from other trials of its task. Agree
// of Of other trials made the same changes, which became the reference.
type Support struct {
	Agree int    `json:"agree"`
	Of    int    `json:"of"`
	Run   string `json:"run"` // id of the run whose steps are the reference
}

// Suspect is a turn that most likely introduced an error.
type Suspect struct {
	Message int      `json:"message"` // index into the run's messages
	Agent   string   `json:"agent"`
	Reasons []string `json:"reasons"`
}

// Plugin is a checker that was used.
type Plugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

// Replay is the result of a benchmark's checker that replayed the run and the reference.
type Replay struct {
	Benchmark    string          `json:"benchmark"`
	Basis        string          `json:"basis"`   // database, write-effects, observations or recorded
	Success      bool            `json:"success"` // the state is equal and every output was said
	StateEqual   bool            `json:"stateEqual"`
	Outputs      map[string]bool `json:"outputs"`
	Differences  []Difference    `json:"differences"`
	Contradicted bool            `json:"contradicted"` // the recorded outcome is different
	Notes        []string        `json:"notes"`
	Assertions   []Assertion     `json:"assertions,omitempty"` // the benchmark's own checks, as recorded
	Score        *float64        `json:"score,omitempty"`      // the assertions' share of points, 0 to 1
}

// Assertion is one check by the benchmark's evaluator. It gave Result points of Total.
type Assertion struct {
	Name   string  `json:"name"`
	Result float64 `json:"result"`
	Total  float64 `json:"total"`
}

// Difference is one place where the two final states differ. It has the JSON text of each
// side.
type Difference struct {
	Table     string `json:"table"`
	Key       string `json:"key"`
	Field     string `json:"field"`
	Observed  string `json:"observed,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// Attribution is the first failure point and its cause.
type Attribution struct {
	First   int     `json:"first"` // index into violations
	Primary Cause   `json:"primary"`
	Factors []Cause `json:"factors"`
}

// Cause is one failure mode: tool-selection-error, boundary-violation,
// state-tracking-failure or reasoning-error.
type Cause struct {
	Mode       string  `json:"mode"`
	Confidence float64 `json:"confidence"` // 0 to 1
	Reason     string  `json:"reason"`
	Evidence   string  `json:"evidence,omitempty"` // the agent's words, or the data that it had seen
}

// Action is one observed action or one reference step.
type Action struct {
	Name      string   `json:"name"`
	Arguments string   `json:"arguments,omitempty"` // JSON text, byte for byte as in the trace
	Text      string   `json:"text,omitempty"`      // the text of a free-text action
	Message   *int     `json:"message,omitempty"`   // index of the message that contains it, or that has the call whose answer does
	Mutating  Mutating `json:"mutating"`            // yes, no, unknown (counts as yes)
	Control   bool     `json:"control,omitempty"`   // changes no environment state: thinks, asks, hands over
	Layer     string   `json:"layer"`               // the mutation layer that decided
	Error     bool     `json:"error,omitempty"`     // its observation was an error, so it changed nothing
	Proposed  bool     `json:"proposed,omitempty"`  // the trace says that it was not executed, so it changed nothing

	Line  int    `json:"-"` // line of the file that contains the call, from 1; 0 if unknown
	Place string `json:"-"` // of a reference step: its place in the reference, as in reference.Step; "" if unknown

	// Steps are the reference steps that the action did, at least in part, as indices. It is
	// set only if the action's own row does not say it: for a step that was done in another
	// position or in several actions, and for an action that did several steps.
	Steps []int `json:"steps,omitempty"`

	Spent *Spent `json:"spent,omitempty"` // when it was done, how long it took, and the tokens of the answer that made it; absent if the trace says nothing
	Retry *int   `json:"retry,omitempty"` // index of the failed action that it tries again
	Took  string `json:"took,omitempty"`  // both in words: "planner, 1.5 s, 90 tokens, tries step 1 again"

	Boundary *Boundary `json:"boundary,omitempty"` // absent if there is no reference
	Origins  []Origin  `json:"origins,omitempty"`  // of an action that may change something, if there is no reference
	Request  *Asked    `json:"request,omitempty"`  // of an action that may change something, if there is no reference
}

// Spent is what the trace says that a step took. A member that is absent is not recorded, which
// is not the same as 0.
type Spent struct {
	Start   *float64 `json:"start,omitempty"`        // seconds since 1970 UTC
	Seconds *float64 `json:"seconds,omitempty"`      // how long it took
	Input   *float64 `json:"inputTokens,omitempty"`  // tokens that the model read, with those from a cache
	Output  *float64 `json:"outputTokens,omitempty"` // tokens that the model wrote
	Tokens  *float64 `json:"tokens,omitempty"`       // both, or what the trace says of both
	Cost    *float64 `json:"cost,omitempty"`         // USD
	Agent   string   `json:"agent,omitempty"`        // the name of the agent that made the step
	Parent  string   `json:"parent,omitempty"`       // the agent that gave the work to this one
}

// Totals are the sums of what a trace says that the parts of a run took. A member that is
// absent is recorded for no part. A sum counts only the parts that have it.
type Totals struct {
	Text    []string `json:"text"`                   // the same in words, with what is not recorded
	Elapsed *float64 `json:"elapsed,omitempty"`      // seconds from the first to the last recorded moment
	Seconds *float64 `json:"seconds,omitempty"`      // of the calls
	Input   *float64 `json:"inputTokens,omitempty"`  // tokens that the model read
	Output  *float64 `json:"outputTokens,omitempty"` // tokens that the model wrote
	Tokens  *float64 `json:"tokens,omitempty"`       // both
	Cost    *float64 `json:"cost,omitempty"`         // USD
	Rest    *Spent   `json:"rest,omitempty"`         // the part of the sums that belongs to no call: answers in words
	Whole   []string `json:"whole,omitempty"`        // the members above that the trace says of the whole run only, so that they are no sums
	Agents  []string `json:"agents,omitempty"`       // the agents that made calls, in the order of their first ones, if there are several
}

// Asked says who asked for an action. What the data asks for, nobody asked for.
type Asked struct {
	By      string `json:"by"`                // user, developer, none (it needs no request), data, nobody, unknown
	Why     string `json:"why"`               // the same in words, for people
	Words   string `json:"words,omitempty"`   // the sentence that asks, or the passage of the data
	Message *int   `json:"message,omitempty"` // index of the message that contains the words, or that has the call whose answer does
	Action  *int   `json:"action,omitempty"`  // index of the observed action whose answer contains them
	Agreed  bool   `json:"agreed,omitempty"`  // the words are the agent's, and the user agreed to them
}

// Origin is the source of one value in the arguments of an action.
type Origin struct {
	Path    string `json:"path"`              // argument path
	Kind    string `json:"kind"`              // user, tool, policy, schema, computed, nowhere, chosen
	Source  string `json:"source"`            // the same in words, for people
	Message *int   `json:"message,omitempty"` // index of the message that contains it, or that has the call whose answer does
	Action  *int   `json:"action,omitempty"`  // index of the observed action whose answer contains it
}

// Boundary is B(a) = ⟨pre, eff, scope, gran⟩ of one action.
type Boundary struct {
	Pre    []Precondition `json:"pre"`              // earlier knowledge or actions that belong to it
	Eff    string         `json:"eff"`              // what it changes: verb and object; "none" for nothing, "unknown"
	Scope  []string       `json:"scope"`            // the entities, JSON text
	Gran   float64        `json:"gran"`             // 1 is atomic; a compound action has the number of steps that it covers, a part its share of one step
	Stated []string       `json:"stated,omitempty"` // the parts that a reference or a tool table states; the others are inferred
}

// Precondition is one earlier action that belongs to an action's boundary.
type Precondition struct {
	Name   string `json:"name"`
	Action *int   `json:"action"` // index on the same side; null for a stated one that was not done
	Kind   string `json:"kind"`   // value (it returned a value), entity (it read an entity), check, consent, opening, stated
	Failed bool   `json:"failed,omitempty"`
}

// Row is one line of the canonical alignment. From the first row to the last, the values
// of Obs that are not null count all observed actions from 0, and those of Ref count all
// reference steps.
type Row struct {
	Op         Op         `json:"op"` // match, substitution, insertion (extra), deletion (missing)
	Obs        *int       `json:"obs"`
	Ref        *int       `json:"ref"`
	Similarity float64    `json:"similarity"`
	Verdict    RowVerdict `json:"verdict"`          // correct, excused, note, violation
	Stage      string     `json:"stage,omitempty"`  // what excused it: state, effect, outcome, judge
	Reason     string     `json:"reason,omitempty"` // why it is excused, a note or a violation
	Hint       bool       `json:"hint,omitempty"`   // a violation whose findings are all hints: whether it is one is not known
}

// MarkHints marks the rows with a violation whose findings are all hints.
func (t *Trajectory) MarkHints() {
	sure := make([]bool, len(t.Alignment))
	for i := range t.Violations {
		v := &t.Violations[i]
		rows := v.Rows
		if v.Row != nil && rows == nil {
			rows = []int{*v.Row}
		}
		for _, row := range rows {
			sure[row] = sure[row] || !v.Hint
			t.Alignment[row].Hint = t.Alignment[row].Verdict == "violation"
		}
	}
	for row := range sure {
		t.Alignment[row].Hint = t.Alignment[row].Hint && !sure[row]
	}
}

// Violation is a finding: where a boundary broke, the reason, and the confidence.
type Violation struct {
	Type       ViolationType `json:"type"`
	Pattern    Pattern       `json:"pattern,omitempty"`
	Rule       string        `json:"rule"` // stable kebab-case id
	Row        *int          `json:"row"`  // index into alignment; null if it concerns the whole run
	Obs        *int          `json:"obs"`
	Ref        *int          `json:"ref"`
	Confidence float64       `json:"confidence"`     // 0 to 1
	By         string        `json:"by"`             // rule, lint, judge, person
	Hint       bool          `json:"hint,omitempty"` // not certain enough to flag the run
	Reason     string        `json:"reason"`
	Evidence   []Evidence    `json:"evidence,omitempty"`
	Rows       []int         `json:"rows,omitempty"`    // all rows of a finding about several
	Differs    []string      `json:"differs,omitempty"` // the parts of the boundary that differ: pre, eff, scope, gran
	Judge      *Opinion      `json:"judge,omitempty"`   // only if a judge was asked
	Person     *Mark         `json:"person,omitempty"`  // only if a person judged the finding on the page; the core never writes it
}

// Mark is what a person thinks of a finding.
type Mark struct {
	Right   *bool  `json:"right"` // null if the person only wrote a comment
	Comment string `json:"comment,omitempty"`
}

// Opinion is a judge's opinion on a finding, and how it was used.
type Opinion struct {
	Label      string  `json:"label,omitempty"` // one of seven; absent if it gave no opinion
	Confidence float64 `json:"confidence"`      // 0 to 1
	Reason     string  `json:"reason"`          // the judge's own words, or why it gave no opinion
	Route      string  `json:"route"`           // accepted, noted, queued (a person must decide), no-opinion
	Note       string  `json:"note,omitempty"`  // why the finding did or did not change
	Was        string  `json:"was,omitempty"`   // the rule's type, if the judge changed it
	Votes      []Vote  `json:"votes,omitempty"` // of several judges, the opinion of each
}

// Vote is the opinion of one of several judges.
type Vote struct {
	Judge      string  `json:"judge"`
	Label      string  `json:"label,omitempty"` // absent if it gave no opinion
	Confidence float64 `json:"confidence"`      // 0 to 1
}

// Evidence is one place where the observed action and the reference differ, or one text
// that shows the finding.
type Evidence struct {
	Path      string `json:"path"` // argument path, or a description of the text
	Observed  string `json:"observed,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// Metrics are the figures of one trajectory or of the corpus. The optional figures are
// set only for the corpus.
type Metrics struct {
	// WithinBounds is the share of the alignment's rows that are no violation.
	WithinBounds            Score `json:"withinBounds"`
	ABS                     ABS   `json:"abs"`
	GAR                     Score `json:"gar"`
	SVR                     Score `json:"svr"`                     // over-actions and under-actions per action
	GranularityRate         Score `json:"granularityRate"`         // granularity violations per action
	ScopeAndGranularityRate Score `json:"scopeAndGranularityRate"` // the sum of svr and granularityRate

	BASR         *Sided `json:"basr,omitempty"`
	SR           *Score `json:"sr,omitempty"`    // of the same runs as BASR, if there are any
	SRAll        *Score `json:"srAll,omitempty"` // of all runs with a known outcome; only if these are not the same runs
	LuckySuccess *Sided `json:"luckySuccess,omitempty"`
}

// Sided is a corpus figure that depends on ABS, under both denominators. Value uses the
// paper's equation (agent), unless the request asked for max.
type Sided struct {
	Value    *float64  `json:"value"` // null if unscored
	Scored   bool      `json:"scored"`
	Reason   string    `json:"reason,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
	Agent    Score     `json:"agent"` // missing steps do not lower it
	Max      Score     `json:"max"`   // missing steps lower it; prefer this one
}

// Score returns only the main value of s. It leaves out the values for the agent
// denominator and the max denominator.
func (s *Sided) Score() *Score { return &Score{s.Value, s.Scored, s.Reason, s.Interval} }

// newSided returns the figure own, with the values by both denominators.
func newSided(own, agent, most Score) *Sided {
	return &Sided{own.Value, own.Scored, own.Reason, own.Interval, agent, most}
}

// ABS is the action boundary score under both denominators.
type ABS struct {
	Agent Score `json:"agent"` // correct / |A|, the paper's equation
	Max   Score `json:"max"`   // correct / max(|A|, |A*|), the paper's case studies; without excused extra actions
}

// CheckDefinitions returns an error if the figures of a report or a partial result have
// other definitions than those of this version. definitions is the member of this name, or
// 0 if there is none. name says in the error what has the figures.
func CheckDefinitions(name string, definitions int) error {
	if definitions = max(definitions, 1); definitions != Definitions {
		return fmt.Errorf("%s has figures by version %d of their definitions, but this program has version %d. They cannot be mixed, so score the traces again", name, definitions, Definitions)
	}
	return nil
}

// Score is a figure or the reason why there is none.
type Score struct {
	Value    *float64  `json:"value"` // null if unscored
	Scored   bool      `json:"scored"`
	Reason   string    `json:"reason,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
}

// Interval is an interval of a mean over tasks. It comes from a seeded bootstrap or from
// a formula.
type Interval struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Level float64 `json:"level"`
	// Method is "" for the bootstrap. It is "normal" for the interval mean ± z·SD/√n,
	// which is used for a figure of more than 100,000 tasks. Both then agree to a few
	// hundredths of their width. It is "t" for the t interval over tasks of pass^k and
	// pass@k from k = 2; those of k = 1 are the success rate and have its interval. It is "wilson" if the values of all tasks are 0, or all are 1: a bootstrap
	// would then have no width.
	Method string `json:"method,omitempty"`
}

// Corpus holds the figures of the whole input.
type Corpus struct {
	N          int             `json:"n"` // trajectories
	Tasks      int             `json:"tasks"`
	Flagged    int             `json:"flagged"`
	Lengths    Lengths         `json:"lengths"`
	Metrics    Metrics         `json:"metrics"`
	Violations ViolationCounts `json:"violations"`
	Agreement  *Agreement      `json:"agreement,omitempty"`  // only if the source says which runs succeeded
	PassHatK   []PassHatK      `json:"passHatK,omitempty"`   // only if every task has several trials
	TrialsNote string          `json:"trialsNote,omitempty"` // why pass^k is missing or ends early, if tasks have unequal numbers of trials
	Groups     []Group         `json:"groups,omitempty"`     // one per file, if several files were scored together
}

// PassHatK is the probability that k trials of a task all succeed, and the probability
// that at least one of them does (pass@k).
type PassHatK struct {
	K     int   `json:"k"`
	Score Score `json:"score"`
	Any   Score `json:"any"`
}

// Group holds the corpus figures of one file among several.
type Group struct {
	Name    string  `json:"name"`
	Format  string  `json:"format"`
	N       int     `json:"n"`
	Tasks   int     `json:"tasks"`
	Flagged int     `json:"flagged"`
	Metrics Metrics `json:"metrics"`
}

// Lengths are the mean numbers of observed and reference actions per trajectory.
type Lengths struct {
	Observed  float64 `json:"observed"`
	Reference float64 `json:"reference"`
}

// ViolationCounts counts findings. The maps have only names that occur.
type ViolationCounts struct {
	Total     int            `json:"total"`
	ByType    map[string]int `json:"byType"`
	ByPattern map[string]int `json:"byPattern"`
}

// Agreement compares "not flagged" with the success that the source recorded.
type Agreement struct {
	Value             float64 `json:"value"` // share of runs in which "not flagged" equals success
	FlaggedSuccesses  int     `json:"flaggedSuccesses"`
	Successes         int     `json:"successes"`
	UnflaggedFailures int     `json:"unflaggedFailures"`
	Failures          int     `json:"failures"`
}

// Warning names a part of the input that could not be read, or was not read as it was
// written. Programs must show it.
type Warning struct {
	Code       string `json:"code"` // stable kebab-case id
	Message    string `json:"message"`
	Trajectory string `json:"trajectory,omitempty"` // id
	Line       int    `json:"line,omitempty"`       // from 1
	Column     int    `json:"column,omitempty"`
}

// NoMetrics returns the figures of a run that was not scored, with the reason.
func NoMetrics(reason string) Metrics {
	none := NewScore(metric.Because(reason))
	return Metrics{WithinBounds: none, ABS: ABS{none, none}, GAR: none, SVR: none, GranularityRate: none, ScopeAndGranularityRate: none}
}

// NewScore returns the JSON form of a figure, without an interval.
func NewScore(s metric.Score) Score {
	if !s.Scored {
		return Score{Reason: s.Reason}
	}
	v := s.Value
	return Score{Value: &v, Scored: true, Reason: s.Reason}
}
