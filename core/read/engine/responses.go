package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// IsItem reports whether kind is a type of item in the Responses API, for example
// function_call or reasoning. A message is not an item here.
func IsItem(kind string) bool {
	return kind == "reasoning" || strings.IndexByte(kind, '_') > 0 && shape.OneOf(kind, "function_call hosted_tool_call custom_tool_call local_shell_call shell_call apply_patch_call mcp_call computer_call "+
		"web_search_call file_search_call code_interpreter_call tool_search_call tool_search_output x_search_call image_generation_call mcp_approval_request item_reference mcp_list_tools "+outputItems)
}

// outputItems contains the types of items that are the results of calls.
const outputItems = "function_call_output function_call_result computer_call_result custom_tool_call_output local_shell_call_output shell_call_output apply_patch_call_output computer_call_output"

// IsResponseItem reports whether an object is a call or a result of the Responses API.
func IsResponseItem(o *shape.Object) bool {
	kind := o.FirstString("type")
	return !o.HasAll("role") && IsItem(kind) && kind != "reasoning" && o.HasAny("call_id callId name arguments action output code queries")
}

// IsResponse reports whether an object is a whole response of the Responses API.
func IsResponse(o *shape.Object) bool {
	return o.IsList("output") && (o.FirstString("object") == "response" || shape.InContent(o, "output", IsResponseItem))
}

// responseDocument reads one response of the Responses API: first its input, and then its
// output.
func (r *Run) responseDocument(o *shape.Object) {
	r.readMessageList(o.Get("input"))
	if s := o.FirstString("input"); s != "" {
		r.AddMessage("user", s)
	}
	if r.AssistantTurn(); r.Took.Said.Counts() {
		r.BeginTurn("assistant") // each response has its own tokens
	}
	r.readMessageList(o.Get("output"))
}

// responseItem reads one item that is not a message.
func (r *Run) responseItem(m *message) {
	o := shape.OpenObject(m.v)
	id := o.FirstText("call_id callId")
	if id == "" {
		id = m.id
	}
	if r.Role != "assistant" || r.at < 0 {
		r.BeginTurn("assistant")
	}
	switch {
	case shape.OneOf(m.kind, "reasoning item_reference mcp_list_tools mcp_approval_request"):
	case shape.OneOf(m.kind, "function_call mcp_call hosted_tool_call"):
		i := r.AddCall(Call{ID: id, Name: m.name, Arguments: o.Get("arguments"), At: m.v})
		if r.markAction(i, shape.WordState(o.FirstString("status"))); m.kind != "function_call" {
			r.noteDone(i)
		}
		if output := o.FirstNonNull("output error"); m.kind != "function_call" && output.Exists() {
			r.AttachResult(id, m.name, shape.NewObservation(shape.ContentText(output), shape.ErrorFlag(o.Get("error"))), m.v)
		}
	case m.kind == "custom_tool_call":
		r.customCall(id, m.name, o.Get("input"), m.v)
	case shape.OneOf(m.kind, outputItems):
		text, f := itemOutput(o)
		r.AttachResult(id, "", shape.NewObservation(text, f), m.v)
	case m.kind == "tool_search_output":
		if o.FirstText("call_id") == "" {
			id = r.unansweredCall("tool_search")
		}
		r.AttachResult(id, "tool_search", shape.NewObservation(o.Get("tools").Raw(), shape.Fine), m.v)
	case m.kind == "tool_search_call" && o.FirstString("status") == "in_progress": // in a stream, with another call id than the complete item
	default: // local_shell_call, web_search_call, computer_call and similar types
		r.hostedCall(id, shape.IfElse(m.name != "", m.name, TrimCall(m.kind)), o)
	}
}

// hostedCall reads a call of a tool that the API itself runs. The item often contains the
// result, too.
func (r *Run) hostedCall(id, name string, o *shape.Object) {
	r.noteDone(r.AddCall(Call{ID: id, Name: name, Arguments: hostedArguments(o), At: o.Value}))
	f := shape.StatusFlag(o.Get("status"))
	switch output := o.FirstNonNull("outputs results output"); {
	case output.Len() > 0, output.Exists() && f == shape.Fine:
		r.AttachResult(id, "", shape.NewObservation(ToolText(output), f), o.Value)
	case f == shape.Failed:
		r.AttachResult(id, "", trajectory.Observation{Text: o.FirstString("status"), Error: true}, o.Value)
	}
}

// hostedArguments returns the arguments of a call of a hosted tool. Some tools have only
// one argument, which is a member of the item itself.
func hostedArguments(o *shape.Object) jsonval.Value {
	v := o.FirstNonNull("action operation arguments")
	for _, name := range [...]string{"code", "queries", "revised_prompt"} {
		if m := o.FirstNonNull(name); !v.Exists() && m.Exists() {
			v, _ = jsonval.Parse("{" + literal.Quote(name) + ":" + m.Raw() + "}")
		}
	}
	return v
}

// unansweredCall returns the id of the first action with the given name that has no
// result, or "".
func (r *Run) unansweredCall(name string) string {
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; a.Name == name && a.Observation == nil {
			return a.CallID
		}
	}
	return ""
}

// customCall adds a call whose input may be free text, for example a patch. The text is the
// argument input, as in the declaration of such a tool. An input that is an object, or a
// string with an object as JSON, becomes the arguments of the call.
func (r *Run) customCall(id, name string, input jsonval.Value, at jsonval.Value) {
	c := Call{ID: id, Name: name, At: at}
	if s, ok := input.Str(); ok {
		if v, err := jsonval.Parse(s); err == nil && v.Kind() == jsonval.Object {
			c.Arguments = v
		} else {
			c.Arguments = literal.Object("input", s)
		}
	} else {
		c.Arguments = input
	}
	r.AddCall(c)
}

// TrimCall returns the type of an item without "_call" at its end.
func TrimCall(kind string) string {
	if n := len(kind) - len("_call"); n > 0 && kind[n:] == "_call" {
		return kind[:n]
	}
	return kind
}

// itemOutput returns the text of an item's output, and a flag that says whether the call
// failed. The output is a text, a list of parts, or Codex's object {output, metadata:
// {exit_code}}. Codex's object may also be inside a JSON string.
func itemOutput(o *shape.Object) (string, shape.Flag) {
	output := o.Get("output")
	f := shape.SuccessFlag(o.Get("success")) // the item's status describes only its transport
	inner := output
	if s, ok := output.Str(); ok && len(s) > 0 && s[0] == '{' {
		if v, err := jsonval.Parse(s); err == nil {
			inner = v
		}
	}
	if p := shape.OpenObject(inner); p.IsText("output") && p.IsObject("metadata") {
		return p.FirstString("output"), shape.StrictestFlag(f, shape.ExitFlag(p.OpenMember("metadata").Get("exit_code")))
	}
	if p := shape.OpenObject(output); p.HasAny("content success") {
		return shape.ContentText(p.Get("content")), shape.StrictestFlag(f, shape.SuccessFlag(p.Get("success")))
	}
	return shape.ContentText(output), f
}
