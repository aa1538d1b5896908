package proxy

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/wire"
)

// foreign holds model APIs that clients use and the proxy does not support, by the
// beginnings of their paths, with an alternative for the client.
var foreign = []struct{ path, name, instead string }{
	{"/v1/responses", "stored responses", "send POST /v1/responses with the whole conversation as input"},
	{"/v1/conversations", "the Conversations API", useChat},
	{"/v1/messages/batches", "Anthropic's Message Batches API", "send each message to /v1/messages: nobody could decide about the calls of a batch"},
	{"/v1/complete", "Anthropic's Text Completions API", useChat},
	{"/v1/assistants", "the Assistants API", useChat},
	{"/v1/threads", "the Assistants API", useChat},
	{"/v1/realtime", "the Realtime API", useChat},
	{"/v1/batches", "the Batch API", "send each request by itself: nobody could decide about the calls of a batch"},
	{"/v1/images", "this operation of the Images API", direct},
	{"/v1/audio", "this operation of the Audio API", direct},
	{"/v1/files", "this operation of the Files API", direct},
	{"/v1/vector_stores", "the Vector Stores API", direct},
	{"/v1/fine_tuning", "the Fine-tuning API", direct},
	{"/v1beta", "this operation of Gemini's API", "use the model's endpoint for OpenAI clients: set the client's base URL to this gate's /v1 and start the gate with --upstream (BOUNDCHECK_UPSTREAM) https://generativelanguage.googleapis.com/v1beta/openai"},
	{"/model", "Bedrock's API", "use a client of chat completions with the base URL /v1 of this gate, and start the gate with --upstream (BOUNDCHECK_UPSTREAM) at an endpoint of Bedrock for OpenAI clients"},
	{"/api/generate", "Ollama's generate", "use /api/chat of a native gate"},
	{"/api/chat", "Ollama's chat", "use a native gate, or a client of chat completions with the base URL /v1 of this gate"},
	{"/api", "this operation of Ollama's API", direct},
	{"/openai/deployments", "Azure's paths of deployments", "use the base URL /v1 of this gate, and start the gate with --upstream (BOUNDCHECK_UPSTREAM) https://RESOURCE.openai.azure.com/openai/v1"},
}

const (
	useChat = "use chat completions or responses"
	direct  = "send these requests to the model's server directly"
)

// foreignAPI returns the name of an API that the proxy does not support, and an
// alternative for the client. It returns "" for the name if the path belongs to no such
// API.
func foreignAPI(path string) (name, instead string) {
	for _, f := range foreign {
		if spokenHere(path) {
			break
		}
		if path == f.path || strings.HasPrefix(path, f.path+"/") {
			return f.name, f.instead
		}
	}
	return "", ""
}

// unsupportedProblem returns the error for an API that the proxy does not support.
func unsupportedProblem(path string) *problem {
	name, instead := foreignAPI(path)
	return &problem{status: 404, kind: badRequest, code: "unsupported_api",
		message: fmt.Sprintf("this gate does not support %s, only %s. Instead, %s", name, served, instead)}
}

// served names the paths that the proxy serves.
const served = "/v1/chat/completions, /v1/responses, /v1/messages, " + servedHere + "and what contains no calls: models, embeddings, completions, audio, files, images and moderations"

// speaksAnthropic reports whether the client of a request speaks Anthropic's API.
func speaksAnthropic(r *http.Request) bool {
	return isAnthropic(r.URL.Path) || r.Header.Get("Anthropic-Version") != ""
}

// speaksGemini reports whether the client of a request speaks Gemini's API.
func speaksGemini(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/v1beta/") || r.Header.Get(googKey) != ""
}

// isAnthropic reports whether the clients of a path expect errors in Anthropic's form.
func isAnthropic(path string) bool {
	return path == "/v1/messages" || strings.HasPrefix(path, "/v1/messages/") || path == "/v1/complete"
}

// NotSetUp answers requests to the proxy's paths if there is no proxy. The answer is an
// error in the form that the path's clients expect. The parameter hint says how to set up
// a proxy. The status is 404, or 503 if the proxy failed to start.
func NotSetUp(w http.ResponseWriter, r *http.Request, status int, hint string) {
	p := &problem{status: status, kind: badRequest, code: "not_set_up", message: hint, shape: shapeOf(r)}
	if status >= 500 {
		p.kind = serverSide
	}
	if name, _ := foreignAPI(r.URL.Path); name != "" && status == 404 {
		p.message += ". Even with a model API, the gate does not support " + name + ", only " + served
	}
	p.sendResponse(w)
}

// shapeOf returns the API whose form of errors the client of a request expects. It
// returns "" for OpenAI's.
func shapeOf(r *http.Request) string {
	path := r.URL.Path
	switch {
	case speaksAnthropic(r):
		return "anthropic"
	case speaksGemini(r):
		return "gemini"
	case strings.HasPrefix(path, "/model/"):
		return "bedrock"
	case strings.HasPrefix(path, "/api/"):
		return "ollama"
	}
	return ""
}

// foreignBody returns an error in the form of another API than OpenAI's.
func (p *problem) foreignBody() []byte {
	switch p.shape {
	case "gemini":
		states := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
		state := states[p.status]
		if state == "" {
			state = "INTERNAL"
		}
		return wire.Marshal(map[string]any{"error": map[string]any{"code": p.status, "message": p.message, "status": state}})
	case "bedrock":
		return wire.Marshal(map[string]string{"message": p.message})
	case "ollama":
		return wire.Marshal(map[string]string{"error": p.message})
	}
	return p.anthropicBody()
}

// anthropicBody returns an error in the form of Anthropic's API.
func (p *problem) anthropicBody() []byte {
	kinds := map[int]string{401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}
	kind := kinds[p.status]
	switch {
	case kind != "":
	case p.status >= 500:
		kind = "api_error"
	default:
		kind = badRequest
	}
	type detail struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	return wire.Marshal(struct {
		Type  string `json:"type"`
		Error detail `json:"error"`
	}{"error", detail{kind, p.message}})
}
