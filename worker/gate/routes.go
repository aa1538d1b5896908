package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// Codes of the error envelope in addition to those of package wire.
const (
	CodeUnauthorized = "unauthorized" // no key, or an unknown one
	CodeForbidden    = "forbidden"    // the key's role or principal is not permitted
	CodeConflict     = "conflict"     // the state does not allow it
	CodeEarly        = "early"        // an approved call that may not be claimed yet; nothing has changed
	CodeNotFound     = "not-found"
	CodeRate         = "too-many"
	CodeUnavailable  = "unavailable" // the gate cannot decide; nothing has run
	CodeKey          = "idempotency" // the Idempotency-Key was used for another request
)

// request is one call of the API, authenticated and with its body read.
type request struct {
	*http.Request
	who  machine.Principal
	id   string // the {id} of the path
	body []byte
	json jsonval.Value // the parsed body; missing for an empty body
	to   *route
}

// reply is a complete answer. A nil body means that the answer has been sent already.
type reply struct {
	status int
	body   []byte
	retry  int   // seconds, for Retry-After
	cause  error // for the log: why the gate could not do its work
}

// route is one operation. The table of routes is the source of the router and of the
// OpenAPI description.
type route struct {
	method, path string // {id} stands for one segment
	summary      string
	role         machine.Role // "" for both
	open         bool         // needs no key
	takes, gives string       // names of schemas in the description
	statuses     []int
	handle       func(*Gate, http.ResponseWriter, *request) reply
	query        []parameter // all that the query may have
}

