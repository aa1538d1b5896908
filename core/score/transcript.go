package score

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// SchemaTranscript is the version of a transcript's JSON form.
const SchemaTranscript = "boundcheck.transcript/1"

// Transcript is one run as it was read, in the order in which it happened: messages,
// calls and answers. A report refers to the same steps by the same indices, but does not
// contain the texts.
type Transcript struct {
	Schema string `json:"schema"`
	Format string `json:"format"`
	ID     string `json:"id"`
	Task   string `json:"task,omitempty"`
	Model  string `json:"model,omitempty"`
	// Runs is the number of runs in the text.
	Runs int `json:"runs"`
	// Turns are the messages; empty if the source has only calls.
	Turns []Turn `json:"turns"`
	// Steps are the agent's actions. Their numbers are those of a report (from 0).
	Steps []Step `json:"steps"`
	// Stopped is the reason why the run was cut off, if the source gives one.
	Stopped string `json:"stopped,omitempty"`
}

// Turn is one message of the conversation.
type Turn struct {
	// Role is system, user, assistant or tool; the source's own name for other roles.
	Role string `json:"role"`
	Text string `json:"text"`
	// Unsaid is true if the user never sees the text because the agent only thinks.
	Unsaid bool `json:"unsaid,omitempty"`
	// Steps are the actions that this message calls.
	Steps []int `json:"steps,omitempty"`
	// Answers is true if the message is the answer to a step, so that the step contains
	// the text, too.
	Answers bool `json:"answers,omitempty"`
}

// Step is one action and its answer.
type Step struct {
	Name string `json:"name"`
	// Text is the original JSON of the arguments, or the text of a free-text action; ""
	// if there are no arguments.
	Text string `json:"text"`
	// User is true if the user made the call.
	User bool `json:"user,omitempty"`
	// Answer is the result of the step; null if the source has none.
	Answer *string `json:"answer"`
	// Error is true if the environment refused the call, so that nothing changed.
	Error bool `json:"error,omitempty"`
}

// Transcribe returns the transcript of the run with the given id, or of the first run if
// id is "". It reads the inputs of the request as Evaluate does. The error is an
// *InputError. O(size of the inputs).
func Transcribe(r Request, id string) (Transcript, error) {
	e := newEvaluator(r, mutation.New(nil, nil))
	if err := e.readAll(r.Inputs); err != nil {
		return Transcript{}, err
	}
	for i := range e.runs {
		if id == "" || e.runs[i].ID == id {
			t := newTranscript(e.runs[i].Trajectory)
			t.Format, t.Runs = e.files[e.runs[i].file-1].Format, len(e.runs)
			return t, nil
		}
	}
	return Transcript{}, &InputError{Msg: fmt.Sprintf("unknown run %q: none of the %d runs in the trace has this id", id, len(e.runs))}
}

func newTranscript(run *trajectory.Trajectory) Transcript {
	t := Transcript{
		Schema: SchemaTranscript, ID: run.ID, Task: run.Task, Model: run.Model, Stopped: run.Stopped,
		Turns: make([]Turn, len(run.Messages)), Steps: make([]Step, len(run.Actions)),
	}
	for i, m := range run.Messages {
		t.Turns[i] = Turn{Role: m.Role, Text: m.Text, Unsaid: m.Unsaid}
	}
	answers := map[string]int{} // texts of results, and how often each occurs
	for i := range run.Actions {
		a := &run.Actions[i]
		t.Steps[i] = Step{Name: a.Name, Text: argumentsOf(a), User: a.Requestor == "user", Error: a.Failed()}
		if a.Message >= 0 && a.Message < len(t.Turns) {
			turn := &t.Turns[a.Message]
			turn.Steps = append(turn.Steps, i)
		}
		if a.Observation != nil {
			t.Steps[i].Answer = &a.Observation.Text
			answers[a.Observation.Text]++
		}
	}
	for i := range t.Turns {
		turn := &t.Turns[i]
		if turn.Role != "user" && turn.Role != "assistant" && turn.Role != "system" && answers[turn.Text] > 0 {
			answers[turn.Text]--
			turn.Answers = true
		}
	}
	return t
}

// argumentsOf returns the arguments of an action as they are written in the trace, or its
// free text.
func argumentsOf(a *trajectory.Action) string {
	switch {
	case a.Broken != "":
		return a.Broken
	case a.Arguments.Exists():
		return a.Arguments.Raw()
	}
	return a.Text
}
