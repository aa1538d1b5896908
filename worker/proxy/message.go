package proxy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// message is one message of a conversation as the client sent it.
type message struct {
	raw, role string
	text      string // its text, if its content is only text
	words     bool   // its content is only text
	calls     []call
	answers   string // the id of the call that a tool's message answers
	key       string // name of the conversation up to and including this message
}

// isOperators reports whether a message comes from the operator and is not a turn of the
// conversation.
func (m *message) isOperators() bool { return m.role == "system" || m.role == "developer" }

// readMessage reads the meaning of a message. Its notation does not matter, because
// programs encode the messages again for each request.
func readMessage(v jsonval.Value) message {
	m := message{raw: v.Raw()}
	m.role, _ = v.Get("role").Str()
	m.answers, _ = v.Get("tool_call_id").Str()
	if m.answers == "" && m.role == "function" {
		m.answers, _ = v.Get("name").Str()
	}
	m.text, m.words = wordsOf(v.Get("content"))
	if f := v.Get("function_call"); values.Has(f) {
		if c, err := readLegacy(f); err == nil {
			m.calls = append(m.calls, c)
		}
	}
	for _, e := range v.Get("tool_calls").Elements() {
		if c, err := readCall(e); err == nil {
			m.calls = append(m.calls, c)
		}
	}
	return m
}

// wordsOf returns the text of a content. The result words is true if the content is
// missing, a string, or a list of text parts. For any other content the text is the
// canonical JSON, and words is false.
func wordsOf(v jsonval.Value) (text string, words bool) {
	switch v.Kind() {
	case jsonval.Missing, jsonval.Null:
		return "", true
	case jsonval.String:
		s, _ := v.Str()
		return strings.TrimSpace(s), true
	case jsonval.Array:
		var b strings.Builder
		for _, e := range v.Elements() {
			s, ok := e.Get("text").Str()
			if kind, _ := e.Get("type").Str(); !ok || kind != "text" && kind != "input_text" && kind != "output_text" {
				return v.Canonical(), false
			}
			b.WriteString(s)
		}
		return strings.TrimSpace(b.String()), true
	}
	return v.Canonical(), false
}

// nextKey returns the name of the conversation that ends with this message. The parameter
// before is the name of the conversation without this message. An operator's message does
// not change the name.
func (m *message) nextKey(before string) string {
	if m.isOperators() {
		return before
	}
	fields := []string{"boundcheck.turn/1", before, m.role, m.answers, m.text}
	for _, c := range m.calls {
		text := c.Text
		if c.rewritten {
			text = ""
		}
		fields = append(fields, c.ID, c.Kind, c.Name, text)
	}
	h := sha256.New()
	var n [8]byte
	for _, f := range fields {
		binary.BigEndian.PutUint64(n[:], uint64(len(f)))
		h.Write(n[:])
		io.WriteString(h, f)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// assistantMessage returns an assistant's message in the form in which a client will send
// it back.
func assistantMessage(content string, calls []call) message {
	return message{role: "assistant", text: strings.TrimSpace(content), words: true, calls: calls}
}

// textMessage returns a text message as JSON.
func textMessage(role, text string) string {
	return `{"role":` + jsonval.Quoted(role) + `,"content":` + jsonval.Quoted(text) + `}`
}

// resultMessage returns the message that answers a call in place of the tool.
func resultMessage(c *call, text string) string {
	if c.Kind == kindText {
		return textMessage("user", "["+c.Name+"] "+text)
	}
	if c.Kind == kindLegacy {
		return `{"role":"function","name":` + jsonval.Quoted(c.Name) + `,"content":` + jsonval.Quoted(text) + `}`
	}
	return `{"role":"tool","tool_call_id":` + jsonval.Quoted(c.ID) + `,"content":` + jsonval.Quoted(text) + `}`
}
