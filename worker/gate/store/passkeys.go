package store

import (
	"context"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Passkey is what signs an approver in without a key.
type Passkey struct {
	ID           string // hash of the credential's id
	Tenant, Name string // the approver
	Mark         string // of the key with which it was added: it ends with that key
	Label        string
	Credential   string // JSON of package passkey
	Counter      int64  // of signatures, as last seen; 0 if the passkey does not count
	Created      int64  // Unix milliseconds, as Used, which is 0 before the first sign-in
	Used         int64
}

// AddPasskey stores a passkey with its audit entry. It returns false if there is or was one
// with this id.
func (s *Store) AddPasskey(ctx context.Context, p *Passkey, e machine.Entry) (bool, error) {
	var id string
	return s.Change(ctx, `INSERT INTO passkeys (id, tenant, name, mark, label, credential, counter, created, used, removed, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', 0, ?) ON CONFLICT DO NOTHING RETURNING id`,
		[]any{p.ID, p.Tenant, p.Name, p.Mark, p.Label, p.Credential, p.Counter, Stamp(p.Created), e.Bytes()}, &id)
}

// UsePasskey stores the counter of a sign-in with its audit entry. It returns false if the
// passkey was removed, or was used since it was read: a counter is used once.
func (s *Store) UsePasskey(ctx context.Context, p *Passkey, counter, now int64, e machine.Entry) (bool, error) {
	var id string
	return s.Change(ctx, `UPDATE passkeys SET counter = ?, used = ?, entry = ? WHERE tenant = ? AND id = ? AND removed = 0 AND counter = ? AND (counter = 0 OR counter < ?) RETURNING id`,
		[]any{counter, Stamp(now), e.Bytes(), p.Tenant, p.ID, p.Counter, counter}, &id)
}

// RemovePasskey ends a passkey with its audit entry, and reports whether there was one. With
// a name, it ends only one of this approver.
func (s *Store) RemovePasskey(ctx context.Context, tenant, name, id string, e machine.Entry) (bool, error) {
	var got string
	return s.Change(ctx, `UPDATE passkeys SET removed = 1, entry = ? WHERE tenant = ? AND id = ? AND (? = '' OR name = ?) AND removed = 0 RETURNING id`, []any{e.Bytes(), tenant, id, name, name}, &got)
}

// mostPasskeys is the largest number of passkeys that are listed.
const mostPasskeys = 1000

// Passkeys returns the passkeys that were not removed, oldest first: of an approver, or
// all if tenant and name are "".
func (s *Store) Passkeys(ctx context.Context, tenant, name string) (out []Passkey, err error) {
	rows, err := s.queryRead(ctx, `SELECT id, tenant, name, mark, label, credential, counter, created, used FROM passkeys
		WHERE (? = '' OR tenant = ?) AND (? = '' OR name = ?) AND removed = 0 ORDER BY created, id LIMIT ?+0`, tenant, tenant, name, name, mostPasskeys)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p Passkey
		var created, used string
		if err := rows.Scan(&p.ID, &p.Tenant, &p.Name, &p.Mark, &p.Label, &p.Credential, &p.Counter, &created, &used); err != nil {
			return nil, err
		}
		p.Created, p.Used = parseStamp(created), parseStamp(used)
		out = append(out, p)
	}
	return out, rows.Err()
}

// Passkey returns the passkey with this id; nil if there is none or it was removed.
func (s *Store) Passkey(ctx context.Context, id string) (*Passkey, error) {
	var p Passkey
	var created, used string
	found, err := s.queryOne(ctx, `SELECT id, tenant, name, mark, label, credential, counter, created, used FROM passkeys WHERE id = ? AND removed = 0`, []any{id},
		&p.ID, &p.Tenant, &p.Name, &p.Mark, &p.Label, &p.Credential, &p.Counter, &created, &used)
	if err != nil || !found {
		return nil, err
	}
	p.Created, p.Used = parseStamp(created), parseStamp(used)
	return &p, nil
}
