// Package trajectory turns what people paste into one model of a run. Formats
// are detected by content, never by a file's name; what could not be read as it
// stood is a Warning with its place, and nothing is dropped in silence.
//
// Decode works in three steps. unwrap takes off what is around the trace (gzip,
// a markdown fence, prose). records cuts the text into JSON values: one
// document, the rows of a list, or the lines of JSONL. detect looks at the
// first of them, once, and picks a row of the table of formats; that row's
// decoder fills the model through a run, which pairs calls with results. At the
// end the reading is held to what looks like calls and results in the text: what
// it lacks is read without a format, said in a warning, or refused.
package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// Trajectory is one run.
type Trajectory struct {
	ID           string // unique within the document
	Task         string
	Trial        *int   // nil when the source does not number trials
	Model        string // the agent's model or name; "" when the source does not say
	Success      *bool  // the source's own verdict; nil when it has none
	Reward       *float64
	Policy       string // the agent's instructions, where the source keeps them beside the messages
	Messages     []Message
	Actions      []Action
	Stopped      string               // why the run was cut off before it ended by itself; "" when it was not
	Reference    *reference.Reference // nil when the source holds none
	AskedProfile string               // outcome or sop, where the run's row asks for one; "" elsewhere

	Submission *string     // what the run handed in at its end, such as a diff; nil when the source does not say
	Assertions []Assertion // what the benchmark's own checks gave, where the source lists them
}

// Assertion is one check that a benchmark's own evaluator made: Result points of
// Total.
type Assertion struct {
	Name          string
	Result, Total float64
}

// Message is one turn of the conversation.
type Message struct {
	Role    string // system, user, assistant, tool; the source's own word otherwise
	Text    string
	Speaker string // the agent's name, where several talk; "" otherwise
	Calls   bool   // it holds tool calls
	Unsaid  bool   // the user never sees its text, though the assistant wrote it
}

// Action is one thing the agent did: a call with a name, or free text.
type Action struct {
	Name        string
	Arguments   jsonval.Value // an object; Missing when there are none, or when they are not JSON
	Broken      string        // the arguments' text where it is not a JSON object
	Text        string        // a free-text action's own words, then Name is its verb
	CallID      string
	Requestor   string // "user" when the user's side made the call, as τ² lets it; "" for the agent
	Message     int    // index into Messages; -1 when the source has none
	Observation *Observation
	Line        int // of the text in which the name stands, from 1; 0 where that is not known
}

// Observation is what came back from an action.
type Observation struct {
	Text  string
	Error bool // the environment refused: nothing changed
}

// Failed reports whether the action's observation is an error, so that the action
// changed nothing. An action without an observation did not fail.
func (a *Action) Failed() bool { return a.Observation != nil && a.Observation.Error }

// Document is everything that one text held.
type Document struct {
	Format       string
	Bytes        int
	Trajectories []Trajectory
	Warnings     []Warning
}

// Guessed reports whether the text is in no known format: its calls were found by a
// search, or its lines were taken for calls.
func (d *Document) Guessed() bool {
	return d.Format == foundFormat || strings.HasPrefix(d.Format, "plain-")
}

// Warning is something that was read in another way than it was written. Line and
// Column count from 1; 0 when the place is not known.
type Warning struct {
	Code         string // stable kebab-case id
	Message      string
	Trajectory   string // its ID; "" when it concerns the whole text
	Line, Column int
}

// Error says why a text is not a trace, what it looked like, and what would be one.
type Error struct {
	Msg          string
	Seen         string
	Line, Column int
	Formats      []string // set when the text is fine but its form is unknown
}

// Error returns the message alone.
func (e *Error) Error() string { return e.Msg }