func apiRoutes() []route {
	posted := []int{200, 400, 401, 403, 404, 409, 413, 415, 429, 503}
	return []route{
		{"POST", "/v1/proposals", "Propose a call, or an array of calls made in one turn", machine.Agent, false, "Proposal", "Verdict",
			[]int{200, 202, 400, 401, 403, 409, 413, 415, 422, 429, 503}, (*Gate).handlePropose, nil},
		{"GET", "/v1/proposals", "List the proposals that wait for a decision, in pages. An agent sees only its own proposals", "", false, "", "Pending", []int{200, 400, 401, 429, 503}, (*Gate).handleList, listParameters()},
		{"GET", "/v1/history", "Search the calls that no longer wait, newest first, in pages. A page may be empty and still have a next one. An agent sees only its own calls", "", false, "", "History", []int{200, 400, 401, 429, 503}, (*Gate).handleHistory, historyParameters()},
		{"GET", "/v1/proposals/{id}", "Get a proposal or a batch. With ?wait=SECONDS, the request waits for the decision", "", false, "", "Seen",
			[]int{200, 400, 401, 404, 429, 503}, (*Gate).handleLookup, waitParameter(longest)},
		{"POST", "/v1/proposals/{id}/decision", "Approve or deny the call that was shown", machine.Approver, false, "Decision", "Standing", posted, (*Gate).handleDecision, nil},
		{"POST", "/v1/decisions", "Approve or deny several calls that were shown, each by its digest. Each has its own result", machine.Approver, false, "Decisions", "Decided",
			[]int{200, 400, 401, 403, 413, 415, 429}, (*Gate).handleDecisions, nil},
		{"GET", "/v1/remembered", "List the remembered decisions that have not ended, in pages. A page may be empty and still have a next one", machine.Approver, false, "", "RememberedList", []int{200, 400, 401, 403, 429, 503}, (*Gate).handleRemembered, afterParameter()},
		{"POST", "/v1/remembered", "Remember the yes to a call that you approved, for its agent and session, within bounds, until a time", machine.Approver, false, "RememberRequest", "Remembered", posted, (*Gate).handleRemember, nil},
		{"POST", "/v1/remembered/{id}/revoke", "End a remembered yes", machine.Approver, false, "Revocation", "RememberedList", []int{200, 400, 401, 403, 404, 413, 415, 429, 503}, (*Gate).handleForget, nil},
		{"GET", "/v1/delegations", "List the delegations of decisions that count now, in pages. A page may be empty and still have a next one", machine.Approver, false, "", "Delegations", []int{200, 400, 401, 403, 429, 503}, (*Gate).handleDelegations, afterParameter()},
		{"POST", "/v1/delegations", "Let another approver decide in your place until a time", machine.Approver, false, "DelegateRequest", "Delegation", []int{200, 400, 401, 403, 413, 415, 429, 503}, (*Gate).handleDelegate, nil},
		{"POST", "/v1/delegations/{id}/revoke", "End a delegation", machine.Approver, false, "Revocation", "Delegations", []int{200, 400, 401, 403, 404, 413, 415, 429, 503}, (*Gate).handleUndelegate, nil},
		{"POST", "/v1/proposals/{id}/edit", "Put a call with other arguments in the place of a call that waits. The new call waits for a decision of its own", machine.Approver, false, "Edit", "Edited", posted, (*Gate).handleEdit, nil},
		{"POST", "/v1/proposals/{id}/answer", "Answer a call with a text for the model, in place of yes or no. The call does not run", machine.Approver, false, "ApproverAnswer", "Standing", posted, (*Gate).handleAnswer, nil},
		{"POST", "/v1/proposals/{id}/revoke", "Revoke an approval before the call is claimed", machine.Approver, false, "Revocation", "Standing", posted, (*Gate).handleRevoke, nil},
		{"GET", "/v1/freezes", "List which agents are frozen", machine.Approver, false, "", "Freezes", []int{200, 400, 401, 403, 429, 503}, (*Gate).handleFreezes, nil},
		{"POST", "/v1/freezes", "Freeze one agent or all agents of the tenant at once, or unfreeze them", machine.Approver, false, "FreezeRequest", "Freezes",
			[]int{200, 400, 401, 403, 404, 413, 415, 429, 503}, (*Gate).setFreeze, nil},
		{"POST", "/v1/proposals/{id}/claim", "Claim an approved call. The answer has the bytes of the call and the grant to run the call once", machine.Agent, false, "ClaimRequest", "Grant", posted, (*Gate).handleClaim, nil},
		{"POST", "/v1/proposals/{id}/outcome", "Report the outcome of a granted call", machine.Agent, false, "Outcome", "Standing", posted, (*Gate).handleOutcome, nil},
		{"POST", "/v1/proposals/{id}/cancel", "Cancel a proposal", machine.Agent, false, "Nothing", "Standing", []int{200, 400, 401, 403, 404, 409, 413, 415, 429, 503}, (*Gate).handleCancel, nil},
		{"GET", "/v1/events", "Server-sent events about proposals that begin to wait or stop waiting", machine.Approver, false, "", "Events", []int{200, 400, 401, 403, 429, 503}, (*Gate).handleEvents, nil},
		{"POST", hookPath, "Claude Code's HTTP hook, with the agent's key in Authorization. Every answer has status 200, because the host allows a call after any other status", "", true,
			"Hook", "Hooked", []int{200}, (*Gate).handleHook, waitParameter(longestHook)},
		{"POST", permitPath, "The MCP server with the tool \"approve\" for Claude Code's --permission-prompt-tool", machine.Agent, false,
			"ToolMessage", "ToolAnswer", []int{200, 202, 400, 401, 403, 413, 415, 429}, (*Gate).handlePermission, waitParameter(longestHook)},
		{"GET", "/metrics", "How often people are asked and how they decide, in the Prometheus text format", machine.Approver, false, "", "Metrics", []int{200, 400, 401, 403, 429, 503}, (*Gate).handleMetrics, nil},
		{"GET", "/v1/definitions", "List the pinned and the current tool definitions of the MCP servers", machine.Approver, false, "", "Definitions",
			[]int{200, 400, 401, 403, 429, 503}, (*Gate).handleDefinitions,
			[]parameter{{"server", "only the tools of this server", object{"type": "string"}}}},
		{"POST", "/v1/definitions", "Accept the definition of a tool that has changed or is new", machine.Approver, false, "Acceptance", "Accepted",
			[]int{200, 400, 401, 403, 409, 413, 415, 429, 503}, (*Gate).acceptDefinition, nil},
		{"GET", "/v1/audit", "The audit of the tenant in pages, oldest entries first", machine.Approver, false, "", "AuditPage", []int{200, 400, 401, 403, 429, 503}, (*Gate).auditEvents,
			[]parameter{{"after", "the cursor of the last event that you received, or the value of next from the previous page", object{"type": "integer", "minimum": 0}}}},
		{"GET", "/v1/audit/head", "The end of the tenant's audit chain, signed if the operator has set a key", machine.Approver, false, "", "Head",
			[]int{200, 400, 401, 403, 429, 503}, (*Gate).auditHead, nil},
		{"GET", receipt.KeysPath, "The public keys of receipts, as a JSON Web Key Set", "", true, "", "Keys", []int{200, 400}, (*Gate).handleKeys, nil},
		{"GET", "/openapi.json", "This description", "", true, "", "Description", []int{200, 400}, (*Gate).handleOpenAPI, nil},
		{"GET", "/healthz", "Whether the gate and its store answer", "", true, "", "Health", []int{200, 400, 503}, (*Gate).handleHealth, nil},
	}
}

