package proxy

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// newChunk returns an event that the proxy adds to the model's stream. The parameter
// delta is JSON, or "" for an empty delta. The parameter finish is the finish reason, or
// "" for none.
func (r *reply) newChunk(delta, finish string) string {
	if finish = orNull(finish); delta == "" {
		delta = "{}"
	}
	return "data: " + r.objectHead("chat.completion.chunk") + `"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + "}]}\n\n"
}

// objectHead returns the beginning of a JSON object that the proxy itself writes as a
// part of the model's answer.
func (r *reply) objectHead(object string) string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return `{"id":` + or(r.id, `"chatcmpl-boundcheck"`) + `,"object":` + strconv.Quote(object) +
		`,"created":` + or(r.created, "0") + `,"model":` + or(r.model, `""`) + `,`
}

// textAnswer returns the whole answer with a text in place of the calls.
func (r *reply) textAnswer(text, finish string) string {
	usage := r.usage
	if usage == "" {
		usage = `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`
	}
	return r.objectHead("chat.completion") + `"choices":[{"index":0,"message":{"role":"assistant","content":` + jsonval.Quoted(text) +
		`,"refusal":null},"logprobs":null,"finish_reason":` + strconv.Quote(finish) + `}],"usage":` + usage + `}`
}

// messageOf returns an assistant's message with calls and perhaps a text.
func messageOf(content string, calls []call) string {
	text := "null"
	if content != "" {
		text = jsonval.Quoted(content)
	}
	if len(calls) == 1 && calls[0].Kind == kindLegacy {
		return `{"role":"assistant","content":` + text + `,"function_call":` + calls[0].Raw + `}`
	}
	var raws []string
	for i := range calls {
		raws = append(raws, calls[i].Raw)
	}
	return `{"role":"assistant","content":` + text + `,"tool_calls":[` + strings.Join(raws, ",") + `]}`
}

// messageDelta returns an assistant's message with only calls, as a delta of a stream.
// Each call has its index as a member. A single call of the kind function_call has no
// index.
func messageDelta(calls []call) string {
	if len(calls) == 1 && calls[0].Kind == kindLegacy {
		return messageOf("", calls)
	}
	var raws []string
	for i := range calls {
		raws = append(raws, indexedCall(calls[i].Raw, i))
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(raws, ",") + `]}`
}

// indexedCall returns a call with its index as a member.
func indexedCall(raw string, i int) string {
	members := []string{`"index":` + strconv.Itoa(i)}
	v, _ := jsonval.Parse(raw)
	v.Each(func(key string, m jsonval.Value) bool {
		if key != "index" {
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		}
		return true
	})
	return "{" + strings.Join(members, ",") + "}"
}

func finishOf(calls []call) string {
	if len(calls) == 1 && calls[0].Kind == kindLegacy {
		return "function_call"
	}
	return "tool_calls"
}
