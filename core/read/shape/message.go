package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// ErrorWords returns the text of an error member: the text of its member "message", or
// else the whole value.
func ErrorWords(v jsonval.Value) string {
	if s := v.Get("message").Text(); s != "" {
		return s
	}
	return v.Text()
}

// PlainRole converts a role of any dialect to system, user, assistant or tool. It returns
// an unknown role unchanged.
func PlainRole(role string) string {
	switch role {
	case "user", "assistant", "system", "tool":
		return role
	}
	switch {
	case OneOf(role, "function toolResult tool_result FunctionMessageChunk observation tool-response tool_response TOOL"):
		return "tool"
	case OneOf(role, "model bot agent AGENT gemini qwen gpt chatbot CHATBOT Chatbot Assistant apiMessage ai_message aiMessage assistant_message assistantMessage bot_message botMessage"):
		return "assistant"
	case OneOf(role, "developer SYSTEM System system_message systemMessage"):
		return "system"
	case OneOf(role, "USER User userMessage user_message human_message humanMessage"):
		return "user"
	}
	if r := LangChainRole(role); r != "" {
		return r
	}
	return role
}

// ContentText returns the text of a message's content. The content is a string, or a list
// with text parts.
func ContentText(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.Array:
	case jsonval.Object:
		if s, ok := v.Get("text").Str(); ok {
			return s
		}
		return v.Raw()
	default:
		return v.Text()
	}
	var parts []string
	v.Each(func(_ string, part jsonval.Value) bool {
		if s, ok := part.Str(); ok {
			parts = append(parts, s)
			return true
		}
		for _, name := range [...]string{"text", "json", "content", "logs"} {
			if t := part.Get(name); t.Exists() {
				parts = append(parts, ContentText(t))
				return true
			}
		}
		return true
	})
	return strings.Join(parts, "\n")
}

// LangChainRole returns the role of a LangChain message with the given type, or "" for
// any other type.
func LangChainRole(kind string) string {
	switch strings.TrimSuffix(strings.TrimSuffix(kind, "Chunk"), "Message") {
	case "human", "Human":
		return "user"
	case "ai", "AI", "AIMessage":
		return "assistant"
	case "tool", "Tool", "function", "Function":
		return "tool"
	case "system", "System":
		return "system"
	}
	return ""
}

// RoleOf returns the role of an object that is a message, or "" for any other object.
func RoleOf(o *Object) string {
	role := o.FirstString("role from")
	if role == "" && o.IsList("Items") {
		role = o.OpenMember("Role").FirstString("Label")
	}
	if role == "" && o.IsList("parts") {
		role = o.OpenMember("info").FirstString("role")
	}
	if role == "" && o.IsText("content") && strings.HasSuffix(o.FirstString("message_type"), "_message") { // Letta
		role = o.FirstString("message_type")
	}
	if role == "" {
		return langChainMessage(o)
	}
	if !o.HasAny("content contents parts tool_calls toolCalls toolRequests options value items Items toolInvocations") && !o.IsText("message") {
		return ""
	}
	switch plain := PlainRole(role); plain {
	case "user", "assistant", "system", "tool", "function_call", "tool-call":
		return plain
	}
	return ""
}

// langChainMessage returns the role of a LangChain message, or "" for any other object.
// The role comes from the message's type or, in a serialised message, from its class.
func langChainMessage(o *Object) string {
	kind := o.FirstString("type")
	switch {
	case kind == "constructor" && o.IsObject("kwargs"):
		class := ""
		o.Get("id").Each(func(_ string, e jsonval.Value) bool { class = e.Text(); return true })
		return LangChainRole(class)
	case o.IsObject("data") && o.OpenMember("data").HasAll("content"), o.HasAny("content tool_calls toolCalls") && !o.HasAny("toolCallId tool_name name_"):
		if OneOf(kind, "gemini qwen user") && !o.IsObject("message") {
			return PlainRole(kind)
		}
		return LangChainRole(kind)
	}
	return ""
}

// MemberRank returns the order in which the members of an object are read:
//
//   - 0: members of a request
//   - 1: all other members
//   - 2: members of the request's result
//   - 3: members that are not read, because they are not part of the conversation
func MemberRank(name string, v jsonval.Value) int {
	switch name {
	case "system", "instructions", "originalInput", "original_input", "input", "inputs", "prompt", "request", "user_input", "query", "userInput":
		return 0
	case "output", "outputs", "response", "result", "final_output", "finalOutput":
		return 2
	case "tools", "functions": // a node of a graph may have such a name
		return IfElse(v.Kind() == jsonval.Array, 3, 1)
	case "toolDefinitions", "tool_definitions", "parameters", "inputSchema", "input_schema", "usage", "usageMetadata", "usage_metadata", "providerData",
		"toolConfig", "tool_config", "workflowData", "workflow_data", "workflowDefinition", "workflow_definition": // definitions
		return 3
	}
	if IsExpected(name) || IsApart(name) {
		return 3
	}
	return 1
}

// IsCallList reports whether a member with this name contains the calls of a message.
func IsCallList(name string) bool {
	return OneOf(name, "tool_calls toolCalls toolCall toolRequests tools_called toolsCalled tool_uses toolUses function_calls usedTools used_tools tool_executions toolExecutions")
}

// IsResultList reports whether a member with this name contains the results of calls.
func IsResultList(name string) bool {
	return OneOf(name, "toolResults tool_results tool_outputs toolOutputs tool_responses toolResponses")
}