// waitParameter returns the parameter of requests that may wait for a decision.
func waitParameter(most int) []parameter {
	return []parameter{{"wait", "for how many seconds the request may wait for a decision", object{"type": "integer", "minimum": 0, "maximum": most}}}
}

func listParameters() []parameter {
	const ofCall = `with "digest" and "session", the list has only the sender's own open proposals of exactly this call`
	text := object{"type": "string"}
	return []parameter{
		{"digest", ofCall, text}, {"session", ofCall, text},
		{"limit", "", object{"type": "integer", "minimum": 1, "maximum": maxPage, "default": pageSize}},
		afterParameter()[0],
	}
}

func afterParameter() []parameter {
	return []parameter{{"after", "the value of next from the previous page", object{"type": "string"}}}
}

// endpoint is a page, or the operations by method, at one path.
type endpoint struct {
	pattern string // of http.ServeMux, without a method
	page    *sheet
	calls   []route
}

// ServeHTTP does nothing. It makes an endpoint an http.Handler, which a ServeMux
// requires. Gate.ServeHTTP serves the requests.
func (*endpoint) ServeHTTP(http.ResponseWriter, *http.Request) {}

// router has all endpoints; it is built on first use.
var router struct {
	once sync.Once
	mux  *http.ServeMux
}

func newRouter() *http.ServeMux {
	mux := http.NewServeMux()
	var calls []*endpoint
	for _, r := range apiRoutes() {
		i := slices.IndexFunc(calls, func(p *endpoint) bool { return p.pattern == r.path })
		if i < 0 {
			i, calls = len(calls), append(calls, &endpoint{pattern: r.path})
			mux.Handle(r.path, calls[i])
		}
		calls[i].calls = append(calls[i].calls, r)
	}
	for _, s := range pageSheets() {
		mux.Handle(s.pattern, &endpoint{pattern: s.pattern, page: s})
	}
	return mux
}

// endpointOf returns the endpoint at a path, and the part of the path for {id}. The
// endpoint is nil if the path is unknown.
func endpointOf(path string) (p *endpoint, id string) {
	router.once.Do(func() { router.mux = newRouter() })
	h, _ := router.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
	if p, _ = h.(*endpoint); p == nil {
		return nil, ""
	}
	if before, after, has := strings.Cut(p.pattern, "{id}"); has {
		id = strings.TrimSuffix(strings.TrimPrefix(path, before), after)
	}
	return p, id
}

// Serves reports whether the gate serves a path. It returns false for "/" and "/healthz",
// because the server that contains the gate may answer these paths itself.
func Serves(path string) bool {
	if path == "/" || path == "/healthz" {
		return false
	}
	p, _ := endpointOf(path)
	return p != nil
}

// ServeHTTP answers requests for the API and the pages. Its answers may not be cached.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if g.home.Scheme == "https" {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	defer func() {
		if p := recover(); p != nil {
			store.Blame(r.Context(), fmt.Errorf("panic: %v", p))
			writeReply(w, errorReply(500, wire.CodeInternal, fmt.Sprintf("internal error: %v", p)))
		}
	}()
	if origin.Loopback(g.home.Host) && !origin.Loopback(r.Host) && r.URL.Path != hookPath { // the hook denies with a 200
		writeReply(w, errorReply(http.StatusMisdirectedRequest, wire.CodeInput, "this gate answers only requests to localhost"))
		return
	}
	switch at, id := endpointOf(r.URL.Path); {
	case at == nil:
		writeReply(w, errorReply(404, CodeNotFound, "unknown path; GET /openapi.json lists the known paths"))
	case at.page != nil:
		g.handlePage(w, r, at.page, id)
	default:
		g.serveEndpoint(w, r, at, id)
	}
}

// serveEndpoint answers a request with the endpoint's operation for the request's method.
// If the endpoint has no such operation, the status is 405.
func (g *Gate) serveEndpoint(w http.ResponseWriter, r *http.Request, at *endpoint, id string) {
	allow := []string{}
	for i := range at.calls {
		if at.calls[i].method == r.Method {
			out := g.serveRoute(w, r, &at.calls[i], id)
			store.Blame(r.Context(), out.cause)
			writeReply(w, out)
			return
		}
		allow = append(allow, at.calls[i].method)
	}
	w.Header().Set("Allow", strings.Join(allow, ", "))
	writeReply(w, errorReply(405, wire.CodeMethod, fmt.Sprintf("%s accepts %s, not %s", r.URL.Path, strings.Join(allow, " and "), r.Method)))
}

