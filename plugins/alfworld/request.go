package alfworld

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// commandText returns the text of an action's command. It is in one of four places, which
// are searched in this order: the text; the arguments, if they are a string; the member
// command, action or text of the arguments; the name. If the name is only the first word
// of a longer command, the command is not known, and only the observation shows what
// happened.
func commandText(a *abi.Action) string {
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
func toMove(a *abi.Action) move {
	m := move{failed: a.Failed, answered: a.Observation != nil && *a.Observation != ""}
	m.command, m.parsed = parseCommand(commandText(a))
	if m.answered {
		m.answer = normalizeText(*a.Observation)
	}
	return m
}
