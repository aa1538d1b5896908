package mcp

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"
)

// The older revisions have sessions, which belong to the server. But the server has
// only one client, the gate. So the gate binds each session to the key that opened it:
// the client receives the server's id after a MAC of the id and its owner. That needs
// no store, and works in every process with the gate's secret.

const sessionHeader = "Mcp-Session-Id"

func (h *Handler) bindSession(q *query, session string) string {
	return h.Gate.MAC("mcp session", q.who.Tenant, q.who.Name, q.server.Name, session) + "." + session
}

// unbindSession replaces the session's id in the request by the server's own id. It
// returns an error if the gate did not give the id to this key.
func (h *Handler) unbindSession(q *query) *fault {
	if len(q.Header.Values(sessionHeader)) == 0 {
		return nil
	}
	given, once := singleValue(q.Header, sessionHeader)
	_, session, _ := strings.Cut(given, ".")
	if !once || subtle.ConstantTimeCompare([]byte(given), []byte(h.bindSession(q, session))) != 1 {
		return unknownSession()
	}
	q.Header.Set(sessionHeader, session)
	q.conversation = h.Gate.MAC("mcp conversation", q.who.Tenant, q.who.Name, q.server.Name, session)[:22] // the id itself is a secret
	return nil
}

// EndSession ends a session at the server with a path, also when the key that opened it was
// removed. The id is the one that the client got; the caller must know that it is.
func (h *Handler) EndSession(ctx context.Context, path, given string) {
	_, session, _ := strings.Cut(given, ".")
	q := &query{Request: (&http.Request{Method: http.MethodDelete, Header: http.Header{sessionHeader: {session}}}).WithContext(ctx), server: h.servers[path]}
	if w, err := q.server.roundTrip(h, h.newRequest(ctx, q, nil)); err == nil {
		w.Body.Close()
	}
}

func unknownSession() *fault {
	return &fault{status: 404, code: codeRequest, text: "no such session; initialize again"}
}
