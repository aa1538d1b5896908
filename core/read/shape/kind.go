package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// IsDefinition reports whether an object defines a tool: its function has parameters and no
// arguments.
func IsDefinition(o *Object) bool {
	f := o.OpenMember("function toolSpec")
	return f.HasAny("parameters description inputSchema input_schema") && !f.HasAny("arguments input")
}

// IsAsideFromRun reports whether a member with this name has no calls of the run: results,
// definitions and settings.
func IsAsideFromRun(name string) bool {
	return OneOf(name, "arguments tool_input toolInput tool_results toolResults tool_outputs toolOutputs tool_responses toolResponses toolUseResult observation available_tools availableTools tool_definitions toolDefinitions tool_choice tools functions schema json_schema config settings options kwargs_schema prompts rubric")
}

// KindOf returns the type of a span, block or event in lower case.
func KindOf(o *Object) string {
	if kind := o.FirstString("type kind span_type spanType span_kind spanKind run_type observation_type"); kind != "" {
		return strings.ToLower(kind)
	}
	return strings.ToLower(o.OpenMember("meta").FirstString("kind"))
}

// IsToolKind reports whether a kind in lower case, as KindOf returns it, is that of a call or of
// a tool's span.
func IsToolKind(kind string) bool {
	return strings.Contains(kind, "tool") || strings.Contains(kind, "function") || strings.Contains(kind, "call") || strings.Contains(kind, "action")
}

// IsOtherKind reports whether a type is that of a thing which is no call, such as a model.
func IsOtherKind(kind string) bool {
	if kind == "" || IsToolKind(kind) {
		return strings.Contains(kind, "result") || strings.Contains(kind, "output") || strings.Contains(kind, "definition")
	}
	for _, word := range [...]string{"llm", "generation", "chat", "model", "chain", "agent", "workflow", "graph", "retriev", "embed", "event", "message", "prompt", "text", "score"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// MayBeArguments reports whether a value may be the arguments of a call: an object that is no
// JSON Schema, or a string with an object or nothing.
func MayBeArguments(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Object:
		return !v.Get("properties").Exists() && !v.Get("$schema").Exists() && !(v.Len() == 1 && v.Get("type").Raw() == `"object"`)
	case jsonval.String:
		return strings.TrimSpace(v.Text()) == "" || IsObjectText(v)
	}
	return false
}

// IsJSONText reports whether a text begins and ends like an object or a list.
func IsJSONText(text string) bool {
	n := len(text)
	return n > 2 && (text[0] == '{' && text[n-1] == '}' || text[0] == '[' && text[n-1] == ']')
}
