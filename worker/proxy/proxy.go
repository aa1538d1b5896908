// Package proxy puts the confirmation gate in front of agents that call a model through
// OpenAI's chat completions or responses, Anthropic's messages, Gemini's generateContent or
// Ollama's chat, streamed or not. The agents need no change
// except that their base URL is the gate's.
//
// The model's text passes at once. Its calls are held back until its turn is complete,
// and judged by the machine in core/gate/machine. Reads pass byte for byte. A turn that
// would change something is replaced by a question, made from the exact bytes. It is
// passed on once it is approved: in the conversation by the person's next message, or
// out of band on the gate's page. The model is never told of the question: its history
// contains its own calls and their results.
//
// Only data that was understood passes. Broken streams, calls in wrong places, and
// texts that two readers read differently end in an error.
package proxy

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/dialogue"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/proxy/responses"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// Options are the options of a Proxy. Gate and Upstream are required. With the zero
// values of the others, the gate verifies in the conversation and does not change the
// requests to the model.
type Options struct {
	Gate     *gate.Gate
	Upstream Upstream

	Page bool          // decisions are made on the gate's page instead of in the conversation
	Wait time.Duration // with Page: how long an answer waits for the decision before it ends with the page's address

	NoVerify bool   // turns mutation-gated verification off: for the paper's ablation only
	Reflect  string // targeted reflection: "think", "react", or "" for off
	Filter   Filter // block-based context filtering

	Explain bool // adds a sentence of the auxiliary model below a question, labelled as such

	Auxiliary  *Upstream // writes summaries and constraints; nil uses templates
	Embeddings *Upstream // ranks blocks; nil compares words

	Limit int           // bytes of a request; 0 means 16 MiB
	Beat  time.Duration // interval of comments in a stream that waits for a person or the model; 0 means 5 seconds
}

// Proxy is the handler of the model APIs. Make it with New.
type Proxy struct {
	Options
	memory memory
}

// New checks the options and returns the proxy. It sends no request.
func New(o Options) (*Proxy, error) {
	if o.Gate == nil {
		return nil, errors.New("missing gate")
	}
	for _, u := range []*Upstream{&o.Upstream, o.Auxiliary, o.Embeddings} {
		if u == nil {
			continue
		}
		if err := u.checkSettings(); err != nil {
			return nil, err
		}
		if u != &o.Upstream && u.Model == "" {
			return nil, errors.New("the auxiliary server or the embeddings server has no model name")
		}
	}
	if o.Reflect != "" && o.Reflect != dialogue.Think && o.Reflect != dialogue.React {
		return nil, errors.New("invalid reflection: want think or react")
	}
	if o.Explain && o.Auxiliary == nil {
		return nil, errors.New("the setting explain needs an auxiliary model, which writes a sentence under each question")
	}
	if err := o.Filter.checkSettings(); err != nil {
		return nil, err
	}
	if o.Limit == 0 {
		o.Limit = 16 << 20
	}
	if o.Beat == 0 {
		o.Beat = 5 * time.Second
	}
	return &Proxy{Options: o}, nil
}

// Serves reports whether the proxy answers a path. The proxy also answers the paths of
// other model APIs, but only with an error.
func Serves(path string) bool {
	name, _ := foreignAPI(path)
	return name != "" || spokenHere(path)
}

func spokenHere(path string) bool {
	return path == "/v1/chat/completions" || path == responses.Path || path == messagesPath || isParcel(path) || findPassing(path) != nil
}

// ownKey returns the key of a request in the header of the API that its client speaks.
func ownKey(r *http.Request) string {
	switch {
	case speaksAnthropic(r):
		return r.Header.Get("X-Api-Key")
	case speaksGemini(r):
		return r.Header.Get(googKey)
	}
	return ""
}

// Warnings returns the settings of the proxy that let changes run without a question.
func (p *Proxy) Warnings() (all []string) {
	if p.NoVerify {
		all = append(all, "verification is off (--no-verify), so changes in chat completions run without a question. Use --no-verify only for measurements")
	}
	if p.Gate.Policy().Mode == machine.Faithful && !p.Page {
		all = append(all, "the mode faithful is only for research. After a reply other than yes or no, the model's next calls of the same tools run without a question. Calls that perhaps cannot be undone still need an approval")
	}
	return all
}

