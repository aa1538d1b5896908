package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// langChainRole returns the role of a LangChain message with the given type, or "" for
// any other type.
func langChainRole(kind string) string {
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

// IsLangChain reports whether an object is a message of LangChain, {type: ai | human | tool}.
func IsLangChain(o *Object) bool {
	return !o.HasAll("role") && langChainRole(o.FirstString("type")) != "" && o.HasAny("content tool_calls") && !o.HasAny("uuid session_id sessionId")
}

// IsLangChainStored reports whether an object is a stored message of LangChain, {type, data}.
func IsLangChainStored(o *Object) bool {
	return !o.HasAll("role") && langChainRole(o.FirstString("type")) != "" && o.IsObject("data") && OpenObject(o.Get("data")).HasAll("content")
}

// IsLangChainLC reports whether an object is a serialised message of LangChain, {lc, kwargs}.
func IsLangChainLC(o *Object) bool {
	return o.HasAll("lc kwargs") && o.FirstString("type") == "constructor"
}

// readStored reads a message of the form {type, data}.
func (r *Run) readStored(m *message) {
	inner := message{v: m.v}
	m.data.Each(inner.setMember)
	inner.role = langChainRole(m.kind)
	r.readMessage(&inner)
}

// readLangChain reads a message that LangChain has serialised with the type
// "constructor". The message's role follows from its class. The name of the class is the
// last element of the member id.
func (r *Run) readLangChain(m *message) {
	inner := message{v: m.v}
	m.kwargs.Each(inner.setMember)
	class := ""
	m.v.Get("id").Each(func(_ string, e jsonval.Value) bool { class = e.Text(); return true })
	if role := langChainRole(class); role != "" {
		inner.role = role
	} else if inner.role == "" {
		inner.role = langChainRole(inner.kind)
	}
	r.readMessage(&inner)
}
