package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isClaudeCode reports whether an object is a line of a session file of Claude Code.
func isClaudeCode(o *object) bool {
	return o.isText("sessionId") && o.hasAny("uuid parentUuid leafUuid") && o.isText("type")
}

// isClaudeStream reports whether an object is a line of the stream that the Claude Agent
// SDK or the claude command prints.
func isClaudeStream(o *object) bool {
	return o.isText("session_id") && oneOf(o.firstString("type"), "system assistant user result stream_event") && o.hasAny("message subtype parent_tool_use_id")
}

// decodeClaude reads lines that contain Anthropic messages. Several lines of one request
// are one message. It leaves out the lines of side chains, which are conversations of
// sub-agents, and adds a warning with their number. The main chain has the calls that
// started the sub-agents, and the results of these calls.
func decodeClaude(d *decoder, in batch) {
	c := claude{run: d.newRun(), seen: map[string]bool{}}
	for _, v := range in.values {
		c.readLine(openObject(v))
	}
	if c.side > 0 {
		d.warn("sidechain-left-out", countLines(c.side)+" of sub-agents (side chains) were omitted, but the calls that started the sub-agents are kept", -1, len(d.Trajectories))
	}
	c.addToDocument()
}

type claude struct {
	*run
	request string
	seen    map[string]bool // lines that were read; resumed sessions repeat them
	side    int
}

func (c *claude) readLine(o *object) {
	if b, _ := o.get("isSidechain").Bool(); b || o.get("parent_tool_use_id").Kind() == jsonval.String {
		c.side++
		c.d.leaveOut(o.v)
		return
	}
	if id := o.firstText("sessionId session_id"); c.t.ID == "" {
		c.t.ID = id
	}
	if id := o.firstString("uuid"); id != "" {
		if c.seen[id] {
			return
		}
		c.seen[id] = true
	}
	switch o.firstString("type") {
	case "user", "tool_result": // Qwen Code writes results on separate lines
		c.request = ""
		c.readUser(o)
	case "assistant":
		c.readAssistant(o)
	case "result":
		c.readVerdict(o)
	}
}

func (c *claude) readUser(o *object) {
	m := o.openMember("message")
	if b, _ := o.get("isMeta").Bool(); b && !holdsResults(m.get("content")) {
		return
	}
	c.beginTurn("user")
	c.readContent(m.firstNonNull("content parts"))
}

// readAssistant reads a line of the assistant. Lines of the same request become one
// message.
func (c *claude) readAssistant(o *object) {
	m := o.openMember("message")
	id := o.firstText("requestId")
	if id == "" {
		id = m.firstText("id")
	}
	if c.t.Model == "" {
		c.t.Model = m.firstString("model")
	}
	if id == "" || id != c.request || c.role != "assistant" {
		c.beginTurn("assistant")
	}
	c.request = id
	c.readContent(m.firstNonNull("content parts"))
}

// readVerdict reads the last line of a stream. If the line reports an error, the run
// failed. A normal end does not mean that the task was done.
func (c *claude) readVerdict(o *object) {
	if b, _ := o.get("is_error").Bool(); b {
		no := false
		c.t.Success = &no
	}
}
