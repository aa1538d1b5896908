package format

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
)

// isClaudeCode reports whether an object is a line of a session file of Claude Code.
func isClaudeCode(o *shape.Object) bool {
	return o.IsText("sessionId") && o.HasAny("uuid parentUuid leafUuid") && o.IsText("type")
}

// isClaudeStream reports whether an object is a line of the stream that the Claude Agent
// SDK or the claude command prints.
func isClaudeStream(o *shape.Object) bool {
	return o.IsText("session_id") && shape.OneOf(o.FirstString("type"), "system assistant user result stream_event") && o.HasAny("message subtype parent_tool_use_id")
}

// decodeClaude reads lines that contain Anthropic messages. Several lines of one request
// are one message. It leaves out the lines of side chains, which are conversations of
// sub-agents, and adds a warning with their number. The main chain has the calls that
// started the sub-agents, and the results of these calls.
func decodeClaude(d *engine.Decoder, in engine.Batch) {
	c := claude{Run: d.NewRun(), seen: map[string]bool{}}
	for _, v := range in.Values {
		c.readLine(shape.OpenObject(v))
	}
	if c.side > 0 {
		d.Warn("sidechain-left-out", countLines(c.side)+" of sub-agents (side chains) were omitted, but the calls that started the sub-agents are kept", -1, len(d.Trajectories))
	}
	c.AddToDocument()
}

type claude struct {
	*engine.Run
	request string
	seen    map[string]bool // lines that were read; resumed sessions repeat them
	side    int
}

func (c *claude) readLine(o *shape.Object) {
	if b, _ := o.Get("isSidechain").Bool(); b || o.Get("parent_tool_use_id").Kind() == jsonval.String {
		c.side++
		c.Decoder.LeaveOut(o.Value)
		return
	}
	if id := o.FirstText("sessionId session_id"); c.Trajectory.ID == "" {
		c.Trajectory.ID = id
	}
	if id := o.FirstString("uuid"); id != "" {
		if c.seen[id] {
			return
		}
		c.seen[id] = true
	}
	switch o.FirstString("type") {
	case "user", "tool_result": // Qwen Code writes results on separate lines
		c.request = ""
		c.readUser(o)
	case "assistant":
		c.readAssistant(o)
	case "result":
		c.readVerdict(o)
	}
}

func (c *claude) readUser(o *shape.Object) {
	m := o.OpenMember("message")
	if b, _ := o.Get("isMeta").Bool(); b && !shape.HoldsResults(m.Get("content")) {
		return
	}
	c.Took.Enter(o)
	c.BeginTurn("user")
	c.ReadContent(m.FirstNonNull("content parts"))
}

// readAssistant reads a line of the assistant. Lines of the same request become one
// message.
func (c *claude) readAssistant(o *shape.Object) {
	m := o.OpenMember("message")
	id := o.FirstText("requestId")
	if id == "" {
		id = m.FirstText("id")
	}
	if c.Trajectory.Model == "" {
		c.Trajectory.Model = m.FirstString("model")
	}
	if id == "" || id != c.request || c.Role != "assistant" {
		c.BeginTurn("assistant")
	}
	c.request = id
	c.Took.EnterAnswer(c.Trajectory.Messages, id, o, m)
	c.ReadContent(m.FirstNonNull("content parts"))
}

// readVerdict reads the last line of a stream. If the line reports an error, the run
// failed. A normal end does not mean that the task was done.
func (c *claude) readVerdict(o *shape.Object) {
	c.Trajectory.Whole = spent.Of(o)
	if b, _ := o.Get("is_error").Bool(); b {
		no := false
		c.Trajectory.Success = &no
	}
}

func countLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
