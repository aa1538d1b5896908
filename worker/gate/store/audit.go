package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// sealed is one row of the audit in the form in which Seal writes it.
type sealed struct {
	Seq  int64  `json:"seq"`
	N    string `json:"n"`
	Prev string `json:"prev"`
	Hash string `json:"hash"`
}

// Seal adds all new audit entries to the hash chains of their tenants. Several processes
// may call Seal at the same time, because all of them write the same bytes. After a
// crash, the next call continues.
func (s *Store) Seal(ctx context.Context) error {
	tenants, err := s.queryTexts(ctx, `SELECT DISTINCT tenant FROM audit WHERE hash = '' LIMIT 100`)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		for more := true; more; {
			if more, err = s.sealSome(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) queryTexts(ctx context.Context, query string, args ...any) (out []string, err error) {
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}

// sealSome seals some rows of one tenant, and reports whether there may be more.
func (s *Store) sealSome(ctx context.Context, tenant string) (more bool, err error) {
	const piece = 500
	rows, err := s.queryRead(ctx, `SELECT seq, entry, n, hash FROM audit WHERE tenant = ? AND seq >=
		coalesce((SELECT max(seq) FROM audit WHERE tenant = ? AND seq < (SELECT min(seq) FROM audit WHERE tenant = ? AND hash = '')), 0) ORDER BY seq LIMIT ?+0`,
		tenant, tenant, tenant, piece)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	var list []sealed
	var prev machine.Link
	for rows.Next() {
		var seq int64
		var entry, n, hash string
		if err := rows.Scan(&seq, &entry, &n, &hash); err != nil {
			return false, err
		}
		if hash != "" {
			prev = machine.Link{N: parseStamp(n), Hash: hash}
			continue
		}
		prev = machine.Seal(tenant, prev, entry)
		list = append(list, sealed{seq, strconv.FormatInt(prev.N, 10), prev.Prev, prev.Hash})
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		return false, err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return false, err
	}
	_, err = s.Change(ctx, `UPDATE audit SET n = j.n, prev = j.prev, hash = j.hash
		FROM (SELECT CAST(value->>'seq' AS BIGINT) AS seq, value->>'n' AS n, value->>'prev' AS prev, value->>'hash' AS hash FROM json_each(?)) AS j
		WHERE audit.seq = j.seq AND audit.hash = ''`, []any{string(text)})
	return len(list) >= piece-1, err
}

// Tenants returns the sorted list of tenants that have audit entries. The time is
// O(tenants).
func (s *Store) Tenants(ctx context.Context) ([]string, error) {
	return s.queryTexts(ctx, `WITH RECURSIVE each(tenant) AS (SELECT min(tenant) FROM audit
		UNION ALL SELECT (SELECT min(tenant) FROM audit WHERE tenant > each.tenant) FROM each WHERE each.tenant IS NOT NULL)
		SELECT tenant FROM each WHERE tenant IS NOT NULL`)
}

// Chain calls fn for each sealed row of a tenant's audit, in order.
func (s *Store) Chain(ctx context.Context, tenant string, fn func(machine.Link) error) error {
	return s.eachLink(ctx, fn, `SELECT n, prev, entry, hash FROM audit WHERE tenant = ? AND hash <> '' ORDER BY seq`, tenant)
}

// WholeChain calls fn for each row of a tenant's audit, in order, and reads them at one
// moment. Rows that are not sealed yet come with the seal that Seal will write, and the
// parameter stored is false for them. A row that lost its seal in the middle of the chain
// is left out, so that its absence is found.
func (s *Store) WholeChain(ctx context.Context, tenant string, fn func(l machine.Link, stored bool) error) error {
	var last machine.Link
	return s.eachLink(ctx, func(l machine.Link) error {
		stored := l.Hash != ""
		if !stored {
			l = machine.Seal(tenant, last, l.Entry)
		}
		last = l
		return fn(l, stored)
	}, `SELECT n, prev, entry, hash FROM audit WHERE tenant = ? AND
		(hash <> '' OR seq > coalesce((SELECT max(seq) FROM audit WHERE tenant = ? AND hash <> ''), 0)) ORDER BY seq`, tenant, tenant)
}

// Row is a row of the audit with its place in the table.
type Row struct {
	machine.Link
	Seq    int64
	Tenant string
}

// ChainAfter returns at most limit sealed rows with sequence numbers above seq. If tenant
// is "", it returns rows of all tenants. The result ends before the first row that is not
// sealed yet, so a caller that continues after the last received row misses no row.
func (s *Store) ChainAfter(ctx context.Context, tenant string, seq int64, limit int) (out []Row, err error) {
	const columns, sealed = `SELECT seq, tenant, n, prev, entry, hash FROM audit WHERE `, ` AND seq < coalesce((SELECT min(seq) FROM audit WHERE hash = '' `
	query, args := columns+`seq > ?`+sealed+`), 9007199254740991) ORDER BY seq LIMIT ?+0`, []any{seq, limit}
	if tenant != "" { // by the tenant's index: a tenant may have few rows among many
		query = columns + `tenant = ? AND seq > ?` + sealed + `AND tenant = ?), 9007199254740991) ORDER BY seq LIMIT ?+0`
		args = []any{tenant, seq, tenant, limit}
	}
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r Row
		var n string
		if err := rows.Scan(&r.Seq, &r.Tenant, &n, &r.Prev, &r.Entry, &r.Hash); err != nil {
			return nil, err
		}
		r.N = parseStamp(n)
		out = append(out, r)
	}
	return out, rows.Err()
}

func (s *Store) eachLink(ctx context.Context, fn func(machine.Link) error, query string, args ...any) error {
	rows, err := s.queryRead(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var l machine.Link
		var n string
		if err := rows.Scan(&n, &l.Prev, &l.Entry, &l.Hash); err != nil {
			return err
		}
		l.N = parseStamp(n)
		if err := fn(l); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Numbered returns the number of audit rows that were ever added, and the number of rows
// that the database still has. If the second is smaller, rows were removed.
func (s *Store) Numbered(ctx context.Context) (ever, now int64, err error) {
	if _, err = s.queryOne(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'audit'`, nil, &ever); err != nil {
		return 0, 0, err
	}
	_, err = s.queryOne(ctx, `SELECT count(*) FROM audit`, nil, &now)
	return ever, now, err
}

// EventSchema names the form of an AuditEvent. Later versions may add members under the
// same name, but never remove one or change its meaning.
const EventSchema = "boundcheck.event/1"

// AuditEvent is one row of the audit in the form for other systems: flat, with times as
// text. docs/audit.md describes each member.
type AuditEvent struct {
	Schema     string `json:"schema"`
	Tenant     string `json:"tenant"`
	Cursor     int64  `json:"cursor"` // place in the database, from which the next page is requested
	N          int64  `json:"n"`      // place in the tenant's chain, from 1
	Hash       string `json:"hash"`   // of the row and all rows before it
	Time       string `json:"time,omitempty"`
	Event      string `json:"event"` // propose, decide, claim, …; redacted when the row was emptied
	From       string `json:"from,omitempty"`
	To         string `json:"to,omitempty"`
	By         string `json:"by,omitempty"`
	Role       string `json:"role,omitempty"`
	Channel    string `json:"channel,omitempty"`
	Session    string `json:"session,omitempty"`
	ID         string `json:"id,omitempty"`
	Batch      string `json:"batch,omitempty"`
	Rev        int64  `json:"rev,omitempty"`
	Tool       string `json:"tool,omitempty"`
	Digest     string `json:"digest,omitempty"`
	Arguments  string `json:"arguments,omitempty"`
	Mutating   string `json:"mutating,omitempty"`
	Layer      string `json:"layer,omitempty"`
	Policy     string `json:"policy,omitempty"`
	Mode       string `json:"mode,omitempty"`
	Rule       string `json:"rule,omitempty"`
	Line       int    `json:"line,omitempty"`
	Logged     string `json:"logged,omitempty"`
	Approve    *bool  `json:"approve,omitempty"`
	Approvals  int    `json:"approvals,omitempty"`
	Needs      int    `json:"needs,omitempty"`
	Prompt     string `json:"prompt,omitempty"`
	Grant      string `json:"grant,omitempty"`
	Status     string `json:"status,omitempty"`
	Expires    string `json:"expires,omitempty"`
	RunsFrom   string `json:"runsFrom,omitempty"` // of a yes to a call that waits
	Rows       string `json:"rows,omitempty"`
	Before     string `json:"before,omitempty"`
	Text       string `json:"text,omitempty"`
	Agent      string `json:"agent,omitempty"` // the frozen agent, for a freeze
	Next       string `json:"next,omitempty"`  // the edited call in the place of this one
	Of         string `json:"of,omitempty"`    // the call before an edit, and its digest
	Was        string `json:"was,omitempty"`
	Remembered string `json:"remembered,omitempty"` // the remembered yes that the row is about, or that let the call through
	Giver      string `json:"for,omitempty"`        // in whose place the person decided; who delegates
	Delegate   string `json:"delegate,omitempty"`   // to whom decisions are delegated
	Delegation string `json:"delegation,omitempty"` // the delegation that the row is about, or by which the decision counts
	Changed    string `json:"changed,omitempty"`    // paths of the arguments that an edit changed
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
	out.Time, out.Event, out.From, out.To = Instant(e.At), e.Event, string(e.From), string(e.To)
	out.By, out.Role, out.Channel, out.Session = e.By, string(e.Role), e.Channel, e.Session
	out.ID, out.Batch, out.Rev, out.Tool, out.Digest, out.Arguments = e.ID, e.Batch, e.Rev, e.Tool, e.Digest, e.Arguments
	out.Mutating, out.Layer, out.Policy, out.Mode, out.Rule = e.Verdict, e.Layer, e.Policy, e.Mode, e.Rule
	out.Approve, out.Approvals, out.Needs, out.Prompt, out.Grant = e.Approve, e.Approved, e.Needs, e.Prompt, e.Grant
	out.Status, out.Expires, out.Rows, out.Before, out.Text = string(e.Status), Instant(e.Expires), e.Rows, Instant(e.Before), e.Text
	out.RunsFrom, out.Agent, out.Line, out.Logged = Instant(e.RunsFrom), e.Agent, e.Line, e.Logged
	out.Next, out.Of, out.Was, out.Changed, out.Remembered = e.Next, e.Of, e.Was, e.Changed, e.Remembered
	out.Giver, out.Delegate, out.Delegation = e.Giver, e.Delegate, e.Delegation
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
	h := SignedHead{Schema: HeadSchema, Tenant: tenant, At: Instant(now)}
	var n string
	_, err := s.queryOne(ctx, `SELECT n, hash FROM audit WHERE tenant = ? AND hash <> '' ORDER BY seq DESC LIMIT 1`, []any{tenant}, &n, &h.Head)
	h.Rows = parseStamp(n)
	return h, err
}
