package engine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file reads conversations in which the model writes each command as a block of code.
// The next message of the user contains the result: "<returncode>0</returncode>
// <output>…". mini-swe-agent writes such conversations if it does not use tool calls.

// returned is the text before the exit code in a result. If the command did not end by
// itself, raised comes before returned.
const (
	returned = "<returncode>"
	raised   = "<exception>"
)

// hasTextCommands reports whether the assistant's messages contain commands as text, and
// no message contains other calls. At least one command must have its result in the next
// message.
func hasTextCommands(list []jsonval.Value) bool {
	found := false
	for i, v := range list {
		if v.Get("tool_calls").Len() > 0 || v.Get("function_call").Kind() == jsonval.Object {
			return false
		}
		found = found || i+1 < len(list) && messageCommand(v) != "" && isReturned(list[i+1])
	}
	return found
}

// messageCommand returns the shell command in an assistant's message. The command is a
// fenced code block, or the text in mini-swe-agent's tag. The result is "" if the message
// has no command or more than one.
func messageCommand(message jsonval.Value) string {
	if shape.PlainRole(message.Get("role").Text()) != "assistant" {
		return ""
	}
	text := shape.ContentText(message.Get("content"))
	const open, end = "<mswea_bash_command>", "</mswea_bash_command>"
	if _, rest, tagged := strings.Cut(text, open); tagged {
		inner, after, closed := strings.Cut(rest, end)
		if !closed || strings.Contains(after, open) {
			return ""
		}
		return strings.TrimSpace(inner)
	}
	blocks := codeBlocks(text)
	if len(blocks) != 1 || !blocks[0].isShell() {
		return ""
	}
	return strings.TrimSpace(blocks[0].text)
}

func isReturned(message jsonval.Value) bool {
	text := strings.TrimSpace(shape.ContentText(message.Get("content")))
	return shape.PlainRole(message.Get("role").Text()) == "user" && (strings.HasPrefix(text, returned) || strings.HasPrefix(text, raised))
}

// readCommands reads a conversation in which the agent writes its commands as text.
func (r *Run) readCommands(list []jsonval.Value) {
	waiting := -1 // the action whose result comes next
	for _, v := range list {
		text, role := shape.ContentText(v.Get("content")), shape.PlainRole(v.Get("role").Text())
		if waiting >= 0 && role == "user" && strings.TrimSpace(text) != "" {
			r.SetObservation(waiting, returnedObservation(text))
			r.AddToolMessage(text)
			waiting = -1
			continue
		}
		r.AddMessage(role, text)
		waiting = -1
		if c := messageCommand(v); c != "" {
			waiting = r.AddCall(Call{Name: "bash", Arguments: literal.Object("command", c), At: v})
		}
	}
}

// returnedObservation returns the result of a command. The result is an error if its exit
// code is not 0. A text without an exit code is an error only if it says that the command
// timed out.
func returnedObservation(text string) trajectory.Observation {
	_, rest, found := strings.Cut(text, returned)
	code, _, _ := strings.Cut(rest, "<")
	n, err := strconv.Atoi(strings.TrimSpace(code))
	if !found || err != nil {
		return trajectory.Observation{Text: text, Error: strings.Contains(text, " timed out ")}
	}
	return trajectory.Observation{Text: text, Error: n != 0}
}

// readEnding sets the model of a run, and the reason why the run was stopped, from the
// object info. The reason is the exit status. There is no reason if the exit status
// begins with "submitted".
func readEnding(t *trajectory.Trajectory, info *shape.Object) {
	if status := info.FirstText("exit_status"); status != "" && !strings.HasPrefix(strings.ToLower(status), "submitted") {
		t.Stopped = status
	}
	if t.Model == "" {
		t.Model = info.OpenMember("config").OpenMember("model").FirstText("model_name")
	}
}
