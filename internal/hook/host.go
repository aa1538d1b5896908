package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
)

// Host is a program that runs an agent's tools and calls a hook before each of them. Only
// its notation differs from that of the other hosts.
type Host struct {
	Name  string
	table string // its reviewed table of tools; "" for none
	asks  bool   // the host can ask its user in the terminal

	// rewrites says that the host runs a call with the arguments in the hook's answer, by its
	// published schema. Only its encode passes them on.
	rewrites bool

	// before, after and failed are its names of the events; "" for none. An event before
	// a call is all that a decision needs.
	before, after, failed string

	// result is where the host's input has what the tool returned.
	result []string

	// encode returns the answer in the host's notation. The answer is nil if the host's
	// own permission flow decides.
	encode func(a *Answer) any

	folder   func() (string, error) // of its settings
	file     string                 // in the folder
	envelope map[string]json.RawMessage
	entry    func(command string, seconds int, decides bool) any
}

// Hosts returns the hosts that have a hook.
func Hosts() []*Host { return hosts }

// FindHost returns the host with this name, or nil.
func FindHost(name string) *Host {
	for _, h := range hosts {
		if h.Name == name {
			return h
		}
	}
	return nil
}

var hosts = []*Host{
	{
		Name: "claude-code", table: gate.HookHost, asks: true, rewrites: true, before: "PreToolUse", after: "PostToolUse", failed: "PostToolUseFailure", result: []string{"tool_response"},
		encode: encodeClaude, folder: homeFolder("CLAUDE_CONFIG_DIR", ".claude"), file: "settings.json", entry: claudeEntry,
	},
	{
		Name: "codex", table: "codex", before: "PreToolUse", after: "PostToolUse", result: []string{"tool_response"},
		encode: encodeCodex, folder: homeFolder("CODEX_HOME", ".codex"), file: "hooks.json", entry: claudeEntry,
	},
	{
		Name: "cursor", before: "preToolUse", after: "postToolUse", failed: "postToolUseFailure", result: []string{"tool_output"},
		encode: encodeCursor, folder: homeFolder("", ".cursor"), file: "hooks.json", envelope: versionOne,
		entry: func(command string, seconds int, decides bool) any {
			return map[string]any{"command": command, "timeout": seconds, "failClosed": decides}
		},
	},
	{
		Name: "gemini-cli", table: "gemini-cli", before: "BeforeTool", after: "AfterTool", result: []string{"tool_response", "llmContent"},
		encode: encodeGemini, folder: homeFolder("", ".gemini"), file: "settings.json",
		entry: func(command string, seconds int, _ bool) any {
			return map[string]any{"hooks": []any{map[string]any{"name": "boundcheck", "type": "command", "command": command, "timeout": 1000 * seconds}}}
		},
	},
	{
		Name: "copilot", asks: true, before: "PreToolUse", after: "PostToolUse", failed: "PostToolUseFailure", result: []string{"tool_result", "text_result_for_llm"},
		encode: encodeCopilot, folder: homeFolder("COPILOT_HOME", ".copilot"), file: filepath.Join("hooks", "boundcheck.json"), envelope: versionOne,
		entry: func(command string, seconds int, _ bool) any {
			return map[string]any{"type": "command", "command": command, "timeoutSec": seconds}
		},
	},
}

var versionOne = map[string]json.RawMessage{"version": json.RawMessage("1")}

// homeFolder returns a function that returns a folder in the user's home, or the folder
// that an environment variable names.
func homeFolder(variable, name string) func() (string, error) {
	return func() (string, error) {
		if dir := os.Getenv(variable); variable != "" && dir != "" {
			return dir, nil
		}
		home, err := os.UserHomeDir()
		return filepath.Join(home, name), err
	}
}

func claudeEntry(command string, seconds int, _ bool) any {
	return map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command, "timeout": seconds}}}
}

// encodeAnswer returns the answer as the host's hook prints it, or "" for nothing.
func (h *Host) encodeAnswer(a *Answer) (string, error) {
	if a != nil && a.Updated != nil && !h.rewrites {
		return "", fmt.Errorf("%s cannot take changed arguments, so its own call must not run", h.Name)
	}
	v := h.encode(a)
	if v == nil {
		return "", nil
	}
	text, err := json.Marshal(v)
	return string(text) + "\n", err
}

