package trajectory

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// frameworkErrors holds the default texts with which frameworks report, as the tool's
// result, that a call did not take place or did not work.
var frameworkErrors = [...]string{
	"an error occurred", "unsupported call", "unknown tool", "tool execution failed", "mcp error", "failed to parse function arguments",
	"execution failed", "execution error in ", "tool not found", "received tool input did not match expected schema", "i encountered an error while trying to use the tool",
	"<tool_use_error>", "invalid tool call", "tool call failed", "no such tool",
}

// frameworkError reports whether a text is a framework's report of a failure.
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

// toolFailed reports whether a text's first line is "NAME failed: why", as Codex writes
// it.
func toolFailed(text string) bool {
	name, rest, ok := strings.Cut(text[:min(len(text), 80)], " failed")
	return ok && strings.HasPrefix(rest, ":") && isName(name)
}

// exitStatus reads a command's exit code from the frame that a coding agent puts around
// its output: Codex writes it before the output, Gemini and Qwen after it. It never reads
// the command's own output, which may contain anything.
func exitStatus(text string) flag {
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

// codeFlag reads the digits at a text's beginning as an exit code.
func codeFlag(text string) flag {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil {
		return unsaid
	}
	return either(n == 0, fine, failed)
}

// refusals holds the operating system's messages about files that could not be read.
var refusals = [...]string{"No such file or directory", "Permission denied", "Is a directory", "Not a directory", "command not found"}

// refusedRead reports whether a call was a plain read-only command, and its result is one
// line with its program's error message ("cat: x: No such file or directory"). Commands
// that change something do not count: they may have taken effect in part, and a script
// may print anything.
func refusedRead(arguments jsonval.Value, text string) bool {
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

// commandOf returns the text of a shell command; "" if a call has none.
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
