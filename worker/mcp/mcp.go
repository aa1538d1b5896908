// Package mcp puts the confirmation gate in front of an MCP server. It is a proxy for
// Streamable HTTP, and for the protocol's stdio transport (Lines and Child): it answers
// the host as that server would, passes calls on that change nothing, and holds every
// other tool call until it is decided.
//
// It supports the stateless revision 2026-07-28, in which a held call returns as
// input_required and the client's retry contains its signed state. It also supports the
// revisions with a handshake since 2024-11-05, in which a held call returns as a result
// that names the question. Whatever the client answers, the decision comes from the
// gate's store, and the stored bytes run.
//
// Credentials never pass: the agent's key ends here, and the server receives the
// headers of the operator. Nothing here links http.Client, httputil or text/template,
// so that the same handler runs at the edge.
package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Who asks the person before a call that changes something.
const (
	AskGate = "gate" // the gate holds it
	AskHost = "host" // the host is told to, by _meta["anthropic/requiresUserInteraction"]
)

// Server is one MCP server behind the proxy.
type Server struct {
	Name   string      // a-z, 0-9 and single hyphens; in the policy its tools are mcp__NAME__TOOL
	URL    string      // of its MCP endpoint
	Header http.Header // sent with every request; the agent's own Authorization is never sent

	// Transport is the server's own transport, such as a Child. With it, URL and Header
	// have no meaning. Nil means Handler.Transport.
	Transport http.RoundTripper

	// Trusted means that hints are trusted in definitions of the first listing and in
	// those that an approver has accepted. Without it hints only make verdicts
	// stricter.
	Trusted bool
	// Form means that a form that the client answers counts as the decision of the
	// key's one approver, for calls that can be undone. A client can answer by itself,
	// which the operator must consider. Without Form, and for all other calls, the
	// question is decided on the gate's page.
	Form bool
	// Ask is AskGate (also "") or AskHost. With AskHost, calls pass with an audit entry
	// if they can be undone and the policy does not require two people.
	Ask string
	// Hide holds names of tools that clients neither see nor call. A * stands for any
	// text.
	Hide []string
}

// isHidden reports whether a tool is hidden.
func (s *Server) isHidden(tool string) bool {
	return slices.ContainsFunc(s.Hide, func(p string) bool { return match.Name(p, tool) })
}

// Path returns the path at which the proxy serves the server.
func (s *Server) Path() string { return "/mcp/" + s.Name }

func (s *Server) checkSettings() error {
	if s.Name == "" || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(s.Name) > 40 {
		return fmt.Errorf("invalid server name %q: want at most 40 characters from a-z, 0-9 and -", s.Name)
	}
	u, err := url.Parse(s.URL)
	if s.Transport != nil {
		s.URL = "stdio:" + s.Name // only for messages
	} else if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && origin.Loopback(u.Host)) {
		return fmt.Errorf("invalid URL of server %s: want https://host/path, or http on loopback", s.Name)
	}
	if s.Ask != "" && s.Ask != AskGate && s.Ask != AskHost {
		return fmt.Errorf("the setting Ask of server %s must be %s or %s; got %q", s.Name, AskGate, AskHost, s.Ask)
	}
	return nil
}

// Handler is the proxy. Create it with New, which sets the times, and serve it under
// /mcp/.
type Handler struct {
	Gate      *gate.Gate
	Transport http.RoundTripper

	// Wait is the time that a retry waits for the decision: 25 seconds. Clients stop
	// waiting after a minute without an answer.
	Wait time.Duration
	// Limit is the time that a server may need for one call: 5 minutes. It should be
	// below the policy's outcomeWithin.
	Limit time.Duration
	// Beat is the interval of signs of life to a client that accepts a stream: 15
	// seconds.
	Beat time.Duration
	// Elsewhere decides about calls in place of Gate, which then only admits clients and
	// keeps the tools' definitions. Nil means that Gate decides.
	Elsewhere Decisions
	// Door admits clients. Nil means that Gate does, by the keys of its agents.
	Door Door
	// Waiting is called when a call begins to wait for the gate's page. If it is not nil,
	// it shows the page to the person, so that clients are not asked to open it.
	Waiting func(link string)

	servers map[string]*Server
	mu      sync.Mutex
	fresh   map[string]time.Time // tenant and server → time until which its definitions are fresh
	heard   heardResults
	kept    keptResults

	requests requests
}