func encodeClaude(a *Answer) any {
	switch {
	case a == nil, a.Event == hookcall.Permit && a.Verdict == "ask": // the host is about to ask
		return nil
	case a.Event == hookcall.Permit:
		d := map[string]any{"behavior": a.Verdict}
		if a.Verdict == "deny" {
			d["message"] = a.Reason
		} else if a.Updated != nil {
			d["updatedInput"] = a.Updated
		}
		return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": a.Event, "decision": d}}
	}
	return map[string]*Answer{"hookSpecificOutput": a}
}

// encodeCodex prints only denials: Codex runs a call after an answer that it does not
// know, and allow is one of them.
func encodeCodex(a *Answer) any {
	if a == nil || a.Verdict == "allow" {
		return nil
	}
	return map[string]*Answer{"hookSpecificOutput": {Event: a.Event, Verdict: "deny", Reason: a.Reason}}
}

// encodeCursor always prints a decision, because Cursor blocks a call if a hook that must
// not fail prints nothing. After allow, its own permission flow still decides.
func encodeCursor(a *Answer) any {
	if a == nil || a.Verdict == "allow" {
		return map[string]string{"permission": "allow"}
	}
	return map[string]string{"permission": "deny", "user_message": a.Reason, "agent_message": a.Reason}
}

func encodeGemini(a *Answer) any {
	if a == nil || a.Verdict == "allow" {
		return map[string]string{}
	}
	return map[string]string{"decision": "deny", "reason": a.Reason}
}

func encodeCopilot(a *Answer) any {
	if a == nil {
		return nil
	}
	return map[string]string{"permissionDecision": a.Verdict, "permissionDecisionReason": a.Reason}
}

// translateInput returns the host's input in the notation of Claude Code, which the gate
// reads. A member that is not needed is left out, and one that occurs twice is an error.
func (h *Host) translateInput(body string) (string, error) {
	if h.Name == "claude-code" {
		return body, nil
	}
	v, err := jsonval.Parse(body)
	if err != nil {
		return "", fmt.Errorf("the input is not JSON: %w", err)
	}
	if name, twice := v.Repeated(); twice {
		return "", fmt.Errorf("the member %q of the input appears twice", name)
	}
	event := v.Get("hook_event_name").Text()
	switch {
	case event == h.before:
		event = hookcall.Before
	case event == h.after && h.after != "":
		event = hookcall.After
		if tellsFailure(v) {
			event = hookcall.Failed
		}
	case event == h.failed && h.failed != "":
		event = hookcall.Failed
	default:
		return "", fmt.Errorf("unknown event %.80q: this hook of %s is for %s", event, h.Name, strings.Join(h.eventNames(), ", "))
	}
	members := []string{`"hook_event_name":` + jsonval.Quoted(event)}
	for _, name := range []string{"tool_name", "tool_input", "tool_use_id", "session_id"} {
		if m := v.Get(name); m.Exists() {
			members = append(members, jsonval.Quoted(name)+":"+m.Raw())
		}
	}
	if dir := directoryOf(v); dir != "" {
		members = append(members, `"cwd":`+dir)
	}
	if m := v.At(h.result...); m.Exists() {
		members = append(members, `"tool_response":`+m.Raw())
	}
	if !v.Get("session_id").Exists() {
		if m := v.Get("conversation_id"); m.Exists() { // Cursor's name
			members = append(members, `"session_id":`+m.Raw())
		}
	}
	return "{" + strings.Join(members, ",") + "}", nil
}

// directoryOf returns the JSON of the directory in which a host runs a call: the one that it
// names, or else the roots of its workspace (Cursor); "" if it says nothing.
func directoryOf(v jsonval.Value) string {
	dir, roots := v.Get("cwd"), v.Get("workspace_roots")
	switch {
	case dir.Raw() != `""` && dir.Kind() != jsonval.Null && dir.Exists():
		return dir.Raw()
	case roots.Len() == 1:
		return roots.Elements()[0].Raw()
	case roots.Len() > 1:
		return jsonval.Quoted(roots.Raw())
	}
	return ""
}

// tellsFailure reports whether the input after a call says that the call failed: for hosts
// without an event of its own for it (Gemini CLI), or with other results (Copilot).
func tellsFailure(v jsonval.Value) bool {
	if e := v.At("tool_response", "error"); e.Exists() && e.Kind() != jsonval.Null {
		return true
	}
	kind := v.At("tool_result", "result_type")
	return kind.Exists() && kind.Text() != "success"
}

// eventNames returns the host's names of the events that the hook answers.
func (h *Host) eventNames() (all []string) {
	for _, name := range []string{h.before, h.after, h.failed} {
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// markOf returns a name for a call that is the same before and after it.
func markOf(c *call) string {
	if c.id != "" {
		return c.id
	}
	return proposal.Digest(c.tool, c.arguments)
}
