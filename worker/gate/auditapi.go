package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
)

// EventSchema names the form of an AuditEvent. Later versions may add members under the
// same name, but never remove one or change its meaning.
const EventSchema = "boundcheck.event/1"

// AuditEvent is one row of the audit in the form for other systems: flat, with times as
// text. docs/audit.md describes each member.
type AuditEvent struct {
	Schema    string `json:"schema"`
	Tenant    string `json:"tenant"`
	Cursor    int64  `json:"cursor"` // place in the database, from which the next page is requested
	N         int64  `json:"n"`      // place in the tenant's chain, from 1
	Hash      string `json:"hash"`   // of the row and all rows before it
	Time      string `json:"time,omitempty"`
	Event     string `json:"event"` // propose, decide, claim, …; redacted when the row was emptied
	From      string `json:"from,omitempty"`
	To        string `json:"to,omitempty"`
	By        string `json:"by,omitempty"`
	Role      string `json:"role,omitempty"`
	Channel   string `json:"channel,omitempty"`
	Session   string `json:"session,omitempty"`
	ID        string `json:"id,omitempty"`
	Batch     string `json:"batch,omitempty"`
	Rev       int64  `json:"rev,omitempty"`
	Tool      string `json:"tool,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Mutating  string `json:"mutating,omitempty"`
	Layer     string `json:"layer,omitempty"`
	Policy    string `json:"policy,omitempty"`
	Mode      string `json:"mode,omitempty"`
	Rule      string `json:"rule,omitempty"`
	Line      int    `json:"line,omitempty"`
	Logged    string `json:"logged,omitempty"`
	Approve   *bool  `json:"approve,omitempty"`
	Approvals int    `json:"approvals,omitempty"`
	Needs     int    `json:"needs,omitempty"`
	Prompt    string `json:"prompt,omitempty"`
	Grant     string `json:"grant,omitempty"`
	Status    string `json:"status,omitempty"`
	Expires   string `json:"expires,omitempty"`
	Rows      string `json:"rows,omitempty"`
	Before    string `json:"before,omitempty"`
	Text      string `json:"text,omitempty"`
	Agent     string `json:"agent,omitempty"` // the frozen agent, for a freeze
}

// Event returns the row as an AuditEvent. A row without an entry, which retention has
// emptied, becomes the event "redacted".
func (r *Row) Event() (AuditEvent, error) {
	out := AuditEvent{Schema: EventSchema, Tenant: r.Tenant, Cursor: r.Seq, N: r.N, Hash: r.Hash, Event: "redacted"}
	if r.Entry == "" {
		return out, nil
	}
	var e machine.Entry
	if err := json.Unmarshal([]byte(r.Entry), &e); err != nil {
		return out, fmt.Errorf("row %d of tenant %s cannot be read: %w", r.N, r.Tenant, err)
	}
	out.Time, out.Event, out.From, out.To = formatInstant(e.At), e.Event, string(e.From), string(e.To)
	out.By, out.Role, out.Channel, out.Session = e.By, string(e.Role), e.Channel, e.Session
	out.ID, out.Batch, out.Rev, out.Tool, out.Digest, out.Arguments = e.ID, e.Batch, e.Rev, e.Tool, e.Digest, e.Arguments
	out.Mutating, out.Layer, out.Policy, out.Mode, out.Rule = e.Verdict, e.Layer, e.Policy, e.Mode, e.Rule
	out.Approve, out.Approvals, out.Needs, out.Prompt, out.Grant = e.Approve, e.Approved, e.Needs, e.Prompt, e.Grant
	out.Status, out.Expires, out.Rows, out.Before, out.Text = string(e.Status), formatInstant(e.Expires), e.Rows, formatInstant(e.Before), e.Text
	out.Agent, out.Line, out.Logged = e.Agent, e.Line, e.Logged
	return out, nil
}

// SignedHead is the end of a tenant's chain at a point in time. With it one can check
// later whether any earlier row was changed.
type SignedHead struct {
	Schema    string `json:"schema"` // HeadSchema
	Tenant    string `json:"tenant"`
	Rows      int64  `json:"rows"`
	Head      string `json:"head"`
	At        string `json:"at"`
	Key       string `json:"key,omitempty"`       // the public key, "ed25519:" and base64
	Signature string `json:"signature,omitempty"` // Ed25519 signature of Text, in base64
}

// HeadSchema names the form of a SignedHead.
const HeadSchema = "boundcheck.head/1"

// Text returns the text that is signed. It has one line each for schema, tenant, rows,
// head and time. No tenant's name contains a line feed, so two different heads never have
// the same text.
func (h *SignedHead) Text() string {
	return h.Schema + "\n" + h.Tenant + "\n" + strconv.FormatInt(h.Rows, 10) + "\n" + h.Head + "\n" + h.At + "\n"
}

// Head returns the number of rows and the last hash of a tenant's chain, without a
// signature. The parameter now becomes the time in the result.
func (s *Store) Head(ctx context.Context, tenant string, now int64) (SignedHead, error) {
	h := SignedHead{Schema: HeadSchema, Tenant: tenant, At: formatInstant(now)}
	var n string
	_, err := s.queryOne(ctx, `SELECT n, hash FROM audit WHERE tenant = ? AND hash <> '' ORDER BY seq DESC LIMIT 1`, []any{tenant}, &n, &h.Head)
	h.Rows = parseStamp(n)
	return h, err
}

// auditHead answers with the head of the sender's tenant's chain, after adding all new
// audit entries to the chains. The head is signed if SignHead is set.
func (g *Gate) auditHead(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	if err := g.Store.Seal(ctx); err != nil {
		return storeErrorReply(err)
	}
	h, err := g.Store.Head(ctx, q.who.Tenant, g.Now())
	if err != nil {
		return storeErrorReply(err)
	}
	if g.SignHead != nil {
		g.SignHead(&h)
	}
	return reply{status: 200, body: wire.Marshal(h)}
}

// maxEvents is the largest number of events on a page of the audit.
const maxEvents = 500

// auditEvents answers with one page of the audit chain of the sender's tenant.
func (g *Gate) auditEvents(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	after := int64(0)
	if text := q.URL.Query().Get("after"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return errorReply(400, wire.CodeInput, fmt.Sprintf(`the parameter "after" must be the cursor of the last event that you received; got %.20q`, text))
		}
		after = n
	}
	rows, err := g.Store.ChainAfter(ctx, q.who.Tenant, after, maxEvents)
	if err != nil {
		return storeErrorReply(err)
	}
	events, next := make([]AuditEvent, len(rows)), after
	for i := range rows {
		if events[i], err = rows[i].Event(); err != nil {
			return storeErrorReply(err)
		}
		next = rows[i].Seq
	}
	return reply{status: 200, body: wire.Marshal(auditPageMessage{events, len(events) == maxEvents, next})}
}
