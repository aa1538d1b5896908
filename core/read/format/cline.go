package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isCline reports whether an object is an entry of the file ui_messages.json of Cline or
// Roo Code.
func isCline(o *shape.Object) bool {
	kind := o.FirstString("type")
	return shape.OneOf(kind, "say ask") && o.IsText(kind) && o.HasAny("ts")
}

// decodeCline reads what Cline shows to its user: texts, calls and the output of commands.
func decodeCline(d *engine.Decoder, in engine.Batch) {
	c := clineRun{Run: d.NewRun(), open: -1}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		c.entry(o, o.FirstString(o.FirstString("type")), o.FirstString("text"))
	}
	c.AddToDocument()
}

// clineRun builds a run of Cline. open is the index of the call to which output belongs, or
// -1.
type clineRun struct {
	*engine.Run
	open int
}

func (c *clineRun) entry(o *shape.Object, kind, text string) {
	if partial, _ := o.Get("partial").Bool(); partial {
		return // Cline was stopped while the model wrote this
	}
	inner, _ := jsonval.Parse(text)
	in := shape.OpenObject(inner)
	switch kind {
	case "task", "user_feedback":
		c.say("user", text)
	case "text":
		c.say(shape.IfElse(len(c.Trajectory.Messages) == 0, "user", "assistant"), text)
	case "completion_result":
		c.say("assistant", text)
	case "followup", "plan_mode_respond":
		c.say("assistant", shape.IfElse(in.HasAny("question response"), in.FirstText("question response"), text))
	case "tool":
		c.callTool(o, in)
	case "command":
		command, output, has := strings.Cut(strings.TrimSuffix(text, "REQ_APP"), "\nOutput:")
		c.begin(engine.Call{Name: "execute_command", Arguments: literal.Object("command", command), At: o.Value})
		if has {
			c.output(strings.TrimSpace(output), shape.Unsaid)
		}
	case "use_mcp_server":
		name := in.FirstText("toolName")
		if name == "" {
			name = in.FirstText("type") // access_mcp_resource
		}
		c.begin(engine.Call{Name: name, Arguments: shape.IfElse(in.HasAny("arguments"), in.Get("arguments"), literal.Object("uri", in.FirstText("uri"))), At: o.Value})
	case "browser_action_launch":
		c.begin(engine.Call{Name: "browser_action", Arguments: literal.Object("action", "launch", "url", text), At: o.Value})
	case "browser_action":
		c.begin(engine.Call{Name: kind, Arguments: inner, At: o.Value})
	case "command_output", "mcp_server_response", "browser_action_result":
		c.output(text, shape.Unsaid)
	case "error", "diff_error":
		c.output(text, shape.Failed)
	}
}

// say adds a message. Output after the message belongs to no call.
func (c *clineRun) say(role, text string) {
	if text != "" {
		c.AddMessage(role, text)
		c.open = -1
	}
}

func (c *clineRun) begin(call engine.Call) {
	c.AssistantTurn()
	c.open = c.AddCall(call)
}

// callTool reads a call from an object with the tool's name and the arguments. If the
// tool searches or lists, the member "content" is the result of the call.
func (c *clineRun) callTool(o, in *shape.Object) {
	name := in.FirstString("tool")
	if name == "" {
		c.Decoder.WarnAt("calls-not-read", "cannot read a call: the text of the call is not a JSON object with a tool", o.Value)
		return
	}
	finds := strings.HasPrefix(name, "search") || strings.HasPrefix(name, "list")
	arguments := withoutMember(in.Value, "tool")
	if finds {
		arguments = withoutMember(arguments, "content")
	}
	c.begin(engine.Call{Name: name, Arguments: arguments, At: o.Value})
	if content, ok := in.Get("content").Str(); ok && finds {
		c.output(content, shape.Fine)
	}
}

// output adds a text to the result of the open call. If the call already has a result,
// the text is appended to this result and to the tool's message.
func (c *clineRun) output(text string, f shape.Flag) {
	if c.open < 0 || strings.TrimSpace(text) == "" {
		return
	}
	old := c.Trajectory.Actions[c.open].Observation
	if old == nil {
		c.SetObservation(c.open, shape.NewObservation(text, f))
		c.AddToolMessage(text)
		return
	}
	old.Text += "\n" + text
	old.Error = old.Error || f == shape.Failed
	c.Trajectory.Messages[len(c.Trajectory.Messages)-1].Text = old.Text
}
