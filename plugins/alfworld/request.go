package alfworld

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// Action is a call whose command is in one of four places. They are searched in this
// order: the text; the arguments, if they are a string; the member command, action or
// text of the arguments; the name. If the name is only the first word of a longer
// command, the command is not known, and only the observation shows what happened.
type Action struct {
	abi.Action
	Text string `json:"text,omitempty"`
}

// ReplayRequest is the request for state.replay with additional members for this
// benchmark. Other plugins ignore unknown members, so a host may always send them.
type ReplayRequest struct {
	abi.ReplayRequest
	Observed  []Action `json:"observed"`
	Reference []Action `json:"reference"`
	Task      string   `json:"task,omitempty"`    // the task's name, as the source has it
	Opening   string   `json:"opening,omitempty"` // the game's first text: the room and the task
}

// CheckRequest is the request for equivalence.check.
type CheckRequest struct {
	ReplayRequest
	Alignment []abi.Row `json:"alignment"`
}

// commandText returns the text of the command. The comment of Action lists the places
// that may have this text. commandText returns the first of them that is not empty.
func (a *Action) commandText() string {
	if a.Text != "" {
		return a.Text
	}
	var text string
	if json.Unmarshal(a.Arguments, &text) == nil && text != "" {
		return text
	}
	var in struct{ Command, Action, Text string }
	if json.Unmarshal(a.Arguments, &in) == nil {
		for _, text := range [...]string{in.Command, in.Action, in.Text} {
			if text != "" {
				return text
			}
		}
	}
	return a.Name
}

// toMove converts an action to a move.
func (a *Action) toMove() move {
	m := move{failed: a.Failed, answered: a.Observation != nil && *a.Observation != ""}
	m.command, m.parsed = parseCommand(a.commandText())
	if m.answered {
		m.answer = normalizeText(*a.Observation)
	}
	return m
}
