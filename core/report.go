package core

// This file holds the report's wire form. Every front end returns these bytes, so a
// change here changes the schema: the TypeScript types under wasm/npm are generated from
// this file, and a test fails if they differ.

// Schema names the version of a Report's form. It changes if a reader of the old form
// would misread the new one.
const Schema = "boundcheck.report/1"

// Report is the result of Evaluate: one entry a trajectory, in input order, the
// corpus figures, and everything that could not be read as it stood.
type Report struct {
	Schema       string       `json:"schema"`
	Profile      string       `json:"profile"` // outcome, sop; mixed when the trajectories differ
	Input        Input        `json:"input"`
	Trajectories []Trajectory `json:"trajectories"`
	Corpus       Corpus       `json:"corpus"`
	Warnings     []Warning    `json:"warnings"`
	Plugins      []Plugin     `json:"plugins,omitempty"` // whose knowledge was used
	Models       *Models      `json:"models,omitempty"`  // only when one was asked
}

// Models names the models that contributed to the report.
type Models struct {
	Embeddings string `json:"embeddings,omitempty"` // compared free texts
	Judge      string `json:"judge,omitempty"`      // gave second opinions

	Ensemble *Ensemble `json:"ensemble,omitempty"` // only where several judges were asked
}

// Ensemble measures how far several judges agreed with each other.
type Ensemble struct {
	Judges    int   `json:"judges"`
	Cases     int   `json:"cases"`     // on which two judges or more had an opinion
	Unanimous int   `json:"unanimous"` // of these
	Kappa     Score `json:"kappa"`     // Fleiss' κ over the seven labels
}

// Input says what was read.
type Input struct {
	Format       string `json:"format"` // the detected trace format; mixed when the files differ
	Bytes        int    `json:"bytes"`  // size of the trace text
	Trajectories int    `json:"trajectories"`
	Files        []File `json:"files,omitempty"` // only when several files were scored together
}

// File is one of several scored files; its trajectories follow those of the
// files before it.
type File struct {
	Name         string `json:"name"`
	Format       string `json:"format"`
	Bytes        int    `json:"bytes"`
	Trajectories int    `json:"trajectories"`
	Error        string `json:"error,omitempty"` // why it could not be read; then it has no trajectories
}

// Trajectory is the verdict on one run.
type Trajectory struct {
	ID         string      `json:"id"` // unique within the report
	Task       string      `json:"task"`
	Trial      *int        `json:"trial"`   // null when the source does not number trials
	Success    *bool       `json:"success"` // the source's own verdict; null when it has none
	Reward     *float64    `json:"reward"`
	Profile    string      `json:"profile"`
	Flagged    bool        `json:"flagged"`           // has any violation after equivalence; without a reference, one that is no hint
	Work       string      `json:"work,omitempty"`    // without a reference: the sort of work that the rules were held to
	Verdict    string      `json:"verdict,omitempty"` // without a reference: what is said of the run, in one sentence
	Observed   []Action    `json:"observed"`
	Reference  []Action    `json:"reference"` // null when there is no reference
	Alignment  []Row       `json:"alignment"`
	Violations []Violation `json:"violations"`
	Excused    []Violation `json:"excused,omitempty"` // what the judge took out of violations; counts for nothing
	Metrics    Metrics     `json:"metrics"`

	// Support says, where the reference was taken from other runs of the task, how many
	// of them agree on it.
	Support *Support `json:"support,omitempty"`

	// Suspects are, where several agents talk and there is no reference, the turns to look
	// at first, best first, at most three. They are no findings.
	Suspects []Suspect `json:"suspects,omitempty"`

	Replay      *Replay      `json:"replay,omitempty"`      // only where a benchmark's checker replayed the run
	Attribution *Attribution `json:"attribution,omitempty"` // why it went wrong; only with a reference and a violation
}

// Support says how many of a run's other trials made the same changes and so became its
// reference.
type Support struct {
	Agree int    `json:"agree"`
	Of    int    `json:"of"`
	Run   string `json:"run"` // id of the run whose steps are the reference
}

// Suspect is a turn in which an error was most likely introduced.
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

// Replay is the result when a benchmark's checker carried out the run and the reference
// again.
type Replay struct {
	Benchmark    string          `json:"benchmark"`
	Basis        string          `json:"basis"`   // database, write-effects, observations or recorded
	Success      bool            `json:"success"` // state equal and every output said
	StateEqual   bool            `json:"stateEqual"`
	Outputs      map[string]bool `json:"outputs"`
	Differences  []Difference    `json:"differences"`
	Contradicted bool            `json:"contradicted"` // the recorded outcome is another
	Notes        []string        `json:"notes"`
	Assertions   []Assertion     `json:"assertions,omitempty"` // the benchmark's own checks, as recorded
	Score        *float64        `json:"score,omitempty"`      // their share of points, 0 to 1
}

