// Package trajectory is the model of a run: its messages, its actions with what they
// returned, and what its source says of its outcome and of what should have been done. It
// also writes runs in other formats, and describes what could not be read of a text. It
// reads nothing: core/read does.
package trajectory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Trajectory is one run.
type Trajectory struct {
	ID           string // unique within the document
	Task         string
	TaskName     string // how the record calls its task in one word, beside an id or without one; "" if it does not
	Trial        *int   // nil if the source does not number trials
	Model        string // the agent's model or name; "" if the source does not say
	Success      *bool  // whether the run succeeded according to the source; nil if the source does not say
	Reward       *float64
	Policy       string   // the agent's instructions, if the source keeps them outside the messages
	Tools        []string // the names of the tools that the source defines; nil if it defines none
	ToolTexts    []string // the descriptions of these tools, without those that have none
	Switches     []string // their arguments that are true or false, as tool.argument
	Messages     []Message
	Actions      []Action
	Stopped      string               // the reason why the run was stopped before its end; "" if it was not
	Reference    *reference.Reference // nil if the source has none
	AskedProfile string               // outcome or sop, if the run's row asks for one; "" otherwise
	ByShape      bool                 // the text has no known format, and a search found the calls
	Doubt        string               // why it is not known that this is one whole run; "" if it is known

	Submission *string     // the run's submission at its end, such as a diff; nil if the source does not say
	Assertions []Assertion // the results of the benchmark's own checks, if the source lists them

	RightAnswer string // what the source has as the right answer; "" if it does not say

	Spent Spent  // what the source says of parts of the run that are no message
	Whole *Spent // what the source says of the whole run; nil if it says nothing
	// Uncounted is set if the source says what something took, but not what it was.
	Uncounted bool

	Contradicted bool // the record says that the run succeeded, and that it failed; never set in a document that was read to its end
	Ended        bool // a state says in a word that the run ended without a fault; never set in a document that was read to its end
	Broke        bool // a state says that the run failed; never set in a document that was read to its end
	Scored       bool // the reward is a score on a scale that is not known yet; never set in a document that was read to its end
}

// Assertion is one check by a benchmark's evaluator, with Result points of Total possible
// points.
type Assertion struct {
	Name          string
	Result, Total float64
}

// Message is one turn of the conversation.
type Message struct {
	Role    string // system, user, assistant or tool; any other role is as in the source
	Text    string
	Speaker string // the agent's name if several agents talk; "" otherwise
	Calls   bool   // the message has tool calls
	Spent   *Spent // what it took, if the source says so; of a model's answer, its tokens and their cost
	Unsaid  bool   // the assistant wrote the message, but the user never sees its text
}

// Action is one action of the agent: a call with a name, or free text.
type Action struct {
	Name        string
	Arguments   jsonval.Value // an object; Missing if there are none, or they are not JSON
	Broken      string        // the arguments' text if it is not a JSON object
	Text        string        // a free-text action's text; then Name is its verb
	CallID      string
	Requestor   string // "user" if the user's side made the call, as in τ²; "" for the agent
	Message     int    // index into Messages; -1 if the source has no messages
	Observation *Observation
	Proposed    bool   // the source says that the call was not executed, for example because it waits for an approval
	Unanswered  bool   // the call of a conversation has no result, so perhaps it was not executed; Proposed only if other calls have results
	Unrecorded  bool   // the source names the call, but does not say with which arguments, or not with all
	Spent       *Spent // when it was done and by which agent, if the source says so; its tokens are those of its message
	Refused     bool   // somebody refused the call, so what stands as its result is none
	Line        int    // the line of the text that contains the name, from 1; 0 if it is not known
}

// Say is the name of the action for a turn that has only text.
const Say = "say"

// Observation is the result of an action. If its text has an error and it is not known that
// this action failed, Error is false, and Shown or Among says why.
type Observation struct {
	Text   string
	Error  bool   // the action failed, and so changed nothing
	Read   bool   // the text alone says so, and no flag
	Partly bool   // the text says that only a part was done
	Late   bool   // the error says only that no answer came in time
	Shown  string // what shows that the deed happened nevertheless, such as "the page changed"; "" for nothing
	Among  int    // of how many pieces of code one failed, and the text does not say which; 0 if it is known
}

