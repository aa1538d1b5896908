package engine

import (
	"sort"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// fact is one place in a text that looks like a call or a result in any format. Facts are
// found without a decoder, so that they can be used to check what the decoder read.
type fact struct {
	at       jsonval.Value
	offset   int
	id, name string
	member   string // the name or the type that identified it
	result   bool
	failed   bool

	arguments jsonval.Value // of a call
	history   int           // the history that has the call
	untyped   bool          // the values of the arguments are texts, whatever they were
}

// callKey returns the id of a fact, or the name of the fact if it has no id. Facts about
// the same call have the same key.
func (f *fact) callKey() string {
	if f.id != "" {
		return f.id
	}
	return "\x00" + f.name
}

// surveyFacts returns the facts in values, in text order. A fact is a place that looks
// like a call or a result.
func (d *Decoder) surveyFacts(values []jsonval.Value) []fact {
	s := surveyor{d: d}
	for _, v := range values {
		v.Find(shape.FactNames, s.surveyMember)
	}
	sort.SliceStable(s.facts, func(i, j int) bool { return s.facts[i].offset < s.facts[j].offset })
	return s.facts
}

type surveyor struct {
	d     *Decoder
	facts []fact
}

func (s *surveyor) surveyMember(object jsonval.Value, name string, v jsonval.Value) {
	switch name {
	case "type", "part_kind", "content_type", "$type":
		if word, ok := v.Str(); ok {
			s.addTyped(object, word)
		}
	case "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "toolCall", "toolResults":
		if v.Kind() == jsonval.Array {
			v.Each(func(_ string, e jsonval.Value) bool { s.addFact(e, name, name == "toolResults"); return true })
		} else if name == "toolCall" {
			s.addFact(v, name, false)
		}
	case "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation", "tool_call":
		s.addFact(v, name, false)
	case "functionResponse", "function_response", "toolResult", "toolResponse", "tool_call_result":
		s.addFact(v, name, true)
	case "tool_call_id", "tool_use_id":
		if v.Kind() == jsonval.String && !object.Get("args").Exists() && !object.Get("arguments").Exists() && !object.Get("tool_calls").Exists() {
			s.addFact(object, name, object.Get("content").Exists() || object.Get("output").Exists())
		}
	case "callID":
		s.addFact(object, name, false)
	case "toolName", "tool_name":
		if b := shape.OpenBlock(object); b.Input.Exists() && !b.Output.Exists() && b.PairingID() != "" {
			s.addFact(object, name, false)
		}
	}
}

// addTyped adds an object whose type is that of a call or a result.
func (s *surveyor) addTyped(object jsonval.Value, kind string) {
	switch {
	case shape.IsResultWord(kind):
		s.addFact(object, kind, true)
	case shape.IsCallWord(kind):
		s.addFact(object, kind, false)
	}
}

// addFact adds an object that looks like a call or a result. It ignores an object that
// has no id and no name.
func (s *surveyor) addFact(v jsonval.Value, member string, result bool) {
	if v.Kind() != jsonval.Object {
		return
	}
	b := shape.OpenBlock(v)
	v.Get("function").Each(b.SetMember)
	if s, ok := v.Get("function").Str(); ok && b.Name == "" {
		b.Name = s
	}
	if b.Nested.Exists() {
		return // identified by its own member
	}
	f := fact{at: v, offset: s.d.offsetOf(v), id: b.PairingID(), name: b.Name, member: member, result: result, arguments: b.Input}
	switch {
	case !result && (f.name == "" || v.Get("description").Exists() && !b.Input.Exists()):
		return
	case result && f.id == "" && f.name == "":
		return
	case result:
		f.failed = shape.ErrorFlag(b.Failed) == shape.Failed || b.Marks.Flag == shape.Failed || b.Kind == "tool-error"
	}
	s.facts = append(s.facts, f)
}