// Assertion is one check that the benchmark's own evaluator made: Result points
// of Total.
type Assertion struct {
	Name   string  `json:"name"`
	Result float64 `json:"result"`
	Total  float64 `json:"total"`
}

// Difference is one place where the two final states differ, JSON text on each
// side.
type Difference struct {
	Table     string `json:"table"`
	Key       string `json:"key"`
	Field     string `json:"field"`
	Observed  string `json:"observed,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// Attribution names the first failure point and its cause.
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
	Evidence   string  `json:"evidence,omitempty"` // the agent's words, or what it had seen
}

// Action is one observed action or one reference step.
type Action struct {
	Name      string   `json:"name"`
	Arguments string   `json:"arguments,omitempty"` // JSON text, byte for byte as it stood
	Text      string   `json:"text,omitempty"`      // a free-text action's own words
	Message   *int     `json:"message,omitempty"`   // index of the message that holds it
	Mutating  Mutating `json:"mutating"`            // yes, no, unknown (counts as yes)
	Control   bool     `json:"control,omitempty"`   // changes no environment state: thinks, asks, hands over
	Layer     string   `json:"layer"`               // the mutation layer that decided
	Error     bool     `json:"error,omitempty"`     // its observation was an error: it changed nothing

	Line int `json:"-"` // of the file in which the call stands, from 1; 0 where that is not known

	Boundary *Boundary `json:"boundary,omitempty"` // absent where there is no reference
	Origins  []Origin  `json:"origins,omitempty"`  // of what may change something, where there is no reference
}

// Origin says where one value in the arguments of an action came from.
type Origin struct {
	Path    string `json:"path"`              // argument path
	Kind    string `json:"kind"`              // user, tool, policy, schema, computed, nowhere, chosen
	Source  string `json:"source"`            // the same in words, for people
	Message *int   `json:"message,omitempty"` // index of the message that holds it
	Action  *int   `json:"action,omitempty"`  // index of the observed action whose answer holds it
}

// Boundary is B(a) = ⟨pre, eff, scope, gran⟩ of one action.
type Boundary struct {
	Pre    []Precondition `json:"pre"`              // what was known or done before it and belongs to it
	Eff    string         `json:"eff"`              // what it changes: verb and object; "none" for nothing, "unknown"
	Scope  []string       `json:"scope"`            // the entities, JSON text
	Gran   float64        `json:"gran"`             // 1 is atomic; a compound's is the steps that it covers, a part's the share of one
	Stated []string       `json:"stated,omitempty"` // which of the four a reference or a tool table states; the rest is inferred
}

// Precondition is one earlier action that belongs to an action's boundary.
type Precondition struct {
	Name   string `json:"name"`
	Action *int   `json:"action"` // index on the same side; null for one that is stated and was not done
	Kind   string `json:"kind"`   // value (it gave a value), entity (a look at one), check, consent, opening, stated
	Failed bool   `json:"failed,omitempty"`
}

// Row is one line of the canonical alignment. Reading Obs (Ref) from top to
// bottom, nulls left out, counts up through all observed actions (reference steps).
type Row struct {
	Op         Op         `json:"op"` // match, substitution, insertion (extra), deletion (missing)
	Obs        *int       `json:"obs"`
	Ref        *int       `json:"ref"`
	Similarity float64    `json:"similarity"`
	Verdict    RowVerdict `json:"verdict"`          // correct, excused, note, violation
	Stage      string     `json:"stage,omitempty"`  // excused by: state, effect, outcome, judge
	Reason     string     `json:"reason,omitempty"` // why it is excused, a note or a violation
}

// Violation is a finding: where a boundary broke, why we say so, and how sure.
type Violation struct {
	Type       ViolationType `json:"type"`
	Pattern    Pattern       `json:"pattern,omitempty"`
	Rule       string        `json:"rule"` // stable kebab-case id
	Row        *int          `json:"row"`  // index into alignment; null when it concerns the whole run
	Obs        *int          `json:"obs"`
	Ref        *int          `json:"ref"`
	Confidence float64       `json:"confidence"`     // 0 to 1
	By         string        `json:"by"`             // rule, lint, judge, person
	Hint       bool          `json:"hint,omitempty"` // without a reference: too unsure to flag the run
	Reason     string        `json:"reason"`
	Evidence   []Evidence    `json:"evidence,omitempty"`
	Rows       []int         `json:"rows,omitempty"`    // all rows of a finding that is about several
	Differs    []string      `json:"differs,omitempty"` // the parts of the boundary that differ: pre, eff, scope, gran
	Judge      *Opinion      `json:"judge,omitempty"`   // when a judge was asked
}

// Opinion is a judge's opinion on a finding, and how it was used.
type Opinion struct {
	Label      string  `json:"label,omitempty"` // one of seven; absent when it gave no opinion
	Confidence float64 `json:"confidence"`      // 0 to 1
	Reason     string  `json:"reason"`          // its own words, or why it gave none
	Route      string  `json:"route"`           // accepted, noted, queued (a person must decide), no-opinion
	Note       string  `json:"note,omitempty"`  // why the finding stands as it does
	Was        string  `json:"was,omitempty"`   // the rule's type, where the judge changed it
	Votes      []Vote  `json:"votes,omitempty"` // of several judges: what each said
}

// Vote is the opinion of one judge when several were asked.
type Vote struct {
	Judge      string  `json:"judge"`
	Label      string  `json:"label,omitempty"` // absent when it gave no opinion
	Confidence float64 `json:"confidence"`      // 0 to 1
}

// Evidence is one place where observed and reference differ, or one text that
// shows the finding.
type Evidence struct {
	Path      string `json:"path"` // argument path, or what the text is
	Observed  string `json:"observed,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// Metrics are the figures of one trajectory or of the corpus. The optional ones are set
// only for the corpus.
type Metrics struct {
	ABS                     ABS   `json:"abs"`
	GAR                     Score `json:"gar"`
	SVR                     Score `json:"svr"`                     // over-actions and under-actions per action
	GranularityRate         Score `json:"granularityRate"`         // granularity violations per action
	ScopeAndGranularityRate Score `json:"scopeAndGranularityRate"` // the sum of the two before

	BASR         *Sided `json:"basr,omitempty"`
	SR           *Score `json:"sr,omitempty"`    // of the runs that BASR is of, where there are any
	SRAll        *Score `json:"srAll,omitempty"` // of all runs whose outcome is known; only where these are others
	LuckySuccess *Sided `json:"luckySuccess,omitempty"`
}

// Sided is a corpus figure that depends on ABS, under both denominators. Its own value
// is by the paper's equation (agent), unless the request asked for max.
type Sided struct {
	Value    *float64  `json:"value"` // null when unscored
	Scored   bool      `json:"scored"`
	Reason   string    `json:"reason,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
	Agent    Score     `json:"agent"` // missing steps cost nothing
	Max      Score     `json:"max"`   // missing steps cost: the one to look at
}

// Score returns the figure's own value.
func (s *Sided) Score() *Score { return &Score{s.Value, s.Scored, s.Reason, s.Interval} }

func sided(own, agent, most Score) *Sided {
	return &Sided{own.Value, own.Scored, own.Reason, own.Interval, agent, most}
}

// ABS is the action boundary score under both denominators.
type ABS struct {
	Agent Score `json:"agent"` // correct / |A|, the paper's equation
	Max   Score `json:"max"`   // correct / max(|A|, |A*|), the paper's case studies
}

// Score is a figure or the reason why there is none.
type Score struct {
	Value    *float64  `json:"value"` // null when unscored
	Scored   bool      `json:"scored"`
	Reason   string    `json:"reason,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
}

// Interval is an interval over tasks: of a seeded bootstrap, or analytic.
type Interval struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Level float64 `json:"level"`
	// Method is "" for the bootstrap and "normal" for the mean ± z·SD/√n that a figure
	// of more than 100,000 tasks has, where both agree to a few hundredths of their width.
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
	Agreement  *Agreement      `json:"agreement,omitempty"` // when the source says who succeeded
	PassHatK   []PassHatK      `json:"passHatK,omitempty"`  // when every task has several trials
	Groups     []Group         `json:"groups,omitempty"`    // one a file, when several files were scored together
}