// patience is the time limit of every request that does not wait for a person.
const patience = 10 * time.Second

func (g *Gate) serveRoute(w http.ResponseWriter, r *http.Request, to *route, id string) reply {
	q := &request{Request: r, id: id, to: to}
	if to.path == hookPath { // every refusal of a hook has the status 200
		return to.handle(g, w, q)
	}
	if to.open {
		return g.handleStrict(w, q)
	}
	key, r := g.bearerKey(r)
	if key == nil {
		w.Header().Set("WWW-Authenticate", Realm)
		return errorReply(401, CodeUnauthorized, `send a key of this gate in the header "Authorization: Bearer KEY"`)
	}
	who := key.Principal
	q.Request = r
	recordPrincipal(r.Context(), who)
	if ok, wait := g.admitRequest(who); !ok {
		return reply{status: 429, body: wire.Fail(CodeRate, fmt.Sprintf("too many requests; try again in %d s", wait)), retry: wait}
	}
	if to.role != "" && to.role != who.Role {
		return errorReply(403, CodeForbidden, fmt.Sprintf("this request needs the key of an %s, not the key of an %s", to.role, who.Role))
	}
	if q.who = who; r.Method == "POST" {
		if refused := g.readBody(q); refused != nil {
			return *refused
		}
	}
	return g.handleStrict(w, q)
}

// handleStrict calls the operation's handler if the request has no unknown and no
// repeated parts.
func (g *Gate) handleStrict(w http.ResponseWriter, q *request) reply {
	if refused := q.checkStrict(); refused != nil {
		return *refused
	}
	return q.to.handle(g, w, q)
}

// readBody reads the whole body into q.body. It returns nil, or the answer that refuses
// the body.
func (g *Gate) readBody(q *request) *reply {
	if e := strings.ToLower(strings.TrimSpace(q.Header.Get("Content-Encoding"))); e != "" && e != "identity" {
		out := errorReply(415, wire.CodeInput, "cannot read a compressed body; send it uncompressed")
		return &out
	}
	large := errorReply(413, wire.CodeTooLarge, fmt.Sprintf("the body is over the limit of %d bytes", g.Limit))
	if q.ContentLength > int64(g.Limit) {
		return &large
	}
	if q.Body == nil {
		return nil
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(q.Body, int64(g.Limit)+1)); err != nil {
		out := errorReply(400, wire.CodeInput, "cannot read the body: "+err.Error())
		return &out
	}
	if b.Len() > g.Limit {
		return &large
	}
	q.body = b.Bytes()
	return nil
}

func writeReply(w http.ResponseWriter, a reply) {
	if a.body == nil {
		return
	}
	h := w.Header()
	if a.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(a.retry))
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	w.Write(a.body)
}

func errorReply(status int, code, message string) reply {
	return reply{status: status, body: wire.Fail(code, message)}
}

// storeErrorReply returns the answer for an error of the store. The answer does not
// contain the cause of the error and never allows a call.
func storeErrorReply(err error) reply {
	switch {
	case errors.Is(err, store.ErrNone):
		return errorReply(404, CodeNotFound, "no such proposal for this key's tenant")
	case errors.Is(err, store.ErrFull):
		return reply{status: 429, body: wire.Fail(CodeRate, err.Error()), retry: 30}
	case errors.Is(err, errBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return reply{503, wire.Fail(CodeUnavailable, "the gate is busy, and it is not known whether anything was changed; look at the list of proposals before you repeat the request"), 1, err}
	}
	return reply{503, wire.Fail(CodeUnavailable, "the gate's store does not answer; treat the call as not allowed"), 1, err}
}

// refusalReply returns the answer for a refusal of the machine.
func refusalReply(a machine.Answer) reply {
	switch a.Code {
	case machine.Conflict:
		return errorReply(409, CodeConflict, a.Text)
	case machine.Early:
		return reply{status: 409, body: wire.Fail(CodeEarly, a.Text), retry: int(a.Left+999) / 1000}
	case machine.Forbidden:
		return errorReply(403, CodeForbidden, a.Text)
	case machine.Invalid:
		return errorReply(400, wire.CodeInput, a.Text)
	}
	return reply{status: 503, body: wire.Fail(CodeUnavailable, a.Text), retry: 1}
}
