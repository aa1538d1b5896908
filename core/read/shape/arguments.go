package shape

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// calleeNames are members with the name of a tool that OpenBlock does not read. Other things
// have such members, too, so that arguments must be beside them.
const calleeNames = "functionName function action tool_call_name api_name fn func recipient_name"

// CompleteCall sets the arguments of a call from the members of its object which names and
// arguments have in other programs (see reference.HoldsArguments), and its name if it has
// arguments but no name yet.
func (b *Block) CompleteCall() {
	o := OpenObject(b.Value)
	if !b.Input.Exists() {
		b.Input = o.OtherArguments()
	}
	if f := o.OpenMember("function"); !b.Input.Exists() && len(f.Keys) > 0 {
		b.Input = f.OtherArguments()
	}
	if name := o.FirstString(calleeNames); b.Name == "" && b.Input.Exists() && IsName(name) {
		b.Name = name
	}
}

// OtherArguments returns the first member of a call whose name says that it has arguments, or
// Missing.
func (o *Object) OtherArguments() jsonval.Value {
	for i, key := range o.Keys {
		if v := o.Values[i]; (v.Kind() == jsonval.Object || IsObjectText(v)) && reference.HoldsArguments(key) {
			return v
		}
	}
	return jsonval.Value{}
}

// besideName are members of an expected call that say nothing of its arguments.
const besideName = "name tool toolName tool_name function function_name functionName FunctionName action type kind id index step step_id stepId order turn title description comment note notes reason reasoning thought thoughts explanation " +
	"required optional mandatory weight score server server_name namespace agent role status state timestamp time call_id callId tool_call_id toolCallId tool_id requestor " +
	"output result results response observation error content text expected_output tool_output toolOutput metadata meta custom custom_tool_call function_call functionCall toolUse tool_call toolCall"

// HidesArguments reports whether an expected call has no arguments that can be read, but
// another member that may be its arguments.
func HidesArguments(call jsonval.Value) bool {
	o := OpenObject(call)
	if o.namesArguments() || o.OpenMember("function functionCall function_call toolUse tool_call toolCall custom").namesArguments() {
		return false
	}
	for i, key := range o.Keys {
		if !isNothing(o.Values[i]) && !OneOf(key, besideName) {
			return true
		}
	}
	return false
}

// namesArguments reports whether an object has arguments, perhaps none.
func (o *Object) namesArguments() bool {
	for i, key := range o.Keys {
		if v := o.Values[i]; (isNothing(v) || IsObjectText(v)) && reference.HoldsArguments(key) {
			return true
		}
	}
	return false
}

// isNothing reports whether a value has no content.
func isNothing(v jsonval.Value) bool {
	return v.Kind() == jsonval.Null || OneOf(v.Raw(), `{} [] ""`)
}
