package store

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Push is a browser to which the gate sends messages for an approver.
type Push struct {
	ID           string
	Tenant, Name string // the approver
	Via          string // the mark of the session in which it was added: it ends with what began that
	Label        string
	Endpoint     string // the address at the browser's push service
	Keys         string // JSON of package push
	Created      int64  // Unix milliseconds
	Until        int64  // as Created; 0 for no end by time
}

// Cursor names the progress of its messages.
func (p *Push) Cursor() string { return "push " + p.ID }

// mostPushes is the largest number of an approver's browsers.
const mostPushes = 10

// AddPush stores a browser with its audit entry. It returns false if the approver has
// mostPushes of them, or if the browser is subscribed.
func (s *Store) AddPush(ctx context.Context, p *Push, e machine.Entry) (bool, error) {
	var id string
	fresh, err := s.Change(ctx, `INSERT INTO pushes (id, tenant, name, via, label, endpoint, keys, created, until, removed, entry)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ? WHERE (SELECT count(*) FROM pushes WHERE tenant = ? AND name = ? AND removed = 0) < ?+0 ON CONFLICT DO NOTHING RETURNING id`,
		[]any{p.ID, p.Tenant, p.Name, p.Via, p.Label, p.Endpoint, p.Keys, Stamp(p.Created), Stamp(p.Until), e.Bytes(), p.Tenant, p.Name, mostPushes}, &id)
	if err == nil && fresh {
		_, err = s.Cursor(ctx, p.Cursor()) // its messages begin now
	}
	return fresh, err
}

// RemovePush ends a browser's subscription with its audit entry, forgets its address, and
// reports whether there was one. With a name, it ends only one of this approver.
func (s *Store) RemovePush(ctx context.Context, tenant, name, id string, e machine.Entry) (bool, error) {
	var got string
	return s.Change(ctx, `UPDATE pushes SET removed = 1, endpoint = '', keys = '', entry = ? WHERE tenant = ? AND id = ? AND (? = '' OR name = ?) AND removed = 0 RETURNING id`, []any{e.Bytes(), tenant, id, name, name}, &got)
}

// Pushes returns an approver's browsers, oldest first.
func (s *Store) Pushes(ctx context.Context, tenant, name string) ([]Push, error) {
	return s.queryPushes(ctx, ` WHERE p.tenant = ? AND p.name = ? AND p.removed = 0 ORDER BY p.created, p.id`, tenant, name)
}

// DuePushes returns browsers of all tenants for which there is news, and which are not left
// alone after a failure: first those that were told least lately, at most limit.
func (s *Store) DuePushes(ctx context.Context, now int64, limit int) ([]Push, error) {
	return s.queryPushes(ctx, ` LEFT JOIN webhooks AS w ON w.name = 'push '||p.id
		WHERE p.removed = 0 AND (w.name IS NULL OR w.due <= ? AND EXISTS (SELECT 1 FROM audit AS a WHERE a.tenant = p.tenant AND a.seq > w.cursor))
		ORDER BY coalesce(w.due, ''), p.id LIMIT ?+0`, Stamp(now), limit)
}

func (s *Store) queryPushes(ctx context.Context, where string, args ...any) (out []Push, err error) {
	rows, err := s.queryRead(ctx, `SELECT p.id, p.tenant, p.name, p.via, p.label, p.endpoint, p.keys, p.created, p.until FROM pushes AS p`+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p Push
		var created, until string
		if err := rows.Scan(&p.ID, &p.Tenant, &p.Name, &p.Via, &p.Label, &p.Endpoint, &p.Keys, &created, &until); err != nil {
			return nil, err
		}
		p.Created, p.Until = parseStamp(created), parseStamp(until)
		out = append(out, p)
	}
	return out, rows.Err()
}
