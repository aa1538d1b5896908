package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isCline reports whether an object is an entry of the file ui_messages.json of Cline or
// Roo Code.
func isCline(o *object) bool {
	kind := o.firstString("type")
	return oneOf(kind, "say ask") && o.isText(kind) && o.hasAny("ts")
}

// decodeCline reads what Cline shows to its user: texts, calls and the output of commands.
func decodeCline(d *decoder, in batch) {
	c := clineRun{run: d.newRun(), open: -1}
	for _, v := range in.values {
		o := openObject(v)
		c.entry(o, o.firstString(o.firstString("type")), o.firstString("text"))
	}
	c.addToDocument()
}

// clineRun builds a run of Cline. open is the index of the call to which output belongs, or
// -1.
type clineRun struct {
	*run
	open int
}

func (c *clineRun) entry(o *object, kind, text string) {
	if partial, _ := o.get("partial").Bool(); partial {
		return // Cline was stopped while the model wrote this
	}
	inner, _ := jsonval.Parse(text)
	in := openObject(inner)
	switch kind {
	case "task", "user_feedback":
		c.say("user", text)
	case "text":
		c.say(ifElse(len(c.t.Messages) == 0, "user", "assistant"), text)
	case "completion_result":
		c.say("assistant", text)
	case "followup", "plan_mode_respond":
		c.say("assistant", ifElse(in.hasAny("question response"), in.firstText("question response"), text))
	case "tool":
		c.callTool(o, in)
	case "command":
		command, output, has := strings.Cut(strings.TrimSuffix(text, "REQ_APP"), "\nOutput:")
		c.begin(call{name: "execute_command", arguments: objectFromPairs("command", command), at: o.v})
		if has {
			c.output(strings.TrimSpace(output), unsaid)
		}
	case "use_mcp_server":
		name := in.firstText("toolName")
		if name == "" {
			name = in.firstText("type") // access_mcp_resource
		}
		c.begin(call{name: name, arguments: ifElse(in.hasAny("arguments"), in.get("arguments"), objectFromPairs("uri", in.firstText("uri"))), at: o.v})
	case "browser_action_launch":
		c.begin(call{name: "browser_action", arguments: objectFromPairs("action", "launch", "url", text), at: o.v})
	case "browser_action":
		c.begin(call{name: kind, arguments: inner, at: o.v})
	case "command_output", "mcp_server_response", "browser_action_result":
		c.output(text, unsaid)
	case "error", "diff_error":
		c.output(text, failed)
	}
}

// say adds a message. Output after the message belongs to no call.
func (c *clineRun) say(role, text string) {
	if text != "" {
		c.addMessage(role, text)
		c.open = -1
	}
}

func (c *clineRun) begin(call call) {
	c.assistantTurn()
	c.open = c.addCall(call)
}

// callTool reads a call from an object with the tool's name and the arguments. If the
// tool searches or lists, the member "content" is the result of the call.
func (c *clineRun) callTool(o, in *object) {
	name := in.firstString("tool")
	if name == "" {
		c.d.warnAt("calls-not-read", "cannot read a call: the text of the call is not a JSON object with a tool", o.v)
		return
	}
	finds := strings.HasPrefix(name, "search") || strings.HasPrefix(name, "list")
	arguments := withoutMember(in.v, "tool")
	if finds {
		arguments = withoutMember(arguments, "content")
	}
	c.begin(call{name: name, arguments: arguments, at: o.v})
	if content, ok := in.get("content").Str(); ok && finds {
		c.output(content, fine)
	}
}

// output adds a text to the result of the open call. If the call already has a result,
// the text is appended to this result and to the tool's message.
func (c *clineRun) output(text string, f flag) {
	if c.open < 0 || strings.TrimSpace(text) == "" {
		return
	}
	old := c.t.Actions[c.open].Observation
	if old == nil {
		c.setObservation(c.open, newObservation(text, f))
		c.addToolMessage(text)
		return
	}
	old.Text += "\n" + text
	old.Error = old.Error || f == failed
	c.t.Messages[len(c.t.Messages)-1].Text = old.Text
}