// PassHatK is the chance that k trials of a task all succeed.
type PassHatK struct {
	K     int   `json:"k"`
	Score Score `json:"score"`
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

// Lengths are mean counts of actions.
type Lengths struct {
	Observed  float64 `json:"observed"`
	Reference float64 `json:"reference"`
}

// ViolationCounts counts findings; the maps hold only what occurred.
type ViolationCounts struct {
	Total     int            `json:"total"`
	ByType    map[string]int `json:"byType"`
	ByPattern map[string]int `json:"byPattern"`
}

// Agreement compares "not flagged" with the source's own verdict on success.
type Agreement struct {
	Value             float64 `json:"value"` // share of runs where not flagged = success
	FlaggedSuccesses  int     `json:"flaggedSuccesses"`
	Successes         int     `json:"successes"`
	UnflaggedFailures int     `json:"unflaggedFailures"`
	Failures          int     `json:"failures"`
}

// Warning is something that the reader must be shown: a part that could not be read, or
// that was read in another way than it was written.
type Warning struct {
	Code       string `json:"code"` // stable kebab-case id
	Message    string `json:"message"`
	Trajectory string `json:"trajectory,omitempty"` // id
	Line       int    `json:"line,omitempty"`       // from 1
	Column     int    `json:"column,omitempty"`
}
