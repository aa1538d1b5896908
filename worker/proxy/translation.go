package proxy

import (
	"io"
	"net/http"
)

// translation is one request to another API of models than chat completions, with its
// answer. The proxy's own logic knows only chat completions: a translation turns the request and each
// answer into them, and what the proxy says back. Every translated message and event
// carries the original in its member verbatim, so what passes unchanged passes byte for
// byte, and the model gets back its own turns.
type translation interface {
	// chatBody returns the request as a chat completion.
	chatBody() string
	// targetOf returns where the request goes at the model's server, and further headers.
	targetOf() (path string, head http.Header)
	// requestBody translates a chat completion of the proxy back. If the proxy changed
	// nothing, this is the client's own request.
	requestBody(chat string) string
	// chatAnswer translates a whole answer of the model's server.
	chatAnswer(body string) (string, error)
	// newStream translates a streamed answer, whose content type is streamType.
	newStream(from io.Reader) io.Reader
	streamType() string
	// newWriter returns the writer that translates the proxy's answer back.
	newWriter(w http.ResponseWriter, stream bool) http.ResponseWriter
}

// newTranslation returns the translation of a request, or nil if it needs none or is one of
// the Responses API.
func newTranslation(r *http.Request, body string) (translation, error) {
	switch {
	case r.URL.Path == messagesPath:
		return orNothing(newNative(r, body))
	case isParcel(r.URL.Path):
		return parcelOf(r, body)
	}
	return nil, nil
}

// orNothing returns no translation if there is an error.
func orNothing[T translation](t T, err error) (translation, error) {
	if err != nil {
		return nil, err
	}
	return t, nil
}

// googKey is the header with the key of Gemini's API.
const googKey = "X-Goog-Api-Key"

func rawOrNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}
