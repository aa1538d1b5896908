package failure

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// frameworkErrors contains the standard texts that frameworks return as a tool's result
// if a call was not executed or failed.
var frameworkErrors = [...]string{
	"an error occurred", "there was an error", "unsupported call", "unknown tool", "tool execution failed", "mcp error", "failed to parse function arguments",
	"execution failed", "execution error in ", "tool not found", "received tool input did not match expected schema", "i encountered an error while trying to use the tool",
	"<tool_use_error>", "invalid tool call", "tool call failed", "no such tool",
}

// frameworkError reports whether a result is a framework's message that the call failed.
func frameworkError(text string) bool {
	if strings.IndexByte("aAuUtTmMfFeErRiInN<", text[0]) < 0 {
		return toolFailed(text)
	}
	for _, opening := range frameworkErrors {
		if n := len(opening); len(text) >= n && strings.EqualFold(text[:n], opening) {
			return true
		}
	}
	return toolFailed(text)
}

// toolFailed reports whether a text begins with "NAME failed:", as Codex reports
// failures.
func toolFailed(text string) bool {
	name, rest, ok := strings.Cut(text[:min(len(text), 80)], " failed")
	return ok && strings.HasPrefix(rest, ":") && IsToolName(name)
}

// exitStatus returns what is known of the exit code of a command, or unsaid if the text has
// no exit code. It reads only the lines that a coding agent adds before or after the
// output. The output itself may contain any text.
func exitStatus(text string) exit {
	switch {
	case strings.HasPrefix(text, "Chunk ID: "), strings.HasPrefix(text, "Wall time: "), strings.HasPrefix(text, "Exit code: "), strings.HasPrefix(text, "Process exited with code "):
		head, _, _ := strings.Cut(text, "\nOutput:")
		for line := range strings.Lines(head) {
			for _, words := range [...]string{"Process exited with code ", "Exit code: "} {
				if code, ok := strings.CutPrefix(line, words); ok {
					return codeFlag(code)
				}
			}
		}
	case strings.HasPrefix(text, "Command: ") && strings.Contains(text, "\nOutput: "):
		if i := strings.LastIndex(text, "\nExit Code: "); i >= 0 {
			return codeFlag(text[i+len("\nExit Code: "):])
		}
	}
	return unsaid
}

// codeFlag reads the digits at the beginning of a text as an exit code. It returns fine
// for 0, failed for any other code, and unsaid if there are no digits.
func codeFlag(text string) exit {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil {
		return unsaid
	}
	if n == 0 {
		return fine
	}
	return failed
}

// refusals contains the operating system's messages about a file or command that could
// not be used.
var refusals = [...]string{"No such file or directory", "Permission denied", "Is a directory", "Not a directory", "command not found"}

// RefusedRead reports whether a call was a simple read-only command that failed. The
// result must be one line with the program's error message, for example "cat: x: No such
// file or directory". Scripts, and commands that can change something, do not count.
func RefusedRead(arguments jsonval.Value, text string) bool {
	text = strings.TrimSpace(text)
	program, rest, ok := strings.Cut(text, ": ")
	if !ok || len(text) > 400 || strings.Contains(rest, "\n") || !onlyReads(program) {
		return false
	}
	command := commandOf(arguments)
	if !strings.HasPrefix(command, program+" ") || strings.ContainsAny(command, ";&|<>`$\n(){}\\") {
		return false
	}
	for _, words := range refusals {
		if strings.HasSuffix(rest, words) {
			return true
		}
	}
	return false
}

func onlyReads(program string) bool {
	return oneOf(program, "cat ls head tail grep wc stat file du diff tree nl cmp")
}

// commandOf returns the text of a call's shell command, or "" if the call has none.
func commandOf(arguments jsonval.Value) string {
	if arguments.Kind() != jsonval.Object {
		return ""
	}
	for _, name := range [...]string{"command", "cmd"} {
		if s, ok := arguments.Get(name).Str(); ok {
			return s
		}
	}
	return ""
}