// Door admits clients. A gate.Gate does, and its method says what it means.
type Door interface {
	Admit(r *http.Request) (*http.Request, machine.Principal, *gate.Refusal)
}

// Admit returns the agent of a request, or why it is refused. The caller must go on with the
// returned request, as with that of gate.Gate.Admit.
func (h *Handler) Admit(r *http.Request) (*http.Request, machine.Principal, *gate.Refusal) {
	var door Door = h.Gate
	if h.Door != nil {
		door = h.Door
	}
	r, who, refusal := door.Admit(r)
	if refusal == nil && who.Role != machine.Agent {
		refusal = &gate.Refusal{Status: 403, Message: "this request needs the key of an agent, not the key of an approver"}
	}
	return r, who, refusal
}

// Decisions decides about calls and keeps their records. A gate.Gate does, and its methods
// say what they mean.
type Decisions interface {
	Link(id string) string
	Open(ctx context.Context, tenant, principal, session, digest string) ([]machine.Record, error)
	Propose(ctx context.Context, a machine.Ask, trusted ...mutation.Tool) (machine.Plan, error)
	Standing(ctx context.Context, tenant string, ids []string) ([]machine.Record, error)
	Settle(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error)
	Ripen(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error)
	Clock() int64
	Claim(ctx context.Context, by machine.Principal, id string) (machine.Record, machine.Answer, error)
	Receipt(r *machine.Record) string // of a claimed call; "" for none
	Told(ctx context.Context, r *machine.Record)
	Report(ctx context.Context, by machine.Principal, id string, status machine.State, detail, result string) (machine.Record, machine.Answer, error)
	Apply(ctx context.Context, tenant, id string, e machine.Event) (machine.Record, machine.Answer, error)
}

// decisions returns who decides about calls.
func (h *Handler) decisions() Decisions {
	if h.Elsewhere != nil {
		return h.Elsewhere
	}
	return h.Gate
}

// New returns a proxy for the given servers. The error is not nil if the gate or the
// transport is missing, or if the settings of a server are invalid.
func New(g *gate.Gate, transport http.RoundTripper, servers ...Server) (*Handler, error) {
	if g == nil || transport == nil {
		return nil, errors.New("missing gate or transport")
	}
	h := &Handler{Gate: g, Transport: transport, Wait: 25 * time.Second, Limit: 5 * time.Minute, Beat: 15 * time.Second,
		servers: map[string]*Server{}, fresh: map[string]time.Time{}}
	for i := range servers {
		s := servers[i]
		if err := s.checkSettings(); err != nil {
			return nil, err
		}
		if h.servers[s.Path()] != nil {
			return nil, fmt.Errorf("the server name %s appears twice", s.Name)
		}
		h.servers[s.Path()] = &s
	}
	return h, nil
}

// HasServer reports whether the proxy serves a server at a path.
func (h *Handler) HasServer(path string) bool { return h.servers[path] != nil }

// query is one admitted request to one server, with its parsed message.
type query struct {
	*http.Request
	message
	server  *Server
	who     machine.Principal
	modern  bool
	receipt string // of the call that is sent; "" for none
	// conversation names the client's session in the older revisions; "" if it has none.
	conversation string

	stream client // the client, if its transport is a stream of lines; nil over HTTP
	out    *answerer
}

// definitionsKey returns the key of the query's definitions in Handler.fresh. It consists
// of the tenant and the server.
func (q *query) definitionsKey() string { return q.who.Tenant + " " + q.server.Name }

// ServeHTTP answers one message. Its answers may not be cached by HTTP.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.answerMessage(w, r, nil) }

