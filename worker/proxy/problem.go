package proxy

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// Types of errors in OpenAI's API.
const (
	badRequest = "invalid_request_error"
	serverSide = "server_error"
)

// problem is an error in the form of OpenAI's API.
type problem struct {
	status              int
	kind, code, message string
	retry               int
	raw                 []byte // the body of the model's server, passed on unchanged
	shape               string // the API in whose form it is; "" for OpenAI's
}

// Error returns the message.
func (p *problem) Error() string { return p.message }

func badRequestProblem(message string) *problem {
	return &problem{status: 400, kind: badRequest, message: message}
}

// jsonBody returns the body of the error as JSON, in its shape. If raw is set, this is
// raw.
func (p *problem) jsonBody() []byte {
	switch {
	case p.raw != nil:
		return p.raw
	case p.shape != "":
		return p.foreignBody()
	}
	type detail struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	d := detail{Message: p.message, Type: p.kind}
	if p.code != "" {
		d.Code = &p.code
	}
	return wire.Marshal(struct {
		Error detail `json:"error"`
	}{d})
}

func (p *problem) sendResponse(w http.ResponseWriter) {
	body := p.jsonBody()
	h := w.Header()
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retry))
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.status)
	w.Write(body)
}

// problemOf converts any error to a problem. Nothing passes after an unknown error.
func problemOf(err error) *problem {
	var p *problem
	var up errUpstream
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &up):
		return &problem{status: 502, raw: []byte(up.raw)}
	case errors.Is(err, errSlow), errors.Is(err, context.DeadlineExceeded):
		return &problem{status: 504, kind: serverSide, code: "upstream_timeout", message: err.Error() + "; no call was passed on"}
	case errors.Is(err, store.ErrFull):
		return &problem{status: 429, kind: serverSide, code: "too_many", message: err.Error(), retry: 30}
	case errors.Is(err, context.Canceled):
		return &problem{status: 499, kind: serverSide, code: "cancelled", message: "the request was cancelled"}
	}
	return &problem{status: 502, kind: serverSide, code: "upstream_invalid", message: "the model's answer cannot be passed on: " + err.Error()}
}

// storeProblem returns the problem for an error of the gate's store. Such an error never
// counts as a yes.
func storeProblem(error) *problem {
	return &problem{status: 503, kind: serverSide, code: "gate_unavailable", message: "the gate's store does not answer; nothing was allowed", retry: 1}
}

// refusedBy returns the client's error for an error answer of the model's server. If that
// server refuses the gate's key, the client does not get the status 401, because the
// client's own key is right.
func refusedBy(a *answer) *problem {
	body, err := a.readBody()
	if err != nil {
		return problemOf(err)
	}
	p := &problem{status: a.StatusCode, kind: serverSide, code: "upstream_error"}
	switch {
	case a.StatusCode == 401 || a.StatusCode == 403:
		p.status, p.code, p.message = 502, "upstream_refused", "the model's server refuses the gate's key"
		return p
	case a.StatusCode >= 300 && a.StatusCode < 400:
		p.status, p.message = 502, "the model's server redirects the gate to another address; the gate does not follow"
		return p
	}
	if n, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil {
		p.retry = n
	}
	if v, err := jsonval.Parse(string(body)); err == nil && values.Has(v.Get("error")) {
		p.raw = body
		return p
	}
	p.message = "the model's server answered with status " + strconv.Itoa(a.StatusCode)
	if text := strings.TrimSpace(string(body)); text != "" {
		p.message += ": " + strings.ToValidUTF8(text[:min(len(text), 500)], "\uFFFD")
	}
	return p
}
