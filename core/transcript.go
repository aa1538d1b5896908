package core

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// SchemaTranscript names the version of a Transcript's form.
const SchemaTranscript = "boundcheck.transcript/1"

// Transcript is one run as it was read, in the order in which it happened: what was
// said, what was called, and what came back. A report refers to the same steps by
// the same numbers and holds none of the texts.
type Transcript struct {
	Schema string `json:"schema"`
	Format string `json:"format"`
	ID     string `json:"id"`
	Task   string `json:"task,omitempty"`
	Model  string `json:"model,omitempty"`
	// Runs is how many runs the text holds.
	Runs int `json:"runs"`
	// Turns are the messages; empty where the source has calls alone.
	Turns []Turn `json:"turns"`
	// Steps are the agent's actions, by the numbers that a report gives them (from 0).
	Steps []Step `json:"steps"`
	// Stopped says why the run was cut off, where the source says so.
	Stopped string `json:"stopped,omitempty"`
}

// Turn is one message of the conversation.
type Turn struct {
	// Role is system, user, assistant or tool; the source's own word otherwise.
	Role string `json:"role"`
	Text string `json:"text"`
	// Unsaid is true where the user never sees the text: the agent thinks.
	Unsaid bool `json:"unsaid,omitempty"`
	// Steps are the actions that this message asks for.
	Steps []int `json:"steps,omitempty"`
	// Answers is true where the message holds what came back from a step, so that
	// the text stands at that step, too.
	Answers bool `json:"answers,omitempty"`
}

// Step is one action and its answer.
type Step struct {
	Name string `json:"name"`
	// Text is the JSON of the arguments as it stood, or the words of an action that
	// is free text; "" for no arguments.
	Text string `json:"text"`
	// User is true where the user's side acted.
	User bool `json:"user,omitempty"`
	// Answer is what came back; null where the source has nothing.
	Answer *string `json:"answer"`
	// Error is true where the environment refused, so that nothing changed.
	Error bool `json:"error,omitempty"`
}

// Transcribe reads the inputs of a request as Evaluate does, and returns the run with the
// given id; "" means the first run. The error is an *InputError. O(size of the inputs).
func Transcribe(r Request, id string) (Transcript, error) {
	e := evaluator{request: r, classifier: mutation.New(nil, nil), calls: map[spelling]*prepared{}, deeds: mutation.Deeds{}}
	if err := e.readAll(r.Inputs); err != nil {
		return Transcript{}, err
	}
	for i := range e.runs {
		if id == "" || e.runs[i].ID == id {
			t := transcript(e.runs[i].Trajectory)
			t.Format, t.Runs = e.files[e.runs[i].file-1].Format, len(e.runs)
			return t, nil
		}
	}
	return Transcript{}, &InputError{Msg: fmt.Sprintf("unknown run %q: the trace holds %d runs, and none has this id", id, len(e.runs))}
}

func transcript(run *trajectory.Trajectory) Transcript {
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

// argumentsOf returns the arguments of an action, unchanged.
func argumentsOf(a *trajectory.Action) string {
	switch {
	case a.Broken != "":
		return a.Broken
	case a.Arguments.Exists():
		return a.Arguments.Raw()
	}
	return a.Text
}
