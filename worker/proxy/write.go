package proxy

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// chunk is one event of our own in the model's stream.
func (r *reply) chunk(delta, finish string) string {
	if finish = orNull(finish); delta == "" {
		delta = "{}"
	}
	return "data: " + r.head("chat.completion.chunk") + `"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + "}]}\n\n"
}

// head begins an object of ours that belongs to the model's answer.
func (r *reply) head(object string) string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return `{"id":` + or(r.id, `"chatcmpl-boundcheck"`) + `,"object":` + strconv.Quote(object) +
		`,"created":` + or(r.created, "0") + `,"model":` + or(r.model, `""`) + `,`
}

// spoken is the whole answer with words in the calls' place.
func (r *reply) spoken(text, finish string) string {
	usage := r.usage
	if usage == "" {
		usage = `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`
	}
	return r.head("chat.completion") + `"choices":[{"index":0,"message":{"role":"assistant","content":` + jsonval.Quoted(text) +
		`,"refusal":null},"logprobs":null,"finish_reason":` + strconv.Quote(finish) + `}],"usage":` + usage + `}`
}

// messageOf is an assistant's message of calls alone.
func messageOf(calls []call) string {
	if len(calls) == 1 && calls[0].Kind == kindLegacy {
		return `{"role":"assistant","content":null,"function_call":` + calls[0].Raw + `}`
	}
	var raws []string
	for i := range calls {
		raws = append(raws, calls[i].Raw)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(raws, ",") + `]}`
}

// messageDelta is the same as a stream's delta: every call has its index.
func messageDelta(calls []call) string {
	if len(calls) == 1 && calls[0].Kind == kindLegacy {
		return messageOf(calls)
	}
	var raws []string
	for i := range calls {
		raws = append(raws, indexed(calls[i].Raw, i))
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(raws, ",") + `]}`
}

// indexed is a call with its place in it.
func indexed(raw string, i int) string {
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
