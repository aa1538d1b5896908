// Package hookcall reads the input of hooks of agents' hosts.
package hookcall

import (
	"errors"
	"fmt"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// The events of an agent's hook that the gate answers.
const (
	Before = "PreToolUse"
	Permit = "PermissionRequest" // before the host asks its own user
	After  = "PostToolUse"
	Failed = "PostToolUseFailure"
)

// Call is a call that a host will make or has made.
type Call struct {
	Tool, Arguments string // the arguments are raw bytes
	Session, ID     string
	Event           string
	Dir             string // the directory in which the host runs the call; "" if it does not say
	Result          string // PostToolUse: what the tool answered, as JSON
	Transcript      string // the host's file of the conversation; "" for a sub-agent's call
}

// Read reads the input of a host's hook. Input with more than one interpretation is
// an error.
func Read(body string) (c Call, err error) {
	v, err := jsonval.Parse(body)
	if err != nil {
		return c, fmt.Errorf("the input is not JSON: %w", err)
	}
	seen := map[string]bool{}
	for _, key := range v.Keys() {
		if seen[key] {
			return c, fmt.Errorf("the member %q of the input appears twice", key)
		}
		seen[key] = true
	}
	switch c.Event = v.Get("hook_event_name").Text(); c.Event {
	case Before, Permit, After, Failed:
	default:
		return c, fmt.Errorf("unknown event %q: this hook is for PreToolUse, PermissionRequest, PostToolUse and PostToolUseFailure", c.Event)
	}
	c.ID, c.Session = v.Get("tool_use_id").Text(), v.Get("session_id").Text()
	if answer := v.Get("tool_response"); c.Event == After {
		if c.Result = answer.Raw(); saysFailed(answer) {
			c.Event = Failed
		}
	}
	if c.Dir, err = proposal.ReadDir(v.Get("cwd")); err != nil {
		return c, err
	}
	c.Transcript = v.Get("transcript_path").Text()
	if agent := v.Get("agent_id").Text(); agent != "" {
		c.Session += "/" + agent
		c.Transcript = ""
	}
	err = c.Set(rawOrNull(v.Get("tool_name")), rawOrNull(v.Get("tool_input")))
	return c, err
}

// Set sets the tool and its arguments, both JSON, by the gate's own rules: printable
// names, each member once. It also checks the name of the session.
func (c *Call) Set(tool, input string) error {
	p, err := proposal.Read(`{"tool":` + tool + `,"arguments":` + input + `}`)
	if err != nil {
		return err
	}
	c.Tool, c.Arguments = p.Tool, p.Arguments
	if len(c.Session) > 200 || !IsPrintable(c.Session) {
		return errors.New("invalid session name: want at most 200 bytes of printable characters")
	}
	return nil
}

// IsPrintable reports whether all characters of a text are visible characters or spaces.
func IsPrintable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return false
		}
	}
	return true
}

// saysFailed reports whether a tool's answer says of itself that it is an error, as in MCP, or
// that the tool was interrupted.
func saysFailed(answer jsonval.Value) bool {
	for _, name := range [...]string{"isError", "is_error", "interrupted"} {
		if failed, _ := answer.Get(name).Bool(); failed {
			return true
		}
	}
	return false
}

func rawOrNull(v jsonval.Value) string {
	if !v.Exists() {
		return "null"
	}
	return v.Raw()
}