// ServeHTTP answers a client. Errors have the form of the API that the client speaks.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o := &out{w: w, control: http.NewResponseController(w)}
	defer func() {
		if caught := recover(); caught != nil && caught != http.ErrAbortHandler {
			o.sendProblem(&problem{shape: shapeOf(r), status: 500, kind: serverSide, code: wire.CodeInternal, message: "internal error; nothing was allowed"})
		}
	}()
	if err := p.serveRequest(o, r); err != nil {
		trouble := *problemOf(err)
		trouble.shape = shapeOf(r)
		o.sendProblem(&trouble)
	}
}

// checkFrozen returns an error if the agent is frozen.
func (p *Proxy) checkFrozen(ctx context.Context, who machine.Principal) error {
	why, err := p.Gate.Frozen(ctx, who)
	if err != nil {
		return storeProblem(err)
	}
	if why != "" {
		return &problem{status: 403, kind: "permission_error", code: gate.CodeForbidden, message: why}
	}
	return nil
}

func (p *Proxy) serveRequest(o *out, r *http.Request) error {
	if name, _ := foreignAPI(r.URL.Path); name != "" {
		return unsupportedProblem(r.URL.Path)
	}
	if !spokenHere(r.URL.Path) {
		return &problem{status: 404, kind: badRequest, code: gate.CodeNotFound, message: "unknown path; the proxy serves " + served}
	}
	if key := ownKey(r); r.Header.Get("Authorization") == "" && key != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+key)
	}
	r, who, refusal := p.Gate.Admit(r)
	if refusal != nil {
		kind := badRequest
		if refusal.Status == 401 {
			kind = "authentication_error"
		}
		return &problem{status: refusal.Status, kind: kind, code: refusal.Code, message: refusal.Message, retry: refusal.Retry}
	}
	if who.Role != machine.Agent {
		return &problem{status: 403, kind: "permission_error", code: gate.CodeForbidden, message: "this request needs the key of an agent. The key of an approver cannot propose calls"}
	}
	if err := p.checkFrozen(r.Context(), who); err != nil {
		return err
	}
	if f := findPassing(r.URL.Path); f != nil && !isParcel(r.URL.Path) {
		return p.passRequest(o, r, f)
	}
	if r.Method != "POST" {
		o.setHeader("Allow", "POST")
		return &problem{status: 405, kind: badRequest, code: wire.CodeMethod, message: r.URL.Path + " takes POST"}
	}
	body, refused := readUnpacked(r, p.Limit)
	if refused != nil {
		return refused
	}
	asked, kept, err := string(body), (*keeping)(nil), error(nil)
	other, err := newTranslation(r, asked)
	switch {
	case err != nil:
	case other != nil:
		asked = other.chatBody()
	case r.URL.Path == responses.Path:
		if kept, err = p.readResponses(r.Context(), who, asked); err != nil {
			return err
		}
		asked, err = responses.Chat(kept.Body)
	}
	if err != nil {
		return badRequestProblem(err.Error())
	}
	q, err := readQuery(asked)
	if err == nil {
		err = p.checkHosted(q)
	}
	if err != nil {
		return badRequestProblem(err.Error())
	}
	if r.URL.Path == messagesPath {
		q.failed = values.FailedResults(string(body))
	} else if kept != nil {
		q.failed = values.FailedResults(kept.Body)
	}
	if q.other = other; other != nil {
		o.w = other.newWriter(o.w, q.stream)
	} else if kept != nil {
		o.w = newResponder(o.w, q.stream, kept)
	}
	q.who, q.trace, q.spent, o.stream, o.usage = who, gate.TraceOf(r.Header), &o.spent, q.stream, q.usage
	longest := p.Upstream.Timeout*time.Duration(maxAsked) + p.Wait + time.Minute
	o.control.SetReadDeadline(time.Now().Add(longest))
	o.control.SetWriteDeadline(time.Now().Add(longest))
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	err = p.completeQuery(ctx, o, q)
	if removed := gate.KeyRemoved(ctx); err != nil && removed != nil {
		return &problem{status: removed.Status, kind: "authentication_error", code: removed.Code, message: removed.Message}
	}
	return err
}