// client is a client that the gate can ask over its own stream.
type client interface {
	// declaredElicitation returns what the client declared of elicitation.
	declaredElicitation() jsonval.Value
	// askAbout asks the client about a held call, and handles the answer.
	askAbout(c *call, r *machine.Record, mode string, params map[string]any, round int) *fault
	// hasLeft reports whether the client has ended its stream.
	hasLeft() bool
}

// answerMessage answers one message of a client. The parameter stream is nil if the
// message came over HTTP.
func (h *Handler) answerMessage(w http.ResponseWriter, r *http.Request, stream client) {
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	q := &query{Request: r, stream: stream, out: &answerer{w: w, streams: acceptsStream(r)}}
	defer func() {
		if p := recover(); p != nil {
			q.out.writeFault(q.id, &fault{status: 500, code: codeInternal, text: fmt.Sprintf("internal error: %v", p)})
		}
		if removed := gate.KeyRemoved(q.Context()); removed != nil && !q.out.begun {
			q.out.writeFault(q.id, removedFault(removed))
		}
	}()
	if q.server = h.servers[r.URL.Path]; q.server == nil {
		q.out.writeFault(q.id, &fault{status: 404, code: codeRequest, text: "unknown path: this gate has no MCP server with that name"})
		return
	}
	if !h.Gate.SameOrigin(r) {
		q.out.writeFault(q.id, &fault{status: 403, code: codeRequest, text: "this origin may not use the gate"})
		return
	}
	if f := h.admitQuery(q); f != nil {
		q.out.writeFault(q.id, f)
		return
	}
	if q.Method != "POST" {
		h.passMessage(q)
		return
	}
	if f := h.dispatchMethod(q); f != nil {
		q.out.writeFault(q.id, f)
	}
}

// removedFault returns the fault for a request whose key was removed while it waited.
func removedFault(r *gate.Refusal) *fault {
	return &fault{status: r.Status, code: codeRequest, text: r.Message}
}

// acceptsStream reports whether a client accepts a stream as the answer.
func acceptsStream(r *http.Request) bool {
	return strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/event-stream")
}

// admitQuery admits a request and reads its message.
func (h *Handler) admitQuery(q *query) *fault {
	if q.Method != "POST" && !h.legacyStream(q) {
		q.out.w.Header().Set("Allow", "POST")
		return &fault{status: 405, code: codeRequest, text: "this endpoint accepts only POST, with one JSON-RPC message"}
	}
	r, who, refusal := h.Admit(q.Request)
	if refusal != nil {
		refusal.SetHeaders(q.out.w.Header())
		return &fault{status: refusal.Status, code: codeRequest, text: refusal.Message}
	}
	q.who, q.Request = who, r
	q.out.bind = func(session string) string { return h.bindSession(q, session) }
	if q.Method != "POST" {
		return h.unbindSession(q)
	}
	body, f := h.readBody(q)
	if f != nil {
		return f
	}
	if q.message, f = readMessage(body); f != nil {
		return f
	}
	if f = h.unbindSession(q); f != nil {
		return f
	}
	q.modern = isModernMessage(q.Header, &q.message)
	if q.stream != nil {
		return checkBodyVersion(&q.message, q.modern)
	}
	return checkHeaders(q.Header, &q.message, q.modern)
}

// legacyStream reports whether a GET or DELETE belongs to a session of the older
// revisions.
func (h *Handler) legacyStream(q *query) bool {
	version, once := singleValue(q.Header, "MCP-Protocol-Version")
	session, one := singleValue(q.Header, sessionHeader)
	return (q.Method == "GET" || q.Method == "DELETE") && once && one && session != "" && (version == "" || isKnownVersion(version, legacyVersions))
}

func (h *Handler) readBody(q *query) ([]byte, *fault) {
	kind, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return nil, &fault{status: 415, code: codeRequest, text: "want Content-Type: application/json"}
	}
	if e := q.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return nil, &fault{status: 415, code: codeRequest, text: "cannot read a compressed body; send it uncompressed"}
	}
	tooLarge := &fault{status: 413, code: codeRequest, text: fmt.Sprintf("the body is over the limit of %d bytes", h.Gate.Limit)}
	if q.ContentLength > int64(h.Gate.Limit) {
		return nil, tooLarge
	}
	var b bytes.Buffer
	if q.Body == nil {
		return nil, invalidFault(codeParse, "the body is empty")
	}
	if _, err := b.ReadFrom(io.LimitReader(q.Body, int64(h.Gate.Limit)+1)); err != nil {
		return nil, invalidFault(codeParse, "cannot read the body")
	}
	if b.Len() > h.Gate.Limit {
		return nil, tooLarge
	}
	return b.Bytes(), nil
}

