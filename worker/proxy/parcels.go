//go:build !js

package proxy

import (
	"net/http"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// servedHere names the further paths that the proxy serves natively.
const servedHere = "Gemini's generateContent and streamGenerateContent, Ollama's /api/chat, "

// isParcel reports whether a path belongs to an API whose calls come whole.
func isParcel(path string) bool { return path == ollamaPath || geminiOperation(path) != "" }

// parcelOf returns the translation of a request to such an API.
func parcelOf(r *http.Request, body string) (translation, error) {
	if r.URL.Path == ollamaPath {
		return orNothing(newOllama(body))
	}
	return orNothing(newGemini(r, body))
}

// withOwnNote returns a result of Gemini's API with a note. The result ok is false if v is
// of another API.
func withOwnNote(raw string, v jsonval.Value, note string) (noted string, ok bool) {
	f := eitherMember(v, "functionResponse", "function_response")
	said := f.Get("response")
	if !said.Exists() {
		return raw, f.Exists()
	}
	at := said.Offset() - v.Offset()
	return raw[:at] + `{"gate":` + jsonval.Quoted(note) + `,"result":` + said.Raw() + `}` + raw[at+len(said.Raw()):], true
}
