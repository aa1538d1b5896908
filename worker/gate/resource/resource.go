//go:build !js

// Package resource makes the gate's MCP proxy a protected resource of OAuth 2.1, as MCP's
// authorization demands since its revision 2025-06-18. Remote hosts then sign in at a provider
// and send its access tokens. Keys work beside them.
//
// The package holds one law: a request is admitted with a token only if the operator's provider
// signed exactly this token with a key that it publishes, for this server of this gate, for this
// time, with each scope that the operator demands, and a line of the key file names one of its
// claims. The token decides nothing as an approver, and no server behind the gate sees it.
package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// WellKnown is the path of the metadata of RFC 9728. The path of a resource may follow it.
const WellKnown = "/.well-known/oauth-protected-resource"

// Usage describes the words that New accepts.
const Usage = "issuer=URL, and perhaps scope=WORD"

// Door admits clients of a gate's MCP servers by keys and by access tokens.
type Door struct {
	gate     *gate.Gate
	serves   func(path string) bool
	provider *provider
	scopes   []string // a token must have all of them
}

// New returns a Door with the settings of the operator: words of the form NAME=VALUE, of which
// scope may be repeated. The function serves reports whether an MCP server is at a path.
func New(words string, g *gate.Gate, serves func(path string) bool) (*Door, error) {
	d := &Door{gate: g, serves: serves}
	issuer := ""
	for _, word := range strings.Fields(words) {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case ok && value != "" && name == "issuer":
			issuer = value
		case ok && name == "scope" && isScope(value):
			d.scopes = append(d.scopes, value)
		default:
			return nil, fmt.Errorf("invalid word %q: want %s", word, Usage)
		}
	}
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !origin.Allowed(u) {
		return nil, fmt.Errorf("invalid issuer %q: want %s, with https://host/path or http on loopback", issuer, Usage)
	}
	d.provider = newProvider(u, issuer)
	return d, nil
}

// isScope reports whether a text is one scope, as RFC 6749 defines them.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}

// The ends of the paths of HTTP+SSE, below that of a server.
const (
	streamEnd   = "/sse"
	messagesEnd = "/messages"
)

// serverOf returns the path of the server to which a path belongs, over any transport, or "".
func (d *Door) serverOf(path string) string {
	for _, end := range []string{"", streamEnd, messagesEnd} {
		if server, is := strings.CutSuffix(path, end); is && d.serves(server) {
			return server
		}
	}
	return ""
}

// namesOf returns the names under which tokens are made for a server: its addresses over
// each transport, and that of the whole gate.
func (d *Door) namesOf(server string) []string {
	return []string{d.gate.Page(server), d.gate.Page(server + streamEnd), d.gate.Page(""), d.gate.Page("/")}
}

// ServeHTTP answers requests for the metadata of the gate or of one of its servers.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", "application/json")
	path, _ := strings.CutPrefix(r.URL.Path, WellKnown)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		w.Write(wire.Fail(wire.CodeMethod, "this path accepts only GET"))
		return
	case path == "/":
		path = ""
	case path != "" && (d.serverOf(path) == "" || strings.HasSuffix(path, messagesEnd) && !d.serves(path)):
		w.WriteHeader(http.StatusNotFound)
		w.Write(wire.Fail(gate.CodeNotFound, "unknown path: this gate has no MCP server with that name"))
		return
	}
	json.NewEncoder(w).Encode(struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Methods  []string `json:"bearer_methods_supported"`
		Scopes   []string `json:"scopes_supported,omitempty"`
	}{d.gate.Page(path), []string{d.provider.issuer}, []string{"header"}, d.scopes})
}

// Admit returns the agent of a request: that of its key, as gate.Gate does, or else that of its
// access token.
func (d *Door) Admit(r *http.Request) (*http.Request, machine.Principal, *gate.Refusal) {
	r, who, refusal := d.gate.Admit(r)
	server := d.serverOf(r.URL.Path)
	if refusal == nil || refusal.Status != 401 || server == "" {
		return r, who, refusal
	}
	resource := server
	if r.URL.Path != server {
		resource += streamEnd
	}
	refusal.Challenge = d.writeChallenge(resource, "")
	text := r.Header.Values("Authorization")
	if len(text) == 0 {
		return r, who, refusal
	}
	token, err := d.readToken(r.Context(), text, server)
	if err == nil {
		return d.gate.AdmitToken(r, token)
	}
	store.Blame(r.Context(), fmt.Errorf("access token for %s refused: %w", d.gate.Page(resource), err))
	switch {
	case errors.Is(err, gate.ErrAway):
		return r, who, &gate.Refusal{Status: 503, Code: gate.CodeUnavailable, Message: "the token cannot be checked now, so nothing was allowed", Retry: 5}
	case errors.Is(err, errScope):
		return r, who, &gate.Refusal{Status: 403, Code: gate.CodeForbidden, Message: "the token does not have the scope that this gate demands", Challenge: d.writeChallenge(resource, "insufficient_scope")}
	}
	return r, who, &gate.Refusal{Status: 401, Code: gate.CodeUnauthorized, Message: "the key or token is not valid here; the gate's log has the reason", Challenge: d.writeChallenge(resource, "invalid_token")}
}

// writeChallenge returns the value of WWW-Authenticate, which says where the metadata is.
func (d *Door) writeChallenge(resource, trouble string) string {
	text := gate.Realm + `, resource_metadata="` + d.gate.Page(WellKnown+resource) + `"`
	if len(d.scopes) > 0 {
		text += `, scope="` + strings.Join(d.scopes, " ") + `"`
	}
	if trouble != "" {
		text += `, error="` + trouble + `"`
	}
	return text
}

// readToken checks the token in the values of Authorization.
func (d *Door) readToken(ctx context.Context, values []string, server string) (gate.Token, error) {
	scheme, text, _ := strings.Cut(values[0], " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return gate.Token{}, errors.New("the request must have one header Authorization, with Bearer")
	}
	t, err := d.provider.verifyToken(ctx, strings.TrimSpace(text), d.namesOf(server), d.gate.Now())
	if err != nil {
		return gate.Token{}, err
	}
	for _, scope := range d.scopes {
		if !slices.Contains(t.scopes, scope) {
			return gate.Token{}, fmt.Errorf("%w %q; it has %.300q", errScope, scope, t.scopes)
		}
	}
	return t.Token, nil
}

// errScope means that a token is valid, but must not be used for this.
var errScope = errors.New("the token does not have the scope")