// Open returns why an action whose result has an error may have been done, such as "but the
// page changed"; "" for any other.
func (o *Observation) Open() string {
	switch {
	case o.Among > 0:
		return fmt.Sprintf("but it is not known which of the %d code blocks of its message failed", o.Among)
	case o.Shown != "":
		return "but " + o.Shown
	}
	return ""
}

// Failed reports whether the action changed nothing: its observation is an error, or it was
// only proposed. An action of which the source says neither has not failed.
func (a *Action) Failed() bool {
	return a.Proposed || a.Observation != nil && a.Observation.Error
}

// Document is the content of one text: its runs, and the warnings about it.
type Document struct {
	Format       string
	Bytes        int
	Trajectories []Trajectory
	Warnings     []Warning
	Shared       *Shared // data for runs that are in other files; nil if the text has none
}

// Shared is the data in a text without runs that belongs to runs in other files.
type Shared struct {
	References    map[string]*reference.Reference // by task
	Model, Policy string
}

// Guessed reports whether the text has no known format, so that its calls were only
// guessed. The calls were found by a search, or the lines were read as calls.
func (d *Document) Guessed() bool {
	return d.Format == FoundFormat || strings.HasPrefix(d.Format, "plain-")
}

// FoundFormat is the name of the format for a text that was read without a format.
const FoundFormat = "found-calls"

// Warning reports something that was not read as it was written. Line and Column count
// from 1. They are 0 if the position is not known.
type Warning struct {
	Code         string // stable kebab-case id
	Message      string
	Trajectory   string // its ID; "" if the warning concerns the whole text
	Line, Column int
}

// ConversationJoined is the code of the warning that rows with the id of one conversation
// were read as one run.
const ConversationJoined = "conversation-joined"

// LeavesOut reports whether a warning with this code says that a part of the text was not
// read: a line, a row, a message, a call or what should have been done.
func LeavesOut(code string) bool {
	return wordlist.Contains("calls-not-read result-without-call line-not-read invalid-line call-not-object row-not-read row-not-object message-not-object action-not-object cut-last-line call-without-name arguments-not-json expected-not-read reference-not-read invalid-reference row-member-unknown", code)
}

// Unread returns, by the id of a run, the message of the first warning that leaves out a part
// of it. A run of which nothing was left out has none. A part of the text that belongs to no
// run counts for the last one: it may be the end of it, and no file is known to be good of
// which a part was not read. Arguments of a call that failed leave out nothing. O(runs +
// warnings).
func (d *Document) Unread() map[string]string {
	var out map[string]string
	var runs map[string]*Trajectory
	for i := range d.Warnings {
		w := &d.Warnings[i]
		if len(d.Trajectories) == 0 || !LeavesOut(w.Code) {
			continue
		}
		if out == nil {
			out, runs = map[string]string{}, map[string]*Trajectory{}
			for k := range d.Trajectories {
				runs[d.Trajectories[k].ID] = &d.Trajectories[k]
			}
		}
		id := cmp.Or(w.Trajectory, d.Trajectories[len(d.Trajectories)-1].ID)
		if run := runs[id]; run == nil || out[id] != "" || w.Code == "arguments-not-json" && !run.hasBroken() {
			continue
		}
		if out[id] = w.Message; w.Line > 0 {
			out[id] = fmt.Sprintf("%s (line %d)", w.Message, w.Line)
		}
	}
	return out
}

// UserWords returns all messages of the user, with a newline between them.
func (t *Trajectory) UserWords() string {
	var all []string
	for i := range t.Messages {
		if m := &t.Messages[i]; m.Role == "user" {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n")
}

// IsOfUser reports whether the message with an index is the user's.
func (t *Trajectory) IsOfUser(i int) bool { return t.Messages[i].Role == "user" }

// hasBroken reports whether an action of which the arguments are not JSON may have been
// executed.
func (t *Trajectory) hasBroken() bool {
	return slices.ContainsFunc(t.Actions, func(a Action) bool { return a.Broken != "" && !a.Failed() })
}

// Error describes why a text is not a trace. Seen describes what the text looks like, and
// Formats lists the formats that can be read.
type Error struct {
	Msg          string
	Seen         string
	Line, Column int
	Formats      []string // set if the text is readable but its form is unknown
}

// Error returns the message without the other fields.
func (e *Error) Error() string { return e.Msg }
