package store

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Kept is the stored answer to a request with an idempotency key.
type Kept struct {
	Digest string // sha256 of the request, in hexadecimal digits
	Status int
	Answer string
	IDs    []string // records that the answer is about
	At     int64    // when Kept has read that it was stored, in Unix milliseconds; Keep does not read it
}

// interrupted is the time in milliseconds after which a request whose records are not stored was surely interrupted: it had
// less patience, and the clocks of several gates differ by less.
const interrupted = 60_000

// WasInterrupted reports whether a request whose records are not stored can store them no more.
func (k *Kept) WasInterrupted(now int64) bool { return now-k.At > interrupted }

// Keep stores an answer under an idempotency key before the answer is sent. If the key
// was used before, Keep stores nothing and returns the earlier answer. The bool is true
// if the new answer was stored.
func (s *Store) Keep(ctx context.Context, tenant, principal, key string, k Kept, now int64) (Kept, bool, error) {
	ids, err := json.Marshal(k.IDs)
	if err != nil {
		return k, false, err
	}
	var new string
	fresh, err := s.Change(ctx, `INSERT INTO idempotency (tenant, principal, key, body, status, answer, ids, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING key`,
		[]any{tenant, principal, key, k.Digest, k.Status, k.Answer, string(ids), Stamp(now)}, &new)
	if err != nil || fresh {
		return k, fresh, err
	}
	old, _, err := s.Kept(ctx, tenant, principal, key)
	return old, false, err
}

// Unkeep deletes an idempotency key whose request was refused, so that the request may be
// sent again.
func (s *Store) Unkeep(ctx context.Context, tenant, principal, key string) error {
	_, err := s.Change(ctx, `DELETE FROM idempotency WHERE tenant = ? AND principal = ? AND key = ?`, []any{tenant, principal, key})
	return err
}

// Kept returns the answer that is stored under an idempotency key.
func (s *Store) Kept(ctx context.Context, tenant, principal, key string) (k Kept, found bool, err error) {
	var ids, created string
	found, err = s.queryOne(ctx, `SELECT body, status, answer, ids, created FROM idempotency WHERE tenant = ? AND principal = ? AND key = ?`,
		[]any{tenant, principal, key}, &k.Digest, &k.Status, &k.Answer, &ids, &created)
	k.At = parseStamp(created)
	if err != nil || !found {
		return k, false, err
	}
	return k, true, json.NewDecoder(strings.NewReader(ids)).Decode(&k.IDs)
}

// UnkeepOld does as Unkeep does, but only if the answer was stored at the time at, in Unix milliseconds.
func (s *Store) UnkeepOld(ctx context.Context, tenant, principal, key string, at int64) error {
	_, err := s.Change(ctx, `DELETE FROM idempotency WHERE tenant = ? AND principal = ? AND key = ? AND created = ?`, []any{tenant, principal, key, Stamp(at)})
	return err
}

// Forget deletes idempotency keys that were stored before the given time.
func (s *Store) Forget(ctx context.Context, before int64) error {
	_, err := s.Change(ctx, `DELETE FROM idempotency WHERE created < ?`, []any{Stamp(before)})
	return err
}

// News is an audit row that a webhook may report.
type News struct {
	Seq   int64
	Text  string
	Entry machine.Entry
}

// After returns audit rows of a tenant with a sequence number above seq. It omits rows
// that webhooks do not report. The result last is the sequence number of the last
// examined row, or 0 if there was no row.
func (s *Store) After(ctx context.Context, tenant string, seq int64, limit int) (out []News, last int64, err error) {
	rows, err := s.queryRead(ctx, `SELECT seq, entry FROM audit WHERE tenant = ? AND seq > ? ORDER BY seq LIMIT 1000`, tenant, seq)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for len(out) < limit && rows.Next() {
		var n News
		var text string
		if err := rows.Scan(&n.Seq, &text); err != nil {
			return nil, 0, err
		}
		last = n.Seq
		if text == "" { // the row was emptied by retention
			continue
		}
		if err := json.Unmarshal([]byte(text), &n.Entry); err != nil {
			return nil, 0, err
		}
		if n.Text = text; !n.Entry.Quiet() {
			out = append(out, n)
		}
	}
	return out, last, rows.Err()
}

// Cursor is the progress of a webhook.
type Cursor struct {
	Seq   int64
	Tries int
	Due   int64
}

// Cursor returns how far a webhook has come in the audit. A new webhook begins at the end
// of the audit, so that it does not receive old events.
func (s *Store) Cursor(ctx context.Context, name string) (c Cursor, err error) {
	if _, err := s.Change(ctx, `INSERT INTO webhooks (name, cursor, tries, due)
		SELECT ?, coalesce((SELECT max(seq) FROM audit), 0), 0, '' ON CONFLICT DO NOTHING`, []any{name}); err != nil {
		return c, err
	}
	var due string
	_, err = s.queryOne(ctx, `SELECT cursor, tries, due FROM webhooks WHERE name = ?`, []any{name}, &c.Seq, &c.Tries, &due)
	c.Due = parseStamp(due)
	return c, err
}

// Lease reserves a webhook for one deliverer until the given time. The parameter seen is
// the webhook's progress as the caller has read it. Lease returns false if the stored
// progress is different, because another deliverer is then working on the webhook.
func (s *Store) Lease(ctx context.Context, name string, seen Cursor, until int64) (bool, error) {
	var due string
	return s.Change(ctx, `UPDATE webhooks SET due = ? WHERE name = ? AND cursor = ? AND tries = ? AND due = ? RETURNING due`,
		[]any{Stamp(until), name, seen.Seq, seen.Tries, Stamp(seen.Due)}, &due)
}

// SetCursor stores how far a webhook has come in the audit. It never moves the webhook
// back.
func (s *Store) SetCursor(ctx context.Context, name string, c Cursor) error {
	_, err := s.Change(ctx, `UPDATE webhooks SET cursor = ?, tries = ?, due = ? WHERE name = ? AND cursor <= ?`, []any{c.Seq, c.Tries, Stamp(c.Due), name, c.Seq})
	return err
}
