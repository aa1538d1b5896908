// Package calltext reads calls from the text of a model. Models write them there by the
// protocols of their training, if no server has parsed the text: elements named after
// functions (<function=NAME>), Anthropic's older <invoke name="NAME">, Mistral's NAME{…},
// and the tokens of Kimi and DeepSeek. Package trajectory and the gate's proxy use this
// package. It does not read a text that has several meanings.
package calltext

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Call is a call in a text. Arguments is the JSON of an object.
type Call struct{ Name, Arguments string }

// newNamedCall returns the call with the given name and arguments. ok is false if
// arguments is not one JSON object, or if name cannot be the name of a function.
func newNamedCall(name, arguments string) (c Call, ok bool) {
	v, err := jsonval.Parse(arguments)
	name = strings.TrimSpace(name)
	if err != nil || v.Kind() != jsonval.Object || name == "" || strings.ContainsAny(name, "<>[]{}\"'= \n") {
		return Call{}, false
	}
	return Call{name, arguments}, true
}

// Function returns the call in the text that follows "<function=". The text must be
// NAME>{…}, or NAME> with elements <parameter=KEY>VALUE</parameter>. ok is false for any
// other text.
func Function(inner string) (c Call, ok bool) {
	name, rest, ok := strings.Cut(inner, ">")
	if !ok {
		return Call{}, false
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "{") {
		return newNamedCall(name, rest)
	}
	return readElements(name, rest, "<parameter=", ">")
}

// Invoke returns the call in the text that follows "<invoke name=". The text must be
// "NAME"> with elements <parameter name="KEY">VALUE</parameter>. ok is false for any
// other text.
func Invoke(inner string) (c Call, ok bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(inner, `"`), `">`)
	if !ok {
		return Call{}, false
	}
	return readElements(name, rest, `<parameter name="`, `">`)
}

// Mistral returns the call in the text that follows "[TOOL_CALLS]". The text must be
// NAME{…} or NAME[ARGS]{…}. ok is false for any other text, such as an array of calls.
func Mistral(inner string) (c Call, ok bool) {
	if name, rest, found := strings.Cut(inner, "[ARGS]"); found {
		return newNamedCall(name, rest)
	}
	at := strings.IndexAny(inner, "[{")
	if at <= 0 {
		return Call{}, false
	}
	return newNamedCall(inner[:at], inner[at:])
}

// Kimi returns the call in the text between "<|tool_call_begin|>" and
// "<|tool_call_end|>". The text must be functions.NAME:N<|tool_call_argument_begin|>{…}.
// ok is false for any other text.
func Kimi(inner string) (c Call, ok bool) {
	id, arguments, ok := strings.Cut(inner, "<|tool_call_argument_begin|>")
	name, _, numbered := strings.Cut(strings.TrimPrefix(strings.TrimSpace(id), "functions."), ":")
	if !ok || !numbered {
		return Call{}, false
	}
	return newNamedCall(name, arguments)
}

// DeepSeek returns the call in the text between DeepSeek's tokens for the beginning and
// the end of a call. The text must have one of these forms:
//
//   - NAME, a separator, and the arguments;
//   - "function", the separator, NAME, and the arguments in a code fence.
func DeepSeek(inner string) (c Call, ok bool) {
	name, rest, ok := strings.Cut(inner, "<\uff5ctool\u2581sep\uff5c>")
	if !ok {
		return Call{}, false
	}
	if strings.TrimSpace(name) == "function" {
		name, rest, _ = strings.Cut(rest, "\n")
		rest = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(rest), "```json"), "```")
	}
	return newNamedCall(name, rest)
}

// readElements reads the arguments of the call with the given name. The text rest
// contains one element for each argument. For example, if open is "<parameter=" and shut
// is ">", an element is <parameter=KEY>VALUE</parameter>. All values become strings.
func readElements(name, rest, open, shut string) (c Call, ok bool) {
	var members []string
	seen := map[string]bool{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		after, opens := strings.CutPrefix(rest, open)
		key, after, named := strings.Cut(after, shut)
		value, after, ends := strings.Cut(after, "</parameter>")
		if !opens || !named || !ends || seen[key] || strings.Contains(value, open) {
			return Call{}, false
		}
		seen[key] = true
		members = append(members, jsonval.Quoted(key)+":"+jsonval.Quoted(strings.TrimSpace(value)))
		rest = after
	}
	return newNamedCall(name, "{"+strings.Join(members, ",")+"}")
}
