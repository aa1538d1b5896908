package mcp

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// ticket holds the gate's data between two rounds of one call. The client carries it as
// requestState. It is authenticated, valid for one principal and one call, for a
// limited time, and once.
type ticket struct {
	tenant, principal string
	server, tool      string
	digest            string // of tool and arguments
	definition        string // hash of the definition for which the call was made
	record            string // record of the held call; "" for a call that was allowed
	mode              string // mode of the question: modeForm, modeURL; "" if the server asks
	round             int
	expires           int64
	id                string // marked as used in the store
	inner             string // the server's own requestState
	wrapped           bool   // the server gave one
}

// ticketTag is the first string of every ticket. It distinguishes tickets from other
// data, and contains their version and the only method that uses them.
const ticketTag = "boundcheck.mcp/1 tools/call"

// stringFields returns the parts of the ticket as strings.
func (t *ticket) stringFields() []string {
	wrapped := "0"
	if t.wrapped {
		wrapped = "1"
	}
	return []string{ticketTag, t.tenant, t.principal, t.server, t.tool, t.digest, t.definition, t.record, t.mode,
		strconv.Itoa(t.round), strconv.FormatInt(t.expires, 10), t.id, t.inner, wrapped}
}

// sealTicket returns the ticket as a text, with a MAC (message authentication code) of
// the text.
func (h *Handler) sealTicket(t *ticket) string {
	text, _ := json.Marshal(t.stringFields())
	payload := base64.RawURLEncoding.EncodeToString(text)
	return payload + "." + h.Gate.MAC("mcp state", payload)
}

// openTicket parses a ticket that this gate has sealed. The result ok is false for any
// other text.
func (h *Handler) openTicket(state string) (t ticket, ok bool) {
	payload, mac, _ := strings.Cut(state, ".")
	if subtle.ConstantTimeCompare([]byte(mac), []byte(h.Gate.MAC("mcp state", payload))) != 1 {
		return t, false
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(payload)
	var f []string
	if err != nil || json.Unmarshal(text, &f) != nil || len(f) != 14 || f[0] != ticketTag {
		return t, false
	}
	t = ticket{tenant: f[1], principal: f[2], server: f[3], tool: f[4], digest: f[5], definition: f[6], record: f[7], mode: f[8], id: f[11], inner: f[12], wrapped: f[13] == "1"}
	var bad error
	if t.round, err = strconv.Atoi(f[9]); err != nil {
		bad = err
	}
	if t.expires, err = strconv.ParseInt(f[10], 10, 64); err != nil {
		bad = err
	}
	return t, bad == nil
}
