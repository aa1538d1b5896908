package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isItem reports whether kind is a type of item in the Responses API, for example
// function_call or reasoning. A message is not an item here.
func isItem(kind string) bool {
	return kind == "reasoning" || strings.IndexByte(kind, '_') > 0 && oneOf(kind, "function_call hosted_tool_call custom_tool_call local_shell_call shell_call apply_patch_call mcp_call computer_call "+
		"web_search_call file_search_call code_interpreter_call tool_search_call tool_search_output x_search_call image_generation_call mcp_approval_request item_reference mcp_list_tools "+outputItems)
}

// outputItems contains the types of items that are the results of calls.
const outputItems = "function_call_output function_call_result computer_call_result custom_tool_call_output local_shell_call_output shell_call_output apply_patch_call_output computer_call_output"

func isResponseItem(o *object) bool {
	kind := o.firstString("type")
	return !o.hasAll("role") && isItem(kind) && kind != "reasoning" && o.hasAny("call_id callId name arguments action output code queries")
}

func isResponse(o *object) bool {
	return o.isList("output") && (o.firstString("object") == "response" || inContent(o, "output", isResponseItem))
}

// responseDocument reads one response of the Responses API: first its input, and then its
// output.
func (r *run) responseDocument(o *object) {
	r.readMessageList(o.get("input"))
	if s := o.firstString("input"); s != "" {
		r.addMessage("user", s)
	}
	r.assistantTurn()
	r.readMessageList(o.get("output"))
}

// responseItem reads one item that is not a message.
func (r *run) responseItem(m *message) {
	o := openObject(m.v)
	id := o.firstText("call_id callId")
	if id == "" {
		id = m.id
	}
	if r.role != "assistant" || r.at < 0 {
		r.beginTurn("assistant")
	}
	switch {
	case oneOf(m.kind, "reasoning item_reference mcp_list_tools mcp_approval_request"):
	case oneOf(m.kind, "function_call mcp_call hosted_tool_call"):
		i := r.addCall(call{id: id, name: m.name, arguments: o.get("arguments"), at: m.v})
		if r.markAction(i, wordState(o.firstString("status"))); m.kind != "function_call" {
			r.noteDone(i)
		}
		if output := o.firstNonNull("output error"); m.kind != "function_call" && output.Exists() {
			r.attachResult(id, m.name, newObservation(contentText(output), errorFlag(o.get("error"))), m.v)
		}
	case m.kind == "custom_tool_call":
		r.customCall(id, m.name, o.get("input"), m.v)
	case oneOf(m.kind, outputItems):
		text, f := itemOutput(o)
		r.attachResult(id, "", newObservation(text, f), m.v)
	case m.kind == "tool_search_output":
		if o.firstText("call_id") == "" {
			id = r.unansweredCall("tool_search")
		}
		r.attachResult(id, "tool_search", newObservation(o.get("tools").Raw(), fine), m.v)
	case m.kind == "tool_search_call" && o.firstString("status") == "in_progress": // in a stream, with another call id than the complete item
	default: // local_shell_call, web_search_call, computer_call and similar types
		r.hostedCall(id, ifElse(m.name != "", m.name, trimCall(m.kind)), o)
	}
}

// hostedCall reads a call of a tool that the API itself runs. The item often contains the
// result, too.
func (r *run) hostedCall(id, name string, o *object) {
	r.noteDone(r.addCall(call{id: id, name: name, arguments: hostedArguments(o), at: o.v}))
	f := statusFlag(o.get("status"))
	switch output := o.firstNonNull("outputs results output"); {
	case output.Len() > 0, output.Exists() && f == fine:
		r.attachResult(id, "", newObservation(toolText(output), f), o.v)
	case f == failed:
		r.attachResult(id, "", Observation{Text: o.firstString("status"), Error: true}, o.v)
	}
}

// hostedArguments returns the arguments of a call of a hosted tool. Some tools have only
// one argument, which is a member of the item itself.
func hostedArguments(o *object) jsonval.Value {
	v := o.firstNonNull("action operation arguments")
	for _, name := range [...]string{"code", "queries", "revised_prompt"} {
		if m := o.firstNonNull(name); !v.Exists() && m.Exists() {
			v, _ = jsonval.Parse("{" + quoteJSON(name) + ":" + m.Raw() + "}")
		}
	}
	return v
}

// unansweredCall returns the id of the first action with the given name that has no
// result, or "".
func (r *run) unansweredCall(name string) string {
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; a.Name == name && a.Observation == nil {
			return a.CallID
		}
	}
	return ""
}

// customCall adds a call whose input may be free text, for example a patch. The text is the
// argument input, as in the declaration of such a tool. An input that is an object, or a
// string with an object as JSON, becomes the arguments of the call.
func (r *run) customCall(id, name string, input jsonval.Value, at jsonval.Value) {
	c := call{id: id, name: name, at: at}
	if s, ok := input.Str(); ok {
		if v, err := jsonval.Parse(s); err == nil && v.Kind() == jsonval.Object {
			c.arguments = v
		} else {
			c.arguments = objectFromPairs("input", s)
		}
	} else {
		c.arguments = input
	}
	r.addCall(c)
}

func trimCall(kind string) string {
	if n := len(kind) - len("_call"); n > 0 && kind[n:] == "_call" {
		return kind[:n]
	}
	return kind
}

// itemOutput returns the text of an item's output, and a flag that says whether the call
// failed. The output is a text, a list of parts, or Codex's object {output, metadata:
// {exit_code}}. Codex's object may also be inside a JSON string.
func itemOutput(o *object) (string, flag) {
	output := o.get("output")
	f := successFlag(o.get("success")) // the item's status describes only its transport
	inner := output
	if s, ok := output.Str(); ok && len(s) > 0 && s[0] == '{' {
		if v, err := jsonval.Parse(s); err == nil {
			inner = v
		}
	}
	if p := openObject(inner); p.isText("output") && p.isObject("metadata") {
		return p.firstString("output"), strictestFlag(f, exitFlag(p.openMember("metadata").get("exit_code")))
	}
	if p := openObject(output); p.hasAny("content success") {
		return contentText(p.get("content")), strictestFlag(f, successFlag(p.get("success")))
	}
	return contentText(output), f
}
