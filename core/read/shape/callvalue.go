package shape

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// IsCallValue reports whether an object is itself a call.
func IsCallValue(v jsonval.Value) bool {
	if v.Kind() != jsonval.Object {
		return false
	}
	o := OpenObject(v)
	if o.HasAny("messages calls steps trajectory tool_calls actions") || RoleOf(o) != "" {
		return false
	}
	if o.IsObject("function") || o.IsObject("functionCall") || o.IsObject("toolUse") {
		return true
	}
	input := EncodedValue(o.Get("arguments args input inputs parameters params kwargs kw with using action_input actionInput tool_input toolInput tool_args toolArgs input_parameters inputParameters slots data"))
	return IsName(o.FirstString("name tool tool_name toolName action fn function function_name api skill do")) &&
		(input.Kind() == jsonval.Object || !input.Exists() && (len(o.Keys) == 1 || o.IsText("tool") || o.IsText("tool_name") || o.IsText("function")))
}

// IsNameAlone reports whether an object names a tool, and perhaps what it returned, and no more.
func IsNameAlone(o *Object) bool {
	if !IsName(o.FirstString("tool tool_name toolName function_name name")) || o.HasAny("role content messages type kind") {
		return false
	}
	return !slices.ContainsFunc(o.Values, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array })
}

// SaysNotRun reports whether a member of an action says beside its result that it failed: by a flag,
// by a code, or because it was only tried out.
func SaysNotRun(key string, v jsonval.Value) bool {
	n, number := v.Float()
	switch key {
	case "ok", "success":
		return v.Raw() == "false"
	case "exit_code", "exitCode", "returncode", "return_code":
		return number && n != 0
	case "status_code", "statusCode", "http_status", "httpStatus":
		return number && n >= 400
	case "errors":
		return v.Kind() == jsonval.Array && v.Len() > 0
	case "timed_out", "timedOut", "aborted", "crashed", "blocked", "dry_run", "dryRun":
		return v.Raw() == "true"
	}
	return false
}
