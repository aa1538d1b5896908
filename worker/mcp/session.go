package mcp

import (
	"crypto/subtle"
	"strings"
)

// The older revisions have sessions, which are the server's; but the server knows one
// client, the gate. So the gate binds each to the key that opened it: a client gets the
// server's id after a MAC over whom it was given to. That needs no store, and holds
// wherever the gate's secret is.

const sessionHeader = "Mcp-Session-Id"

func (h *Handler) bind(q *query, session string) string {
	return h.Gate.MAC("mcp session", q.who.Tenant, q.who.Name, q.server.Name, session) + "." + session
}

// unbind puts the server's own id into the request. One that was not given to this key
// is unknown, as the revisions say it.
func (h *Handler) unbind(q *query) *fault {
	if len(q.Header.Values(sessionHeader)) == 0 {
		return nil
	}
	given, once := single(q.Header, sessionHeader)
	_, session, _ := strings.Cut(given, ".")
	if !once || subtle.ConstantTimeCompare([]byte(given), []byte(h.bind(q, session))) != 1 {
		return unknownSession()
	}
	q.Header.Set(sessionHeader, session)
	return nil
}

func unknownSession() *fault {
	return &fault{status: 404, code: codeRequest, text: "no such session; initialize again"}
}