// Methods that are known to change nothing, or that the gate examines. An unknown
// method might be another way to run a tool, and is not passed on.
var (
	modernMethods = []string{"server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
		"resources/templates/list", "resources/read", "completion/complete", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"}
	legacyMethods = []string{"initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
		"resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete", "logging/setLevel",
		"tasks/get", "tasks/result", "tasks/cancel"}
)

func (h *Handler) dispatchMethod(q *query) *fault {
	methods := legacyMethods
	if q.modern {
		methods = modernMethods
	}
	switch {
	case q.id.Exists() && !isKnownVersion(q.method, methods):
		return &fault{status: 404, code: codeMethod, text: fmt.Sprintf("unknown method %.80q: the gate passes on only known methods", q.method)}
	case !q.id.Exists() && q.method != "" && !strings.HasPrefix(q.method, "notifications/"):
		return invalidFault(codeRequest, "invalid notification %.80q: this method is a request and needs an id", q.method)
	case !q.id.Exists() && q.method == "" && q.modern:
		return invalidFault(codeRequest, "this protocol revision accepts no responses from clients")
	}
	switch q.method {
	case "tools/call":
		return h.handleCall(q)
	case "tools/list":
		return h.handleList(q)
	case "initialize", "server/discover":
		return h.relayDescription(q)
	case "tasks/get", "tasks/result", "tasks/cancel", "tasks/update":
		return h.handleTask(q)
	case "subscriptions/listen":
		q.text = withoutTaskIDs(&q.message)
	case "notifications/cancelled":
		if h.withdrawRequest(q) { // the server has not got the request
			q.out.w.WriteHeader(http.StatusAccepted)
			return nil
		}
	}
	h.passMessage(q)
	return nil
}

// patience is the time limit of everything that does not wait for a person or a tool.
const patience = 30 * time.Second

// relayDescription passes on the server's description of itself. It removes the features
// that the gate does not support: extensions other than tasks, and some revisions.
func (h *Handler) relayDescription(q *query) *fault {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	got, f := h.exchangeMessage(ctx, q, h.newRequest(ctx, q, []byte(q.text)), q.id)
	if f != nil {
		return f
	}
	if got.failed.Exists() {
		q.out.relayAnswer(got.status, got.head, []byte(got.text))
		return nil
	}
	result := got.result
	if v, ok := result.Get("protocolVersion").Str(); ok && q.method == "initialize" && !isKnownVersion(v, legacyVersions) {
		return troubleFault("the server wants the protocol version %q, which the gate does not speak", v)
	}
	changes := []member{{"capabilities", withMembers(result.Get("capabilities"), taskCapabilities(q, result)...)}}
	if list := result.Get("supportedVersions"); list.Exists() {
		var both []string
		for _, v := range list.Elements() {
			if isKnownVersion(v.Text(), allVersions()) {
				both = append(both, v.Text())
			}
		}
		changes = append(changes, member{"supportedVersions", encodeLine(both)})
	}
	q.out.relayAnswer(200, got.head, resultAnswer(q.id, withMembers(result, changes...)))
	return nil
}

// storeFault returns the fault for a failure of the gate's own store. In this case
// nothing has run. A statement also fails when the caller's key was removed in the
// meantime: then the fault says this, because trying again does not help.
func storeFault(ctx context.Context, err error) *fault {
	if removed := gate.KeyRemoved(ctx); removed != nil {
		return removedFault(removed)
	}
	if errors.Is(err, store.ErrFull) {
		return troubleFault("%v", err)
	}
	return troubleFault("the gate's store does not answer; nothing has run")
}
