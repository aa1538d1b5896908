package trajectory

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
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
	if plainRole(message.Get("role").Text()) != "assistant" {
		return ""
	}
	text := contentText(message.Get("content"))
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
	text := strings.TrimSpace(contentText(message.Get("content")))
	return plainRole(message.Get("role").Text()) == "user" && (strings.HasPrefix(text, returned) || strings.HasPrefix(text, raised))
}

// readCommands reads a conversation in which the agent writes its commands as text.
func (r *run) readCommands(list []jsonval.Value) {
	waiting := -1 // the action whose result comes next
	for _, v := range list {
		text, role := contentText(v.Get("content")), plainRole(v.Get("role").Text())
		if waiting >= 0 && role == "user" && strings.TrimSpace(text) != "" {
			r.setObservation(waiting, returnedObservation(text))
			r.addToolMessage(text)
			waiting = -1
			continue
		}
		r.addMessage(role, text)
		waiting = -1
		if c := messageCommand(v); c != "" {
			waiting = r.addCall(call{name: "bash", arguments: objectFromPairs("command", c), at: v})
		}
	}
}

// returnedObservation returns the result of a command. The result is an error if its exit
// code is not 0. A text without an exit code is an error only if it says that the command
// timed out.
func returnedObservation(text string) Observation {
	_, rest, found := strings.Cut(text, returned)
	code, _, _ := strings.Cut(rest, "<")
	n, err := strconv.Atoi(strings.TrimSpace(code))
	if !found || err != nil {
		return Observation{Text: text, Error: strings.Contains(text, " timed out ")}
	}
	return Observation{Text: text, Error: n != 0}
}

// readEnding sets the model of a run, and the reason why the run was stopped, from the
// object info. The reason is the exit status. There is no reason if the exit status
// begins with "submitted".
func (t *Trajectory) readEnding(info *object) {
	if status := info.firstText("exit_status"); status != "" && !strings.HasPrefix(strings.ToLower(status), "submitted") {
		t.Stopped = status
	}
	if t.Model == "" {
		t.Model = info.openMember("config").openMember("model").firstText("model_name")
	}
}
