package trajectory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/literal"
)

// Targets lists the formats that Encode writes.
func Targets() []string { return []string{"generic", "openai-chat", "atif"} }

// Encode writes a document in one of the formats of Targets. It writes the calls with
// their arguments, results and errors, and the messages if the format has them. In the
// formats openai-chat and atif, a document has only one run, so several runs are written
// as JSONL, one on each line. The text ends in a newline. Encode returns an error if the
// format is unknown.
func Encode(doc *Document, target string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	write := func(v any) error { return e.Encode(v) }
	switch target {
	case "generic":
		err := write(genericForm(doc))
		return b.Bytes(), err
	case "openai-chat":
		return encodeEach(doc, &b, func(t *Trajectory) error { return write(openAIForm(t)) })
	case "atif":
		return encodeEach(doc, &b, func(t *Trajectory) error { return write(atifForm(t)) })
	}
	return nil, fmt.Errorf("unknown format %q; want one of %q", target, Targets())
}

func encodeEach(doc *Document, b *bytes.Buffer, write func(*Trajectory) error) ([]byte, error) {
	for i := range doc.Trajectories {
		if err := write(&doc.Trajectories[i]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

type genericDocument struct {
	Format       string              `json:"format"` // the format of the source
	Trajectories []genericTrajectory `json:"trajectories"`
}

type genericTrajectory struct {
	ID         string        `json:"id"`
	Task       string        `json:"task,omitempty"`
	Trial      *int          `json:"trial,omitempty"`
	Reward     *float64      `json:"reward,omitempty"`
	Success    *bool         `json:"success,omitempty"`
	Submission *string       `json:"submission,omitempty"`
	Actions    []genericCall `json:"actions"`
}

type genericCall struct {
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name"`
	Text      string          `json:"text,omitempty"`
	Requestor string          `json:"requestor,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    *string         `json:"result,omitempty"`
	Error     *bool           `json:"error,omitempty"`
}

func genericForm(doc *Document) genericDocument {
	out := genericDocument{Format: doc.Format, Trajectories: []genericTrajectory{}}
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		g := genericTrajectory{ID: t.ID, Task: t.Task, Trial: t.Trial, Reward: t.Reward, Success: t.Success, Submission: t.Submission, Actions: []genericCall{}}
		for j := range t.Actions {
			g.Actions = append(g.Actions, genericAction(&t.Actions[j]))
		}
		out.Trajectories = append(out.Trajectories, g)
	}
	return out
}

func genericAction(a *Action) genericCall {
	c := genericCall{ID: a.CallID, Name: a.Name, Text: a.Text, Requestor: a.Requestor, Arguments: rawArguments(a)}
	if a.Observation != nil {
		c.Result, c.Error = &a.Observation.Text, &a.Observation.Error
	}
	return c
}

// rawArguments returns an action's arguments as they are in the trace. Arguments that are
// not an object become a JSON string.
func rawArguments(a *Action) json.RawMessage {
	switch {
	case a.Arguments.Exists():
		return json.RawMessage(a.Arguments.Raw())
	case a.Broken != "":
		return json.RawMessage(literal.Quote(a.Broken))
	}
	return nil
}

type openAIMessage struct {
	Role       string       `json:"role"`
	Content    *string      `json:"content"`
	ToolCalls  []openAICall `json:"tool_calls,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
	Status     string       `json:"status,omitempty"` // not an OpenAI member; without it an error could be read as a success
}

type openAICall struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Function  openAIFunction `json:"function"`
	Requestor string         `json:"requestor,omitempty"`
}

type openAIFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// visitTurns calls the function visit for each message of a run, with the indices of the
// actions in the message. It skips tool messages without actions, because they are the
// results of earlier actions.
func visitTurns(t *Trajectory, visit func(m Message, actions []int)) {
	next := 0
	for i, m := range t.Messages {
		var actions []int
		for ; next < len(t.Actions) && t.Actions[next].Message <= i; next++ {
			actions = append(actions, next)
		}
		if m.Role != "tool" || len(actions) > 0 {
			visit(m, actions)
		}
	}
	for ; next < len(t.Actions); next++ {
		visit(Message{Role: "assistant"}, []int{next})
	}
}

// openAIForm returns a run in OpenAI's message format. The calls get new ids, because the
// format requires unique ids and recorded ids may repeat.
func openAIForm(t *Trajectory) any {
	messages := []openAIMessage{}
	visitTurns(t, func(m Message, actions []int) {
		out := openAIMessage{Role: m.Role, Content: &m.Text}
		var results []openAIMessage
		for _, i := range actions {
			a := &t.Actions[i]
			id := fmt.Sprintf("call_%d", i+1)
			out.ToolCalls = append(out.ToolCalls, openAICall{id, "function", openAIFunction{a.Name, argumentText(a)}, a.Requestor})
			if o := a.Observation; o != nil {
				status := "success"
				if o.Error {
					status = "error"
				}
				results = append(results, openAIMessage{Role: "tool", Content: &o.Text, ToolCallID: id, Status: status})
			}
		}
		messages = append(append(messages, out), results...)
	})
	return struct {
		ID       string          `json:"id,omitempty"`
		Task     string          `json:"task_id,omitempty"`
		Trial    *int            `json:"trial,omitempty"`
		Reward   *float64        `json:"reward,omitempty"`
		Success  *bool           `json:"success,omitempty"`
		Messages []openAIMessage `json:"messages"`
	}{t.ID, t.Task, t.Trial, t.Reward, t.Success, messages}
}

// argumentText returns the arguments of an action as text for an OpenAI call. A free-text
// action becomes the object {"text": …}.
func argumentText(a *Action) string {
	switch {
	case a.Broken != "":
		return a.Broken
	case a.Arguments.Exists():
		return a.Arguments.Raw()
	case a.Text != "":
		return literal.Object("text", a.Text).Raw()
	}
	return "{}"
}

type atifResult struct {
	Source  string         `json:"source_call_id"`
	Content string         `json:"content"`
	Extra   map[string]any `json:"extra,omitempty"`
}

type atifToolCall struct {
	ID        string            `json:"tool_call_id"`
	Name      string            `json:"function_name"`
	Arguments json.RawMessage   `json:"arguments"`
	Extra     map[string]string `json:"extra,omitempty"`
}

type atifObservation struct {
	Results []atifResult `json:"results"`
}

type atifStepForm struct {
	ID          int              `json:"step_id"`
	Source      string           `json:"source"`
	Message     string           `json:"message"`
	Calls       []atifToolCall   `json:"tool_calls,omitempty"`
	Observation *atifObservation `json:"observation,omitempty"`
}

func atifForm(t *Trajectory) any {
	steps := []atifStepForm{}
	visitTurns(t, func(m Message, actions []int) {
		step := atifStepForm{ID: len(steps) + 1, Source: atifSource(m.Role, len(actions) > 0), Message: m.Text}
		for _, i := range actions {
			step.addAction(&t.Actions[i], fmt.Sprintf("call_%d", i+1))
		}
		steps = append(steps, step)
	})
	agent := map[string]string{"name": cmp.Or(t.Model, "unknown"), "version": "unknown"}
	return struct {
		Schema  string            `json:"schema_version"`
		Session string            `json:"session_id"`
		Agent   map[string]string `json:"agent"`
		Steps   []atifStepForm    `json:"steps"`
	}{"ATIF-v1.4", t.ID, agent, steps}
}

func (s *atifStepForm) addAction(a *Action, id string) {
	c := atifToolCall{ID: id, Name: a.Name, Arguments: rawArguments(a)}
	if c.Arguments == nil {
		c.Arguments = json.RawMessage("{}")
	}
	if a.Text != "" {
		c.Extra = map[string]string{"text": a.Text}
	}
	if a.Requestor != "" {
		if c.Extra == nil {
			c.Extra = map[string]string{}
		}
		c.Extra["requestor"] = a.Requestor
	}
	s.Calls = append(s.Calls, c)
	if o := a.Observation; o != nil {
		if s.Observation == nil {
			s.Observation = &atifObservation{}
		}
		s.Observation.Results = append(s.Observation.Results, atifResult{id, o.Text, map[string]any{"is_error": o.Error}})
	}
}

// atifSource returns the source of a message in the ATIF format: system, user or agent.
// The source of a message with calls is always agent.
func atifSource(role string, calls bool) string {
	switch {
	case role == "system" && !calls, role == "user" && !calls:
		return role
	}
	return "agent"
}
