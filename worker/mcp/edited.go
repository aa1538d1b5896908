package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// standsFor reports whether a record is the question about a call: its own, or the one that
// an approver put in its place.
func standsFor(r *machine.Record, digest string) bool { return r.Root() == digest }

// mostTold is the largest size of changed arguments that the client is told.
const mostTold = 8 << 10

// ranText says that other arguments ran than those of the client; "" if its own did.
func ranText(r *machine.Record) string {
	if r.Why.Edit == nil {
		return ""
	}
	arguments := r.Arguments
	if len(arguments) > mostTold {
		arguments = strings.ToValidUTF8(arguments[:mostTold], "") + " … (cut here)"
	}
	return "[gate] An approver changed this call. The client's arguments did not run; these did: " + arguments
}

// toldAnswer returns the server's answer to an edited call, with a text that says what ran
// before its content, or before the message of its error.
func (h *Handler) toldAnswer(c *call, r *machine.Record, state machine.State, got response) string {
	note := ranText(r)
	if failed := got.failed; failed.Exists() {
		return `{"jsonrpc":"2.0","id":` + c.id.Raw() + `,"error":` + withMembers(failed, member{"message", quoteJSON(note + "\n\n" + failed.Get("message").Text())}) + "}\n"
	}
	parts := []string{`{"type":"text","text":` + quoteJSON(note) + `}`}
	for _, p := range got.result.Get("content").Elements() {
		parts = append(parts, p.Raw())
	}
	about := withMembers(mustParse(encodeLine(h.describeQuestion(r, string(state)))), member{"arguments", r.Arguments})
	meta := withMembers(got.result.Get("_meta"), member{metaApproval, about})
	return string(resultAnswer(c.id, withMembers(got.result, member{"content", "[" + strings.Join(parts, ",") + "]"}, member{"_meta", meta})))
}

// mirrorArguments sets the headers that repeat arguments, for other arguments than those of
// the client's message.
func (c *call) mirrorArguments(to http.Header, arguments string) {
	if !c.modern || c.stream != nil {
		return
	}
	all := mustParse(arguments)
	for _, p := range c.found.parameters {
		v := all.At(p.path...)
		if to.Del(p.header); !v.Exists() || v.Kind() == jsonval.Null {
			continue
		}
		text := v.Raw()
		if v.Kind() == jsonval.String {
			text = v.Text()
		}
		to.Set(p.header, encodeValue(text))
	}
}

// encodeValue returns a text as the value of a header that repeats a part of the body, in
// Base64 if the header could not hold the text.
func encodeValue(text string) string {
	if _, plain := decodeValue(text); !plain || text != strings.TrimSpace(text) || strings.HasPrefix(text, "=?base64?") {
		return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
	}
	return text
}
