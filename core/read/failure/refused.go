package failure

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// refusedCalls has the beginnings of the texts with which frameworks answer a call that was
// refused or waits for an approval, in lower case.
var refusedCalls = [...]string{
	"tool execution was not approved", "tool call was not approved", // OpenAI's Agents SDK
	"the user doesn't want to proceed with this tool use", "the user doesn't want to take this action right now", // Claude Code
	"claude requested permissions to ", "this command requires approval",
	"user rejected the tool call", "user rejected this tool call", // LangChain
	"this tool call is rejected", "this tool call requires confirmation", // Google's ADK
	"the tool call was denied", "tool not executed", "tool call not executed", // Pydantic AI
	"request to call tool denied", "request to call the tool was denied", // Letta
	"tool execution denied", "tool execution was denied", "tool call denied", "tool call rejected", "tool call was rejected", // AI SDK
	"operation cancelled by ", "operation canceled by ", "operation aborted by ", "execution cancelled by ", "execution canceled by ", "tool call cancelled", "tool call canceled", "tool use cancelled", "tool use rejected", "tool use was rejected", "interrupted by user", "[interrupted by ", "[request interrupted by user", "[skipped", "[tool call skipped", "user cancelled the ", "user canceled the ",
	"action rejected by ", "rejected by user", "rejected by the user", "denied by user", "denied by the user", "denied by the approver ", "the user rejected ", "the user denied ", "the user declined ", "user denied ", "user declined ",
}

// errorMarks may stand before such a text.
var errorMarks = [...]string{"error:", "error -", "failed:"}

// Refused reports whether a result is a framework's text that the call was not executed.
// The text may be the error in an object.
func Refused(text string) bool {
	if text == "" || strings.IndexByte("tTcCpPuUaArRdDoOeEiIfF[{", text[0]) < 0 {
		return false
	}
	if text[0] == '[' && (len(text) < 2 || strings.IndexByte("sStTiIrR", text[1]) < 0) {
		return false
	}
	if text[0] == '{' {
		if len(text) > shortResult || !strings.Contains(text, `"error"`) {
			return false
		}
		v, err := jsonval.Parse(text)
		words, ok := v.Get("error").Str()
		return err == nil && ok && Refused(words)
	}
	if rest := text[len(opensWith(text, errorMarks[:])):]; len(rest) < len(text) {
		text = strings.TrimLeft(rest, " ")
	}
	if rest, ok := strings.CutPrefix(text, "Permission to use "); ok { // Claude Code's rules
		return strings.Contains(rest[:min(len(rest), shortResult)], " has been denied")
	}
	return opensWith(text, refusedCalls[:]) != ""
}

// opensWith returns the first of the openings, which are in lower case, with which a text
// begins, or "".
func opensWith(text string, openings []string) string {
	for _, o := range openings {
		if len(text) >= len(o) && (text[0] == o[0] || text[0]|' ' == o[0]) && strings.EqualFold(text[:len(o)], o) {
			return o
		}
	}
	return ""
}
