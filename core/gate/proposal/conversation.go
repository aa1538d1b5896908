package proposal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Conversation holds the messages and results before a call, as the agent's program sent
// them. It shows the origins of the call's values. The agent's own text is not a source.
type Conversation struct {
	texts  []provenance.Text
	tools  []string       // names of the called tools, in order
	past   []pastCall     // what else is known of these calls; none of those of AddResult
	calls  map[string]int // id of a call → its index in tools
	size   int            // bytes of texts
	blind  bool           // it has parts that are not text
	unread bool           // of these, one may be the user's or data
	mute   int            // the index behind the last message of the user that cannot be read, or of which a part cannot
	cut    bool           // results were shortened or forgotten

	strange map[int]bool // messages with a role that is not known
}

// pastCall is a call before the one that is decided, with its result.
type pastCall struct {
	arguments string
	at        int    // index of the text in front of which it was made
	result    string // "" if there is none
	answered  bool   // it has a result; otherwise it is not known to have been executed
	failed    bool   // its program says that it failed
}

// mostSaid is the largest size of a conversation, in bytes, that is searched for one
// call. For a longer one the origins of values are not determined.
const mostSaid = 4 << 20

// ReadConversation reads the messages of a chat, each with the members role and content.
// It returns an error if a message is not an object or has no role. O(n).
//
// It accepts two forms:
//
//   - In OpenAI's chat completions, calls are in "tool_calls" or "function_call", and results are messages of the role tool or function.
//   - In Anthropic's messages, the content consists of blocks of the types text, tool_use and tool_result.
//
// A message with an unknown role counts as a message of the user when the origins of values
// are searched, but it never asks for a call.
func ReadConversation(v jsonval.Value) (*Conversation, error) {
	if v.Kind() != jsonval.Array {
		return nil, fmt.Errorf("invalid messages: want an array of messages with role and content, saw %s", v.Kind())
	}
	c := &Conversation{calls: map[string]int{}}
	for i, m := range v.Elements() {
		if m.Kind() != jsonval.Object {
			return nil, fmt.Errorf("invalid messages: each message must be an object with role and content; saw %s at index %d", m.Kind(), i)
		}
		role, ok := m.Get("role").Str()
		if !ok {
			return nil, errors.New(`invalid messages: each message needs a string member "role"`)
		}
		c.addMessage(i, role, m)
	}
	return c, nil
}

func (c *Conversation) addMessage(at int, role string, m jsonval.Value) {
	from := provenance.FromUser
	call := -1
	switch role {
	case "system", "developer":
		from = provenance.FromPolicy
	case "assistant":
		from = provenance.FromAgent
	case "tool", "function":
		from = provenance.FromTool
		id, name := m.Get("tool_call_id").Text(), m.Get("name").Text()
		call = c.callIndex(id, name)
	case "user":
	default:
		if c.strange == nil {
			c.strange = map[int]bool{}
		}
		c.strange[at] = true
	}
	if c.addContent(at, call, from, m.Get("content")); role == "user" && !isReadable(m.Get("content")) {
		c.mute = at + 1
	}
	for _, e := range m.Get("tool_calls").Elements() {
		f := e.Get("function")
		if !f.Exists() {
			f = e.Get("custom")
		}
		c.addCall(at, e.Get("id").Text(), f.Get("name").Text(), f.Get("arguments").Text()+f.Get("input").Text())
	}
	if f := m.Get("function_call"); f.Kind() == jsonval.Object {
		c.addCall(at, "", f.Get("name").Text(), f.Get("arguments").Text())
	}
}

// isReadable reports whether each part of the content of a user's message is text or the result of a tool, and one has something.
func isReadable(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array {
		return strings.TrimSpace(v.Text()) != "" && v.Kind() == jsonval.String
	}
	some := false
	for _, p := range v.Elements() {
		text, isText := p.Get("text").Str()
		if result := p.Get("type").Text() == "tool_result"; !result && !isText {
			return false
		} else if result || strings.TrimSpace(text) != "" {
			some = true
		}
	}
	return some
}

// addContent reads the content of a message, which is a string or a list of parts. In
// some APIs, the results of tools are parts of a message of the user.
func (c *Conversation) addContent(at, call int, from provenance.From, v jsonval.Value) {
	switch k := v.Kind(); {
	case k == jsonval.Array:
	case from == provenance.FromUser && k != jsonval.String:
		if v.Exists() && k != jsonval.Null { // no API has words in such a value
			c.blind, c.unread = true, true
		}
		return
	default:
		c.addText(from, at, call, v.Text())
		return
	}
	for _, p := range v.Elements() {
		text, isText := p.Get("text").Str()
		kind := p.Get("type").Text()
		switch {
		case kind == "tool_use":
			c.addCall(at, p.Get("id").Text(), p.Get("name").Text(), p.Get("input").Raw())
		case kind == "tool_result":
			answer := c.callIndex(p.Get("tool_use_id").Text(), "")
			c.addContent(at, answer, provenance.FromTool, p.Get("content"))
			if failed, _ := p.Get("is_error").Bool(); failed && answer >= 0 {
				c.past[answer].failed = true
			}
		case isText:
			c.addText(from, at, call, text)
		default:
			c.blind = true
			c.unread = c.unread || from == provenance.FromUser || from == provenance.FromTool || strings.HasSuffix(kind, "_result")
		}
	}
}

// addCall records a call of the agent. Its arguments count as the agent's words.
func (c *Conversation) addCall(at int, id, tool, arguments string) {
	if id == "" {
		id = "\x00" + tool // the answer has only the tool's name
	}
	c.calls[id] = len(c.tools)
	c.tools = append(c.tools, tool)
	c.past = append(c.past, pastCall{arguments: arguments, at: len(c.texts)})
	c.addText(provenance.FromAgent, at, len(c.past)-1, arguments)
}

// callIndex returns the index of the call to which an answer belongs, or -1 if there is
// none.
func (c *Conversation) callIndex(id, tool string) int {
	if id == "" {
		id = "\x00" + tool
	}
	if i, ok := c.calls[id]; ok {
		return i
	}
	return -1
}

// addText adds a text. A text of the agent with the index of a call has its arguments.
func (c *Conversation) addText(from provenance.From, message, call int, text string) {
	if from == provenance.FromTool && call >= 0 && call < len(c.past) {
		c.past[call].answered = true
		c.past[call].result += text
	}
	if strings.TrimSpace(text) != "" {
		c.texts = append(c.texts, provenance.Text{From: from, Message: message, Call: call, Text: text})
		c.size += len(text)
	}
}

// Speaks reports whether the conversation has words of a user or of data. Without them, it
// says nothing about who asked. A nil Conversation does not speak.
func (c *Conversation) Speaks() bool {
	return c != nil && (c.hasUser() || c.blind || slices.ContainsFunc(c.texts, func(t provenance.Text) bool { return t.From == provenance.FromUser || t.From == provenance.FromTool }))
}

// hasUser reports whether the conversation has words of a user.
func (c *Conversation) hasUser() bool {
	return slices.ContainsFunc(c.texts, func(t provenance.Text) bool {
		return t.From == provenance.FromUser && !c.strange[t.Message] && strings.ContainsFunc(t.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	})
}

// instructed reports whether the conversation has texts of its system.
func (c *Conversation) instructed() bool {
	return slices.ContainsFunc(c.texts, func(t provenance.Text) bool { return t.From == provenance.FromPolicy })
}
