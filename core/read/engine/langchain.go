package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsLangChain reports whether an object is a message of LangChain, {type: ai | human | tool}.
func IsLangChain(o *shape.Object) bool {
	return !o.HasAll("role") && shape.LangChainRole(o.FirstString("type")) != "" && o.HasAny("content tool_calls") && !o.HasAny("uuid session_id sessionId")
}

// IsLangChainStored reports whether an object is a stored message of LangChain, {type, data}.
func IsLangChainStored(o *shape.Object) bool {
	return !o.HasAll("role") && shape.LangChainRole(o.FirstString("type")) != "" && o.IsObject("data") && shape.OpenObject(o.Get("data")).HasAll("content")
}

// IsLangChainLC reports whether an object is a serialised message of LangChain, {lc, kwargs}.
func IsLangChainLC(o *shape.Object) bool {
	return o.HasAll("lc kwargs") && o.FirstString("type") == "constructor"
}

// readStored reads a message of the form {type, data}.
func (r *Run) readStored(m *message) {
	inner := message{v: m.v}
	m.data.Each(inner.setMember)
	inner.role = shape.LangChainRole(m.kind)
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
	if role := shape.LangChainRole(class); role != "" {
		inner.role = role
	} else if inner.role == "" {
		inner.role = shape.LangChainRole(inner.kind)
	}
	r.readMessage(&inner)
}
